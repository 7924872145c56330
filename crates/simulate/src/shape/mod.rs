//! Shapes of bodies other than discs and spheres: convex polyhedra, closed meshes, clumps.
//!
//! | shape | take it when |
//! |---|---|
//! | [`Shape::convex`], in the plane [`Shape::polygon`] | it is convex |
//! | [`Shape::clump`], in the plane [`Shape::planar_clump`] | a few spheres or discs describe it |
//! | [`Shape::mesh`] | it is neither |

mod clump;

pub use clump::MOST_SPHERES;

use crate::Error;
use carom_geometry::mesh::{HullError, PolygonMesh, TriangleMesh};
use carom_geometry::shape::{ConvexPolyhedron, MassProperties};
use carom_geometry::{Aabb, Pose, Sphere, Vector, math};
use nalgebra::Matrix3;
use std::sync::Arc;

/// A shape that bodies may have, in coordinates about its center of mass; its axes are those of the user.
///
/// In 2D it is a prism as high as the diameter of its bounding circle, centered at z = 0, so that the penetration depth
/// of two bodies is never along z; volume and inertia are those of its area.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(remote = "Self", rename_all = "snake_case", deny_unknown_fields)
)]
pub struct Shape {
    /// Name in the scene; empty if it has none.
    pub name: String,
    /// Surface of the shape.
    pub representation: ShapeRepresentation,
    /// Rounding radius of edges and corners; the engine chooses if it is `None`.
    pub rounding: Option<f64>,
    /// Volume (3D) or area (2D).
    pub volume: f64,
    /// Inertia tensor about the center of mass, for density one; in 2D only the moment about z counts.
    #[cfg_attr(feature = "serde", serde(with = "crate::serialization::matrix"))]
    pub inertia: Matrix3<f64>,
    /// Radius of the bounding sphere (2D: bounding circle) about the center of mass.
    pub radius: f64,
}

/// The surface of a shape.
#[derive(Clone, Debug)]
pub enum ShapeRepresentation {
    /// A convex body.
    Convex(Arc<ConvexPolyhedron>),
    /// A closed surface, with its triangles counterclockwise when seen from outside.
    Mesh(Arc<TriangleMesh>),
    /// A clump of spheres (2D: discs), which may overlap.
    Spheres(Vec<Sphere<3>>),
}

impl PartialEq for ShapeRepresentation {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (ShapeRepresentation::Convex(one), ShapeRepresentation::Convex(other)) => {
                one.mesh() == other.mesh()
            }
            (ShapeRepresentation::Mesh(one), ShapeRepresentation::Mesh(other)) => one == other,
            (ShapeRepresentation::Spheres(one), ShapeRepresentation::Spheres(other)) => {
                one == other
            }
            _ => false,
        }
    }
}

/// A center of mass at most this far from the origin, in radii, is at the origin up to rounding.
const ROUNDING: f64 = 1e-13;

