//! How materials, walls, shapes and boxes are written and read by serde.
//!
//! What is read is checked as on entry to an engine. Vectors are arrays of numbers, and what depends on the surface of a
//! shape is checked against it. The forms of scenes are others: theirs are in the crate of scenes.

#[cfg(test)]
mod tests;

use crate::shape::{Shape, ShapeRepresentation};
use crate::{BoundaryCondition, Error, Material, MeshSurface, Region, Restitution, Wall};
use carom_geometry::mesh::{PolygonMesh, TriangleMesh};
use carom_geometry::shape::ConvexPolyhedron;
use carom_geometry::{Sphere, Vector};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// Implements both traits by the forms that are derived, with a check of what is read.
macro_rules! checked {
    ($kind:ty, [$($dimension:tt)*]) => {
        impl<$($dimension)*> Serialize for $kind {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$kind>::serialize(self, serializer)
            }
        }

        impl<'de, $($dimension)*> Deserialize<'de> for $kind {
            fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
                let read = <$kind>::deserialize(deserializer)?;
                check(read.check_read())?;
                Ok(read)
            }
        }
    };
}

fn check<E: serde::de::Error>(checked: Result<(), Error>) -> Result<(), E> {
    checked.map_err(E::custom)
}

checked!(Restitution, []);
checked!(Material, []);
checked!(Wall, []);
checked!(Shape, []);
checked!(Region<D>, [const D: usize]);

impl Restitution {
    fn check_read(&self) -> Result<(), Error> {
        self.check()
    }
}

impl Material {
    /// Refuses numbers that no engine can use.
    fn check_read(&self) -> Result<(), Error> {
        let springs = &self.springs;
        let failure = springs.failure_criterion.map(|criterion| criterion.value());
        let positive = [
            ("density", self.density),
            ("stiffness", self.stiffness),
            ("Young's modulus", self.youngs_modulus),
            ("stiffness of springs", springs.stiffness),
            ("compression ratio of springs", Some(springs.compression_ratio)),
            ("yield stretch of springs", springs.yield_stretch),
            ("failure criterion of springs", failure),
        ];
        let not_negative = [
            ("damping", self.damping),
            ("tangential stiffness", Some(self.tangential_stiffness)),
            ("friction", Some(self.friction)),
            ("rolling friction", Some(self.rolling_friction)),
            ("adhesion", Some(self.adhesion)),
            ("damping of springs", Some(springs.damping)),
        ];
        let refused =
            |what, value: f64, rule| Err(Error::Setting { what, value: value.to_string(), rule });
        for (what, value) in positive {
            if let Some(value) = value.filter(|value| !(*value > 0.0 && value.is_finite())) {
                return refused(what, value, "it must be finite and greater than zero");
            }
        }
        for (what, value) in not_negative {
            if let Some(value) = value.filter(|value| !(*value >= 0.0 && value.is_finite())) {
                return refused(what, value, "it must be finite and not negative");
            }
        }
        match self.poissons_ratio.filter(|ratio| !(*ratio > -1.0 && *ratio <= 0.5)) {
            Some(ratio) => refused("Poisson's ratio", ratio, "it must be above -1 and at most 0.5"),
            None => self.restitution.check(),
        }
    }
}

impl Wall {
    fn check_read(&self) -> Result<(), Error> {
        self.check(0)
    }
}

impl Shape {
    /// Refuses a shape whose volume, inertia and radius are not those of its surface, in space or in the plane.
    fn check_read(&self) -> Result<(), Error> {
        let of_surface = |made: Result<Shape, _>| {
            let made: Shape = made.map_err(|error: carom_geometry::mesh::HullError| {
                Error::Shape(error.to_string())
            })?;
            let is_near = |one: f64, two: f64| (one - two).abs() <= NEAR * (one.abs() + two.abs());
            let inertia = (made.inertia - self.inertia).norm() <= NEAR * made.inertia.norm();
            Ok::<bool, Error>(
                is_near(made.volume, self.volume) && is_near(made.radius, self.radius) && inertia,
            )
        };
        let (name, form) = (|| self.name.clone(), || self.representation.clone());
        let rounding = self.rounding;
        if rounding.is_some_and(|rounding| !(rounding > 0.0 && rounding.is_finite())) {
            return Err(Error::Shape(format!(
                "its rounding radius is {rounding:?}; it must be finite and greater than zero"
            )));
        }
        let in_space = of_surface(Shape::centered::<3>(name(), form(), rounding))?;
        if in_space || of_surface(Shape::centered::<2>(name(), form(), rounding))? {
            return Ok(());
        }
        Err(Error::Shape("its volume, inertia and radius are not those of its surface".to_owned()))
    }
}

