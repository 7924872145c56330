//! The collision rule: velocities after a collision.

use crate::Restitution;
use carom_geometry::Vector;

/// State of two bodies at the moment of contact, as the rule needs it.
pub struct CollidingPair<const D: usize> {
    /// Vector from the center of the first body to that of the second.
    pub separation: Vector<D>,
    /// Velocity of the second body relative to the first.
    pub relative_velocity: Vector<D>,
    /// Rate at which the contact distance (the sum of radii) grows.
    pub contact_distance_rate: f64,
    /// Acceleration of the second body toward the first, along the normal.
    pub closing_acceleration: f64,
    pub masses: [f64; 2],
}

/// The outcome of a collision.
pub struct CollisionImpulse<const D: usize> {
    /// Changes to be added to the two velocities.
    pub velocity_changes: [Vector<D>; 2],
    pub distance: f64,
    /// Momentum exchanged along the normal.
    pub impulse: f64,
    /// Kinetic energy lost.
    pub energy_loss: f64,
}

/// Restitution, and the treatment of lasting contacts (the TC model against inelastic collapse).
#[derive(Clone, Copy, Debug)]
pub struct CollisionRule {
    /// Coefficients of restitution of both bodies; the smaller one counts.
    pub restitutions: [Restitution; 2],
    /// Whether the last collision of a body was less than the contact time ago, so that this one is elastic.
    pub lasting: bool,
    /// Time for which bodies at rest on each other are apart between two collisions.
    pub rest_time: f64,
    /// Resolution of time by rounding at the present time. Minus infinity where the contact-time rule already
    /// turns repeated collisions into a lasting contact.
    pub time_resolution: f64,
}

impl CollisionRule {
    /// Returns the speed of separation after an approach; `push` is the acceleration toward each other.
    ///
    /// In a lasting contact nothing is lost, and where a force holds the bodies together they separate fast
    /// enough to stay apart for the contact time, so that the run continues. The same holds, lasting or not,
    /// where they would otherwise collide again before time can advance by rounding.
    #[inline]
    pub fn rebound_speed(&self, approach: f64, push: f64) -> f64 {
        // A body thrown up at speed v under an acceleration a is back after 2 v / a.
        let at_rest = 0.5 * push * self.rest_time;
        let rebound = if self.lasting {
            approach.max(at_rest)
        } else {
            let [first, second] = self.restitutions.map(|law| law.at(approach));
            first.min(second) * approach
        };
        let passes = 2.0 * rebound > push * self.time_resolution;
        if push > 0.0 && !passes { at_rest } else { rebound }
    }

    /// Applies the rule to two bodies in contact; the bodies are smooth, so only normal velocities change.
    #[inline]
    pub fn collide<const D: usize>(&self, impact: &CollidingPair<D>) -> CollisionImpulse<D> {
        let distance = impact.separation.norm();
        // Centers of bodies that are tiny beside their free path may coincide by rounding.
        let normal = match distance > 0.0 {
            true => impact.separation / distance,
            false => -impact.relative_velocity.normalize(),
        };
        let approach =
            (impact.contact_distance_rate - impact.relative_velocity.dot(&normal)).max(0.0);
        let rebound = self.rebound_speed(approach, impact.closing_acceleration);
        // Equal and opposite impulses of the reduced mass: momentum is kept to rounding.
        let change = approach + rebound;
        let [first, second] = impact.masses;
        let total = first + second;
        let momentum = first * second / total * change;
        CollisionImpulse {
            velocity_changes: [
                normal * (-second / total * change),
                normal * (first / total * change),
            ],
            distance,
            impulse: momentum,
            energy_loss: 0.5 * momentum * (approach - rebound),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(restitution: f64, lasting: bool) -> CollisionRule {
        let restitutions = [Restitution::Constant(restitution); 2];
        CollisionRule { restitutions, lasting, rest_time: 0.25, time_resolution: 1e-15 }
    }

    fn head_on(masses: [f64; 2], restitution: f64) -> CollisionImpulse<2> {
        let rule = rule(restitution, false);
        let (step, velocity) = (Vector::from([2.0, 0.0]), Vector::from([-3.0, 1.0]));
        rule.collide(&CollidingPair {
            separation: step,
            relative_velocity: velocity,
            contact_distance_rate: 0.0,
            closing_acceleration: 0.0,
            masses,
        })
    }

    #[test]
    fn equal_masses_swap_their_normal_velocities() {
        let outcome = head_on([1.0, 1.0], 1.0);
        assert_eq!(outcome.velocity_changes, [Vector::from([-3.0, 0.0]), Vector::from([3.0, 0.0])]);
        assert_eq!((outcome.impulse, outcome.energy_loss), (3.0, 0.0));
    }

    #[test]
    fn restitution_scales_the_speed_of_separation() {
        let outcome = head_on([1.0, 3.0], 0.5);
        let relative = -3.0 + outcome.velocity_changes[1].x - outcome.velocity_changes[0].x;
        assert_eq!(relative, 1.5);
        // Reduced mass 3/4: 0.5 * 0.75 * (9 - 2.25).
        assert_eq!(outcome.energy_loss, 0.5 * 0.75 * (9.0 - 2.25));
    }

    #[test]
    fn a_lasting_contact_parts_for_the_contact_time() {
        let rule = rule(0.0, true);
        assert_eq!(rule.rebound_speed(1e-9, 8.0), 1.0);
        assert_eq!(rule.rebound_speed(2.0, 8.0), 2.0);
    }

    #[test]
    fn centers_that_coincide_part_the_way_they_came() {
        let velocity = Vector::from([-3.0, 4.0]);
        let impact = CollidingPair {
            separation: Vector::zeros(),
            relative_velocity: velocity,
            contact_distance_rate: 0.0,
            closing_acceleration: 0.0,
            masses: [1.0; 2],
        };
        let outcome = rule(1.0, false).collide(&impact);
        assert_eq!(outcome.velocity_changes, [velocity, -velocity]);
    }

    #[test]
    fn what_would_come_again_at_once_parts_for_a_while() {
        assert_eq!(rule(1.0, false).rebound_speed(0.0, 8.0), 1.0);
        assert_eq!(rule(0.5, false).rebound_speed(1e-16, 8.0), 1.0);
        assert_eq!(rule(0.5, false).rebound_speed(1e-3, 8.0), 0.5e-3);
        assert_eq!(rule(1.0, false).rebound_speed(0.0, 0.0), 0.0);
    }
}
