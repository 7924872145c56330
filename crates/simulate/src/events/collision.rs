//! What a collision does to velocities.

use carom_geometry::Vector;
use carom_scene::scene::Restitution;

/// Who collides: everything the rule needs to know about two bodies at the moment they touch.
pub struct Impact<const D: usize> {
    /// From the first centre to the second.
    pub step: Vector<D>,
    /// Of the second relative to the first.
    pub velocity: Vector<D>,
    /// How fast the distance of contact grows.
    pub widening: f64,
    /// Acceleration that pushes the second against the first.
    pub push: f64,
    pub masses: [f64; 2],
}

/// What the collision does.
pub struct Outcome<const D: usize> {
    /// To be added to the two velocities.
    pub changes: [Vector<D>; 2],
    pub distance: f64,
    /// Momentum exchanged.
    pub momentum: f64,
    /// Energy lost.
    pub lost: f64,
}

/// The rule of restitution, and of contacts that last.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Of both; the smaller counts.
    pub restitutions: [Restitution; 2],
    /// Whether the collision comes so soon after the last that it is made elastic.
    pub lasting: bool,
    /// How long bodies that rest on each other are apart between two collisions.
    pub rest_time: f64,
    /// Shorter times cannot be told from nothing at present. Minus infinity where what comes again at
    /// once becomes a lasting contact by itself.
    pub shortest_time: f64,
}

impl Rule {
    /// The speed of separation after an approach.
    ///
    /// In a lasting contact nothing is lost, and where a force holds the bodies together they part
    /// fast enough to stay apart for the contact time, so that the run goes on. So they do, lasting or
    /// not, where they would be pushed together again before time has passed.
    #[inline]
    pub fn rebound(&self, approach: f64, push: f64) -> f64 {
        let at_rest = 0.5 * push * self.rest_time;
        let rebound = if self.lasting {
            approach.max(at_rest)
        } else {
            let [first, second] = self.restitutions.map(|law| law.at(approach));
            first.min(second) * approach
        };
        let passes = 2.0 * rebound > push * self.shortest_time;
        if push > 0.0 && !passes { at_rest } else { rebound }
    }

    #[inline]
    pub fn collide<const D: usize>(&self, impact: &Impact<D>) -> Outcome<D> {
        let distance = impact.step.norm();
        // Bodies tiny beside the way they have come may meet with their centres, by rounding.
        let normal = match distance > 0.0 {
            true => impact.step / distance,
            false => -impact.velocity.normalize(),
        };
        let approach = (impact.widening - impact.velocity.dot(&normal)).max(0.0);
        let rebound = self.rebound(approach, impact.push);
        let change = approach + rebound;
        let [first, second] = impact.masses;
        let total = first + second;
        let momentum = first * second / total * change;
        Outcome {
            changes: [normal * (-second / total * change), normal * (first / total * change)],
            distance,
            momentum,
            lost: 0.5 * momentum * (approach - rebound),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(restitution: f64, lasting: bool) -> Rule {
        let restitutions = [Restitution::Constant(restitution); 2];
        Rule { restitutions, lasting, rest_time: 0.25, shortest_time: 1e-15 }
    }

    fn head_on(masses: [f64; 2], restitution: f64) -> Outcome<2> {
        let rule = rule(restitution, false);
        let (step, velocity) = (Vector::from([2.0, 0.0]), Vector::from([-3.0, 1.0]));
        rule.collide(&Impact { step, velocity, widening: 0.0, push: 0.0, masses })
    }

    #[test]
    fn equal_masses_swap_their_normal_velocities() {
        let outcome = head_on([1.0, 1.0], 1.0);
        assert_eq!(outcome.changes, [Vector::from([-3.0, 0.0]), Vector::from([3.0, 0.0])]);
        assert_eq!((outcome.momentum, outcome.lost), (3.0, 0.0));
    }

    #[test]
    fn restitution_scales_the_speed_of_separation() {
        let outcome = head_on([1.0, 3.0], 0.5);
        let relative = -3.0 + outcome.changes[1].x - outcome.changes[0].x;
        assert_eq!(relative, 1.5);
        // Reduced mass 3/4: 0.5 * 0.75 * (9 - 2.25).
        assert_eq!(outcome.lost, 0.5 * 0.75 * (9.0 - 2.25));
    }

    #[test]
    fn a_lasting_contact_parts_for_the_contact_time() {
        let rule = rule(0.0, true);
        assert_eq!(rule.rebound(1e-9, 8.0), 1.0);
        assert_eq!(rule.rebound(2.0, 8.0), 2.0);
    }

    #[test]
    fn centres_that_coincide_part_the_way_they_came() {
        let velocity = Vector::from([-3.0, 4.0]);
        let impact =
            Impact { step: Vector::zeros(), velocity, widening: 0.0, push: 0.0, masses: [1.0; 2] };
        let outcome = rule(1.0, false).collide(&impact);
        assert_eq!(outcome.changes, [velocity, -velocity]);
    }

    #[test]
    fn what_would_come_again_at_once_parts_for_a_while() {
        assert_eq!(rule(1.0, false).rebound(0.0, 8.0), 1.0);
        assert_eq!(rule(0.5, false).rebound(1e-16, 8.0), 1.0);
        assert_eq!(rule(0.5, false).rebound(1e-3, 8.0), 0.5e-3);
        assert_eq!(rule(1.0, false).rebound(0.0, 0.0), 0.0);
    }
}