impl Shape {
    /// Makes a convex shape. The DEM engine rounds edges and corners by a radius; if `None`, by a twentieth of the
    /// distance of the nearest face from the center of mass, less than which it must be.
    ///
    /// ```
    /// use carom_geometry::{Vector, shape::ConvexPolyhedron};
    /// use carom_simulate::Shape;
    /// let corner = |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    /// let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    /// let shape = Shape::convex(&cube, None)?;
    /// assert!((shape.volume - 1.0).abs() < 1e-12);
    /// assert!((shape.radius - 0.75f64.sqrt()).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn convex(body: &ConvexPolyhedron, rounding: Option<f64>) -> Result<Self, Error> {
        Self::unnamed::<3>(ShapeRepresentation::Convex(Arc::new(body.clone())), rounding)
    }

    /// Makes a shape bounded by a mesh, which must be closed and oriented outwards.
    ///
    /// ```
    /// use carom_geometry::mesh::octahedron_sphere;
    /// use carom_simulate::Shape;
    /// // The octahedron |x| + |y| + |z| <= 1.
    /// let octahedron = Shape::mesh(&octahedron_sphere(0))?;
    /// assert!((octahedron.volume - 4.0 / 3.0).abs() < 1e-12);
    /// assert!((octahedron.radius - 1.0).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn mesh(surface: &TriangleMesh) -> Result<Self, Error> {
        Self::unnamed::<3>(ShapeRepresentation::Mesh(Arc::new(surface.clone())), None)
    }

    /// Makes a clump of spheres that are fixed to each other. Mass properties are those of their union, so that
    /// overlaps do not count twice.
    ///
    /// ```
    /// use carom_geometry::Sphere;
    /// use carom_simulate::Shape;
    /// // Two spheres that touch.
    /// let pair = Shape::clump(&[0.0, 2.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0)))?;
    /// assert!((pair.radius - 2.0).abs() < 1e-6);
    /// assert!((pair.volume - 8.0 / 3.0 * std::f64::consts::PI).abs() < 1e-6);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn clump(spheres: &[Sphere<3>]) -> Result<Self, Error> {
        Self::unnamed::<3>(ShapeRepresentation::Spheres(spheres.to_vec()), None)
    }

    /// Makes a convex polygon for 2D, rounded as [`convex`](Self::convex) shapes are.
    ///
    /// ```
    /// use carom_geometry::Vector;
    /// use carom_simulate::Shape;
    /// let corners = [[0., 0.], [2., 0.], [2., 1.], [0., 1.]].map(Vector::from);
    /// let rectangle = Shape::polygon(&corners, Some(0.1))?;
    /// assert!((rectangle.volume - 2.0).abs() < 1e-12);
    /// assert!((rectangle.radius - 1.25f64.sqrt()).abs() < 1e-12);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn polygon(corners: &[Vector<2>], rounding: Option<f64>) -> Result<Self, Error> {
        let prism = ShapeRepresentation::prism(corners);
        Self::unnamed::<2>(prism.map_err(|error| Error::Shape(error.to_string()))?, rounding)
    }

    /// Makes a clump of discs for 2D that are fixed to each other.
    ///
    /// ```
    /// use carom_geometry::Sphere;
    /// use carom_simulate::Shape;
    /// let pair = Shape::planar_clump(&[-1.0, 1.0].map(|x| Sphere::new([x, 0.0], 1.0)))?;
    /// assert!((pair.volume - 2.0 * std::f64::consts::PI).abs() < 1e-6);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn planar_clump(discs: &[Sphere<2>]) -> Result<Self, Error> {
        let in_space = |disc: &Sphere<2>| Sphere {
            center: Vector::from([disc.center.x, disc.center.y, 0.0]),
            radius: disc.radius,
        };
        let spheres = discs.iter().map(in_space).collect();
        Self::unnamed::<2>(ShapeRepresentation::Spheres(spheres), None)
    }

    fn unnamed<const D: usize>(
        form: ShapeRepresentation,
        rounding: Option<f64>,
    ) -> Result<Self, Error> {
        let mass = form.mass_properties::<D>();
        if !(mass.volume > 0.0 && mass.volume.is_finite()) {
            return Err(Error::Shape(format!("its volume is {:?}", mass.volume)));
        }
        let shape = Shape::about_center_of_mass::<D>(String::new(), form, rounding, mass);
        shape.map_err(|error| Error::Shape(error.to_string()))
    }

    /// Translates a representation so that its center of mass is at the origin. Fails only if it is too flat for that.
    ///
    /// ```
    /// use carom_geometry::{Vector, shape::ConvexPolyhedron};
    /// use carom_simulate::shape::{Shape, ShapeRepresentation};
    /// // A unit cube between 0 and 1 on every axis: its moments of inertia are 1/6.
    /// let corner = |k: u32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    /// let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    /// let representation = ShapeRepresentation::Convex(cube.into());
    /// let shape = Shape::centered::<3>("die".to_owned(), representation, None)?;
    /// assert!((shape.volume - 1.0).abs() < 1e-12 && (shape.inertia.m33 - 1.0 / 6.0).abs() < 1e-12);
    /// assert!((shape.radius - 0.75f64.sqrt()).abs() < 1e-12);
    /// # Ok::<(), carom_geometry::mesh::HullError>(())
    /// ```
    pub fn centered<const D: usize>(
        name: String,
        form: ShapeRepresentation,
        rounding: Option<f64>,
    ) -> Result<Self, HullError> {
        let mass = form.mass_properties::<D>();
        Shape::about_center_of_mass::<D>(name, form, rounding, mass)
    }

    fn about_center_of_mass<const D: usize>(
        name: String,
        form: ShapeRepresentation,
        rounding: Option<f64>,
        mass: MassProperties,
    ) -> Result<Self, HullError> {
        let MassProperties { volume, center_of_mass: center, inertia } = mass;
        // A shape that is centered already keeps its bits.
        let near = center.norm() <= ROUNDING * form.radius::<D>();
        let form = if near { form } else { form.translated(&-center)? };
        let radius = form.radius::<D>();
        // Prisms stand for their area.
        let height = if D == 2 { form.height() } else { 1.0 };
        let (volume, inertia) = (volume / height, inertia / height);
        Ok(Shape { name, representation: form, rounding, volume, inertia, radius })
    }

    /// Returns the surface as polygons, counterclockwise when seen from outside; in 2D its area at z = 0. Spheres
    /// become polyhedra of 128 triangles, discs polygons of 32 corners.
    ///
    /// ```
    /// use carom_geometry::Sphere;
    /// use carom_simulate::shape::{Shape, ShapeRepresentation};
    /// let spheres = [0.0, 3.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0)).to_vec();
    /// let pair = ShapeRepresentation::Spheres(spheres);
    /// let shape = Shape::centered::<3>("pair".to_owned(), pair, None)?;
    /// assert_eq!(shape.surface::<3>().faces.len(), 2 * 128);
    /// # Ok::<(), carom_geometry::mesh::HullError>(())
    /// ```
    pub fn surface<const D: usize>(&self) -> PolygonMesh {
        match &self.representation {
            ShapeRepresentation::Convex(polyhedron) if D == 2 => cap(polyhedron),
            ShapeRepresentation::Convex(polyhedron) => polyhedron.mesh(),
            ShapeRepresentation::Mesh(mesh) => mesh.to_polygons(),
            ShapeRepresentation::Spheres(spheres) => clump::surface::<D>(spheres),
        }
    }

    /// Returns the bounding box of the shape in a pose.
    ///
    /// ```
    /// use carom_geometry::{Pose, Sphere, Vector};
    /// use carom_simulate::shape::{Shape, ShapeRepresentation};
    /// let spheres = [0.0, 3.0].map(|x| Sphere::new([x, 0.0, 0.0], 1.0)).to_vec();
    /// let pair = ShapeRepresentation::Spheres(spheres);
    /// let shape = Shape::centered::<3>("pair".to_owned(), pair, None)?;
    /// let bounds = shape.bounds(&Pose::at([10.0, 0.0, 0.0].into()));
    /// assert!((bounds.size() - Vector::from([5.0, 2.0, 2.0])).norm() < 1e-12);
    /// assert!((bounds.low - Vector::from([7.5, -1.0, -1.0])).norm() < 1e-12);
    /// # Ok::<(), carom_geometry::mesh::HullError>(())
    /// ```
    pub fn bounds(&self, pose: &Pose) -> Aabb<3> {
        match &self.representation {
            ShapeRepresentation::Convex(polyhedron) => polyhedron.bounds(pose),
            ShapeRepresentation::Mesh(mesh) => {
                let corners = mesh.vertices().iter().map(|vertex| pose.transform_point(vertex));
                corners.fold(Aabb::empty(), |bounds, corner| bounds.including(&corner))
            }
            ShapeRepresentation::Spheres(spheres) => {
                spheres.iter().fold(Aabb::empty(), |bounds, sphere| {
                    let (center, reach) =
                        (pose.transform_point(&sphere.center), Vector::repeat(sphere.radius));
                    bounds.including(&(center - reach)).including(&(center + reach))
                })
            }
        }
    }
}

