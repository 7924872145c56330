//! The springs between particles, so that a viewer shows where a solid is stretched and where it has cracked.

use super::check;
use super::vtk_array::{VtkArray, VtkArrayEntries, VtkArrayValues, write_file};
use crate::{Frame, FrameSprings};
use std::io::{self, Write};

/// Writes the springs of a frame as lines of VTK PolyData (`.vtp`) from particle to particle.
///
/// Every line has `strain` (its stretch), `broken` (1 or 0) and `length`; every point, one per particle, has `speed`.
/// To see what holds, take the lines with `broken` below 1 (a threshold in ParaView).
pub fn write_springs_vtp<const D: usize>(
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
    let none = FrameSprings::default();
    let FrameSprings { ends, strains, are_broken } = frame.springs.as_ref().unwrap_or(&none);
    let lengths: Vec<f64> = ends.iter().map(|&ends| frame.spring_separation(ends).norm()).collect();
    let cell_data = [
        VtkArray { name: "strain", values: VtkArrayValues::Scalars(strains) },
        VtkArray { name: "broken", values: VtkArrayValues::Integers(integers(are_broken)) },
        VtkArray { name: "length", values: VtkArrayValues::Scalars(&lengths) },
    ];
    let point_data = [VtkArray { name: "speed", values: VtkArrayValues::Norms(&frame.velocities) }];
    let points = [VtkArray { name: "position", values: VtkArrayValues::Vectors(&frame.positions) }];
    let offsets = (1..=ends.len() as i64).map(|line| 2 * line).collect();
    let lines = [
        VtkArray {
            name: "connectivity",
            values: VtkArrayValues::Integers(integers(ends.as_flattened())),
        },
        VtkArray { name: "offsets", values: VtkArrayValues::Integers(offsets) },
    ];
    let mut entries = VtkArrayEntries::new(compressed);
    let piece = format!(
        "<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
         <PointData Scalars=\"speed\">\n{}</PointData>\n\
         <CellData Scalars=\"strain\">\n{}</CellData>\n\
         <Points>\n{}</Points>\n<Lines>\n{}</Lines>\n</Piece>\n",
        frame.len(),
        ends.len(),
        entries.of(&point_data)?,
        entries.of(&cell_data)?,
        entries.of(&points)?,
        entries.of(&lines)?
    );
    let arrays = point_data.iter().chain(&cell_data).chain(&points).chain(&lines);
    write_file(out, frame, (&piece, entries), arrays)
}

fn integers<T: Copy + Into<i64>>(values: &[T]) -> Vec<i64> {
    values.iter().map(|&value| value.into()).collect()
}
