//! Whether a segment crosses a triangle, decided exactly.
//!
//! A segment starts at the query point and ends at a reference point off the surface. Where it meets an edge or a
//! vertex, or runs along a face, the reference is moved symbolically by `(e, e^2, e^3)` with an infinitesimal `e`:
//! since it is off the surface, that changes no winding number, and the perturbed segment meets no edge (simulation
//! of simplicity, Edelsbrunner and Mücke, ACM Transactions on Graphics 9, 1990, for one point). So no ray is ever
//! cast again in a random direction. Every sign is that of [`orientation_exact`]; triangles may be slivers or have
//! no area at all.

use carom_geometry::Vector;
use carom_geometry::predicates::{WeightedSite, orientation_estimate, orientation_exact};
use std::cmp::Ordering;

/// The number of triangles tested together, in SIMD registers where the processor has them.
pub(super) const TRIANGLES_PER_BATCH: usize = 4;

/// One value per triangle of a batch.
type CrossingLanes = [f64; TRIANGLES_PER_BATCH];

/// Returns how often the segment from `start` to a reference point crosses triangles from their inside to their
/// outside, minus how often it crosses them the other way; `None` if it starts on one of them.
///
/// The winding number at the start exceeds that at the reference by this number. Inlined into code that is compiled
/// for wide SIMD registers.
#[inline(always)]
pub(super) fn signed_crossings(
    start: &Vector<3>,
    reference: &Vector<3>,
    vertices: &[Vector<3>],
    triangles: &[[u32; 3]],
) -> Option<i32> {
    let mut sum = 0;
    for four in triangles.chunks(TRIANGLES_PER_BATCH) {
        // The last triangle fills the missing lanes, which are not counted.
        let corners: [[&Vector<3>; 3]; TRIANGLES_PER_BATCH] = std::array::from_fn(|lane| {
            four[lane.min(four.len() - 1)].map(|corner| &vertices[corner as usize])
        });
        let estimate = estimate_crossings(start, reference, &corners);
        let mut doubtful = false;
        for lane in 0..four.len() {
            sum += estimate.crossings[lane];
            doubtful |= !estimate.is_certain[lane];
        }
        if doubtful {
            for lane in (0..four.len()).filter(|&lane| !estimate.is_certain[lane]) {
                sum += exact_crossing(start, reference, corners[lane])?;
            }
        }
    }
    Some(sum)
}

/// The crossings of four triangles as far as `f64` arithmetic decides them.
struct CrossingEstimate {
    /// 1, 0 or -1; 0 if it is not certain.
    crossings: [i32; TRIANGLES_PER_BATCH],
    is_certain: [bool; TRIANGLES_PER_BATCH],
}

#[inline(always)]
fn estimate_crossings(
    start: &Vector<3>,
    reference: &Vector<3>,
    corners: &[[&Vector<3>; 3]; TRIANGLES_PER_BATCH],
) -> CrossingEstimate {
    // Relative to the start, four determinants of the same few vectors decide.
    let seen = |k: usize| -> [CrossingLanes; 3] {
        std::array::from_fn(|axis| std::array::from_fn(|lane| corners[lane][k][axis] - start[axis]))
    };
    let [a, b, c] = [seen(0), seen(1), seen(2)];
    let ray: [CrossingLanes; 3] =
        std::array::from_fn(|axis| [reference[axis] - start[axis]; TRIANGLES_PER_BATCH]);
    let bc = cross(&b, &c);
    let turns = [dot(&ray, &cross(&a, &b)), dot(&ray, &bc), dot(&ray, &cross(&c, &a))];
    let height_below = dot(&a, &bc);
    let longest = |axis: usize| -> CrossingLanes {
        std::array::from_fn(|lane| {
            let [a, b, c, ray] = [&a, &b, &c, &ray].map(|vector| vector[axis][lane].abs());
            larger(larger(a, b), larger(c, ray)) + SMALLEST_DIFFERENCE
        })
    };
    let longest = [longest(0), longest(1), longest(2)];
    let mut result = CrossingEstimate {
        crossings: [0; TRIANGLES_PER_BATCH],
        is_certain: [false; TRIANGLES_PER_BATCH],
    };
    for lane in 0..TRIANGLES_PER_BATCH {
        let error = ROUNDING * longest[0][lane] * longest[1][lane] * longest[2][lane];
        let turns = turns.map(|turn| turn[lane]);
        let height_of_start = -height_below[lane];
        // The three cross products add up to the triangle's normal.
        let height_of_reference = height_of_start + (turns[0] + turns[1] + turns[2]);
        let least = smaller(smaller(turns[0], turns[1]), turns[2]);
        let most = larger(larger(turns[0], turns[1]), turns[2]);
        let lower = smaller(height_of_start, height_of_reference);
        let higher = larger(height_of_start, height_of_reference);
        // The outcome is unpredictable, so there are no branches.
        let is_apart = (lower > error) | (higher < -error) | ((least < -error) & (most > error));
        let goes_through =
            (lower < -error) & (higher > error) & ((least > error) | (most < -error));
        let sign = if height_of_start < height_of_reference { 1 } else { -1 };
        result.crossings[lane] = if goes_through { sign } else { 0 };
        // Whatever lies within the error bound is left to the exact test.
        result.is_certain[lane] = is_apart | goes_through;
    }
    result
}

