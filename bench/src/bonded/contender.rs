//! carom as a contender: lattices advanced window by window, blocks with contact and without, and blocks that
//! are hit, from the start each time.

use super::workload::{Case, STEP};
use crate::dem::contender::scrambled;
use crate::error::Error;
use crate::race::{Contender, Run, named};
use crate::timing::TimedPool;
use carom::geometry::Vector;
use carom::simulate::bonded::{Body, Simulation};
use std::time::Duration;

/// A window of steps and what is to be seen of the springs after it.
pub struct Window {
    /// The time for all steps.
    pub elapsed: Duration,
    /// How many particles there are.
    pub particles: usize,
    /// Springs that hold, each counted once.
    pub springs: u64,
    /// How many steps the window has.
    pub steps: u64,
    /// Translational kinetic energy of all particles.
    pub kinetic_energy: f64,
    /// Bytes of all bodies, where they can be measured.
    pub bytes: Option<usize>,
    /// The part of the particle steps that is made, where not all are.
    pub stepped: Option<f64>,
}

impl Window {
    fn of<const D: usize>(elapsed: Duration, bodies: &[Body<D>], steps: u64) -> Self {
        let square = |(_, velocity): (_, Vector<D>)| 0.5 * velocity.norm_squared();
        let moving = |body: &Body<D>| body.particle_mass() * motion(body).map(square).sum::<f64>();
        Window {
            elapsed,
            particles: bodies.iter().map(Body::particle_count).sum(),
            springs: bodies.iter().map(|body| body.spring_count() - body.broken_springs()).sum(),
            steps,
            kinetic_energy: bodies.iter().map(moving).sum(),
            bytes: Some(bodies.iter().map(Body::bytes).sum()),
            stepped: None,
        }
    }

    /// Returns the run; all who step the same bodies must have the same springs.
    pub fn run(&self) -> Run {
        let updates = (self.springs * self.steps) as f64;
        let per_particle = |amount: f64| amount / self.particles as f64;
        Run::new(self.elapsed)
            .answer("", format!("{} springs", self.springs))
            .compared(
                "springs per second",
                updates / self.elapsed.as_secs_f64() * 1e-6,
                "million/s",
            )
            .with("springs", self.springs as f64, "")
            .with("kinetic energy per particle", per_particle(self.kinetic_energy), "")
            .with("held memory", self.bytes.map(|bytes| per_particle(bytes as f64)), "B/particle")
            .with("particles stepped", self.stepped, "")
            .with("steps", self.steps as f64, "")
    }
}

fn motion<const D: usize>(body: &Body<D>) -> impl Iterator<Item = (Vector<D>, Vector<D>)> + '_ {
    body.grid().particles().map(|number| (body.position(number), body.velocity(number)))
}

fn digest<const D: usize>(bodies: &[Body<D>]) -> u64 {
    let all = bodies.iter().flat_map(motion);
    scrambled(
        all.flat_map(|(place, velocity)| (0..2 * D).map(move |k| [place, velocity][k / D][k % D])),
    )
}

fn simulation<const D: usize>(bodies: Vec<Body<D>>) -> Result<Simulation<D>, Error> {
    let mut simulation = Simulation::new(bodies)?;
    simulation.set_time_step(STEP)?;
    Ok(simulation)
}

/// Bodies that are advanced window by window.
pub struct Carom<'a, const D: usize> {
    simulation: Simulation<D>,
    window: u64,
    windows: u64,
    pool: &'a TimedPool,
}

impl<'a, const D: usize> Carom<'a, D> {
    /// Warms up, as all do.
    pub fn new(case: &Case, bodies: Vec<Body<D>>, pool: &'a TimedPool) -> Result<Self, Error> {
        let mut simulation = simulation(bodies)?;
        pool.install(|| simulation.advance(super::WARM_UP))?;
        Ok(Carom { simulation, window: case.window, windows: 0, pool })
    }
}

