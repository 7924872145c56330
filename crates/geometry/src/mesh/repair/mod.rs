//! Repair of meshes: vertices to weld, degenerate and duplicate faces, orientation, holes.

mod flat_triangles;
mod hole_filling;
mod orientation;
mod weld_near;

#[cfg(test)]
mod tests;

use super::topology::defective_faces::duplicate_faces;
use super::topology::half_edges::sorted_half_edges;
use super::triangle_mesh::{check_corners, check_vertices};
use super::{PolygonMesh, TriangleMeshError, welded_faces_by};
use thiserror::Error;

/// What [`PolygonMesh::repaired`] may change besides faces that are degenerate, duplicate or turned.
///
/// ```
/// use carom_geometry::mesh::RepairOptions;
/// let options = RepairOptions { weld_distance: 1e-6, ..RepairOptions::default() };
/// assert_eq!(options.fill_holes_up_to, 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RepairOptions {
    /// A vertex at most this far from an earlier one that is kept becomes it; zero welds equal vertices.
    pub weld_distance: f64,
    /// Holes of at most this number of edges are filled, at a cost that grows with its third power; zero fills none.
    pub fill_holes_up_to: usize,
}

/// What [`PolygonMesh::repaired`] has changed, and what it could not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RepairReport {
    /// Number of vertices that were welded to another.
    pub welded_vertices: usize,
    /// Number of faces removed because fewer than three different corners were left.
    pub collapsed_faces: usize,
    /// Number of triangles without area removed; their neighbors were divided, so that no gap is left.
    pub flat_triangles: usize,
    /// Number of faces removed because an earlier one has the same corners.
    pub duplicate_faces: usize,
    /// Number of faces that were reversed.
    pub reversed_faces: usize,
    /// Number of holes that were filled.
    pub filled_holes: usize,
    /// Number of triangles that fill them.
    pub added_faces: usize,
    /// Number of vertices removed because no face has them, those that were welded included.
    pub removed_vertices: usize,
    /// Number of edges that still belong to one face only.
    pub open_edges: usize,
    /// Number of edges that belong to more than two faces; orientation does not pass them.
    pub non_manifold_edges: usize,
    /// Number of edges at which faces still disagree which side is out, as on a Möbius strip.
    pub misoriented_edges: usize,
}

impl RepairReport {
    /// Returns all numbers with their names, those of what is left last.
    ///
    /// ```
    /// use carom_geometry::mesh::RepairReport;
    /// let report = RepairReport { filled_holes: 2, ..RepairReport::default() };
    /// assert!(report.numbers().contains(&("filled_holes", 2)));
    /// ```
    pub fn numbers(&self) -> [(&'static str, usize); 11] {
        [
            ("welded_vertices", self.welded_vertices),
            ("collapsed_faces", self.collapsed_faces),
            ("flat_triangles", self.flat_triangles),
            ("duplicate_faces", self.duplicate_faces),
            ("reversed_faces", self.reversed_faces),
            ("filled_holes", self.filled_holes),
            ("added_faces", self.added_faces),
            ("removed_vertices", self.removed_vertices),
            ("open_edges", self.open_edges),
            ("non_manifold_edges", self.non_manifold_edges),
            ("misoriented_edges", self.misoriented_edges),
        ]
    }

    /// Returns whether every edge now belongs to two faces that agree which side is out.
    ///
    /// ```
    /// use carom_geometry::mesh::RepairReport;
    /// assert!(RepairReport::default().is_closed());
    /// assert!(!RepairReport { open_edges: 3, ..RepairReport::default() }.is_closed());
    /// ```
    pub fn is_closed(&self) -> bool {
        [self.open_edges, self.non_manifold_edges, self.misoriented_edges] == [0; 3]
    }
}

/// Why a mesh cannot be repaired.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum RepairError {
    /// A vertex or a face is no part of a mesh.
    #[error(transparent)]
    Mesh(#[from] TriangleMeshError),
    /// The distance of vertices to weld is negative, not finite, or as large as the mesh.
    #[error(
        "the distance to weld is {distance:?}; it must be at least 0 and less than the extent of the mesh, {extent:?}"
    )]
    WeldDistance {
        /// The distance that was given.
        distance: f64,
        /// Longest edge of the bounding box.
        extent: f64,
    },
    /// No face has three different corners and an area.
    #[error("no face is left: none has three different corners and an area")]
    NothingLeft,
}

