//! Walls: planes, cylinders and surfaces of triangles, at rest or driven.

mod drive;
mod node_contact;
mod shaped_contact;
mod surface;
mod tile_contact;
mod wall_contact;

#[cfg(test)]
mod shaped_tests;
#[cfg(test)]
mod tests;

pub use drive::Drive;
pub use surface::{DemWallSurface, MeshSurface};
pub(super) use wall_contact::{
    WallForceContext, WallHistoryEntry, WallPair, apply_wall_contacts, contact_energy,
    deepest_contact, each_contact, find_wall_pairs, first_deeper_than, pairs_of_bodies,
    wall_history,
};

use carom_geometry::{Pose, Vector};
use drive::DriveState;

/// What bodies bounce off but cannot move.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Its surface at time zero.
    pub surface: DemWallSurface,
    /// How it moves.
    pub drive: Drive,
    /// The number of its material.
    pub material: u32,
}

impl Wall {
    /// A plane at rest, of the first material; bodies are on the side to which its normal, of length
    /// one, points, and `offset` is the normal times any point of the plane.
    pub fn plane(normal: impl Into<Vector<3>>, offset: f64) -> Self {
        Wall::at_rest(DemWallSurface::Plane { normal: normal.into(), offset })
    }

    /// A surface at rest, of the first material.
    pub fn at_rest(surface: DemWallSurface) -> Self {
        Wall { surface, drive: Drive::none(), material: 0 }
    }

    /// The first periodic axis, by the periods of all, on whose other side the surface is not the same. Bodies that
    /// leave the box there would come in behind the wall.
    ///
    /// Planes must be along every periodic axis, also while they turn, and cylinders along it or inside of the box.
    /// Of meshes nothing is said: one that reaches through the box may well be the same on both sides.
    pub(super) fn crossed_period(&self, periods: &[Option<f64>; 3]) -> Option<usize> {
        let is_crossed = |axis: usize, period: f64| match &self.surface {
            DemWallSurface::Plane { normal, .. } => {
                let turned = self.drive.angular_velocity.cross(normal);
                normal[axis] != 0.0 || turned[axis].abs() > 1e-12 * turned.norm()
            }
            DemWallSurface::Cylinder { point, axis: along, radius } => {
                let is_along = (0..3).all(|other| other == axis || along[other] == 0.0);
                let inside = *radius <= point[axis] && point[axis] + radius <= period;
                !(is_along || along[axis] == 0.0 && inside)
            }
            DemWallSurface::Mesh(_) => false,
        };
        (0..3).find(|&axis| periods[axis].is_some_and(|period| is_crossed(axis, period)))
    }

    /// Where it is at a time.
    pub(super) fn at_time(&self, time: f64) -> PosedWall<'_> {
        PosedWall { wall: self, state: self.drive.state_at(time) }
    }
}

/// A wall at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct PosedWall<'a> {
    wall: &'a Wall,
    state: DriveState,
}

/// The nearest point of a wall, or of one of its triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallClosestPoint {
    /// From the wall to the point, of length one.
    pub normal: Vector<3>,
    /// From the foot to the point; negative behind the wall.
    pub distance: f64,
}

impl PosedWall<'_> {
    pub(super) fn material(&self) -> u32 {
        self.wall.material
    }

    /// How fast the wall moves at a point.
    #[inline(always)]
    pub(super) fn velocity(&self, point: &Vector<3>) -> Vector<3> {
        self.state.velocity(point)
    }

    /// How fast the wall turns.
    #[inline(always)]
    pub(super) fn angular_velocity(&self) -> Vector<3> {
        self.wall.drive.angular_velocity
    }

    /// The nearest point of a plane or cylinder; of a mesh none.
    #[inline(always)]
    pub(super) fn closest_point(&self, point: &Vector<3>) -> Option<WallClosestPoint> {
        let closest = self.wall.surface.closest_point(&self.state.to_initial_frame(point))?;
        Some(WallClosestPoint { normal: self.state.rotate_direction(&closest.normal), ..closest })
    }

    /// The nearest point of a triangle, and on which of its corners or sides it is.
    pub(super) fn closest_point_on_triangle(
        &self,
        triangle: u32,
        point: &Vector<3>,
    ) -> Option<(WallClosestPoint, [bool; 3])> {
        let DemWallSurface::Mesh(mesh) = &self.wall.surface else { return None };
        let (foot, weights) =
            mesh.closest_point_on_triangle(triangle, &self.state.to_initial_frame(point))?;
        Some((
            WallClosestPoint { normal: self.state.rotate_direction(&foot.normal), ..foot },
            weights,
        ))
    }

    /// The nearest point of the wall; of a mesh that of a triangle.
    pub(super) fn closest_point_on_part(
        &self,
        triangle: u32,
        point: &Vector<3>,
    ) -> Option<WallClosestPoint> {
        self.closest_point(point)
            .or_else(|| Some(self.closest_point_on_triangle(triangle, point)?.0))
    }

    pub(super) fn mesh(&self) -> Option<&MeshSurface> {
        if let DemWallSurface::Mesh(mesh) = &self.wall.surface { Some(mesh) } else { None }
    }

    /// How far a point is from the wall, negative behind a plane or outside of a cylinder; of a mesh only if
    /// that is at most `reach`.
    pub(super) fn distance(&self, point: &Vector<3>, reach: f64) -> Option<f64> {
        let Some(mesh) = self.mesh() else { return Some(self.closest_point(point)?.distance) };
        let point = self.to_initial_frame(point);
        let mut is_near = false;
        mesh.each_near(&point, reach, |_| is_near = true);
        is_near.then(|| mesh.nearest(&point).distance)
    }

    /// Whether a sphere is on the open side of the wall and does not touch it.
    pub(super) fn clears(&self, center: &Vector<3>, radius: f64) -> bool {
        let Some(mesh) = self.mesh() else {
            return self.closest_point(center).is_none_or(|foot| foot.distance >= radius);
        };
        let mut clears = true;
        mesh.each_near(&self.to_initial_frame(center), radius, |triangle| {
            let foot = self.closest_point_on_triangle(triangle, center);
            clears &= foot.is_some_and(|(foot, _)| foot.distance >= radius);
        });
        clears
    }

    /// How the wall of time zero is turned and moved by now.
    pub(super) fn pose(&self) -> Pose {
        self.state.pose()
    }

    /// A point as seen by the wall at time zero.
    pub(super) fn to_initial_frame(&self, point: &Vector<3>) -> Vector<3> {
        self.state.to_initial_frame(point)
    }
}

/// Walls at one moment.
pub(super) fn posed_walls(walls: &[Wall], time: f64) -> Vec<PosedWall<'_>> {
    walls.iter().map(|wall| wall.at_time(time)).collect()
}

/// How fast the surface of any wall comes nearer to bodies that are within `reach` of where its center is
/// at a time, at most.
pub(super) fn max_approach_speed(
    walls: &[Wall],
    time: f64,
    reach: impl Fn(&Vector<3>) -> f64,
) -> f64 {
    let speed = |wall: &Wall| {
        let Drive { velocity, amplitude, frequency, angular_velocity, center } = &wall.drive;
        let angular_speed = if wall.surface.is_invariant_under_rotation(angular_velocity, center) {
            0.0
        } else {
            angular_velocity.norm()
        };
        let reach =
            if angular_speed > 0.0 { reach(&wall.drive.state_at(time).axis_point()) } else { 0.0 };
        velocity.norm() + amplitude.norm() * frequency.abs() + angular_speed * reach
    };
    walls.iter().map(speed).fold(0.0, f64::max)
}
