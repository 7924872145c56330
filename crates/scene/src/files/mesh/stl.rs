//! STL: triangles by their corners, as text or in binary. Normals and attributes are passed over.

use super::problem::Fault;
use super::weld::Weld;
use super::words::{AXES, Words};
use super::{MeshProblem, refusal};
use crate::files::cell::{self, Quantity};
use crate::files::frames::byte_buffer::ByteBuffer;
use carom_geometry::Vector;
use carom_geometry::mesh::PolygonMesh;
use std::io::{self, Write};

/// Bytes before the triangles: anything, and then their number.
const HEADER: usize = 80;
const HEAD: usize = HEADER + 4;
/// Bytes of a triangle: normal, corners, attribute.
const TRIANGLE: usize = 50;
const CORNERS: usize = 12;
/// So far a text is told from a binary file that starts with the same word.
const LOOKED_AT: usize = 1024;

/// The mesh of an STL file.
pub(super) fn parse(bytes: &[u8]) -> Result<PolygonMesh, Fault> {
    let promised = bytes
        .get(HEADER..)
        .and_then(|rest| rest.first_chunk())
        .map(|count| u32::from_le_bytes(*count));
    let length = |count: u32| (HEAD as u64) + (TRIANGLE as u64) * u64::from(count);
    match promised {
        Some(count) if length(count) == bytes.len() as u64 => parse_binary(&bytes[HEAD..]),
        _ if is_text(bytes) => Text::new(bytes).parse(),
        triangles => Err(Fault::of_file(MeshProblem::NoStl { bytes: bytes.len(), triangles })),
    }
}

fn is_text(bytes: &[u8]) -> bool {
    let solid = Words::new(bytes.trim_ascii_start()).word();
    let start = &bytes[..bytes.len().min(LOOKED_AT)];
    solid.is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) && !start.contains(&0)
}

fn parse_binary(triangles: &[u8]) -> Result<PolygonMesh, Fault> {
    let mut weld = Weld::default();
    let mut faces = Vec::with_capacity(triangles.len() / TRIANGLE);
    for (number, triangle) in triangles.chunks_exact(TRIANGLE).enumerate() {
        let mut face = Vec::with_capacity(3);
        for corner in 0..3 {
            let start = CORNERS + 12 * corner;
            let mut point = [0.0; 3];
            for (axis, part) in triangle[start..start + 12].chunks_exact(4).enumerate() {
                let at = HEAD + TRIANGLE * number + start + 4 * axis;
                point[axis] = coordinate(part, AXES[axis], at)?;
            }
            face.push(weld.vertex(point));
        }
        faces.push(face);
    }
    Ok(PolygonMesh { vertices: weld.into_vertices(), faces })
}

fn coordinate(part: &[u8], axis: &'static str, at: usize) -> Result<f64, Fault> {
    let bytes = part.try_into().expect("a number has four bytes");
    let number = f64::from(f32::from_le_bytes(bytes));
    cell::check(number, Quantity::Coordinate).map_err(|rule| {
        MeshProblem::value(axis, format!("{number:e}").as_bytes(), rule).at_byte(at)
    })
}

/// What encloses the line that is read.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    File,
    Solid,
    Facet,
    Loop,
    /// A facet whose loop is over.
    FullFacet,
}

impl Within {
    fn rule(self) -> &'static str {
        match self {
            Within::File => "here only \"solid\" may start a line",
            Within::Solid => "here \"facet\" or \"endsolid\" must start a line",
            Within::Facet => "here \"outer loop\" must start a line",
            Within::Loop => "here \"vertex\" or \"endloop\" must start a line",
            Within::FullFacet => "here \"endfacet\" must start a line",
        }
    }
}

/// Goes through an STL file of text.
struct Text<'a> {
    words: Words<'a>,
    within: Within,
    weld: Weld,
    corners: Vec<u32>,
    faces: Vec<Vec<u32>>,
}

impl<'a> Text<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Text {
            words: Words::new(bytes),
            within: Within::File,
            weld: Weld::default(),
            corners: Vec::new(),
            faces: Vec::new(),
        }
    }

    fn parse(mut self) -> Result<PolygonMesh, Fault> {
        while self.words.next_content() {
            self.line()?;
            self.words.next_line();
        }
        if self.within != Within::File {
            let rule = "every solid must end with it";
            let problem = MeshProblem::Missing { what: "endsolid", rule };
            return Err(problem.at_line(self.words.line()));
        }
        Ok(PolygonMesh { vertices: self.weld.into_vertices(), faces: self.faces })
    }

    fn line(&mut self) -> Result<(), Fault> {
        let first = self.words.word().unwrap_or_default();
        let is = |keyword: &[u8]| first.eq_ignore_ascii_case(keyword);
        self.within = match self.within {
            Within::Loop if is(b"vertex") => {
                let point = self.words.point()?;
                self.words.end_line("a vertex has three coordinates")?;
                self.corners.push(self.weld.vertex(point));
                Within::Loop
            }
            Within::Loop if is(b"endloop") => {
                self.close()?;
                Within::FullFacet
            }
            Within::Solid if is(b"facet") => Within::Facet,
            Within::Facet if is(b"outer") => Within::Loop,
            Within::FullFacet if is(b"endfacet") => Within::Solid,
            Within::Solid if is(b"endsolid") => Within::File,
            Within::File if is(b"solid") => Within::Solid,
            within => {
                let problem = MeshProblem::value("the first word", first, within.rule());
                return Err(problem.at_line(self.words.line()));
            }
        };
        Ok(())
    }

    fn close(&mut self) -> Result<(), Fault> {
        if self.corners.len() != 3 {
            let problem = MeshProblem::NoTriangle { corners: self.corners.len() };
            return Err(problem.at_line(self.words.line()));
        }
        self.faces.push(self.corners.clone());
        self.corners.clear();
        Ok(())
    }
}

/// Writes binary STL; an error if a coordinate is beyond the range of `f32` or there are too many
/// triangles.
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
            bytes.put(&record(corners.map(|corner| mesh.vertices[corner as usize])))?;
        }
    }
    bytes.finish()
}

fn record(corners: [Vector<3>; 3]) -> [u8; TRIANGLE] {
    let [a, b, c] = corners;
    // Long enough edges would overflow; a normal of zeros means "see the corners".
    let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_default();
    let mut record = [0; TRIANGLE];
    let numbers = [normal, a, b, c];
    let numbers = numbers.iter().flatten().map(|&number| number as f32);
    for (place, number) in record.chunks_exact_mut(4).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    record
}
