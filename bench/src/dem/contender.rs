//! carom as a contender: a run that goes on window by window.

use super::race::{Contender, Label, Memory, Run, Seen, Timing};
use super::workload::Case;
use crate::error::Error;
use crate::memory::Mark;
use crate::results::Kind;
use carom::geometry::Vector;
use carom::simulate::dem::{Body, Settings, Simulation};
use carom_papers::clock::Clock;
use rayon::ThreadPool;
use std::time::{Duration, Instant};

/// The name of carom.
pub const CAROM: &str = "carom";

/// Bodies at rest and what does not change.
pub struct Start {
    /// The bodies.
    pub bodies: Vec<Body>,
    /// What does not change.
    pub settings: Settings,
}

/// A warmed-up run.
pub struct Carom<'a> {
    simulation: Simulation,
    memory: Memory,
    window: u64,
    pool: &'a ThreadPool,
    timing: Timing,
}

impl<'a> Carom<'a> {
    /// Warms up.
    pub fn new(
        case: &Case,
        start: &Start,
        pool: &'a ThreadPool,
        timing: Timing,
    ) -> Result<Self, Error> {
        let mark = Mark::set();
        let simulation = pool.install(|| {
            let mut simulation = Simulation::new(&start.bodies, start.settings.clone())?;
            simulation.advance(case.warm_up)?;
            Ok::<_, Error>(simulation)
        })?;
        let memory = Memory { held: mark.change().max(0) as usize, peak: mark.peak() };
        Ok(Carom { simulation, memory, window: case.window, pool, timing })
    }

    fn places(&self) -> Vec<Vector<3>> {
        (0..self.simulation.body_count())
            .map(|number| self.simulation.body(number).position)
            .collect()
    }

    /// The positions and velocities of all bodies, scrambled into one number.
    fn digest(&self) -> u64 {
        let bodies = (0..self.simulation.body_count()).map(|number| self.simulation.body(number));
        scrambled(bodies.flat_map(|body| {
            body.position
                .iter()
                .chain(&body.velocity)
                .chain(&body.angular_velocity)
                .copied()
                .collect::<Vec<_>>()
        }))
    }
}

/// All bits of some numbers in one.
pub fn scrambled(values: impl Iterator<Item = f64>) -> u64 {
    values.fold(0u64, |digest, value| {
        (digest.rotate_left(5) ^ value.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

/// The time of something by the clock that is asked for, on the thread that does it.
pub fn timed<T>(timing: Timing, act: impl FnOnce() -> T) -> (T, Duration) {
    let (clock, wall) = (Clock::start(), Instant::now());
    let result = act();
    let elapsed = match timing {
        Timing::Processor => clock.elapsed(),
        Timing::Wall(_) => wall.elapsed(),
    };
    (result, elapsed)
}

impl Contender for Carom<'_> {
    fn label(&self) -> Label {
        Label { name: CAROM, kind: Kind::Own, timing: self.timing }
    }

    fn run(&mut self) -> Result<Run, Error> {
        let before = self.places();
        let (simulation, window, timing) = (&mut self.simulation, self.window, self.timing);
        let (done, elapsed) = self.pool.install(|| timed(timing, || simulation.advance(window)));
        done?;
        let contacts = self.simulation.step_totals().contacts as f64;
        let boundary = &self.simulation.settings().boundary;
        // A body that left on one side came in on the other.
        let moved = before
            .iter()
            .zip(self.places())
            .map(|(&from, to)| boundary.minimum_image(from, to).norm());
        let moved = Some(moved.fold(0.0, f64::max));
        let seen = Seen { contacts, kinetic: self.simulation.energy().kinetic_energy, moved };
        Ok(Run { elapsed, seen, digest: Some(self.digest()), memory: Some(self.memory) })
    }
}
