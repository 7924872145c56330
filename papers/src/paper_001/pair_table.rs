//! The table of section "Real simulations" and figure 6: iterations and time of a query, over the number of
//! faces.
//!
//! Two equal round bodies tumble beside each other, their extents along one axis a tenth of a radius
//! apart. Each query starts from the features found last.

use crate::PaperProgress;
use crate::measure::Stopwatch;
use crate::records::{Record, Records, record};
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use carom::scene::generate::{DEFAULT_SEED, RoundBody, RoundKind, TumblingPair, TumblingRotation};

/// Distance between the bodies, in radii, which the paper does not state.
pub const GAP: f64 = 0.1;
/// Queries that are timed; more would wander through more memory than the caches hold.
const TIMED_QUERIES: usize = 10_000;

/// The table as the paper prints it, of 100,000 queries each on an IBM Power 2.
pub fn printed() -> Records {
    Records::parse(include_str!("../../data/001_table.csv"))
}

/// The table at a rotation per step, with the printed one beside it.
pub fn measure(
    degrees: f64,
    queries: usize,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Records {
    let row = |printed: Record| {
        let faces = printed.number("faces") as usize;
        progress.step(&format!("{faces} faces, {degrees} degrees per step"));
        let body = round_polyhedron(faces);
        let poses: Vec<[Pose; 2]> = poses(&body, degrees).take(queries).collect();
        let [one, two, three, more] = iterations(&body, &poses);
        let measured = record! {
            "degrees": degrees, "faces": faces,
            "features": body.face_count() + body.edge_count() + body.vertices().len(),
            "1 iteration": one, "2 iterations": two, "3 iterations": three, "more iterations": more,
            "microseconds": microseconds(&body, &poses[..TIMED_QUERIES.min(queries)], stopwatch),
        };
        measured.and(printed.without("faces"))
    };
    printed().into_iter().map(row).collect()
}

/// A body with this many triangles and corners on the unit sphere.
pub(super) fn round_polyhedron(faces: usize) -> ConvexPolyhedron {
    let body = RoundBody { kind: RoundKind::Even, faces, seed: DEFAULT_SEED };
    body.make().expect("the paper's numbers of faces are even and at least four")
}

fn poses(body: &ConvexPolyhedron, degrees: f64) -> TumblingPair<'_> {
    TumblingPair::new(body, TumblingRotation::ByAngle(degrees.to_radians()), GAP, DEFAULT_SEED)
}

/// The part of queries that take one iteration at a rotation per step.
pub(super) fn share_of_one(faces: usize, degrees: f64, queries: usize) -> f64 {
    let body = round_polyhedron(faces);
    let poses: Vec<[Pose; 2]> = poses(&body, degrees).take(queries).collect();
    iterations(&body, &poses)[0] as f64 / queries as f64
}

/// Queries that take one, two, three, and more iterations.
fn iterations(body: &ConvexPolyhedron, poses: &[[Pose; 2]]) -> [usize; 4] {
    let mut query = ClosestFeatures::new();
    let mut counts = [0; 4];
    for [a, b] in poses {
        let iterations = query.query(body, a, body, b).iterations as usize;
        counts[iterations.clamp(1, 4) - 1] += 1;
    }
    counts
}

fn microseconds(body: &ConvexPolyhedron, poses: &[[Pose; 2]], stopwatch: &Stopwatch) -> f64 {
    let shortest = stopwatch.shortest(|| {
        let mut query = ClosestFeatures::new();
        for [a, b] in poses {
            std::hint::black_box(query.query(body, a, body, b));
        }
    });
    shortest.as_secs_f64() * 1e6 / poses.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slower_turning_changes_features_less_often() {
        let share = |degrees| share_of_one(100, degrees, 2000);
        assert!(share(0.1) > share(0.5) && share(0.5) > share(5.0));
    }

    #[test]
    fn the_printed_rows_are_of_triangles_and_of_a_hundred_thousand_queries() {
        for row in printed().iter() {
            let faces = row.number("faces");
            assert_eq!(row.number("printed features"), faces + 1.5 * faces + 0.5 * faces + 2.0);
            let counts = ["1 iteration", "2 iterations", "3 iterations", "more iterations"]
                .map(|name| row.number(&format!("printed {name}")));
            assert!((counts.iter().sum::<f64>() - 1e5).abs() <= 1.0, "{row:?}");
            assert!(counts[0] / 1e5 > 0.97, "{row:?}");
        }
    }
}
