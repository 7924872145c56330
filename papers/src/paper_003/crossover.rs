//! Number of triangles from which the fast multipole method is faster than ray crossing against every face.

use crate::digits::significant;
use crate::records::Records;

/// The number of triangles from which on a multipole method overtakes ray crossing, on one body and grid: interpolated
/// between two meshes; zero if it is quicker on the coarsest mesh already, infinite if it is not even on the finest;
/// not a number where nothing was measured.
///
/// The last change of order counts, where times are so close that there are several.
pub fn crossover_point(cases: &Records, multipole: &str) -> f64 {
    let times = |method: &str| cases.of("method", method).points("triangles", "total seconds");
    let ratios = times(multipole).into_iter().zip(times("ray crossing"));
    let points: Vec<(f64, f64)> = ratios.map(|(fmm, ray)| (fmm.0, (fmm.1 / ray.1).ln())).collect();
    match points.iter().rposition(|point| point.1 >= 0.0) {
        _ if points.is_empty() => f64::NAN,
        None => 0.0,
        Some(number) if number + 1 == points.len() => f64::INFINITY,
        Some(number) => {
            let [(coarse, before), (fine, after)] = [points[number], points[number + 1]];
            coarse * (fine / coarse).powf(before / (before - after))
        }
    }
}

/// The same in words.
pub fn crossover_text(cases: &Records, multipole: &str) -> String {
    match crossover_point(cases, multipole) {
        0.0 => format!("below {}", cases.least("triangles")),
        f64::INFINITY => format!("beyond {}", cases.most("triangles")),
        triangles if triangles.is_nan() => String::new(),
        triangles => significant(triangles, 2),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_003::tests::sample;

    #[test]
    fn the_lines_cross_where_they_should() {
        // 1e-6 N M against 1e-4 N + 1e-1 M: equal at N = 1e-1 M / (1e-6 M - 1e-4).
        let cases = sample("sphere", |method, triangles, points| match method {
            "ray crossing" => 1e-6 * triangles * points,
            _ => 1e-4 * triangles + 1e-1 * points,
        });
        for (grid, points) in [("10³", 1e3), ("80³", 512e3)] {
            let expected = 0.1 * points / (1e-6 * points - 1e-4);
            let found = crossover_point(&cases.of("grid", grid), "FMM PC");
            assert!((found / expected).ln().abs() < 0.05, "{found} {expected}");
        }
    }

    #[test]
    fn lines_that_do_not_cross_are_reported() {
        let constant = |multipole, rays| {
            let cases = sample(
                "sphere",
                |method, _, _| {
                    if method == "ray crossing" { rays } else { multipole }
                },
            );
            crossover_text(&cases.of("grid", "10³"), "FMM WC")
        };
        assert_eq!(constant(1.0, 2.0), "below 8");
        assert_eq!(constant(2.0, 1.0), "beyond 131072");
        assert_eq!(crossover_text(&Records::default(), "FMM WC"), "");
    }
}
