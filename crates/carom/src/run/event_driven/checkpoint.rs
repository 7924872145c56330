//! Checkpoint of an event-driven run as named arrays of numbers.
//!
//! It has everything on which the rest of the run depends, and nothing else: no neighbor structure, no event calendar,
//! no counts of work (these restart when a run is resumed). Hence the checkpoint at the end of a run that was cut is
//! that of the uncut run, byte for byte.
//!
//! Sections: `positions`, `velocities`, `clocks`, `radii` (all per body), `masses`, `materials`,
//! `last_contacts`, `passages`, `accelerations`, `accelerated_until` (per body where they are
//! needed), `engine`, `engine_counts`, `physics`, `physics_counts`, and with walls `face_impulses`, `face_collisions`; for
//! scenes that take bodies from here `box` and `gravity`.

use super::engine_run::EventDrivenRun;
use super::setup;
use crate::run::Error;
use crate::run::engine_run::StageStart;
use crate::run::resumable::{put_ids, take_ids, unfit_state};
use carom_geometry::Vector;
use carom_io::Checkpoint;
use carom_scene::Scene;
use carom_simulate::WallLoad;
use carom_simulate::event_driven::{
    Body, CollisionProperties, Counters, FieldAcceleration, PressureBlock, RadiusScale, SavedState,
    Simulation,
};

impl<const D: usize> EventDrivenRun<D> {
    pub(super) fn put_into(&self, checkpoint: &mut Checkpoint) {
        put_saved(checkpoint, &self.simulation.saved_state());
        let settings = self.simulation.settings();
        checkpoint.put_f64("box", settings.region.size.as_slice());
        checkpoint.put_f64("gravity", settings.gravity.as_slice());
    }

    pub(in crate::run) fn resume(
        scene: &Scene<D>,
        starts: &[StageStart],
        checkpoint: &mut Checkpoint,
    ) -> Result<Self, Error> {
        // Bodies may have been inserted or removed.
        let count = checkpoint.count("clocks").unwrap_or(0);
        let saved = take_saved::<D>(checkpoint, count)?;
        let simulation = Simulation::resume(saved, setup::settings(scene));
        let simulation = simulation.map_err(|error| unfit_state(checkpoint, error))?;
        let limits = StageStart::limits_of_last(starts, scene);
        Ok(EventDrivenRun::of(scene, simulation, limits))
    }
}

fn flat<const D: usize>(vectors: impl Iterator<Item = Vector<D>>) -> Vec<f64> {
    vectors.flat_map(|vector| (0..D).map(move |axis| vector[axis])).collect()
}

fn vectors<const D: usize>(numbers: &[f64]) -> Vec<Vector<D>> {
    numbers.chunks_exact(D).map(Vector::from_column_slice).collect()
}

fn put_saved<const D: usize>(checkpoint: &mut Checkpoint, saved: &SavedState<D>) {
    let SavedState {
        records,
        properties,
        accelerations: pulls,
        growth,
        counters,
        pressure_block: block,
        ..
    } = saved;
    checkpoint.put_f64("positions", flat(records.iter().map(|record| record.position)));
    checkpoint.put_f64("velocities", flat(records.iter().map(|record| record.velocity)));
    let clocks: Vec<f64> = records.iter().map(|record| record.clock).collect();
    checkpoint.put_f64("clocks", clocks);
    let radii: Vec<f64> = records.iter().map(|record| record.radius).collect();
    checkpoint.put_f64("radii", radii);
    checkpoint.put_f64("masses", properties.masses.clone());
    put_ids(checkpoint, &saved.ids, saved.next_id, records.len());
    let materials: Vec<u32> = properties.materials.iter().map(|&it| u32::from(it)).collect();
    checkpoint.put_u32("materials", materials);
    checkpoint.put_f64("last_contacts", properties.last_contacts.clone());
    let passages: Vec<u32> =
        properties.passages.iter().flatten().map(|&count| count.cast_unsigned()).collect();
    checkpoint.put_u32("passages", passages);
    checkpoint.put_f64("accelerations", flat(pulls.iter().map(|pull| pull.acceleration)));
    let until: Vec<f64> = pulls.iter().map(|pull| pull.valid_until).collect();
    checkpoint.put_f64("accelerated_until", until);
    checkpoint.put_f64(
        "engine",
        [
            saved.now,
            growth.value,
            growth.rate,
            growth.since,
            block.time,
            block.virial,
            block.largest_scale,
            saved.start_temperature,
            saved.contact_time,
            properties.common_mass,
        ],
    );
    checkpoint.put_u64("engine_counts", [saved.thermostat_actions, block.end, saved.last_kicks]);
    checkpoint.put_f64(
        "physics",
        [counters.virial, counters.wall_momentum, counters.dissipated, counters.smallest_gap],
    );
    checkpoint.put_u64(
        "physics_counts",
        [
            counters.collisions,
            counters.wall_collisions,
            counters.passages,
            counters.predictions,
            counters.collapse_prevented,
            counters.digest,
        ],
    );
    if saved.face_impulses.iter().any(|sum| sum.contacts > 0) {
        let numbers = |sum: &WallLoad| {
            let vectors = [sum.force, sum.torque];
            vectors.iter().flatten().copied().chain([sum.power]).collect::<Vec<f64>>()
        };
        let impulses: Vec<f64> = saved.face_impulses.iter().flat_map(numbers).collect();
        checkpoint.put_f64("face_impulses", impulses);
        let collisions: Vec<u64> = saved.face_impulses.iter().map(|sum| sum.contacts).collect();
        checkpoint.put_u64("face_collisions", collisions);
    }
}

