//! Shapes of bodies that are no spheres: convex polyhedra with rounded edges, triangle meshes, and clumps of
//! spheres.
//!
//! | shape | contact by | take it when |
//! |---|---|---|
//! | [`Shape::convex`] | closest features of its core, for any number of faces | it is convex |
//! | [`Shape::clump`] | its spheres | a few spheres describe it |
//! | [`Shape::mesh`] | its nodes inside others and theirs inside it | it is neither |
//!
//! A convex body is a core, somewhat smaller, and all points within a rounding radius of it (a Minkowski sum
//! with a sphere): flat faces stay where they are, edges and corners are round. As long as the penetration
//! depth is less than the rounding, the cores are apart, and their distance (GJK) suffices without EPA.

mod inset;
#[cfg(test)]
pub(super) mod tests;

use crate::Error;
use carom_detect::inside::{FillRule, Solid};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::shape::{ConvexPolyhedron, MassProperties};
use carom_geometry::{Sphere, Vector, math};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use std::f64::consts::PI;

/// The shape of a body, with its center of mass at the origin.
#[derive(Clone, Debug)]
pub struct Shape {
    geometry: ShapeGeometry,
    /// Rotation from the principal axes, in which the geometry is stored, to the axes in which it was given.
    principal_rotation: UnitQuaternion<f64>,
    /// Principal moments of inertia per mass.
    principal_inertia: Vector<3>,
    volume: f64,
    /// Radius of the bounding sphere about the center of mass.
    bounding_radius: f64,
    /// Radius of the sphere of the same volume.
    equivalent_radius: f64,
}

/// Geometry of a shape, in its principal axes.
#[derive(Clone, Debug)]
pub(super) enum ShapeGeometry {
    Convex(Box<RoundedPolyhedron>),
    Mesh(Box<Solid>),
    Clump(Vec<Sphere<3>>),
}

/// A rounded convex polyhedron: all points within the rounding radius of a core.
#[derive(Clone, Debug)]
pub(super) struct RoundedPolyhedron {
    pub core: ConvexPolyhedron,
    pub rounding_radius: f64,
    /// The polyhedron before rounding.
    unrounded: ConvexPolyhedron,
    /// Solid of the polyhedron before rounding, for contacts with meshes; only where there are any.
    pub solid: Option<Box<Solid>>,
}

/// Default rounding radius, in units of the distance of the nearest face from the center of mass.
const DEFAULT_ROUNDING_RATIO: f64 = 0.05;

