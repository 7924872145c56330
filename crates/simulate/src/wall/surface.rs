//! Surfaces of walls.

use super::MeshSurface;
use carom_geometry::{Aabb, Pose, Vector};
use std::sync::Arc;

/// Largest component of a unit vector across a direction to which it counts as parallel.
pub(crate) const PARALLEL: f64 = 1e-12;

/// The surface of a wall.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
/// use carom_simulate::{Wall, WallSurface};
/// // A sphere in a pipe along z, 0.0625 deep in its wall.
/// let (point, axis) = ([0.0, 0.0, 0.0].into(), [0.0, 0.0, 1.0].into());
/// let pipe = Wall::at_rest(WallSurface::Cylinder { point, axis, radius: 1.0 });
/// let settings = Settings { walls: vec![pipe], ..Settings::with_law(CompositeLaw::spring(1024.0)) };
/// let simulation = Simulation::new(&[Body::at_rest([0.5625, 0.0, 7.0], 0.5, 1.0)], settings)?;
/// assert_eq!(simulation.contacts()[0].force(), Vector::from([-64.0, 0.0, 0.0]));
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum WallSurface {
    /// A plane; bodies are on the side to which its normal points.
    Plane {
        /// A point of the plane.
        #[cfg_attr(feature = "serde", serde(with = "crate::serialization::vector"))]
        point: Vector<3>,
        /// Unit normal.
        #[cfg_attr(feature = "serde", serde(with = "crate::serialization::vector"))]
        normal: Vector<3>,
    },
    /// An infinite cylinder (2D: a circle); bodies are inside.
    Cylinder {
        /// A point on the axis.
        #[cfg_attr(feature = "serde", serde(with = "crate::serialization::vector"))]
        point: Vector<3>,
        /// Unit vector along the axis.
        #[cfg_attr(feature = "serde", serde(with = "crate::serialization::vector"))]
        axis: Vector<3>,
        /// Radius.
        radius: f64,
    },
    /// A triangle mesh, which bodies may touch from both sides. A triangle with two equal corners is a line
    /// segment: walls of 2D scenes are made of these.
    Mesh(
        #[cfg_attr(feature = "serde", serde(with = "crate::serialization::mesh_surface"))]
        Arc<MeshSurface>,
    ),
}

/// The closest point of a wall, or of one of its triangles, to a point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WallClosestPoint {
    /// Unit normal, from the wall to the point.
    pub normal: Vector<3>,
    /// Signed distance; negative behind the wall.
    pub distance: f64,
}

impl WallSurface {
    /// Returns the closest point of a plane or cylinder; none for a mesh.
    #[inline(always)]
    pub(crate) fn closest_point(&self, point: &Vector<3>) -> Option<WallClosestPoint> {
        match self {
            WallSurface::Plane { point: on_plane, normal } => {
                let distance = normal.dot(point) - normal.dot(on_plane);
                Some(WallClosestPoint { normal: *normal, distance })
            }
            WallSurface::Cylinder { point: on_axis, axis, radius } => {
                let from_axis = point - on_axis;
                let radial = from_axis - axis * axis.dot(&from_axis);
                let far = radial.norm();
                // On the axis there is no normal; the smallest number turns 0 / 0 into zero.
                let normal = radial * (-1.0 / (far + f64::MIN_POSITIVE));
                Some(WallClosestPoint { normal, distance: radius - far })
            }
            WallSurface::Mesh(_) => None,
        }
    }

