//! Whether a segment goes through a triangle, decided exactly.
//!
//! A segment starts at the point in question and ends at a reference off the surface. Where it meets
//! an edge, a vertex, or runs along a face, the reference is thought of as moved by `(e, e^2, e^3)`
//! with an infinitely small `e`: since it is off the surface, that changes no winding number, and
//! after it no segment meets an edge any more (Edelsbrunner and Mücke, ACM Transactions on Graphics
//! 9, 1990, for one point). So nothing is ever cast again and no luck is needed. Every sign is that
//! of [`orientation_exact`]; triangles may be slivers or have no area at all.

use carom_geometry::Vector;
use carom_geometry::predicates::{WeightedSite, orientation_estimate, orientation_exact};
use std::cmp::Ordering;

/// So many triangles are looked at together, in wide registers where the processor has them.
pub(super) const TRIANGLES_PER_BATCH: usize = 4;

/// A number for each of them.
type CrossingLanes = [f64; TRIANGLES_PER_BATCH];

/// How often the segment from `start` to a reference goes through triangles from their inside to
/// their outside, less how often the other way; none if it starts on one of them.
///
/// So much larger is the winding number at the start than that at the reference. To be inlined into
/// code for a processor's wide registers.
#[inline(always)]
pub(super) fn signed_crossings(
    start: &Vector<3>,
    reference: &Vector<3>,
    vertices: &[Vector<3>],
    triangles: &[[u32; 3]],
) -> Option<i32> {
    let mut sum = 0;
    for four in triangles.chunks(TRIANGLES_PER_BATCH) {
        // A last one may stand for those that are missing, but does not count.
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

/// Crossings of four triangles as far as rounding allows to tell.
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
    // Seen from the start, four determinants of the same few vectors decide.
    let seen = |k: usize| -> [CrossingLanes; 3] {
        std::array::from_fn(|axis| std::array::from_fn(|lane| corners[lane][k][axis] - start[axis]))
    };
    let [a, b, c] = [seen(0), seen(1), seen(2)];
    let way: [CrossingLanes; 3] =
        std::array::from_fn(|axis| [reference[axis] - start[axis]; TRIANGLES_PER_BATCH]);
    let bc = cross(&b, &c);
    let turns = [dot(&way, &cross(&a, &b)), dot(&way, &bc), dot(&way, &cross(&c, &a))];
    let height_below = dot(&a, &bc);
    let longest = |axis: usize| -> CrossingLanes {
        std::array::from_fn(|lane| {
            let [a, b, c, way] = [&a, &b, &c, &way].map(|vector| vector[axis][lane].abs());
            larger(larger(a, b), larger(c, way)) + SMALLEST_DIFFERENCE
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
        // Which it is cannot be foreseen, so there are no branches.
        let is_apart = (lower > error) | (higher < -error) | ((least < -error) & (most > error));
        let goes_through =
            (lower < -error) & (higher > error) & ((least > error) | (most < -error));
        let sign = if height_of_start < height_of_reference { 1 } else { -1 };
        result.crossings[lane] = if goes_through { sign } else { 0 };
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

/// So much of the product of the largest differences along the axes may a determinant be wrong: 48
/// roundings, as in [`orientation_estimate`], for each of the four that make up the height of the
/// reference, and 24 for each of the three additions of them, as each is at most 24 times that product.
const ROUNDING: f64 = (4.0 * 48.0 + 3.0 * 24.0) * (f64::EPSILON / 2.0);

/// Differences count as at least so large, so that nothing is lost where numbers get too small.
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
    if side == Ordering::Equal {
        return if is_on_triangle(start, [a, b, c]) { None } else { Some(0) };
    }
    let reference_side = match orientation([a, b, c, reference]) {
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

/// Whether a point is on a triangle, its edges and corners included.
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

/// How the segment passes the line through two corners, on which it does not start.
fn orientation_past_edge(
    start: &Vector<3>,
    reference: &Vector<3>,
    from: &Vector<3>,
    to: &Vector<3>,
) -> Ordering {
    match orientation([start, reference, from, to]) {
        // How the determinant changes as the reference moves along x, y, z.
        Ordering::Equal => normal_sign([start, from, to]),
        turn => turn,
    }
}

/// The sign of the first component of the normal that is not zero; there is one.
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

/// How three points turn, seen from the positive end of an axis.
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

    /// A square in the plane z = 0, cut along a diagonal, its outside up.
    const SQUARE: [[[f64; 3]; 3]; 2] =
        [[[0., 0., 0.], [1., 0., 0.], [1., 1., 0.]], [[0., 0., 0.], [1., 1., 0.], [0., 1., 0.]]];

    #[test]
    fn a_segment_through_a_shared_edge_counts_once() {
        assert_eq!(counted([0.5, 0.5, -1.0], [0.5, 0.5, 1.0], &SQUARE), Some(1));
        assert_eq!(counted([0.5, 0.5, 1.0], [0.5, 0.5, -1.0], &SQUARE), Some(-1));
        assert_eq!(counted([0.25, 0.5, -1.0], [0.5, 0.25, 1.0], &SQUARE), Some(1));
    }

    #[test]
    fn a_start_on_the_surface_is_told() {
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
