//! How a quantity may grow with the number of bodies, and whether it does.

use crate::fit;
use std::fmt;

/// An upper bound as the paper writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComplexityBound {
    /// Does not occur.
    Zero,
    /// O(1).
    Constant,
    /// 1.
    One,
    /// 0 or 1.
    AtMostOne,
    /// O(log n).
    Logarithm,
    /// O(n).
    Linear,
    /// O(n log n).
    Linearithmic,
    /// O(nk), with k cells along a side of the box.
    BodiesTimesCells,
    /// O(n + k^d).
    BodiesAndCells,
    /// O(n^2).
    Square,
    /// O(n^2 lambda_s(n)), with the length of a Davenport-Schinzel sequence, which is nearly n.
    SquareTimesSequence,
    /// O(n^ceil(d+1/2)), read as the n^ceil((d+1)/2) of an incremental construction: n^2 in the plane
    /// and in space.
    Construction,
    /// O(n^ceil(d/2)), the most simplices there can be: n in the plane, n^2 in space.
    Simplices,
}

impl ComplexityBound {
    /// Its value, up to a factor, for this many bodies at a constant density: k is then a multiple of
    /// the d-th root of n.
    fn at(self, count: f64, dimension: usize) -> f64 {
        match self {
            ComplexityBound::Zero
            | ComplexityBound::Constant
            | ComplexityBound::One
            | ComplexityBound::AtMostOne => 1.0,
            ComplexityBound::Logarithm => count.ln(),
            ComplexityBound::Linear | ComplexityBound::BodiesAndCells => count,
            ComplexityBound::Linearithmic => count * count.ln(),
            ComplexityBound::BodiesTimesCells => count * count.powf(1.0 / dimension as f64),
            ComplexityBound::Square => count * count,
            ComplexityBound::SquareTimesSequence => count.powi(3),
            ComplexityBound::Construction => count.powi((dimension as i32 + 2) / 2),
            ComplexityBound::Simplices => count.powi((dimension as i32 + 1) / 2),
        }
    }

    /// The power of the number of bodies with which the bound itself grows over these numbers.
    pub fn exponent(self, counts: &[f64], dimension: usize) -> Option<f64> {
        let points: Vec<_> =
            counts.iter().map(|&count| (count, self.at(count, dimension))).collect();
        fit::upper_exponent(&points)
    }
}

impl fmt::Display for ComplexityBound {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ComplexityBound::Zero => "0",
            ComplexityBound::Constant => "O(1)",
            ComplexityBound::One => "1",
            ComplexityBound::AtMostOne => "0 or 1",
            ComplexityBound::Logarithm => "O(log n)",
            ComplexityBound::Linear => "O(n)",
            ComplexityBound::Linearithmic => "O(n log n)",
            ComplexityBound::BodiesTimesCells => "O(nk)",
            ComplexityBound::BodiesAndCells => "O(n + k^d)",
            ComplexityBound::Square => "O(n^2)",
            ComplexityBound::SquareTimesSequence => "O(n^2 lambda_s(n))",
            ComplexityBound::Construction => "O(n^ceil(d+1/2))",
            ComplexityBound::Simplices => "O(n^ceil(d/2))",
        })
    }
}

/// A fitted exponent beside that of its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FittedGrowth {
    /// Fitted to what was measured.
    pub measured: f64,
    /// Of the bound over the same numbers.
    pub allowed: f64,
    /// How the two compare.
    pub comparison: BoundComparison,
}

/// How a quantity grows, seen from its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BoundComparison {
    /// Slower.
    Smaller,
    /// As the bound does.
    Within,
    /// Faster.
    Exceeds,
}

impl BoundComparison {
    /// Exponents nearer than the tolerance count as equal.
    pub fn of(measured: f64, allowed: f64, tolerance: f64) -> Self {
        if measured > allowed + tolerance {
            BoundComparison::Exceeds
        } else if measured < allowed - tolerance {
            BoundComparison::Smaller
        } else {
            BoundComparison::Within
        }
    }
}

impl fmt::Display for BoundComparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            BoundComparison::Smaller => "smaller",
            BoundComparison::Within => "within",
            BoundComparison::Exceeds => "exceeds",
        })
    }
}

/// The growth of measured points against a bound; none if no power can be fitted, as where all is
/// zero.
pub fn growth(
    points: &[(f64, f64)],
    bound: ComplexityBound,
    dimension: usize,
    tolerance: f64,
) -> Option<FittedGrowth> {
    let counts: Vec<f64> = points.iter().map(|point| point.0).collect();
    let measured = fit::upper_exponent(points)?;
    let allowed = bound.exponent(&counts, dimension)?;
    Some(FittedGrowth {
        measured,
        allowed,
        comparison: BoundComparison::of(measured, allowed, tolerance),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNTS: [f64; 5] = [1e3, 3e3, 1e4, 3e4, 1e5];

    fn grown(power: f64, bound: ComplexityBound, dimension: usize) -> FittedGrowth {
        let points = COUNTS.map(|count| (count, 7.0 * count.powf(power)));
        growth(&points, bound, dimension, 0.1).unwrap()
    }

    #[test]
    fn exponents_of_bounds_are_known() {
        let of = |bound: ComplexityBound, dimension| bound.exponent(&COUNTS, dimension).unwrap();
        assert_eq!(of(ComplexityBound::Constant, 2), 0.0);
        assert!((of(ComplexityBound::BodiesTimesCells, 2) - 1.5).abs() < 1e-9);
        assert!((of(ComplexityBound::BodiesTimesCells, 3) - 4.0 / 3.0).abs() < 1e-9);
        assert!((of(ComplexityBound::Square, 3) - 2.0).abs() < 1e-9);
        for (dimension, simplices) in [(2, 1.0), (3, 2.0)] {
            assert!((of(ComplexityBound::Construction, dimension) - 2.0).abs() < 1e-9);
            assert!((of(ComplexityBound::Simplices, dimension) - simplices).abs() < 1e-9);
        }
        // The logarithm grows by two thirds while its argument does a hundredfold.
        assert!((of(ComplexityBound::Logarithm, 2) - 0.11).abs() < 0.01);
        assert!((of(ComplexityBound::Linearithmic, 2) - 1.11).abs() < 0.01);
    }

    #[test]
    fn slower_equal_and_faster_growth_are_reported_apart() {
        assert_eq!(
            grown(2.0 / 3.0, ComplexityBound::Square, 3).comparison,
            BoundComparison::Smaller
        );
        assert_eq!(grown(0.0, ComplexityBound::Logarithm, 2).comparison, BoundComparison::Smaller);
        assert_eq!(grown(0.05, ComplexityBound::Constant, 2).comparison, BoundComparison::Within);
        assert_eq!(grown(0.5, ComplexityBound::Constant, 2).comparison, BoundComparison::Exceeds);
        assert!((grown(0.5, ComplexityBound::Constant, 2).measured - 0.5).abs() < 1e-9);
    }

    #[test]
    fn what_is_always_zero_has_no_growth() {
        assert_eq!(growth(&[(1e2, 0.0), (1e3, 0.0)], ComplexityBound::Zero, 2, 0.1), None);
    }
}
