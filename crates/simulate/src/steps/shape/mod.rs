//! Bodies that are no spheres: convex polyhedra with rounded edges, surfaces of triangles, and clumps of
//! spheres.
//!
//! | shape | touches by | take it when |
//! |---|---|---|
//! | [`Shape::convex`] | the closest features of its core; whatever its number of faces | it is convex |
//! | [`Shape::clump`] | its spheres | a few spheres describe it |
//! | [`Shape::mesh`] | its corners in others and others' in it, by the inside test | it is neither |
//!
//! A convex body is a core, somewhat smaller, and all that is within a rounding radius of it: flat faces
//! stay where they are, edges and corners are round. As long as bodies are pressed into each other less
//! than that, their cores are apart, and a contact costs as much as a distance.

mod inset;
#[cfg(test)]
pub(super) mod tests;

use crate::Error;
use carom_detect::inside::{Rule, Solid};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::shape::{ConvexPolyhedron, MassProperties};
use carom_geometry::{Sphere, Vector, math};
use nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use std::f64::consts::PI;

/// The shape of a body, with its centre of mass in the origin.
#[derive(Clone, Debug)]
pub struct Shape {
    form: Form,
    /// From the principal axes, in which the form is, to those in which it was given.
    principal: UnitQuaternion<f64>,
    /// Principal moments of inertia for a mass of one.
    inertia: Vector<3>,
    volume: f64,
    /// Of the sphere around it.
    radius: f64,
    /// Of the sphere that has its volume.
    size: f64,
}

/// What a shape is made of, in its principal axes.
#[derive(Clone, Debug)]
pub(super) enum Form {
    Convex(Box<Convex>),
    Mesh(Box<Solid>),
    Clump(Vec<Sphere<3>>),
}

/// All that is within the rounding radius of a core.
#[derive(Clone, Debug)]
pub(super) struct Convex {
    pub core: ConvexPolyhedron,
    pub rounding: f64,
    /// As it was before it was rounded.
    whole: ConvexPolyhedron,
    /// Its surface before it was rounded; only where there are meshes that it may meet.
    pub solid: Option<Box<Solid>>,
}

/// The rounding radius in parts of the distance of the nearest face from the centre.
const ROUNDING: f64 = 0.05;

impl Shape {
    /// A convex body; its edges and corners are rounded by a radius, if none is given by a twentieth of
    /// the distance of its nearest face from the centre of mass.
    ///
    /// ```
    /// use carom_geometry::{Vector, shape::ConvexPolyhedron};
    /// use carom_simulate::steps::Shape;
    /// let corner = |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    /// let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    /// let shape = Shape::convex(&cube, None)?;
    /// assert!((shape.volume() - 1.0).abs() < 1e-12);
    /// assert!(shape.radius() < 0.75f64.sqrt());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn convex(body: &ConvexPolyhedron, rounding: Option<f64>) -> Result<Self, Error> {
        let mass = body.mass();
        let frame = Frame::of(mass)?;
        let whole = ConvexPolyhedron::hull(&frame.moved(body.vertices())).map_err(refused)?;
        let nearest = whole.faces().map(|face| face.offset).fold(f64::INFINITY, f64::min);
        let rounding = rounding.unwrap_or(ROUNDING * nearest);
        let core = inset::inset(&whole, nearest, rounding)?;
        let radius = core.radius() + rounding;
        let form = Form::Convex(Box::new(Convex { core, rounding, whole, solid: None }));
        Ok(frame.shape(form, mass, radius))
    }

    /// A body bounded by a closed surface; the surface must be closed and turned outwards.
    pub fn mesh(surface: &TriangleMesh) -> Result<Self, Error> {
        let faces: Vec<Vec<u32>> = surface.triangles().iter().map(|face| face.to_vec()).collect();
        let mass = MassProperties::of(surface.vertices(), &faces);
        let frame = Frame::of(&mass)?;
        let vertices = frame.moved(surface.vertices());
        let radius = vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max);
        let surface = TriangleMesh::new(vertices, surface.triangles().to_vec()).map_err(refused)?;
        let form = Form::Mesh(Box::new(Solid::new(surface, Rule::Parity, POINTS)));
        Ok(frame.shape(form, &mass, radius))
    }

    /// Spheres that are fixed to each other; where they overlap there is no more mass than elsewhere.
    pub fn clump(spheres: &[Sphere<3>]) -> Result<Self, Error> {
        let mass = MassProperties::of_spheres::<3>(spheres);
        Self::clump_with(spheres, &mass, Frame::of(&mass)?)
    }

    fn clump_with(
        spheres: &[Sphere<3>],
        mass: &MassProperties,
        frame: Frame,
    ) -> Result<Self, Error> {
        let centers: Vec<Vector<3>> = spheres.iter().map(|sphere| sphere.center).collect();
        let spheres: Vec<Sphere<3>> = (frame.moved(&centers).into_iter().zip(spheres))
            .map(|(center, sphere)| Sphere { center, radius: sphere.radius })
            .collect();
        let reach = |sphere: &Sphere<3>| sphere.center.norm() + sphere.radius;
        let radius = spheres.iter().map(reach).fold(0.0, f64::max);
        Ok(frame.shape(Form::Clump(spheres), mass, radius))
    }

    /// A convex polygon of the plane: a prism along the third axis, long enough that only its sides are
    /// touched.
    pub fn polygon(corners: &[Vector<2>], rounding: Option<f64>) -> Result<Self, Error> {
        let height = 4.0 * corners.iter().map(|corner| corner.norm()).fold(0.0, f64::max);
        let ends = [-0.5 * height, 0.5 * height];
        let ends =
            ends.map(|z| corners.iter().map(move |corner| Vector::from([corner.x, corner.y, z])));
        let prism: Vec<Vector<3>> = ends.into_iter().flatten().collect();
        let prism = ConvexPolyhedron::hull(&prism).map_err(refused)?;
        let mass = prism.mass();
        let frame = Frame::flat(mass)?;
        let whole = ConvexPolyhedron::hull(&frame.moved(prism.vertices())).map_err(refused)?;
        let nearest = whole.faces().map(|face| face.offset).fold(f64::INFINITY, f64::min);
        let rounding = rounding.unwrap_or(ROUNDING * nearest);
        let core = inset::inset(&whole, nearest, rounding)?;
        let across = |vertex: &Vector<3>| vertex.xy().norm();
        let radius = core.vertices().iter().map(across).fold(0.0, f64::max) + rounding;
        let area = MassProperties { volume: mass.volume / height, ..*mass };
        let form = Form::Convex(Box::new(Convex { core, rounding, whole, solid: None }));
        let shape = frame.shape(form, &area, radius);
        Ok(Shape { size: (area.volume / PI).sqrt(), ..shape })
    }

    /// Discs of the plane that are fixed to each other.
    pub fn flat_clump(discs: &[Sphere<2>]) -> Result<Self, Error> {
        let in_space = |disc: &Sphere<2>| Sphere {
            center: Vector::from([disc.center.x, disc.center.y, 0.0]),
            radius: disc.radius,
        };
        let spheres: Vec<Sphere<3>> = discs.iter().map(in_space).collect();
        let mass = MassProperties::of_spheres::<2>(&spheres);
        let shape = Self::clump_with(&spheres, &mass, Frame::flat(&mass)?)?;
        Ok(Shape { size: (mass.volume / PI).sqrt(), ..shape })
    }

    /// The radius of the sphere around it, about its centre of mass.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The radius of the sphere, or disc, that is as large.
    pub fn size(&self) -> f64 {
        self.size
    }

    /// Its volume, without what rounding takes away; in the plane its area.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    pub(super) fn form(&self) -> &Form {
        &self.form
    }

    pub(super) fn principal(&self) -> UnitQuaternion<f64> {
        self.principal
    }

    pub(super) fn inertia(&self) -> Vector<3> {
        self.inertia
    }

    pub(super) fn is_clump(&self) -> bool {
        matches!(self.form, Form::Clump(_))
    }

    pub(super) fn is_mesh(&self) -> bool {
        matches!(self.form, Form::Mesh(_))
    }

    /// Makes a convex body ready to meet meshes.
    pub(super) fn get_ready_for_meshes(&mut self) {
        if let Form::Convex(convex) = &mut self.form {
            let surface = TriangleMesh::from_polygons(&convex.whole.mesh());
            let surface = surface.expect("the faces of a hull are flat and convex");
            convex.solid = Some(Box::new(Solid::new(surface, Rule::Parity, POINTS)));
        }
    }
}

