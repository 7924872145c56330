//! The walk in numbers of twice as many digits, for thin bodies and narrow gaps: there a normal, or which of
//! several points is the nearest, is lost to rounding.
//!
//! It is seldom needed, so that it is simple instead of fast: of all corners, edges and faces that a few points
//! have, the nearest one is taken.

use super::Found;
use super::difference::Difference;
use super::simplex::Simplex;
use carom_geometry::predicates::DoubleDouble;
use carom_geometry::{Vector, shape::ConvexPolyhedron};

type Precise = [DoubleDouble; 3];

/// The nearest point of some corners' hull.
#[derive(Clone, Copy)]
struct Nearest {
    point: Precise,
    squared: DoubleDouble,
    /// Of the corners whose bits are set, in their order.
    weights: [f64; 3],
    needed: u8,
}

/// More than was ever needed.
const MOST_STEPS: u32 = 50;
/// An answer that can come nearer by no more than this part of the bodies' size is taken.
const CLOSE_ENOUGH: f64 = 1e-16;
/// The square of the sine of an angle that even these numbers do not tell from none.
const SLIVER: f64 = 1e-26;

/// Goes on from a simplex to the nearest point of the difference. None if that is the origin.
#[cold]
pub fn walk_precisely(
    difference: &Difference<'_, ConvexPolyhedron>,
    simplex: &mut Simplex,
    size: f64,
) -> Option<Found> {
    let mut best = nearest(simplex)?;
    simplex.keep(best.needed);
    for _ in 0..MOST_STEPS {
        let direction = rounded(&best.point);
        let pair = difference.farthest_against(&direction);
        if simplex.contains(pair) {
            break;
        }
        let point = difference.point(pair);
        let gain = (best.squared - dot(&best.point, &widened(&point))).rounded();
        if gain <= CLOSE_ENOUGH * size * best.squared.rounded().sqrt() {
            break;
        }
        let mut larger = *simplex;
        larger.push(pair, point);
        let next = nearest(&larger)?;
        if (best.squared - next.squared).rounded() <= 0.0 {
            break;
        }
        larger.keep(next.needed);
        (*simplex, best) = (larger, next);
    }
    let distance = best.squared.rounded().sqrt();
    (distance > 0.0).then(|| Found {
        weights: best.weights,
        distance,
        normal: -rounded(&best.point) / distance,
    })
}

/// Over all corners, edges and faces.
fn nearest(simplex: &Simplex) -> Option<Nearest> {
    let mut best: Option<Nearest> = None;
    for needed in 1..1u8 << simplex.count {
        let mut corners = [Vector::zeros(); 4];
        let mut count = 0;
        for k in (0..simplex.count).filter(|k| needed >> k & 1 == 1) {
            corners[count] = simplex.points[k];
            count += 1;
        }
        let found = match count {
            1 => Some((widened(&corners[0]), [1.0, 0.0, 0.0])),
            2 => in_edge(&corners[0], &corners[1]),
            3 => in_face(&corners[0], &corners[1], &corners[2]),
            _ => None,
        };
        let Some((point, weights)) = found else { continue };
        let squared = dot(&point, &point);
        if best.is_none_or(|best| (squared - best.squared).rounded() < 0.0) {
            best = Some(Nearest { point, squared, weights, needed });
        }
    }
    best
}

/// The nearest point of an edge, if it is inside.
fn in_edge(a: &Vector<3>, b: &Vector<3>) -> Option<(Precise, [f64; 3])> {
    let start = widened(a);
    let along = minus(&widened(b), &start);
    let length = dot(&along, &along);
    let part = (DoubleDouble::default() - dot(&start, &along)).over(length);
    let weight = part.rounded();
    let point = std::array::from_fn(|axis| start[axis] + along[axis] * part);
    (weight > 0.0 && weight < 1.0).then_some((point, [1.0 - weight, weight, 0.0]))
}

/// The nearest point of a face, if it is inside.
fn in_face(a: &Vector<3>, b: &Vector<3>, c: &Vector<3>) -> Option<(Precise, [f64; 3])> {
    let start = widened(a);
    let (first, second) = (minus(&widened(b), &start), minus(&widened(c), &start));
    let normal = cross(&first, &second);
    let area = dot(&normal, &normal);
    let lengths = dot(&first, &first).rounded() * dot(&second, &second).rounded();
    if area.rounded().is_nan() || area.rounded() <= SLIVER * lengths {
        return None;
    }
    let part = dot(&normal, &start).over(area);
    let point: Precise = std::array::from_fn(|axis| normal[axis] * part);
    let step = minus(&point, &start);
    let one = dot(&cross(&step, &second), &normal).over(area);
    let other = dot(&cross(&first, &step), &normal).over(area);
    let rest = (DoubleDouble::from(1.0) - one - other).rounded();
    let weights = [rest, one.rounded(), other.rounded()];
    weights.iter().all(|&weight| weight > 0.0).then_some((point, weights))
}

fn widened(point: &Vector<3>) -> Precise {
    [point.x, point.y, point.z].map(DoubleDouble::from)
}

fn rounded(point: &Precise) -> Vector<3> {
    Vector::from(point.map(DoubleDouble::rounded))
}

fn minus(a: &Precise, b: &Precise) -> Precise {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn dot(a: &Precise, b: &Precise) -> DoubleDouble {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &Precise, b: &Precise) -> Precise {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        a[next] * b[last] - a[last] * b[next]
    })
}
