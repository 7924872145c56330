use super::{
    Cells, Depth, DoubleLayer, InsideTest, Multipole, MultipoleError, MultipoleOptions,
    RayCrossing, Rule,
};
use carom_geometry::mesh::{Survey, TriangleMesh};
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
pub enum Method {
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
pub struct Prepared {
    /// Tells the sides of points.
    pub test: Box<dyn InsideTest>,
    /// The method, never [`Method::Auto`].
    pub method: Method,
}

/// Why a rule or a method cannot answer for a surface. Vertices are numbered from zero.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum NoInside {
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
         it has no inside by {rule}; turn them round or take the rule parity", first[0], first[1]
    )]
    Contrary {
        /// How many edges there are.
        count: usize,
        /// The first of them.
        first: [u32; 2],
        /// The name of the rule.
        rule: &'static str,
    },
    /// Counting crossings needs whole numbers.
    #[error(
        "it is not closed: {count} edges lack a face or run against their neighbours (first: vertices \
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
         much of it is seen from a point does not tell the inside by parity; turn them round or take \
         the method cells or ray", first[0], first[1]
    )]
    NeedsAgreement {
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
const FEW_PAIRS: usize = 100_000;

/// So many points pay for the preparation of expansions.
const MANY_POINTS: usize = 200;

impl Method {
    /// All methods.
    pub const ALL: [Method; 5] =
        [Method::Auto, Method::Cells, Method::Ray, Method::DoubleLayer, Method::Multipole];

    /// As the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::Cells => "cells",
            Method::Ray => "ray",
            Method::DoubleLayer => "double-layer",
            Method::Multipole => "multipole",
        }
    }

    /// The method of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Prepares a surface for about so many points, having made sure by its survey that the rule
    /// gives it an inside.
    ///
    /// ```
    /// use carom_detect::inside::{Method, Rule, Side};
    /// use carom_geometry::Vector;
    /// use carom_geometry::mesh::{Survey, TriangleMesh, octahedron_sphere};
    /// let sphere = octahedron_sphere(3);
    /// let survey = Survey::of(&sphere.to_polygons());
    /// let prepared = Method::Auto.prepare(sphere.clone(), &survey, Rule::Parity, 1_000_000)?;
    /// assert_eq!(prepared.method, Method::Cells);
    /// assert_eq!(prepared.test.side(&Vector::zeros()), Side::Inside);
    ///
    /// let open = TriangleMesh::new(sphere.vertices().to_vec(), sphere.triangles()[5..].to_vec())?;
    /// let survey = Survey::of(&open.to_polygons());
    /// assert!(Method::Auto.prepare(open.clone(), &survey, Rule::Parity, 10).is_err());
    /// let prepared = Method::Auto.prepare(open, &survey, Rule::Winding, 10)?;
    /// assert_eq!(prepared.test.side(&Vector::zeros()), Side::Inside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn prepare(
        self,
        surface: TriangleMesh,
        survey: &Survey,
        rule: Rule,
        points: usize,
    ) -> Result<Prepared, NoInside> {
        check_rule(survey, rule)?;
        let method = self.chosen(&surface, survey, rule, points);
        check_method(survey, rule, method)?;
        let test: Box<dyn InsideTest> = match method {
            Method::Auto | Method::Cells => Box::new(Cells::new(surface, rule, points)),
            Method::Ray if is_few(&surface, points) => Box::new(RayCrossing::plain(surface, rule)),
            Method::Ray => Box::new(RayCrossing::new(&surface, rule)),
            Method::DoubleLayer => Box::new(DoubleLayer::new(&surface, rule)),
            Method::Multipole => {
                let options = MultipoleOptions {
                    depth: Depth::TrianglesAndPoints(points),
                    ..MultipoleOptions::default()
                };
                Box::new(Multipole::new(&surface, rule, &options)?)
            }
        };
        Ok(Prepared { test, method })
    }

    fn chosen(self, surface: &TriangleMesh, survey: &Survey, rule: Rule, points: usize) -> Self {
        let is_open = rule == Rule::Winding && survey.unbalanced.count > 0;
        match self {
            Method::Auto if is_open && points < MANY_POINTS => Method::DoubleLayer,
            Method::Auto if is_open => Method::Multipole,
            Method::Auto if is_few(surface, points) => Method::Ray,
            Method::Auto => Method::Cells,
            method => method,
        }
    }
}

fn is_few(surface: &TriangleMesh, points: usize) -> bool {
    points.saturating_mul(surface.triangles().len()) <= FEW_PAIRS
}

fn check_rule(survey: &Survey, rule: Rule) -> Result<(), NoInside> {
    let name = rule.name();
    let open =
        survey.odd.first.map(|first| NoInside::Open { count: survey.odd.count, first, rule: name });
    let contrary = survey.unbalanced.first.map(|first| NoInside::Contrary {
        count: survey.unbalanced.count,
        first,
        rule: name,
    });
    let refusal = match rule {
        Rule::Parity => open,
        Rule::Nonzero => open.or(contrary),
        Rule::Winding => None,
    };
    refusal.map_or(Ok(()), Err)
}

fn check_method(survey: &Survey, rule: Rule, method: Method) -> Result<(), NoInside> {
    let count = survey.unbalanced.count;
    match (survey.unbalanced.first, rule, method) {
        (Some(first), Rule::Winding, Method::Cells | Method::Ray) => {
            Err(NoInside::NeedsClosed { count, first })
        }
        (Some(first), Rule::Parity, Method::DoubleLayer | Method::Multipole) => {
            Err(NoInside::NeedsAgreement { count, first })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Side;
    use super::super::samples::cube;
    use super::*;
    use carom_geometry::Vector;

    #[test]
    fn what_is_seen_of_faces_turned_round_is_not_taken_for_parity() {
        let (vertices, mut triangles) = (cube().vertices().to_vec(), cube().triangles().to_vec());
        triangles[0].reverse();
        let mesh = TriangleMesh::new(vertices, triangles).unwrap();
        let survey = Survey::of(&mesh.to_polygons());
        let prepared =
            |method: Method, points| method.prepare(mesh.clone(), &survey, Rule::Parity, points);
        for method in [Method::DoubleLayer, Method::Multipole] {
            let refusal = prepared(method, 10).err();
            assert!(matches!(refusal, Some(NoInside::NeedsAgreement { count: 3, .. })));
        }
        for (method, points) in
            [(Method::Auto, 10), (Method::Auto, 1_000_000), (Method::Cells, 10), (Method::Ray, 10)]
        {
            let Prepared { test, method } = prepared(method, points).unwrap();
            assert!(matches!(method, Method::Cells | Method::Ray));
            assert_eq!(test.side(&Vector::repeat(0.5)), Side::Inside);
        }
    }
}
