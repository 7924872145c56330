//! The first body whose position or velocity is no longer finite, or which gets a force that is not.

use super::contact_law::ContactLaw;
use super::contact_losses::ContactLosses;
use super::neighbor_list::ContactHistoryTable;
use super::simulation::Simulation;
use crate::ContactObstacle;
use crate::Error;
use carom_detect::LARGEST_NUMBER;
use carom_geometry::Vector;

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Returns the error that names the lost body with the smallest number, and what it touched last by the
    /// contact history.
    pub(super) fn lost_body_error(&self, history: &ContactHistoryTable<L::History>) -> Error {
        if let Some(error) = self.contact_force_error(history) {
            return error;
        }
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

    /// Refuses forces of contacts that are not finite, and losses. Torques alone are found when bodies are moved.
    pub(super) fn check_contact_forces(&self) -> Result<(), Error> {
        let ContactLosses { damping_loss, friction_loss } = self.step_totals.losses;
        let loss = damping_loss + friction_loss;
        if (loss + self.step_totals.virial).is_finite() {
            return Ok(());
        }
        let history = self.neighbors.contact_history(&self.bodies);
        let of_losses =
            || Error::ContactForce { what: "a loss".to_owned(), value: loss, time: self.now() };
        Err(self.contact_force_error(&history).unwrap_or_else(of_losses))
    }

    /// Returns the error that names the body with the smallest number among those whose force or torque is not finite, and
    /// what it touches; none if all are finite.
    fn contact_force_error(&self, history: &ContactHistoryTable<L::History>) -> Option<Error> {
        let all = self.bodies.forces_torques.iter().zip(&self.bodies.ids);
        let wrong = all.filter_map(|(load, &id)| {
            let parts = [("force", load.force), ("torque", load.torque)];
            let of = |(what, vector): (_, Vector<3>)| {
                Some((what, vector.iter().copied().find(|part| !part.is_finite())?))
            };
            Some((id, parts.into_iter().find_map(of)?))
        });
        let (body, (part, value)) = wrong.min_by_key(|(id, _)| *id)?;
        let id = self.body_ids.id(body);
        let what = match history.last_contact(body) {
            Some(into) => format!("body {id}, which touches {}, a {part}", self.with_id(into)),
            None => format!("body {id} a {part}"),
        };
        Some(Error::ContactForce { what, value, time: self.now() })
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

impl<H> ContactHistoryTable<H> {
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
