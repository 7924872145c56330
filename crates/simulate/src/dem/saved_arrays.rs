//! The saved state of a simulation as named arrays of numbers.
//!
//! Bodies are in the order of memory: `order`, `positions`, `velocities`, `angular_velocities`, `radii`, `masses`,
//! `materials`, `positions_at_search`, `forces_torques`; with shapes also `shapes`, `rotation_states` and, for scenes
//! that continue with the bodies, `orientations`; contacts: `contact_keys`, `wall_contact_keys`, what the law keeps of
//! them under the names of [`HistoryNames`], and `warm_starts`; and `engine`, `engine_counts`, `step_totals`,
//! `step_total_counts`. Where there are any: `body_ids` after removals, `external_loads` and `external_power` with forces
//! from outside, `fixed_bodies`, and `passages` in a periodic box.

use super::body::Body;
use super::contact_law::{CompositeLaw, ContactLaw, LawHistory};
use super::contact_losses::ContactLosses;
use super::forces::StepTotals;
use super::saved::{SavedRotation, SavedState};
use crate::body_ids::BodyIds;
use crate::{Error, SavedArrays};
use carom_geometry::Vector;
use nalgebra::UnitQuaternion;
use std::any::TypeId;

/// Shape number of a sphere.
const SPHERE: u32 = u32::MAX;

/// Names of the arrays that have what a contact law keeps of contacts: those of the built-in law and of others differ, so
/// that neither continues from the arrays of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryNames {
    /// Array of the contacts of bodies.
    pub of_bodies: &'static str,
    /// Array of the contacts with walls.
    pub of_walls: &'static str,
}

impl HistoryNames {
    /// Names for the built-in law.
    pub const BUILT_IN_LAW: Self = HistoryNames {
        of_bodies: "tangential_displacements",
        of_walls: "wall_tangential_displacements",
    };

    /// Names for laws of a program's own.
    pub const OWN_LAW: Self =
        HistoryNames { of_bodies: "contact_histories", of_walls: "wall_contact_histories" };

    /// Returns the names for a type of law.
    pub fn of<L: ContactLaw>() -> Self {
        match TypeId::of::<L>() == TypeId::of::<CompositeLaw>() {
            true => HistoryNames::BUILT_IN_LAW,
            false => HistoryNames::OWN_LAW,
        }
    }
}

impl SavedState {
    /// Stores the state as arrays.
    pub fn put_into(&self, arrays: &mut SavedArrays, names: HistoryNames) {
        let bodies = &self.bodies;
        let numbers = |of: fn(&Body) -> f64| bodies.iter().map(of).collect::<Vec<f64>>();
        arrays.put_u32("order", self.order.clone());
        arrays.put_vectors("positions", bodies.iter().map(|body| &body.position));
        arrays.put_vectors("velocities", bodies.iter().map(|body| &body.velocity));
        arrays.put_vectors("angular_velocities", bodies.iter().map(|body| &body.angular_velocity));
        arrays.put_f64("radii", numbers(|body| body.radius));
        arrays.put_f64("masses", numbers(|body| body.mass));
        arrays.put_u32("materials", bodies.iter().map(|body| body.material).collect::<Vec<u32>>());
        if !self.rotation_states.is_empty() {
            self.put_rotations(arrays);
        }
        arrays.put_vectors("positions_at_search", &self.positions_at_search);
        arrays.put_vectors("forces_torques", self.forces_torques.iter().flatten());
        if !self.external_loads.is_empty() {
            arrays.put_vectors("external_loads", self.external_loads.iter().flatten());
        }
        if !self.fixed_bodies.is_empty() {
            arrays.put_u32("fixed_bodies", self.fixed_bodies.clone());
        }
        if !self.passages.is_empty() {
            let passages = self.passages.iter().flatten().map(|count| count.cast_unsigned());
            arrays.put_u32("passages", passages.collect::<Vec<u32>>());
        }
        BodyIds::put_saved(arrays, &self.ids, self.next_id, bodies.len());
        if self.external_power != 0.0 {
            arrays.put_f64("external_power", [self.external_power]);
        }
        arrays.put_u32("contact_keys", self.contact_keys.concat());
        arrays.put_f64(names.of_bodies, self.histories.clone());
        arrays.put_u32("wall_contact_keys", self.wall_contact_keys.concat());
        arrays.put_f64(names.of_walls, self.wall_histories.clone());
        self.put_totals(arrays);
    }

    fn put_rotations(&self, arrays: &mut SavedArrays) {
        let shapes = self.bodies.iter().map(|body| body.shape.unwrap_or(SPHERE));
        arrays.put_u32("shapes", shapes.collect::<Vec<u32>>());
        let orientation = |body: &Body| {
            let [x, y, z, w] = body.orientation.coords.into();
            [w, x, y, z]
        };
        // Orientations of shapes, not of principal axes: for scenes that take bodies from here.
        arrays.put_f64(
            "orientations",
            self.bodies.iter().flat_map(orientation).collect::<Vec<f64>>(),
        );
        let rotation = |saved: &SavedRotation| {
            let momentum = saved.angular_momentum.into_iter().copied();
            saved.orientation.into_iter().chain(momentum).collect::<Vec<f64>>()
        };
        let rotations = self.rotation_states.iter().flat_map(rotation);
        arrays.put_f64("rotation_states", rotations.collect::<Vec<f64>>());
        arrays.put_u32("warm_starts", self.warm_starts.concat());
    }

