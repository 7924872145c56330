//! kiddo: a tree of points, asked once per sphere.
//!
//! It knows points only, so each sphere has to ask for all centers within its own radius and the
//! largest one. Its join of two trees was slower on every workload: it needs two trees and names
//! each pair twice.

use super::{largest_radius, touch};
use carom::{BodyPair, Sphere};
use kiddo::{ImmutableKdTree, SquaredEuclidean};

pub fn pairs<const D: usize>(spheres: &[Sphere<D>]) -> Vec<BodyPair> {
    let largest = largest_radius(spheres);
    let tree = tree(spheres);
    let mut pairs = Vec::new();
    for (index, sphere) in spheres.iter().enumerate() {
        let near = tree
            .query(&sphere.center.into())
            .within::<SquaredEuclidean<f64>>(enlarged_square(sphere.radius + largest))
            .unsorted()
            .execute();
        for other in near {
            let other = other.item;
            if other as usize > index && touch(sphere, &spheres[other as usize]) {
                pairs.push(BodyPair::new(index as u32, other));
            }
        }
    }
    pairs
}

fn tree<const D: usize>(spheres: &[Sphere<D>]) -> ImmutableKdTree<f64, D> {
    let centers: Vec<[f64; D]> = spheres.iter().map(|sphere| sphere.center.into()).collect();
    ImmutableKdTree::new_from_slice(&centers).expect("the coordinates of a workload are finite")
}

/// The square of a distance and a little more than its rounding.
fn enlarged_square(distance: f64) -> f64 {
    distance * distance * (1.0 + 1e-12)
}