    /// Returns the kind of surface in a word: `plane`, `cylinder` or `mesh`.
    pub fn kind(&self) -> &'static str {
        match self {
            WallSurface::Plane { .. } => "plane",
            WallSurface::Cylinder { .. } => "cylinder",
            WallSurface::Mesh(_) => "mesh",
        }
    }

    /// Returns the box around what is finite of the surface: all of a mesh, a circle of a cylinder, a point of a plane.
    ///
    /// ```
    /// use carom_geometry::{Aabb, Vector};
    /// use carom_simulate::WallSurface;
    /// let (point, axis) = ([5.0, 5.0, 0.0].into(), [0.0, 0.0, 1.0].into());
    /// let drum = WallSurface::Cylinder { point, axis, radius: 2.0 };
    /// let [low, high] = [[3.0, 3.0, 0.0], [7.0, 7.0, 0.0]].map(Vector::from);
    /// assert_eq!(drum.finite_bounds(), Aabb { low, high });
    /// ```
    pub fn finite_bounds(&self) -> Aabb<3> {
        match self {
            WallSurface::Plane { point, .. } => Aabb::empty().including(point),
            WallSurface::Mesh(surface) => {
                let corners = surface.mesh().vertices().iter();
                corners.fold(Aabb::empty(), |bounds, corner| bounds.including(corner))
            }
            WallSurface::Cylinder { point, axis, radius } => {
                // How far a circle around the axis reaches along each coordinate.
                let reach = axis.map(|part| radius * (1.0 - part * part).max(0.0).sqrt());
                Aabb::empty().including(&(point + reach)).including(&(point - reach))
            }
        }
    }

    /// Returns whether a periodic side of the box cuts the surface off, so that bodies that leave the box there would
    /// enter behind it. Planes must be parallel to the axis, and cylinders parallel to it or inside the box. Meshes are
    /// not checked: one that spans the box may well be periodic.
    ///
    /// ```
    /// use carom_simulate::Wall;
    /// let floor = Wall::plane([0.0, 0.0, 1.0], 0.0).surface;
    /// assert!(!floor.crosses_period(0, 10.0) && floor.crosses_period(2, 10.0));
    /// ```
    pub fn crosses_period(&self, axis: usize, period: f64) -> bool {
        match self {
            WallSurface::Plane { normal, .. } => normal[axis].abs() > PARALLEL,
            WallSurface::Cylinder { point, axis: along, radius } => {
                let is_along = (0..3).all(|other| other == axis || along[other].abs() <= PARALLEL);
                let inside = *radius <= point[axis] && point[axis] + radius <= period;
                !(is_along || along[axis].abs() <= PARALLEL && inside)
            }
            WallSurface::Mesh(_) => false,
        }
    }

    /// Returns a plane or cylinder in another pose; a mesh as it is, since its bounds do not matter to what asks for it.
    pub(crate) fn posed(&self, pose: &Pose) -> Self {
        let placed = |point: &Vector<3>| pose.transform_point(point);
        match self {
            WallSurface::Plane { point, normal } => {
                WallSurface::Plane { point: placed(point), normal: pose.rotation * normal }
            }
            WallSurface::Cylinder { point, axis, radius } => WallSurface::Cylinder {
                point: placed(point),
                axis: pose.rotation * axis,
                radius: *radius,
            },
            WallSurface::Mesh(surface) => WallSurface::Mesh(Arc::clone(surface)),
        }
    }

    /// Returns whether its direction, if it has one, is a unit vector.
    pub(super) fn has_unit_direction(&self) -> bool {
        match self {
            WallSurface::Plane { normal: direction, .. }
            | WallSurface::Cylinder { axis: direction, .. } => {
                (direction.norm() - 1.0).abs() < 1e-6
            }
            WallSurface::Mesh(_) => true,
        }
    }

    /// Returns whether its place is known: point and radius are finite.
    pub(super) fn is_finite(&self) -> bool {
        let is_finite = |vector: &Vector<3>| vector.iter().all(|part| part.is_finite());
        match self {
            WallSurface::Plane { point, .. } => is_finite(point),
            WallSurface::Cylinder { point, radius, .. } => is_finite(point) && radius.is_finite(),
            WallSurface::Mesh(_) => true,
        }
    }

    /// Returns whether a rotation about an axis through a point leaves the surface where it is.
    pub(crate) fn is_invariant_under_rotation(
        &self,
        angular_velocity: &Vector<3>,
        center: &Vector<3>,
    ) -> bool {
        match self {
            WallSurface::Plane { normal, .. } => {
                angular_velocity.cross(normal) == Vector::<3>::zeros()
            }
            WallSurface::Cylinder { point, axis, .. } => {
                let zero = Vector::<3>::zeros();
                angular_velocity.cross(axis) == zero && (center - point).cross(axis) == zero
            }
            WallSurface::Mesh(_) => *angular_velocity == Vector::<3>::zeros(),
        }
    }
}
