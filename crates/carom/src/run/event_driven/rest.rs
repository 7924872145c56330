//! Whether anything can happen any more.
//!
//! The event calendar cannot answer this: a neighbor structure keeps changing while bodies fly apart, and a pair that
//! will collide in the far future is in no neighbor list yet. So all pairs are tested, but seldom.

use carom_geometry::{Vector, math};
use carom_scene::scene::BoundaryCondition;
use carom_simulate::event_driven::Simulation;

/// A run without an end in time ends here at the latest.
pub(super) const LATEST: f64 = (1_u128 << 100) as f64;
const EARLIEST: f64 = 1.0 / (1_u64 << 40) as f64;

/// The time of the next check after `now`: powers of two, so that a run ends at the same time however often it was cut,
/// checks cost little over the whole run, and a run at rest continues for no longer than it has lasted.
pub(super) fn next_rest_check(now: f64) -> f64 {
    if now < EARLIEST {
        return EARLIEST;
    }
    let power = 2.0_f64.powi(math::log2(now).floor() as i32);
    // The logarithm of a number just below a power may be rounded up to it.
    [power, 2.0 * power, 4.0 * power].into_iter().find(|&time| time > now).unwrap_or(LATEST)
}

/// Whether `now` is the time of a check.
pub(super) fn is_rest_check_time(now: f64) -> bool {
    now == 0.0 || (now >= EARLIEST && next_rest_check(now) == 2.0 * now)
}

/// Whether no body will ever be deflected again: no field, thermostat or growth acts, and either all move with one
/// velocity without walls, or none moves toward a side and no two will collide. Costs at most the square of the number
/// of bodies; the first pair that will collide ends it.
pub(super) fn is_at_rest<const D: usize>(simulation: &Simulation<D>) -> bool {
    let settings = simulation.settings();
    let acts = settings.thermostat.is_some() || settings.field.is_some() || simulation.is_growing();
    let closed =
        |axis: &usize| settings.region.boundary_conditions[*axis] != BoundaryCondition::Open;
    if acts || (0..D).filter(closed).any(|axis| settings.gravity[axis] != 0.0) {
        return false;
    }
    let bodies = 0..simulation.count();
    let wall = |side: &BoundaryCondition| matches!(side, BoundaryCondition::Wall { .. });
    let as_one = |body: usize| simulation.velocity(body) == simulation.velocity(0);
    if !settings.region.boundary_conditions.iter().any(wall) && bodies.clone().all(as_one) {
        return true;
    }
    let toward_a_side =
        |body: usize| (0..D).filter(closed).any(|axis| simulation.velocity(body)[axis] != 0.0);
    if bodies.clone().any(toward_a_side) {
        return false;
    }
    let flights: Vec<BallisticBody<D>> =
        bodies.map(|body| BallisticBody::of(simulation, body)).collect();
    let boundary = settings.region.boundary().expect("the region was checked");
    !flights.iter().enumerate().any(|(index, a)| {
        flights[index + 1..]
            .iter()
            .any(|b| a.will_collide_with(b, boundary.minimum_image(a.position, b.position)))
    })
}

/// A body in free flight. Uniform gravity does not change which bodies collide.
struct BallisticBody<const D: usize> {
    position: Vector<D>,
    velocity: Vector<D>,
    radius: f64,
}

impl<const D: usize> BallisticBody<D> {
    fn of(simulation: &Simulation<D>, body: usize) -> Self {
        BallisticBody {
            position: simulation.position(body),
            velocity: simulation.velocity(body),
            radius: simulation.radius(body),
        }
    }

    /// Whether two bodies at this separation will collide, now or later.
    fn will_collide_with(&self, other: &Self, distance: Vector<D>) -> bool {
        let velocity = other.velocity - self.velocity;
        let approach = distance.dot(&velocity);
        let reach = self.radius + other.radius;
        let gap = distance.norm_squared() - reach * reach;
        approach < 0.0 && approach * approach > velocity.norm_squared() * gap
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rest_checks_are_at_powers_of_two() {
        assert_eq!([0.3, 1.0, 5.0, 8.0].map(next_rest_check), [0.5, 2.0, 8.0, 16.0]);
        assert_eq!([0.0, 0.25, 1.0, 8.0].map(is_rest_check_time), [true; 4]);
        assert_eq!([1e-20, 0.3, 7.999_999_999_999_999, 9.0].map(is_rest_check_time), [false; 4]);
        assert_eq!(next_rest_check(0.0), EARLIEST);
        assert!(is_rest_check_time(EARLIEST) && next_rest_check(7.999_999_999_999_999) == 8.0);
    }
}
