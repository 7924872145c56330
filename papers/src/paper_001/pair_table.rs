//! The table of section "Real simulations" and figure 6: iterations and time of a query, over the number of
//! faces.
//!
//! Two equal round bodies tumble beside each other, their extents along one axis a tenth of a radius
//! apart. Each query starts from the features found last.

use super::published;
use crate::measure::Stopwatch;
use crate::{PaperProgress, Settings};
use carom::detect::narrow::ClosestFeatures;
use carom::geometry::{Pose, shape::ConvexPolyhedron};
use carom::scene::generate::{DEFAULT_SEED, RoundBody, RoundKind, TumblingPair, TumblingRotation};

/// What the paper does not state: how far apart the bodies are, in radii.
pub const GAP: f64 = 0.1;
/// Queries that are timed; more would wander through more memory than the caches hold.
const TIMED_QUERIES: usize = 10_000;

/// The table at one rotation per step.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTable {
    /// By how much both bodies turn between two queries.
    pub degrees: f64,
    /// One row for each of the paper's numbers of faces.
    pub rows: Vec<PairTableRow>,
}

/// Bodies of this many faces.
#[derive(Clone, Debug, PartialEq)]
pub struct PairTableRow {
    /// How many faces a body has.
    pub faces: usize,
    /// Faces, edges and corners together.
    pub features: usize,
    /// Queries that took one, two, three, and more iterations.
    pub iterations: [usize; 4],
    /// Time of a query.
    pub microseconds: f64,
}

impl PairTableRow {
    /// The part of the queries that took at most this many iterations.
    pub fn share_up_to(&self, iterations: usize) -> f64 {
        let all: usize = self.iterations.iter().sum();
        self.iterations[..iterations].iter().sum::<usize>() as f64 / all as f64
    }
}

impl PairTable {
    /// The smallest part of queries that took at most this many iterations, over all rows.
    pub fn least_share_up_to(&self, iterations: usize) -> f64 {
        self.rows.iter().map(|row| row.share_up_to(iterations)).fold(1.0, f64::min)
    }

    /// The mean time of a query over all rows.
    pub fn mean_microseconds(&self) -> f64 {
        let sum: f64 = self.rows.iter().map(|row| row.microseconds).sum();
        sum / self.rows.len() as f64
    }
}

/// Queries per row: as many as in the paper, or fewer in a quick run.
pub fn queries(settings: &Settings) -> usize {
    if settings.quick { 3_000 } else { 100_000 }
}

/// Measures the table at a rotation per step.
pub fn measure(
    degrees: f64,
    queries: usize,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> PairTable {
    let row = |printed: &published::PublishedQueryRow| {
        let faces = printed.faces;
        progress.step(&format!("{faces} faces, {degrees} degrees per step"), 1.0);
        let body = round_polyhedron(faces);
        let poses: Vec<[Pose; 2]> = poses(&body, degrees).take(queries).collect();
        PairTableRow {
            faces,
            features: body.face_count() + body.edge_count() + body.vertices().len(),
            iterations: iterations(&body, &poses),
            microseconds: microseconds(&body, &poses[..TIMED_QUERIES.min(queries)], stopwatch),
        }
    };
    PairTable { degrees, rows: published::TABLE.iter().map(row).collect() }
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
    let mut query = ClosestFeatures::new();
    let of_one = poses(&body, degrees)
        .take(queries)
        .filter(|[a, b]| query.query(&body, a, &body, b).iterations <= 1);
    of_one.count() as f64 / queries as f64
}

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
    fn shares_are_of_all_queries() {
        let row =
            PairTableRow { faces: 4, features: 14, iterations: [6, 2, 1, 1], microseconds: 1.0 };
        assert_eq!((row.share_up_to(1), row.share_up_to(2), row.share_up_to(4)), (0.6, 0.8, 1.0));
    }
}
