//! Figure 1: the generalized Delaunay triangulation (left) and the Voronoi diagram (right) of 1,000
//! particles in Laguerre geometry.
//!
//! The particles are those of the dense planar system with radii 1:5, after some collisions of each, in
//! its periodic box.

use super::system::{DensityRegime, HardSphereSystem, RadiusDistribution};
use carom::detect::laguerre::Triangulation;
use carom::geometry::Sphere;
use carom::io::ParticleSet;
use carom::simulate::event_driven::NeighborStructure;

/// This many particles the figure of the paper has.
pub const COUNT: usize = 1000;

/// The particles.
pub fn particles() -> ParticleSet<2> {
    let system =
        HardSphereSystem { density: DensityRegime::Dense, radii: RadiusDistribution::Spread(5) };
    let simulation = system.prepare::<2>(COUNT).run_with(NeighborStructure::Auto);
    let disc = |body| Sphere::new(simulation.position(body), simulation.radius(body));
    ParticleSet {
        spheres: (0..COUNT).map(disc).collect(),
        boundary: simulation.settings().region.boundary().expect("the region was checked"),
    }
}

/// The figure as an SVG document.
pub fn svg() -> String {
    let particles = particles();
    let triangulation = Triangulation::of(&particles.spheres, &particles.boundary)
        .expect("particles of the paper can be triangulated");
    carom::render::diagram(&particles, &triangulation).expect("a thousand particles can be drawn")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_particle_is_hidden_and_a_periodic_plane_has_two_triangles_for_each() {
        let particles = particles();
        let triangulation = Triangulation::of(&particles.spheres, &particles.boundary).unwrap();
        triangulation.check().unwrap();
        assert!((0..COUNT).all(|disc| !triangulation.is_hidden(disc)));
        assert_eq!(triangulation.simplices().count(), 2 * COUNT);
    }
}
