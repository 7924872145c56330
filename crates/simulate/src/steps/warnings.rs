//! What had better not be: contacts too deep, bodies too fast for the step, contacts missed.

use super::body::Body;
use super::figures;
use super::meeting::{Meeting, Placed, meet};
use super::simulation::Simulation;
use super::wall;
use carom_detect::narrow::ClosestFeatures;
use carom_detect::{ContactSearch, Method};
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
        into: Obstacle,
        /// How deep, in parts of the smaller radius.
        part: f64,
    },
    /// A body that moves by more than a tenth of its radius in a step.
    Fast {
        /// When.
        time: f64,
        /// The body.
        body: u32,
        /// How far it moves in a step, in parts of its radius.
        part: f64,
    },
}

/// What a body is pressed into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Another body.
    Body(u32),
    /// A wall by its number.
    Wall(u32),
}

impl fmt::Display for Obstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Obstacle::Body(number) => write!(formatter, "body {number}"),
            Obstacle::Wall(number) => write!(formatter, "wall {number}"),
        }
    }
}

impl Warning {
    /// In a sentence that calls walls by names, which are given by their numbers.
    pub fn told(&self, wall: impl Fn(u32) -> String) -> String {
        match self {
            Warning::Deep { into: Obstacle::Wall(number), .. } => self.with(&wall(*number)),
            Warning::Deep { into, .. } => self.with(&into.to_string()),
            Warning::Fast { .. } => self.with(""),
        }
    }

    fn with(&self, into: &str) -> String {
        match self {
            Warning::Deep { time, body, part, .. } => format!(
                "body {body} is pressed into {into} by {:.0} % of a radius at time {time:.4}; a \
                 stiffer material would keep it out",
                100.0 * part
            ),
            Warning::Fast { time, body, part } => format!(
                "body {body} moves by {:.0} % of its radius in one step at time {time:.4}; a shorter \
                 step would not let it pass through others",
                100.0 * part
            ),
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.told(|number| Obstacle::Wall(number).to_string()))
    }
}

/// The part of a radius from which on one is warned.
const MUCH: f64 = 0.1;

impl Simulation {
    /// What makes results doubtful now: of each kind the worst.
    pub fn warnings(&self) -> Vec<Warning> {
        let deep = if self.tally().deepest > MUCH { self.deepest() } else { None };
        deep.into_iter().chain(self.fastest()).collect()
    }

    fn fastest(&self) -> Option<Warning> {
        let all = self.bodies.motions.iter().zip(&self.bodies.places).zip(&self.bodies.ids);
        let ways = all.map(|((motion, place), &id)| {
            (motion.velocity.vector.norm_squared() / (place.fourth * place.fourth), id)
        });
        let (squared, body) = ways.max_by(|one, two| one.0.total_cmp(&two.0))?;
        let part = squared.sqrt() * self.step();
        (part > MUCH).then(|| Warning::Fast { time: self.now(), body, part })
    }

    fn deepest(&self) -> Option<Warning> {
        let memories = self.neighbours.memories(&self.bodies);
        let pairs = memories.pairs.iter().map(|one| {
            let [body, other] = one.bodies;
            let [here, there] = [body, other].map(|number| self.body(number as usize));
            let way = self.settings.boundary.shortest(here.position, there.position);
            let shapes = &self.settings.shapes;
            let one = Placed::of(&here, shapes);
            let two = Placed::of(&Body { position: here.position + way, ..there }, shapes);
            let part = |it: &Meeting| it.overlap / it.radii[0].min(it.radii[1]);
            let meetings = meet(&one, &two, &mut ClosestFeatures::new());
            (meetings.iter().map(part).fold(0.0, f64::max), body, Obstacle::Body(other))
        });
        let walls = wall::placed(&self.settings.walls, self.now());
        let Simulation { bodies, neighbours, laws, settings, .. } = self;
        let held = figures::deepest_in_wall(bodies, neighbours, laws, &settings.shapes, &walls);
        let held = held.map(|(part, body, wall)| (part, body, Obstacle::Wall(wall)));
        let (part, body, into) = pairs.chain(held).max_by(|one, two| one.0.total_cmp(&two.0))?;
        Some(Warning::Deep { time: self.now(), body, into, part })
    }

    /// Looks for contacts that the neighbours miss; slow.
    pub fn check(&self) -> Result<(), String> {
        let spheres: Vec<Sphere<3>> = (0..self.count())
            .map(|number| self.body(number))
            .map(|body| Sphere::new(self.settings.boundary.wrap(body.position), body.radius))
            .collect();
        let known = self.neighbours.memories(&self.bodies).pairs;
        let is_round = |body: &u32| self.body(*body as usize).shape.is_none();
        let mut missed = None;
        let mut search = ContactSearch::new(Method::Auto);
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
