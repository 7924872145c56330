//! Walls: planes, cylinders and triangle meshes, at rest or driven.

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
pub(super) use shaped_contact::wall_contact_kinematics;
pub use surface::{DemWallSurface, MeshSurface};
pub(super) use wall_contact::{
    WallForceContext, WallHistoryEntry, WallPair, apply_wall_contacts, contact_energy,
    deepest_contact, each_contact, find_wall_pairs, first_deeper_than, pairs_of_bodies,
    wall_history,
};

use carom_geometry::{Pose, Vector};
use drive::DriveState;

/// A wall: it acts on bodies, but they do not move it.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Surface at time zero.
    pub surface: DemWallSurface,
    /// Prescribed motion.
    pub drive: Drive,
    /// Index of the material.
    pub material: u32,
}

impl Wall {
    /// Makes a plane at rest, of the first material. Bodies are on the side to which its unit normal points, and
    /// `offset` is the normal times any point of the plane.
    pub fn plane(normal: impl Into<Vector<3>>, offset: f64) -> Self {
        Wall::at_rest(DemWallSurface::Plane { normal: normal.into(), offset })
    }

    /// Makes a wall at rest, of the first material.
    pub fn at_rest(surface: DemWallSurface) -> Self {
        Wall { surface, drive: Drive::none(), material: 0 }
    }

    /// Returns the first periodic axis along which the surface does not continue periodically. Bodies that leave
    /// the box there would enter behind the wall.
    ///
    /// Planes must be parallel to every periodic axis, also while they rotate, and cylinders parallel to it or
    /// inside the box. Meshes are not checked: one that spans the box may well be periodic.
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

    /// Returns the wall at a time.
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

/// The closest point of a wall, or of one of its triangles, to a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct WallClosestPoint {
    /// Unit normal, from the wall to the point.
    pub normal: Vector<3>,
    /// Signed distance; negative behind the wall.
    pub distance: f64,
}

impl PosedWall<'_> {
    pub(super) fn material(&self) -> u32 {
        self.wall.material
    }

    /// Returns the velocity of the wall at a point.
    #[inline(always)]
    pub(super) fn velocity(&self, point: &Vector<3>) -> Vector<3> {
        self.state.velocity(point)
    }

    /// Returns the angular velocity of the wall.
    #[inline(always)]
    pub(super) fn angular_velocity(&self) -> Vector<3> {
        self.wall.drive.angular_velocity
    }

    /// Returns the closest point of a plane or cylinder; none for a mesh.
    #[inline(always)]
    pub(super) fn closest_point(&self, point: &Vector<3>) -> Option<WallClosestPoint> {
        let closest = self.wall.surface.closest_point(&self.state.point_in_initial_frame(point))?;
        Some(WallClosestPoint { normal: self.state.rotate_direction(&closest.normal), ..closest })
    }

    /// Returns the closest point of a triangle, and which of its corners support it; see
    /// [`MeshSurface::closest_point_on_triangle`].
    pub(super) fn closest_point_on_triangle(
        &self,
        triangle: u32,
        point: &Vector<3>,
    ) -> Option<(WallClosestPoint, [bool; 3])> {
        let DemWallSurface::Mesh(mesh) = &self.wall.surface else { return None };
        let (foot, weights) =
            mesh.closest_point_on_triangle(triangle, &self.state.point_in_initial_frame(point))?;
        Some((
            WallClosestPoint { normal: self.state.rotate_direction(&foot.normal), ..foot },
            weights,
        ))
    }

    /// Returns the closest point of the wall; for a mesh that of a triangle.
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

    /// Returns the distance of a point from the wall, negative behind a plane or outside a cylinder; for a mesh
    /// only if it is at most `reach`.
    pub(super) fn distance(&self, point: &Vector<3>, reach: f64) -> Option<f64> {
        let Some(mesh) = self.mesh() else { return Some(self.closest_point(point)?.distance) };
        let point = self.point_in_initial_frame(point);
        let mut is_near = false;
        mesh.each_near(&point, reach, |_| is_near = true);
        is_near.then(|| mesh.nearest(&point).distance)
    }

    /// Returns whether a sphere is on the open side of the wall and does not touch it.
    pub(super) fn clears(&self, center: &Vector<3>, radius: f64) -> bool {
        let Some(mesh) = self.mesh() else {
            return self.closest_point(center).is_none_or(|foot| foot.distance >= radius);
        };
        let mut clears = true;
        mesh.each_near(&self.point_in_initial_frame(center), radius, |triangle| {
            let foot = self.closest_point_on_triangle(triangle, center);
            clears &= foot.is_some_and(|(foot, _)| foot.distance >= radius);
        });
        clears
    }

    /// Returns the pose of the wall relative to time zero.
    pub(super) fn pose(&self) -> Pose {
        self.state.pose()
    }

    /// Transforms a point into the frame of the wall at time zero.
    pub(super) fn point_in_initial_frame(&self, point: &Vector<3>) -> Vector<3> {
        self.state.point_in_initial_frame(point)
    }
}

/// Returns all walls at a time.
pub(super) fn posed_walls(walls: &[Wall], time: f64) -> Vec<PosedWall<'_>> {
    walls.iter().map(|wall| wall.at_time(time)).collect()
}

/// Returns an upper bound on the speed at which the surface of any wall approaches bodies; `reach` gives the
/// largest distance of a body from a point, here the center of rotation.
pub(super) fn max_approach_speed(
    walls: &[Wall],
    time: f64,
    reach: impl Fn(&Vector<3>) -> f64,
) -> f64 {
    let speed = |wall: &Wall| {
        let Drive { velocity, amplitude, frequency, angular_velocity, center, initial, .. } =
            &wall.drive;
        let is_in_place = *initial == Pose::identity();
        let angular_speed =
            if is_in_place && wall.surface.is_invariant_under_rotation(angular_velocity, center) {
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
