//! The saved state of an event-driven run as named arrays of numbers.
//!
//! No neighbor structure, no event calendar, no counts of work (these restart when a run is resumed): hence the arrays at
//! the end of a run that was cut are those of the uncut run, to the bit.
//!
//! `positions`, `velocities`, `clocks`, `radii` (all per body), `masses`, `materials`, `last_contacts`, `passages`,
//! `accelerations`, `accelerated_until` (per body where they are needed, otherwise empty), `engine`, `engine_counts`,
//! `physics`, `physics_counts`; after removals `body_ids`, and with collisions with walls `face_impulses` and
//! `face_collisions`.

use super::body::Body;
use super::counters::Counters;
use super::hard_spheres::{FieldAcceleration, RadiusScale};
use super::properties::CollisionProperties;
use super::saved::{PressureBlock, SavedState};
use crate::body_ids::BodyIds;
use crate::{Error, SavedArrays, WallLoad};
use carom_geometry::Vector;

impl<const D: usize> SavedState<D> {
    /// Stores the state as arrays.
    pub fn put_into(&self, arrays: &mut SavedArrays) {
        let records = &self.records;
        let numbers = |of: fn(&Body<D>) -> f64| records.iter().map(of).collect::<Vec<f64>>();
        arrays.put_vectors("positions", records.iter().map(|record| &record.position));
        arrays.put_vectors("velocities", records.iter().map(|record| &record.velocity));
        arrays.put_f64("clocks", numbers(|record| record.clock));
        arrays.put_f64("radii", numbers(|record| record.radius));
        arrays.put_f64("masses", self.properties.masses.clone());
        BodyIds::put_saved(arrays, &self.ids, self.next_id, records.len());
        let materials = self.properties.materials.iter().map(|&material| u32::from(material));
        arrays.put_u32("materials", materials.collect::<Vec<u32>>());
        arrays.put_f64("last_contacts", self.properties.last_contacts.clone());
        let passages = self.properties.passages.iter().flatten().map(|count| count.cast_unsigned());
        arrays.put_u32("passages", passages.collect::<Vec<u32>>());
        let accelerations = &self.accelerations;
        arrays.put_vectors("accelerations", accelerations.iter().map(|of| &of.acceleration));
        let until = accelerations.iter().map(|of| of.valid_until);
        arrays.put_f64("accelerated_until", until.collect::<Vec<f64>>());
        self.put_totals(arrays);
    }

    fn put_totals(&self, arrays: &mut SavedArrays) {
        let SavedState { growth, pressure_block: block, counters, .. } = self;
        let engine = [
            self.now,
            growth.value,
            growth.rate,
            growth.since,
            block.time,
            block.virial,
            block.largest_scale,
            self.start_temperature,
            self.contact_time,
            self.properties.common_mass,
        ];
        arrays.put_f64("engine", engine);
        arrays.put_u64("engine_counts", [self.thermostat_actions, block.end, self.last_kicks]);
        let Counters { virial, wall_momentum, dissipated, smallest_gap, .. } = *counters;
        arrays.put_f64("physics", [virial, wall_momentum, dissipated, smallest_gap]);
        let counts = [
            counters.collisions,
            counters.wall_collisions,
            counters.passages,
            counters.predictions,
            counters.collapse_prevented,
            counters.digest,
        ];
        arrays.put_u64("physics_counts", counts);
        if self.face_impulses.iter().any(|sum| sum.contacts > 0) {
            let numbers = |sum: &WallLoad| {
                let vectors = [sum.force, sum.torque];
                vectors.iter().flatten().copied().chain([sum.power]).collect::<Vec<f64>>()
            };
            let impulses: Vec<f64> = self.face_impulses.iter().flat_map(numbers).collect();
            arrays.put_f64("face_impulses", impulses);
            let collisions: Vec<u64> = self.face_impulses.iter().map(|sum| sum.contacts).collect();
            arrays.put_u64("face_collisions", collisions);
        }
    }

