//! Simple polygons: checks of their corners, and containment of points.

use super::problem::ValidationResult;
use super::shape::rows;
use super::values::LocatedValue;
use carom_geometry::predicates::{WeightedSite, orientation_estimate, orientation_exact};
use carom_geometry::{Aabb, Vector};
use std::cmp::Ordering;

/// Largest number of corners; the search for crossing edges takes quadratic time in the worst case.
const MOST_CORNERS: usize = 10_000;

/// Returns the corners, if no two edges cross or touch except at shared corners.
pub(super) fn simple(written: &LocatedValue<Vec<Vec<f64>>>) -> ValidationResult<Vec<Vector<2>>> {
    let corners = rows::<2>(written, "each corner must have two numbers, x and y")?;
    if corners.len() < 3 {
        return Err(written.refuse("a polygon must have at least three corners"));
    }
    if corners.len() > MOST_CORNERS {
        return Err(written.refuse(format!("it may have {MOST_CORNERS} corners at most")));
    }
    if are_collinear(&corners) {
        return Err(written.refuse("its corners lie on a line, so that it has no area"));
    }
    if let Some(corner) = (0..corners.len()).find(|&corner| is_spike(&corners, corner)) {
        let [x, y] = corners[corner].into();
        return Err(written.refuse(format!(
            "it turns back on itself at corner {corner}, [{x:?}, {y:?}], from 0"
        )));
    }
    match intersecting_edges(&corners) {
        None => Ok(corners),
        Some([one, other]) => Err(written.refuse(format!(
            "its edges after corners {one} and {other}, from 0, meet; a polygon must not cross or \
             touch itself"
        ))),
    }
}

/// Whether a polygon contains a point; its edges count as inside.
pub(super) fn contains<const D: usize>(corners: &[Vector<D>], point: &Vector<D>) -> bool {
    let flat = |place: &Vector<D>| Vector::from([place[0], place[1]]);
    let point = flat(point);
    let mut inside = false;
    for (k, corner) in corners.iter().enumerate() {
        let (a, b) = (flat(corner), flat(&corners[(k + 1) % corners.len()]));
        if point.y < a.y.min(b.y) || point.y > a.y.max(b.y) {
            continue;
        }
        let side = orientation(&a, &b, &point);
        if side == Ordering::Equal && (a.x.min(b.x)..=a.x.max(b.x)).contains(&point.x) {
            return true;
        }
        // Only the lower end of an edge counts, so that a ray through a corner crosses once.
        if (a.y > point.y) != (b.y > point.y) {
            inside ^= (side == Ordering::Greater) == (b.y > a.y);
        }
    }
    inside
}

/// Returns the distance of a point from the edges of a polygon.
pub(super) fn distance<const D: usize>(corners: &[Vector<D>], point: &Vector<D>) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let to_edge = |(a, b): (&Vector<D>, &Vector<D>)| {
        let edge = b - a;
        let part = (edge.dot(&(point - a)) / edge.norm_squared()).clamp(0.0, 1.0);
        (a + edge * part - point).norm()
    };
    corners.iter().zip(next).map(to_edge).fold(f64::INFINITY, f64::min)
}

/// Returns the area of a polygon.
pub(super) fn area<const D: usize>(corners: &[Vector<D>]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let from_first = |corner: &Vector<D>| corner - corners[0];
    let cross = |(a, b): (&Vector<D>, &Vector<D>)| {
        let [a, b] = [from_first(a), from_first(b)];
        a[0] * b[1] - a[1] * b[0]
    };
    0.5 * corners.iter().zip(next).map(cross).sum::<f64>().abs()
}

/// Whether all corners are collinear up to rounding.
fn are_collinear(corners: &[Vector<2>]) -> bool {
    let from_first = |corner: &Vector<2>| corner - corners[0];
    let lengths = corners.iter().map(from_first);
    let farthest = lengths.max_by(|a, b| a.norm().total_cmp(&b.norm())).unwrap_or_default();
    let least = 1e-12 * farthest.norm_squared();
    corners.iter().all(|corner| from_first(corner).perp(&farthest).abs() <= least)
}

/// Returns the exact orientation of three points.
fn orientation(a: &Vector<2>, b: &Vector<2>, c: &Vector<2>) -> Ordering {
    let site = |center: &Vector<2>| WeightedSite { center: *center, radius: 0.0, shift: [0, 0] };
    let exact = || orientation_exact(&[site(a), site(b), site(c)], &Vector::zeros());
    orientation_estimate([a, b, c], 0.0).unwrap_or_else(exact)
}

