//! How far values can be from the truth: equations 26 and 27, made sharp.
//!
//! Moments up to the degree `p` and local coefficients up to the degree `p` are kept, the rest is lost.
//! The part of the kernel of degree `s` in the cluster and `n` in the place is at most
//! `(n + s)! / (n! s!) |x|^n |y|^s / D^(n + s + 1)` (Banach: a symmetric form is nowhere larger than on
//! its diagonal), and its gradient `s / |y|` times that. Summed over all `s` for each `n` above `p`, and over
//! all `n` for each `s` above `p`, for a distance `D` of the middles and the radii `x` and `y`:
//!
//! ```text
//! sum over n > p of (n + 1) x^n / (D - y)^(n + 2)  +  sum over s > p of s y^(s - 1) / (D - x)^(s + 1)
//! ```
//!
//! The first sum, for `x = r` and `D - y = d r`, is equation 26 without its factor `1 + pi`. The paper leaves
//! out the second one (the infinite sum in equation 24) and the factor `1 / (4 pi)` of equation 6, which is
//! more than it leaves out; and takes the radius of the finest clusters for all of them, so that equation
//! 27 is far too large. Here every pair counts with its own distance and the power `p` of the distance
//! from the middle integrated over its cluster.

use super::harmonics::HIGHEST_DEGREE;
use super::moments::Spread;
use super::places::PlaceTree;
use super::tree::{HALF_DIAGONAL, LARGEST_RADIUS};
use std::f64::consts::PI;

/// Radii are rounded up to such parts of an edge.
const CLASSES_PER_EDGE: f64 = 32.0;
const CLASSES: usize = (LARGEST_RADIUS * CLASSES_PER_EDGE) as usize + 2;

/// The sum of `(n + 1) ratio^n` from `first` on.
fn tail(first: usize, ratio: f64) -> f64 {
    let rest = 1.0 - ratio;
    ratio.powi(first as i32) * ((first + 1) as f64 / rest + ratio / (rest * rest))
}

/// What is lost of a cluster seen from the distance `away`, by a place of this radius, for each unit of
/// area, and for each unit of the integral of the power `degree` of the distance from the middle of the
/// cluster.
pub fn lost(degree: usize, away: f64, place: f64, cluster: f64) -> [f64; 2] {
    let (from_place, from_cluster) = (away - cluster, away - place);
    if from_place <= place || from_cluster <= cluster {
        return [f64::INFINITY; 2];
    }
    let local = tail(degree + 1, place / from_place) / (from_place * from_place);
    let ratio = cluster / from_cluster;
    let rest = 1.0 - ratio;
    let series = (degree + 1) as f64 / rest + ratio / (rest * rest);
    let moments = series / from_cluster.powi(degree as i32 + 2);
    [local, moments].map(|part| part / (4.0 * PI))
}

/// The bound for all points of the domain.
pub fn bound(places: &PlaceTree, spreads: &[Vec<Spread>], degree: usize) -> f64 {
    let mut worst = 0.0f64;
    let mut above: Vec<f64> = Vec::new();
    let mut known: Vec<[f64; 2]> = Vec::new();
    for (level, places) in places.levels.iter().enumerate() {
        let seen: Vec<[f64; 2]> = spreads.get(level).map_or(Vec::new(), |spreads| {
            spreads.iter().map(|spread| [spread.area(), spread.integral(degree)]).collect()
        });
        let mut here = Vec::with_capacity(places.places.len());
        for place in &places.places {
            let mut sum = above.get(place.father as usize).copied().unwrap_or(0.0);
            for pair in &places.pairs[place.pairs.start as usize..place.pairs.end as usize] {
                let cluster = pair.cluster as usize;
                let square: i32 = pair.step.iter().map(|&step| i32::from(step).pow(2)).sum();
                let class = (spreads[level][cluster].radius * CLASSES_PER_EDGE).ceil() as usize;
                let entry = square as usize * CLASSES + class.min(CLASSES - 1);
                if known.len() <= entry {
                    known.resize(entry + 1, [f64::NAN; 2]);
                }
                if known[entry][0].is_nan() {
                    let radius = class as f64 / CLASSES_PER_EDGE;
                    known[entry] = lost(degree, f64::from(square).sqrt(), HALF_DIAGONAL, radius);
                }
                sum += seen[cluster][0] * known[entry][0] + seen[cluster][1] * known[entry][1];
            }
            here.push(sum);
            if place.leaf != super::places::NONE {
                worst = worst.max(sum);
            }
        }
        above = here;
    }
    worst
}

/// The lowest degree with a bound of at most this, and its bound; the bound of the highest if there is
/// none.
pub fn degree_for(
    wanted: f64,
    places: &PlaceTree,
    spreads: &[Vec<Spread>],
) -> Result<(usize, f64), f64> {
    let mut last = f64::INFINITY;
    for degree in 1..=HIGHEST_DEGREE {
        last = bound(places, spreads, degree);
        if last <= wanted {
            return Ok((degree, last));
        }
    }
    Err(last)
}
