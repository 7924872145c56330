//! The choice of an inside test by name, by the surface and by the number of points.

use super::{
    DoubleLayer, FillRule, InsideTest, Multipole, MultipoleError, MultipoleOptions, OctreeDepth,
    RayCrossing, WindingCells,
};
use carom_geometry::mesh::{MeshTopology, TriangleMesh};
use thiserror::Error;

/// A method that decides whether points are inside.
///
/// | method | preparation | per point | answer |
/// |---|---|---|---|
/// | [`WindingCells`] | 0.1-0.3 us per triangle | 20-100 ns | exact |
/// | [`RayCrossing`] | 0.2 us per triangle, or none | 0.5-10 us, or 10 ns per triangle | exact |
/// | [`DoubleLayer`] | none | 4 ns per triangle | right to rounding; also for open surfaces |
/// | [`Multipole`] | 1-9 us per triangle | 0.5-15 us | as `DoubleLayer` |
///
/// These are orders of magnitude; `cargo xtask bench inside` measures them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ContainmentMethod {
    /// The fastest method for the surface, the rule and the number of points.
    #[default]
    Auto,
    /// [`WindingCells`].
    Cells,
    /// [`RayCrossing`].
    Ray,
    /// [`DoubleLayer`].
    DoubleLayer,
    /// [`Multipole`].
    Multipole,
}

/// A surface prepared by a method.
pub struct PreparedSurface {
    /// The prepared test, which classifies points.
    pub test: Box<dyn InsideTest>,
    /// The method that was prepared, never [`ContainmentMethod::Auto`].
    pub method: ContainmentMethod,
}

/// A rule or a method that cannot answer for a surface. Vertices are numbered from zero.
///
/// ```
/// use carom_detect::inside::{ContainmentError, ContainmentMethod, FillRule};
/// use carom_geometry::mesh::{MeshTopology, TriangleMesh, octahedron_sphere};
/// let whole = octahedron_sphere(1);
/// let open = TriangleMesh::new(whole.vertices().to_vec(), whole.triangles()[1..].to_vec())?;
/// let topology = MeshTopology::of(&open.to_polygons());
/// let refused = ContainmentMethod::Auto.prepare(open, &topology, FillRule::EvenOdd, 10);
/// // A missing triangle leaves three edges with one face.
/// assert!(matches!(refused.err(), Some(ContainmentError::Open { count: 3, .. })));
/// # Ok::<(), carom_geometry::mesh::TriangleMeshError>(())
/// ```
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ContainmentError {
    /// The surface is open: the parity of a ray's crossings would depend on its direction.
    #[error(
        "{count} edges belong to an odd number of faces (first: vertices {} and {}), so it has no \
         inside by {rule}; close it or take the rule winding, which also applies to open surfaces",
        first[0], first[1]
    )]
    Open {
        /// The number of edges with an odd number of faces.
        count: usize,
        /// The vertices of the first such edge.
        first: [u32; 2],
        /// The name of the rule.
        rule: &'static str,
    },
    /// Faces are oriented inconsistently: the winding number is not an integer.
    #[error(
        "the faces at {count} edges are not consistently oriented (first: vertices {} and {}), so \
         it has no inside by {rule}; reverse them or take the rule even-odd", first[0], first[1]
    )]
    InconsistentOrientation {
        /// The number of edges whose faces disagree.
        count: usize,
        /// The vertices of the first such edge.
        first: [u32; 2],
        /// The name of the rule.
        rule: &'static str,
    },
    /// Counting crossings needs a closed, consistently oriented surface.
    #[error(
        "it is not closed: {count} edges lack a face or join faces of opposite orientation (first: \
         vertices {} and {}), so crossings cannot be counted; take the method multipole or double-layer",
        first[0], first[1]
    )]
    NeedsClosed {
        /// The number of such edges.
        count: usize,
        /// The vertices of the first such edge.
        first: [u32; 2],
    },
    /// Solid angles of reversed faces are subtracted, so their sum does not give the parity.
    #[error(
        "the faces at {count} edges are not consistently oriented (first: vertices {} and {}), so \
         the winding number does not give the inside by even-odd; reverse them or take the method cells \
         or ray", first[0], first[1]
    )]
    NeedsConsistentOrientation {
        /// The number of edges whose faces disagree.
        count: usize,
        /// The vertices of the first such edge.
        first: [u32; 2],
    },
    /// The options of the fast multipole method are refused.
    #[error(transparent)]
    Multipole(#[from] MultipoleError),
}

