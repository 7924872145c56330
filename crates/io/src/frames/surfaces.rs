//! The surfaces of bodies with shapes at their poses, so that a viewer shows dice as dice.

use super::check;
use super::vtk_array::{VtkArray, VtkArrayEntries, VtkArrayValues, write_file};
use crate::Frame;
use carom_geometry::Vector;
use carom_geometry::mesh::PolygonMesh;
use std::io::{self, Write};

/// Writes the surfaces of all bodies with shapes as polygons of VTK PolyData (`.vtp`), which ParaView shows without
/// further settings; discs and spheres are not included.
///
/// Every polygon has `id` (that of the body), `shape`, `speed` and `velocity`. The spheres of clumps are polyhedra of
/// 128 triangles; shapes in 2D are flat polygons.
pub fn write_surfaces_vtp<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
) -> io::Result<()> {
    write(out, frame, false)
}

pub(super) fn write<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    compressed: bool,
) -> io::Result<()> {
    check(frame)?;
    let surfaces = SurfacePolygons::of(frame);
    let cell_data = [
        VtkArray { name: "speed", values: VtkArrayValues::Norms(&surfaces.velocities) },
        VtkArray { name: "velocity", values: VtkArrayValues::Vectors(&surfaces.velocities) },
        VtkArray { name: "id", values: VtkArrayValues::Integers(surfaces.bodies) },
        VtkArray { name: "shape", values: VtkArrayValues::Integers(surfaces.shapes) },
    ];
    let points = [VtkArray { name: "position", values: VtkArrayValues::Vectors(&surfaces.points) }];
    let count = surfaces.offsets.len();
    let polygons = [
        VtkArray { name: "connectivity", values: VtkArrayValues::Integers(surfaces.corners) },
        VtkArray { name: "offsets", values: VtkArrayValues::Integers(surfaces.offsets) },
    ];
    let mut entries = VtkArrayEntries::new(compressed);
    let piece = format!(
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"{count}\">\n\
         <CellData Scalars=\"speed\" Vectors=\"velocity\">\n{}</CellData>\n\
         <Points>\n{}</Points>\n<Polys>\n{}</Polys>\n</Piece>\n",
        surfaces.points.len(),
        entries.of(&cell_data)?,
        entries.of(&points)?,
        entries.of(&polygons)?
    );
    write_file(out, frame, (&piece, entries), cell_data.iter().chain(&points).chain(&polygons))
}

/// All polygons, with one value of each quantity per polygon.
#[derive(Default)]
struct SurfacePolygons {
    points: Vec<Vector<3>>,
    corners: Vec<i64>,
    /// Index of the end of each polygon's corners.
    offsets: Vec<i64>,
    bodies: Vec<i64>,
    shapes: Vec<i64>,
    velocities: Vec<Vector<3>>,
}

impl SurfacePolygons {
    fn of<const D: usize>(frame: &Frame<D>) -> Self {
        let mut surfaces = SurfacePolygons::default();
        let Some(shaped) = &frame.shapes else { return surfaces };
        let meshes: Vec<PolygonMesh> =
            shaped.list.iter().map(|shape| shape.surface::<D>()).collect();
        for body in 0..frame.len() {
            let (Some(shape), Some((_, pose))) = (shaped.shape_of_body[body], frame.shape(body))
            else {
                continue;
            };
            let mesh = &meshes[shape as usize];
            let first = surfaces.points.len() as i64;
            surfaces.points.extend(mesh.vertices.iter().map(|vertex| pose.transform_point(vertex)));
            let velocity = Vector::from(super::embed_in_space(&frame.velocities[body]));
            for face in &mesh.faces {
                surfaces.corners.extend(face.iter().map(|&corner| first + i64::from(corner)));
                surfaces.offsets.push(surfaces.corners.len() as i64);
                surfaces.bodies.push(i64::from(frame.id(body)));
                surfaces.shapes.push(i64::from(shape));
                surfaces.velocities.push(velocity);
            }
        }
        surfaces
    }
}