impl ShapeRepresentation {
    /// Returns a convex polygon as a prism along z, as high as the diameter of its bounding circle and centered at
    /// z = 0.
    pub fn prism(corners: &[Vector<2>]) -> Result<Self, HullError> {
        let middle = corners.iter().sum::<Vector<2>>() / corners.len() as f64;
        let farthest = corners.iter().map(|corner| (corner - middle).norm()).fold(0.0, f64::max);
        let raised = |z: f64| corners.iter().map(move |at| Vector::from([at.x, at.y, z]));
        let points: Vec<Vector<3>> = raised(-farthest).chain(raised(farthest)).collect();
        Ok(ShapeRepresentation::Convex(Arc::new(ConvexPolyhedron::hull(&points)?)))
    }

    fn mass_properties<const D: usize>(&self) -> MassProperties {
        match self {
            ShapeRepresentation::Convex(polyhedron) => *polyhedron.mass_properties(),
            ShapeRepresentation::Mesh(mesh) => {
                let mesh = mesh.to_polygons();
                MassProperties::of(&mesh.vertices, &mesh.faces)
            }
            ShapeRepresentation::Spheres(spheres) => MassProperties::of_spheres::<D>(spheres),
        }
    }

    fn translated(&self, way: &Vector<3>) -> Result<Self, HullError> {
        let all = |vertices: &[Vector<3>]| vertices.iter().map(|at| at + way).collect::<Vec<_>>();
        Ok(match self {
            ShapeRepresentation::Convex(polyhedron) => ShapeRepresentation::Convex(Arc::new(
                ConvexPolyhedron::hull(&all(polyhedron.vertices()))?,
            )),
            ShapeRepresentation::Mesh(mesh) => {
                let moved = TriangleMesh::new(all(mesh.vertices()), mesh.triangles().to_vec());
                ShapeRepresentation::Mesh(Arc::new(
                    moved.expect("a mesh of usable size can be moved to its middle"),
                ))
            }
            ShapeRepresentation::Spheres(spheres) => {
                let moved = |sphere: &Sphere<3>| Sphere { center: sphere.center + way, ..*sphere };
                ShapeRepresentation::Spheres(spheres.iter().map(moved).collect())
            }
        })
    }

