//! Walls: planes, cylinders and triangle meshes, at rest or moving. They act on bodies, which do not move them.
//!
//! The DEM engine takes all of them, the bonded engine planes and cylinders at rest. The event-driven engine has walls at
//! the sides of its [`Region`](crate::Region) alone.

mod mesh_surface;
mod motion;
mod surface;

pub use mesh_surface::MeshSurface;
pub use motion::WallMotion;
pub(crate) use motion::WallMotionState;
pub use surface::WallSurface;
pub(crate) use surface::{PARALLEL, WallClosestPoint};

use crate::Error;
use carom_geometry::Vector;

/// Largest difference of two walls at the same place, in units of their size.
const COINCIDENCE: f64 = 1e-9;

/// A wall: it acts on bodies, but they do not move it. In 2D everything lies at z = 0.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(remote = "Self", rename_all = "snake_case", deny_unknown_fields)
)]
pub struct Wall {
    /// Surface at time zero.
    pub surface: WallSurface,
    /// Prescribed motion.
    pub motion: WallMotion,
    /// Index of the material; without one it has the material of the body that touches it.
    pub material: Option<u32>,
    /// Name, by which columns of the log know it.
    pub name: Option<String>,
}

impl Wall {
    /// Makes a plane at rest, of the material of the body that touches it. Bodies are on the side to which its unit
    /// normal points, and `offset` is the normal times any point of the plane.
    ///
    /// ```
    /// use carom_simulate::{Wall, WallSurface};
    /// let ceiling = Wall::plane([0.0, 0.0, -1.0], -3.0);
    /// let (point, normal) = ([0.0, 0.0, 3.0].into(), [0.0, 0.0, -1.0].into());
    /// assert_eq!(ceiling.surface, WallSurface::Plane { point, normal });
    /// ```
    pub fn plane(normal: impl Into<Vector<3>>, offset: f64) -> Self {
        let normal = normal.into();
        Wall::at_rest(WallSurface::Plane { point: normal * offset, normal })
    }

    /// Makes a wall at rest, of the material of the body that touches it.
    pub fn at_rest(surface: WallSurface) -> Self {
        Wall { surface, motion: WallMotion::none(), material: None, name: None }
    }

    /// Returns whether this wall is, at a time, where another one is at time zero, but for rounding.
    ///
    /// ```
    /// use carom_simulate::{Wall, WallMotion};
    /// let floor = Wall::plane([0.0, 0.0, 1.0], 2.0);
    /// let motion = WallMotion { velocity: [0.0, 0.0, 0.5].into(), ..WallMotion::none() };
    /// let lift = Wall { motion, ..Wall::plane([0.0, 0.0, 1.0], 0.0) };
    /// assert!(lift.coincides(4.0, &floor) && !lift.coincides(3.0, &floor));
    /// ```
    pub fn coincides(&self, time: f64, other: &Wall) -> bool {
        let pose = self.motion.pose(time);
        match (self.surface.posed(&pose), &other.surface) {
            (
                WallSurface::Plane { point, normal },
                WallSurface::Plane { point: there, normal: direction },
            ) => {
                (normal - direction).norm() < COINCIDENCE
                    && (point - there).dot(direction).abs() < COINCIDENCE * (1.0 + there.norm())
            }
            (
                WallSurface::Cylinder { point, axis, radius },
                WallSurface::Cylinder { point: there, axis: direction, radius: width },
            ) => {
                (radius - width).abs() < COINCIDENCE * width
                    && axis.cross(direction).norm() < COINCIDENCE
                    && (point - there).cross(direction).norm() < COINCIDENCE * width
            }
            (WallSurface::Mesh(mesh), WallSurface::Mesh(there)) => {
                let (mesh, there) = (mesh.mesh(), there.mesh());
                let is_near = |(corner, place): (&Vector<3>, &Vector<3>)| {
                    let distance = (pose.transform_point(corner) - place).norm();
                    distance < COINCIDENCE * (1.0 + place.norm())
                };
                mesh.triangles() == there.triangles()
                    && mesh.vertices().len() == there.vertices().len()
                    && mesh.vertices().iter().zip(there.vertices()).all(is_near)
            }
            _ => false,
        }
    }

    /// Returns whether a wall of a simulation in the plane stays in it: the normal of a plane lies in the plane z = 0,
    /// cylinders are circles around axes along z, and nothing moves along z or rotates about another axis.
    pub(crate) fn is_in_plane(&self) -> bool {
        let is_along_z = |vector: &Vector<3>| vector.x == 0.0 && vector.y == 0.0;
        let is_surface_in_plane = match &self.surface {
            WallSurface::Plane { normal, .. } => normal.z == 0.0,
            WallSurface::Cylinder { axis, .. } => is_along_z(axis),
            WallSurface::Mesh(_) => true,
        };
        let WallMotion { velocity, amplitude, angular_velocity, .. } = &self.motion;
        is_surface_in_plane
            && velocity.z == 0.0
            && amplitude.z == 0.0
            && is_along_z(angular_velocity)
    }

    /// Refuses a wall whose numbers are not finite, or whose direction is no unit vector; `number` is its index.
    pub(crate) fn check(&self, number: usize) -> Result<(), Error> {
        let refuse = |what, rule| {
            Err(Error::Setting { what, value: format!("that of wall {number}"), rule })
        };
        let is_finite = |vector: &Vector<3>| vector.iter().all(|part| part.is_finite());
        let WallMotion { velocity, amplitude, frequency, angular_velocity, center, since, initial } =
            &self.motion;
        let vectors = [velocity, amplitude, angular_velocity, center, &initial.position];
        let is_known_motion = vectors.into_iter().all(is_finite)
            && initial.rotation.iter().all(|part| part.is_finite())
            && frequency.is_finite()
            && since.is_finite();
        if !self.surface.has_unit_direction() {
            return refuse("a direction of a wall", "it must be a unit vector");
        }
        if !self.surface.is_finite() || !is_known_motion {
            return refuse("a number of a wall", "it must be finite");
        }
        Ok(())
    }
}
