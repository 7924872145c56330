//! How many steps carom's queries take; the same on every machine.

use super::contender::Memory;
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::{Pose, shape::ConvexPolyhedron};

/// Queries by the number of their steps.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steps {
    /// Steps of a query on average.
    pub mean: f64,
    /// Queries of one, two, three, four, and more steps.
    pub histogram: [usize; 5],
}

impl Steps {
    /// Of one query after the other.
    pub fn of(body: &ConvexPolyhedron, poses: &[[Pose; 2]], memory: Memory) -> Self {
        let mut pair = ClosestFeatures::new();
        let mut steps = Steps::default();
        for [pose_a, pose_b] in poses {
            if memory == Memory::None {
                pair.reset();
            }
            let iterations = pair.query(body, pose_a, body, pose_b).iterations as usize;
            steps.mean += iterations as f64 / poses.len() as f64;
            steps.histogram[iterations.clamp(1, 5) - 1] += 1;
        }
        steps
    }
}