/// The number of point-triangle pairs up to which no preparation pays.
const MAX_UNPREPARED_PAIRS: usize = 100_000;

/// The number of points from which the preparation of multipole expansions pays.
const MIN_MULTIPOLE_POINTS: usize = 200;

impl ContainmentMethod {
    /// All methods.
    pub const ALL: [ContainmentMethod; 5] = [
        ContainmentMethod::Auto,
        ContainmentMethod::Cells,
        ContainmentMethod::Ray,
        ContainmentMethod::DoubleLayer,
        ContainmentMethod::Multipole,
    ];

    /// Returns the name used on the command line.
    pub fn name(self) -> &'static str {
        match self {
            ContainmentMethod::Auto => "auto",
            ContainmentMethod::Cells => "cells",
            ContainmentMethod::Ray => "ray",
            ContainmentMethod::DoubleLayer => "double-layer",
            ContainmentMethod::Multipole => "multipole",
        }
    }

    /// Returns the method of this name.
    ///
    /// ```
    /// use carom_detect::inside::ContainmentMethod;
    /// assert_eq!(ContainmentMethod::from_name("ray"), Some(ContainmentMethod::Ray));
    /// let is_found = |method: &ContainmentMethod| {
    ///     ContainmentMethod::from_name(method.name()) == Some(*method)
    /// };
    /// assert!(ContainmentMethod::ALL.iter().all(is_found));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Prepares a surface for about `points` points, after checking by its topology that the rule gives it an
    /// inside.
    ///
    /// ```
    /// use carom_detect::inside::{Containment, ContainmentMethod, FillRule};
    /// use carom_geometry::Vector;
    /// use carom_geometry::mesh::{MeshTopology, TriangleMesh, octahedron_sphere};
    /// let sphere = octahedron_sphere(3);
    /// let topology = MeshTopology::of(&sphere.to_polygons());
    /// let auto = ContainmentMethod::Auto;
    /// let prepared = auto.prepare(sphere.clone(), &topology, FillRule::EvenOdd, 1_000_000)?;
    /// assert_eq!(prepared.method, ContainmentMethod::Cells);
    /// assert_eq!(prepared.test.classify(&Vector::zeros()), Containment::Inside);
    ///
    /// let open = TriangleMesh::new(sphere.vertices().to_vec(), sphere.triangles()[5..].to_vec())?;
    /// let topology = MeshTopology::of(&open.to_polygons());
    /// assert!(auto.prepare(open.clone(), &topology, FillRule::EvenOdd, 10).is_err());
    /// let prepared = auto.prepare(open, &topology, FillRule::Winding, 10)?;
    /// assert_eq!(prepared.test.classify(&Vector::zeros()), Containment::Inside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(
        self,
        surface: TriangleMesh,
        topology: &MeshTopology,
        rule: FillRule,
        points: usize,
    ) -> Result<PreparedSurface, ContainmentError> {
        check_rule(topology, rule)?;
        let method = self.resolved(&surface, topology, rule, points);
        check_method(topology, rule, method)?;
        let test: Box<dyn InsideTest> = match method {
            ContainmentMethod::Auto | ContainmentMethod::Cells => {
                Box::new(WindingCells::new(surface, rule, points))
            }
            ContainmentMethod::Ray if is_small_query(&surface, points) => {
                Box::new(RayCrossing::brute_force(surface, rule))
            }
            ContainmentMethod::Ray => Box::new(RayCrossing::new(&surface, rule)),
            ContainmentMethod::DoubleLayer => Box::new(DoubleLayer::new(&surface, rule)),
            ContainmentMethod::Multipole => {
                let options = MultipoleOptions {
                    depth: OctreeDepth::TrianglesAndPoints(points),
                    ..MultipoleOptions::default()
                };
                Box::new(Multipole::new(&surface, rule, &options)?)
            }
        };
        Ok(PreparedSurface { test, method })
    }

    fn resolved(
        self,
        surface: &TriangleMesh,
        topology: &MeshTopology,
        rule: FillRule,
        points: usize,
    ) -> Self {
        let is_open = rule == FillRule::Winding && topology.unbalanced_edges.count > 0;
        match self {
            ContainmentMethod::Auto if is_open && points < MIN_MULTIPOLE_POINTS => {
                ContainmentMethod::DoubleLayer
            }
            ContainmentMethod::Auto if is_open => ContainmentMethod::Multipole,
            ContainmentMethod::Auto if is_small_query(surface, points) => ContainmentMethod::Ray,
            ContainmentMethod::Auto => ContainmentMethod::Cells,
            method => method,
        }
    }
}

