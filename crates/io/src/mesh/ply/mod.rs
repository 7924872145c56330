//! PLY: a text header with the elements and their properties, then their rows, as text or binary.

mod binary;
mod header;
mod text;

use super::problem::LocatedMeshProblem;
use super::tokenizer::{AXES, MeshTokenizer};
use super::{MeshProblem, face};
use crate::frames::byte_buffer::ByteBuffer;
use binary::PlyBinaryRows;
use carom_geometry::Vector;
use carom_geometry::mesh::PolygonMesh;
use header::{PlyElement, PlyEncoding, PlyHeader, PlyProperty, PlyPropertyType, PlyScalarType};
use std::io::{self, Write};
use text::PlyTextRows;

/// Parses a PLY file.
pub(super) fn parse(bytes: &[u8]) -> Result<PolygonMesh, LocatedMeshProblem> {
    let header = PlyHeader::of(bytes)?;
    let (body, start) = (&bytes[header.length..], header.length);
    match header.encoding {
        PlyEncoding::Text => {
            read(&header, PlyTextRows(MeshTokenizer::from_line(body, header.lines + 1)))
        }
        PlyEncoding::LittleEndian => read(&header, PlyBinaryRows::<false>::new(body, start)),
        PlyEncoding::BigEndian => read(&header, PlyBinaryRows::<true>::new(body, start)),
    }
}

/// A source of the numbers of all rows, one by one.
trait PlyRowReader {
    /// Begins the next row; an error, with what exists, if the file has ended.
    fn start_row(&mut self, element: &PlyElement, row: u64) -> Result<(), LocatedMeshProblem>;
    fn coordinate(
        &mut self,
        number: PlyScalarType,
        axis: &'static str,
    ) -> Result<f64, LocatedMeshProblem>;
    /// Returns the number of items of a list; there may be fewer in the file.
    fn count(&mut self, number: PlyScalarType) -> Result<u64, LocatedMeshProblem>;
    fn corner(&mut self, number: PlyScalarType) -> Result<i64, LocatedMeshProblem>;
    fn skip(&mut self, number: PlyScalarType, count: u64) -> Result<(), LocatedMeshProblem>;
    fn end_row(&mut self) -> Result<(), LocatedMeshProblem>;
    /// Returns an error if the file continues.
    fn end(&mut self) -> Result<(), LocatedMeshProblem>;
    /// Locates a problem with what was just read.
    fn fault(&self, problem: MeshProblem) -> LocatedMeshProblem;
}

/// The meaning of a property in a mesh.
#[derive(Clone, Copy)]
enum PlyPropertyRole {
    Coordinate(usize),
    Corners,
    Other,
}

impl PlyPropertyRole {
    fn of(element: &PlyElement, property: &PlyProperty) -> Self {
        let axis = AXES.iter().position(|axis| axis.as_bytes() == property.name);
        match (element.name, axis, property.kind) {
            (b"vertex", Some(axis), PlyPropertyType::Scalar(_)) => {
                PlyPropertyRole::Coordinate(axis)
            }
            (b"face", _, PlyPropertyType::List { .. }) if property.holds_corners() => {
                PlyPropertyRole::Corners
            }
            _ => PlyPropertyRole::Other,
        }
    }
}

fn read(
    header: &PlyHeader,
    mut rows: impl PlyRowReader,
) -> Result<PolygonMesh, LocatedMeshProblem> {
    let mut mesh = PolygonMesh::default();
    for element in &header.elements {
        let plan: Vec<(PlyPropertyType, PlyPropertyRole)> = element
            .properties
            .iter()
            .map(|property| (property.kind, PlyPropertyRole::of(element, property)))
            .collect();
        // The header has compared the counts with the length of the file.
        match element.name {
            b"vertex" => mesh.vertices.reserve_exact(element.count as usize),
            b"face" => mesh.faces.reserve_exact(element.count as usize),
            // Rows without properties take no time.
            _ if plan.is_empty() => continue,
            _ => {}
        }
        for row in 0..element.count {
            rows.start_row(element, row)?;
            let (point, corners) = read_row(&mut rows, &plan, header.vertices)?;
            match element.name {
                b"vertex" => mesh.vertices.push(point),
                b"face" => mesh.faces.push(corners),
                _ => {}
            }
        }
    }
    rows.end()?;
    Ok(mesh)
}

/// Reads the coordinates and the corners in a row, as far as it has them.
#[inline]
fn read_row(
    rows: &mut impl PlyRowReader,
    plan: &[(PlyPropertyType, PlyPropertyRole)],
    vertices: usize,
) -> Result<(Vector<3>, Vec<u32>), LocatedMeshProblem> {
    let (mut point, mut corners) = (Vector::zeros(), Vec::new());
    for &(kind, role) in plan {
        match (kind, role) {
            (PlyPropertyType::Scalar(number), PlyPropertyRole::Coordinate(axis)) => {
                point[axis] = rows.coordinate(number, AXES[axis])?;
            }
            (PlyPropertyType::List { count, item }, PlyPropertyRole::Corners) => {
                corners = read_corners(rows, count, item, vertices)?;
            }
            (PlyPropertyType::Scalar(number), _) => rows.skip(number, 1)?,
            (PlyPropertyType::List { count, item }, _) => {
                let count = rows.count(count)?;
                rows.skip(item, count)?;
            }
        }
    }
    rows.end_row()?;
    Ok((point, corners))
}

#[inline]
fn read_corners(
    rows: &mut impl PlyRowReader,
    count: PlyScalarType,
    item: PlyScalarType,
    vertices: usize,
) -> Result<Vec<u32>, LocatedMeshProblem> {
    let count = rows.count(count)?;
    face::check_corners(count as usize).map_err(|problem| rows.fault(problem))?;
    // The count may be false.
    let mut corners = Vec::with_capacity(count.min(1024) as usize);
    for _ in 0..count {
        let index = rows.corner(item)?;
        corners.push(face::vertex(index, vertices, 0).map_err(|problem| rows.fault(problem))?);
    }
    Ok(corners)
}

/// Writes little-endian binary PLY with coordinates in `f64`.
pub(super) fn write(out: &mut (impl Write + ?Sized), mesh: &PolygonMesh) -> io::Result<()> {
    let most = mesh.faces.iter().map(Vec::len).max().unwrap_or(0);
    let count = if most <= usize::from(u8::MAX) { "uchar" } else { "uint" };
    // Some programs read signed numbers only, and the bytes are the same.
    let signed = mesh.vertices.len() <= i32::MAX as usize;
    let item = if signed { "int" } else { "uint" };
    let header = format!(
        "ply\nformat binary_little_endian 1.0\ncomment made by carom\nelement vertex {}\n\
         property double x\nproperty double y\nproperty double z\nelement face {}\n\
         property list {count} {item} vertex_indices\nend_header\n",
        mesh.vertices.len(),
        mesh.faces.len(),
    );
    let mut bytes = ByteBuffer::new(out);
    bytes.put(header.as_bytes())?;
    for coordinate in mesh.vertices.iter().flatten() {
        bytes.put(&coordinate.to_le_bytes())?;
    }
    for face in &mesh.faces {
        let length = (face.len() as u32).to_le_bytes();
        bytes.put(if count == "uchar" { &length[..1] } else { &length })?;
        for corner in face {
            bytes.put(&corner.to_le_bytes())?;
        }
    }
    bytes.finish()
}
