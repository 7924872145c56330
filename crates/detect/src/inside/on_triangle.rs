//! How far a point is from a triangle.

use carom_geometry::Vector;

/// The square of the distance of a point from the closest point of a triangle, which may be a line or
/// a point.
pub(super) fn distance_squared(point: &Vector<3>, triangle: &[Vector<3>; 3]) -> f64 {
    let [a, b, c] = triangle;
    let edges = [(a, b), (b, c), (c, a)];
    let to_edges = edges.map(|(from, to)| from_edge(point, from, to));
    let least = to_edges.into_iter().fold(f64::INFINITY, f64::min);
    let normal = (b - a).cross(&(c - a));
    let over =
        edges.iter().all(|(from, to)| normal.dot(&(*to - *from).cross(&(point - *from))) >= 0.0);
    let length = normal.norm_squared();
    if over && length > 0.0 {
        let height = normal.dot(&(point - a));
        least.min(height * height / length)
    } else {
        least
    }
}

fn from_edge(point: &Vector<3>, from: &Vector<3>, to: &Vector<3>) -> f64 {
    let (edge, seen) = (to - from, point - from);
    let length = edge.norm_squared();
    let along = if length > 0.0 { (seen.dot(&edge) / length).clamp(0.0, 1.0) } else { 0.0 };
    (seen - edge * along).norm_squared()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_edges_and_corners_are_measured() {
        let triangle = [[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]].map(Vector::from);
        let far = |x, y, z| distance_squared(&Vector::from([x, y, z]), &triangle);
        assert_eq!(far(0.5, 0.5, 3.0), 9.0);
        assert_eq!(far(0.5, -2.0, 0.0), 4.0);
        assert_eq!(far(2.0, 2.0, 0.0), 2.0);
        assert_eq!(far(-3.0, -4.0, 0.0), 25.0);
        assert_eq!(far(0.5, 0.5, 0.0), 0.0);
        let line = [triangle[0], triangle[1], triangle[1]];
        assert_eq!(distance_squared(&Vector::from([1.0, 0.0, 2.0]), &line), 4.0);
    }
}
