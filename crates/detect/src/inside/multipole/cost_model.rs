//! How finely space is divided.

use super::cluster_tree::MAX_LEVEL;
use super::expansion_matrix::padded;
use super::options::OctreeDepth;
use super::solid_harmonics::coefficient_count;
use carom_geometry::math;

/// Nanoseconds to look at one triangle from one point.
const TRIANGLE_NANOSECONDS: f64 = 4.0;
/// Nanoseconds to convert moments, besides the product with a matrix.
const PAIR_NANOSECONDS: f64 = 60.0;
/// Nanoseconds for one product of a matrix.
const PRODUCT_NANOSECONDS: f64 = 0.05;
/// The separation for which the numbers below were counted, on spheres; others grow with powers of the
/// reach of nearness.
const REFERENCE_SEPARATION: f64 = 1.5;
/// As many clusters are far from a place, but not from its father, as a rule.
const PAIRS_PER_BOX: f64 = 50.0;
/// So many times the mean number of triangles in a box at the surface are near a place, as a rule.
const NEAR_BOXES: f64 = 3.2;
/// So many places wide is the layer at a surface where places are not larger than the finest.
const FINE_LAYER_BOXES: f64 = 24.0;
/// So many places wide is the layer where points have triangles near.
const NEAR_LAYER_BOXES: f64 = 14.0;
/// Triangles in each box at the surface if nothing is known about points. A level has four times as many
/// such boxes as the one above.
const TRIANGLES_PER_BOX: f64 = 128.0;
/// Nanoseconds to look at what is near a place on the level above that of the finest clusters, from
/// moments down to triangles ...
const NEAR_FIELD_NANOSECONDS: f64 = 400.0;
/// ... and so many times as much for each level more between them.
const NEAR_FIELD_LEVEL_FACTOR: f64 = 1.6;
/// At most so fine that this many triangles are in a box at the surface.
const MIN_TRIANGLES_PER_BOX: f64 = 4.0;

/// The finest level, for expansions of about this degree.
pub fn finest_level(depth: OctreeDepth, triangles: usize, degree: usize, separation: f64) -> usize {
    let triangles = triangles as f64;
    match depth {
        OctreeDepth::Triangles => levels_for(triangles / TRIANGLES_PER_BOX).round() as usize,
        OctreeDepth::Levels(levels) => levels.min(MAX_LEVEL),
        OctreeDepth::TrianglesAndPoints(points) => {
            let last = levels_for(triangles / MIN_TRIANGLES_PER_BOX) as usize;
            let cost = |level: usize| {
                estimated_nanoseconds(level, triangles, points as f64, degree, separation)
            };
            (0..=last).min_by(|&a, &b| cost(a).total_cmp(&cost(b))).unwrap_or(0)
        }
    }
}

/// The finest level of clusters, whose moments are seen from points near them.
pub fn deepest_level(triangles: usize) -> usize {
    levels_for(triangles as f64 / MIN_TRIANGLES_PER_BOX).ceil() as usize
}

/// How often an area is to be divided in four to have so many parts.
fn levels_for(parts: f64) -> f64 {
    (math::log2(parts.max(1.0)) / 2.0).min(MAX_LEVEL as f64)
}

/// Nanoseconds to prepare and to ask for so many points.
fn estimated_nanoseconds(
    level: usize,
    triangles: f64,
    points: f64,
    degree: usize,
    separation: f64,
) -> f64 {
    let wider = (separation + 1.0) / (REFERENCE_SEPARATION + 1.0);
    let boxes_along = math::exp2(level as f64);
    let layer = |places: f64| (places / boxes_along).min(1.0);
    let together = NEAR_BOXES * wider.powi(4) * triangles / boxes_along.powi(2);
    let between = deepest_level(triangles as usize) as f64 - level as f64;
    let near = (together.min(triangles) * TRIANGLE_NANOSECONDS)
        .min(NEAR_FIELD_NANOSECONDS * math::powf(NEAR_FIELD_LEVEL_FACTOR, between - 1.0));
    let places = boxes_along.powi(3) * layer(FINE_LAYER_BOXES);
    let pairs = if level < 2 { 0.0 } else { places * PAIRS_PER_BOX * wider.powi(3) };
    let products = (padded(coefficient_count(degree)) * (coefficient_count(degree) - 1)) as f64;
    points * near * layer(NEAR_LAYER_BOXES)
        + pairs * (PAIR_NANOSECONDS + PRODUCT_NANOSECONDS * products)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_triangles_or_points_are_divided_more_finely() {
        let pre_chosen = |triangles| finest_level(OctreeDepth::Triangles, triangles, 4, 1.5);
        assert_eq!([8, 512, 8192, 131_072].map(pre_chosen), [0, 1, 3, 5]);
        let well_chosen =
            |points| finest_level(OctreeDepth::TrianglesAndPoints(points), 131_072, 4, 1.5);
        let levels = [1, 1000, 64_000, 10_000_000].map(well_chosen);
        assert!(levels.is_sorted() && levels[0] < levels[2] && levels[2] < levels[3], "{levels:?}");
    }
}