/// So many points are asked about at once.
const POINTS: usize = 1000;

fn refused(error: impl std::fmt::Display) -> Error {
    Error::Shape(error.to_string())
}

/// Where a shape is moved to: its centre of mass and principal axes.
struct Frame {
    centre: Vector<3>,
    axes: Matrix3<f64>,
    inertia: Vector<3>,
}

/// Off the diagonal less than this part of the trace is rounding.
const DIAGONAL: f64 = 1e-10;

impl Frame {
    fn of(mass: &MassProperties) -> Result<Self, Error> {
        let inertia = mass.inertia / mass.volume;
        let trace = inertia.trace();
        if !(mass.volume > 0.0 && trace > 0.0 && trace.is_finite()) {
            return Err(Error::Shape(format!("its volume is {:?}", mass.volume)));
        }
        let off = inertia.m12.abs().max(inertia.m13.abs()).max(inertia.m23.abs());
        if off <= DIAGONAL * trace {
            return Ok(Frame {
                centre: mass.centre,
                axes: Matrix3::identity(),
                inertia: inertia.diagonal(),
            });
        }
        let eigen = inertia.symmetric_eigen();
        let mut axes = eigen.eigenvectors;
        if axes.determinant() < 0.0 {
            axes.column_mut(2).neg_mut();
        }
        Ok(Frame { centre: mass.centre, axes, inertia: eigen.eigenvalues })
    }

    /// Of a shape of the plane, which turns about the third axis only.
    fn flat(mass: &MassProperties) -> Result<Self, Error> {
        let frame = Frame::of(mass)?;
        let about = mass.inertia.m33 / mass.volume;
        Ok(Frame { axes: Matrix3::identity(), inertia: Vector::repeat(about), ..frame })
    }

    fn moved(&self, points: &[Vector<3>]) -> Vec<Vector<3>> {
        points.iter().map(|point| self.axes.tr_mul(&(point - self.centre))).collect()
    }

    fn shape(&self, form: Form, mass: &MassProperties, radius: f64) -> Shape {
        let rotation = Rotation3::from_matrix_unchecked(self.axes);
        Shape {
            form,
            principal: UnitQuaternion::from_rotation_matrix(&rotation),
            inertia: self.inertia,
            volume: mass.volume,
            radius,
            size: math::cbrt(mass.volume * 0.75 / PI),
        }
    }
}