    fn put_totals(&self, arrays: &mut SavedArrays) {
        let ContactLosses { damping_loss, friction_loss } = self.losses;
        let [step, skin, moved] = [self.time_step, self.skin, self.displacement_bound];
        let sums = [damping_loss, friction_loss, self.external_work, self.virial_integral];
        arrays.put_f64("engine", [&[step, skin, moved][..], &sums].concat());
        arrays.put_u64("engine_counts", [self.steps, self.searches, self.last_search_step]);
        let StepTotals {
            contacts,
            wall_contacts,
            losses: ContactLosses { damping_loss, friction_loss },
            external_work,
            virial,
            max_relative_overlap: deepest,
        } = self.step_totals;
        let totals = [damping_loss, friction_loss, external_work, virial, deepest];
        arrays.put_f64("step_totals", totals);
        arrays.put_u64("step_total_counts", [contacts, wall_contacts]);
    }

    /// Takes the state of a simulation out of arrays, whose contact law has this history.
    ///
    /// Errors if an array is missing, of another type or length, or has NaN.
    pub fn take_from<H: LawHistory>(
        arrays: &mut SavedArrays,
        names: HistoryNames,
    ) -> Result<Self, Error> {
        let order = arrays.take_rows::<1>("order")?.concat();
        let count = order.len();
        let engine = arrays.take_numbers("engine", 7)?;
        let counts = arrays.take_u64("engine_counts", 3)?;
        if engine[..2].iter().any(|it| !(*it > 0.0 && it.is_finite())) {
            let reason = "its time step or skin is not a positive number";
            return Err(Error::Saved(reason.to_owned()));
        }
        let (ids, next_id) = BodyIds::take_saved(arrays, count)?;
        let contact_keys = arrays.take_rows("contact_keys")?;
        let wall_contact_keys = arrays.take_rows("wall_contact_keys")?;
        let (of_bodies, of_walls) =
            (H::NUMBERS * contact_keys.len(), H::NUMBERS * wall_contact_keys.len());
        let passages = arrays.take_rows_if_any::<3>("passages")?;
        let (bodies, rotation_states) = take_bodies(arrays, count)?;
        let warm_starts = match rotation_states.is_empty() {
            true => Vec::new(),
            false => arrays.take_rows("warm_starts")?,
        };
        Ok(SavedState {
            ids,
            next_id,
            time_step: engine[0],
            skin: engine[1],
            steps: counts[0],
            searches: counts[1],
            last_search_step: counts[2],
            order,
            bodies,
            positions_at_search: arrays.take_vectors("positions_at_search", count)?,
            forces_torques: pairs(&arrays.take_vectors("forces_torques", 2 * count)?),
            external_loads: match arrays.get("external_loads") {
                Some(_) => pairs(&arrays.take_vectors("external_loads", 2 * count)?),
                None => Vec::new(),
            },
            fixed_bodies: arrays.take_rows_if_any::<1>("fixed_bodies")?.concat(),
            passages: passages.into_iter().map(|of| of.map(u32::cast_signed)).collect(),
            rotation_states,
            warm_starts,
            contact_keys,
            histories: arrays.take_numbers(names.of_bodies, of_bodies)?,
            wall_contact_keys,
            wall_histories: arrays.take_numbers(names.of_walls, of_walls)?,
            displacement_bound: engine[2],
            losses: ContactLosses { damping_loss: engine[3], friction_loss: engine[4] },
            external_work: engine[5],
            external_power: arrays.take_number_or_zero("external_power")?,
            virial_integral: engine[6],
            step_totals: take_step_totals(arrays)?,
        })
    }
}

/// Vectors in pairs: forces and torques.
fn pairs(vectors: &[Vector<3>]) -> Vec<[Vector<3>; 2]> {
    vectors.as_chunks::<2>().0.to_vec()
}

fn take_step_totals(arrays: &mut SavedArrays) -> Result<StepTotals, Error> {
    let totals = arrays.take_numbers("step_totals", 5)?;
    let counts = arrays.take_u64("step_total_counts", 2)?;
    Ok(StepTotals {
        contacts: counts[0],
        wall_contacts: counts[1],
        losses: ContactLosses { damping_loss: totals[0], friction_loss: totals[1] },
        external_work: totals[2],
        virial: totals[3],
        max_relative_overlap: totals[4],
    })
}

/// Takes the bodies, and the rotation states of all of them; none if all are spheres.
fn take_bodies(
    arrays: &mut SavedArrays,
    count: usize,
) -> Result<(Vec<Body>, Vec<SavedRotation>), Error> {
    let positions = arrays.take_vectors("positions", count)?;
    let velocities = arrays.take_vectors("velocities", count)?;
    let angular_velocities = arrays.take_vectors("angular_velocities", count)?;
    let radii = arrays.take_numbers("radii", count)?;
    let masses = arrays.take_numbers("masses", count)?;
    let materials = arrays.take_u32("materials", count)?;
    if arrays.get("shapes").is_some() {
        // They follow from the rotation states, but a state without them is incomplete.
        arrays.take_numbers("orientations", 4 * count)?;
    }
    let (shapes, rotations) = match arrays.get("shapes") {
        Some(_) => {
            (arrays.take_u32("shapes", count)?, arrays.take_numbers("rotation_states", 7 * count)?)
        }
        None => (Vec::new(), Vec::new()),
    };
    let body = |index: usize| Body {
        shape: shapes.get(index).copied().filter(|&shape| shape != SPHERE),
        orientation: UnitQuaternion::identity(),
        position: positions[index],
        velocity: velocities[index],
        angular_velocity: angular_velocities[index],
        radius: radii[index],
        mass: masses[index],
        material: materials[index],
    };
    let rotation = |numbers: &[f64; 7]| SavedRotation {
        orientation: [numbers[0], numbers[1], numbers[2], numbers[3]],
        angular_momentum: Vector::from_column_slice(&numbers[4..]),
    };
    let rotations = rotations.as_chunks::<7>().0.iter().map(rotation).collect();
    Ok(((0..count).map(body).collect(), rotations))
}
