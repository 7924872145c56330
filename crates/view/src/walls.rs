//! Walls at a time as triangles in space and as lines in the plane.

use crate::clipping;
use carom::geometry::{Aabb, Pose, Vector};
use carom::run::dem::walls_at;
use carom::scene::scene::{StageWalls, WallSurface};
use std::f64::consts::TAU;

/// Number of segments of a circle.
const CIRCLE_SEGMENTS: usize = 96;

/// Geometry of walls: corners of triangles, and ends of lines.
#[derive(Debug, Default, PartialEq)]
pub struct WallGeometry {
    pub triangles: Vec<Vector<3>>,
    pub lines: Vec<Vector<3>>,
}

/// The walls at a time; infinite ones are clipped at the sides of the box `room`.
pub fn wall_geometry_at(
    stages: &[StageWalls],
    time: f64,
    dimension: usize,
    room: &Aabb<3>,
) -> WallGeometry {
    let mut surfaces = WallGeometry::default();
    for (wall, motion) in walls_at(stages, time) {
        let pose = motion.pose(time);
        match &wall.surface {
            WallSurface::Mesh(surface) => {
                let mesh = surface.mesh();
                let place = |corner: u32| pose.transform_point(&mesh.vertices()[corner as usize]);
                for triangle in mesh.triangles() {
                    let corners = triangle.map(place);
                    match dimension {
                        2 => surfaces.lines.extend(&corners[..2]),
                        _ => surfaces.triangles.extend(corners),
                    }
                }
            }
            WallSurface::Plane { point, normal } => {
                let (point, normal) = (pose.transform_point(point), pose.rotation * normal);
                match dimension {
                    2 => surfaces.lines.extend(clipped_line(&point, &normal, room)),
                    _ => surfaces.add_fan(&clipped_plane(&point, &normal, room)),
                }
            }
            WallSurface::Cylinder { point, axis, radius } => {
                let place = Pose { position: pose.transform_point(point), ..pose };
                surfaces.add_cylinder(&place, axis, *radius, dimension, room);
            }
        }
    }
    surfaces
}

impl WallGeometry {
    fn add_fan(&mut self, corners: &[Vector<3>]) {
        for two in corners.windows(2).skip(1) {
            self.triangles.extend([corners[0], two[0], two[1]]);
        }
    }

    /// Adds a tube as long as the box, or a circle in the plane.
    fn add_cylinder(
        &mut self,
        pose: &Pose,
        axis: &Vector<3>,
        radius: f64,
        dimension: usize,
        room: &Aabb<3>,
    ) {
        let axis = pose.rotation * axis;
        let [one, other] = orthonormal_directions(&axis).map(|direction| direction * radius);
        let corner = |side: usize| {
            let (sin, cos) =
                (TAU * (side % CIRCLE_SEGMENTS) as f64 / CIRCLE_SEGMENTS as f64).sin_cos();
            pose.position + one * cos + other * sin
        };
        if dimension == 2 {
            self.lines
                .extend((0..CIRCLE_SEGMENTS).flat_map(|side| [corner(side), corner(side + 1)]));
            return;
        }
        let along = box_corners(room).map(|corner| axis.dot(&(corner - pose.position)));
        let [low, high] = [
            along.into_iter().fold(f64::MAX, f64::min),
            along.into_iter().fold(f64::MIN, f64::max),
        ];
        for side in 0..CIRCLE_SEGMENTS {
            let ends =
                [corner(side), corner(side + 1)].map(|at| [at + axis * low, at + axis * high]);
            let [[a, b], [c, d]] = ends;
            self.triangles.extend([a, c, b, b, c, d]);
        }
    }
}

/// Two unit vectors perpendicular to an axis and to each other.
fn orthonormal_directions(axis: &Vector<3>) -> [Vector<3>; 2] {
    let least = axis.iamin();
    let other = Vector::from_fn(|part, _| if part == least { 1.0 } else { 0.0 });
    let one = axis.cross(&other).normalize();
    [one, axis.cross(&one)]
}

/// The corners of a box.
fn box_corners(room: &Aabb<3>) -> [Vector<3>; 8] {
    let side = |corner: usize, axis: usize| {
        if corner >> axis & 1 == 0 { room.low[axis] } else { room.high[axis] }
    };
    std::array::from_fn(|corner| Vector::from_fn(|axis, _| side(corner, axis)))
}

/// The part of a plane inside a box, as a polygon.
fn clipped_plane(point: &Vector<3>, normal: &Vector<3>, room: &Aabb<3>) -> Vec<Vector<3>> {
    let reach = 2.0 * room.size().norm();
    let middle = 0.5 * (room.low + room.high);
    let middle = middle - normal * normal.dot(&(middle - point));
    let [one, other] = orthonormal_directions(normal).map(|direction| direction * reach);
    let mut polygon = vec![
        middle - one - other,
        middle + one - other,
        middle + one + other,
        middle - one + other,
    ];
    for axis in 0..3 {
        for (sign, side) in [(1.0, room.low[axis]), (-1.0, -room.high[axis])] {
            polygon = clipping::clipped_polygon(&polygon, |at| sign * at[axis] - side);
        }
    }
    polygon
}

