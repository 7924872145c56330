//! Whether the kinetic triangulation is that of the present positions.

use super::LaguerreDelaunay;
use super::five::Five;
use super::view::View;
use crate::events::bodies::Bodies;
use carom_detect::laguerre::OUTSIDE;

impl<const D: usize> LaguerreDelaunay<D> {
    /// Verifies topology, and that every facet that the exact test would flip fails by no more than
    /// rounding.
    pub(super) fn check_triangulation(&self, bodies: &Bodies<D>, now: f64) -> Result<(), String> {
        self.complex.check()?;
        if now < self.begun {
            // Still that of an instant ahead, or to be flipped then.
            return Ok(());
        }
        let scene = self.scene(bodies, now);
        let mut view = View::new();
        for (number, simplex) in self.complex.inner() {
            for corner in 0..=D {
                let beyond = self.complex.apex(simplex.across[corner]);
                if beyond == OUTSIDE {
                    continue;
                }
                let five = Five::at(&self.vertices, simplex, corner, beyond, bodies, now);
                if five.is_conflict() {
                    view.begin(&scene, simplex.vertices[0]);
                    let moving = view.simplex(&scene, simplex, 0);
                    if view.has_failed(&scene, &moving, corner, beyond) {
                        return Err(format!(
                            "vertex {beyond} is inside the sphere of simplex {number} {:?}",
                            simplex.vertices
                        ));
                    }
                }
            }
        }
        let is_vertex = |&body: &u32| {
            let simplex = self.incident[body as usize];
            self.complex.simplex(simplex).corner_of(body).is_some()
        };
        match (0..self.vertices.bodies).find(|body| !is_vertex(body)) {
            Some(body) => Err(format!("body {body} is no vertex of its simplex")),
            None => Ok(()),
        }
    }
}
