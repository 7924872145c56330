//! Bodies that come in while a simulation goes on.

use super::body::Body;
use super::checks;
use super::simulation::Simulation;
use super::wall;
use crate::Error;
use carom_geometry::Vector;

impl Simulation {
    /// Adds bodies between two steps, with the numbers that follow. What they bring in counts as energy
    /// given from outside.
    pub fn insert(&mut self, bodies: &[Body]) -> Result<(), Error> {
        let first = self.count();
        for (number, body) in (first..).zip(bodies) {
            checks::check_body(number, body, &self.settings)?;
        }
        let memories = self.neighbours.memories(&self.bodies);
        self.bodies.append(bodies, self.settings.flat, &self.settings.shapes);
        let gravity = self.settings.gravity.at(self.now());
        for body in &self.bodies.motions[first..] {
            let moving = body.velocity.vector.norm_squared() / body.lightness();
            let turning = body.spin.vector.norm_squared() / body.agility();
            self.driven += 0.5 * (moving + turning);
        }
        for body in bodies {
            self.driven -= body.mass * gravity.dot(&body.position);
        }
        self.search(&memories)
    }

    /// Whether a sphere would touch no wall now.
    pub fn clears_walls(&self, center: &Vector<3>, radius: f64) -> bool {
        let walls = wall::placed(&self.settings.walls, self.now());
        walls.iter().all(|wall| wall.clears(center, radius))
    }
}
