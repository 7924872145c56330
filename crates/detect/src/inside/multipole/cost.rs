//! What it is worth to divide space further.

use super::harmonics::count;
use super::matrix::padded;
use super::options::Depth;

/// Nanoseconds to look at one triangle from one point.
const TRIANGLE: f64 = 2.5;
/// Nanoseconds for a place, besides its expansion.
const PLACE: f64 = 300.0;
/// Nanoseconds to convert moments, besides the product with a matrix.
const PAIR: f64 = 20.0;
/// Nanoseconds for one product of a matrix.
const PRODUCT: f64 = 0.05;
/// As many clusters are far from a place, but not from its father, as a rule.
const USUAL_PAIRS: usize = 50;
/// A place with fewer triangles near is not divided.
const FEW_NEAR: f64 = 32.0;
/// Triangles in each cluster of the finest level, if nothing is known about points; an octree has four
/// times as many boxes at a surface on each level.
const TRIANGLES_TOGETHER: f64 = 128.0;

/// What decides how finely space is divided.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    /// No place is divided on this level.
    finest: usize,
    /// How many points there will be in the root, if that is known.
    points: Option<f64>,
    /// Nanoseconds for a pair.
    pair: f64,
}

impl Cost {
    /// For expansions of about this degree, and with so many points in the root for each point in the
    /// domain.
    pub fn new(depth: Depth, triangles: usize, degree: usize, root_to_domain: f64) -> Self {
        let halvings = (triangles as f64 / TRIANGLES_TOGETHER).max(1.0).log2() / 2.0;
        let from_triangles = halvings.round() as usize;
        let (finest, points) = match depth {
            Depth::Triangles => (from_triangles, None),
            Depth::TrianglesAndPoints(points) => {
                (from_triangles + 3, Some(points as f64 * root_to_domain))
            }
            Depth::Levels(levels) => (levels, None),
        };
        let products = (padded(count(degree)) * (count(degree) - 1)) as f64;
        Cost { finest, points, pair: PAIR + PRODUCT * products }
    }

    /// The finest level there may be.
    pub fn finest(&self) -> usize {
        self.finest
    }

    /// Whether a place on a level, with so many triangles near, may be divided.
    pub fn may_divide(&self, level: usize, triangles: f64) -> bool {
        level < self.finest && triangles > FEW_NEAR
    }

    /// Whether a place should be divided if then so many triangles are near its sons in the mean, and so
    /// many pairs are to be converted.
    pub fn is_worth_while(
        &self,
        level: usize,
        triangles: f64,
        after: f64,
        sons: usize,
        pairs: usize,
    ) -> bool {
        let Some(points) = self.points else { return true };
        let here = points / 8f64.powi(level as i32);
        // While nothing is far yet, dividing again will pay: as a rule, three quarters are far then.
        let (after, pairs) =
            if pairs == 0 { (triangles / 4.0, USUAL_PAIRS * sons) } else { (after, pairs) };
        let saved = here * (triangles - after) * TRIANGLE;
        saved > pairs as f64 * self.pair + sons as f64 * (PLACE + self.pair)
    }
}
