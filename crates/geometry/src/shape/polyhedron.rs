//! Convex polyhedra: vertices, faces, and how they hang together.

use super::direction_map::DirectionMap;
use super::mass::MassProperties;
use super::neighbourhoods::Neighbourhoods;
use crate::mesh::{HullError, PolygonMesh, convex_hull, polygon_normal};
use crate::{Aabb, Pose, Vector};
use nalgebra::Matrix3;
use std::ops::Range;

/// A convex body with flat faces, no two of which lie in one plane.
///
/// How far it reaches in a direction is looked up in a map of all directions, at a cost that hardly depends
/// on how many vertices there are.
#[derive(Clone, Debug)]
pub struct ConvexPolyhedron {
    pub(super) vertices: Vec<Vector<3>>,
    planes: Vec<Plane>,
    /// Where the vertices of each face begin in `around`, and where those of the last end.
    first: Vec<u32>,
    /// The vertices of all faces. Each also stands for the half edge that goes from it to the next.
    around: Vec<u32>,
    /// Of each half edge the one that goes back.
    twin: Vec<u32>,
    /// Of each half edge the face to its left.
    left: Vec<u32>,
    /// Of each vertex one half edge that leaves it.
    leaving: Vec<u32>,
    /// Where the faces at each vertex begin in `faces_at`, and where those at the last end.
    first_at: Vec<u32>,
    /// The faces at all vertices.
    faces_at: Vec<u32>,
    map: DirectionMap,
    neighbourhoods: Neighbourhoods,
    pub(super) mass: MassProperties,
    radius: f64,
}

#[derive(Clone, Copy, Debug)]
struct Plane {
    normal: Vector<3>,
    offset: f64,
}

/// A face: `normal . x <= offset` for all points of the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Face<'a> {
    /// Points outwards, of length one.
    pub normal: Vector<3>,
    /// How far from the origin its plane is, along the normal.
    pub offset: f64,
    /// Its vertices, to the left when seen from outside.
    pub vertices: &'a [u32],
}

impl ConvexPolyhedron {
    /// The convex hull of points, see [`convex_hull`].
    ///
    /// ```
    /// use carom_geometry::{Vector, shape::ConvexPolyhedron};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
    /// let tetrahedron = ConvexPolyhedron::hull(&corners)?;
    /// assert_eq!(tetrahedron.face_count(), 4);
    /// # Ok::<(), carom_geometry::mesh::HullError>(())
    /// ```
    pub fn hull(points: &[Vector<3>]) -> Result<Self, HullError> {
        convex_hull(points).map(Self::of_hull)
    }

    /// A convex polygon as a body without volume, which has two faces; none if its corners, in order, lie
    /// on a line. Distances from it can be asked for; its mass is zero.
    ///
    /// ```
    /// use carom_geometry::{Vector, shape::ConvexPolyhedron};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(Vector::from);
    /// let triangle = ConvexPolyhedron::flat(&corners).unwrap();
    /// assert_eq!((triangle.face_count(), triangle.edge_count()), (2, 3));
    /// ```
    pub fn flat(corners: &[Vector<3>]) -> Option<Self> {
        let front: Vec<u32> = (0..corners.len() as u32).collect();
        polygon_normal(corners, &front).try_normalize(0.0)?;
        let back = front.iter().rev().copied().collect();
        let mesh = PolygonMesh { vertices: corners.to_vec(), faces: vec![front, back] };
        let mut body = Self::of_hull(mesh);
        let centre = corners.iter().sum::<Vector<3>>() / corners.len() as f64;
        body.mass = MassProperties { volume: 0.0, centre, inertia: Matrix3::zeros() };
        Some(body)
    }

    /// Of a mesh that is known to be closed, convex and to have flat faces with one plane each.
    pub(crate) fn of_hull(mesh: PolygonMesh) -> Self {
        let PolygonMesh { vertices, faces } = mesh;
        let (mut first, mut around, mut left) = (vec![0], Vec::new(), Vec::new());
        for (number, face) in faces.iter().enumerate() {
            around.extend_from_slice(face);
            left.extend(face.iter().map(|_| number as u32));
            first.push(around.len() as u32);
        }
        let planes = faces.iter().map(|face| Plane::through(&vertices, face)).collect();
        let mut leaving = vec![0; vertices.len()];
        for (edge, &vertex) in around.iter().enumerate() {
            leaving[vertex as usize] = edge as u32;
        }
        let mass = MassProperties::of(&vertices, &faces);
        let radius = vertices.iter().map(|vertex| vertex.norm()).fold(0.0, f64::max);
        let mut polyhedron = ConvexPolyhedron {
            map: DirectionMap::default(),
            neighbourhoods: Neighbourhoods::default(),
            twin: vec![0; around.len()],
            vertices,
            planes,
            first,
            around,
            left,
            leaving,
            first_at: Vec::new(),
            faces_at: Vec::new(),
            mass,
            radius,
        };
        polyhedron.join_half_edges();
        polyhedron.list_faces();
        polyhedron.map = DirectionMap::of(&polyhedron);
        polyhedron.neighbourhoods = Neighbourhoods::of(&polyhedron);
        polyhedron
    }

