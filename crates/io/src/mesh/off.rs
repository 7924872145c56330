//! OFF: numbers of vertices, faces and edges, then a line per vertex and a line per face.

use super::problem::LocatedMeshProblem;
use super::tokenizer::MeshTokenizer;
use super::{MeshProblem, face};
use crate::excerpt;
use crate::write::row_buffer::RowBuffer;
use carom_geometry::Vector;
use carom_geometry::mesh::PolygonMesh;
use std::io::{self, Write};

/// Bytes of the shortest vertex, `0 0 0` and a line end, and fewer than those of the shortest face.
const SHORTEST_ROW: u64 = 6;

const START_RULE: &str = "an OFF file of text starts with OFF (or STOFF, COFF, NOFF, CNOFF)";
const COUNT_RULE: &str = "after OFF the numbers of vertices, faces and edges must follow";
const CORNER_RULE: &str = "a face is the number of its corners and the vertices, from zero";

/// Parses an OFF file.
pub(super) fn parse(bytes: &[u8]) -> Result<PolygonMesh, LocatedMeshProblem> {
    let mut words = MeshTokenizer::new(bytes);
    words.next_content();
    check_start(&mut words)?;
    let [vertices, faces] = counts(&mut words)?;
    let mut mesh = PolygonMesh {
        vertices: Vec::with_capacity(vertices as usize),
        faces: Vec::with_capacity(faces as usize),
    };
    for found in 0..vertices {
        start_row(&mut words, "vertices", found, vertices)?;
        mesh.vertices.push(Vector::from(words.point()?));
    }
    for found in 0..faces {
        start_row(&mut words, "faces", found, faces)?;
        mesh.faces.push(corners(&mut words, mesh.vertices.len())?);
    }
    words.next_line();
    if words.next_content() {
        words.end_line("nothing may stand after the faces that were promised")?;
    }
    Ok(mesh)
}

fn check_start(words: &mut MeshTokenizer) -> Result<(), LocatedMeshProblem> {
    let line = words.line();
    let first = words.word().unwrap_or_default();
    let mut kind = first.strip_suffix(b"OFF");
    for extra in [&b"N"[..], b"C", b"ST"] {
        kind = kind.map(|kind| kind.strip_suffix(extra).unwrap_or(kind));
    }
    let binary = words.clone().word() == Some(b"BINARY");
    if kind != Some(b"") || binary {
        let value = excerpt::value(if binary { b"OFF BINARY" } else { first });
        return Err(MeshProblem::Start { value, rule: START_RULE }.at_line(line));
    }
    Ok(())
}

/// Returns the numbers of vertices and faces, on the first line or a later one.
fn counts(words: &mut MeshTokenizer) -> Result<[u64; 2], LocatedMeshProblem> {
    words.next_content();
    let line = words.line();
    let counts = [
        words.count("the number of vertices", COUNT_RULE)?,
        words.count("the number of faces", COUNT_RULE)?,
    ];
    let bytes = words.rest().len();
    for (count, what) in counts.into_iter().zip(["vertices", "faces"]) {
        let what = what.to_owned();
        if count > u64::from(u32::MAX) {
            return Err(MeshProblem::TooMany { what, count }.at_line(line));
        }
        // So that a false count allocates no memory.
        if count * SHORTEST_ROW > bytes as u64 + SHORTEST_ROW {
            return Err(MeshProblem::ImpossibleCount { what, count, bytes }.at_line(line));
        }
    }
    Ok(counts)
}

fn start_row(
    words: &mut MeshTokenizer,
    what: &str,
    found: u64,
    promised: u64,
) -> Result<(), LocatedMeshProblem> {
    words.next_line();
    if words.next_content() {
        return Ok(());
    }
    let problem = MeshProblem::CutShort { what: what.to_owned(), found, promised };
    Err(problem.at_line(words.line()))
}

/// Returns the corners of a face; what follows them on their line is its color.
fn corners(words: &mut MeshTokenizer, count: usize) -> Result<Vec<u32>, LocatedMeshProblem> {
    let line = words.line();
    let number = words.count("the number of corners", CORNER_RULE)? as usize;
    let at_line = |problem: MeshProblem| problem.at_line(line);
    face::check_corners(number).map_err(at_line)?;
    // A corner takes two bytes at least.
    let mut corners = Vec::with_capacity(number.min(words.rest().len() / 2));
    for _ in 0..number {
        let index = words.integer("a corner", CORNER_RULE)?;
        corners.push(face::vertex(index, count, 0).map_err(at_line)?);
    }
    Ok(corners)
}

/// Writes with the fewest digits that read back to the same bits. The number of edges, which readers ignore, is zero.
pub(super) fn write(out: &mut (impl Write + ?Sized), mesh: &PolygonMesh) -> io::Result<()> {
    let mut rows = RowBuffer::new(out);
    rows.text(&format!("OFF\n{} {} 0", mesh.vertices.len(), mesh.faces.len()));
    rows.end_row()?;
    for vertex in &mesh.vertices {
        rows.numbers(vertex.iter().copied(), " ");
        rows.end_row()?;
    }
    for face in &mesh.faces {
        rows.integer_u64(face.len() as u64);
        for &corner in face {
            rows.text(" ");
            rows.integer(corner);
        }
        rows.end_row()?;
    }
    rows.finish()
}
