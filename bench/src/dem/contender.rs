//! carom as a contender: a run that advances window by window.

use crate::cases::Case;
use crate::error::Error;
use crate::memory::MemoryMark;
use crate::race::{Contender, Run};
use crate::timing::TimedPool;
use carom::simulate::dem::{Body, Settings, Simulation};
use std::time::Duration;

/// Returns the run of a window of steps: what is to be seen of the bed after it, by which programs that round
/// otherwise can be compared. Contacts are pairs of bodies that touch; the energy is the translational one of all.
pub fn window(
    elapsed: Duration,
    bodies: usize,
    steps: u64,
    contacts: f64,
    kinetic_energy: f64,
) -> Run {
    let bodies = bodies as f64;
    let per_step = elapsed.as_secs_f64() / steps as f64;
    Run::new(elapsed)
        .compared("body steps per second", bodies / per_step * 1e-6, "million/s")
        .with("time per step", per_step * 1e3, "ms")
        .with("time per contact", per_step / contacts * 1e9, "ns")
        .with("contacts per body", contacts / bodies, "")
        .with("kinetic energy per body", kinetic_energy / bodies, "")
        .with("steps", steps as f64, "")
}

/// Warms up; the largest displacement of a body in a window is seen too.
pub fn carom<'a>(
    case: &Case,
    bodies: &[Body],
    settings: &Settings,
    pool: &'a TimedPool,
) -> Result<Contender<'a>, Error> {
    let mark = MemoryMark::set();
    let mut simulation = pool.install(|| {
        let mut simulation = Simulation::new(bodies, settings.clone())?;
        simulation.advance(case.warm_up)?;
        Ok::<_, Error>(simulation)
    })?;
    let (memory, steps, mut windows) = (mark.taken(), case.window, 0);
    let all = |simulation: &Simulation| -> Vec<Body> {
        (0..simulation.body_count()).map(|number| simulation.body(number)).collect()
    };
    Ok(Contender::new(pool.name("carom"), move || {
        let before = all(&simulation);
        let (done, elapsed) = pool.timed(|| simulation.advance(steps));
        done?;
        windows += 1;
        let after = all(&simulation);
        let boundary = &simulation.settings().boundary;
        // A body that left on one side came in on the other.
        let moved =
            |(from, to): (&Body, &Body)| boundary.minimum_image(from.position, to.position).norm();
        let moved = before.iter().zip(&after).map(moved).fold(0.0, f64::max);
        let contacts = simulation.step_totals().contacts as f64;
        let energy = simulation.energy().kinetic_energy;
        let vectors = |body: &Body| [body.position, body.velocity, body.angular_velocity];
        let numbers = after.iter().flat_map(vectors).flat_map(<[f64; 3]>::from);
        Ok(window(elapsed, after.len(), steps, contacts, energy)
            .with("largest displacement", moved, "")
            .memory(memory, after.len(), "B/body")
            .answer(
                format!(" after window {windows}"),
                format!("bodies with the digest {:x}", digest(numbers)),
            ))
    }))
}

/// Returns the digest of all bits of some numbers.
pub fn digest(numbers: impl Iterator<Item = f64>) -> u64 {
    carom::io::digest(&numbers.flat_map(f64::to_le_bytes).collect::<Vec<u8>>())
}