impl PolygonMesh {
    /// Returns the mesh without what [`MeshTopology`](super::MeshTopology) finds fault with, as far as that can be
    /// repaired, and a report of what was done.
    ///
    /// In this order: vertices are welded; faces with fewer than three different corners, triangles without area and
    /// faces with the corners of an earlier one are removed; faces are reversed until neighbors agree which side is
    /// out, as few as possible, and closed parts that are inside out are reversed as a whole, unless they are within the box
    /// around a larger part, where they may bound a hollow; holes are filled whose outline can be cut into triangles in
    /// the plane that fits it; vertices of no face are removed. Faces and vertices that are kept stay in their order.
    ///
    /// ```
    /// use carom_geometry::mesh::{MeshTopology, RepairOptions, octahedron_sphere};
    /// let mut mesh = octahedron_sphere(2).to_polygons();
    /// mesh.faces[5].reverse();
    /// mesh.faces.remove(40);
    /// assert!(!MeshTopology::of(&mesh).is_closed());
    /// let options = RepairOptions { fill_holes_up_to: 10, ..RepairOptions::default() };
    /// let (repaired, report) = mesh.repaired(&options)?;
    /// assert!(MeshTopology::of(&repaired).is_closed());
    /// assert_eq!((report.reversed_faces, report.filled_holes, report.added_faces), (1, 1, 1));
    /// # Ok::<(), carom_geometry::mesh::RepairError>(())
    /// ```
    pub fn repaired(
        &self,
        options: &RepairOptions,
    ) -> Result<(PolygonMesh, RepairReport), RepairError> {
        check(self)?;
        let kept = weld_near::kept_vertices(&self.vertices, options.weld_distance)?;
        let is_welded = |(vertex, kept): (u32, &u32)| vertex != *kept;
        let mut report = RepairReport {
            welded_vertices: (0..).zip(&kept).filter(|it| is_welded(*it)).count(),
            ..RepairReport::default()
        };
        let mut faces = welded_faces_by(self, &kept);
        faces.retain(|face| face.len() > 2);
        report.collapsed_faces = self.faces.len() - faces.len();
        let mut mesh = PolygonMesh { vertices: self.vertices.clone(), faces };
        report.flat_triangles = flat_triangles::remove(&mut mesh);
        report.duplicate_faces = remove_duplicates(&mut mesh);
        if mesh.faces.is_empty() {
            return Err(RepairError::NothingLeft);
        }
        report.reversed_faces = orientation::orient(&mut mesh);
        let filled = hole_filling::fill(&mut mesh, options.fill_holes_up_to);
        (report.filled_holes, report.added_faces) = (filled.holes, filled.triangles);
        if filled.holes > 0 {
            // A part that has been closed now has an outside.
            report.reversed_faces += orientation::orient(&mut mesh);
        }
        report.removed_vertices = remove_unused_vertices(&mut mesh);
        count_what_is_left(&mesh, &mut report);
        Ok((mesh, report))
    }
}

fn check(mesh: &PolygonMesh) -> Result<(), TriangleMeshError> {
    check_vertices(&mesh.vertices)?;
    for (face, corners) in mesh.faces.iter().enumerate() {
        check_corners(face, corners, mesh.vertices.len())?;
    }
    Ok(())
}

fn remove_duplicates(mesh: &mut PolygonMesh) -> usize {
    let own: Vec<u32> = (0..mesh.vertices.len() as u32).collect();
    let mut repeated: Vec<u32> = duplicate_faces(mesh, &own).iter().map(|pair| pair[1]).collect();
    repeated.sort_unstable();
    let mut number = 0;
    mesh.faces.retain(|_| {
        number += 1;
        repeated.binary_search(&(number - 1)).is_err()
    });
    repeated.len()
}

fn remove_unused_vertices(mesh: &mut PolygonMesh) -> usize {
    let mut numbers = vec![u32::MAX; mesh.vertices.len()];
    mesh.faces.iter().flatten().for_each(|&vertex| numbers[vertex as usize] = 0);
    for (count, number) in (0..).zip(numbers.iter_mut().filter(|number| **number == 0)) {
        *number = count;
    }
    let before = mesh.vertices.len();
    let mut all = numbers.iter();
    mesh.vertices.retain(|_| all.next().is_some_and(|number| *number != u32::MAX));
    mesh.faces.iter_mut().flatten().for_each(|vertex| *vertex = numbers[*vertex as usize]);
    before - mesh.vertices.len()
}

fn count_what_is_left(mesh: &PolygonMesh, report: &mut RepairReport) {
    let sides = sorted_half_edges(mesh, &mut Vec::new());
    for edge in sides.chunk_by(|a, b| a.ends == b.ends) {
        match edge {
            [_] => report.open_edges += 1,
            [one, other] if one.is_ascending == other.is_ascending => report.misoriented_edges += 1,
            [_, _] => {}
            _ => report.non_manifold_edges += 1,
        }
    }
}