/// Relative difference up to which numbers that were computed again are the same.
const NEAR: f64 = 1e-9;

impl<const D: usize> Region<D> {
    /// Refuses edges that are not positive, and coefficients of restitution of walls that are not from 0 to 1.
    fn check_read(&self) -> Result<(), Error> {
        for (&length, condition) in self.size.iter().zip(&self.boundary_conditions) {
            if !(length > 0.0 && length.is_finite()) {
                let (what, value) = ("an edge length of the box", length.to_string());
                let rule = "it must be finite and greater than zero";
                return Err(Error::Setting { what, value, rule });
            }
            if let BoundaryCondition::Wall { restitution: Some(value) } = *condition {
                Restitution::Constant(value).check()?;
            }
        }
        Ok(())
    }
}

/// A list of this length as an array; errors if it has another.
fn array<T, const N: usize, E: serde::de::Error>(list: Vec<T>) -> Result<[T; N], E> {
    let length = list.len();
    list.try_into()
        .map_err(|_| E::custom(format!("{N} values are expected and {length} are there")))
}

/// Vectors as arrays of numbers.
pub(crate) mod vector {
    use super::*;

    pub(crate) fn serialize<const D: usize, S: Serializer>(
        vector: &Vector<D>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        vector.as_slice().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, const D: usize, R: Deserializer<'de>>(
        deserializer: R,
    ) -> Result<Vector<D>, R::Error> {
        array(Vec::deserialize(deserializer)?).map(|numbers: [f64; D]| Vector::from(numbers))
    }
}

/// One value for each axis as a list.
pub(crate) mod of_axes {
    use super::*;

    pub(crate) fn serialize<T: Serialize, const D: usize, S: Serializer>(
        values: &[T; D],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        values.as_slice().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, T: Deserialize<'de>, const D: usize, R: Deserializer<'de>>(
        deserializer: R,
    ) -> Result<[T; D], R::Error> {
        array(Vec::deserialize(deserializer)?)
    }
}

/// Matrices as lists of their rows.
pub(crate) mod matrix {
    use super::*;
    use nalgebra::Matrix3;

    pub(crate) fn serialize<S: Serializer>(
        matrix: &Matrix3<f64>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let row = |row: usize| std::array::from_fn::<f64, 3, _>(|column| matrix[(row, column)]);
        [row(0), row(1), row(2)].serialize(serializer)
    }

    pub(crate) fn deserialize<'de, R: Deserializer<'de>>(
        deserializer: R,
    ) -> Result<Matrix3<f64>, R::Error> {
        let rows = <[[f64; 3]; 3]>::deserialize(deserializer)?;
        let matrix = Matrix3::from_fn(|row, column| rows[row][column]);
        match matrix.iter().all(|number: &f64| number.is_finite()) {
            true => Ok(matrix),
            false => Err(R::Error::custom("a matrix has a number that is not finite")),
        }
    }
}

/// Poses as position and rotation matrix.
pub(crate) mod pose {
    use super::*;
    use carom_geometry::Pose;
    use nalgebra::Matrix3;

    #[derive(Serialize, Deserialize)]
    struct WrittenPose {
        #[serde(with = "vector")]
        position: Vector<3>,
        #[serde(with = "matrix")]
        rotation: Matrix3<f64>,
    }

    pub(crate) fn serialize<S: Serializer>(pose: &Pose, serializer: S) -> Result<S::Ok, S::Error> {
        let Pose { position, rotation } = *pose;
        WrittenPose { position, rotation }.serialize(serializer)
    }

