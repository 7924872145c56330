//! Shapes of bodies, prepared for queries: spheres, convex polyhedra and closed triangle meshes.

use super::WorldError;
use super::error::LARGEST_LENGTH;
use crate::inside::{FillRule, Solid, TriangleBvh, check_rule};
use carom_geometry::mesh::{MeshTopology, TriangleMesh};
use carom_geometry::shape::ConvexPolyhedron;
use carom_geometry::union_find::UnionFind;
use carom_geometry::{Aabb, Pose, Vector};
use std::sync::Arc;

/// The shape of a body, prepared once; clones share it, so that many bodies may have one shape.
///
/// ```
/// use carom_detect::inside::FillRule;
/// use carom_detect::world::{BodyShape, World};
/// use carom_geometry::mesh::octahedron_sphere;
/// use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
/// let corner = |k: i32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
/// let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
/// let shapes = [
///     BodyShape::sphere(0.5)?,
///     BodyShape::polyhedron(cube)?,
///     BodyShape::mesh(&octahedron_sphere(2), FillRule::EvenOdd)?,
/// ];
/// let mut world = World::new();
/// for (place, shape) in shapes.iter().enumerate() {
///     world.add(shape.clone(), Pose::at([3.0 * place as f64, 0.0, 0.0].into()))?;
/// }
/// assert_eq!(world.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct BodyShape(pub(super) ShapeKind);

#[derive(Clone, Debug)]
pub(super) enum ShapeKind {
    /// A sphere, by its radius.
    Sphere(f64),
    Polyhedron(Arc<PolyhedronBody>),
    Mesh(Arc<MeshBody>),
}

/// A convex polyhedron, and its faces cut into triangles for distances from meshes.
#[derive(Debug)]
pub(super) struct PolyhedronBody {
    pub(super) polyhedron: ConvexPolyhedron,
    pub(super) surface: TriangleBvh,
}

/// A closed mesh.
#[derive(Debug)]
pub(super) struct MeshBody {
    pub(super) solid: Solid,
    pub(super) surface: TriangleMesh,
    /// A vertex of each connected part of the surface.
    pub(super) part_vertices: Vec<Vector<3>>,
}

impl BodyShape {
    /// Returns the ball around the origin of the body with this radius, which may be zero. Fails if it is negative or
    /// not finite.
    pub fn sphere(radius: f64) -> Result<Self, WorldError> {
        if !(0.0..=LARGEST_LENGTH).contains(&radius) {
            return Err(WorldError::Length { what: "radius", value: radius, is_bounded: true });
        }
        Ok(BodyShape(ShapeKind::Sphere(radius)))
    }

    /// Returns a convex polyhedron as a body. Fails if it is flat.
    pub fn polyhedron(polyhedron: ConvexPolyhedron) -> Result<Self, WorldError> {
        let distance = polyhedron.bounding_radius();
        if distance.is_nan() || distance > LARGEST_LENGTH {
            return Err(WorldError::TooLarge { distance });
        }
        if polyhedron.face_count() < 4 {
            return Err(WorldError::Flat);
        }
        // The corners of a face are in order and its vertices exist, so nothing is left to check.
        let fan = |face: &[u32]| -> Vec<[u32; 3]> {
            face.windows(2).skip(1).map(|edge| [face[0], edge[0], edge[1]]).collect()
        };
        let triangles = polyhedron.faces().flat_map(|face| fan(face.vertices)).collect();
        let surface = TriangleMesh::new(polyhedron.vertices().to_vec(), triangles)
            .expect("a polyhedron has faces, and its vertices are within the bounding radius");
        let surface = TriangleBvh::new(&surface);
        Ok(BodyShape(ShapeKind::Polyhedron(Arc::new(PolyhedronBody { polyhedron, surface }))))
    }

