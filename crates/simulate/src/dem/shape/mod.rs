//! Shapes of bodies prepared for contacts, in their principal axes.
//!
//! | shape | contact by |
//! |---|---|
//! | convex | closest features of its core, for any number of faces |
//! | clump | its spheres |
//! | mesh | its nodes inside others and theirs inside it |
//!
//! A convex body is a core, somewhat smaller, and all points within a rounding radius of it (a Minkowski sum
//! with a sphere): flat faces stay where they are, edges and corners are round. As long as the penetration
//! depth is less than the rounding, the cores are apart, and their distance (GJK) suffices without EPA.

mod inset;
#[cfg(test)]
pub(super) mod tests;

use crate::shape::ShapeRepresentation;
use crate::{Error, Shape};
use carom_detect::inside::{FillRule, Solid};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::shape::{ConvexPolyhedron, MassProperties};
use carom_geometry::{Sphere, Vector, math};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use std::f64::consts::PI;

/// A shape as contacts need it.
#[derive(Clone, Debug)]
pub(super) struct ContactShape {
    geometry: ShapeGeometry,
    /// Rotation from the principal axes, in which the geometry is stored, to the axes in which it was given.
    principal_rotation: UnitQuaternion<f64>,
    /// Principal moments of inertia per mass.
    principal_inertia: Vector<3>,
    volume: f64,
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

impl ContactShape {
    /// Prepares shapes of bodies in `D` dimensions.
    pub(super) fn prepare_all<const D: usize>(shapes: &[Shape]) -> Result<Vec<Self>, Error> {
        let prepared = shapes.iter().map(ContactShape::prepare::<D>);
        let mut prepared = prepared.collect::<Result<Vec<Self>, Error>>()?;
        if prepared.iter().any(ContactShape::is_mesh) {
            prepared.iter_mut().for_each(ContactShape::build_unrounded_solid);
        }
        Ok(prepared)
    }

    /// Prepares a shape. Errors if its rounding radius is negative or not less than the distance of its nearest face
    /// from the center of mass.
    pub(super) fn prepare<const D: usize>(shape: &Shape) -> Result<Self, Error> {
        match &shape.representation {
            ShapeRepresentation::Convex(prism) if D == 2 => {
                // A polygon is a prism, of which one end suffices.
                let end = prism.vertices().iter().filter(|vertex| vertex.z > 0.0);
                Self::polygon(&end.map(|vertex| vertex.xy()).collect::<Vec<_>>(), shape.rounding)
            }
            ShapeRepresentation::Convex(body) => Self::convex(body, shape.rounding),
            ShapeRepresentation::Mesh(mesh) => Self::mesh(mesh),
            ShapeRepresentation::Spheres(spheres) => Self::clump::<D>(spheres),
        }
    }

    /// Edges and corners are rounded by a radius; by default a twentieth of the distance of the nearest face from the
    /// center of mass.
    fn convex(body: &ConvexPolyhedron, rounding_radius: Option<f64>) -> Result<Self, Error> {
        let mass = body.mass_properties();
        let frame = PrincipalFrame::from_mass_properties(mass)?;
        let geometry = rounded_polyhedron(&frame, body, rounding_radius)?;
        Ok(frame.build_shape(geometry, mass))
    }

    /// The mesh must be closed and oriented outwards.
    fn mesh(surface: &TriangleMesh) -> Result<Self, Error> {
        let faces: Vec<Vec<u32>> = surface.triangles().iter().map(|face| face.to_vec()).collect();
        let mass = MassProperties::of(surface.vertices(), &faces);
        let frame = PrincipalFrame::from_mass_properties(&mass)?;
        let vertices = frame.to_principal_axes(surface.vertices());
        let surface =
            TriangleMesh::new(vertices, surface.triangles().to_vec()).map_err(shape_error)?;
        let solid = Solid::new(surface, FillRule::EvenOdd, INSIDE_QUERY_BATCH);
        Ok(frame.build_shape(ShapeGeometry::Mesh(Box::new(solid)), &mass))
    }

