//! Checkpoint of a bonded run as named arrays of numbers.
//!
//! Sections, for each solid by its number: `positions_0`, `velocities_0`, `springs_0`, `plastic_strains_0`,
//! `reached_0`, `solid_0`, `solid_counts_0`; candidate contacts: `near_nodes`, `near_reach_fractions`, `near_faces`,
//! `near_pairs`, `near_walls`, `near_displacements`; `engine`, `engine_counts`; and, where forces act from outside or
//! have acted, `external_particles`, `external_forces`, `external_work`.

use super::engine_run::BondedRun;
use super::setup;
use crate::run::Error;
use crate::run::engine_run::StageStart;
use crate::run::resumable::{unfit, unfit_state};
use carom_geometry::Vector;
use carom_io::Checkpoint;
use carom_scene::Scene;
use carom_scene::scene::RunSource;
use carom_simulate::bonded::{
    DissipatedEnergy, SavedBody, SavedContacts, SavedState, Simulation, SurfaceContactTotals,
};

impl<const D: usize> BondedRun<D> {
    pub(super) fn put_into(&self, checkpoint: &mut Checkpoint) {
        let SavedState {
            bodies,
            time_step,
            last_time_step,
            shortest_time_step,
            time,
            steps,
            friction_loss,
            constraint_loss,
            external_forces,
            external_work,
            contact_totals: touched,
            contacts: near,
        } = self.simulation.saved_state();
        for (number, body) in bodies.into_iter().enumerate() {
            put_body(checkpoint, number, body);
        }
        let SurfaceContactTotals {
            contacts,
            contact_energy: stored,
            force_sum: push,
            constraint_loss: held,
            longest_time_step: longest_step,
        } = touched;
        let times = [time_step, last_time_step, time, shortest_time_step];
        let totals = [friction_loss, constraint_loss, stored, push, held, longest_step];
        checkpoint.put_f64("engine", [&times[..], &totals].concat());
        checkpoint.put_u64("engine_counts", [steps, contacts, u64::from(near.is_searched)]);
        if !external_forces.is_empty() {
            let particles: Vec<u32> =
                external_forces.iter().flat_map(|(particle, _)| *particle).collect();
            let forces: Vec<f64> =
                external_forces.iter().flat_map(|(_, force)| force.iter().copied()).collect();
            checkpoint.put_u32("external_particles", particles);
            checkpoint.put_f64("external_forces", forces);
        }
        if external_work != 0.0 {
            checkpoint.put_f64("external_work", [external_work]);
        }
        checkpoint.put_u32("near_nodes", near.nodes.concat());
        checkpoint.put_f64("near_reach_fractions", near.reach_fractions);
        checkpoint.put_u32("near_faces", near.faces.concat());
        checkpoint.put_u32("near_pairs", near.pairs.concat());
        checkpoint.put_u32("near_walls", near.wall_pairs.concat());
        checkpoint.put_f64("near_displacements", near.displacements);
    }

    pub(in crate::run) fn resume(
        scene: &Scene<D>,
        starts: &[StageStart],
        checkpoint: &mut Checkpoint,
    ) -> Result<Self, Error> {
        let mut simulation = setup::simulation(scene)?;
        let saved = take_saved(checkpoint, &simulation)?;
        simulation.restore_state(saved).map_err(|error| unfit_state(checkpoint, error))?;
        let limits = StageStart::limits_of_last(starts, scene);
        Ok(BondedRun::of(scene, simulation, limits))
    }
}

/// Begins a run with the state at the end of another one.
pub(super) fn continue_from<const D: usize>(
    simulation: &mut Simulation<D>,
    source: &RunSource,
) -> Result<(), Error> {
    let Some(checkpoint) = &source.checkpoint else { return Ok(()) };
    let mut checkpoint = Checkpoint::clone(checkpoint);
    let saved = take_saved(&mut checkpoint, simulation)?;
    let walls = source.region::<D>().map_or_else(Vec::new, |region| setup::walls(&region));
    simulation.continue_from(saved, &walls).map_err(|error| unfit_state(&checkpoint, error))
}

/// Reads the state of a simulation of these solids.
fn take_saved<const D: usize>(
    checkpoint: &mut Checkpoint,
    simulation: &Simulation<D>,
) -> Result<SavedState<D>, Error> {
    let mut bodies = Vec::new();
    for (number, body) in simulation.bodies().iter().enumerate() {
        let plastic_strains = checkpoint.count(&format!("plastic_strains_{number}")).unwrap_or(0);
        let sets = plastic_strains / body.grid().slot_count().max(1);
        let counts = [body.grid().slot_count(), body.grid().rows().len(), sets];
        bodies.push(take_body(checkpoint, number, counts)?);
    }
    let engine = checkpoint.take_f64("engine", 10)?;
    let counts = checkpoint.take_u64("engine_counts", 3)?;
    let external_forces = take_external_forces(checkpoint)?;
    let external_work = match checkpoint.count("external_work") {
        Some(_) => checkpoint.take_f64("external_work", 1)?[0],
        None => 0.0,
    };
    let contacts = take_contacts(checkpoint, counts[2] != 0)?;
    let saved = SavedState {
        bodies,
        time_step: engine[0],
        last_time_step: engine[1],
        time: engine[2],
        shortest_time_step: engine[3],
        steps: counts[0],
        friction_loss: engine[4],
        constraint_loss: engine[5],
        external_forces,
        external_work,
        contact_totals: SurfaceContactTotals {
            contacts: counts[1],
            contact_energy: engine[6],
            force_sum: engine[7],
            constraint_loss: engine[8],
            longest_time_step: engine[9],
        },
        contacts,
    };
    if !(saved.time_step > 0.0 && saved.time_step.is_finite()) {
        return Err(unfit(checkpoint, "its time step is not a positive number".to_owned()));
    }
    Ok(saved)
}

