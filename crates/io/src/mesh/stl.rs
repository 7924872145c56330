//! STL: triangles by their corners, as text or binary. Normals and attributes are ignored.

use super::problem::LocatedMeshProblem;
use super::tokenizer::{AXES, MeshTokenizer};
use super::vertex_welder::VertexWelder;
use super::{MeshProblem, refusal};
use crate::cell;
use crate::cell::CellQuantity;
use crate::frames::byte_buffer::ByteBuffer;
use carom_geometry::Vector;
use carom_geometry::mesh::PolygonMesh;
use std::io::{self, Write};

/// Bytes before the number of triangles, with any content.
const HEADER: usize = 80;
const HEADER_AND_COUNT: usize = HEADER + 4;
/// Bytes of a triangle: normal, corners, attribute.
const TRIANGLE_BYTES: usize = 50;
const CORNER_BYTES: usize = 12;
/// Number of bytes by which a text is distinguished from a binary file that starts with the same word.
const SNIFFED_BYTES: usize = 1024;

/// Parses an STL file.
pub(super) fn parse(bytes: &[u8]) -> Result<PolygonMesh, LocatedMeshProblem> {
    let promised = bytes
        .get(HEADER..)
        .and_then(|rest| rest.first_chunk())
        .map(|count| u32::from_le_bytes(*count));
    let length =
        |count: u32| (HEADER_AND_COUNT as u64) + (TRIANGLE_BYTES as u64) * u64::from(count);
    match promised {
        // Binary files may begin with "solid" too, so the length decides and not the first word.
        Some(count) if length(count) == bytes.len() as u64 => {
            parse_binary(&bytes[HEADER_AND_COUNT..])
        }
        _ if is_text(bytes) => StlTextParser::new(bytes).parse(),
        triangles => {
            Err(LocatedMeshProblem::of_file(MeshProblem::NoStl { bytes: bytes.len(), triangles }))
        }
    }
}

fn is_text(bytes: &[u8]) -> bool {
    let solid = MeshTokenizer::new(bytes.trim_ascii_start()).word();
    let start = &bytes[..bytes.len().min(SNIFFED_BYTES)];
    solid.is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) && !start.contains(&0)
}

fn parse_binary(triangles: &[u8]) -> Result<PolygonMesh, LocatedMeshProblem> {
    let mut weld = VertexWelder::default();
    let mut faces = Vec::with_capacity(triangles.len() / TRIANGLE_BYTES);
    for (number, triangle) in triangles.chunks_exact(TRIANGLE_BYTES).enumerate() {
        let mut face = Vec::with_capacity(3);
        for corner in 0..3 {
            let start = CORNER_BYTES + 12 * corner;
            let mut point = [0.0; 3];
            for (axis, part) in triangle[start..start + 12].chunks_exact(4).enumerate() {
                let at = HEADER_AND_COUNT + TRIANGLE_BYTES * number + start + 4 * axis;
                point[axis] = coordinate(part, AXES[axis], at)?;
            }
            face.push(weld.vertex(point));
        }
        faces.push(face);
    }
    Ok(PolygonMesh { vertices: weld.into_vertices(), faces })
}

fn coordinate(part: &[u8], axis: &'static str, at: usize) -> Result<f64, LocatedMeshProblem> {
    let bytes = part.try_into().expect("a number has four bytes");
    let number = f64::from(f32::from_le_bytes(bytes));
    cell::check(number, CellQuantity::Coordinate).map_err(|rule| {
        MeshProblem::value(axis, format!("{number:e}").as_bytes(), rule).at_byte(at)
    })
}

/// The enclosing block of the line that is read.
#[derive(Clone, Copy, PartialEq)]
enum StlContext {
    File,
    Solid,
    Facet,
    Loop,
    /// A facet whose loop has ended.
    ClosedLoop,
}

impl StlContext {
    fn rule(self) -> &'static str {
        match self {
            StlContext::File => "here only \"solid\" may start a line",
            StlContext::Solid => "here \"facet\" or \"endsolid\" must start a line",
            StlContext::Facet => "here \"outer loop\" must start a line",
            StlContext::Loop => "here \"vertex\" or \"endloop\" must start a line",
            StlContext::ClosedLoop => "here \"endfacet\" must start a line",
        }
    }
}