    /// Mass properties are those of the union of the spheres, so that overlaps do not count twice.
    fn clump<const D: usize>(spheres: &[Sphere<3>]) -> Result<Self, Error> {
        let in_plane = |sphere: &Sphere<3>| Sphere {
            center: Vector::from([sphere.center.x, sphere.center.y, 0.0]),
            radius: sphere.radius,
        };
        let spheres: Vec<Sphere<3>> = match D {
            2 => spheres.iter().map(in_plane).collect(),
            _ => spheres.to_vec(),
        };
        let mass = MassProperties::of_spheres::<D>(&spheres);
        let frame = match D {
            2 => PrincipalFrame::planar(&mass)?,
            _ => PrincipalFrame::from_mass_properties(&mass)?,
        };
        let centers: Vec<Vector<3>> = spheres.iter().map(|sphere| sphere.center).collect();
        let spheres: Vec<Sphere<3>> = (frame.to_principal_axes(&centers).into_iter().zip(spheres))
            .map(|(center, sphere)| Sphere { center, radius: sphere.radius })
            .collect();
        let shape = frame.build_shape(ShapeGeometry::Clump(spheres), &mass);
        Ok(if D == 2 { shape.with_radius_of_disc() } else { shape })
    }

    /// A polygon is a prism along the third axis, long enough that only its sides are touched.
    fn polygon(corners: &[Vector<2>], rounding_radius: Option<f64>) -> Result<Self, Error> {
        let height = 4.0 * corners.iter().map(|corner| corner.norm()).fold(0.0, f64::max);
        let ends = [-0.5 * height, 0.5 * height];
        let ends =
            ends.map(|z| corners.iter().map(move |corner| Vector::from([corner.x, corner.y, z])));
        let prism: Vec<Vector<3>> = ends.into_iter().flatten().collect();
        let prism = ConvexPolyhedron::hull(&prism).map_err(shape_error)?;
        let mass = prism.mass_properties();
        let frame = PrincipalFrame::planar(mass)?;
        let geometry = rounded_polyhedron(&frame, &prism, rounding_radius)?;
        let area = MassProperties { volume: mass.volume / height, ..*mass };
        Ok(frame.build_shape(geometry, &area).with_radius_of_disc())
    }

    /// Returns the shape with the radius of the disc of the same area.
    fn with_radius_of_disc(self) -> Self {
        ContactShape { equivalent_radius: (self.volume / PI).sqrt(), ..self }
    }

    /// Returns the radius of the sphere of the same volume, or of the disc of the same area.
    pub(super) fn equivalent_radius(&self) -> f64 {
        self.equivalent_radius
    }

    /// Returns the volume before rounding; in 2D the area.
    pub(super) fn volume(&self) -> f64 {
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

    fn is_mesh(&self) -> bool {
        matches!(self.geometry, ShapeGeometry::Mesh(_))
    }

    /// Prepares a convex shape for contacts with meshes.
    fn build_unrounded_solid(&mut self) {
        if let ShapeGeometry::Convex(convex) = &mut self.geometry {
            let surface = TriangleMesh::from_polygons(&convex.unrounded.mesh());
            let surface = surface.expect("the faces of a hull are flat and convex");
            convex.solid =
                Some(Box::new(Solid::new(surface, FillRule::EvenOdd, INSIDE_QUERY_BATCH)));
        }
    }
}

/// Returns a convex body in principal axes with its core.
fn rounded_polyhedron(
    frame: &PrincipalFrame,
    body: &ConvexPolyhedron,
    rounding_radius: Option<f64>,
) -> Result<ShapeGeometry, Error> {
    let unrounded =
        ConvexPolyhedron::hull(&frame.to_principal_axes(body.vertices())).map_err(shape_error)?;
    let nearest = unrounded.faces().map(|face| face.offset).fold(f64::INFINITY, f64::min);
    let rounding_radius = rounding_radius.unwrap_or(DEFAULT_ROUNDING_RATIO * nearest);
    let core = inset::inset(&unrounded, nearest, rounding_radius)?;
    let rounded = RoundedPolyhedron { core, rounding_radius, unrounded, solid: None };
    Ok(ShapeGeometry::Convex(Box::new(rounded)))
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

    fn build_shape(&self, geometry: ShapeGeometry, mass: &MassProperties) -> ContactShape {
        let rotation = Rotation3::from_matrix_unchecked(self.axes);
        ContactShape {
            geometry,
            principal_rotation: UnitQuaternion::from_rotation_matrix(&rotation),
            principal_inertia: self.principal_inertia,
            volume: mass.volume,
            equivalent_radius: math::cbrt(mass.volume * 0.75 / PI),
        }
    }
}
