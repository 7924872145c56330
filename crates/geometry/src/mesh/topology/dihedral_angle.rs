//! Reflex edges: faces whose dihedral angle inside the body is larger than 180 degrees.

use super::half_edges::MeshHalfEdge;
use crate::mesh::{PolygonMesh, polygon_normal};
use crate::shape::DEPTH_TOLERANCE;
use crate::{Aabb, Vector};

/// The test for reflex edges of a mesh.
pub(super) struct DihedralAngleTest<'a> {
    mesh: &'a PolygonMesh,
    /// Unit normal of each face, zero if it has none.
    normals: Vec<Vector<3>>,
    /// Largest height by which a face may rise above the plane of its neighbor, as in a convex body.
    tolerance: f64,
}

impl<'a> DihedralAngleTest<'a> {
    pub(super) fn of(mesh: &'a PolygonMesh) -> Self {
        let normal = |face: &Vec<u32>| polygon_normal(&mesh.vertices, face).try_normalize(0.0);
        let normals = mesh.faces.iter().map(|face| normal(face).unwrap_or_default()).collect();
        let corners = mesh.faces.iter().flatten().map(|&vertex| &mesh.vertices[vertex as usize]);
        let bounds = corners.fold(Aabb::empty(), |bounds, place| bounds.including(place));
        DihedralAngleTest { mesh, normals, tolerance: DEPTH_TOLERANCE * bounds.size().max() }
    }

    /// Returns whether the edge of two half edges of opposite direction is reflex.
    ///
    /// Only the corners next to the edge count: a polygon that is not convex may rise above the plane of a
    /// neighbor elsewhere. So the cost does not depend on the number of corners.
    pub(super) fn is_reflex(&self, first: &MeshHalfEdge, second: &MeshHalfEdge) -> bool {
        let rise = |plane: &MeshHalfEdge, other: &MeshHalfEdge| {
            self.normals[plane.face as usize].dot(&self.in_face_direction(other))
                * self.width(other)
        };
        rise(first, second).max(rise(second, first)) > self.tolerance
    }

    fn corner_position(&self, side: &MeshHalfEdge, step: usize) -> Vector<3> {
        let corners = &self.mesh.faces[side.face as usize];
        self.mesh.vertices[corners[(side.corner as usize + step) % corners.len()] as usize]
    }

    /// Returns the unit vector in the face, perpendicular to the edge, that leads from the edge into it.
    fn in_face_direction(&self, side: &MeshHalfEdge) -> Vector<3> {
        let along =
            (self.corner_position(side, 1) - self.corner_position(side, 0)).try_normalize(0.0);
        self.normals[side.face as usize].cross(&along.unwrap_or_default())
    }

    /// Returns the largest distance from the edge of the two corners next to it.
    fn width(&self, side: &MeshHalfEdge) -> f64 {
        let away = self.in_face_direction(side);
        let start = self.corner_position(side, 0);
        let before = self.mesh.faces[side.face as usize].len() - 1;
        let far = [before, 2].map(|step| away.dot(&(self.corner_position(side, step) - start)));
        far[0].max(far[1]).max(0.0)
    }
}
