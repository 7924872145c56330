//! The closest points of two triangles.

use crate::inside::closest_on_triangle;
use carom_geometry::Vector;

/// Closest points and the square of their distance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ClosestPair {
    pub(super) squared: f64,
    pub(super) points: [Vector<3>; 2],
}

impl ClosestPair {
    fn of(points: [Vector<3>; 2]) -> Self {
        ClosestPair { squared: (points[1] - points[0]).norm_squared(), points }
    }

    fn keep_nearer(&mut self, other: ClosestPair) {
        if other.squared < self.squared {
            *self = other;
        }
    }
}

/// Returns the closest points of two triangles, which may be degenerate; a common point if they intersect.
///
/// Closest points of triangles apart are a corner and a point of the other, or points of two edges. Triangles that
/// intersect have an edge that goes through the other, or are in one plane, where edges cross or a corner is covered.
pub(super) fn closest_points_of_triangles(a: [&Vector<3>; 3], b: [&Vector<3>; 3]) -> ClosestPair {
    let mut best = ClosestPair::of([*a[0], *b[0]]);
    for corner in a {
        best.keep_nearer(ClosestPair::of([*corner, closest_on_triangle(corner, b)]));
    }
    for corner in b {
        best.keep_nearer(ClosestPair::of([closest_on_triangle(corner, a), *corner]));
    }
    for edge in edges(a) {
        for other in edges(b) {
            best.keep_nearer(ClosestPair::of(closest_points_of_segments(edge, other)));
        }
    }
    let common = edges(a).into_iter().find_map(|edge| crossing(edge, b));
    let common = common.or_else(|| edges(b).into_iter().find_map(|edge| crossing(edge, a)));
    common.map_or(best, |point| ClosestPair::of([point, point]))
}

fn edges([a, b, c]: [&Vector<3>; 3]) -> [[&Vector<3>; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// Returns the point where a segment goes through a triangle from one side to the other.
fn crossing([from, to]: [&Vector<3>; 2], triangle: [&Vector<3>; 3]) -> Option<Vector<3>> {
    let [a, b, c] = triangle;
    let normal = (b - a).cross(&(c - a));
    let (low, high) = (normal.dot(&(from - a)), normal.dot(&(to - a)));
    if (low > 0.0) == (high > 0.0) || low == high {
        return None;
    }
    let point = from + (to - from) * (low / (low - high));
    let is_over = edges(triangle)
        .into_iter()
        .all(|[start, end]| normal.dot(&(end - start).cross(&(point - start))) >= 0.0);
    is_over.then_some(point)
}

/// Returns the closest points of two segments, which may be points (Ericson, Real-Time Collision Detection, 5.1.9).
fn closest_points_of_segments(
    [from_a, to_a]: [&Vector<3>; 2],
    [from_b, to_b]: [&Vector<3>; 2],
) -> [Vector<3>; 2] {
    let (along_a, along_b, between) = (to_a - from_a, to_b - from_b, from_a - from_b);
    let (aa, bb, ab) = (along_a.norm_squared(), along_b.norm_squared(), along_a.dot(&along_b));
    let (a0, b0) = (along_a.dot(&between), along_b.dot(&between));
    let fraction =
        |over: f64, under: f64| if under > 0.0 { (over / under).clamp(0.0, 1.0) } else { 0.0 };
    // Along parallel segments any place will do here: their ends are compared as corners.
    let on_a = fraction(ab * b0 - a0 * bb, aa * bb - ab * ab);
    let on_b = fraction(ab * on_a + b0, bb);
    let on_a = fraction(ab * on_b - a0, aa);
    [from_a + along_a * on_a, from_b + along_b * on_b]
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_geometry::random::SplitMix64;

    fn triangle(corners: [[f64; 3]; 3]) -> [Vector<3>; 3] {
        corners.map(Vector::from)
    }

    fn distance(a: &[Vector<3>; 3], b: &[Vector<3>; 3]) -> f64 {
        closest_points_of_triangles(a.each_ref(), b.each_ref()).squared.sqrt()
    }

    #[test]
    fn corners_edges_and_faces_are_measured() {
        let flat = triangle([[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]]);
        let over = triangle([[0.5, 0.5, 1.], [0.5, 0.5, 3.], [0.6, 0.5, 3.]]);
        assert_eq!(distance(&flat, &over), 1.0);
        let beside = triangle([[1., -1., -1.], [1., -1., 1.], [1., -3., 0.]]);
        assert_eq!(distance(&flat, &beside), 1.0);
        let through = triangle([[0.5, 0.5, -1.], [0.5, 0.5, 1.], [9., 9., 1.]]);
        assert_eq!(distance(&flat, &through), 0.0);
        let in_plane = triangle([[0.5, 0.5, 0.], [5., 5., 0.], [5., 4., 0.]]);
        assert_eq!(distance(&flat, &in_plane), 0.0);
        let inner = triangle([[0.2, 0.2, 0.], [0.3, 0.2, 0.], [0.2, 0.3, 0.]]);
        assert_eq!(distance(&flat, &inner), 0.0);
        let point = triangle([[3., 0., 0.]; 3]);
        assert_eq!(distance(&flat, &point), 1.0);
    }

    /// The distance as the least over points of one triangle, which is never below the true one.
    #[test]
    fn no_sampled_point_is_nearer() {
        let mut random = SplitMix64::new(11);
        for round in 0..300 {
            let mut corner = || Vector::from_fn(|_, _| random.uniform());
            let [mut a, mut b] = [(); 2].map(|()| [corner(), corner(), corner()]);
            if round % 3 == 0 {
                b = b.map(|corner| corner + Vector::from([0.9, 0.3, 0.0]));
            }
            if round % 5 == 0 {
                a[2] = a[0];
            }
            let found = closest_points_of_triangles(a.each_ref(), b.each_ref());
            let distance = found.squared.sqrt();
            assert!(
                (closest_on_triangle(&found.points[0], a.each_ref()) - found.points[0]).norm()
                    < 1e-14
            );
            assert!(
                (closest_on_triangle(&found.points[1], b.each_ref()) - found.points[1]).norm()
                    < 1e-14
            );
            let mut least = f64::INFINITY;
            for i in 0..=60 {
                for j in 0..=60 - i {
                    let [u, v] = [i, j].map(|k| f64::from(k) / 60.0);
                    let sample = a[0] * (1.0 - u - v) + a[1] * u + a[2] * v;
                    least = least.min((closest_on_triangle(&sample, b.each_ref()) - sample).norm());
                }
            }
            assert!(
                distance <= least + 1e-14 && least < distance + 0.02,
                "{round}: {distance} {least}"
            );
            let swapped = closest_points_of_triangles(b.each_ref(), a.each_ref());
            assert!((swapped.squared.sqrt() - distance).abs() < 1e-13, "{round}");
        }
    }
}
