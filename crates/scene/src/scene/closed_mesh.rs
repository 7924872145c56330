//! Meshes of files that bound a body.

use super::problem::ValidationResult;
use super::values::LocatedValue;
use carom_geometry::Vector;
use carom_geometry::mesh::{PolygonMesh, TriangleMesh, TriangleMeshError};
use carom_geometry::shape::{ConvexPolyhedron, MassProperties, ShapeError};
use std::path::Path;

/// Reads the mesh of a file, welds equal vertices and scales it.
pub(super) fn read(
    file: &LocatedValue<String>,
    folder: &Path,
    scale: f64,
) -> ValidationResult<PolygonMesh> {
    let mesh = carom_io::read_mesh(&folder.join(&file.value));
    let mut mesh = mesh.map_err(|error| file.refuse_file(error))?.with_welded_vertices();
    mesh.vertices.iter_mut().for_each(|vertex| *vertex *= scale);
    Ok(mesh)
}

/// Returns the convex body that a mesh bounds, or why it is not convex; refuses meshes that bound no volume.
pub(super) fn convex(
    mesh: &PolygonMesh,
    file: &LocatedValue<String>,
) -> ValidationResult<Result<ConvexPolyhedron, ShapeError>> {
    match ConvexPolyhedron::from_mesh(mesh) {
        Ok(hull) => Ok(Ok(hull)),
        Err(error @ (ShapeError::VertexInside { .. } | ShapeError::FaceInside { .. })) => {
            Ok(Err(error))
        }
        Err(error) => Err(file.refuse(format!("it bounds no body: {error}"))),
    }
}

/// Returns the surface of a mesh with closed edges, oriented so that its volume is positive.
pub(super) fn surface(
    mesh: &PolygonMesh,
    file: &LocatedValue<String>,
) -> ValidationResult<TriangleMesh> {
    let cut = |error: TriangleMeshError| file.refuse(format!("its faces cannot be used: {error}"));
    let surface = TriangleMesh::from_polygons(mesh).map_err(cut)?;
    let volume = MassProperties::of(&mesh.vertices, &mesh.faces).volume;
    // A body this thin is flat up to rounding.
    let least = 1e-12 * surface.bounds().size().max().powi(3);
    if volume.abs() <= least {
        return Err(file.refuse(format!("it bounds a volume of {volume:e}, which is none")));
    }
    let mut triangles = surface.triangles().to_vec();
    if volume < 0.0 {
        triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    TriangleMesh::new(used(&surface, &mut triangles), triangles).map_err(cut)
}

/// Returns the vertices that triangles use, and renumbers the triangles.
fn used(surface: &TriangleMesh, triangles: &mut [[u32; 3]]) -> Vec<Vector<3>> {
    let (mut numbers, mut vertices) = (vec![u32::MAX; surface.vertices().len()], Vec::new());
    for corner in triangles.iter_mut().flatten() {
        let number = &mut numbers[*corner as usize];
        if *number == u32::MAX {
            *number = vertices.len() as u32;
            vertices.push(surface.vertices()[*corner as usize]);
        }
        *corner = *number;
    }
    vertices
}
