//! PLY: a header of text that says which elements follow with which properties, then their rows, as
//! text or in binary.

mod binary;
mod header;
mod text;

use super::problem::Fault;
use super::words::{AXES, Words};
use super::{MeshProblem, face};
use crate::files::frames::byte_buffer::ByteBuffer;
use binary::Binary;
use carom_geometry::Vector;
use carom_geometry::mesh::PolygonMesh;
use header::{Element, Encoding, Header, Kind, Number, Property};
use std::io::{self, Write};
use text::Text;

/// The mesh of a PLY file.
pub(super) fn parse(bytes: &[u8]) -> Result<PolygonMesh, Fault> {
    let header = Header::of(bytes)?;
    let (body, start) = (&bytes[header.length..], header.length);
    match header.encoding {
        Encoding::Text => read(&header, Text(Words::from_line(body, header.lines + 1))),
        Encoding::LittleEnd => read(&header, Binary::<false>::new(body, start)),
        Encoding::BigEnd => read(&header, Binary::<true>::new(body, start)),
    }
}

/// Where the numbers of all rows come from, one by one.
trait Rows {
    /// Goes to the next row; an error, with what is there, if the file has ended.
    fn start_row(&mut self, element: &Element, row: u64) -> Result<(), Fault>;
    fn coordinate(&mut self, number: Number, axis: &'static str) -> Result<f64, Fault>;
    /// How many items a list has; there may be fewer in the file.
    fn count(&mut self, number: Number) -> Result<u64, Fault>;
    fn corner(&mut self, number: Number) -> Result<i64, Fault>;
    fn skip(&mut self, number: Number, count: u64) -> Result<(), Fault>;
    fn end_row(&mut self) -> Result<(), Fault>;
    /// An error if the file goes on.
    fn end(&mut self) -> Result<(), Fault>;
    /// A problem with what was just read.
    fn fault(&self, problem: MeshProblem) -> Fault;
}

/// What a property is to us.
#[derive(Clone, Copy)]
enum Role {
    Coordinate(usize),
    Corners,
    Other,
}

impl Role {
    fn of(element: &Element, property: &Property) -> Self {
        let axis = AXES.iter().position(|axis| axis.as_bytes() == property.name);
        match (element.name, axis, property.kind) {
            (b"vertex", Some(axis), Kind::One(_)) => Role::Coordinate(axis),
            (b"face", _, Kind::List { .. }) if property.holds_corners() => Role::Corners,
            _ => Role::Other,
        }
    }
}

fn read(header: &Header, mut rows: impl Rows) -> Result<PolygonMesh, Fault> {
    let mut mesh = PolygonMesh::default();
    for element in &header.elements {
        let plan: Vec<(Kind, Role)> = element
            .properties
            .iter()
            .map(|property| (property.kind, Role::of(element, property)))
            .collect();
        // The header has compared the counts with the length of the file.
        match element.name {
            b"vertex" => mesh.vertices.reserve_exact(element.count as usize),
            b"face" => mesh.faces.reserve_exact(element.count as usize),
            // Rows of nothing take no time.
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

/// The coordinates and the corners in a row, as far as it has them.
#[inline]
fn read_row(
    rows: &mut impl Rows,
    plan: &[(Kind, Role)],
    vertices: usize,
) -> Result<(Vector<3>, Vec<u32>), Fault> {
    let (mut point, mut corners) = (Vector::zeros(), Vec::new());
    for &(kind, role) in plan {
        match (kind, role) {
            (Kind::One(number), Role::Coordinate(axis)) => {
                point[axis] = rows.coordinate(number, AXES[axis])?;
            }
            (Kind::List { count, item }, Role::Corners) => {
                corners = read_corners(rows, count, item, vertices)?;
            }
            (Kind::One(number), _) => rows.skip(number, 1)?,
            (Kind::List { count, item }, _) => {
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
    rows: &mut impl Rows,
    count: Number,
    item: Number,
    vertices: usize,
) -> Result<Vec<u32>, Fault> {
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

/// Writes binary PLY, little end first, with coordinates in `f64`.
pub(super) fn write(out: &mut (impl Write + ?Sized), mesh: &PolygonMesh) -> io::Result<()> {
    let most = mesh.faces.iter().map(Vec::len).max().unwrap_or(0);
    let count = if most <= usize::from(u8::MAX) { "uchar" } else { "uint" };
    // Some programs know signed numbers only, and the bytes are the same.
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
