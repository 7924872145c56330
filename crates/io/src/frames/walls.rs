//! Walls that are meshes, with the loads on their triangles, so that a viewer shows where they are pressed and worn.

use super::check;
use super::vtk_array::{VtkArray, VtkArrayEntries, VtkArrayValues, write_file};
use crate::{Frame, FrameWalls};
use carom_geometry::Vector;
use std::io::{self, Write};

/// Writes the walls of a frame that are meshes as triangles of VTK PolyData (`.vtp`), in 2D as lines.
///
/// Every triangle has `force`, the sum of the forces of its contacts, `pressure`, their part along the normal of the
/// triangle over its area (in 2D over its length), `power`, the work that it does on bodies per time, `contacts` and
/// `wall`, the number of its wall.
pub fn write_walls_vtp<const D: usize>(
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
    let none = FrameWalls::default();
    let FrameWalls { corners, walls, loads } = frame.walls.as_ref().unwrap_or(&none);
    let forces: Vec<Vector<3>> = loads.iter().map(|load| load.force).collect();
    let pressures: Vec<f64> =
        corners.iter().zip(&forces).map(|(corners, force)| pressure::<D>(corners, force)).collect();
    let powers: Vec<f64> = loads.iter().map(|load| load.power).collect();
    let contacts: Vec<i64> = loads.iter().map(|load| load.contacts as i64).collect();
    let numbers: Vec<i64> = walls.iter().map(|&wall| i64::from(wall)).collect();
    let cell_data = [
        VtkArray { name: "pressure", values: VtkArrayValues::Scalars(&pressures) },
        VtkArray { name: "force", values: VtkArrayValues::Vectors(&forces) },
        VtkArray { name: "power", values: VtkArrayValues::Scalars(&powers) },
        VtkArray { name: "contacts", values: VtkArrayValues::Integers(contacts) },
        VtkArray { name: "wall", values: VtkArrayValues::Integers(numbers) },
    ];
    let (per_cell, kind) = if D == 2 { (2, "Lines") } else { (3, "Polys") };
    let places: Vec<Vector<3>> =
        corners.iter().flat_map(|corners| &corners[..per_cell]).copied().collect();
    let points = [VtkArray { name: "position", values: VtkArrayValues::Vectors(&places) }];
    let (count, all) = (corners.len() as i64, places.len() as i64);
    let ends = (1..=count).map(|cell| cell * per_cell as i64).collect();
    let cells = [
        VtkArray { name: "connectivity", values: VtkArrayValues::Integers((0..all).collect()) },
        VtkArray { name: "offsets", values: VtkArrayValues::Integers(ends) },
    ];
    let (lines, polygons) = if D == 2 { (count, 0) } else { (0, count) };
    let mut entries = VtkArrayEntries::new(compressed);
    let piece = format!(
        "<Piece NumberOfPoints=\"{all}\" NumberOfVerts=\"0\" NumberOfLines=\"{lines}\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"{polygons}\">\n\
         <CellData Scalars=\"pressure\" Vectors=\"force\">\n{}</CellData>\n\
         <Points>\n{}</Points>\n<{kind}>\n{}</{kind}>\n</Piece>\n",
        entries.of(&cell_data)?,
        entries.of(&points)?,
        entries.of(&cells)?
    );
    write_file(out, frame, (&piece, entries), cell_data.iter().chain(&points).chain(&cells))
}

/// The part of a force along the normal of a triangle over its area, in 2D of a line over its length; zero for one
/// without area.
fn pressure<const D: usize>(corners: &[Vector<3>; 3], force: &Vector<3>) -> f64 {
    let side = corners[1] - corners[0];
    let across = match D {
        2 => Vector::from([-side.y, side.x, 0.0]),
        _ => 0.5 * side.cross(&(corners[2] - corners[0])),
    };
    let size = across.norm();
    if size > 0.0 { (force.dot(&across) / (size * size)).abs() } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pressure_is_a_force_per_area_or_length() {
        let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 3.0, 0.0]].map(Vector::from);
        let force = Vector::from([5.0, 0.0, -6.0]);
        assert_eq!(pressure::<3>(&corners, &force), 2.0);
        assert_eq!(pressure::<2>(&corners, &Vector::from([1.0, -6.0, 0.0])), 3.0);
        assert_eq!(pressure::<3>(&[corners[0]; 3], &force), 0.0);
    }
}