    /// Returns what is inside a surface by a rule as a body. Fails if the rule gives the surface no inside, as that of
    /// an open one, or if not all winding numbers are integers.
    pub fn mesh(surface: &TriangleMesh, rule: FillRule) -> Result<Self, WorldError> {
        let topology = MeshTopology::of(&surface.to_polygons());
        // Bodies need exact insides, which open surfaces do not have by any rule.
        let needed = if rule == FillRule::Winding { FillRule::Nonzero } else { rule };
        check_rule(&topology, needed)?;
        let corners = surface.triangles().iter().flatten();
        let far = corners.map(|&k| surface.vertices()[k as usize].norm()).fold(0.0, f64::max);
        if far > LARGEST_LENGTH {
            return Err(WorldError::TooLarge { distance: far });
        }
        Ok(BodyShape(ShapeKind::Mesh(Arc::new(MeshBody {
            solid: Solid::new(surface.clone(), rule, surface.triangles().len()),
            surface: surface.clone(),
            part_vertices: vertex_of_each_part(surface),
        }))))
    }

    /// Returns the radius of a sphere; none of another shape.
    ///
    /// ```
    /// use carom_detect::world::BodyShape;
    /// assert_eq!(BodyShape::sphere(0.5)?.radius(), Some(0.5));
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn radius(&self) -> Option<f64> {
        match self.0 {
            ShapeKind::Sphere(radius) => Some(radius),
            ShapeKind::Polyhedron(_) | ShapeKind::Mesh(_) => None,
        }
    }

    /// Returns a number that a polyhedron or a mesh has in common with its clones, which share what was prepared, and
    /// with no other shape while it lives; none of a sphere, which shares nothing.
    ///
    /// ```
    /// use carom_detect::{inside::FillRule, world::BodyShape};
    /// use carom_geometry::mesh::octahedron_sphere;
    /// let ball = octahedron_sphere(2);
    /// let [one, other] = [0, 1].map(|_| BodyShape::mesh(&ball, FillRule::EvenOdd));
    /// let (one, other) = (one?, other?);
    /// assert_eq!(one.shared_identity(), one.clone().shared_identity());
    /// assert_ne!(one.shared_identity(), other.shared_identity());
    /// assert_eq!(BodyShape::sphere(0.5)?.shared_identity(), None);
    /// # Ok::<(), carom_detect::world::WorldError>(())
    /// ```
    pub fn shared_identity(&self) -> Option<usize> {
        match &self.0 {
            ShapeKind::Sphere(_) => None,
            ShapeKind::Polyhedron(body) => Some(Arc::as_ptr(body).addr()),
            ShapeKind::Mesh(body) => Some(Arc::as_ptr(body).addr()),
        }
    }

    /// Returns a box around the body in a pose.
    pub(super) fn bounds(&self, pose: &Pose) -> Aabb<3> {
        match &self.0 {
            ShapeKind::Sphere(radius) => Aabb {
                low: pose.position.add_scalar(-radius),
                high: pose.position.add_scalar(*radius),
            },
            ShapeKind::Polyhedron(body) => body.polyhedron.bounds(pose),
            ShapeKind::Mesh(body) => {
                let corners = body.surface.triangles().iter().flatten();
                corners.fold(Aabb::empty(), |bounds, &corner| {
                    let vertex = &body.surface.vertices()[corner as usize];
                    bounds.including(&pose.transform_point(vertex))
                })
            }
        }
    }

    /// Returns the surface of triangles; none for a sphere.
    pub(super) fn triangles(&self) -> Option<&TriangleBvh> {
        match &self.0 {
            ShapeKind::Sphere(_) => None,
            ShapeKind::Polyhedron(body) => Some(&body.surface),
            ShapeKind::Mesh(body) => Some(body.solid.bvh()),
        }
    }
}

fn vertex_of_each_part(surface: &TriangleMesh) -> Vec<Vector<3>> {
    // Many files give every triangle vertices of its own.
    let welded = surface.to_polygons().with_welded_vertices();
    let mut parts = UnionFind::new(welded.vertices.len());
    for face in &welded.faces {
        face.windows(2).for_each(|edge| {
            parts.unite([edge[0] as usize, edge[1] as usize]);
        });
    }
    let used = welded.faces.iter().flatten().map(|&vertex| vertex as usize);
    let parts = parts.components_by_size(used);
    parts.representatives.into_iter().map(|vertex| welded.vertices[vertex]).collect()
}
