//! Particles and the boundary of their region, as readers and generators give them.

use carom_geometry::{Aabb, Boundary, Sphere, Vector};

/// Spheres (`D = 3`) or discs (`D = 2`) with the boundary conditions of their region.
///
/// ```
/// use carom_geometry::Sphere;
/// use carom_io::ParticleSet;
/// let set = ParticleSet::open(vec![Sphere::new([0.0, 0.0], 1.0)]);
/// assert!(!set.boundary.is_periodic());
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ParticleSet<const D: usize> {
    /// Particles, in the order of the file or generator.
    pub spheres: Vec<Sphere<D>>,
    /// Open or periodic boundary, per axis.
    pub boundary: Boundary<D>,
}

impl<const D: usize> ParticleSet<D> {
    /// Returns the spheres in a region that is open on every axis.
    pub fn open(spheres: Vec<Sphere<D>>) -> Self {
        ParticleSet { spheres, boundary: Boundary::open() }
    }

    /// Returns the bounding box of all spheres; the empty box if there is none.
    pub fn extent(&self) -> Aabb<D> {
        self.spheres.iter().fold(Aabb::empty(), |sides, sphere| {
            let reach = Vector::repeat(sphere.radius);
            sides.including(&(sphere.center - reach)).including(&(sphere.center + reach))
        })
    }
}

/// Particles whose dimension is known only once they are read.
#[derive(Clone, Debug, PartialEq)]
pub enum Particles {
    /// Particles in 2D.
    Discs(ParticleSet<2>),
    /// Particles in 3D.
    Spheres(ParticleSet<3>),
}

impl Particles {
    /// Returns 2 or 3.
    pub fn dimension(&self) -> usize {
        match self {
            Particles::Discs(_) => 2,
            Particles::Spheres(_) => 3,
        }
    }

    /// Returns the number of particles.
    pub fn len(&self) -> usize {
        match self {
            Particles::Discs(set) => set.spheres.len(),
            Particles::Spheres(set) => set.spheres.len(),
        }
    }

    /// Whether there is no particle at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