    pub(crate) fn deserialize<'de, R: Deserializer<'de>>(
        deserializer: R,
    ) -> Result<Pose, R::Error> {
        let WrittenPose { position, rotation } = WrittenPose::deserialize(deserializer)?;
        let unit = rotation * rotation.transpose() - Matrix3::identity();
        if unit.norm() > NEAR || rotation.determinant() < 0.0 {
            return Err(R::Error::custom("a rotation matrix is not that of a rotation"));
        }
        Ok(Pose { position, rotation })
    }
}

#[derive(Serialize, Deserialize)]
struct WrittenMesh {
    vertices: Vec<[f64; 3]>,
    triangles: Vec<[u32; 3]>,
}

impl WrittenMesh {
    fn of(mesh: &TriangleMesh) -> Self {
        let vertices = mesh.vertices().iter().map(|&vertex| vertex.into()).collect();
        WrittenMesh { vertices, triangles: mesh.triangles().to_vec() }
    }

    fn read<E: serde::de::Error>(self) -> Result<TriangleMesh, E> {
        let vertices = self.vertices.into_iter().map(Vector::from).collect();
        TriangleMesh::new(vertices, self.triangles).map_err(E::custom)
    }
}

/// Surfaces of walls as vertices and triangles.
pub(crate) mod mesh_surface {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        surface: &Arc<MeshSurface>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        WrittenMesh::of(surface.mesh()).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, R: Deserializer<'de>>(
        deserializer: R,
    ) -> Result<Arc<MeshSurface>, R::Error> {
        Ok(Arc::new(MeshSurface::new(WrittenMesh::deserialize(deserializer)?.read()?)))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WrittenSurface {
    Convex { vertices: Vec<[f64; 3]>, faces: Vec<Vec<u32>> },
    Mesh(WrittenMesh),
    Spheres(Vec<WrittenSphere>),
}

#[derive(Serialize, Deserialize)]
struct WrittenSphere {
    center: [f64; 3],
    radius: f64,
}

impl Serialize for ShapeRepresentation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            ShapeRepresentation::Convex(polyhedron) => {
                let PolygonMesh { vertices, faces } = polyhedron.mesh();
                let vertices = vertices.into_iter().map(Into::into).collect();
                WrittenSurface::Convex { vertices, faces }
            }
            ShapeRepresentation::Mesh(mesh) => WrittenSurface::Mesh(WrittenMesh::of(mesh)),
            ShapeRepresentation::Spheres(spheres) => {
                let sphere = |one: &Sphere<3>| WrittenSphere {
                    center: one.center.into(),
                    radius: one.radius,
                };
                WrittenSurface::Spheres(spheres.iter().map(sphere).collect())
            }
        };
        written.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for ShapeRepresentation {
    fn deserialize<R: Deserializer<'de>>(deserializer: R) -> Result<Self, R::Error> {
        Ok(match WrittenSurface::deserialize(deserializer)? {
            WrittenSurface::Convex { vertices, faces } => {
                let vertices = vertices.into_iter().map(Vector::from).collect();
                let polyhedron = ConvexPolyhedron::from_mesh(&PolygonMesh { vertices, faces });
                ShapeRepresentation::Convex(Arc::new(polyhedron.map_err(R::Error::custom)?))
            }
            WrittenSurface::Mesh(mesh) => ShapeRepresentation::Mesh(Arc::new(mesh.read()?)),
            WrittenSurface::Spheres(spheres) => {
                let is_usable = |one: &WrittenSphere| {
                    one.radius > 0.0
                        && [one.radius].iter().chain(&one.center).all(|it| it.is_finite())
                };
                if spheres.is_empty() || !spheres.iter().all(is_usable) {
                    let rule =
                        "a clump needs spheres with finite centers and radii greater than zero";
                    return Err(R::Error::custom(rule));
                }
                let spheres = spheres.into_iter().map(|one| Sphere::new(one.center, one.radius));
                ShapeRepresentation::Spheres(spheres.collect())
            }
        })
    }
}
