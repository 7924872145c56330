//! Insertion of bodies during a simulation.

use super::body::Body;
use super::checks;
use super::simulation::Simulation;
use super::wall;
use crate::Error;
use carom_geometry::{Vector, embed_in_3d};

impl<const D: usize> Simulation<D> {
    /// Inserts bodies between two steps, with the numbers that follow. Their energy counts as external work.
    ///
    /// Errors if a body breaks a rule; bodies that overlap others are not refused.
    pub fn insert(&mut self, bodies: &[Body<D>]) -> Result<(), Error> {
        let bodies: Vec<Body<3>> = bodies.iter().map(Body::embedded).collect();
        for (number, body) in (self.body_count()..).zip(&bodies) {
            checks::check_body(number, body, &self.settings)?;
        }
        checks::check_periods(self.body_count(), &bodies, &self.boundary, self.skin)?;
        let before = self.energy().total();
        let history = self.neighbors.contact_history(&self.bodies);
        self.bodies.append(&bodies, D == 2, &self.settings.shapes);
        self.rebuild_neighbor_list(&history)?;
        self.external_work += self.energy().total() - before;
        Ok(())
    }

    /// Returns whether a sphere would touch no wall now.
    pub fn clears_walls(&self, center: &Vector<D>, radius: f64) -> bool {
        let center = embed_in_3d(center);
        let walls = wall::posed_walls(&self.settings.walls, self.now());
        walls.iter().all(|wall| wall.clears(&center, radius))
    }
}
