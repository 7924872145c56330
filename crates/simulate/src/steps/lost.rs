//! The first body that is nowhere or infinitely fast, by name.

use super::neighbours::Memories;
use super::simulation::Simulation;
use super::warnings::Obstacle;
use crate::Error;
use carom_detect::LARGEST_NUMBER;

impl Simulation {
    /// The error that names the lost body of the smallest number, and what it touched last; `memories`
    /// are those of the last contacts.
    pub(super) fn name_lost(&self, memories: &Memories) -> Error {
        let body = self.first_lost();
        let contact = match memories.last_contact(body) {
            Some(into) => format!(
                "a contact with {into} while contacts were as deep as {:.3} of a radius",
                self.tally.deepest
            ),
            None => "no contact at all".to_owned(),
        };
        Error::Lost { body: body as usize, time: self.now(), contact }
    }

    /// The smallest number of a body whose place or velocity is none; where only their sum is too
    /// large, that of the fastest.
    fn first_lost(&self) -> u32 {
        let all = self.bodies.motions.iter().zip(&self.bodies.places).zip(&self.bodies.ids);
        let squares = all.map(|((motion, place), &id)| {
            let fast = motion.velocity.vector.norm_squared() + motion.spin.vector.norm_squared();
            let near = place.vector.iter().all(|number| number.abs() <= LARGEST_NUMBER);
            let usable = fast.is_finite() && near;
            // What is no number has no order of its own.
            (if usable { fast } else { f64::INFINITY }, id)
        });
        let order =
            |one: &(f64, u32), two: &(f64, u32)| one.0.total_cmp(&two.0).then(two.1.cmp(&one.1));
        squares.max_by(order).map_or(0, |(_, id)| id)
    }
}

impl Memories {
    /// What a body touches or touched last: another body, or else a wall.
    pub(super) fn last_contact(&self, body: u32) -> Option<Obstacle> {
        let pair = self.pairs.iter().find(|one| one.bodies.contains(&body));
        let wall = || self.walls.iter().find(|one| one.key[0] == body);
        match pair {
            Some(one) => Some(Obstacle::Body(one.bodies[usize::from(one.bodies[0] == body)])),
            // The upper half is the sphere of a clump.
            None => wall().map(|one| Obstacle::Wall(one.key[1] & 0xffff)),
        }
    }
}
