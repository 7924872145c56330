//! zelll: occupied cells in a hash map, as wide as the largest sphere.

use super::{IndexedSphere, largest_radius, touch};
use carom::geometry::Vector;
use carom::{BodyPair, Sphere};
use zelll::rayon::ParallelIterator;
use zelll::{CellGrid, ParticleLike};

impl<const D: usize> ParticleLike<[f64; D]> for IndexedSphere<D> {
    fn coords(&self) -> [f64; D] {
        self.sphere.center.into()
    }
}

impl<const D: usize> Default for IndexedSphere<D> {
    fn default() -> Self {
        IndexedSphere { sphere: Sphere { center: Vector::zeros(), radius: 0.0 }, index: 0 }
    }
}

pub fn pairs<const D: usize>(spheres: &[Sphere<D>]) -> Vec<BodyPair> {
    grid(spheres).particle_pairs().filter_map(touching).collect()
}

pub fn pairs_in_parallel<const D: usize>(spheres: &[Sphere<D>]) -> Vec<BodyPair> {
    grid(spheres).par_particle_pairs().filter_map(touching).collect()
}

fn grid<const D: usize>(spheres: &[Sphere<D>]) -> CellGrid<IndexedSphere<D>, D, f64> {
    CellGrid::new(IndexedSphere::all(spheres), 2.0 * largest_radius(spheres))
}

fn touching<const D: usize>((a, b): (&IndexedSphere<D>, &IndexedSphere<D>)) -> Option<BodyPair> {
    touch(&a.sphere, &b.sphere).then(|| BodyPair::new(a.index, b.index))
}
