//! Further faults of the 1989 method, counted.

use super::figure_2;
use super::koti1989::{Koti1989Constants, Object, Run, update};
use crate::records::{Record, Records, record};
use carom::geometry::Vector;

/// Counted faults.
#[derive(Clone, Debug, PartialEq)]
pub struct ThesisFaults {
    /// Particles of grids that lack a neighbor, and those of them that the scan does not call peripheral.
    pub boundaries: Records,
    /// Directions, of 36 from which two discs were let into each other within one step, from which the crossing test saw
    /// it.
    pub detected: usize,
    /// Growth factor of an oscillator's energy in a period, by its frequency times the interval.
    pub growth: Records,
}

/// Directions that are tried.
const DIRECTIONS: usize = 36;

/// Counts all.
pub fn measure() -> ThesisFaults {
    let swing = |product| record! { "product": product, "factor": growth(product) };
    ThesisFaults {
        boundaries: [20, 50, 100, 200].map(boundary).into_iter().collect(),
        detected: (0..DIRECTIONS).filter(|&direction| is_detected(direction)).count(),
        growth: [0.01, 0.1, 0.5].map(swing).into_iter().collect(),
    }
}

fn boundary(grid: u32) -> Record {
    let mut data = figure_2().objects[0].clone();
    data.grid = grid;
    let object = Object::new(&data);
    let lacking = (0..object.particles.len()).filter(|&number| object.neighbor_count(number) < 4);
    let rim: Vec<usize> = lacking.collect();
    let missed = rim.iter().filter(|&&number| !object.particles[number].is_peripheral).count();
    record! {
        "grid": grid, "lack a neighbor": rim.len(), "missed by the scan": missed,
        "part": missed as f64 / rim.len() as f64,
    }
}

/// Whether a step is halved that brings two discs, a spacing apart, half a radius into each other. There is one box, so
/// that all pairs are tested.
fn is_detected(direction: usize) -> bool {
    let mut scene = figure_2();
    let (sine, cosine) = (std::f64::consts::TAU * direction as f64 / DIRECTIONS as f64).sin_cos();
    // Of whole turns, sines and cosines are meant to be whole.
    let approach_direction =
        Vector::from([cosine, sine].map(|part| if part.abs() < 1e-12 { 0.0 } else { part }));
    for (object, sign) in scene.objects.iter_mut().zip([-1.0, 1.0]) {
        let center = Vector::from([50.0, 50.0]) + approach_direction * (sign * 10.2);
        object.grid = 50;
        object.center = [center.x, center.y, 0.0];
        object.velocity =
            [-5.0 * sign * approach_direction.x, -5.0 * sign * approach_direction.y, 0.0];
    }
    // Both move by a quarter of a radius.
    let step = 0.5;
    let limit = Some(1e-6);
    let constants = Koti1989Constants {
        boxes: 1,
        first_step: Some(step),
        limit,
        ..Koti1989Constants::default()
    };
    let mut run = Run::new(&scene, constants).expect("turned discs are inside the scene");
    run.advance(|_, _| ());
    run.step() < step
}

/// The factor by which the energy of a swing grows in a period.
fn growth(product: f64) -> f64 {
    let (mut place, mut velocity) = (Vector::zeros(), Vector::from([1.0, 0.0, 0.0]));
    let steps = 10_000;
    let mut logarithm = 0.0;
    for _ in 0..steps {
        (place, velocity) = update(&place, &velocity, &-place, product);
        let size = (place.norm_squared() + velocity.norm_squared()).sqrt();
        logarithm += 2.0 * size.ln();
        (place, velocity) = (place / size, velocity / size);
    }
    (logarithm * std::f64::consts::TAU / (product * f64::from(steps))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scan_misses_particles_and_the_update_gains_energy_as_known() {
        let ThesisFaults { boundaries, growth, .. } = measure();
        let known = [(56.0, 16.0), (140.0, 40.0), (280.0, 80.0), (564.0, 164.0)];
        assert_eq!(boundaries.points("lack a neighbor", "missed by the scan"), known);
        for (found, known) in growth.numbers("factor").zip([1.032, 1.37, 4.4]) {
            assert!((found / known - 1.0).abs() < 0.01, "{found}");
        }
    }
}
