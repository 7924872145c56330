//! carom as a contender: lattices advanced window by window, blocks with contact and without, and blocks that
//! are hit, from the start each time.

use super::workload::{STEP, SpringBodies};
use crate::cases::Case;
use crate::dem::contender::digest;
use crate::error::Error;
use crate::race::{Contender, Run};
use crate::timing::TimedPool;
use carom::geometry::Vector;
use carom::simulate::bonded::{Body, Simulation};
use std::time::Duration;

/// Returns the run of a window of steps; all who step the same bodies must have the same springs.
///
/// Springs are those that hold, each counted once; the energy is the translational one of a particle.
pub fn window(elapsed: Duration, springs: u64, steps: u64, energy_per_particle: f64) -> Run {
    let updates = (springs * steps) as f64;
    Run::new(elapsed)
        .answer("", format!("{springs} springs"))
        .compared("springs per second", updates / elapsed.as_secs_f64() * 1e-6, "million/s")
        .with("springs", springs as f64, "")
        .with("kinetic energy per particle", energy_per_particle, "")
        .with("steps", steps as f64, "")
}

fn window_of<const D: usize>(elapsed: Duration, bodies: &[Body<D>], steps: u64) -> Run {
    let square = |(_, velocity): (_, Vector<D>)| 0.5 * velocity.norm_squared();
    let moving = |body: &Body<D>| body.particle_mass() * motion(body).map(square).sum::<f64>();
    let springs = bodies.iter().map(|body| body.spring_count() - body.broken_springs()).sum();
    let particles = bodies.iter().map(Body::particle_count).sum::<usize>() as f64;
    let bytes = bodies.iter().map(Body::bytes).sum::<usize>() as f64;
    let energy = bodies.iter().map(moving).sum::<f64>() / particles;
    window(elapsed, springs, steps, energy).with("held memory", bytes / particles, "B/particle")
}

fn motion<const D: usize>(body: &Body<D>) -> impl Iterator<Item = (Vector<D>, Vector<D>)> + '_ {
    body.grid().particles().map(|number| (body.position(number), body.velocity(number)))
}

fn simulation<const D: usize>(bodies: Vec<Body<D>>) -> Result<Simulation<D>, Error> {
    let mut simulation = Simulation::new(bodies)?;
    simulation.set_time_step(STEP)?;
    Ok(simulation)
}

/// Bodies that are advanced window by window, after the warm-up that all have.
pub fn carom<'a, const D: usize>(
    case: &Case,
    bodies: Vec<Body<D>>,
    pool: &'a TimedPool,
) -> Result<Contender<'a>, Error> {
    let mut simulation = simulation(bodies)?;
    pool.install(|| simulation.advance(case.warm_up))?;
    let (steps, mut windows) = (case.window, 0);
    Ok(Contender::new(pool.name("carom"), move || {
        let (done, elapsed) = pool.timed(|| simulation.advance(steps));
        done?;
        windows += 1;
        let vectors = simulation.bodies().iter().flat_map(motion);
        let numbers = vectors.flat_map(|(place, velocity)| {
            <[f64; D]>::from(place).into_iter().chain(<[f64; D]>::from(velocity))
        });
        let digest = format!("particles with the digest {:x}", digest(numbers));
        let run = window_of(elapsed, simulation.bodies(), steps);
        Ok(run.answer(format!(" after window {windows}"), digest))
    }))
}

/// Blocks stepped one by one, as if there were no others: without anything that looks for contact.
pub fn springs_alone(mut blocks: Vec<Body<2>>, steps: u64, pool: &TimedPool) -> Contender<'_> {
    Contender::new("carom springs-alone", move || {
        let ((), elapsed) = pool.timed(|| {
            for _ in 0..steps {
                blocks.iter_mut().for_each(|body| body.advance(&Vector::zeros(), STEP, STEP));
            }
        });
        Ok(window_of(elapsed, &blocks, steps))
    })
}

/// The part of a block that is stepped after a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The particles that a wave can have reached.
    Reached,
    /// All of it.
    Whole,
}

/// A block that is hit, from the start in each window until a wave has crossed it.
pub fn hit<'a>(block: SpringBodies<'a>, extent: Extent, pool: &'a TimedPool) -> Contender<'a> {
    let steps = block.steps_to_cross();
    let start = move || {
        let mut bodies = block.hit()?;
        if extent == Extent::Whole {
            bodies.iter_mut().for_each(Body::activate_all);
        }
        simulation(bodies)
    };
    let name = if extent == Extent::Whole { "carom whole" } else { "carom" };
    Contender::new(name, move || {
        let mut simulation = start()?;
        let (done, elapsed) = pool.timed(|| simulation.advance(steps));
        done?;
        let stepped = part_stepped(start()?, steps)?;
        let run = window_of(elapsed, simulation.bodies(), steps);
        Ok(run.with("particles stepped", stepped, ""))
    })
}

/// Particles stepped over all, counted in a run that is not timed.
fn part_stepped(mut simulation: Simulation<2>, steps: u64) -> Result<f64, Error> {
    let mut sum = 0;
    for _ in 0..steps {
        sum += simulation.bodies().iter().map(Body::reached_count).sum::<usize>();
        simulation.advance(1)?;
    }
    let all: usize = simulation.bodies().iter().map(Body::particle_count).sum();
    Ok(sum as f64 / (all as u64 * steps) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    #[test]
    fn less_is_stepped_where_a_wave_has_not_come_and_motion_is_the_same() {
        let (case, pool) = (cases::tiny("front"), TimedPool::processor().unwrap());
        let run = |extent| hit(SpringBodies::of(&case), extent, &pool).run().unwrap();
        let [front, whole] = [Extent::Reached, Extent::Whole].map(run);
        assert_eq!(whole.number("particles stepped"), Some(1.0));
        assert!(front.number("particles stepped").unwrap() < 1.0);
        let energy = |run: &Run| run.number("kinetic energy per particle").unwrap();
        assert!((energy(&front) / energy(&whole) - 1.0).abs() < 1e-5);
    }
}
