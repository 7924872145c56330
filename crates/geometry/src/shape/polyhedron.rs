//! Convex polyhedra: vertices, faces, half edges and the support function.

use super::mass_properties::MassProperties;
use super::support_cube_map::SupportCubeMap;
use super::vertex_neighborhoods::VertexNeighborhoods;
use crate::mesh::{HullError, PolygonMesh, convex_hull, polygon_normal};
use crate::{Aabb, Pose, Vector};
use nalgebra::Matrix3;
use std::ops::Range;

/// A convex polyhedron, no two faces of which are coplanar.
///
/// The support function is looked up in a cube map of all directions, at a cost that hardly depends on the
/// number of vertices.
#[derive(Clone, Debug)]
pub struct ConvexPolyhedron {
    pub(super) vertices: Vec<Vector<3>>,
    planes: Vec<PolyhedronFacePlane>,
    /// Start of each face in `face_vertices`, and the end of the last.
    face_starts: Vec<u32>,
    /// The vertices of all faces. The index of an entry is also the half edge from its vertex to the next.
    face_vertices: Vec<u32>,
    /// Opposite half edge of each half edge.
    twins: Vec<u32>,
    /// Face to the left of each half edge.
    left_faces: Vec<u32>,
    /// One outgoing half edge of each vertex.
    outgoing: Vec<u32>,
    /// Start of each vertex in `vertex_faces`, and the end of the last.
    vertex_face_starts: Vec<u32>,
    /// The faces at each vertex.
    vertex_faces: Vec<u32>,
    support_cube_map: SupportCubeMap,
    neighborhoods: VertexNeighborhoods,
    pub(super) mass_properties: MassProperties,
    bounding_radius: f64,
}

#[derive(Clone, Copy, Debug)]
struct PolyhedronFacePlane {
    normal: Vector<3>,
    offset: f64,
}

/// A face: `normal . x <= offset` for all points `x` of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PolyhedronFace<'a> {
    /// Outward unit normal of the face's plane.
    pub normal: Vector<3>,
    /// Signed distance of its plane from the origin, along the normal.
    pub offset: f64,
    /// Vertices of the face, counterclockwise seen from outside.
    pub vertices: &'a [u32],
}

impl ConvexPolyhedron {
    /// Returns the convex hull of points; fails as [`convex_hull`] does.
    ///
    /// ```
    /// use carom_geometry::{Vector, shape::ConvexPolyhedron};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
    /// let tetrahedron = ConvexPolyhedron::hull(&corners)?;
    /// assert_eq!(tetrahedron.face_count(), 4);
    /// # Ok::<(), carom_geometry::mesh::HullError>(())
    /// ```
    pub fn hull(points: &[Vector<3>]) -> Result<Self, HullError> {
        convex_hull(points).map(Self::from_hull_mesh)
    }

    /// Returns a convex polygon, its corners given in order, as a body of two faces without volume; `None` if
    /// the corners are collinear. Distances from it are defined; its mass is zero.
    ///
    /// ```
    /// use carom_geometry::{Vector, shape::ConvexPolyhedron};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Vector::from);
    /// let triangle = ConvexPolyhedron::from_planar_polygon(&corners).unwrap();
    /// assert_eq!((triangle.face_count(), triangle.edge_count()), (2, 3));
    /// ```
    pub fn from_planar_polygon(corners: &[Vector<3>]) -> Option<Self> {
        let front: Vec<u32> = (0..corners.len() as u32).collect();
        polygon_normal(corners, &front).try_normalize(0.0)?;
        let back = front.iter().rev().copied().collect();
        let mesh = PolygonMesh { vertices: corners.to_vec(), faces: vec![front, back] };
        let mut body = Self::from_hull_mesh(mesh);
        let center = corners.iter().sum::<Vector<3>>() / corners.len() as f64;
        body.mass_properties =
            MassProperties { volume: 0.0, center_of_mass: center, inertia: Matrix3::zeros() };
        Some(body)
    }