    /// Returns the largest distance from the origin; in 2D, from the z axis.
    pub fn radius<const D: usize>(&self) -> f64 {
        let distance = |at: &Vector<3>| if D == 2 { math::hypot(at.x, at.y) } else { at.norm() };
        let farthest = |vertices: &[Vector<3>]| vertices.iter().map(distance).fold(0.0, f64::max);
        match self {
            ShapeRepresentation::Convex(polyhedron) => farthest(polyhedron.vertices()),
            ShapeRepresentation::Mesh(mesh) => farthest(mesh.vertices()),
            ShapeRepresentation::Spheres(spheres) => {
                let reach = |sphere: &Sphere<3>| distance(&sphere.center) + sphere.radius;
                spheres.iter().map(reach).fold(0.0, f64::max)
            }
        }
    }

    /// Returns the height of a prism; discs count as of height one.
    fn height(&self) -> f64 {
        match self {
            ShapeRepresentation::Convex(prism) => {
                2.0 * prism.vertices().iter().map(|at| at.z).fold(0.0, f64::max)
            }
            _ => 1.0,
        }
    }
}

/// Returns the top face of a prism, at z = 0.
fn cap(prism: &ConvexPolyhedron) -> PolygonMesh {
    let up = prism.faces().max_by(|a, b| a.normal.z.total_cmp(&b.normal.z));
    let corners = up.map(|face| face.vertices).unwrap_or_default();
    let flat = |&corner: &u32| {
        let place = prism.vertices()[corner as usize];
        Vector::from([place.x, place.y, 0.0])
    };
    let vertices: Vec<Vector<3>> = corners.iter().map(flat).collect();
    PolygonMesh { faces: vec![(0..vertices.len() as u32).collect()], vertices }
}

#[cfg(test)]
mod tests;
