//! Contacts of bodies with walls.

mod node_contact;
mod shaped_contact;
mod tile_contact;
mod wall_contact;

#[cfg(test)]
mod shaped_tests;
#[cfg(test)]
mod tests;

pub(super) use shaped_contact::wall_contact_kinematics;
pub(super) use wall_contact::{
    WallForceContext, WallHistoryEntry, WallPair, apply_wall_contacts, contact_energy,
    deepest_contact, each_contact, find_wall_pairs, first_deeper_than, pairs_of_bodies,
    wall_history,
};

use crate::wall::{
    MeshSurface, PARALLEL, Wall, WallClosestPoint, WallMotion, WallMotionState, WallSurface,
};
use carom_geometry::{Pose, Vector};

impl Wall {
    /// Returns the first periodic axis along which the surface does not continue periodically. Bodies that leave
    /// the box there would enter behind the wall.
    ///
    /// Planes must be parallel to every periodic axis also while they rotate.
    pub(super) fn crossed_period(&self, periods: &[Option<f64>; 3]) -> Option<usize> {
        // An earlier stage may have turned it.
        let surface = self.surface.posed(&self.motion.initial);
        let turns_across = |axis: usize| match &surface {
            WallSurface::Plane { normal, .. } => {
                let turned = self.motion.angular_velocity.cross(normal);
                turned[axis].abs() > PARALLEL * turned.norm()
            }
            _ => false,
        };
        let is_crossed =
            |axis: usize, period: f64| surface.crosses_period(axis, period) || turns_across(axis);
        (0..3).find(|&axis| periods[axis].is_some_and(|period| is_crossed(axis, period)))
    }

    /// Returns the wall at a time.
    pub(super) fn at_time(&self, time: f64) -> PosedWall<'_> {
        PosedWall { wall: self, state: self.motion.state_at(time) }
    }
}

/// A wall at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct PosedWall<'a> {
    wall: &'a Wall,
    state: WallMotionState,
}

impl PosedWall<'_> {
    /// Returns the material of the wall for a body of a material.
    #[inline(always)]
    pub(super) fn material(&self, of_body: u32) -> u32 {
        self.wall.material.unwrap_or(of_body)
    }

    /// Returns the velocity of the wall at a point.
    #[inline(always)]
    pub(super) fn velocity(&self, point: &Vector<3>) -> Vector<3> {
        self.state.velocity(point)
    }

    /// Returns the angular velocity of the wall.
    #[inline(always)]
    pub(super) fn angular_velocity(&self) -> Vector<3> {
        self.wall.motion.angular_velocity
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
        let WallSurface::Mesh(mesh) = &self.wall.surface else { return None };
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
        if let WallSurface::Mesh(mesh) = &self.wall.surface { Some(mesh) } else { None }
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
        let WallMotion { velocity, amplitude, angular_velocity, center, initial, .. } =
            &wall.motion;
        let frequency = wall.motion.angular_frequency();
        let is_in_place = *initial == Pose::identity();
        let angular_speed =
            if is_in_place && wall.surface.is_invariant_under_rotation(angular_velocity, center) {
                0.0
            } else {
                angular_velocity.norm()
            };
        let reach =
            if angular_speed > 0.0 { reach(&wall.motion.state_at(time).axis_point()) } else { 0.0 };
        velocity.norm() + amplitude.norm() * frequency.abs() + angular_speed * reach
    };
    walls.iter().map(speed).fold(0.0, f64::max)
}