    /// Makes a polyhedron of a mesh that is known to be closed and convex, with flat faces in different
    /// planes.
    pub(crate) fn from_hull_mesh(mesh: PolygonMesh) -> Self {
        let PolygonMesh { vertices, faces } = mesh;
        let (mut first, mut around, mut left) = (vec![0], Vec::new(), Vec::new());
        for (number, face) in faces.iter().enumerate() {
            around.extend_from_slice(face);
            left.extend(face.iter().map(|_| number as u32));
            first.push(around.len() as u32);
        }
        let planes =
            faces.iter().map(|face| PolyhedronFacePlane::through(&vertices, face)).collect();
        let mut leaving = vec![0; vertices.len()];
        for (edge, &vertex) in around.iter().enumerate() {
            leaving[vertex as usize] = edge as u32;
        }
        let mass = MassProperties::of(&vertices, &faces);
        let radius = vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max);
        let mut polyhedron = ConvexPolyhedron {
            support_cube_map: SupportCubeMap::default(),
            neighborhoods: VertexNeighborhoods::default(),
            twins: vec![0; around.len()],
            vertices,
            planes,
            face_starts: first,
            face_vertices: around,
            left_faces: left,
            outgoing: leaving,
            vertex_face_starts: Vec::new(),
            vertex_faces: Vec::new(),
            mass_properties: mass,
            bounding_radius: radius,
        };
        polyhedron.link_twins();
        polyhedron.list_vertex_faces();
        polyhedron.support_cube_map = SupportCubeMap::of(&polyhedron);
        polyhedron.neighborhoods = VertexNeighborhoods::of(&polyhedron);
        polyhedron
    }

    fn link_twins(&mut self) {
        let mut ends: Vec<(u32, u32, u32)> = Vec::with_capacity(self.face_vertices.len());
        for edge in 0..self.face_vertices.len() as u32 {
            let (from, to) = (self.origin(edge), self.origin(self.next(edge)));
            ends.push((from.min(to), from.max(to), edge));
        }
        ends.sort_unstable();
        for pair in ends.chunks_exact(2) {
            let (one, other) = (pair[0].2, pair[1].2);
            self.twins[one as usize] = other;
            self.twins[other as usize] = one;
        }
    }

    /// Stores the faces at each vertex contiguously: walking from half edge to half edge would wait for
    /// memory at every step.
    fn list_vertex_faces(&mut self) {
        let (mut first_at, mut faces_at) = (vec![0], Vec::with_capacity(self.left_faces.len()));
        for vertex in 0..self.vertices.len() as u32 {
            faces_at.extend(self.outgoing(vertex).map(|edge| self.left_face(edge)));
            first_at.push(faces_at.len() as u32);
        }
        (self.vertex_face_starts, self.vertex_faces) = (first_at, faces_at);
    }

    /// Returns the vertices.
    #[inline]
    pub fn vertices(&self) -> &[Vector<3>] {
        &self.vertices
    }

    /// Returns the number of faces.
    pub fn face_count(&self) -> usize {
        self.planes.len()
    }

    /// Returns the number of edges.
    pub fn edge_count(&self) -> usize {
        self.face_vertices.len() / 2
    }

    /// Returns a face by its index.
    #[inline]
    pub fn face(&self, face: u32) -> PolyhedronFace<'_> {
        let PolyhedronFacePlane { normal, offset } = self.planes[face as usize];
        let (start, end) = (self.face_starts[face as usize], self.face_starts[face as usize + 1]);
        PolyhedronFace {
            normal,
            offset,
            vertices: &self.face_vertices[start as usize..end as usize],
        }
    }

    /// Returns the outward unit normal of a face.
    #[inline]
    pub fn normal(&self, face: u32) -> &Vector<3> {
        &self.planes[face as usize].normal
    }

    /// Returns the faces at a vertex, clockwise seen from outside.
    #[inline]
    pub fn faces_at(&self, vertex: u32) -> &[u32] {
        let range =
            self.vertex_face_starts[vertex as usize]..self.vertex_face_starts[vertex as usize + 1];
        &self.vertex_faces[range.start as usize..range.end as usize]
    }

    /// Iterates over all faces in order.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = PolyhedronFace<'_>> {
        (0..self.face_count() as u32).map(|face| self.face(face))
    }

    /// Returns the surface as a mesh.
    pub fn mesh(&self) -> PolygonMesh {
        PolygonMesh {
            vertices: self.vertices.clone(),
            faces: self.faces().map(|face| face.vertices.to_vec()).collect(),
        }
    }

    /// Returns volume, center of mass and inertia tensor.
    pub fn mass_properties(&self) -> &MassProperties {
        &self.mass_properties
    }

    /// Returns the largest distance of a vertex from the origin.
    pub fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    /// Returns the longest edge of the body's bounding box.
    pub(super) fn extent(&self) -> f64 {
        self.vertices.iter().fold(Aabb::empty(), Aabb::including).size().max()
    }

    /// Returns the half edges of a face, from each of its vertices to the next.
    #[inline]
    pub fn half_edges(&self, face: u32) -> Range<u32> {
        self.face_starts[face as usize]..self.face_starts[face as usize + 1]
    }

    /// Returns the vertex a half edge starts at.
    #[inline]
    pub fn origin(&self, half_edge: u32) -> u32 {
        self.face_vertices[half_edge as usize]
    }

    /// Returns the next half edge around the same face.
    #[inline]
    pub fn next(&self, half_edge: u32) -> u32 {
        let face = self.left_faces[half_edge as usize] as usize;
        let next = half_edge + 1;
        if next == self.face_starts[face + 1] { self.face_starts[face] } else { next }
    }

    /// Returns the opposite half edge.
    #[inline]
    pub fn twin(&self, half_edge: u32) -> u32 {
        self.twins[half_edge as usize]
    }

    /// Returns the face to the left of a half edge.
    #[inline]
    pub fn left_face(&self, half_edge: u32) -> u32 {
        self.left_faces[half_edge as usize]
    }

    /// Iterates over the half edges that leave a vertex, clockwise seen from outside.
    pub fn outgoing(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.outgoing[vertex as usize];
        let turn = move |&edge: &u32| {
            let next = self.next(self.twin(edge));
            (next != first).then_some(next)
        };
        std::iter::successors(Some(first), turn)
    }

    /// Iterates over the vertices that share an edge with one.
    pub fn neighbors(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        self.outgoing(vertex).map(|edge| self.origin(self.twin(edge)))
    }

    /// Support function: returns the vertex farthest in a direction. Of vertices that are equally far to
    /// within rounding any may be returned.
    #[inline(always)]
    pub fn support(&self, direction: &Vector<3>) -> u32 {
        self.support_cube_map.support(direction)
    }

    /// Returns the farthest in a direction among a vertex and its neighbors; of equally far ones the vertex
    /// itself, if it is among them. A vertex for which itself is returned is the support vertex of the body.
    #[inline(always)]
    pub fn local_support(&self, vertex: u32, direction: &Vector<3>) -> u32 {
        self.neighborhoods.local_support(vertex, direction)
    }

    /// Returns the bounding box of the body in a pose.
    pub fn bounds(&self, pose: &Pose) -> Aabb<3> {
        let mut bounds = Aabb { low: pose.position, high: pose.position };
        for axis in 0..3 {
            let up = pose.rotation.row(axis).transpose();
            bounds.low[axis] += up.dot(&self.vertices[self.support(&-up) as usize]);
            bounds.high[axis] += up.dot(&self.vertices[self.support(&up) as usize]);
        }
        bounds
    }
}

impl PolyhedronFacePlane {
    fn through(vertices: &[Vector<3>], face: &[u32]) -> Self {
        let normal = polygon_normal(vertices, face).normalize();
        let highest = face.iter().map(|&vertex| normal.dot(&vertices[vertex as usize]));
        PolyhedronFacePlane { normal, offset: highest.fold(f64::NEG_INFINITY, f64::max) }
    }
}
