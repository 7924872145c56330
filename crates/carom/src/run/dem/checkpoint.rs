//! Checkpoint of a DEM run as named arrays of numbers.
//!
//! It has everything on which the rest of the run depends, and nothing else. Sections, bodies in the order of memory:
//! `order`, `positions`, `velocities`, `angular_velocities`, `radii`, `masses`, `materials`, `positions_at_search`,
//! `forces_torques`; with shapes also `shapes` and `rotation_states`, and for scenes that continue with the bodies
//! `orientations`; `box`; contacts: `contact_keys`, `tangential_displacements`, `warm_starts`, `wall_contact_keys`,
//! `wall_tangential_displacements`, of a program's own law `contact_histories` and `wall_contact_histories`; and `engine`, `engine_counts`, `step_totals`, `step_total_counts`, `poured`, `left`;
//! where bodies were removed also `body_ids`; with forces from outside
//! `external_loads` and `external_power`, with held bodies `fixed_bodies`, in a periodic box `passages`.

use super::engine_run::{BodyFlowCounts, DemRun};
use super::scene_law::SceneLaw;
use super::setup;
use crate::run::Error;
use crate::run::engine_run::StageStart;
use crate::run::resumable::{put_ids, take_ids, unfit, unfit_state};
use carom_geometry::Vector;
use carom_io::Checkpoint;
use carom_scene::Scene;
use carom_simulate::dem::{
    Body, ContactLaw, ContactLosses, LawHistory, SavedRotation, SavedState, Simulation, StepTotals,
};
use nalgebra::UnitQuaternion;

/// Shape number of a sphere.
const SPHERE: u32 = u32::MAX;

impl<const D: usize, L: ContactLaw> DemRun<D, L> {
    pub(super) fn put_into(&self, checkpoint: &mut Checkpoint) {
        put_saved(checkpoint, &self.simulation.saved_state(), self.scene_law.history_sections);
        checkpoint.put_f64("box", self.region.size.as_slice());
        checkpoint.put_u64("poured", self.pour_state.poured.clone());
        checkpoint.put_u64("left", self.outlet_state.left.clone());
    }

    pub(in crate::run) fn resume(
        scene: &Scene<D>,
        starts: &[StageStart],
        checkpoint: &mut Checkpoint,
        scene_law: SceneLaw<L>,
    ) -> Result<Self, Error> {
        let saved = take_saved::<L::History>(checkpoint, scene_law.history_sections)?;
        let poured = checkpoint.take_u64("poured", scene.pours.len())?;
        let left = checkpoint.take_u64("left", scene.outlets.len())?;
        if [saved.time_step, saved.skin].iter().any(|it| !(*it > 0.0 && it.is_finite())) {
            let reason = "its time step or skin is not a positive number".to_owned();
            return Err(unfit(checkpoint, reason));
        }
        let settings = setup::staged_settings(scene, starts, &scene_law)?;
        let simulation = Simulation::resume(&saved, settings);
        let mut simulation = simulation.map_err(|error| unfit_state(checkpoint, error))?;
        setup::forces(scene).for_each(|force| simulation.add_force(force));
        let limits = StageStart::limits_of_last(starts, scene);
        Ok(DemRun::of(scene, scene_law, simulation, BodyFlowCounts { poured, left }, limits))
    }
}

fn flat<'a, const N: usize>(vectors: impl IntoIterator<Item = &'a Vector<N>>) -> Vec<f64> {
    vectors.into_iter().flat_map(|vector| vector.iter().copied()).collect()
}

fn vectors(numbers: &[f64]) -> Vec<Vector<3>> {
    numbers.chunks_exact(3).map(Vector::from_column_slice).collect()
}

