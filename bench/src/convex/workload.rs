//! What is asked: the distance of two copies of a body that turn beside each other.

use carom::geometry::{Pose, shape::ConvexPolyhedron};
use carom::scene::generate::{DEFAULT_SEED, RoundBody, RoundKind, TumblingPair, TumblingRotation};

/// Half a degree from question to question, 0.1 apart: round bodies of 4 to 920 faces; the same for bodies
/// with corners anywhere and for long and narrow ones; half a degree, 5 apart; ten degrees, 0.1 apart;
/// random rotations, 0.1 apart; and bodies in touch, face to face, which are no cases of this module.
pub const NAMES: [&str; 6] =
    ["half-degree", "other-shapes", "far-apart", "ten-degrees", "random", STRESS];
/// The name of bodies in touch.
pub const STRESS: &str = "stress";

/// The numbers of faces of paper 001.
const FACES: [usize; 13] = [4, 8, 20, 32, 40, 80, 100, 140, 160, 200, 400, 600, 920];
/// Those of other motions.
const FEW_FACES: [usize; 5] = [4, 20, 100, 400, 920];

/// A body, how it moves and how often its distance is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// How it moves.
    pub workload: &'static str,
    /// How its corners lie.
    kind: RoundKind,
    /// How many triangles it has.
    faces: usize,
    /// Questions whose iterations are counted.
    counted: usize,
    /// Questions that are timed: the first of them.
    pub timed: usize,
    /// Rounds in which everyone has a turn.
    pub rounds: usize,
}

impl Case {
    /// Best of seven: a round takes milliseconds, in which much else may happen.
    fn new(workload: &'static str, kind: RoundKind, faces: usize) -> Self {
        let is_coherent = !["ten-degrees", "random"].contains(&workload);
        let counted = if is_coherent { 100_000 } else { 20_000 };
        Case { workload, kind, faces, counted, timed: 10_000, rounds: 7 }
    }

    /// Returns the name in the results.
    pub fn name(&self) -> String {
        let shape = match self.kind {
            RoundKind::Even => "even",
            RoundKind::Random => "random",
            RoundKind::Ellipsoid => "ellipsoid",
        };
        format!("{} {shape} {}", self.workload, self.faces)
    }

    /// Makes the body.
    pub fn body(&self) -> Result<ConvexPolyhedron, carom::scene::Error> {
        RoundBody { kind: self.kind, faces: self.faces, seed: DEFAULT_SEED }.make()
    }

    /// Returns its poses and those of its copy.
    pub fn poses(&self, body: &ConvexPolyhedron) -> Vec<[Pose; 2]> {
        let rotation = match self.workload {
            "ten-degrees" => TumblingRotation::ByAngle(10f64.to_radians()),
            "random" => TumblingRotation::Random,
            _ => TumblingRotation::ByAngle(0.5f64.to_radians()),
        };
        let gap = if self.workload == "far-apart" { 5.0 } else { 0.1 };
        TumblingPair::new(body, rotation, gap, DEFAULT_SEED).take(self.counted).collect()
    }
}

/// The benchmark proper.
pub fn full() -> Vec<Case> {
    let even = |workload, faces| Case::new(workload, RoundKind::Even, faces);
    let mut cases: Vec<Case> = FACES.map(|faces| even("half-degree", faces)).into();
    for kind in [RoundKind::Random, RoundKind::Ellipsoid] {
        cases.extend([100, 920].map(|faces| Case::new("other-shapes", kind, faces)));
    }
    for workload in ["far-apart", "ten-degrees", "random"] {
        cases.extend(FEW_FACES.map(|faces| even(workload, faces)));
    }
    cases
}

/// One round of a few questions, to show that everything works.
pub fn tiny() -> Vec<Case> {
    let tiny = |case: Case| Case { counted: 300, timed: 200, rounds: 1, ..case };
    full().into_iter().filter(|case| case.faces == 4 || case.faces == 100).map(tiny).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_run_has_every_motion_and_every_kind_of_body() {
        let tiny = tiny();
        assert_eq!(full().len(), 32);
        for case in full() {
            let alike = |other: &&Case| (other.workload, other.kind) == (case.workload, case.kind);
            assert!(tiny.iter().any(|other| alike(&other)), "{case:?}");
        }
    }
}