/// Parses a text STL file.
struct StlTextParser<'a> {
    words: MeshTokenizer<'a>,
    context: StlContext,
    welder: VertexWelder,
    corners: Vec<u32>,
    faces: Vec<Vec<u32>>,
}

impl<'a> StlTextParser<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        StlTextParser {
            words: MeshTokenizer::new(bytes),
            context: StlContext::File,
            welder: VertexWelder::default(),
            corners: Vec::new(),
            faces: Vec::new(),
        }
    }

    fn parse(mut self) -> Result<PolygonMesh, LocatedMeshProblem> {
        while self.words.next_content() {
            self.line()?;
            self.words.next_line();
        }
        if self.context != StlContext::File {
            let rule = "every solid must end with it";
            let problem = MeshProblem::Missing { what: "endsolid", rule };
            return Err(problem.at_line(self.words.line()));
        }
        Ok(PolygonMesh { vertices: self.welder.into_vertices(), faces: self.faces })
    }

    fn line(&mut self) -> Result<(), LocatedMeshProblem> {
        let first = self.words.word().unwrap_or_default();
        let is = |keyword: &[u8]| first.eq_ignore_ascii_case(keyword);
        self.context = match self.context {
            StlContext::Loop if is(b"vertex") => {
                let point = self.words.point()?;
                self.words.end_line("a vertex has three coordinates")?;
                self.corners.push(self.welder.vertex(point));
                StlContext::Loop
            }
            StlContext::Loop if is(b"endloop") => {
                self.close()?;
                StlContext::ClosedLoop
            }
            StlContext::Solid if is(b"facet") => StlContext::Facet,
            StlContext::Facet if is(b"outer") => StlContext::Loop,
            StlContext::ClosedLoop if is(b"endfacet") => StlContext::Solid,
            StlContext::Solid if is(b"endsolid") => StlContext::File,
            StlContext::File if is(b"solid") => StlContext::Solid,
            within => {
                let problem = MeshProblem::value("the first word", first, within.rule());
                return Err(problem.at_line(self.words.line()));
            }
        };
        Ok(())
    }

    fn close(&mut self) -> Result<(), LocatedMeshProblem> {
        if self.corners.len() != 3 {
            let problem = MeshProblem::NoTriangle { corners: self.corners.len() };
            return Err(problem.at_line(self.words.line()));
        }
        self.faces.push(self.corners.clone());
        self.corners.clear();
        Ok(())
    }
}

/// Writes binary STL; an error if a coordinate is beyond the range of `f32` or there are too many triangles.
pub(super) fn write(out: &mut (impl Write + ?Sized), mesh: &PolygonMesh) -> io::Result<()> {
    let largest = f64::from(f32::MAX);
    if mesh.vertices.iter().flatten().any(|coordinate| coordinate.abs() > largest) {
        return Err(refusal("STL holds coordinates up to 3.4e38; take .ply, .obj or .off"));
    }
    let count: usize = mesh.faces.iter().map(|face| face.len() - 2).sum();
    let count = u32::try_from(count)
        .map_err(|_| refusal("STL holds up to 4294967295 triangles; take .ply, .obj or .off"))?;
    let mut bytes = ByteBuffer::new(out);
    let mut header = [b' '; HEADER];
    let title = b"binary STL, made by carom";
    header[..title.len()].copy_from_slice(title);
    bytes.put(&header)?;
    bytes.put(&count.to_le_bytes())?;
    for face in &mesh.faces {
        for last in 2..face.len() {
            let corners = [face[0], face[last - 1], face[last]];
            bytes.put(&triangle_record(corners.map(|corner| mesh.vertices[corner as usize])))?;
        }
    }
    bytes.finish()
}

fn triangle_record(corners: [Vector<3>; 3]) -> [u8; TRIANGLE_BYTES] {
    let [a, b, c] = corners;
    // The cross product of long edges overflows; a zero normal means "see the corners".
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
    let mut record = [0; TRIANGLE_BYTES];
    let numbers = [normal, a, b, c];
    let numbers = numbers.iter().flatten().map(|&number| number as f32);
    for (place, number) in record.chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    record
}
