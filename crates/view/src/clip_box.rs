//! The box in which infinite walls are drawn.

use carom::geometry::{Aabb, Vector};
use carom::scene::scene::{Wall, WallSurface};

/// Relative margin, so that walls along a side of the box are not clipped away by rounding.
const MARGIN: f64 = 1e-6;

/// The bounds of the box or bodies, extended by the finite extents of walls.
pub fn clip_box<'a>(start: &Aabb<3>, walls: impl Iterator<Item = &'a Wall>) -> Aabb<3> {
    let mut room = walls.fold(*start, including_wall);
    if room.low.iter().zip(&room.high).any(|(low, high)| low > high) {
        room = Aabb::empty().including(&Vector::repeat(0.0)).including(&Vector::repeat(1.0));
    }
    let margin = Vector::repeat(MARGIN * room.size().amax().max(f64::MIN_POSITIVE));
    room.including(&(room.low - margin)).including(&(room.high + margin))
}

fn including_wall(room: Aabb<3>, wall: &Wall) -> Aabb<3> {
    match &wall.surface {
        WallSurface::Plane { point, .. } => room.including(point),
        WallSurface::Mesh(mesh) => {
            mesh.vertices().iter().fold(room, |room, corner| room.including(corner))
        }
        WallSurface::Cylinder { point, axis, radius } => {
            // How far a circle around the axis reaches along each coordinate.
            let reach = axis.map(|part| radius * (1.0 - part * part).max(0.0).sqrt());
            let across = |sign: f64| point + reach * sign;
            room.including(&across(-1.0)).including(&across(1.0))
        }
    }
}