impl Shape {
    /// Makes a convex shape. Edges and corners are rounded by a radius; by default a twentieth of the distance
    /// of the nearest face from the center of mass.
    ///
    /// Errors if the rounding radius is negative or not less than that distance.
    ///
    /// ```
    /// use carom_geometry::{Vector, shape::ConvexPolyhedron};
    /// use carom_simulate::dem::Shape;
    /// let corner = |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    /// let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    /// let shape = Shape::convex(&cube, None)?;
    /// assert!((shape.volume() - 1.0).abs() < 1e-12);
    /// assert!(shape.bounding_radius() < 0.75f64.sqrt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn convex(body: &ConvexPolyhedron, rounding_radius: Option<f64>) -> Result<Self, Error> {
        let mass = body.mass_properties();
        let frame = PrincipalFrame::from_mass_properties(mass)?;
        let unrounded = ConvexPolyhedron::hull(&frame.to_principal_axes(body.vertices()))
            .map_err(shape_error)?;
        let nearest = unrounded.faces().map(|face| face.offset).fold(f64::INFINITY, f64::min);
        let rounding_radius = rounding_radius.unwrap_or(DEFAULT_ROUNDING_RATIO * nearest);
        let core = inset::inset(&unrounded, nearest, rounding_radius)?;
        let radius = core.bounding_radius() + rounding_radius;
        let form = ShapeGeometry::Convex(Box::new(RoundedPolyhedron {
            core,
            rounding_radius,
            unrounded,
            solid: None,
        }));
        Ok(frame.build_shape(form, mass, radius))
    }

    /// Makes a shape bounded by a mesh, which must be closed and oriented outwards.
    ///
    /// ```
    /// use carom_geometry::mesh::octahedron_sphere;
    /// use carom_simulate::dem::Shape;
    /// // The octahedron |x| + |y| + |z| <= 1.
    /// let octahedron = Shape::mesh(&octahedron_sphere(0))?;
    /// assert!((octahedron.volume() - 4.0 / 3.0).abs() < 1e-12);
    /// assert!((octahedron.bounding_radius() - 1.0).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn mesh(surface: &TriangleMesh) -> Result<Self, Error> {
        let faces: Vec<Vec<u32>> = surface.triangles().iter().map(|face| face.to_vec()).collect();
        let mass = MassProperties::of(surface.vertices(), &faces);
        let frame = PrincipalFrame::from_mass_properties(&mass)?;
        let vertices = frame.to_principal_axes(surface.vertices());
        let radius = vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max);
        let surface =
            TriangleMesh::new(vertices, surface.triangles().to_vec()).map_err(shape_error)?;
        let form = ShapeGeometry::Mesh(Box::new(Solid::new(
            surface,
            FillRule::EvenOdd,
            INSIDE_QUERY_BATCH,
        )));
        Ok(frame.build_shape(form, &mass, radius))
    }

    /// Makes a clump of spheres that are fixed to each other. Mass properties are those of their union, so that
    /// overlaps do not count twice.
    ///
    /// ```
    /// use carom_geometry::Sphere;
    /// use carom_simulate::dem::Shape;
    /// // Two spheres that touch: as much volume as a sphere of radius ∛2.
    /// let pair = Shape::clump(&[-1.0, 1.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0)))?;
    /// assert!((pair.bounding_radius() - 2.0).abs() < 1e-6);
    /// assert!((pair.equivalent_radius() - 2f64.cbrt()).abs() < 1e-6);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn clump(spheres: &[Sphere<3>]) -> Result<Self, Error> {
        let mass = MassProperties::of_spheres::<3>(spheres);
        Self::clump_with(spheres, &mass, PrincipalFrame::from_mass_properties(&mass)?)
    }

    fn clump_with(
        spheres: &[Sphere<3>],
        mass: &MassProperties,
        frame: PrincipalFrame,
    ) -> Result<Self, Error> {
        let centers: Vec<Vector<3>> = spheres.iter().map(|sphere| sphere.center).collect();
        let spheres: Vec<Sphere<3>> = (frame.to_principal_axes(&centers).into_iter().zip(spheres))
            .map(|(center, sphere)| Sphere { center, radius: sphere.radius })
            .collect();
        let reach = |sphere: &Sphere<3>| sphere.center.norm() + sphere.radius;
        let radius = spheres.iter().map(reach).fold(0.0, f64::max);
        Ok(frame.build_shape(ShapeGeometry::Clump(spheres), mass, radius))
    }

    /// Makes a convex polygon for 2D: a prism along the third axis, long enough that only its sides are touched.
    ///
    /// ```
    /// use carom_geometry::Vector;
    /// use carom_simulate::dem::Shape;
    /// let corners = [[0., 0.], [2., 0.], [2., 1.], [0., 1.]].map(Vector::from);
    /// let rectangle = Shape::polygon(&corners, Some(0.0))?;
    /// assert!((rectangle.volume() - 2.0).abs() < 1e-12);
    /// assert!((rectangle.bounding_radius() - 1.25f64.sqrt()).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn polygon(corners: &[Vector<2>], rounding_radius: Option<f64>) -> Result<Self, Error> {
        let height = 4.0 * corners.iter().map(|corner| corner.norm()).fold(0.0, f64::max);
        let ends = [-0.5 * height, 0.5 * height];
        let ends =
            ends.map(|z| corners.iter().map(move |corner| Vector::from([corner.x, corner.y, z])));
        let prism: Vec<Vector<3>> = ends.into_iter().flatten().collect();
        let prism = ConvexPolyhedron::hull(&prism).map_err(shape_error)?;
        let mass = prism.mass_properties();
        let frame = PrincipalFrame::planar(mass)?;
        let unrounded = ConvexPolyhedron::hull(&frame.to_principal_axes(prism.vertices()))
            .map_err(shape_error)?;
        let nearest = unrounded.faces().map(|face| face.offset).fold(f64::INFINITY, f64::min);
        let rounding_radius = rounding_radius.unwrap_or(DEFAULT_ROUNDING_RATIO * nearest);
        let core = inset::inset(&unrounded, nearest, rounding_radius)?;
        let distance_from_axis = |vertex: &Vector<3>| vertex.xy().norm();
        let radius =
            core.vertices().iter().map(distance_from_axis).fold(0.0, f64::max) + rounding_radius;
        let area = MassProperties { volume: mass.volume / height, ..*mass };
        let form = ShapeGeometry::Convex(Box::new(RoundedPolyhedron {
            core,
            rounding_radius,
            unrounded,
            solid: None,
        }));
        let shape = frame.build_shape(form, &area, radius);
        Ok(Shape { equivalent_radius: (area.volume / PI).sqrt(), ..shape })
    }

    /// Makes a clump of discs for 2D that are fixed to each other.
    ///
    /// ```
    /// use carom_geometry::Sphere;
    /// use carom_simulate::dem::Shape;
    /// let pair = Shape::planar_clump(&[-1.0, 1.0].map(|x| Sphere::new([x, 0.0], 1.0)))?;
    /// assert!((pair.volume() - 2.0 * std::f64::consts::PI).abs() < 1e-6);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn planar_clump(discs: &[Sphere<2>]) -> Result<Self, Error> {
        let in_space = |disc: &Sphere<2>| Sphere {
            center: Vector::from([disc.center.x, disc.center.y, 0.0]),
            radius: disc.radius,
        };
        let spheres: Vec<Sphere<3>> = discs.iter().map(in_space).collect();
        let mass = MassProperties::of_spheres::<2>(&spheres);
        let shape = Self::clump_with(&spheres, &mass, PrincipalFrame::planar(&mass)?)?;
        Ok(Shape { equivalent_radius: (mass.volume / PI).sqrt(), ..shape })
    }

    /// Returns the radius of the bounding sphere about the center of mass.
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Returns the radius of the sphere of the same volume, or of the disc of the same area.
    pub fn equivalent_radius(&self) -> f64 {
        self.equivalent_radius
    }

    /// Returns the volume before rounding; in 2D the area.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    pub(super) fn geometry(&self) -> &ShapeGeometry {
        &self.geometry
    }

    pub(super) fn principal_rotation(&self) -> UnitQuaternion<f64> {
        self.principal_rotation
    }

    pub(super) fn principal_inertia(&self) -> Vector<3> {
        self.principal_inertia
    }

    pub(super) fn is_clump(&self) -> bool {
        matches!(self.geometry, ShapeGeometry::Clump(_))
    }

    pub(super) fn is_mesh(&self) -> bool {
        matches!(self.geometry, ShapeGeometry::Mesh(_))
    }

    /// Prepares a convex shape for contacts with meshes.
    pub(super) fn build_unrounded_solid(&mut self) {
        if let ShapeGeometry::Convex(convex) = &mut self.geometry {
            let surface = TriangleMesh::from_polygons(&convex.unrounded.mesh());
            let surface = surface.expect("the faces of a hull are flat and convex");
            convex.solid =
                Some(Box::new(Solid::new(surface, FillRule::EvenOdd, INSIDE_QUERY_BATCH)));
        }
    }
}

