//! Conversion of a mesh to a convex polyhedron, if it is the surface of one.

use super::{ConvexPolyhedron, ShapeError};
use crate::Vector;
use crate::mesh::{PolygonMesh, checked_bounds, polygon_normal, welded_faces};
use crate::predicates::triangle_normal;

/// Largest depth of a mesh under its hull, as a fraction of its size: coordinates in files often have seven
/// digits.
pub(crate) const DEPTH_TOLERANCE: f64 = 1e-6;

/// After a first defect, at most this many tests of a point against a plane look for a deeper one.
const MAX_PLANE_TESTS: usize = 100_000_000;

impl ConvexPolyhedron {
    /// Returns the polyhedron whose surface a mesh is.
    ///
    /// Equal vertices are welded and faces with fewer than three distinct ones are ignored, since STL files
    /// have both (a face of three collinear vertices counts like any other); a mesh that is inside out as a
    /// whole is reversed. Then every edge must belong to two faces of consistent orientation, and the mesh
    /// must be its own convex hull: no vertex and no centroid of a triangle may be deeper under the hull than
    /// a millionth of its size, so that no point of the mesh is deeper than three millionths. The result is
    /// that hull.
    ///
    /// ```
    /// use carom_geometry::{Vector, mesh::PolygonMesh, shape::{ConvexPolyhedron, ShapeError}};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
    /// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]].map(Vec::from);
    /// let mut mesh = PolygonMesh { vertices: corners.to_vec(), faces: faces.to_vec() };
    /// assert!(ConvexPolyhedron::from_mesh(&mesh).is_ok());
    /// mesh.faces[3].reverse();
    /// let error = ConvexPolyhedron::from_mesh(&mesh).unwrap_err();
    /// assert_eq!(error, ShapeError::InsideOut { count: 3, from: 0, to: 2 });
    /// ```
    pub fn from_mesh(mesh: &PolygonMesh) -> Result<Self, ShapeError> {
        check_vertex_indices(mesh)?;
        let loops = welded_faces(mesh).into_iter().enumerate();
        let mut loops: Vec<PolygonFaceLoop> = loops.filter(|(_, face)| face.len() >= 3).collect();
        check_count(&loops)?;
        // The hull gets fewer vertices, so its errors would not have the indices of the mesh.
        checked_bounds(&mesh.vertices)?;
        check_edges(&loops)?;
        let hull = ConvexPolyhedron::hull(&corners(mesh, &loops))?;
        if six_times_volume(&mesh.vertices, &loops) < 0.0 {
            loops.iter_mut().for_each(|(_, face)| face.reverse());
        }
        check_depth(&mesh.vertices, &loops, &hull)?;
        Ok(hull)
    }
}

/// Index of a face in the mesh, and its vertices.
type PolygonFaceLoop = (usize, Vec<u32>);

fn check_vertex_indices(mesh: &PolygonMesh) -> Result<(), ShapeError> {
    let count = mesh.vertices.len();
    for (face, vertices) in mesh.faces.iter().enumerate() {
        if let Some(&vertex) = vertices.iter().find(|&&vertex| vertex as usize >= count) {
            return Err(ShapeError::NoSuchVertex { face, vertex, count });
        }
    }
    Ok(())
}

fn check_count(loops: &[PolygonFaceLoop]) -> Result<(), ShapeError> {
    let mut vertices: Vec<u32> = loops.iter().flat_map(|(_, face)| face).copied().collect();
    vertices.sort_unstable();
    vertices.dedup();
    let (faces, vertices) = (loops.len(), vertices.len());
    if faces < 4 || vertices < 4 {
        return Err(ShapeError::TooSmall { faces, vertices });
    }
    Ok(())
}

fn check_edges(loops: &[PolygonFaceLoop]) -> Result<(), ShapeError> {
    // The smaller vertex, the larger one, and whether the face traverses the edge in ascending order.
    let mut edges: Vec<(u32, u32, bool)> = Vec::new();
    for (_, face) in loops {
        for k in 0..face.len() {
            let (from, to) = (face[k], face[(k + 1) % face.len()]);
            edges.push((from.min(to), from.max(to), from < to));
        }
    }
    edges.sort_unstable();
    let same = |a: &(u32, u32, bool), b: &(u32, u32, bool)| (a.0, a.1) == (b.0, b.1);
    let faulty = |is_faulty: fn(&[(u32, u32, bool)]) -> bool| {
        let mut groups = edges.chunk_by(same).filter(|group| is_faulty(group));
        groups.next().map(|group| (1 + groups.count(), group[0].0, group[0].1))
    };
    if let Some((count, from, to)) = faulty(|group| group.len() > 2) {
        return Err(ShapeError::NotManifold { count, from, to });
    }
    if let Some((count, from, to)) = faulty(|group| group.len() == 1) {
        return Err(ShapeError::Open { count, from, to });
    }
    if let Some((count, from, to)) = faulty(|group| group[0].2 == group[1].2) {
        return Err(ShapeError::InsideOut { count, from, to });
    }
    Ok(())
}