impl<const D: usize> Contender for Carom<'_, D> {
    fn name(&self) -> String {
        self.pool.name("carom")
    }

    fn run(&mut self) -> Result<Run, Error> {
        let (simulation, window) = (&mut self.simulation, self.window);
        let (done, elapsed) = self.pool.timed(|| simulation.advance(window));
        done?;
        self.windows += 1;
        let bodies = self.simulation.bodies();
        let digest = format!("particles with the digest {:x}", digest(bodies));
        let run = Window::of(elapsed, bodies, self.window).run();
        Ok(run.answer(format!(" after window {}", self.windows), digest))
    }
}

/// Blocks stepped one by one, as if there were no others: without anything that looks for contact.
pub fn springs_alone<'a>(
    case: &Case,
    pool: &'a TimedPool,
) -> Result<Box<dyn Contender + 'a>, Error> {
    let (mut bodies, window) = (case.blocks()?, case.window);
    Ok(named("carom springs-alone", move || {
        let ((), elapsed) = pool.timed(|| {
            for _ in 0..window {
                bodies.iter_mut().for_each(|body| body.advance(&Vector::zeros(), STEP, STEP));
            }
        });
        Ok(Window::of(elapsed, &bodies, window).run())
    }))
}

/// How much of a block that is hit is stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What a wave can have reached.
    Reached,
    /// All of it.
    Whole,
}

/// A block that is hit, from the start in each window.
pub struct Hit<'a> {
    /// Whose blocks.
    pub case: &'a Case,
    /// How much of it is stepped.
    pub extent: Extent,
    /// Where.
    pub pool: &'a TimedPool,
}

impl Hit<'_> {
    fn start(&self) -> Result<Simulation<2>, Error> {
        let mut bodies = self.case.hit()?;
        if self.extent == Extent::Whole {
            bodies.iter_mut().for_each(Body::activate_all);
        }
        simulation(bodies)
    }

    /// Particles stepped over all, counted in a run that is not timed.
    fn stepped(&self) -> Result<f64, Error> {
        let mut simulation = self.start()?;
        let reached = |simulation: &Simulation<2>| -> usize {
            simulation.bodies().iter().map(Body::reached_count).sum()
        };
        let mut sum = 0;
        for _ in 0..self.case.window {
            sum += reached(&simulation);
            simulation.advance(1)?;
        }
        let all: usize = simulation.bodies().iter().map(Body::particle_count).sum();
        Ok(sum as f64 / (all as u64 * self.case.window) as f64)
    }
}

impl Contender for Hit<'_> {
    fn name(&self) -> String {
        if self.extent == Extent::Whole { "carom whole".into() } else { "carom".into() }
    }

    fn run(&mut self) -> Result<Run, Error> {
        let mut simulation = self.start()?;
        let window = self.case.window;
        let (done, elapsed) = self.pool.timed(|| simulation.advance(window));
        done?;
        let stepped = Some(self.stepped()?);
        Ok(Window { stepped, ..Window::of(elapsed, simulation.bodies(), window) }.run())
    }
}

#[cfg(test)]
mod tests {
    use super::super::workload::tiny;
    use super::*;

    #[test]
    fn less_is_stepped_where_a_wave_has_not_come_and_motion_is_the_same() {
        let is_front = |case: &Case| case.workload == "front";
        let case = tiny().into_iter().find(is_front).unwrap();
        let pool = TimedPool::processor().unwrap();
        let run = |extent| Hit { case: &case, extent, pool: &pool }.run().unwrap();
        let [front, whole] = [Extent::Reached, Extent::Whole].map(run);
        assert_eq!(whole.number("particles stepped"), Some(1.0));
        assert!(front.number("particles stepped").unwrap() < 1.0);
        let energy = |run: &Run| run.number("kinetic energy per particle").unwrap();
        assert!((energy(&front) / energy(&whole) - 1.0).abs() < 1e-5);
    }
}