/// Number of points per batch of the inside test.
const INSIDE_QUERY_BATCH: usize = 1000;

fn shape_error(error: impl std::fmt::Display) -> Error {
    Error::Shape(error.to_string())
}

/// Center of mass and principal axes of a shape.
struct PrincipalFrame {
    center: Vector<3>,
    axes: Matrix3<f64>,
    principal_inertia: Vector<3>,
}

/// Off-diagonal inertia below this fraction of the trace counts as rounding: axes stay as they were given.
const DIAGONAL_TOLERANCE: f64 = 1e-10;

impl PrincipalFrame {
    fn from_mass_properties(mass: &MassProperties) -> Result<Self, Error> {
        let inertia = mass.inertia / mass.volume;
        let trace = inertia.trace();
        if !(mass.volume > 0.0 && trace > 0.0 && trace.is_finite()) {
            return Err(Error::Shape(format!("its volume is {:?}", mass.volume)));
        }
        let off = inertia.m12.abs().max(inertia.m13.abs()).max(inertia.m23.abs());
        if off <= DIAGONAL_TOLERANCE * trace {
            return Ok(PrincipalFrame {
                center: mass.center_of_mass,
                axes: Matrix3::identity(),
                principal_inertia: inertia.diagonal(),
            });
        }
        let eigen = inertia.symmetric_eigen();
        let mut axes = eigen.eigenvectors;
        if axes.determinant() < 0.0 {
            axes.column_mut(2).neg_mut();
        }
        Ok(PrincipalFrame {
            center: mass.center_of_mass,
            axes,
            principal_inertia: eigen.eigenvalues,
        })
    }

    /// Returns the frame of a 2D shape, which rotates about the third axis only.
    fn planar(mass: &MassProperties) -> Result<Self, Error> {
        let frame = PrincipalFrame::from_mass_properties(mass)?;
        let about = mass.inertia.m33 / mass.volume;
        Ok(PrincipalFrame {
            axes: Matrix3::identity(),
            principal_inertia: Vector::repeat(about),
            ..frame
        })
    }

    fn to_principal_axes(&self, points: &[Vector<3>]) -> Vec<Vector<3>> {
        points.iter().map(|point| self.axes.tr_mul(&(point - self.center))).collect()
    }

    fn build_shape(
        &self,
        geometry: ShapeGeometry,
        mass: &MassProperties,
        bounding_radius: f64,
    ) -> Shape {
        let rotation = Rotation3::from_matrix_unchecked(self.axes);
        Shape {
            geometry,
            principal_rotation: UnitQuaternion::from_rotation_matrix(&rotation),
            principal_inertia: self.principal_inertia,
            volume: mass.volume,
            bounding_radius,
            equivalent_radius: math::cbrt(mass.volume * 0.75 / PI),
        }
    }
}
