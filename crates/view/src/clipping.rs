//! Clips segments and polygons at the sides of a box.

use carom::geometry::{Aabb, Vector};

/// The part of a segment inside a box, along the first `axes` axes.
pub fn clipped_segment(
    ends: &[Vector<3>; 2],
    room: &Aabb<3>,
    axes: usize,
) -> Option<[Vector<3>; 2]> {
    let displacement = ends[1] - ends[0];
    let (mut start, mut end) = (0.0f64, 1.0f64);
    for axis in 0..axes {
        let sides = [room.low[axis] - ends[0][axis], room.high[axis] - ends[0][axis]];
        if displacement[axis] == 0.0 {
            if sides[0] > 0.0 || sides[1] < 0.0 {
                return None;
            }
            continue;
        }
        let parts = sides.map(|side| side / displacement[axis]);
        start = start.max(parts[0].min(parts[1]));
        end = end.min(parts[0].max(parts[1]));
    }
    (start < end).then(|| [ends[0] + displacement * start, ends[0] + displacement * end])
}

/// The parts of a segment and of its periodic images that are inside a box.
pub fn periodic_segment_images(
    ends: &[Vector<3>; 2],
    sides: &Aabb<3>,
    periods: &[Option<f64>; 3],
    axes: usize,
) -> Vec<[Vector<3>; 2]> {
    let mut shifts = vec![Vector::zeros()];
    for axis in 0..axes {
        let Some(period) = periods[axis] else { continue };
        let low = ends[0][axis].min(ends[1][axis]);
        let high = ends[0][axis].max(ends[1][axis]);
        // The fewest and the most periods by which the segment must be shifted to reach the box.
        let first = ((sides.low[axis] - high) / period).ceil();
        let last = ((sides.high[axis] - low) / period).floor();
        let count = (last - first + 1.0).clamp(0.0, 3.0) as usize;
        let moved = |shift: &Vector<3>| {
            let shift = *shift;
            (0..count).map(move |number| {
                let mut shift = shift;
                shift[axis] = (first + number as f64) * period;
                shift
            })
        };
        shifts = shifts.iter().flat_map(moved).collect();
    }
    let image = |shift: Vector<3>| clipped_segment(&ends.map(|end| end + shift), sides, axes);
    shifts.into_iter().filter_map(image).collect()
}

/// The part of a convex polygon where a linear function of position is not negative (Sutherland and Hodgman).
pub fn clipped_polygon(
    polygon: &[Vector<3>],
    height: impl Fn(&Vector<3>) -> f64,
) -> Vec<Vector<3>> {
    let mut kept = Vec::with_capacity(polygon.len() + 1);
    for (index, corner) in polygon.iter().enumerate() {
        let next = &polygon[(index + 1) % polygon.len()];
        let heights = [height(corner), height(next)];
        if heights[0] >= 0.0 {
            kept.push(*corner);
        }
        if (heights[0] < 0.0) != (heights[1] < 0.0) {
            let part = heights[0] / (heights[0] - heights[1]);
            kept.push(corner + (next - corner) * part);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit() -> Aabb<3> {
        Aabb { low: Vector::zeros(), high: Vector::repeat(1.0) }
    }

    fn ends(from: [f64; 3], to: [f64; 3]) -> [Vector<3>; 2] {
        [from.into(), to.into()]
    }

    #[test]
    fn a_segment_ends_where_the_room_does() {
        let found = clipped_segment(&ends([-1.0, 0.5, 0.5], [3.0, 0.5, 0.5]), &unit(), 3).unwrap();
        assert_eq!(found, ends([0.0, 0.5, 0.5], [1.0, 0.5, 0.5]));
        assert_eq!(clipped_segment(&ends([-1.0, 2.0, 0.0], [3.0, 2.0, 0.0]), &unit(), 3), None);
        // In the plane the third axis does not count.
        assert!(clipped_segment(&ends([0.0, 0.0, 9.0], [1.0, 1.0, 9.0]), &unit(), 2).is_some());
    }

    #[test]
    fn what_leaves_a_periodic_box_comes_in_on_the_other_side() {
        let periods = [Some(1.0), None, None];
        let segment = ends([0.75, 0.5, 0.5], [1.25, 0.5, 0.5]);
        let mut found = periodic_segment_images(&segment, &unit(), &periods, 3);
        found.sort_by(|one, other| one[0].x.total_cmp(&other[0].x));
        assert_eq!(found[0], ends([0.0, 0.5, 0.5], [0.25, 0.5, 0.5]));
        assert_eq!(found[1], ends([0.75, 0.5, 0.5], [1.0, 0.5, 0.5]));
        assert_eq!(found.len(), 2);
        assert_eq!(periodic_segment_images(&segment, &unit(), &[None; 3], 3).len(), 1);
    }
}