#[inline(always)]
fn cross(a: &[CrossingLanes; 3], b: &[CrossingLanes; 3]) -> [CrossingLanes; 3] {
    std::array::from_fn(|axis| {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        std::array::from_fn(|lane| a[u][lane] * b[v][lane] - a[v][lane] * b[u][lane])
    })
}

#[inline(always)]
fn dot(a: &[CrossingLanes; 3], b: &[CrossingLanes; 3]) -> CrossingLanes {
    std::array::from_fn(|lane| {
        a[0][lane] * b[0][lane] + a[1][lane] * b[1][lane] + a[2][lane] * b[2][lane]
    })
}

/// The largest error of a determinant in units of the product of the largest differences along the axes: 48
/// roundings, as in [`orientation_estimate`], for each of the four that make up the height of the reference, and 24
/// for each of the three additions of them, as each is at most 24 times that product.
const ROUNDING: f64 = (4.0 * 48.0 + 3.0 * 24.0) * (f64::EPSILON / 2.0);

/// The least size that a difference is taken for, so that the error bound does not underflow.
const SMALLEST_DIFFERENCE: f64 = 1e-50;

#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

#[cold]
fn exact_crossing(
    start: &Vector<3>,
    reference: &Vector<3>,
    [a, b, c]: [&Vector<3>; 3],
) -> Option<i32> {
    let side = orientation([a, b, c, start]);
    // The segment leaves the plane at its start (if need be by the perturbation), so it meets the triangle there or
    // nowhere.
    if side == Ordering::Equal {
        return if is_on_triangle(start, [a, b, c]) { None } else { Some(0) };
    }
    let reference_side = match orientation([a, b, c, reference]) {
        // The perturbed reference is on the side of the first nonzero component of the normal.
        Ordering::Equal => normal_sign([a, b, c]),
        side => side,
    };
    let turn = orientation_past_edge(start, reference, a, b);
    let goes_through = side != reference_side
        && orientation_past_edge(start, reference, b, c) == turn
        && orientation_past_edge(start, reference, c, a) == turn;
    let sign = if side == Ordering::Less { 1 } else { -1 };
    Some(if goes_through { sign } else { 0 })
}

/// Returns whether a point is on a triangle, its edges and corners included.
pub(super) fn is_on_triangle(point: &Vector<3>, [a, b, c]: [&Vector<3>; 3]) -> bool {
    if orientation([a, b, c, point]) != Ordering::Equal {
        return false;
    }
    let Some(axis) = (0..3).find(|&axis| projected_orientation([a, b, c], axis) != Ordering::Equal)
    else {
        return [[a, b], [b, c], [c, a]].iter().any(|&edge| is_on_edge(point, edge));
    };
    let whole = projected_orientation([a, b, c], axis);
    [[a, b], [b, c], [c, a]].iter().all(|&[from, to]| {
        let turn = projected_orientation([from, to, point], axis);
        turn == whole || turn == Ordering::Equal
    })
}

fn is_on_edge(point: &Vector<3>, [from, to]: [&Vector<3>; 2]) -> bool {
    let on_line =
        (0..3).all(|axis| projected_orientation([from, to, point], axis) == Ordering::Equal);
    let between = |axis: usize| {
        from[axis].min(to[axis]) <= point[axis] && point[axis] <= from[axis].max(to[axis])
    };
    on_line && (0..3).all(between)
}

