//! carom's distances, proven without trust in anyone: the points it names are so far apart, and along its
//! normal the bodies are so far apart, so the distance is neither more nor less.

use crate::error::Error;
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// Answers with a larger error are wrong by more than rounding.
pub const LARGEST_ERROR: f64 = 1e-9;

/// Returns the distances by carom, or an error if one of them is not proven.
pub fn proven_distances(body: &ConvexPolyhedron, poses: &[[Pose; 2]]) -> Result<Vec<f64>, Error> {
    let mut pair = ClosestFeatures::new();
    let mut distances = Vec::with_capacity(poses.len());
    for [pose_a, pose_b] in poses {
        let closest = pair.query(body, pose_a, body, pose_b);
        let most = (closest.on_b - closest.on_a).norm();
        let least = gap_along(&closest.normal, body, pose_a, pose_b);
        let doubt = (most - closest.distance).abs().max((closest.distance - least).abs());
        if doubt.is_nan() || doubt >= LARGEST_ERROR {
            return Err(Error::Unproven { distance: closest.distance, least, most });
        }
        distances.push(closest.distance);
    }
    Ok(distances)
}

/// How far the second body lies beyond the first along a direction; every corner is looked at.
fn gap_along(normal: &Vector<3>, body: &ConvexPolyhedron, pose_a: &Pose, pose_b: &Pose) -> f64 {
    let heights = |pose: &Pose| {
        let (direction, base) = (pose.rotation.tr_mul(normal), normal.dot(&pose.position));
        body.vertices().iter().map(move |vertex| base + direction.dot(vertex))
    };
    let highest = heights(pose_a).fold(f64::NEG_INFINITY, f64::max);
    heights(pose_b).fold(f64::INFINITY, f64::min) - highest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_are_as_far_apart_as_their_faces() {
        let corner = |k: u8| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
        let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap();
        let poses = [Pose::identity(), Pose::at([1.5, 0.3, 0.0].into())];
        assert_eq!(proven_distances(&cube, &[poses]).unwrap(), [0.5]);
        let along = |direction: [f64; 3]| gap_along(&direction.into(), &cube, &poses[0], &poses[1]);
        assert_eq!((along([1.0, 0.0, 0.0]), along([0.0, 1.0, 0.0])), (0.5, -0.7));
    }
}
