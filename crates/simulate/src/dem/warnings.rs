//! Warnings of doubtful results: contacts too deep, bodies too fast for the time step; and a check of the
//! neighbor list.

use super::body::Body;
use super::contact_law::ContactLaw;
use super::contact_point::{DemContactPoint, PosedBody, find_contact_points};
use super::energy;
use super::simulation::Simulation;
use super::wall;
use crate::ContactObstacle;
use carom_detect::narrow::ClosestFeatures;
use carom_detect::{BroadPhaseMethod, ContactSearch};
use carom_geometry::Sphere;
use std::fmt;

/// A condition that makes results doubtful.
///
/// ```
/// use carom_simulate::ContactObstacle;
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation, Warning};
/// // An overlap of 0.15 radii.
/// let bodies = [0.0, 0.925].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
/// let simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e4)))?;
/// let [Warning::Deep { body: 0, into: ContactObstacle::Body(1), relative_overlap, .. }] =
///     simulation.warnings()[..]
/// else {
///     panic!("body 0 is deep in body 1")
/// };
/// assert!((relative_overlap - 0.15).abs() < 1e-9);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// The penetration depth of a contact is more than a tenth of the smaller radius.
    Deep {
        /// Simulated time.
        time: f64,
        /// Number of the body; of two bodies the smaller one.
        body: u32,
        /// The body or wall that it is pressed into.
        into: ContactObstacle,
        /// Penetration depth, in units of the smaller radius.
        relative_overlap: f64,
    },
    /// A body moves by more than a tenth of its radius in a time step.
    Fast {
        /// Simulated time.
        time: f64,
        /// Number of the body.
        body: u32,
        /// Displacement in a time step, in units of its radius.
        relative_displacement: f64,
    },
}

impl Warning {
    /// Returns the warning as a sentence; `wall` gives the name of a wall by its number.
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
                "body {body} moves by {:.0} % of its radius in one time step at time {time:.4}; a \
                 shorter one would keep it from passing through others",
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

/// Fraction of a radius above which there is a warning.
const WARNING_FRACTION: f64 = 0.1;

impl<const D: usize, L: ContactLaw> Simulation<D, L> {
    /// Returns the present warnings, the worst of each kind.
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
            (motion.velocity.norm_squared() / (place.radius * place.radius), id)
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
            let [here, there] = [body, other].map(|number| self.stored_body(number as usize));
            let separation = self.boundary.minimum_image(here.position, there.position);
            let shapes = &self.shapes;
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
        let Simulation { bodies, neighbors, contact_laws, shapes, .. } = self;
        let at_wall = energy::deepest_in_wall(bodies, neighbors, contact_laws, shapes, &walls);
        let held = at_wall.map(|(part, body, wall)| (part, body, ContactObstacle::Wall(wall)));
        let (relative_overlap, body, into) =
            pairs.chain(held).max_by(|one, two| one.0.total_cmp(&two.0))?;
        Some(Warning::Deep { time: self.now(), body, into, relative_overlap })
    }

    /// Verifies that the neighbor list misses no contact of spheres; slow, for tests.
    pub fn check_neighbor_list(&self) -> Result<(), String> {
        let spheres: Vec<Sphere<3>> = (0..self.body_count())
            .map(|number| self.stored_body(number))
            .map(|body| Sphere::new(self.boundary.wrap(body.position), body.radius))
            .collect();
        let known = self.neighbors.contact_history(&self.bodies).pairs;
        let is_round = |body: &u32| self.stored_body(*body as usize).shape.is_none();
        let mut missed = None;
        let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
        let found = search.visit(&spheres, &self.boundary, |contact| {
            let bodies = [contact.pair.first(), contact.pair.second()];
            let smaller = bodies.map(|body| spheres[body as usize].radius);
            // Overlaps of rounding size do not count.
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
