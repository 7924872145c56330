//! The methods that are compared.

use carom::detect::inside::{
    DoubleLayer, FillRule, InsideTest, Multipole, MultipoleAccuracy, MultipoleOptions, OctreeDepth,
    RayCrossing, WindingCells,
};
use carom::geometry::mesh::TriangleMesh;
use carom::geometry::{Aabb, Vector};

/// What is compared with one half needs no more accuracy; the bound must stay well below one half.
const BOUND: f64 = 0.4;
/// The parameter `d` of equation 16, which the paper does not state. Of 1.5, 2, 2.5 and 3, tried on the
/// coarsest foam, this one is the quickest with few points, and within a fifth of the quickest with many.
pub const SEPARATION: f64 = 2.0;

/// A containment method of the comparison.
#[derive(Clone, Copy, Debug)]
pub struct Approach {
    /// Name in tables.
    pub name: &'static str,
    /// Whether its preparation depends on the number of points.
    pub knows_points: bool,
    /// Whether a point is tested against every triangle.
    pub tests_all: bool,
    /// Prepares a mesh, for about this many points in the cube from -1 to 1.
    pub prepare: fn(&TriangleMesh, usize) -> PreparedApproach,
}

/// All; cells first, as the others are compared with them.
pub const APPROACHES: [Approach; 6] = [
    // Cells that carry their answer: what carom takes by itself. Not in the paper.
    Approach {
        name: "cells",
        knows_points: true,
        tests_all: false,
        prepare: |mesh, points| exact(WindingCells::new(mesh.clone(), RULE, points)),
    },
    // The fast multipole method, its depth well chosen (WC) from triangles and points.
    Approach {
        name: "FMM WC",
        knows_points: true,
        prepare: |mesh, points| bounded(mesh, OctreeDepth::TrianglesAndPoints(points)),
        ..PRE_CHOSEN
    },
    PRE_CHOSEN,
    // Ray crossing against every face.
    Approach {
        name: "ray crossing",
        prepare: |mesh, _| exact(RayCrossing::brute_force(mesh.clone(), RULE)),
        ..DIRECT_SUM
    },
    // Ray crossing against the faces that a tree of boxes finds. Not in the paper.
    Approach {
        name: "ray with tree",
        knows_points: false,
        tests_all: false,
        prepare: |mesh, _| exact(RayCrossing::new(mesh, RULE)),
    },
    DIRECT_SUM,
];

/// The fast multipole method, its depth pre-chosen (PC) from the triangles alone.
const PRE_CHOSEN: Approach = Approach {
    name: "FMM PC",
    knows_points: false,
    tests_all: false,
    prepare: |mesh, _| bounded(mesh, OctreeDepth::Triangles),
};

/// The double layer potential summed over all triangles: the paper's "simple approach".
const DIRECT_SUM: Approach = Approach {
    name: "direct sum",
    knows_points: false,
    tests_all: true,
    prepare: |mesh, _| exact(DoubleLayer::new(mesh, RULE)),
};

fn exact(test: impl InsideTest + 'static) -> PreparedApproach {
    PreparedApproach::Exact(Box::new(test))
}

fn bounded(mesh: &TriangleMesh, depth: OctreeDepth) -> PreparedApproach {
    let multipole = expanded(mesh, MultipoleAccuracy::Error(BOUND), depth);
    PreparedApproach::Expanded(Box::new(multipole))
}

const RULE: FillRule = FillRule::EvenOdd;

/// A mesh prepared by an approach.
pub enum PreparedApproach {
    /// The series expansions of the method.
    Expanded(Box<Multipole>),
    /// Without.
    Exact(Box<dyn InsideTest + Send>),
}

impl PreparedApproach {
    /// Finds the sides of points.
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