/// The part of a line of the plane inside a box: two ends, or none.
fn clipped_line(point: &Vector<3>, normal: &Vector<3>, room: &Aabb<3>) -> Vec<Vector<3>> {
    let along = Vector::from([-normal.y, normal.x, 0.0]);
    let reach = 2.0 * room.size().norm();
    let middle = 0.5 * (room.low + room.high);
    let middle = middle - normal * normal.dot(&(middle - point));
    let ends = [middle - along * reach, middle + along * reach];
    let flat = |side: Vector<3>| Vector::from([side.x, side.y, 0.0]);
    let ends = ends.map(flat);
    clipping::clipped_segment(&ends, room, 2).map_or(Vec::new(), |ends| ends.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom::scene::scene::Wall;

    fn room() -> Aabb<3> {
        Aabb { low: Vector::zeros(), high: Vector::from([4.0, 3.0, 2.0]) }
    }

    fn wall(surface: WallSurface) -> Wall {
        Wall::at_rest(surface)
    }

    fn one_stage(wall: Wall) -> [StageWalls; 1] {
        [StageWalls { start: 0.0, walls: vec![wall] }]
    }

    #[test]
    fn a_wall_goes_on_from_where_it_is_and_is_gone_in_a_later_stage() {
        let point = Vector::from([0.0, 1.0, 0.0]);
        let still = wall(WallSurface::Plane { point, normal: Vector::y() });
        let mut rising = still.clone();
        rising.motion.velocity = Vector::from([0.0, 0.5, 0.0]);
        let stages = [(0.0, vec![rising]), (2.0, vec![still]), (3.0, vec![])]
            .map(|(start, walls)| StageWalls { start, walls });
        for (time, height) in [(0.0, 1.0), (1.0, 1.5), (2.0, 2.0), (2.9, 2.0)] {
            let found = wall_geometry_at(&stages, time, 2, &room()).lines;
            assert!(found.len() == 2 && (found[0].y - height).abs() < 1e-12, "{time} {found:?}");
        }
        assert!(wall_geometry_at(&stages, 3.0, 2, &room()).lines.is_empty());
    }

    #[test]
    fn a_plane_is_cut_at_the_room() {
        let point = Vector::from([9.0, 1.0, 9.0]);
        let wall = wall(WallSurface::Plane { point, normal: Vector::y() });
        let found = wall_geometry_at(&one_stage(wall), 0.0, 3, &room()).triangles;
        assert_eq!(found.len(), 6);
        let area = |corners: &[Vector<3>]| {
            0.5 * (corners[1] - corners[0]).cross(&(corners[2] - corners[0])).norm()
        };
        let whole: f64 = found.chunks(3).map(area).sum();
        assert!((whole - 8.0).abs() < 1e-9, "{whole}");
        assert!(found.iter().all(|corner| (corner.y - 1.0).abs() < 1e-12));
    }

    #[test]
    fn a_wall_that_moves_is_where_it_is_then() {
        let point = Vector::from([0.0, 1.0, 0.0]);
        let mut wall = wall(WallSurface::Plane { point, normal: Vector::y() });
        wall.motion.amplitude = Vector::from([0.0, 0.5, 0.0]);
        wall.motion.frequency = 0.25;
        let found = wall_geometry_at(&one_stage(wall), 1.0, 2, &room()).lines;
        assert_eq!(found.len(), 2);
        assert!(found.iter().all(|end| (end.y - 1.5).abs() < 1e-12 && end.z == 0.0), "{found:?}");
        let length = (found[1] - found[0]).norm();
        assert!((length - 4.0).abs() < 1e-12, "{length}");
    }

    #[test]
    fn a_cylinder_is_a_tube_through_the_room_and_a_circle_in_the_plane() {
        let (point, axis) = (Vector::from([2.0, 1.0, 0.0]), Vector::z());
        let wall = wall(WallSurface::Cylinder { point, axis, radius: 0.5 });
        for (dimension, count) in [(2, 2 * CIRCLE_SEGMENTS), (3, 6 * CIRCLE_SEGMENTS)] {
            let found = wall_geometry_at(&one_stage(wall.clone()), 0.0, dimension, &room());
            let all = [found.lines, found.triangles].concat();
            assert_eq!(all.len(), count);
            for corner in &all {
                let away = (corner.x - 2.0).hypot(corner.y - 1.0);
                assert!((away - 0.5).abs() < 1e-12, "{corner}");
            }
            let top = all.iter().map(|corner| corner.z).fold(0.0, f64::max);
            assert_eq!(top, if dimension == 2 { 0.0 } else { 2.0 });
        }
    }
}
