//! Checkpoint of an event-driven run as named arrays of numbers.
//!
//! It has everything on which the rest of the run depends, and nothing else: no neighbor structure, no event calendar,
//! no counts of work (these restart when a run is resumed). Hence the checkpoint at the end of a run that was cut is
//! that of the uncut run, byte for byte.
//!
//! Sections: `positions`, `velocities`, `clocks`, `radii` (all per body), `masses`, `materials`,
//! `last_contacts`, `passages`, `accelerations`, `accelerated_until` (per body where they are
//! needed), `engine`, `engine_counts`, `physics`, `physics_counts`, `pace`, `pace_counts`,
//! `frame_times`, `last_window`, `origins`, `distances`.

use super::runner::Measured;
use super::{Run, setup};
use crate::run::resumable::{put_ids, take_ids};
use crate::run::{Error, OutputInterval, OutputSchedule};
use carom_geometry::Vector;
use carom_io::{Checkpoint, CheckpointProblem};
use carom_scene::Scene;
use carom_scene::scene::Limits;
use carom_simulate::event_driven::{
    Body, CollisionProperties, Counters, FieldAcceleration, PressureBlock, RadiusScale, Saved,
    Simulation,
};
use carom_simulate::observe::{
    CumulativeObservables, DistanceHistogram, MeanSquareDisplacement, WindowAverages,
};

const KIND: &str = "event-driven";

impl<const D: usize> Run<D> {
    pub(super) fn to_checkpoint(&self) -> Checkpoint {
        let mut checkpoint = Checkpoint::new(KIND, D, self.fingerprint);
        put_saved(&mut checkpoint, &self.simulation.save());
        put_measured(&mut checkpoint, &self.measured);
        checkpoint
    }

    pub(super) fn of_checkpoint(
        scene: &Scene<D>,
        mut checkpoint: Checkpoint,
    ) -> Result<Self, Error> {
        checkpoint.expect(KIND, D, scene.fingerprint())?;
        let saved = take_saved::<D>(&mut checkpoint, scene.bodies.len())?;
        check_end(&checkpoint, &scene.limits, &saved)?;
        let measured = take_measured(&mut checkpoint, scene, &saved)?;
        let simulation = Simulation::resume(saved, setup::settings(scene));
        let simulation = simulation.map_err(|error| match error {
            carom_simulate::Error::Saved(reason) => unfit(&checkpoint, reason),
            other => other.into(),
        })?;
        Ok(Run::of(scene, simulation, measured))
    }
}

/// Returns an error if the end of the scene is before the checkpoint.
fn check_end<const D: usize>(
    checkpoint: &Checkpoint,
    limits: &Limits,
    saved: &Saved<D>,
) -> Result<(), Error> {
    let collisions = saved.counters.collisions;
    let (is, end) = match *limits {
        Limits { until: Some(until), .. } if saved.now > until => {
            (format!("time {}", saved.now), format!("until = {until}"))
        }
        Limits { collisions: Some(most), .. } if collisions > most => {
            (format!("collision {collisions}"), format!("collisions = {most}"))
        }
        _ => return Ok(()),
    };
    Err(checkpoint.refused(CheckpointProblem::BeyondEnd { is, end }).into())
}

fn unfit(checkpoint: &Checkpoint, reason: String) -> Error {
    checkpoint.refused(CheckpointProblem::Unfit { reason }).into()
}

fn flat<const D: usize>(vectors: impl Iterator<Item = Vector<D>>) -> Vec<f64> {
    vectors.flat_map(|vector| (0..D).map(move |axis| vector[axis])).collect()
}

fn vectors<const D: usize>(numbers: &[f64]) -> Vec<Vector<D>> {
    numbers.chunks_exact(D).map(Vector::from_column_slice).collect()
}

