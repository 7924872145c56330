//! A run in steps of time as named arrays of numbers, and back.
//!
//! Everything on which the rest of the run depends, and nothing else. Sections, bodies in the order of
//! memory: `order`, `positions`, `velocities`, `spins`, `radii`, `masses`, `materials`, `searched_at`,
//! `loads`, of bodies with shapes `shapes`, `turns`; for scenes that go on with the bodies `orientations`
//! and `box`; contacts: `touching`, `memories`, `tracked`,
//! `touching_walls`, `wall_memories`; and `engine`, `engine_counts`, `tally`, `tally_counts`, `pace`,
//! `pace_counts`, `frame_times`, `poured`.

use super::Run;
use super::row::Mark;
use super::running::Measured;
use super::start;
use crate::run::resumable::{check_end, check_log, unfit};
use crate::run::{Error, Every, Pace};
use carom_geometry::Vector;
use carom_scene::SceneOf;
use carom_scene::files::Checkpoint;
use carom_simulate::steps::{Body, Saved, SavedTurn, Simulation, Tally};
use nalgebra::UnitQuaternion;

const KIND: &str = "steps";
/// Stands for no shape.
const SPHERE: u32 = u32::MAX;

impl<const D: usize> Run<D> {
    pub(super) fn to_checkpoint(&self) -> Checkpoint {
        let mut checkpoint = Checkpoint::new(KIND, D, self.fingerprint);
        put_saved(&mut checkpoint, &self.simulation.save());
        checkpoint.put_f64("box", self.region.size.as_slice());
        let Measured { pace, rows, frame_times, mark } = &self.measured;
        let interval = match pace.log {
            Every::Time(interval) => interval,
            Every::Collisions(_) => 0.0,
        };
        let numbers = [interval, pace.frames.unwrap_or(0.0), mark.time, mark.virial, mark.thermal];
        checkpoint.put_f64("pace", numbers);
        checkpoint.put_u64("pace_counts", [*rows]);
        checkpoint.put_f64("frame_times", frame_times.clone());
        checkpoint.put_u64("poured", self.pouring.poured.clone());
        checkpoint
    }

    pub(super) fn of_checkpoint(
        scene: &SceneOf<D>,
        mut checkpoint: Checkpoint,
    ) -> Result<Self, Error> {
        checkpoint.expect(KIND, D, scene.fingerprint())?;
        let saved = take_saved(&mut checkpoint)?;
        let numbers = checkpoint.take_f64("pace", 5)?;
        let rows = checkpoint.take_u64("pace_counts", 1)?[0];
        let frames = checkpoint.count("frame_times").unwrap_or(0);
        let frame_times = checkpoint.take_f64("frame_times", frames)?;
        let poured = checkpoint.take_u64("poured", scene.pours.len())?;
        let interval = numbers[0];
        if [saved.step, saved.skin, interval].iter().any(|it| !(*it > 0.0 && it.is_finite())) {
            return Err(unfit(&checkpoint, "its step and pace are no times".to_owned()));
        }
        check_log(&checkpoint, scene, interval)?;
        check_end(&checkpoint, scene, saved.steps as f64 * saved.step, saved.step)?;
        let simulation = Simulation::resume(&saved, start::settings(scene)?);
        let simulation = simulation.map_err(|error| match error {
            carom_simulate::Error::Saved(reason) => unfit(&checkpoint, reason),
            other => other.into(),
        })?;
        let measured = Measured {
            pace: Pace {
                log: Every::Time(interval),
                frames: Some(numbers[1]).filter(|interval| *interval > 0.0),
            },
            rows,
            frame_times,
            mark: Mark { time: numbers[2], virial: numbers[3], thermal: numbers[4] },
        };
        Ok(Run::of(scene, simulation, measured, poured))
    }
}

fn flat<'a, const N: usize>(vectors: impl IntoIterator<Item = &'a Vector<N>>) -> Vec<f64> {
    vectors.into_iter().flat_map(|vector| vector.iter().copied()).collect()
}

fn vectors(numbers: &[f64]) -> Vec<Vector<3>> {
    numbers.chunks_exact(3).map(Vector::from_column_slice).collect()
}

