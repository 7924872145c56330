//! The saved state of a simulation as named arrays of numbers.
//!
//! For each solid by its number: `positions_0`, `velocities_0`, `springs_0`, `plastic_strains_0`, `reached_0`, `solid_0`,
//! `solid_counts_0`; candidate contacts: `near_nodes`, `near_reach_fractions`, `near_faces`, `near_pairs`, `near_walls`,
//! `near_displacements`; `engine`, `engine_counts`; and, where forces act from outside or have acted,
//! `external_particles`, `external_forces`, `external_work`.

use super::body::{Body, DissipatedEnergy};
use super::saved::{SavedBody, SavedState};
use super::saved_contacts::SavedContacts;
use super::surface_contact::SurfaceContactTotals;
use crate::{Error, SavedArrays};
use carom_geometry::Vector;

impl<const D: usize> SavedState<D> {
    /// Stores the state as arrays.
    pub fn put_into(self, arrays: &mut SavedArrays) {
        for (number, body) in self.bodies.into_iter().enumerate() {
            body.put_into(arrays, number);
        }
        let SurfaceContactTotals {
            contacts,
            contact_energy,
            force_sum,
            constraint_loss,
            longest_time_step,
        } = self.contact_totals;
        let times = [self.time_step, self.last_time_step, self.time, self.shortest_time_step];
        let losses = [self.friction_loss, self.constraint_loss];
        let totals = [contact_energy, force_sum, constraint_loss, longest_time_step];
        arrays.put_f64("engine", [&times[..], &losses, &totals].concat());
        let near = self.contacts;
        arrays.put_u64("engine_counts", [self.steps, contacts, u64::from(near.is_searched)]);
        if !self.external_forces.is_empty() {
            let forces = &self.external_forces;
            let particles: Vec<u32> = forces.iter().flat_map(|(particle, _)| *particle).collect();
            arrays.put_u32("external_particles", particles);
            arrays.put_vectors("external_forces", forces.iter().map(|(_, force)| force));
        }
        if self.external_work != 0.0 {
            arrays.put_f64("external_work", [self.external_work]);
        }
        arrays.put_u32("near_nodes", near.nodes.concat());
        arrays.put_f64("near_reach_fractions", near.reach_fractions);
        arrays.put_u32("near_faces", near.faces.concat());
        arrays.put_u32("near_pairs", near.pairs.concat());
        arrays.put_u32("near_walls", near.wall_pairs.concat());
        arrays.put_f64("near_displacements", near.displacements);
    }

    /// Takes the state of a simulation of these solids out of arrays.
    ///
    /// Errors if an array is missing, of another type or length, or has NaN.
    pub fn take_from(arrays: &mut SavedArrays, bodies: &[Body<D>]) -> Result<Self, Error> {
        let of_body = |(number, body)| SavedBody::take_from(arrays, number, body);
        let bodies = bodies.iter().enumerate().map(of_body).collect::<Result<Vec<_>, Error>>()?;
        let engine = arrays.take_numbers("engine", 10)?;
        let counts = arrays.take_u64("engine_counts", 3)?;
        if !(engine[0] > 0.0 && engine[0].is_finite()) {
            return Err(Error::Saved("its time step is not a positive number".to_owned()));
        }
        let particles = arrays.take_rows_if_any::<2>("external_particles")?;
        let forces = match particles.is_empty() {
            true => Vec::new(),
            false => arrays.take_vectors("external_forces", particles.len())?,
        };
        Ok(SavedState {
            bodies,
            time_step: engine[0],
            last_time_step: engine[1],
            time: engine[2],
            shortest_time_step: engine[3],
            steps: counts[0],
            friction_loss: engine[4],
            constraint_loss: engine[5],
            external_forces: particles.into_iter().zip(forces).collect(),
            external_work: arrays.take_number_or_zero("external_work")?,
            contact_totals: SurfaceContactTotals {
                contacts: counts[1],
                contact_energy: engine[6],
                force_sum: engine[7],
                constraint_loss: engine[8],
                longest_time_step: engine[9],
            },
            contacts: take_contacts(arrays, counts[2] != 0)?,
        })
    }
}

impl<const D: usize> SavedBody<D> {
    fn put_into(self, arrays: &mut SavedArrays, number: usize) {
        let name = |what: &str| format!("{what}_{number}");
        arrays.put_f64(&name("positions"), self.positions.concat());
        arrays.put_f64(&name("velocities"), self.velocities.concat());
        arrays.put_u32(&name("springs"), self.spring_bits);
        arrays.put_f64(&name("plastic_strains"), self.plastic_strains.concat());
        // Coordinates along a row may be negative; the cast to u32 and back keeps their bits.
        let ends = self.reached.iter().flat_map(|of| [of.start as u32, of.end as u32]);
        arrays.put_u32(&name("reached"), ends.collect::<Vec<u32>>());
        let DissipatedEnergy { fracture_loss, plastic_loss, damping_loss, constraint_loss } =
            self.dissipated;
        let losses = [fracture_loss, plastic_loss, damping_loss, constraint_loss];
        let drift = self.unreached_displacement.iter().chain(&self.unreached_velocity).copied();
        let numbers: Vec<f64> = losses.into_iter().chain([self.max_speed]).chain(drift).collect();
        arrays.put_f64(&name("solid"), numbers);
        let counts = [self.broken_ends, u64::from(self.is_everywhere)];
        arrays.put_u64(&name("solid_counts"), counts);
    }

    fn take_from(arrays: &mut SavedArrays, number: usize, body: &Body<D>) -> Result<Self, Error> {
        let name = |what: &str| format!("{what}_{number}");
        let (slots, rows) = (body.grid().slot_count(), body.grid().rows().len());
        let positions = arrays.take_numbers(&name("positions"), D * slots)?;
        let velocities = arrays.take_numbers(&name("velocities"), D * slots)?;
        let split = |numbers: &[f64], axis: usize| numbers[axis * slots..][..slots].to_vec();
        let springs = arrays.take_u32(&name("springs"), slots)?;
        let links = arrays.count(&name("plastic_strains")).unwrap_or(0) / slots.max(1);
        let strains = arrays.take_numbers(&name("plastic_strains"), links * slots)?;
        let reached = arrays.take_u32(&name("reached"), 2 * rows)?;
        let numbers = arrays.take_numbers(&name("solid"), 5 + 2 * D)?;
        let counts = arrays.take_u64(&name("solid_counts"), 2)?;
        let drift = |first: usize| Vector::from_column_slice(&numbers[first..first + D]);
        Ok(SavedBody {
            positions: std::array::from_fn(|axis| split(&positions, axis)),
            velocities: std::array::from_fn(|axis| split(&velocities, axis)),
            spring_bits: springs,
            plastic_strains: (0..links).map(|link| split(&strains, link)).collect(),
            reached: reached.chunks_exact(2).map(|of| of[0] as i32..of[1] as i32).collect(),
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
}

fn take_contacts(arrays: &mut SavedArrays, is_searched: bool) -> Result<SavedContacts, Error> {
    let nodes = arrays.take_rows("near_nodes")?;
    let reach_fractions = arrays.take_numbers("near_reach_fractions", nodes.len())?;
    let displacements = arrays.take_numbers("near_displacements", 3)?;
    Ok(SavedContacts {
        nodes,
        reach_fractions,
        faces: arrays.take_rows("near_faces")?,
        pairs: arrays.take_rows("near_pairs")?,
        wall_pairs: arrays.take_rows("near_walls")?,
        displacements: [displacements[0], displacements[1], displacements[2]],
        is_searched,
    })
}