fn put_saved(checkpoint: &mut Checkpoint, saved: &SavedState, history_sections: [&str; 2]) {
    let bodies = &saved.bodies;
    let numbers = |of: fn(&Body) -> f64| bodies.iter().map(of).collect::<Vec<f64>>();
    checkpoint.put_u32("order", saved.order.clone());
    checkpoint.put_f64("positions", flat(bodies.iter().map(|body| &body.position)));
    checkpoint.put_f64("velocities", flat(bodies.iter().map(|body| &body.velocity)));
    checkpoint
        .put_f64("angular_velocities", flat(bodies.iter().map(|body| &body.angular_velocity)));
    checkpoint.put_f64("radii", numbers(|body| body.radius));
    checkpoint.put_f64("masses", numbers(|body| body.mass));
    let materials: Vec<u32> = bodies.iter().map(|body| body.material).collect();
    checkpoint.put_u32("materials", materials);
    if !saved.rotation_states.is_empty() {
        let shapes: Vec<u32> = bodies.iter().map(|body| body.shape.unwrap_or(SPHERE)).collect();
        checkpoint.put_u32("shapes", shapes);
        let turn = |turn: &SavedRotation| {
            turn.orientation
                .into_iter()
                .chain(turn.angular_momentum.into_iter().copied())
                .collect::<Vec<f64>>()
        };
        let orientation = |body: &Body| {
            let [x, y, z, w] = body.orientation.coords.into();
            [w, x, y, z]
        };
        // Orientations of shapes, not of principal axes: for scenes that take bodies from here.
        checkpoint
            .put_f64("orientations", bodies.iter().flat_map(orientation).collect::<Vec<f64>>());
        checkpoint.put_f64(
            "rotation_states",
            saved.rotation_states.iter().flat_map(turn).collect::<Vec<f64>>(),
        );
        checkpoint.put_u32("warm_starts", saved.warm_starts.concat());
    }
    checkpoint.put_f64("positions_at_search", flat(&saved.positions_at_search));
    checkpoint.put_f64("forces_torques", flat(saved.forces_torques.iter().flatten()));
    if !saved.external_loads.is_empty() {
        checkpoint.put_f64("external_loads", flat(saved.external_loads.iter().flatten()));
    }
    if !saved.fixed_bodies.is_empty() {
        checkpoint.put_u32("fixed_bodies", saved.fixed_bodies.clone());
    }
    if !saved.passages.is_empty() {
        let passages = saved.passages.iter().flatten().map(|count| count.cast_unsigned());
        checkpoint.put_u32("passages", passages.collect::<Vec<u32>>());
    }
    put_ids(checkpoint, &saved.ids, saved.next_id, bodies.len());
    if saved.external_power != 0.0 {
        checkpoint.put_f64("external_power", [saved.external_power]);
    }
    checkpoint.put_u32("contact_keys", saved.contact_keys.concat());
    checkpoint.put_f64(history_sections[0], saved.histories.clone());
    checkpoint.put_u32("wall_contact_keys", saved.wall_contact_keys.concat());
    checkpoint.put_f64(history_sections[1], saved.wall_histories.clone());
    let SavedState {
        time_step: step,
        skin,
        displacement_bound: moved,
        losses: ContactLosses { damping_loss, friction_loss },
        external_work,
        virial_integral: virial,
        ..
    } = *saved;
    checkpoint
        .put_f64("engine", [step, skin, moved, damping_loss, friction_loss, external_work, virial]);
    checkpoint.put_u64("engine_counts", [saved.steps, saved.searches, saved.last_search_step]);
    let StepTotals {
        contacts,
        wall_contacts,
        losses: ContactLosses { damping_loss, friction_loss },
        external_work,
        virial,
        max_relative_overlap: deepest,
    } = saved.step_totals;
    checkpoint
        .put_f64("step_totals", [damping_loss, friction_loss, external_work, virial, deepest]);
    checkpoint.put_u64("step_total_counts", [contacts, wall_contacts]);
}

