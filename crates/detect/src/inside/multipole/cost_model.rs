//! The depth of the octrees, by a model of the cost.

use super::cluster_tree::MAX_LEVEL;
use super::expansion_matrix::padded;
use super::options::OctreeDepth;
use super::solid_harmonics::coefficient_count;
use carom_geometry::math;

/// Nanoseconds for the solid angle of one triangle at one point.
const TRIANGLE_NANOSECONDS: f64 = 4.0;
/// Nanoseconds of a moment-to-local conversion, besides the product with a matrix.
const PAIR_NANOSECONDS: f64 = 60.0;
/// Nanoseconds per entry of a matrix-vector product.
const PRODUCT_NANOSECONDS: f64 = 0.05;
/// The separation for which the numbers below were counted, on spheres; for others they scale with powers of the
/// near-field radius.
const REFERENCE_SEPARATION: f64 = 1.5;
/// The typical number of clusters in the far field of a box but not of its parent.
const PAIRS_PER_BOX: f64 = 50.0;
/// The typical number of triangles near a box, in units of the mean number in a box at the surface.
const NEAR_BOXES: f64 = 3.2;
/// The width, in boxes, of the layer at a surface in which boxes are as small as the finest.
const FINE_LAYER_BOXES: f64 = 24.0;
/// The width, in boxes, of the layer in which points have triangles in their near field.
const NEAR_LAYER_BOXES: f64 = 14.0;
/// Triangles in each box at the surface if the number of points is unknown. A level has four times as many such
/// boxes as the one above.
const TRIANGLES_PER_BOX: f64 = 128.0;
/// Nanoseconds for the near field of a box on the level above that of the finest clusters ...
const NEAR_FIELD_NANOSECONDS: f64 = 400.0;
/// ... and the factor for each further level between them.
const NEAR_FIELD_LEVEL_FACTOR: f64 = 1.6;
/// The least number of triangles in a box at the surface.
const MIN_TRIANGLES_PER_BOX: f64 = 4.0;

/// Returns the finest level of target boxes, for expansions of about this degree.
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

/// Returns the finest level of clusters, whose moments are evaluated at points near them.
pub fn deepest_level(triangles: usize) -> usize {
    levels_for(triangles as f64 / MIN_TRIANGLES_PER_BOX).ceil() as usize
}

/// Returns how often an area is divided in four to have this many parts.
fn levels_for(parts: f64) -> f64 {
    // A surface meets about 4^level boxes.
    (math::log2(parts.max(1.0)) / 2.0).min(MAX_LEVEL as f64)
}

/// Returns the estimated nanoseconds of preparation and of all points together.
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
