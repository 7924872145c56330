//! What is asked: the distance of two copies of a body that turn beside each other.

use carom::geometry::{Pose, shape::ConvexPolyhedron};
use carom::scene::generate::{DEFAULT_SEED, RoundBody, RoundKind, TumblingPair, TumblingRotation};

/// A kind of motion, with the bodies that make it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Half a degree from question to question, 0.1 apart: round bodies of 4 to 920 faces.
    HalfDegree,
    /// The same for bodies with corners anywhere, and for long and narrow ones.
    OtherShapes,
    /// Half a degree, 5 apart.
    FarApart,
    /// Ten degrees, 0.1 apart.
    TenDegrees,
    /// Random rotations, 0.1 apart.
    Random,
    /// Boxes, plates, needles and prisms in touch, face to face.
    Stress,
}

/// The numbers of faces of paper 001.
const FACES: [usize; 13] = [4, 8, 20, 32, 40, 80, 100, 140, 160, 200, 400, 600, 920];
/// Those of other motions.
const FEW_FACES: [usize; 5] = [4, 20, 100, 400, 920];

impl Workload {
    /// All of them.
    pub const ALL: [Workload; 6] = [
        Workload::HalfDegree,
        Workload::OtherShapes,
        Workload::FarApart,
        Workload::TenDegrees,
        Workload::Random,
        Workload::Stress,
    ];

    /// The name in the table.
    pub fn name(self) -> &'static str {
        match self {
            Workload::HalfDegree => "half-degree",
            Workload::OtherShapes => "other-shapes",
            Workload::FarApart => "far-apart",
            Workload::TenDegrees => "ten-degrees",
            Workload::Random => "random",
            Workload::Stress => "stress",
        }
    }

    fn turning(self) -> TumblingRotation {
        match self {
            Workload::TenDegrees => TumblingRotation::ByAngle(10f64.to_radians()),
            Workload::Random | Workload::Stress => TumblingRotation::Random,
            _ => TumblingRotation::ByAngle(0.5f64.to_radians()),
        }
    }

    fn gap(self) -> f64 {
        if self == Workload::FarApart { 5.0 } else { 0.1 }
    }

    /// How many questions are counted; fewer are timed.
    fn counted(self) -> usize {
        match self {
            Workload::TenDegrees | Workload::Random => 20_000,
            _ => 100_000,
        }
    }

    fn bodies(self) -> Vec<(RoundKind, usize)> {
        let even = |faces: &[usize]| faces.iter().map(|&faces| (RoundKind::Even, faces)).collect();
        match self {
            Workload::HalfDegree => even(&FACES),
            Workload::OtherShapes => [RoundKind::Random, RoundKind::Ellipsoid]
                .into_iter()
                .flat_map(|kind| [(kind, 100), (kind, 920)])
                .collect(),
            Workload::Stress => Vec::new(),
            _ => even(&FEW_FACES),
        }
    }
}

/// A body, how it moves and how often its distance is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// How it moves.
    pub workload: Workload,
    /// How its corners lie.
    pub kind: RoundKind,
    /// How many triangles it has.
    pub faces: usize,
    /// Questions whose steps are counted.
    pub counted: usize,
    /// Questions that are timed: the first of them.
    pub timed: usize,
    /// Rounds in which everyone has a turn.
    pub rounds: usize,
}

impl Case {
    /// Returns the name in the results.
    pub fn name(&self) -> String {
        let shape = match self.kind {
            RoundKind::Even => "even",
            RoundKind::Random => "random",
            RoundKind::Ellipsoid => "ellipsoid",
        };
        format!("{} {shape} {}", self.workload.name(), self.faces)
    }

    /// The body.
    pub fn body(&self) -> Result<ConvexPolyhedron, carom::scene::Error> {
        RoundBody { kind: self.kind, faces: self.faces, seed: DEFAULT_SEED }.make()
    }

    /// Its poses and those of its copy.
    pub fn poses(&self, body: &ConvexPolyhedron) -> Vec<[Pose; 2]> {
        let (turning, gap) = (self.workload.turning(), self.workload.gap());
        TumblingPair::new(body, turning, gap, DEFAULT_SEED).take(self.counted).collect()
    }
}

/// The benchmark proper, best of seven: a round takes milliseconds, in which much else may happen.
pub fn full() -> Vec<Case> {
    let of = |workload: Workload| {
        workload.bodies().into_iter().map(move |(kind, faces)| Case {
            workload,
            kind,
            faces,
            counted: workload.counted(),
            timed: 10_000,
            rounds: 7,
        })
    };
    Workload::ALL.into_iter().flat_map(of).collect()
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
