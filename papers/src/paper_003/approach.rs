//! The methods that are compared.

use carom::detect::inside::{
    DoubleLayer, FillRule, InsideTest, Multipole, MultipoleAccuracy, MultipoleOptions, OctreeDepth,
    RayCrossing, WindingCells,
};
use carom::geometry::mesh::TriangleMesh;
use carom::geometry::{Aabb, Vector};
use std::fmt;

/// A way to tell inside from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// Cells that carry their answer: what carom takes by itself. Not in the paper.
    Cells,
    /// The fast multipole method, its depth well chosen (WC) from triangles and points.
    WellChosen,
    /// The same, its depth pre-chosen (PC) from the triangles alone.
    PreChosen,
    /// Ray crossing against every face.
    RayCrossing,
    /// Ray crossing against the faces that a tree of boxes finds. Not in the paper.
    BvhRayCrossing,
    /// The double layer potential summed over all triangles: the paper's "simple approach".
    DirectSum,
}

/// What is compared with one half needs no more accuracy; the bound must stay well below one half.
const BOUND: f64 = 0.4;
/// The parameter `d` of equation 16, which the paper does not state. Of 1.5, 2, 2.5 and 3, tried on the
/// coarsest foam, this one is the quickest with few points, and within a fifth of the quickest with many.
pub const SEPARATION: f64 = 2.0;

impl Approach {
    /// All; cells first, as the others are compared with them.
    pub const ALL: [Approach; 6] = [
        Approach::Cells,
        Approach::WellChosen,
        Approach::PreChosen,
        Approach::RayCrossing,
        Approach::BvhRayCrossing,
        Approach::DirectSum,
    ];

    /// Prepares a mesh, for about this many points in the cube from -1 to 1.
    pub fn prepare(self, mesh: &TriangleMesh, points: usize) -> PreparedApproach {
        let expanded = |depth| {
            let multipole = expanded(mesh, MultipoleAccuracy::Error(BOUND), depth);
            PreparedApproach::Expanded(Box::new(multipole))
        };
        PreparedApproach::Exact(match self {
            Approach::Cells => Box::new(WindingCells::new(mesh.clone(), RULE, points)),
            Approach::RayCrossing => Box::new(RayCrossing::brute_force(mesh.clone(), RULE)),
            Approach::BvhRayCrossing => Box::new(RayCrossing::new(mesh, RULE)),
            Approach::DirectSum => Box::new(DoubleLayer::new(mesh, RULE)),
            Approach::PreChosen => return expanded(OctreeDepth::Triangles),
            Approach::WellChosen => return expanded(OctreeDepth::TrianglesAndPoints(points)),
        })
    }

    /// Whether its preparation depends on the number of points.
    pub fn knows_points(self) -> bool {
        matches!(self, Approach::Cells | Approach::WellChosen)
    }

    /// Whether a point is tested against every triangle.
    pub fn tests_all(self) -> bool {
        matches!(self, Approach::RayCrossing | Approach::DirectSum)
    }

    /// About how many seconds preparing and asking take.
    pub(super) fn rough_seconds(self, triangles: usize, points: usize) -> f64 {
        let (triangles, points) = (triangles as f64, points as f64);
        match self {
            Approach::Cells => triangles * 3e-7 + points * 2e-7,
            Approach::WellChosen | Approach::PreChosen => triangles * 2e-5 + points * 3e-6,
            Approach::BvhRayCrossing => triangles * 3e-7 + points * 3e-6,
            Approach::RayCrossing | Approach::DirectSum => triangles * points * 5e-9,
        }
    }
}

const RULE: FillRule = FillRule::EvenOdd;

/// A mesh prepared by an approach.
pub enum PreparedApproach {
    /// With expansions.
    Expanded(Box<Multipole>),
    /// Without.
    Exact(Box<dyn InsideTest + Send>),
}

impl PreparedApproach {
    /// Tells the sides of points.
    pub fn test(&self) -> &dyn InsideTest {
        match self {
            PreparedApproach::Expanded(multipole) => &**multipole,
            PreparedApproach::Exact(test) => &**test,
        }
    }

    /// The expansions, if there are any.
    pub fn expansions(&self) -> Option<&Multipole> {
        match self {
            PreparedApproach::Expanded(multipole) => Some(multipole),
            PreparedApproach::Exact(_) => None,
        }
    }
}

/// The multipole method for points in the cube from -1 to 1.
pub(super) fn expanded(
    mesh: &TriangleMesh,
    accuracy: MultipoleAccuracy,
    depth: OctreeDepth,
) -> Multipole {
    let domain = Some(Aabb { low: Vector::repeat(-1.0), high: Vector::repeat(1.0) });
    let options = MultipoleOptions { accuracy, depth, separation: SEPARATION, domain };
    Multipole::new(mesh, RULE, &options).expect("these meshes are within reach of the expansions")
}

impl fmt::Display for Approach {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Approach::Cells => "cells",
            Approach::WellChosen => "FMM WC",
            Approach::PreChosen => "FMM PC",
            Approach::RayCrossing => "ray crossing",
            Approach::BvhRayCrossing => "ray with tree",
            Approach::DirectSum => "direct sum",
        })
    }
}
