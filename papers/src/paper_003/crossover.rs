//! From how many triangles on the fast multipole method is quicker than ray crossing against every face.

use super::approach::Approach;
use super::comparison::Comparison;
use std::fmt;

/// Where one approach overtakes the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CrossoverPoint {
    /// From about this many triangles on, interpolated between two meshes.
    At(f64),
    /// Already on the coarsest mesh, of this many triangles.
    Below(usize),
    /// Not even on the finest mesh, of this many triangles.
    Beyond(usize),
}

/// Where a multipole method overtakes ray crossing; none where nothing was measured.
///
/// The last change of order counts, where times are so close that there are several.
pub fn crossover_point(
    comparison: &Comparison,
    multipole: Approach,
    per_axis: usize,
) -> Option<CrossoverPoint> {
    let expanded = comparison.curve(multipole, per_axis);
    let rays = comparison.curve(Approach::RayCrossing, per_axis);
    let ratios = expanded.iter().zip(&rays);
    let points: Vec<(usize, f64)> =
        ratios.map(|(fmm, ray)| (fmm.triangles, (fmm.total() / ray.total()).ln())).collect();
    let (first, last) = (points.first()?.0, points.last()?.0);
    let slower = points.iter().rposition(|point| point.1 >= 0.0);
    Some(match slower {
        None => CrossoverPoint::Below(first),
        Some(number) if number + 1 == points.len() => CrossoverPoint::Beyond(last),
        Some(number) => {
            let [(coarse, before), (fine, after)] = [points[number], points[number + 1]];
            let part = before / (before - after);
            CrossoverPoint::At(coarse as f64 * (fine as f64 / coarse as f64).powf(part))
        }
    })
}

impl fmt::Display for CrossoverPoint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CrossoverPoint::At(triangles) => {
                formatter.write_str(&crate::digits::significant(*triangles, 2))
            }
            CrossoverPoint::Below(triangles) => write!(formatter, "below {triangles}"),
            CrossoverPoint::Beyond(triangles) => write!(formatter, "beyond {triangles}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_003::samples::comparison;

    #[test]
    fn the_lines_cross_where_they_should() {
        // 1e-6 N M against 1e-4 N + 1e-5 M: equal at N = 1e-5 M / (1e-6 M - 1e-4).
        let comparison = comparison(|case| match case.approach {
            Approach::RayCrossing => 1e-6 * case.triangles as f64 * case.points() as f64,
            _ => 1e-4 * case.triangles as f64 + 1e-1 * case.points() as f64,
        });
        for per_axis in [10, 80] {
            let points = f64::powi(per_axis as f64, 3);
            let expected = 0.1 * points / (1e-6 * points - 1e-4);
            let Some(CrossoverPoint::At(found)) =
                crossover_point(&comparison, Approach::PreChosen, per_axis)
            else {
                panic!("no crossing with {per_axis}");
            };
            assert!((found / expected).ln().abs() < 0.05, "{found} {expected}");
        }
    }

    #[test]
    fn lines_that_do_not_cross_are_reported() {
        let quick =
            comparison(|case| if case.approach == Approach::RayCrossing { 2.0 } else { 1.0 });
        let found = crossover_point(&quick, Approach::WellChosen, 10);
        assert_eq!(found, Some(CrossoverPoint::Below(8)));
        let slow =
            comparison(|case| if case.approach == Approach::RayCrossing { 1.0 } else { 2.0 });
        let found = crossover_point(&slow, Approach::WellChosen, 10);
        assert_eq!(found, Some(CrossoverPoint::Beyond(131_072)));
        assert_eq!(crossover_point(&slow, Approach::WellChosen, 30), None);
    }
}