/// Whether the edges at a corner lie on each other.
fn is_spike(corners: &[Vector<2>], corner: usize) -> bool {
    let count = corners.len();
    let [before, at, after] = [corner + count - 1, corner, corner + 1].map(|k| corners[k % count]);
    let same = before == at || at == after;
    same || orientation(&before, &at, &after) == Ordering::Equal
        && (before - at).dot(&(after - at)) > 0.0
}

/// Returns two edges that are not adjacent and have a point in common.
fn intersecting_edges(corners: &[Vector<2>]) -> Option<[usize; 2]> {
    let count = corners.len();
    let ends = |edge: usize| [corners[edge], corners[(edge + 1) % count]];
    let bounds = |edge: usize| ends(edge).iter().fold(Aabb::empty(), Aabb::including);
    let mut edges: Vec<(usize, Aabb<2>)> = (0..count).map(|edge| (edge, bounds(edge))).collect();
    edges.sort_by(|(_, a), (_, b)| a.low.x.total_cmp(&b.low.x));
    for (place, (one, around)) in edges.iter().enumerate() {
        let near = edges[place + 1..].iter().take_while(|(_, other)| other.low.x <= around.high.x);
        for (other, about) in near {
            let apart = about.low.y > around.high.y || around.low.y > about.high.y;
            let are_adjacent = [(one + 1) % count == *other, (other + 1) % count == *one];
            if !apart && are_adjacent == [false; 2] && segments_intersect(ends(*one), ends(*other))
            {
                return Some([*one.min(other), *one.max(other)]);
            }
        }
    }
    None
}

/// Whether two edges with intersecting bounds have a point in common.
fn segments_intersect([a, b]: [Vector<2>; 2], [c, d]: [Vector<2>; 2]) -> bool {
    let parted = |sides: [Ordering; 2]| sides[0] == sides[1] && sides[0] != Ordering::Equal;
    !parted([orientation(&a, &b, &c), orientation(&a, &b, &d)])
        && !parted([orientation(&c, &d, &a), orientation(&c, &d, &b)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners(list: &[[f64; 2]]) -> Vec<Vector<2>> {
        list.iter().copied().map(Vector::from).collect()
    }

    #[test]
    fn a_notched_polygon_holds_its_edges_but_not_its_notch() {
        let notched =
            corners(&[[0.0, 0.0], [4.0, 0.0], [4.0, 4.0], [2.0, 1.0], [0.0, 4.0], [0.0, 2.0]]);
        for inside in [[1.0, 1.0], [2.0, 0.5], [0.0, 3.0], [4.0, 4.0], [2.0, 1.0], [2.0, 0.0]] {
            assert!(contains(&notched, &Vector::from(inside)), "{inside:?}");
        }
        for outside in [[2.0, 1.5], [-1.0, 0.0], [5.0, 0.0], [2.0, 4.0], [-1.0, 2.0], [5.0, 4.0]] {
            assert!(!contains(&notched, &Vector::from(outside)), "{outside:?}");
        }
    }

    #[test]
    fn areas_and_distances_are_those_of_a_square() {
        let square = corners(&[[1.0, 1.0], [3.0, 1.0], [3.0, 3.0], [1.0, 3.0]]);
        assert_eq!(area(&square), 4.0);
        assert_eq!(distance(&square, &Vector::from([2.5, 2.0])), 0.5);
        assert_eq!(distance(&square, &Vector::from([6.0, 7.0])), 5.0);
    }

    #[test]
    fn edges_that_cross_touch_or_lie_on_each_other_meet() {
        let bow = corners(&[[0.0, 0.0], [2.0, 2.0], [2.0, 0.0], [0.0, 3.0]]);
        assert_eq!(intersecting_edges(&bow), Some([0, 2]));
        let touching = corners(&[[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [2.0, 0.0], [0.0, 2.0]]);
        assert!(intersecting_edges(&touching).is_some());
        let square = corners(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]);
        assert_eq!(intersecting_edges(&square), None);
        let back = corners(&[[0.0, 0.0], [4.0, 0.0], [2.0, 0.0], [2.0, 2.0]]);
        assert!(is_spike(&back, 1) && !is_spike(&back, 2));
    }
}
