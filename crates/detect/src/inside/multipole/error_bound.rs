//! The error bound: equations 26 and 27, made sharp.
//!
//! Moments and local coefficients up to the degree `p` are kept, the rest is truncated. The part of the kernel of
//! degree `s` in the cluster and `n` in the target box is at most `(n + s)! / (n! s!) |x|^n |y|^s / D^(n + s + 1)`
//! (Banach: a symmetric form is nowhere larger than on its diagonal), and its gradient `s / |y|` times that. Summed
//! over all `s` for each `n` above `p`, and over all `n` for each `s` above `p`, for the distance `D` of the
//! centers, `x` in the target box, and `y` in the cluster:
//!
//! ```text
//! sum over n > p of (n + 1) |x|^n / (D - |y|)^(n + 2)
//!     + sum over s > p of s |y|^(s - 1) / (D - |x|)^(s + 1)
//! ```
//!
//! The first sum, for `|x| = r` and `D - |y| = d r`, is equation 26 without its factor `1 + pi`. The paper leaves
//! out the second (it comes from ending the infinite sum of equation 24), and the factor `1 / (4 pi)` of equation 6,
//! which is more; and it takes the radius of the finest clusters for all of them, so equation 27 is far too large.
//! Here every pair counts with its own distance, and powers of `|y|` are integrated over its cluster.

use super::cluster_tree::{HALF_DIAGONAL, MAX_CLUSTER_RADIUS};
use super::radial_moments::{ClusterRadialMoments, INTEGRATED_POWERS};
use super::solid_harmonics::HIGHEST_DEGREE;
use super::target_octree::{FarFieldPair, NONE, TargetOctree};
use carom_geometry::math;
use std::f64::consts::PI;

/// Radii are rounded up to multiples of an edge divided by this number.
const CLASSES_PER_EDGE: f64 = 32.0;
const CLASSES: usize = (MAX_CLUSTER_RADIUS * CLASSES_PER_EDGE) as usize + 2;
/// The highest power of the distance from the center that is integrated.
const HIGHEST_POWER: usize = INTEGRATED_POWERS[INTEGRATED_POWERS.len() - 1];
/// The radii, in edges, at which powers between two integrated ones are interpolated most sharply.
const CROSSOVER_RADII: [f64; INTEGRATED_POWERS.len() - 1] = [0.45, 0.55, 0.65, 0.75];
/// The number of degrees above the highest kept one that are summed individually.
const DEGREES_SUMMED: usize = 30;

/// Returns the sum of `(n + 1) ratio^n` from `first` on.
fn series_tail(first: usize, ratio: f64) -> f64 {
    let rest = 1.0 - ratio;
    ratio.powi(first as i32) * ((first + 1) as f64 / rest + ratio / (rest * rest))
}

/// Returns the truncation error of a cluster of this radius at a point at the distance `away`, per unit of the
/// integral of the power `degree` of the distance from its center.
pub fn truncation_error_at_point(degree: usize, away: f64, radius: f64) -> f64 {
    if away <= radius {
        return f64::INFINITY;
    }
    let ratio = radius / away;
    let rest = 1.0 - ratio;
    let series = (degree + 1) as f64 / rest + ratio / (rest * rest);
    series / away.powi(degree as i32 + 2) / (4.0 * PI)
}

/// Returns the distance, in edges, from which the moments of a cluster lose at most `allowed` per unit of its area,
/// in squares of the edge; at least `separation` times its radius.
pub fn min_distance_for_error(
    degree: usize,
    spread: &ClusterRadialMoments,
    separation: f64,
    allowed: f64,
) -> f64 {
    let (integral, radius) = (spread.integral_bound(degree), spread.radius);
    let most = allowed * spread.area();
    if integral == 0.0 || most <= 0.0 {
        return f64::INFINITY;
    }
    // First the distance without the series, which tends to one far away; then larger until the bound holds.
    let power = 1.0 / (degree + 2) as f64;
    let size = math::powf(integral / (4.0 * PI * most), power);
    let series = |away: f64| {
        let ratio = radius / away;
        let rest = 1.0 - ratio;
        (degree + 1) as f64 / rest + ratio / (rest * rest)
    };
    let mut away = (size * math::powf((degree + 1) as f64, power)).max(radius * separation);
    for _ in 0..2 {
        away = (size * math::powf(series(away), power)).max(radius * separation);
    }
    while truncation_error_at_point(degree, away, radius) * integral > most {
        away *= 1.02;
    }
    away
}

/// Truncation errors per unit of the integrals of powers of the distance from the center.
type TruncationErrors = [f64; INTEGRATED_POWERS.len()];

/// Returns both sums by powers of `|y|`, for the distance `away` of the centers and `x` at the corners of a target
/// box.
fn errors_by_power(degree: usize, away: f64) -> [f64; HIGHEST_POWER + 1] {
    let mut sums = [0.0; HIGHEST_POWER + 1];
    let mut term = HALF_DIAGONAL.powi(degree as i32 + 1) / away.powi(degree as i32 + 3);
    for n in degree + 1..degree + 1 + DEGREES_SUMMED {
        let mut part = term * (n + 1) as f64;
        for (power, sum) in sums.iter_mut().enumerate() {
            *sum += part;
            part *= (n + 2 + power) as f64 / (power + 1) as f64 / away;
        }
        term *= HALF_DIAGONAL / away;
    }
    for (power, sum) in sums.iter_mut().enumerate().skip(degree) {
        *sum += (power + 1) as f64 / (away - HALF_DIAGONAL).powi(power as i32 + 2);
    }
    sums
}