/// Reads the forces from outside, of which a checkpoint may have none.
fn take_external_forces<const D: usize>(
    checkpoint: &mut Checkpoint,
) -> Result<Vec<([u32; 2], Vector<D>)>, Error> {
    let Some(count) = checkpoint.count("external_particles").map(|numbers| numbers / 2) else {
        return Ok(Vec::new());
    };
    let particles = checkpoint.take_u32("external_particles", 2 * count)?;
    let forces = checkpoint.take_f64("external_forces", D * count)?;
    let particles = particles.chunks_exact(2).map(|particle| [particle[0], particle[1]]);
    Ok(particles.zip(forces.chunks_exact(D).map(Vector::from_column_slice)).collect())
}

fn put_body<const D: usize>(checkpoint: &mut Checkpoint, number: usize, body: SavedBody<D>) {
    let name = |what: &str| format!("{what}_{number}");
    checkpoint.put_f64(&name("positions"), body.positions.concat());
    checkpoint.put_f64(&name("velocities"), body.velocities.concat());
    checkpoint.put_u32(&name("springs"), body.spring_bits);
    checkpoint.put_f64(&name("plastic_strains"), body.plastic_strains.concat());
    // Coordinates along a row may be negative; the cast to u32 and back keeps their bits.
    let ends = body.reached.iter().flat_map(|reached| [reached.start as u32, reached.end as u32]);
    checkpoint.put_u32(&name("reached"), ends.collect::<Vec<u32>>());
    let DissipatedEnergy { fracture_loss, plastic_loss, damping_loss, constraint_loss } =
        body.dissipated;
    let losses = [fracture_loss, plastic_loss, damping_loss, constraint_loss];
    let drift = body.unreached_displacement.iter().chain(&body.unreached_velocity).copied();
    let numbers: Vec<f64> = losses.into_iter().chain([body.max_speed]).chain(drift).collect();
    checkpoint.put_f64(&name("solid"), numbers);
    let counts = [body.broken_ends, u64::from(body.is_everywhere)];
    checkpoint.put_u64(&name("solid_counts"), counts);
}

/// Reads a body with `room` slots, `rows` rows, and `sets` links whose springs have plastic strains.
fn take_body<const D: usize>(
    checkpoint: &mut Checkpoint,
    number: usize,
    [room, rows, sets]: [usize; 3],
) -> Result<SavedBody<D>, Error> {
    let name = |what: &str| format!("{what}_{number}");
    let positions = checkpoint.take_f64(&name("positions"), D * room)?;
    let velocities = checkpoint.take_f64(&name("velocities"), D * room)?;
    let split = |numbers: &[f64], axis: usize| numbers[axis * room..(axis + 1) * room].to_vec();
    let springs = checkpoint.take_u32(&name("springs"), room)?;
    let all_sets = checkpoint.take_f64(&name("plastic_strains"), sets * room)?;
    let reached = checkpoint.take_u32(&name("reached"), 2 * rows)?;
    let numbers = checkpoint.take_f64(&name("solid"), 5 + 2 * D)?;
    let counts = checkpoint.take_u64(&name("solid_counts"), 2)?;
    let drift = |first: usize| Vector::from_column_slice(&numbers[first..first + D]);
    Ok(SavedBody {
        positions: std::array::from_fn(|axis| split(&positions, axis)),
        velocities: std::array::from_fn(|axis| split(&velocities, axis)),
        spring_bits: springs,
        plastic_strains: (0..sets).map(|link| split(&all_sets, link)).collect(),
        reached: reached.chunks_exact(2).map(|ends| ends[0] as i32..ends[1] as i32).collect(),
        is_everywhere: counts[1] != 0,
        unreached_displacement: drift(5),
        unreached_velocity: drift(5 + D),
        dissipated: DissipatedEnergy {
            fracture_loss: numbers[0],
            plastic_loss: numbers[1],
            damping_loss: numbers[2],
            constraint_loss: numbers[3],
        },
        broken_ends: counts[0],
        max_speed: numbers[4],
    })
}

fn take_contacts(checkpoint: &mut Checkpoint, is_found: bool) -> Result<SavedContacts, Error> {
    let nodes: Vec<[u32; 2]> = take_rows(checkpoint, "near_nodes")?;
    let parts = checkpoint.take_f64("near_reach_fractions", nodes.len())?;
    let moved = checkpoint.take_f64("near_displacements", 3)?;
    Ok(SavedContacts {
        nodes,
        reach_fractions: parts,
        faces: take_rows(checkpoint, "near_faces")?,
        pairs: take_rows(checkpoint, "near_pairs")?,
        wall_pairs: take_rows(checkpoint, "near_walls")?,
        displacements: [moved[0], moved[1], moved[2]],
        is_searched: is_found,
    })
}

/// All numbers of a section, in rows of `N`.
fn take_rows<const N: usize>(
    checkpoint: &mut Checkpoint,
    name: &str,
) -> Result<Vec<[u32; N]>, Error> {
    let rows = checkpoint.count(name).unwrap_or(0) / N;
    let numbers = checkpoint.take_u32(name, N * rows)?;
    Ok(numbers.as_chunks::<N>().0.to_vec())
}