    /// Takes the state out of arrays; the number of bodies is that of the arrays.
    ///
    /// Errors if an array is missing, of another type or length, or has NaN.
    pub fn take_from(arrays: &mut SavedArrays) -> Result<Self, Error> {
        // Bodies may have been inserted or removed.
        let count = arrays.count("clocks").unwrap_or(0);
        let clocks = arrays.take_numbers("clocks", count)?;
        let positions = arrays.take_vectors("positions", count)?;
        let velocities = arrays.take_vectors("velocities", count)?;
        let radii = arrays.take_numbers("radii", count)?;
        let record = |body: usize| Body {
            position: positions[body],
            velocity: velocities[body],
            clock: clocks[body],
            radius: radii[body],
        };
        let engine = arrays.take_numbers("engine", 10)?;
        let engine_counts = arrays.take_u64("engine_counts", 3)?;
        let (ids, next_id) = BodyIds::take_saved(arrays, count)?;
        Ok(SavedState {
            ids,
            next_id,
            now: engine[0],
            records: (0..count).map(record).collect(),
            properties: take_properties(arrays, count, engine[9])?,
            accelerations: take_accelerations(arrays, count)?,
            growth: RadiusScale { value: engine[1], rate: engine[2], since: engine[3] },
            counters: take_counters(arrays)?,
            thermostat_actions: engine_counts[0],
            last_kicks: engine_counts[2],
            pressure_block: PressureBlock {
                time: engine[4],
                virial: engine[5],
                largest_scale: engine[6],
                end: engine_counts[1],
            },
            start_temperature: engine[7],
            contact_time: engine[8],
            face_impulses: take_face_impulses::<D>(arrays)?,
        })
    }
}

/// The expected length of an array that may be empty.
fn optional(arrays: &SavedArrays, name: &str, count: usize) -> usize {
    if arrays.count(name) == Some(0) { 0 } else { count }
}

fn take_properties<const D: usize>(
    arrays: &mut SavedArrays,
    count: usize,
    common_mass: f64,
) -> Result<CollisionProperties<D>, Error> {
    let sizes = ["masses", "materials", "last_contacts"].map(|name| optional(arrays, name, count));
    let passages = optional(arrays, "passages", D * count);
    let passages = arrays.take_u32("passages", passages)?;
    let materials = arrays.take_u32("materials", sizes[1])?;
    Ok(CollisionProperties {
        common_mass,
        masses: arrays.take_numbers("masses", sizes[0])?,
        // A number beyond the range is refused by the engine.
        materials: materials.iter().map(|&it| u16::try_from(it).unwrap_or(u16::MAX)).collect(),
        last_contacts: arrays.take_numbers("last_contacts", sizes[2])?,
        passages: passages.as_chunks::<D>().0.iter().map(|of| of.map(u32::cast_signed)).collect(),
    })
}

fn take_accelerations<const D: usize>(
    arrays: &mut SavedArrays,
    count: usize,
) -> Result<Vec<FieldAcceleration<D>>, Error> {
    let count = optional(arrays, "accelerated_until", count);
    let accelerations = arrays.take_vectors("accelerations", count)?;
    let until = arrays.take_numbers("accelerated_until", count)?;
    let of_body = |(acceleration, valid_until)| FieldAcceleration { acceleration, valid_until };
    Ok(accelerations.into_iter().zip(until).map(of_body).collect())
}

/// The sums of both faces of each axis; zero where nothing has collided with a wall.
fn take_face_impulses<const D: usize>(arrays: &mut SavedArrays) -> Result<Vec<WallLoad>, Error> {
    if arrays.get("face_impulses").is_none() {
        return Ok(vec![WallLoad::default(); 2 * D]);
    }
    let impulses = arrays.take_numbers("face_impulses", 2 * D * 7)?;
    let collisions = arrays.take_u64("face_collisions", 2 * D)?;
    let sum = |(numbers, contacts): (&[f64; 7], u64)| WallLoad {
        contacts,
        force: Vector::from_column_slice(&numbers[..3]),
        torque: Vector::from_column_slice(&numbers[3..6]),
        power: numbers[6],
    };
    Ok(impulses.as_chunks::<7>().0.iter().zip(collisions).map(sum).collect())
}

fn take_counters(arrays: &mut SavedArrays) -> Result<Counters, Error> {
    let numbers = arrays.take_numbers("physics", 4)?;
    let counts = arrays.take_u64("physics_counts", 6)?;
    Ok(Counters {
        collisions: counts[0],
        wall_collisions: counts[1],
        passages: counts[2],
        predictions: counts[3],
        collapse_prevented: counts[4],
        digest: counts[5],
        virial: numbers[0],
        wall_momentum: numbers[1],
        dissipated: numbers[2],
        smallest_gap: numbers[3],
        ..Counters::default()
    })
}