fn is_small_query(surface: &TriangleMesh, points: usize) -> bool {
    points.saturating_mul(surface.triangles().len()) <= MAX_UNPREPARED_PAIRS
}

/// Checks by its topology that a rule gives a surface an inside.
pub(crate) fn check_rule(topology: &MeshTopology, rule: FillRule) -> Result<(), ContainmentError> {
    let name = rule.name();
    let open = topology.odd_edges.first.map(|first| ContainmentError::Open {
        count: topology.odd_edges.count,
        first,
        rule: name,
    });
    let contrary =
        topology.unbalanced_edges.first.map(|first| ContainmentError::InconsistentOrientation {
            count: topology.unbalanced_edges.count,
            first,
            rule: name,
        });
    let refusal = match rule {
        FillRule::EvenOdd => open,
        FillRule::Nonzero => open.or(contrary),
        FillRule::Winding => None,
    };
    refusal.map_or(Ok(()), Err)
}

fn check_method(
    topology: &MeshTopology,
    rule: FillRule,
    method: ContainmentMethod,
) -> Result<(), ContainmentError> {
    let count = topology.unbalanced_edges.count;
    match (topology.unbalanced_edges.first, rule, method) {
        (Some(first), FillRule::Winding, ContainmentMethod::Cells | ContainmentMethod::Ray) => {
            Err(ContainmentError::NeedsClosed { count, first })
        }
        (
            Some(first),
            FillRule::EvenOdd,
            ContainmentMethod::DoubleLayer | ContainmentMethod::Multipole,
        ) => Err(ContainmentError::NeedsConsistentOrientation { count, first }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Containment;
    use super::super::samples::cube;
    use super::*;
    use carom_geometry::Vector;

    #[test]
    fn solid_angles_of_reversed_faces_are_not_taken_for_even_odd() {
        let (vertices, mut triangles) = (cube().vertices().to_vec(), cube().triangles().to_vec());
        triangles[0].reverse();
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        let topology = MeshTopology::of(&mesh.to_polygons());
        let prepared = |method: ContainmentMethod, points| {
            method.prepare(mesh.clone(), &topology, FillRule::EvenOdd, points)
        };
        for method in [ContainmentMethod::DoubleLayer, ContainmentMethod::Multipole] {
            let refusal = prepared(method, 10).err();
            assert!(matches!(
                refusal,
                Some(ContainmentError::NeedsConsistentOrientation { count: 3, .. })
            ));
        }
        for (method, points) in [
            (ContainmentMethod::Auto, 10),
            (ContainmentMethod::Auto, 1_000_000),
            (ContainmentMethod::Cells, 10),
            (ContainmentMethod::Ray, 10),
        ] {
            let PreparedSurface { test, method } = prepared(method, points).unwrap();
            assert!(matches!(method, ContainmentMethod::Cells | ContainmentMethod::Ray));
            assert_eq!(test.classify(&Vector::repeat(0.5)), Containment::Inside);
        }
    }
}
