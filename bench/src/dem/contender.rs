//! carom as a contender: a run that advances window by window.

use super::workload::Case;
use crate::error::Error;
use crate::memory::{Mark, Memory};
use crate::race::{Contender, Run};
use crate::timing::TimedPool;
use carom::geometry::Vector;
use carom::simulate::dem::{Body, Settings, Simulation};
use std::time::Duration;

/// A window of steps and what is to be seen of the bed after it, by which programs that round otherwise
/// can be compared.
pub struct Window {
    /// The time for all steps.
    pub elapsed: Duration,
    /// How many bodies there are.
    pub bodies: usize,
    /// How many steps the window has.
    pub steps: u64,
    /// Pairs of bodies that touch.
    pub contacts: f64,
    /// Translational kinetic energy of all bodies.
    pub kinetic_energy: f64,
    /// The largest displacement of a body in the window, where it is known.
    pub displacement: Option<f64>,
    /// Bytes after the warm-up, where they can be measured.
    pub memory: Option<Memory>,
}

impl Window {
    /// Returns the run.
    pub fn run(&self) -> Run {
        let bodies = self.bodies as f64;
        let per_step = self.elapsed.as_secs_f64() / self.steps as f64;
        Run::new(self.elapsed)
            .compared("body steps per second", bodies / per_step * 1e-6, "million/s")
            .with("time per step", per_step * 1e3, "ms")
            .with("time per contact", per_step / self.contacts * 1e9, "ns")
            .with("contacts per body", self.contacts / bodies, "")
            .with("kinetic energy per body", self.kinetic_energy / bodies, "")
            .with("largest displacement", self.displacement, "")
            .memory(self.memory, self.bodies, "B/body")
            .with("steps", self.steps as f64, "")
    }
}

/// A warmed-up run.
pub struct Carom<'a> {
    simulation: Simulation,
    memory: Memory,
    window: u64,
    windows: u64,
    pool: &'a TimedPool,
}

impl<'a> Carom<'a> {
    /// Warms up.
    pub fn new(
        case: &Case,
        bodies: &[Body],
        settings: &Settings,
        pool: &'a TimedPool,
    ) -> Result<Self, Error> {
        let mark = Mark::set();
        let simulation = pool.install(|| {
            let mut simulation = Simulation::new(bodies, settings.clone())?;
            simulation.advance(case.warm_up)?;
            Ok::<_, Error>(simulation)
        })?;
        let memory = mark.taken();
        Ok(Carom { simulation, memory, window: case.window, windows: 0, pool })
    }

    fn bodies(&self) -> impl Iterator<Item = Body> + '_ {
        (0..self.simulation.body_count()).map(|number| self.simulation.body(number))
    }

    /// The positions and velocities of all bodies, scrambled into one number.
    fn digest(&self) -> u64 {
        let numbers = |body: Body| {
            let vectors = [body.position, body.velocity, body.angular_velocity];
            vectors.into_iter().flat_map(<[f64; 3]>::from)
        };
        scrambled(self.bodies().flat_map(numbers))
    }
}

/// Returns all bits of some numbers in one.
pub fn scrambled(values: impl Iterator<Item = f64>) -> u64 {
    values.fold(0u64, |digest, value| {
        (digest.rotate_left(5) ^ value.to_bits()).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    })
}

impl Contender for Carom<'_> {
    fn name(&self) -> String {
        self.pool.name("carom")
    }

    fn run(&mut self) -> Result<Run, Error> {
        let before: Vec<Vector<3>> = self.bodies().map(|body| body.position).collect();
        let (simulation, window) = (&mut self.simulation, self.window);
        let (done, elapsed) = self.pool.timed(|| simulation.advance(window));
        done?;
        self.windows += 1;
        let boundary = &self.simulation.settings().boundary;
        // A body that left on one side came in on the other.
        let moved = before
            .iter()
            .zip(self.bodies())
            .map(|(&from, to)| boundary.minimum_image(from, to.position).norm());
        let window = Window {
            elapsed,
            bodies: before.len(),
            steps: self.window,
            contacts: self.simulation.step_totals().contacts as f64,
            kinetic_energy: self.simulation.energy().kinetic_energy,
            displacement: Some(moved.fold(0.0, f64::max)),
            memory: Some(self.memory),
        };
        let question = format!(" after window {}", self.windows);
        Ok(window.run().answer(question, format!("bodies with the digest {:x}", self.digest())))
    }
}
