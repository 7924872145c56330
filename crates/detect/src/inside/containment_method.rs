use super::{
    DoubleLayer, FillRule, InsideTest, Multipole, MultipoleError, MultipoleOptions, OctreeDepth,
    RayCrossing, WindingCells,
};
use carom_geometry::mesh::{MeshTopology, TriangleMesh};
use thiserror::Error;

/// How to tell inside from outside.
///
/// | method | preparing | a point | answer |
/// |---|---|---|---|
/// | [`Cells`] | 0.1-0.3 us a triangle | 20-100 ns | exact |
/// | [`RayCrossing`] | 0.2 us a triangle, or none | 0.5-10 us, or 10 ns a triangle | exact |
/// | [`DoubleLayer`] | none | 4 ns a triangle | right to rounding; also for open surfaces |
/// | [`Multipole`] | 1-9 us a triangle | 0.5-15 us | as `DoubleLayer` |
///
/// Orders of magnitude; `cargo xtask bench inside` measures them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ContainmentMethod {
    /// Whatever suits the surface, the rule and the number of points.
    #[default]
    Auto,
    /// [`Cells`].
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
    /// Tells the sides of points.
    pub test: Box<dyn InsideTest>,
    /// The method, never [`Method::Auto`].
    pub method: ContainmentMethod,
}

/// Why a rule or a method cannot answer for a surface. Vertices are numbered from zero.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ContainmentError {
    /// A ray would cross an odd or an even number of faces depending on where it goes.
    #[error(
        "{count} edges belong to an odd number of faces (first: vertices {} and {}), so it has no \
         inside by {rule}; close it or take the rule winding, which asks how much of the surface is \
         seen from a point", first[0], first[1]
    )]
    Open {
        /// How many edges there are.
        count: usize,
        /// The first of them.
        first: [u32; 2],
        /// The name of the rule.
        rule: &'static str,
    },
    /// The surface does not go round a point a whole number of times.
    #[error(
        "the faces at {count} edges do not agree which side is out (first: vertices {} and {}), so \
         it has no inside by {rule}; turn them round or take the rule even-odd", first[0], first[1]
    )]
    InconsistentOrientation {
        /// How many edges there are.
        count: usize,
        /// The first of them.
        first: [u32; 2],
        /// The name of the rule.
        rule: &'static str,
    },
    /// Counting crossings needs whole numbers.
    #[error(
        "it is not closed: {count} edges lack a face or run against their neighbors (first: vertices \
         {} and {}), so crossings cannot be counted; take the method multipole or double-layer",
        first[0], first[1]
    )]
    NeedsClosed {
        /// How many edges there are.
        count: usize,
        /// The first of them.
        first: [u32; 2],
    },
    /// Faces that are turned round take away from what is seen of the others.
    #[error(
        "the faces at {count} edges do not agree which side is out (first: vertices {} and {}), so how \
         much of it is seen from a point does not tell the inside by even-odd; turn them round or take \
         the method cells or ray", first[0], first[1]
    )]
    NeedsConsistentOrientation {
        /// How many edges there are.
        count: usize,
        /// The first of them.
        first: [u32; 2],
    },
    /// What the fast multipole method refused.
    #[error(transparent)]
    Multipole(#[from] MultipoleError),
}

/// For so few pairs of points and triangles nothing is worth preparing.
const MAX_UNPREPARED_PAIRS: usize = 100_000;

/// So many points pay for the preparation of expansions.
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

    /// As the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            ContainmentMethod::Auto => "auto",
            ContainmentMethod::Cells => "cells",
            ContainmentMethod::Ray => "ray",
            ContainmentMethod::DoubleLayer => "double-layer",
            ContainmentMethod::Multipole => "multipole",
        }
    }

    /// The method of this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Prepares a surface for about so many points, having made sure by its survey that the rule
    /// gives it an inside.
    ///
    /// ```
    /// use carom_detect::inside::{Method, Rule, Side};
    /// use carom_geometry::Vector;
    /// use carom_geometry::mesh::{MeshTopology, TriangleMesh, octahedron_sphere};
    /// let sphere = octahedron_sphere(3);
    /// let survey = MeshTopology::of(&sphere.to_polygons());
    /// let prepared = Method::Auto.prepare(sphere.clone(), &survey, Rule::Parity, 1_000_000)?;
    /// assert_eq!(prepared.method, Method::Cells);
    /// assert_eq!(prepared.test.side(&Vector::zeros()), Side::Inside);
    ///
    /// let open = TriangleMesh::new(sphere.vertices().to_vec(), sphere.triangles()[5..].to_vec())?;
    /// let survey = MeshTopology::of(&open.to_polygons());
    /// assert!(Method::Auto.prepare(open.clone(), &survey, Rule::Parity, 10).is_err());
    /// let prepared = Method::Auto.prepare(open, &survey, Rule::Winding, 10)?;
    /// assert_eq!(prepared.test.side(&Vector::zeros()), Side::Inside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(
        self,
        surface: TriangleMesh,
        survey: &MeshTopology,
        rule: FillRule,
        points: usize,
    ) -> Result<PreparedSurface, ContainmentError> {
        check_rule(survey, rule)?;
        let method = self.resolved(&surface, survey, rule, points);
        check_method(survey, rule, method)?;
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
        survey: &MeshTopology,
        rule: FillRule,
        points: usize,
    ) -> Self {
        let is_open = rule == FillRule::Winding && survey.unbalanced_edges.count > 0;
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

fn check_rule(survey: &MeshTopology, rule: FillRule) -> Result<(), ContainmentError> {
    let name = rule.name();
    let open = survey.odd_edges.first.map(|first| ContainmentError::Open {
        count: survey.odd_edges.count,
        first,
        rule: name,
    });
    let contrary =
        survey.unbalanced_edges.first.map(|first| ContainmentError::InconsistentOrientation {
            count: survey.unbalanced_edges.count,
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
    survey: &MeshTopology,
    rule: FillRule,
    method: ContainmentMethod,
) -> Result<(), ContainmentError> {
    let count = survey.unbalanced_edges.count;
    match (survey.unbalanced_edges.first, rule, method) {
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
    fn what_is_seen_of_faces_turned_round_is_not_taken_for_parity() {
        let (vertices, mut triangles) = (cube().vertices().to_vec(), cube().triangles().to_vec());
        triangles[0].reverse();
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        let survey = MeshTopology::of(&mesh.to_polygons());
        let prepared = |method: ContainmentMethod, points| {
            method.prepare(mesh.clone(), &survey, FillRule::EvenOdd, points)
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