fn put_saved<const D: usize>(checkpoint: &mut Checkpoint, saved: &Saved<D>) {
    let Saved {
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
    checkpoint.put_u64("engine_counts", [saved.thermostat_actions, block.end]);
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
}

/// The expected length of a section that may be empty.
fn optional(checkpoint: &Checkpoint, name: &str, count: usize) -> usize {
    if checkpoint.count(name) == Some(0) { 0 } else { count }
}

fn take_saved<const D: usize>(
    checkpoint: &mut Checkpoint,
    count: usize,
) -> Result<Saved<D>, carom_io::Error> {
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
    let engine_counts = checkpoint.take_u64("engine_counts", 2)?;
    let (ids, next_id) = take_ids(checkpoint, count)?;
    Ok(Saved {
        ids,
        next_id,
        now: engine[0],
        records: records.collect(),
        properties: take_properties(checkpoint, count, engine[9])?,
        accelerations: take_pulls(checkpoint, count)?,
        growth: RadiusScale { value: engine[1], rate: engine[2], since: engine[3] },
        counters: take_counters(checkpoint)?,
        thermostat_actions: engine_counts[0],
        pressure_block: PressureBlock {
            time: engine[4],
            virial: engine[5],
            largest_scale: engine[6],
            end: engine_counts[1],
        },
        start_temperature: engine[7],
        contact_time: engine[8],
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

fn put_measured<const D: usize>(checkpoint: &mut Checkpoint, measured: &Measured<D>) {
    let Measured { output_schedule: pace, window_start: mark, .. } = measured;
    let (interval, collisions) = match pace.log {
        OutputInterval::Time(interval) => (interval, 0),
        OutputInterval::Collisions(count) => (0.0, count),
    };
    checkpoint.put_f64(
        "pace",
        [
            interval,
            pace.frames.unwrap_or(0.0),
            mark.time,
            mark.virial,
            mark.wall_momentum,
            mark.temperature,
            mark.mean_speed,
            measured.temperature_integral,
            measured.speed_integral,
        ],
    );
    let samples = measured.distances.as_ref().map_or(0, |distances| distances.samples);
    checkpoint.put_u64("pace_counts", [collisions, measured.rows, mark.collisions, samples]);
    checkpoint.put_f64("frame_times", measured.frame_times.clone());
    let windows = measured.last_window.iter().flat_map(|window| {
        [
            window.collision_rate,
            window.mean_free_path,
            window.reduced_pressure,
            window.pressure,
            window.wall_pressure,
        ]
    });
    checkpoint.put_f64("last_window", windows.collect::<Vec<f64>>());
    let origins = measured.displacement.iter().flat_map(|it| it.origins.iter().copied());
    checkpoint.put_f64("origins", flat(origins));
    let pairs = measured.distances.as_ref().map_or(Vec::new(), |it| it.pairs.clone());
    checkpoint.put_u64("distances", pairs);
}

/// Returns an error if the scene gives a log interval other than that of the run.
fn check_log<const D: usize>(
    checkpoint: &Checkpoint,
    scene: &Scene<D>,
    log: OutputInterval,
) -> Result<(), Error> {
    let there = match log {
        OutputInterval::Time(interval) => format!("log_interval = {interval}"),
        OutputInterval::Collisions(count) => format!("log_collisions = {count}"),
    };
    let difference = match (scene.output.log_interval, scene.output.log_collisions) {
        (Some(interval), _) if log != OutputInterval::Time(interval) => {
            format!("output.log_interval is {interval} here, and there {there}")
        }
        (_, Some(count)) if log != OutputInterval::Collisions(count) => {
            format!("output.log_collisions is {count} here, and there {there}")
        }
        _ => return Ok(()),
    };
    let problem = CheckpointProblem::OtherScene { difference: Some(difference) };
    Err(checkpoint.refused(problem).into())
}

fn take_measured<const D: usize>(
    checkpoint: &mut Checkpoint,
    scene: &Scene<D>,
    saved: &Saved<D>,
) -> Result<Measured<D>, Error> {
    let numbers = checkpoint.take_f64("pace", 9)?;
    let counts = checkpoint.take_u64("pace_counts", 4)?;
    let frames = checkpoint.count("frame_times").unwrap_or(0);
    let positive = |number: f64| number > 0.0 && number.is_finite();
    if counts[2] > saved.counters.collisions || !(positive(numbers[0]) || counts[0] > 0) {
        return Err(unfit(checkpoint, "its log interval or collision count is invalid".to_owned()));
    }
    let log = match counts[0] {
        0 => OutputInterval::Time(numbers[0]),
        count => OutputInterval::Collisions(count),
    };
    check_log(checkpoint, scene, log)?;
    let origins = if scene.observe.mean_square_displacement { scene.bodies.len() } else { 0 };
    let origins = vectors(&checkpoint.take_f64("origins", D * origins)?);
    let asked = scene.observe.radial_distribution;
    let pairs = checkpoint.take_u64("distances", asked.map_or(0, |it| it.bins as usize))?;
    Ok(Measured {
        output_schedule: OutputSchedule {
            log,
            frames: Some(numbers[1]).filter(|&interval| positive(interval)),
        },
        rows: counts[1],
        frame_times: checkpoint.take_f64("frame_times", frames)?,
        window_start: CumulativeObservables {
            time: numbers[2],
            collisions: counts[2],
            virial: numbers[3],
            wall_momentum: numbers[4],
            temperature: numbers[5],
            mean_speed: numbers[6],
        },
        last_window: take_last_window(checkpoint)?,
        temperature_integral: numbers[7],
        speed_integral: numbers[8],
        displacement: (scene.observe.mean_square_displacement)
            .then_some(MeanSquareDisplacement { origins }),
        distances: asked.map(|it| DistanceHistogram { to: it.to, pairs, samples: counts[3] }),
    })
}

fn take_last_window(
    checkpoint: &mut Checkpoint,
) -> Result<Option<WindowAverages>, carom_io::Error> {
    let count = optional(checkpoint, "last_window", 5);
    let numbers = checkpoint.take_f64("last_window", count)?;
    Ok(match numbers[..] {
        [collision_rate, mean_free_path, reduced_pressure, pressure, wall_pressure] => {
            Some(WindowAverages {
                collision_rate,
                mean_free_path,
                reduced_pressure,
                pressure,
                wall_pressure,
            })
        }
        _ => None,
    })
}