fn take_saved<H: LawHistory>(
    checkpoint: &mut Checkpoint,
    history_sections: [&str; 2],
) -> Result<SavedState, Error> {
    let count = checkpoint.count("order").unwrap_or(0);
    let touching = checkpoint.count("contact_keys").unwrap_or(0) / 3;
    let walls = checkpoint.count("wall_contact_keys").unwrap_or(0) / 3;
    let order = checkpoint.take_u32("order", count)?;
    let positions = vectors(&checkpoint.take_f64("positions", 3 * count)?);
    let velocities = vectors(&checkpoint.take_f64("velocities", 3 * count)?);
    let angular_velocities = vectors(&checkpoint.take_f64("angular_velocities", 3 * count)?);
    let radii = checkpoint.take_f64("radii", count)?;
    let masses = checkpoint.take_f64("masses", count)?;
    let materials = checkpoint.take_u32("materials", count)?;
    let (shapes, turns, tracked) = take_shape_rotations(checkpoint, count)?;
    let bodies = (0..count).map(|index| Body {
        shape: shapes.get(index).copied().filter(|&shape| shape != SPHERE),
        orientation: UnitQuaternion::identity(),
        position: positions[index],
        velocity: velocities[index],
        angular_velocity: angular_velocities[index],
        radius: radii[index],
        mass: masses[index],
        material: materials[index],
    });
    let loads = vectors(&checkpoint.take_f64("forces_torques", 6 * count)?);
    let external = match checkpoint.count("external_loads") {
        Some(_) => vectors(&checkpoint.take_f64("external_loads", 6 * count)?),
        None => Vec::new(),
    };
    let fixed_bodies = match checkpoint.count("fixed_bodies") {
        Some(fixed) => checkpoint.take_u32("fixed_bodies", fixed)?,
        None => Vec::new(),
    };
    let passages = match checkpoint.count("passages") {
        Some(_) => checkpoint.take_u32("passages", 3 * count)?,
        None => Vec::new(),
    };
    let passages = passages.chunks_exact(3);
    let passages = passages.map(|of| std::array::from_fn(|axis| of[axis].cast_signed())).collect();
    let (ids, next_id) = take_ids(checkpoint, count)?;
    let external_power = match checkpoint.count("external_power") {
        Some(_) => checkpoint.take_f64("external_power", 1)?[0],
        None => 0.0,
    };
    let pairs = checkpoint.take_u32("contact_keys", 3 * touching)?;
    let keys = checkpoint.take_u32("wall_contact_keys", 3 * walls)?;
    let engine = checkpoint.take_f64("engine", 7)?;
    let counts = checkpoint.take_u64("engine_counts", 3)?;
    let totals = checkpoint.take_f64("step_totals", 5)?;
    let total_counts = checkpoint.take_u64("step_total_counts", 2)?;
    Ok(SavedState {
        ids,
        next_id,
        time_step: engine[0],
        skin: engine[1],
        steps: counts[0],
        searches: counts[1],
        last_search_step: counts[2],
        order,
        bodies: bodies.collect(),
        positions_at_search: vectors(&checkpoint.take_f64("positions_at_search", 3 * count)?),
        forces_torques: loads.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        external_loads: external.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        fixed_bodies,
        passages,
        rotation_states: turns,
        warm_starts: tracked,
        contact_keys: pairs.chunks_exact(3).map(|pair| [pair[0], pair[1], pair[2]]).collect(),
        histories: checkpoint.take_f64(history_sections[0], H::NUMBERS * touching)?,
        wall_contact_keys: keys.chunks_exact(3).map(|key| [key[0], key[1], key[2]]).collect(),
        wall_histories: checkpoint.take_f64(history_sections[1], H::NUMBERS * walls)?,
        displacement_bound: engine[2],
        losses: ContactLosses { damping_loss: engine[3], friction_loss: engine[4] },
        external_work: engine[5],
        external_power,
        virial_integral: engine[6],
        step_totals: StepTotals {
            contacts: total_counts[0],
            wall_contacts: total_counts[1],
            losses: ContactLosses { damping_loss: totals[0], friction_loss: totals[1] },
            external_work: totals[2],
            virial: totals[3],
            max_relative_overlap: totals[4],
        },
    })
}

/// Shapes of all bodies, their rotational states, and the warm starts of pairs; empty if all are spheres.
type SavedShapeRotations = (Vec<u32>, Vec<SavedRotation>, Vec<[u32; 8]>);

fn take_shape_rotations(
    checkpoint: &mut Checkpoint,
    count: usize,
) -> Result<SavedShapeRotations, Error> {
    if checkpoint.count("shapes").is_none() {
        return Ok(SavedShapeRotations::default());
    }
    let shapes = checkpoint.take_u32("shapes", count)?;
    let turns = checkpoint.take_f64("rotation_states", 7 * count)?;
    let turn = |numbers: &[f64]| SavedRotation {
        orientation: [numbers[0], numbers[1], numbers[2], numbers[3]],
        angular_momentum: Vector::from_column_slice(&numbers[4..7]),
    };
    let pairs = checkpoint.count("warm_starts").unwrap_or(0) / 8;
    let tracked = checkpoint.take_u32("warm_starts", 8 * pairs)?;
    let words = tracked.chunks_exact(8).map(|words| std::array::from_fn(|k| words[k]));
    Ok((shapes, turns.chunks_exact(7).map(turn).collect(), words.collect()))
}
