//! The methods that are compared.

use carom::detect::inside::{
    Accuracy, Cells, Depth, DoubleLayer, InsideTest, Multipole, MultipoleOptions, RayCrossing, Rule,
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
    Ray,
    /// Ray crossing against the faces that a tree of boxes finds. Not in the paper.
    TreeRay,
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
        Approach::Ray,
        Approach::TreeRay,
        Approach::DirectSum,
    ];

    /// Prepares a mesh, for about so many points in the cube from -1 to 1.
    pub fn prepare(self, mesh: &TriangleMesh, points: usize) -> Prepared {
        match self {
            Approach::Cells => Prepared::Exact(Box::new(Cells::new(mesh.clone(), RULE, points))),
            Approach::Ray => Prepared::Exact(Box::new(RayCrossing::plain(mesh.clone(), RULE))),
            Approach::TreeRay => Prepared::Exact(Box::new(RayCrossing::new(mesh, RULE))),
            Approach::DirectSum => Prepared::Exact(Box::new(DoubleLayer::new(mesh, RULE))),
            Approach::PreChosen => multipole(mesh, Accuracy::Error(BOUND), Depth::Triangles),
            Approach::WellChosen => {
                multipole(mesh, Accuracy::Error(BOUND), Depth::TrianglesAndPoints(points))
            }
        }
    }

    /// Whether its preparation depends on the number of points.
    pub fn knows_points(self) -> bool {
        matches!(self, Approach::Cells | Approach::WellChosen)
    }

    /// Whether a point is tested against every triangle.
    pub fn tests_all(self) -> bool {
        matches!(self, Approach::Ray | Approach::DirectSum)
    }

    /// About how many seconds preparing and asking take.
    pub(super) fn rough_seconds(self, triangles: usize, points: usize) -> f64 {
        let (triangles, points) = (triangles as f64, points as f64);
        match self {
            Approach::Cells => triangles * 3e-7 + points * 2e-7,
            Approach::WellChosen | Approach::PreChosen => triangles * 2e-5 + points * 3e-6,
            Approach::TreeRay => triangles * 3e-7 + points * 3e-6,
            Approach::Ray | Approach::DirectSum => triangles * points * 5e-9,
        }
    }
}

const RULE: Rule = Rule::Parity;

/// A mesh prepared by an approach.
pub enum Prepared {
    /// With expansions.
    Expanded(Box<Multipole>),
    /// Without.
    Exact(Box<dyn InsideTest + Send>),
}

impl Prepared {
    /// Tells the sides of points.
    pub fn test(&self) -> &dyn InsideTest {
        match self {
            Prepared::Expanded(multipole) => &**multipole,
            Prepared::Exact(test) => &**test,
        }
    }
}

fn multipole(mesh: &TriangleMesh, accuracy: Accuracy, depth: Depth) -> Prepared {
    Prepared::Expanded(Box::new(expanded(mesh, accuracy, depth)))
}

/// The multipole method for points in the cube from -1 to 1.
pub(super) fn expanded(mesh: &TriangleMesh, accuracy: Accuracy, depth: Depth) -> Multipole {
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
            Approach::Ray => "ray crossing",
            Approach::TreeRay => "ray with tree",
            Approach::DirectSum => "direct sum",
        })
    }
}