/// Returns the positions of the vertices that faces use, in their order.
fn corners(mesh: &PolygonMesh, loops: &[PolygonFaceLoop]) -> Vec<Vector<3>> {
    let mut is_used = vec![false; mesh.vertices.len()];
    loops.iter().flat_map(|(_, face)| face).for_each(|&vertex| is_used[vertex as usize] = true);
    let used = is_used.iter().zip(&mesh.vertices).filter(|(is_used, _)| **is_used);
    used.map(|(_, place)| *place).collect()
}

/// Iterates over the triangles of all faces, with the index of the face.
fn triangles(loops: &[PolygonFaceLoop]) -> impl Iterator<Item = (usize, [u32; 3])> {
    loops.iter().flat_map(fan_triangles)
}

fn fan_triangles((number, face): &PolygonFaceLoop) -> impl Iterator<Item = (usize, [u32; 3])> {
    (1..face.len() - 1).map(move |k| (*number, [face[0], face[k], face[k + 1]]))
}

/// Returns six times the volume; negative if the mesh is inside out.
fn six_times_volume(vertices: &[Vector<3>], loops: &[PolygonFaceLoop]) -> f64 {
    let base = vertices[loops[0].1[0] as usize];
    let parts = triangles(loops).map(|(_, corners)| {
        let [a, b, c] = corners.map(|corner| vertices[corner as usize] - base);
        a.dot(&b.cross(&c))
    });
    parts.sum()
}

/// Checks that no triangle lies deep under the hull.
///
/// A triangle is on the hull if nothing of the hull is far above its plane. Where this does not decide, the
/// depth of a point is its least distance from the plane of a face; as this is a concave function, the
/// centroid of a triangle is at least a third as deep as any of its points.
fn check_depth(
    vertices: &[Vector<3>],
    loops: &[PolygonFaceLoop],
    hull: &ConvexPolyhedron,
) -> Result<(), ShapeError> {
    let depth = |point: &Vector<3>| {
        let depths = hull.faces().map(|face| face.offset - face.normal.dot(point));
        depths.fold(f64::INFINITY, f64::min)
    };
    let allowed = DEPTH_TOLERANCE * hull.extent();
    let (mut worst, mut error) = (allowed, Ok(()));
    let mut planes = 0;
    // A face of many corners is mostly on the hull as a whole, which one support query decides.
    let is_level = |(_, face): &&PolygonFaceLoop| reaches_hull(vertices, face, hull, allowed);
    let doubtful: Vec<&PolygonFaceLoop> = loops.iter().filter(|face| !is_level(face)).collect();
    for (face, corners) in doubtful.into_iter().flat_map(fan_triangles) {
        if error.is_err() && planes > MAX_PLANE_TESTS {
            break;
        }
        let [a, b, c] = corners.map(|corner| vertices[corner as usize]);
        let normal = triangle_normal(&a, &b, &c);
        let top = normal.dot(&(hull.vertices()[hull.support(&normal) as usize] - a));
        // All points of the triangle are at the same height, so none is deeper than `top`.
        if normal.norm() > 0.0 && top <= worst * normal.norm() {
            continue;
        }
        planes += 4 * hull.face_count();
        let deepest = depth(&((a + b + c) / 3.0));
        if deepest > worst {
            worst = deepest;
            error = Err(ShapeError::FaceInside { face, depth: deepest, allowed });
        }
        for (vertex, place) in corners.into_iter().zip([a, b, c]) {
            let deepest = depth(&place);
            // A vertex is the more helpful report, and is preferred down to half the depth of the worst.
            if deepest > allowed && deepest >= 0.5 * worst {
                worst = worst.max(deepest);
                error = Err(ShapeError::VertexInside { vertex, depth: deepest, allowed });
            }
        }
    }
    error
}

/// Returns whether no corner of a face is more than `allowed` below the highest point of the hull along the
/// normal of the face; then no point of the face is.
fn reaches_hull(
    vertices: &[Vector<3>],
    face: &[u32],
    hull: &ConvexPolyhedron,
    allowed: f64,
) -> bool {
    let Some(normal) = polygon_normal(vertices, face).try_normalize(0.0) else { return false };
    let top = hull.vertices()[hull.support(&normal) as usize];
    face.iter().all(|&corner| normal.dot(&(top - vertices[corner as usize])) <= allowed)
}