    fn join_half_edges(&mut self) {
        let mut ends: Vec<(u32, u32, u32)> = Vec::with_capacity(self.around.len());
        for edge in 0..self.around.len() as u32 {
            let (from, to) = (self.origin(edge), self.origin(self.next(edge)));
            ends.push((from.min(to), from.max(to), edge));
        }
        ends.sort_unstable();
        for pair in ends.chunks_exact(2) {
            let (one, other) = (pair[0].2, pair[1].2);
            self.twin[one as usize] = other;
            self.twin[other as usize] = one;
        }
    }

    /// To go from half edge to half edge around a vertex is to wait for memory at every turn.
    fn list_faces(&mut self) {
        let (mut first_at, mut faces_at) = (vec![0], Vec::with_capacity(self.left.len()));
        for vertex in 0..self.vertices.len() as u32 {
            faces_at.extend(self.leaving(vertex).map(|edge| self.left(edge)));
            first_at.push(faces_at.len() as u32);
        }
        (self.first_at, self.faces_at) = (first_at, faces_at);
    }

    /// The corners.
    #[inline]
    pub fn vertices(&self) -> &[Vector<3>] {
        &self.vertices
    }

    /// How many faces there are.
    pub fn face_count(&self) -> usize {
        self.planes.len()
    }

    /// How many edges there are.
    pub fn edge_count(&self) -> usize {
        self.around.len() / 2
    }

    /// A face by its number.
    #[inline]
    pub fn face(&self, face: u32) -> Face<'_> {
        let Plane { normal, offset } = self.planes[face as usize];
        let (start, end) = (self.first[face as usize], self.first[face as usize + 1]);
        Face { normal, offset, vertices: &self.around[start as usize..end as usize] }
    }

    /// The normal of a face by its number: it points outwards and is of length one.
    #[inline]
    pub fn normal(&self, face: u32) -> &Vector<3> {
        &self.planes[face as usize].normal
    }

    /// The faces that have a vertex, to the right when seen from outside.
    #[inline]
    pub fn faces_at(&self, vertex: u32) -> &[u32] {
        let range = self.first_at[vertex as usize]..self.first_at[vertex as usize + 1];
        &self.faces_at[range.start as usize..range.end as usize]
    }

    /// All faces in order.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Face<'_>> {
        (0..self.face_count() as u32).map(|face| self.face(face))
    }

    /// The surface.
    pub fn mesh(&self) -> PolygonMesh {
        PolygonMesh {
            vertices: self.vertices.clone(),
            faces: self.faces().map(|face| face.vertices.to_vec()).collect(),
        }
    }

    /// Volume, centre of mass and inertia.
    pub fn mass(&self) -> &MassProperties {
        &self.mass
    }

    /// The largest distance of a vertex from the origin.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The largest edge of the box around the body.
    pub(super) fn extent(&self) -> f64 {
        self.vertices.iter().fold(Aabb::empty(), Aabb::including).size().max()
    }

    /// The half edges of a face, from each of its vertices to the next.
    #[inline]
    pub fn half_edges(&self, face: u32) -> Range<u32> {
        self.first[face as usize]..self.first[face as usize + 1]
    }

    /// The vertex a half edge starts at.
    #[inline]
    pub fn origin(&self, half_edge: u32) -> u32 {
        self.around[half_edge as usize]
    }

    /// The next half edge around the same face.
    #[inline]
    pub fn next(&self, half_edge: u32) -> u32 {
        let face = self.left[half_edge as usize] as usize;
        let next = half_edge + 1;
        if next == self.first[face + 1] { self.first[face] } else { next }
    }

    /// The half edge that goes back.
    #[inline]
    pub fn twin(&self, half_edge: u32) -> u32 {
        self.twin[half_edge as usize]
    }

    /// The face to the left of a half edge.
    #[inline]
    pub fn left(&self, half_edge: u32) -> u32 {
        self.left[half_edge as usize]
    }

    /// The half edges that leave a vertex, to the right when seen from outside.
    pub fn leaving(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        let first = self.leaving[vertex as usize];
        let turn = move |&edge: &u32| {
            let next = self.next(self.twin(edge));
            (next != first).then_some(next)
        };
        std::iter::successors(Some(first), turn)
    }

    /// The vertices that share an edge with one.
    pub fn neighbours(&self, vertex: u32) -> impl Iterator<Item = u32> + '_ {
        self.leaving(vertex).map(|edge| self.origin(self.twin(edge)))
    }

    /// The vertex farthest in a direction. Of vertices that are equally far to within rounding any may be
    /// told.
    #[inline(always)]
    pub fn support(&self, direction: &Vector<3>) -> u32 {
        self.map.farthest(direction)
    }

    /// The farthest in a direction of a vertex and those that share an edge with it; of equally far ones the
    /// vertex itself, if it is among them. A vertex that is told itself is the farthest of all.
    #[inline(always)]
    pub fn farthest_around(&self, vertex: u32, direction: &Vector<3>) -> u32 {
        self.neighbourhoods.farthest(vertex, direction)
    }

    /// The box around the body in a pose.
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

impl Plane {
    fn through(vertices: &[Vector<3>], face: &[u32]) -> Self {
        let normal = polygon_normal(vertices, face).normalize();
        let highest = face.iter().map(|&vertex| normal.dot(&vertices[vertex as usize]));
        Plane { normal, offset: highest.fold(f64::NEG_INFINITY, f64::max) }
    }
}