fn put_saved(checkpoint: &mut Checkpoint, saved: &Saved) {
    let bodies = &saved.bodies;
    let numbers = |of: fn(&Body) -> f64| bodies.iter().map(of).collect::<Vec<f64>>();
    checkpoint.put_u32("order", saved.order.clone());
    checkpoint.put_f64("positions", flat(bodies.iter().map(|body| &body.position)));
    checkpoint.put_f64("velocities", flat(bodies.iter().map(|body| &body.velocity)));
    checkpoint.put_f64("spins", flat(bodies.iter().map(|body| &body.spin)));
    checkpoint.put_f64("radii", numbers(|body| body.radius));
    checkpoint.put_f64("masses", numbers(|body| body.mass));
    let materials: Vec<u32> = bodies.iter().map(|body| body.material).collect();
    checkpoint.put_u32("materials", materials);
    if !saved.turns.is_empty() {
        let shapes: Vec<u32> = bodies.iter().map(|body| body.shape.unwrap_or(SPHERE)).collect();
        checkpoint.put_u32("shapes", shapes);
        let turn = |turn: &SavedTurn| {
            turn.orientation
                .into_iter()
                .chain(turn.momentum.into_iter().copied())
                .collect::<Vec<f64>>()
        };
        let orientation = |body: &Body| {
            let [x, y, z, w] = body.orientation.coords.into();
            [w, x, y, z]
        };
        // Of shapes and not of principal axes: for scenes that take bodies from here.
        checkpoint
            .put_f64("orientations", bodies.iter().flat_map(orientation).collect::<Vec<f64>>());
        checkpoint.put_f64("turns", saved.turns.iter().flat_map(turn).collect::<Vec<f64>>());
        checkpoint.put_u32("tracked", saved.tracked.concat());
    }
    checkpoint.put_f64("searched_at", flat(&saved.searched_at));
    checkpoint.put_f64("loads", flat(saved.loads.iter().flatten()));
    checkpoint.put_u32("touching", saved.touching.concat());
    checkpoint.put_f64("memories", flat(&saved.memories));
    checkpoint.put_u32("touching_walls", saved.touching_walls.concat());
    checkpoint.put_f64("wall_memories", flat(&saved.wall_memories));
    let Saved { step, skin, moved, lost: [damped, rubbed], driven, virial, .. } = *saved;
    checkpoint.put_f64("engine", [step, skin, moved, damped, rubbed, driven, virial]);
    checkpoint.put_u64("engine_counts", [saved.steps, saved.searches, saved.searched]);
    let Tally { contacts, wall_contacts, lost: [damped, rubbed], driven, virial, deepest } =
        saved.tally;
    checkpoint.put_f64("tally", [damped, rubbed, driven, virial, deepest]);
    checkpoint.put_u64("tally_counts", [contacts, wall_contacts]);
}

fn take_saved(checkpoint: &mut Checkpoint) -> Result<Saved, Error> {
    let count = checkpoint.count("order").unwrap_or(0);
    let touching = checkpoint.count("touching").unwrap_or(0) / 3;
    let walls = checkpoint.count("touching_walls").unwrap_or(0) / 3;
    let order = checkpoint.take_u32("order", count)?;
    let positions = vectors(&checkpoint.take_f64("positions", 3 * count)?);
    let velocities = vectors(&checkpoint.take_f64("velocities", 3 * count)?);
    let spins = vectors(&checkpoint.take_f64("spins", 3 * count)?);
    let radii = checkpoint.take_f64("radii", count)?;
    let masses = checkpoint.take_f64("masses", count)?;
    let materials = checkpoint.take_u32("materials", count)?;
    let (shapes, turns, tracked) = take_turns(checkpoint, count)?;
    let bodies = (0..count).map(|index| Body {
        shape: shapes.get(index).copied().filter(|&shape| shape != SPHERE),
        orientation: UnitQuaternion::identity(),
        position: positions[index],
        velocity: velocities[index],
        spin: spins[index],
        radius: radii[index],
        mass: masses[index],
        material: materials[index],
    });
    let loads = vectors(&checkpoint.take_f64("loads", 6 * count)?);
    let pairs = checkpoint.take_u32("touching", 3 * touching)?;
    let keys = checkpoint.take_u32("touching_walls", 3 * walls)?;
    let engine = checkpoint.take_f64("engine", 7)?;
    let counts = checkpoint.take_u64("engine_counts", 3)?;
    let tally = checkpoint.take_f64("tally", 5)?;
    let tally_counts = checkpoint.take_u64("tally_counts", 2)?;
    Ok(Saved {
        step: engine[0],
        skin: engine[1],
        steps: counts[0],
        searches: counts[1],
        searched: counts[2],
        order,
        bodies: bodies.collect(),
        searched_at: vectors(&checkpoint.take_f64("searched_at", 3 * count)?),
        loads: loads.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        turns,
        tracked,
        touching: pairs.chunks_exact(3).map(|pair| [pair[0], pair[1], pair[2]]).collect(),
        memories: vectors(&checkpoint.take_f64("memories", 3 * touching)?),
        touching_walls: keys.chunks_exact(3).map(|key| [key[0], key[1], key[2]]).collect(),
        wall_memories: vectors(&checkpoint.take_f64("wall_memories", 3 * walls)?),
        moved: engine[2],
        lost: [engine[3], engine[4]],
        driven: engine[5],
        virial: engine[6],
        tally: Tally {
            contacts: tally_counts[0],
            wall_contacts: tally_counts[1],
            lost: [tally[0], tally[1]],
            driven: tally[2],
            virial: tally[3],
            deepest: tally[4],
        },
    })
}

/// The shapes of all bodies, how they are turned, and what pairs remember; nothing if all are spheres.
type Turned = (Vec<u32>, Vec<SavedTurn>, Vec<[u32; 8]>);

fn take_turns(checkpoint: &mut Checkpoint, count: usize) -> Result<Turned, Error> {
    if checkpoint.count("shapes").is_none() {
        return Ok(Turned::default());
    }
    let shapes = checkpoint.take_u32("shapes", count)?;
    let turns = checkpoint.take_f64("turns", 7 * count)?;
    let turn = |numbers: &[f64]| SavedTurn {
        orientation: [numbers[0], numbers[1], numbers[2], numbers[3]],
        momentum: Vector::from_column_slice(&numbers[4..7]),
    };
    let pairs = checkpoint.count("tracked").unwrap_or(0) / 8;
    let tracked = checkpoint.take_u32("tracked", 8 * pairs)?;
    let words = tracked.chunks_exact(8).map(|words| std::array::from_fn(|k| words[k]));
    Ok((shapes, turns.chunks_exact(7).map(turn).collect(), words.collect()))
}
