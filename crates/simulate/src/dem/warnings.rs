//! What had better not be: contacts too deep, bodies too fast for the step, contacts missed.

use super::body::Body;
use super::contact_point::{DemContactPoint, PosedBody, find_contact_points};
use super::energy;
use super::simulation::Simulation;
use super::wall;
use carom_detect::narrow::ClosestFeatures;
use carom_detect::{BroadPhaseMethod, ContactSearch};
use carom_geometry::Sphere;
use std::fmt;

/// Something that makes results doubtful.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A contact deeper than a tenth of the smaller radius.
    Deep {
        /// When.
        time: f64,
        /// The body with the smaller number.
        body: u32,
        /// What it is pressed into.
        into: ContactObstacle,
        /// How deep, in parts of the smaller radius.
        relative_overlap: f64,
    },
    /// A body that moves by more than a tenth of its radius in a step.
    Fast {
        /// When.
        time: f64,
        /// The body.
        body: u32,
        /// How far it moves in a step, in parts of its radius.
        relative_displacement: f64,
    },
}

/// What a body is pressed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactObstacle {
    /// Another body.
    Body(u32),
    /// A wall by its number.
    Wall(u32),
}

impl fmt::Display for ContactObstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            ContactObstacle::Body(number) => write!(formatter, "body {number}"),
            ContactObstacle::Wall(number) => write!(formatter, "wall {number}"),
        }
    }
}

impl Warning {
    /// In a sentence that calls walls by names, which are given by their numbers.
    pub fn describe(&self, wall: impl Fn(u32) -> String) -> String {
        match self {
            Warning::Deep { into: ContactObstacle::Wall(number), .. } => {
                self.sentence(&wall(*number))
            }
            Warning::Deep { into, .. } => self.sentence(&into.to_string()),
            Warning::Fast { .. } => self.sentence(""),
        }
    }

    fn sentence(&self, into: &str) -> String {
        match self {
            Warning::Deep { time, body, relative_overlap: part, .. } => format!(
                "body {body} is pressed into {into} by {:.0} % of a radius at time {time:.4}; a \
                 stiffer material would keep it out",
                100.0 * part
            ),
            Warning::Fast { time, body, relative_displacement: part } => format!(
                "body {body} moves by {:.0} % of its radius in one step at time {time:.4}; a shorter \
                 step would not let it pass through others",
                100.0 * part
            ),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.describe(|number| ContactObstacle::Wall(number).to_string()))
    }
}

/// The part of a radius from which on one is warned.
const WARNING_FRACTION: f64 = 0.1;

impl Simulation {
    /// What makes results doubtful now: of each kind the worst.
    pub fn warnings(&self) -> Vec<Warning> {
        let deep = if self.step_totals().max_relative_overlap > WARNING_FRACTION {
            self.deepest_overlap()
        } else {
            None
        };
        deep.into_iter().chain(self.fastest_body()).collect()
    }

    fn fastest_body(&self) -> Option<Warning> {
        let all = self.bodies.motions.iter().zip(&self.bodies.positions).zip(&self.bodies.ids);
        let relative_speeds = all.map(|((motion, place), &id)| {
            (motion.velocity.vector.norm_squared() / (place.scalar * place.scalar), id)
        });
        let (squared, body) = relative_speeds.max_by(|one, two| one.0.total_cmp(&two.0))?;
        let relative_displacement = squared.sqrt() * self.time_step();
        (relative_displacement > WARNING_FRACTION).then(|| Warning::Fast {
            time: self.now(),
            body,
            relative_displacement,
        })
    }

    fn deepest_overlap(&self) -> Option<Warning> {
        let history = self.neighbors.contact_history(&self.bodies);
        let pairs = history.pairs.iter().map(|one| {
            let [body, other] = one.bodies;
            let [here, there] = [body, other].map(|number| self.body(number as usize));
            let separation = self.settings.boundary.minimum_image(here.position, there.position);
            let shapes = &self.settings.shapes;
            let one = PosedBody::of_body(&here, shapes);
            let two =
                PosedBody::of_body(&Body { position: here.position + separation, ..there }, shapes);
            let part = |it: &DemContactPoint| it.overlap / it.radii[0].min(it.radii[1]);
            let contact_points = find_contact_points(&one, &two, &mut ClosestFeatures::new());
            (
                contact_points.iter().map(part).fold(0.0, f64::max),
                body,
                ContactObstacle::Body(other),
            )
        });
        let walls = wall::posed_walls(&self.settings.walls, self.now());
        let Simulation { bodies, neighbors, contact_laws, settings, .. } = self;
        let at_wall =
            energy::deepest_in_wall(bodies, neighbors, contact_laws, &settings.shapes, &walls);
        let held = at_wall.map(|(part, body, wall)| (part, body, ContactObstacle::Wall(wall)));
        let (relative_overlap, body, into) =
            pairs.chain(held).max_by(|one, two| one.0.total_cmp(&two.0))?;
        Some(Warning::Deep { time: self.now(), body, into, relative_overlap })
    }

    /// Looks for contacts that the neighbors miss; slow.
    pub fn check_neighbor_list(&self) -> Result<(), String> {
        let spheres: Vec<Sphere<3>> = (0..self.body_count())
            .map(|number| self.body(number))
            .map(|body| Sphere::new(self.settings.boundary.wrap(body.position), body.radius))
            .collect();
        let known = self.neighbors.contact_history(&self.bodies).pairs;
        let is_round = |body: &u32| self.body(*body as usize).shape.is_none();
        let mut missed = None;
        let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
        let found = search.visit(&spheres, &self.settings.boundary, |contact| {
            let bodies = [contact.pair.first(), contact.pair.second()];
            let smaller = bodies.map(|body| spheres[body as usize].radius);
            // What rounding may hide is no contact.
            let touches = contact.overlap > 1e-9 * smaller[0].min(smaller[1]);
            let touches = touches && bodies.iter().all(is_round);
            if touches && known.binary_search_by_key(&bodies, |one| one.bodies).is_err() {
                missed.get_or_insert(bodies);
            }
        });
        found.map_err(|error| error.to_string())?;
        match missed {
            Some([first, second]) => Err(format!("the contact of {first} and {second} is missed")),
            None => Ok(()),
        }
    }
}
