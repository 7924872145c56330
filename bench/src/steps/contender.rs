//! carom as a contender: a run that goes on window by window.

use super::bed::{self, Bed};
use super::race::{Contender, Label, Memory, Run, Seen, Timing};
use super::workload::Case;
use crate::error::Error;
use crate::memory::Mark;
use crate::results::Kind;
use carom::simulate::steps::Simulation;
use carom_papers::clock::Clock;
use rayon::ThreadPool;
use std::time::{Duration, Instant};

/// The name of carom.
pub const CAROM: &str = "carom";

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
        bed: &Bed,
        pool: &'a ThreadPool,
        timing: Timing,
    ) -> Result<Self, Error> {
        let bodies = bed.bodies();
        let settings = bed::settings(case.workload.law(), bed.width);
        let mark = Mark::set();
        let simulation = pool.install(|| {
            let mut simulation = Simulation::new(&bodies, settings)?;
            simulation.advance(case.warm_up)?;
            Ok::<_, Error>(simulation)
        })?;
        let memory = Memory { held: mark.change().max(0) as usize, peak: mark.peak() };
        Ok(Carom { simulation, memory, window: case.window, pool, timing })
    }

    /// The positions and velocities of all spheres, scrambled into one number.
    fn digest(&self) -> u64 {
        let mut digest = 0u64;
        for number in 0..self.simulation.count() {
            let body = self.simulation.body(number);
            let values = body.position.iter().chain(&body.velocity).chain(&body.spin);
            for value in values {
                digest =
                    (digest.rotate_left(5) ^ value.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            }
        }
        digest
    }
}

/// The time of something by the clock that is asked for, on the thread that does it.
fn timed<T>(timing: Timing, act: impl FnOnce() -> T) -> (T, Duration) {
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
        let (simulation, window, timing) = (&mut self.simulation, self.window, self.timing);
        let (done, elapsed) = self.pool.install(|| timed(timing, || simulation.advance(window)));
        done?;
        let contacts = self.simulation.tally().contacts as f64;
        let seen = Seen { contacts, kinetic: self.simulation.energy().moving };
        Ok(Run { elapsed, seen, digest: Some(self.digest()), memory: Some(self.memory) })
    }
}
