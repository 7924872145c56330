//! parry3d: a tree of boxes, traversed against itself.
//!
//! Its boxes are in `f32`, so they are enlarged by more than the rounding of the coordinates, and
//! the pairs it names are tested in `f64`. Discs lie in the plane `z = 0`.

use super::touch;
use carom::{BodyPair, Sphere};
use parry3d::bounding_volume::Aabb;
use parry3d::math::Vector;
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rayon::prelude::*;

pub fn pairs<const D: usize>(spheres: &[Sphere<D>]) -> Vec<BodyPair> {
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes(spheres));
    let mut pairs = Vec::new();
    tree.traverse_bvtt_single_tree::<false>(&mut BvhWorkspace::default(), &mut |a, b| {
        if touch(&spheres[a as usize], &spheres[b as usize]) {
            pairs.push(BodyPair::new(a, b));
        }
    });
    pairs
}

pub fn pairs_in_parallel<const D: usize>(spheres: &[Sphere<D>]) -> Vec<BodyPair> {
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes(spheres));
    let candidates = tree.traverse_bvtt_single_tree_parallel::<false>();
    candidates
        .into_par_iter()
        .filter(|&(a, b)| touch(&spheres[a as usize], &spheres[b as usize]))
        .map(|(a, b)| BodyPair::new(a, b))
        .collect()
}

fn boxes<const D: usize>(spheres: &[Sphere<D>]) -> Vec<Aabb> {
    let largest_number = |sphere: &Sphere<D>| sphere.center.amax() + sphere.radius;
    let largest = spheres.iter().map(largest_number).fold(0.0, f64::max);
    let slack = 2.0 * f64::from(f32::EPSILON) * largest;
    spheres.iter().map(|sphere| box_around(sphere, slack)).collect()
}

fn box_around<const D: usize>(sphere: &Sphere<D>, slack: f64) -> Aabb {
    let coordinate = |axis: usize| sphere.center.get(axis).map_or(0.0, |&value| value as f32);
    let center = Vector::new(coordinate(0), coordinate(1), coordinate(2));
    let reach = Vector::splat((sphere.radius + slack) as f32);
    Aabb::new(center - reach, center + reach)
}
