//! The box in which infinite walls are drawn.

use carom::geometry::{Aabb, Vector};
use carom::scene::scene::Wall;

/// Relative margin, so that walls along a side of the box are not clipped away by rounding.
const MARGIN: f64 = 1e-6;

/// The bounds of the box or bodies, extended by the finite extents of walls.
pub fn clip_box<'a>(start: &Aabb<3>, walls: impl Iterator<Item = &'a Wall>) -> Aabb<3> {
    let mut room = walls.fold(*start, |room, wall| room.union(&wall.surface.finite_bounds()));
    if room.low.iter().zip(&room.high).any(|(low, high)| low > high) {
        room = Aabb::empty().including(&Vector::repeat(0.0)).including(&Vector::repeat(1.0));
    }
    let margin = Vector::repeat(MARGIN * room.size().amax().max(f64::MIN_POSITIVE));
    room.including(&(room.low - margin)).including(&(room.high + margin))
}
