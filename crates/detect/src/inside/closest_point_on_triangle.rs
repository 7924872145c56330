//! The point of a triangle closest to a point.

use carom_geometry::Vector;

/// Returns the point of a triangle, which may be degenerate (a line or a point), closest to a point.
///
/// ```
/// use carom_detect::inside::closest_on_triangle;
/// use carom_geometry::Vector;
/// let [a, b, c] = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Vector::from);
/// let closest = |point: [f64; 3]| closest_on_triangle(&Vector::from(point), [&a, &b, &c]);
/// assert_eq!(closest([0.25, 0.25, 2.0]), Vector::from([0.25, 0.25, 0.0]));
/// assert_eq!(closest([0.5, -1.0, 0.0]), Vector::from([0.5, 0.0, 0.0]));
/// assert_eq!(closest([3.0, -1.0, 1.0]), b);
/// ```
pub fn closest_point_on_triangle(point: &Vector<3>, [a, b, c]: [&Vector<3>; 3]) -> Vector<3> {
    let edges = [(a, b), (b, c), (c, a)];
    let normal = (b - a).cross(&(c - a));
    let length = normal.norm_squared();
    let is_over =
        edges.iter().all(|(from, to)| normal.dot(&(*to - *from).cross(&(point - *from))) >= 0.0);
    if is_over && length > 0.0 {
        return point - normal * (normal.dot(&(point - a)) / length);
    }
    let [mut best, others @ ..] = edges.map(|(from, to)| closest_point_on_edge(point, from, to));
    for other in others {
        if (other - point).norm_squared() < (best - point).norm_squared() {
            best = other;
        }
    }
    best
}

fn closest_point_on_edge(point: &Vector<3>, from: &Vector<3>, to: &Vector<3>) -> Vector<3> {
    let edge = to - from;
    let length = edge.norm_squared();
    let along = if length > 0.0 { (point - from).dot(&edge) / length } else { 0.0 };
    // The ends themselves, not what rounding makes of them.
    match along {
        ..=0.0 => *from,
        1.0.. => *to,
        _ => from + edge * along,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance_squared(point: [f64; 3], triangle: [[f64; 3]; 3]) -> f64 {
        let (point, triangle) = (Vector::from(point), triangle.map(Vector::from));
        (closest_point_on_triangle(&point, triangle.each_ref()) - point).norm_squared()
    }

    #[test]
    fn faces_edges_and_corners_are_measured() {
        let triangle = [[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]];
        assert_eq!(distance_squared([0.5, 0.5, 3.0], triangle), 9.0);
        assert_eq!(distance_squared([0.5, -2.0, 0.0], triangle), 4.0);
        assert_eq!(distance_squared([-1.0, -2.0, 2.0], triangle), 9.0);
        assert_eq!(distance_squared([2.0, 2.0, 0.0], triangle), 2.0);
        assert_eq!(distance_squared([3.0, 0.0, 0.0], triangle), 1.0);
    }

    #[test]
    fn lines_and_points_are_triangles_too() {
        let line = [[0., 0., 0.], [2., 0., 0.], [1., 0., 0.]];
        assert_eq!(distance_squared([1.0, 0.0, 2.0], line), 4.0);
        assert_eq!(distance_squared([1.5, 1.0, 0.0], [[1.; 3], [1.; 3], [2., 1., 1.]]), 1.0);
        assert_eq!(distance_squared([1.0, 1.0, 3.0], [[1.; 3]; 3]), 4.0);
    }
}