/// Returns on which side the segment passes the line through two corners, on which it does not start.
fn orientation_past_edge(
    start: &Vector<3>,
    reference: &Vector<3>,
    from: &Vector<3>,
    to: &Vector<3>,
) -> Ordering {
    match orientation([start, reference, from, to]) {
        // The sign of the determinant's change as the perturbed reference moves along x, y, z.
        Ordering::Equal => normal_sign([start, from, to]),
        turn => turn,
    }
}

/// Returns the sign of the first nonzero component of the normal; there is one.
fn normal_sign(corners: [&Vector<3>; 3]) -> Ordering {
    let turns = (0..3).map(|axis| projected_orientation(corners, axis));
    turns.fold(Ordering::Equal, Ordering::then)
}

fn orientation(points: [&Vector<3>; 4]) -> Ordering {
    orientation_estimate(points, 0.0).unwrap_or_else(|| exact_orientation(points))
}

fn exact_orientation<const D: usize, const N: usize>(points: [&Vector<D>; N]) -> Ordering {
    let sites = points.map(|point| WeightedSite { center: *point, radius: 0.0, shift: [0; D] });
    orientation_exact(&sites, &Vector::zeros())
}

/// Returns the orientation of three points seen from the positive end of an axis.
fn projected_orientation(points: [&Vector<3>; 3], axis: usize) -> Ordering {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let [a, b, c] = points.map(|point| Vector::from([point[u], point[v]]));
    orientation_estimate([&a, &b, &c], 0.0).unwrap_or_else(|| exact_orientation([&a, &b, &c]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(start: [f64; 3], reference: [f64; 3], triangles: &[[[f64; 3]; 3]]) -> Option<i32> {
        let vertices: Vec<_> = triangles.iter().flatten().copied().map(Vector::from).collect();
        let numbers: Vec<[u32; 3]> =
            (0..triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        signed_crossings(&start.into(), &reference.into(), &vertices, &numbers)
    }

    /// A square in the plane z = 0, split along a diagonal, oriented upwards.
    const SQUARE: [[[f64; 3]; 3]; 2] =
        [[[0., 0., 0.], [1., 0., 0.], [1., 1., 0.]], [[0., 0., 0.], [1., 1., 0.], [0., 1., 0.]]];

    #[test]
    fn a_segment_through_a_shared_edge_counts_once() {
        assert_eq!(counted([0.5, 0.5, -1.0], [0.5, 0.5, 1.0], &SQUARE), Some(1));
        assert_eq!(counted([0.5, 0.5, 1.0], [0.5, 0.5, -1.0], &SQUARE), Some(-1));
        assert_eq!(counted([0.25, 0.5, -1.0], [0.5, 0.25, 1.0], &SQUARE), Some(1));
    }

    #[test]
    fn a_start_on_the_surface_is_reported() {
        for start in [[0.5, 0.5, 0.0], [0.0, 0.0, 0.0], [0.3, 0.0, 0.0], [0.9, 0.2, 0.0]] {
            assert_eq!(counted(start, [0.3, 0.2, 1.0], &SQUARE), None);
        }
        assert_eq!(counted([1.5, 0.5, 0.0], [0.3, 0.2, 1.0], &SQUARE), Some(0));
    }

    #[test]
    fn a_segment_within_the_plane_of_a_triangle_goes_past_it() {
        assert_eq!(counted([-1.0, 0.5, 0.0], [2.0, 0.5, 0.0], &SQUARE), Some(0));
        assert_eq!(counted([-1.0, 0.0, 0.0], [2.0, 0.0, 0.0], &SQUARE), Some(0));
    }

    #[test]
    fn triangles_without_area_are_touched_but_never_crossed() {
        let line = [[[0., 0., 0.], [1., 1., 1.], [2., 2., 2.]]];
        assert_eq!(counted([1.5, 1.5, 1.5], [5.0, 1.0, 0.0], &line), None);
        assert_eq!(counted([2.5, 2.5, 2.5], [5.0, 1.0, 0.0], &line), Some(0));
        assert_eq!(counted([1.0, 0.0, 1.0], [1.0, 2.0, 1.0], &line), Some(0));
    }
}
