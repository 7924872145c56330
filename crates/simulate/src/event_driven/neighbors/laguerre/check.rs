//! Verification of the kinetic triangulation against the present positions.

use super::LaguerreDelaunay;
use super::flip_configuration::FlipConfiguration;
use super::view::LaguerreVertexView;
use crate::event_driven::hard_spheres::HardSpheres;
use carom_detect::laguerre::INFINITE_VERTEX;

impl<const D: usize> LaguerreDelaunay<D> {
    /// Verifies the topology, and that every facet that the exact predicate would flip fails by no more than
    /// rounding.
    pub(super) fn check_triangulation(
        &self,
        bodies: &HardSpheres<D>,
        now: f64,
    ) -> Result<(), String> {
        self.complex.check()?;
        if now < self.valid_from {
            // The triangulation is still that of a moment ahead, or is to be flipped then.
            return Ok(());
        }
        let scene = self.context(bodies, now);
        let mut view = LaguerreVertexView::new();
        for (number, simplex) in self.complex.finite_simplices() {
            for corner in 0..=D {
                let beyond = self.complex.apex(simplex.mirror_facets[corner]);
                if beyond == INFINITE_VERTEX {
                    continue;
                }
                let five =
                    FlipConfiguration::at(&self.vertices, simplex, corner, beyond, bodies, now);
                if five.is_conflict() {
                    view.begin(&scene, simplex.vertices[0]);
                    let moving = view.moving_simplex(&scene, simplex, 0);
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
            let simplex = self.incident_simplices[body as usize];
            self.complex.simplex(simplex).corner_of(body).is_some()
        };
        match (0..self.vertices.bodies).find(|body| !is_vertex(body)) {
            Some(body) => Err(format!("body {body} is no vertex of its simplex")),
            None => Ok(()),
        }
    }
}
