//! Workload: the distance of two copies of a body that rotate beside each other.

use crate::cases::Case;
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use carom::scene::generate::{DEFAULT_SEED, RoundBody, RoundKind, TumblingPair, TumblingRotation};

/// A body and how it moves beside its copy.
///
/// Half a degree from question to question, 0.1 apart: round bodies of 4 to 920 faces; the same for bodies with corners
/// anywhere and for long and narrow ones; half a degree, 5 apart; ten degrees, 0.1 apart; random rotations, 0.1 apart.
#[derive(Clone, Copy, Debug)]
pub struct TumblingBody<'a>(pub &'a Case);

impl TumblingBody<'_> {
    /// Returns the name in the results.
    pub fn name(&self) -> String {
        format!("{} {} {}", self.0.workload, self.0.variant, self.0.size)
    }

    /// Makes the body.
    pub fn body(&self) -> Result<ConvexPolyhedron, carom::scene::Error> {
        let kind = match self.0.variant.as_str() {
            "random" => RoundKind::Random,
            "ellipsoid" => RoundKind::Ellipsoid,
            _ => RoundKind::Even,
        };
        RoundBody { kind, faces: self.0.size, seed: DEFAULT_SEED }.make()
    }

    /// Returns its poses and those of its copy: of all questions whose iterations are counted.
    pub fn poses(&self, body: &ConvexPolyhedron) -> Vec<[Pose; 2]> {
        let rotation = match self.0.workload.as_str() {
            "ten-degrees" => TumblingRotation::ByAngle(10f64.to_radians()),
            "random" => TumblingRotation::Random,
            _ => TumblingRotation::ByAngle(0.5f64.to_radians()),
        };
        let gap = if self.0.workload == "far-apart" { 5.0 } else { 0.1 };
        TumblingPair::new(body, rotation, gap, DEFAULT_SEED).take(self.0.warm_up as usize).collect()
    }
}
