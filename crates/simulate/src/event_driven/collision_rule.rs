//! What a collision does to velocities.

use carom_geometry::Vector;
use carom_scene::scene::Restitution;

/// Who collides: everything the rule needs to know about two bodies at the moment they touch.
pub struct CollidingPair<const D: usize> {
    /// From the first center to the second.
    pub separation: Vector<D>,
    /// Of the second relative to the first.
    pub relative_velocity: Vector<D>,
    /// How fast the distance of contact grows.
    pub contact_distance_rate: f64,
    /// Acceleration that pushes the second against the first.
    pub closing_acceleration: f64,
    pub masses: [f64; 2],
}

/// What the collision does.
pub struct CollisionImpulse<const D: usize> {
    /// To be added to the two velocities.
    pub velocity_changes: [Vector<D>; 2],
    pub distance: f64,
    /// Momentum exchanged.
    pub impulse: f64,
    /// Energy lost.
    pub energy_loss: f64,
}

/// The rule of restitution, and of contacts that last.
#[derive(Clone, Copy, Debug)]
pub struct CollisionRule {
    /// Of both; the smaller counts.
    pub restitutions: [Restitution; 2],
    /// Whether the collision comes so soon after the last that it is made elastic.
    pub lasting: bool,
    /// How long bodies that rest on each other are apart between two collisions.
    pub rest_time: f64,
    /// Shorter times cannot be told from nothing at present. Minus infinity where what comes again at
    /// once becomes a lasting contact by itself.
    pub time_resolution: f64,
}

impl CollisionRule {
    /// The speed of separation after an approach.
    ///
    /// In a lasting contact nothing is lost, and where a force holds the bodies together they part
    /// fast enough to stay apart for the contact time, so that the run goes on. So they do, lasting or
    /// not, where they would be pushed together again before time has passed.
    #[inline]
    pub fn rebound_speed(&self, approach: f64, push: f64) -> f64 {
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

    #[inline]
    pub fn collide<const D: usize>(&self, impact: &CollidingPair<D>) -> CollisionImpulse<D> {
        let distance = impact.separation.norm();
        // Bodies tiny beside the way they have come may meet with their centers, by rounding.
        let normal = match distance > 0.0 {
            true => impact.separation / distance,
            false => -impact.relative_velocity.normalize(),
        };
        let approach =
            (impact.contact_distance_rate - impact.relative_velocity.dot(&normal)).max(0.0);
        let rebound = self.rebound_speed(approach, impact.closing_acceleration);
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