/// The sums of both faces of each axis; zero where nothing has collided with a wall.
fn take_face_impulses<const D: usize>(
    checkpoint: &mut Checkpoint,
) -> Result<Vec<WallLoad>, carom_io::Error> {
    if checkpoint.count("face_impulses").is_none() {
        return Ok(vec![WallLoad::default(); 2 * D]);
    }
    let impulses = checkpoint.take_f64("face_impulses", 2 * D * 7)?;
    let collisions = checkpoint.take_u64("face_collisions", 2 * D)?;
    let sum = |(numbers, contacts): (&[f64], u64)| WallLoad {
        contacts,
        force: Vector::from_column_slice(&numbers[..3]),
        torque: Vector::from_column_slice(&numbers[3..6]),
        power: numbers[6],
    };
    Ok(impulses.chunks_exact(7).zip(collisions).map(sum).collect())
}

/// The expected length of a section that may be empty.
fn optional(checkpoint: &Checkpoint, name: &str, count: usize) -> usize {
    if checkpoint.count(name) == Some(0) { 0 } else { count }
}

fn take_saved<const D: usize>(
    checkpoint: &mut Checkpoint,
    count: usize,
) -> Result<SavedState<D>, carom_io::Error> {
    let positions = vectors::<D>(&checkpoint.take_f64("positions", D * count)?);
    let velocities = vectors::<D>(&checkpoint.take_f64("velocities", D * count)?);
    let clocks = checkpoint.take_f64("clocks", count)?;
    let radii = checkpoint.take_f64("radii", count)?;
    let records = (0..count).map(|body| Body {
        position: positions[body],
        velocity: velocities[body],
        clock: clocks[body],
        radius: radii[body],
    });
    let engine = checkpoint.take_f64("engine", 10)?;
    let engine_counts = checkpoint.take_u64("engine_counts", 3)?;
    let (ids, next_id) = take_ids(checkpoint, count)?;
    Ok(SavedState {
        ids,
        next_id,
        now: engine[0],
        records: records.collect(),
        properties: take_properties(checkpoint, count, engine[9])?,
        accelerations: take_pulls(checkpoint, count)?,
        growth: RadiusScale { value: engine[1], rate: engine[2], since: engine[3] },
        counters: take_counters(checkpoint)?,
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
        face_impulses: take_face_impulses::<D>(checkpoint)?,
    })
}

fn take_properties<const D: usize>(
    checkpoint: &mut Checkpoint,
    count: usize,
    common_mass: f64,
) -> Result<CollisionProperties<D>, carom_io::Error> {
    let sizes = ["masses", "materials", "last_contacts"].map(|it| optional(checkpoint, it, count));
    let passages = optional(checkpoint, "passages", D * count);
    let passages = checkpoint.take_u32("passages", passages)?;
    let materials = checkpoint.take_u32("materials", sizes[1])?;
    Ok(CollisionProperties {
        common_mass,
        masses: checkpoint.take_f64("masses", sizes[0])?,
        // A number beyond the range is refused by the engine.
        materials: materials.iter().map(|&it| u16::try_from(it).unwrap_or(u16::MAX)).collect(),
        last_contacts: checkpoint.take_f64("last_contacts", sizes[2])?,
        passages: passages
            .chunks_exact(D)
            .map(|counts| std::array::from_fn(|axis| counts[axis].cast_signed()))
            .collect(),
    })
}

fn take_pulls<const D: usize>(
    checkpoint: &mut Checkpoint,
    count: usize,
) -> Result<Vec<FieldAcceleration<D>>, carom_io::Error> {
    let count = optional(checkpoint, "accelerated_until", count);
    let accelerations = vectors::<D>(&checkpoint.take_f64("accelerations", D * count)?);
    let until = checkpoint.take_f64("accelerated_until", count)?;
    let pull = |(acceleration, until)| FieldAcceleration { acceleration, valid_until: until };
    Ok(accelerations.into_iter().zip(until).map(pull).collect())
}

fn take_counters(checkpoint: &mut Checkpoint) -> Result<Counters, carom_io::Error> {
    let numbers = checkpoint.take_f64("physics", 4)?;
    let counts = checkpoint.take_u64("physics_counts", 6)?;
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
