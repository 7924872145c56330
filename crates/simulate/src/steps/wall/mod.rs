//! Walls: planes, cylinders and surfaces of triangles, at rest or driven.

mod drive;
mod nodes;
mod shaped;
mod surface;
mod tiles;
mod touch;

#[cfg(test)]
mod shaped_tests;
#[cfg(test)]
mod tests;

pub use drive::Drive;
pub use surface::{MeshSurface, Surface};
pub(super) use touch::{
    Touched, WallPair, WallRemembered, deepest, each_contact, find, first_deeper, of_bodies,
    remembered, stored, touch,
};

use carom_geometry::{Pose, Vector};
use drive::Placed;

/// What bodies bounce off but cannot move.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall {
    /// Its surface at time zero.
    pub surface: Surface,
    /// How it moves.
    pub drive: Drive,
    /// The number of its material.
    pub material: u32,
}

impl Wall {
    /// A plane at rest, of the first material; bodies are on the side to which its normal, of length
    /// one, points, and `offset` is the normal times any point of the plane.
    pub fn plane(normal: impl Into<Vector<3>>, offset: f64) -> Self {
        Wall::at_rest(Surface::Plane { normal: normal.into(), offset })
    }

    /// A surface at rest, of the first material.
    pub fn at_rest(surface: Surface) -> Self {
        Wall { surface, drive: Drive::none(), material: 0 }
    }

    /// The first periodic axis, by the periods of all, on whose other side the surface is not the same. Bodies that
    /// leave the box there would come in behind the wall.
    ///
    /// Planes must be along every periodic axis, also while they turn, and cylinders along it or inside of the box.
    /// Of meshes nothing is said: one that reaches through the box may well be the same on both sides.
    pub(super) fn crossed_period(&self, periods: &[Option<f64>; 3]) -> Option<usize> {
        let is_crossed = |axis: usize, period: f64| match &self.surface {
            Surface::Plane { normal, .. } => {
                let turned = self.drive.spin.cross(normal);
                normal[axis] != 0.0 || turned[axis].abs() > 1e-12 * turned.norm()
            }
            Surface::Cylinder { point, axis: along, radius } => {
                let is_along = (0..3).all(|other| other == axis || along[other] == 0.0);
                let inside = *radius <= point[axis] && point[axis] + radius <= period;
                !(is_along || along[axis] == 0.0 && inside)
            }
            Surface::Mesh(_) => false,
        };
        (0..3).find(|&axis| periods[axis].is_some_and(|period| is_crossed(axis, period)))
    }

    /// Where it is at a time.
    pub(super) fn placed(&self, time: f64) -> PlacedWall<'_> {
        PlacedWall { wall: self, place: self.drive.placed(time) }
    }
}

/// A wall at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlacedWall<'a> {
    wall: &'a Wall,
    place: Placed,
}

/// The nearest point of a wall, or of one of its triangles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Foot {
    /// From the wall to the point, of length one.
    pub normal: Vector<3>,
    /// From the foot to the point; negative behind the wall.
    pub distance: f64,
}

impl PlacedWall<'_> {
    pub(super) fn material(&self) -> u32 {
        self.wall.material
    }

    /// How fast the wall moves at a point.
    #[inline(always)]
    pub(super) fn velocity(&self, point: &Vector<3>) -> Vector<3> {
        self.place.velocity(point)
    }

    /// How fast the wall turns.
    #[inline(always)]
    pub(super) fn spin(&self) -> Vector<3> {
        self.wall.drive.spin
    }

    /// The nearest point of a plane or cylinder; of a mesh none.
    #[inline(always)]
    pub(super) fn foot(&self, point: &Vector<3>) -> Option<Foot> {
        let foot = self.wall.surface.foot(&self.place.back(point))?;
        Some(Foot { normal: self.place.turned(&foot.normal), ..foot })
    }

    /// The nearest point of a triangle, and on which of its corners or sides it is.
    pub(super) fn foot_on(&self, triangle: u32, point: &Vector<3>) -> Option<(Foot, [bool; 3])> {
        let Surface::Mesh(mesh) = &self.wall.surface else { return None };
        let (foot, weights) = mesh.foot(triangle, &self.place.back(point))?;
        Some((Foot { normal: self.place.turned(&foot.normal), ..foot }, weights))
    }

    /// The nearest point of the wall; of a mesh that of a triangle.
    pub(super) fn foot_of(&self, triangle: u32, point: &Vector<3>) -> Option<Foot> {
        self.foot(point).or_else(|| Some(self.foot_on(triangle, point)?.0))
    }

    pub(super) fn mesh(&self) -> Option<&MeshSurface> {
        if let Surface::Mesh(mesh) = &self.wall.surface { Some(mesh) } else { None }
    }

    /// How far a point is from the wall, negative behind a plane or outside of a cylinder; of a mesh only if
    /// that is at most `reach`.
    pub(super) fn distance(&self, point: &Vector<3>, reach: f64) -> Option<f64> {
        let Some(mesh) = self.mesh() else { return Some(self.foot(point)?.distance) };
        let point = self.back(point);
        let mut is_near = false;
        mesh.each_near(&point, reach, |_| is_near = true);
        is_near.then(|| mesh.nearest(&point).distance)
    }

    /// Whether a sphere is on the open side of the wall and does not touch it.
    pub(super) fn clears(&self, center: &Vector<3>, radius: f64) -> bool {
        let Some(mesh) = self.mesh() else {
            return self.foot(center).is_none_or(|foot| foot.distance >= radius);
        };
        let mut clears = true;
        mesh.each_near(&self.back(center), radius, |triangle| {
            let foot = self.foot_on(triangle, center);
            clears &= foot.is_some_and(|(foot, _)| foot.distance >= radius);
        });
        clears
    }

    /// How the wall of time zero is turned and moved by now.
    pub(super) fn pose(&self) -> Pose {
        self.place.pose()
    }

    /// A point as seen by the wall at time zero.
    pub(super) fn back(&self, point: &Vector<3>) -> Vector<3> {
        self.place.back(point)
    }
}

/// Walls at one moment.
pub(super) fn placed(walls: &[Wall], time: f64) -> Vec<PlacedWall<'_>> {
    walls.iter().map(|wall| wall.placed(time)).collect()
}

/// How fast the surface of any wall comes nearer to bodies that are within `reach` of where its centre is
/// at a time, at most.
pub(super) fn fastest(walls: &[Wall], time: f64, reach: impl Fn(&Vector<3>) -> f64) -> f64 {
    let speed = |wall: &Wall| {
        let Drive { velocity, amplitude, frequency, spin, center } = &wall.drive;
        let turning = if wall.surface.looks_the_same(spin, center) { 0.0 } else { spin.norm() };
        let reach = if turning > 0.0 { reach(&wall.drive.placed(time).axis()) } else { 0.0 };
        velocity.norm() + amplitude.norm() * frequency.abs() + turning * reach
    };
    walls.iter().map(speed).fold(0.0, f64::max)
}
