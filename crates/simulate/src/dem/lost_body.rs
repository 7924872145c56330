//! The first body whose position or velocity is no longer finite.

use super::neighbor_list::ContactHistoryTable;
use super::simulation::Simulation;
use crate::ContactObstacle;
use crate::Error;
use carom_detect::LARGEST_NUMBER;

impl<const D: usize> Simulation<D> {
    /// Returns the error that names the lost body with the smallest number, and what it touched last by the
    /// contact history.
    pub(super) fn lost_body_error(&self, history: &ContactHistoryTable) -> Error {
        let body = self.first_lost_body();
        let contact = match history.last_contact(body) {
            Some(into) => format!(
                "a contact with {} while contacts were as deep as {:.3} of a radius",
                self.with_id(into),
                self.step_totals.max_relative_overlap
            ),
            None => "no contact at all".to_owned(),
        };
        Error::LostBody { body: self.body_ids.id(body) as usize, time: self.now(), contact }
    }

    /// Returns what a body touches, with the id instead of the number of a body.
    pub(super) fn with_id(&self, obstacle: ContactObstacle) -> ContactObstacle {
        match obstacle {
            ContactObstacle::Body(number) => ContactObstacle::Body(self.body_ids.id(number)),
            wall => wall,
        }
    }

    /// Returns the smallest number of a body whose position or velocity is not finite; where only the sum of
    /// squared speeds overflows, that of the fastest body.
    fn first_lost_body(&self) -> u32 {
        let all = self.bodies.motions.iter().zip(&self.bodies.positions).zip(&self.bodies.ids);
        let squares = all.map(|((motion, place), &id)| {
            let fast = motion.velocity.norm_squared() + motion.angular_velocity.norm_squared();
            let near = place.position.iter().all(|number| number.abs() <= LARGEST_NUMBER);
            let usable = fast.is_finite() && near;
            // NaN has no order, so all unusable values count as infinite.
            (if usable { fast } else { f64::INFINITY }, id)
        });
        let order =
            |one: &(f64, u32), two: &(f64, u32)| one.0.total_cmp(&two.0).then(two.1.cmp(&one.1));
        squares.max_by(order).map_or(0, |(_, id)| id)
    }
}

impl ContactHistoryTable {
    /// Returns what a body touched last: another body, or else a wall.
    pub(super) fn last_contact(&self, body: u32) -> Option<ContactObstacle> {
        let pair = self.pairs.iter().find(|one| one.bodies.contains(&body));
        let wall = || self.walls.iter().find(|one| one.contact_key[0] == body);
        match pair {
            Some(one) => {
                Some(ContactObstacle::Body(one.bodies[usize::from(one.bodies[0] == body)]))
            }
            // The upper 16 bits are the sphere of a clump.
            None => wall().map(|one| ContactObstacle::Wall(one.contact_key[1] & 0xffff)),
        }
    }
}
