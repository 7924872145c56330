//! GJK in double-double arithmetic, for thin bodies and narrow gaps: there `f64` loses the normal, or which of
//! several points is the nearest, to rounding.
//!
//! It is seldom needed, so it is simple instead of fast: it tests every vertex, edge and face of the simplex and
//! takes the nearest point.

use super::DistanceSolution;
use super::minkowski_difference::MinkowskiDifference;
use super::simplex::GjkSimplex;
use carom_geometry::predicates::DoubleDouble;
use carom_geometry::{Vector, shape::ConvexPolyhedron};

type DoubleDoubleVector = [DoubleDouble; 3];

/// The point of a simplex nearest to the origin.
#[derive(Clone, Copy)]
struct PreciseNearestPoint {
    point: DoubleDoubleVector,
    distance_squared: DoubleDouble,
    /// The barycentric weights of the vertices whose bits are set, in their order.
    weights: [f64; 3],
    vertex_mask: u8,
}

/// More iterations than any case has needed.
const MAX_ITERATIONS: u32 = 50;
/// A point is accepted if the distance can decrease by no more than this fraction of the bodies' size.
const RELATIVE_TOLERANCE: f64 = 1e-16;
/// The squared sine of an angle below which even double-double arithmetic finds no normal.
const SLIVER_SINE_SQUARED: f64 = 1e-26;

/// Continues from a simplex to the point of the Minkowski difference nearest to the origin. Returns `None` if that
/// is the origin.
#[cold]
pub fn precise_gjk(
    difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
    simplex: &mut GjkSimplex,
    size: f64,
) -> Option<DistanceSolution> {
    let mut best = precise_nearest(simplex)?;
    simplex.retain_points(best.vertex_mask);
    for _ in 0..MAX_ITERATIONS {
        let direction = to_double(&best.point);
        let pair = difference.support_against(&direction);
        if simplex.contains(pair) {
            break;
        }
        let point = difference.point(pair);
        let gain = (best.distance_squared - dot(&best.point, &to_double_double(&point))).to_f64();
        if gain <= RELATIVE_TOLERANCE * size * best.distance_squared.to_f64().sqrt() {
            break;
        }
        let mut larger = *simplex;
        larger.push(pair, point);
        let next = precise_nearest(&larger)?;
        // Strictly decreasing distances visit no simplex twice, so the search ends.
        if (best.distance_squared - next.distance_squared).to_f64() <= 0.0 {
            break;
        }
        larger.retain_points(next.vertex_mask);
        (*simplex, best) = (larger, next);
    }
    let distance = best.distance_squared.to_f64().sqrt();
    (distance > 0.0).then(|| DistanceSolution {
        weights: best.weights,
        distance,
        normal: -to_double(&best.point) / distance,
    })
}

/// Returns the nearest point over all vertices, edges and faces of a simplex.
fn precise_nearest(simplex: &GjkSimplex) -> Option<PreciseNearestPoint> {
    let mut best: Option<PreciseNearestPoint> = None;
    // All sub-simplices are tried, at most fourteen: no sign decides which to leave out, so none can be wrong.
    for needed in 1..1u8 << simplex.count {
        let mut corners = [Vector::zeros(); 4];
        let mut count = 0;
        for k in (0..simplex.count).filter(|k| needed >> k & 1 == 1) {
            corners[count] = simplex.points[k];
            count += 1;
        }
        let found = match count {
            1 => Some((to_double_double(&corners[0]), [1.0, 0.0, 0.0])),
            2 => nearest_inside_edge(&corners[0], &corners[1]),
            3 => nearest_inside_face(&corners[0], &corners[1], &corners[2]),
            _ => None,
        };
        let Some((point, weights)) = found else { continue };
        let squared = dot(&point, &point);
        if best.is_none_or(|best| (squared - best.distance_squared).to_f64() < 0.0) {
            best = Some(PreciseNearestPoint {
                point,
                distance_squared: squared,
                weights,
                vertex_mask: needed,
            });
        }
    }
    best
}

/// Returns the point of an edge nearest to the origin, if it is inside the edge.
fn nearest_inside_edge(a: &Vector<3>, b: &Vector<3>) -> Option<(DoubleDoubleVector, [f64; 3])> {
    let start = to_double_double(a);
    let along = minus(&to_double_double(b), &start);
    let length = dot(&along, &along);
    let part = (DoubleDouble::default() - dot(&start, &along)).divided_by(length);
    let weight = part.to_f64();
    let point = std::array::from_fn(|axis| start[axis] + along[axis] * part);
    (weight > 0.0 && weight < 1.0).then_some((point, [1.0 - weight, weight, 0.0]))
}

/// Returns the point of a face nearest to the origin, if it is inside the face.
fn nearest_inside_face(
    a: &Vector<3>,
    b: &Vector<3>,
    c: &Vector<3>,
) -> Option<(DoubleDoubleVector, [f64; 3])> {
    let start = to_double_double(a);
    let (first, second) =
        (minus(&to_double_double(b), &start), minus(&to_double_double(c), &start));
    let normal = cross(&first, &second);
    let area = dot(&normal, &normal);
    let lengths = dot(&first, &first).to_f64() * dot(&second, &second).to_f64();
    if area.to_f64().is_nan() || area.to_f64() <= SLIVER_SINE_SQUARED * lengths {
        return None;
    }
    let part = dot(&normal, &start).divided_by(area);
    let point: DoubleDoubleVector = std::array::from_fn(|axis| normal[axis] * part);
    let step = minus(&point, &start);
    let one = dot(&cross(&step, &second), &normal).divided_by(area);
    let other = dot(&cross(&first, &step), &normal).divided_by(area);
    let rest = (DoubleDouble::from(1.0) - one - other).to_f64();
    let weights = [rest, one.to_f64(), other.to_f64()];
    weights.iter().all(|&weight| weight > 0.0).then_some((point, weights))
}

fn to_double_double(point: &Vector<3>) -> DoubleDoubleVector {
    [point.x, point.y, point.z].map(DoubleDouble::from)
}

fn to_double(point: &DoubleDoubleVector) -> Vector<3> {
    Vector::from(point.map(DoubleDouble::to_f64))
}

fn minus(a: &DoubleDoubleVector, b: &DoubleDoubleVector) -> DoubleDoubleVector {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn dot(a: &DoubleDoubleVector, b: &DoubleDoubleVector) -> DoubleDouble {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &DoubleDoubleVector, b: &DoubleDoubleVector) -> DoubleDoubleVector {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        a[next] * b[last] - a[last] * b[next]
    })
}
