//! Wavefront OBJ: lines `v x y z` and `f a b c …`, numbered from one.

use super::problem::LocatedMeshProblem;
use super::tokenizer::{self, MeshTokenizer};
use super::{MeshProblem, face};
use crate::write::row_buffer::RowBuffer;
use carom_geometry::Vector;
use carom_geometry::mesh::PolygonMesh;
use std::io::{self, Write};

const CORNER_RULE: &str =
    "a corner must be a whole number but zero, alone or before /, such as 3, -1 or 3/1/2";

/// Parses an OBJ file.
pub(super) fn parse(bytes: &[u8]) -> Result<PolygonMesh, LocatedMeshProblem> {
    let mut words = MeshTokenizer::new(bytes);
    let mut mesh = PolygonMesh::default();
    let mut ahead = ObjForwardReference::default();
    while words.next_content() {
        match words.word() {
            Some(b"v") => mesh.vertices.push(Vector::from(words.point()?)),
            Some(b"f") => mesh.faces.push(corners(&mut words, mesh.vertices.len(), &mut ahead)?),
            _ => {}
        }
        words.next_line();
    }
    ahead.check(mesh.vertices.len())?;
    Ok(mesh)
}

/// The largest vertex number that refers to a later vertex, and its line.
#[derive(Default)]
struct ObjForwardReference {
    index: i64,
    line: usize,
}

impl ObjForwardReference {
    fn check(&self, count: usize) -> Result<(), LocatedMeshProblem> {
        let there = self.index == 0 || face::vertex(self.index, count, 1).is_ok();
        let missing = MeshProblem::NoSuchVertex { index: self.index, count, first: 1 };
        if there { Ok(()) } else { Err(missing.at_line(self.line)) }
    }
}

/// Returns the corners on the rest of a line, after `count` vertices.
fn corners(
    words: &mut MeshTokenizer,
    count: usize,
    ahead: &mut ObjForwardReference,
) -> Result<Vec<u32>, LocatedMeshProblem> {
    let mut corners = Vec::with_capacity(3);
    while let Some(word) = words.word() {
        let line = words.line();
        let number = word.split(|&byte| byte == b'/').next().and_then(tokenizer::integer);
        let index = number
            .filter(|&index| index != 0)
            .ok_or_else(|| MeshProblem::value("a corner", word, CORNER_RULE).at_line(line))?;
        // A negative number counts back from the last vertex.
        let from_one = if index < 0 { index + 1 + count as i64 } else { index };
        let most = if index < 0 { count } else { u32::MAX as usize };
        let vertex = face::vertex(from_one, most, 1);
        let missing = MeshProblem::NoSuchVertex { index, count, first: 1 };
        corners.push(vertex.map_err(|_| missing.at_line(line))?);
        if from_one > ahead.index && from_one > count as i64 {
            *ahead = ObjForwardReference { index, line };
        }
    }
    face::check_corners(corners.len()).map_err(|problem| problem.at_line(words.line()))?;
    Ok(corners)
}

/// Writes with the fewest digits that read back to the same bits.
pub(super) fn write(out: &mut (impl Write + ?Sized), mesh: &PolygonMesh) -> io::Result<()> {
    let mut rows = RowBuffer::new(out);
    for vertex in &mesh.vertices {
        rows.text("v ");
        rows.numbers(vertex.iter().copied(), " ");
        rows.end_row()?;
    }
    for face in &mesh.faces {
        rows.text("f");
        for &corner in face {
            rows.text(" ");
            rows.integer_u64(u64::from(corner) + 1);
        }
        rows.end_row()?;
    }
    rows.finish()
}