/// Returns the same by integrated powers, for clusters of at most this radius.
fn truncation_errors(
    degree: usize,
    away: f64,
    radius: f64,
    sums: &[f64; HIGHEST_POWER + 1],
) -> TruncationErrors {
    let (from_place, from_cluster) = (away - radius, away - HALF_DIAGONAL);
    if from_place <= HALF_DIAGONAL || from_cluster <= radius {
        return [f64::INFINITY; INTEGRATED_POWERS.len()];
    }
    let local = series_tail(degree + 1, HALF_DIAGONAL / from_place) / (from_place * from_place);
    let moments = series_tail(degree, radius / from_cluster) / (from_cluster * from_cluster);
    let summed = sums.iter().rev().fold(0.0, |sum, part| sum * radius + part);
    let mut lost = from_integrated_powers(sums);
    // Higher powers relate to the highest integrated one at most as at the radius.
    let rest = (local + moments - summed).max(0.0);
    lost[INTEGRATED_POWERS.len() - 1] += rest / radius.powi(HIGHEST_POWER as i32);
    lost.map(|part| part / (4.0 * PI))
}

/// Bounds every power by the two neighboring integrated ones: `t^j` is at most `w t^a + (1 - w) t^b`, with equality
/// at one, if `j = w a + (1 - w) b`.
fn from_integrated_powers(by_power: &[f64; HIGHEST_POWER + 1]) -> TruncationErrors {
    let mut lost = [0.0; INTEGRATED_POWERS.len()];
    for (between, bounds) in INTEGRATED_POWERS.windows(2).enumerate() {
        let (low, high, crossover) = (bounds[0], bounds[1], CROSSOVER_RADII[between]);
        lost[between] += by_power[low];
        for power in low + 1..high {
            let part = (high - power) as f64 / (high - low) as f64;
            lost[between] += by_power[power] * part * crossover.powi((power - low) as i32);
            let beyond = (1.0 - part) * crossover.powi(power as i32 - high as i32);
            lost[between + 1] += by_power[power] * beyond;
        }
    }
    lost[INTEGRATED_POWERS.len() - 1] += by_power[HIGHEST_POWER];
    lost
}

/// A table of truncation errors by squared distance and radius, computed on first use.
struct MultipoleErrorTable {
    degree: usize,
    rows: Vec<Option<MultipoleErrorRow>>,
}

#[derive(Clone)]
struct MultipoleErrorRow {
    by_power: [f64; HIGHEST_POWER + 1],
    by_radius: [Option<TruncationErrors>; CLASSES],
}

impl MultipoleErrorTable {
    fn pair_error(&mut self, pair: &FarFieldPair, spread: &ClusterRadialMoments) -> f64 {
        let square: i32 = pair.offset.iter().map(|&step| i32::from(step).pow(2)).sum();
        let (degree, away, entry) = (self.degree, f64::from(square).sqrt(), square as usize);
        if self.rows.len() <= entry {
            self.rows.resize(entry + 1, None);
        }
        let row = self.rows[entry].get_or_insert_with(|| MultipoleErrorRow {
            by_power: errors_by_power(degree, away),
            by_radius: [None; CLASSES],
        });
        let class = ((spread.radius * CLASSES_PER_EDGE).ceil() as usize).clamp(1, CLASSES - 1);
        let radius = class as f64 / CLASSES_PER_EDGE;
        let lost = row.by_radius[class]
            .get_or_insert_with(|| truncation_errors(degree, away, radius, &row.by_power));
        spread.power_integrals.iter().zip(lost).map(|(sum, lost)| sum * *lost).sum()
    }
}

/// Returns the error bound for all points of the domain.
pub fn error_bound(
    places: &TargetOctree,
    spreads: &[Vec<ClusterRadialMoments>],
    degree: usize,
) -> f64 {
    let mut worst = 0.0f64;
    let mut above: Vec<f64> = Vec::new();
    let mut table = MultipoleErrorTable { degree, rows: Vec::new() };
    for (level, places) in places.levels.iter().enumerate() {
        let mut here = Vec::with_capacity(places.boxes.len());
        for place in &places.boxes {
            let from_parent = above.get(place.parent as usize).copied().unwrap_or(0.0);
            let pairs = &places.pairs[place.pairs.start as usize..place.pairs.end as usize];
            let sum = pairs.iter().fold(from_parent, |sum, pair| {
                sum + table.pair_error(pair, &spreads[level][pair.cluster as usize])
            });
            here.push(sum);
            if place.leaf != NONE {
                worst = worst.max(sum);
            }
        }
        above = here;
    }
    worst
}

/// Returns the lowest degree from `least` on with a bound of at most `wanted`; the bound of the highest degree if
/// there is none.
pub fn degree_for(wanted: f64, least: usize, bound: impl Fn(usize) -> f64) -> Result<usize, f64> {
    let highest = bound(HIGHEST_DEGREE);
    if highest > wanted {
        return Err(highest);
    }
    // The bound falls with the degree: bisect.
    let (mut below, mut found) = (least - 1, HIGHEST_DEGREE);
    while below + 1 < found {
        let degree = (below + found) / 2;
        if bound(degree) <= wanted {
            found = degree;
        } else {
            below = degree;
        }
    }
    Ok(found)
}
