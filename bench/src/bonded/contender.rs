//! carom as a contender: lattices that go on window by window, blocks with contact and without, and blocks that
//! are hit, from the start each time.

use super::workload::{Case, STEP};
use crate::dem::contender::{CAROM, scrambled, timed};
use crate::dem::race::{self, Label, Timing};
use crate::error::Error;
use crate::results::Kind;
use carom::geometry::Vector;
use carom::simulate::bonded::{Body, Simulation};
use rayon::ThreadPool;

/// The same blocks without anything that looks for contact.
pub const ALONE: &str = "carom-springs-alone";
/// The same blocks with all particles stepped from the start.
pub const WHOLE: &str = "carom-whole";

/// What is to be seen of bodies of springs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Springs that hold.
    pub springs: u64,
    /// Energy of motion per particle.
    pub kinetic: f64,
    /// Bytes per particle, where they can be measured.
    pub bytes: Option<f64>,
    /// Particles stepped over all, where not all are.
    pub stepped: Option<f64>,
}

/// One window of steps of springs.
pub type Run = race::Run<Seen>;

fn seen<const D: usize>(bodies: &[Body<D>]) -> Seen {
    let particles: usize = bodies.iter().map(Body::particle_count).sum();
    let per_particle = 1.0 / particles as f64;
    let square = |(_, velocity): (_, Vector<D>)| 0.5 * velocity.norm_squared();
    let moving = |body: &Body<D>| body.particle_mass() * motion(body).map(square).sum::<f64>();
    let bytes: usize = bodies.iter().map(Body::bytes).sum();
    Seen {
        springs: bodies.iter().map(|body| body.spring_count() - body.broken_springs()).sum(),
        kinetic: per_particle * bodies.iter().map(moving).sum::<f64>(),
        bytes: Some(per_particle * bytes as f64),
        stepped: None,
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

/// Bodies that go on window by window.
pub struct Carom<'a, const D: usize> {
    simulation: Simulation<D>,
    window: u64,
    pool: &'a ThreadPool,
    timing: Timing,
}

impl<'a, const D: usize> Carom<'a, D> {
    /// Warms up, as all do.
    pub fn new(
        case: &Case,
        bodies: Vec<Body<D>>,
        pool: &'a ThreadPool,
        timing: Timing,
    ) -> Result<Self, Error> {
        let mut simulation = simulation(bodies)?;
        pool.install(|| simulation.advance(super::WARM_UP))?;
        Ok(Carom { simulation, window: case.window, pool, timing })
    }
}

impl<const D: usize> race::Contender<Seen> for Carom<'_, D> {
    fn label(&self) -> Label {
        Label { name: CAROM, kind: Kind::Own, timing: self.timing }
    }

    fn run(&mut self) -> Result<Run, Error> {
        let (simulation, window, timing) = (&mut self.simulation, self.window, self.timing);
        let (done, elapsed) = self.pool.install(|| timed(timing, || simulation.advance(window)));
        done?;
        let bodies = self.simulation.bodies();
        Ok(Run { elapsed, seen: seen(bodies), digest: Some(digest(bodies)), memory: None })
    }
}

/// Blocks stepped one by one, as if there were no others.
pub struct Alone<'a> {
    bodies: Vec<Body<2>>,
    window: u64,
    pool: &'a ThreadPool,
}

impl<'a> Alone<'a> {
    /// Of the blocks of a case.
    pub fn new(case: &Case, pool: &'a ThreadPool) -> Result<Self, Error> {
        Ok(Alone { bodies: case.blocks()?, window: case.window, pool })
    }
}

impl race::Contender<Seen> for Alone<'_> {
    fn label(&self) -> Label {
        Label { name: ALONE, kind: Kind::Own, timing: Timing::Processor }
    }

    fn run(&mut self) -> Result<Run, Error> {
        let (bodies, window) = (&mut self.bodies, self.window);
        let mut steps = || {
            for _ in 0..window {
                bodies.iter_mut().for_each(|body| body.advance(&Vector::zeros(), STEP, STEP));
            }
        };
        let ((), elapsed) = self.pool.install(|| timed(Timing::Processor, &mut steps));
        Ok(Run { elapsed, seen: seen(&self.bodies), digest: None, memory: None })
    }
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
    pub pool: &'a ThreadPool,
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

impl race::Contender<Seen> for Hit<'_> {
    fn label(&self) -> Label {
        let name = if self.extent == Extent::Whole { WHOLE } else { CAROM };
        Label { name, kind: Kind::Own, timing: Timing::Processor }
    }

    fn run(&mut self) -> Result<Run, Error> {
        let mut simulation = self.start()?;
        let window = self.case.window;
        let advance = || timed(Timing::Processor, || simulation.advance(window));
        let (done, elapsed) = self.pool.install(advance);
        done?;
        let seen = Seen { stepped: Some(self.stepped()?), ..seen(simulation.bodies()) };
        Ok(Run { elapsed, seen, digest: None, memory: None })
    }
}

#[cfg(test)]
mod tests {
    use super::super::workload::{Workload, tiny};
    use super::*;
    use race::Contender;

    #[test]
    fn less_is_stepped_where_a_wave_has_not_come_and_motion_is_the_same() {
        let is_front = |case: &Case| case.workload == Workload::Front;
        let case = tiny().into_iter().find(is_front).unwrap();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let run = |extent| Hit { case: &case, extent, pool: &pool }.run().unwrap().seen;
        let [front, whole] = [Extent::Reached, Extent::Whole].map(run);
        assert_eq!(whole.stepped, Some(1.0));
        assert!(front.stepped < whole.stepped, "{front:?}");
        assert!((front.kinetic / whole.kinetic - 1.0).abs() < 1e-9, "{front:?} {whole:?}");
    }
}
