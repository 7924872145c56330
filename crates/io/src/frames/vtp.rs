//! VTK PolyData: an XML header with the offset of each array, then the arrays as raw bytes.

use super::vtk_array::{VtkArray, VtkArrayEntries, VtkArrayValues, write_file};
use super::{FrameColumns, FrameWriteOptions, check, shape_number};
use crate::Frame;
use std::io::{self, Write};

/// Writes a frame as VTK PolyData (`.vtp`), which ParaView and PyVista open.
///
/// There are one point and one vertex per body with `radius`, `speed`, `velocity`, `id` (the index, from zero), the
/// mass if there is one, `material` (the index) if there are several, `shape` (the index, -1 for none) and
/// `orientation` (a quaternion w, x, y, z) if bodies have shapes, and additional columns. The time is `TimeValue`, the
/// edge lengths of the region are `box` (zero along z for discs), and `periodic` is 1 for each periodic axis.
pub fn write_frame_vtp<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
) -> io::Result<()> {
    write(out, frame, &FrameWriteOptions::default())
}

pub(super) fn write<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    how: &FrameWriteOptions,
) -> io::Result<()> {
    check(frame)?;
    let count = frame.len();
    let counted =
        |name, first| VtkArray { name, values: VtkArrayValues::Sequence { first, count } };
    let point_data = point_data(frame, &how.columns);
    let points = [VtkArray { name: "position", values: VtkArrayValues::Vectors(&frame.positions) }];
    let vertices = [counted("connectivity", 0), counted("offsets", 1)];
    let mut entries = VtkArrayEntries::new(how.compressed);
    let shown = [("Scalars", "speed"), ("Vectors", "velocity")];
    let shown: String = (shown.iter().filter(|(_, name)| how.columns.has(name)))
        .map(|(kind, name)| format!(" {kind}=\"{name}\""))
        .collect();
    let piece = format!(
        "<Piece NumberOfPoints=\"{count}\" NumberOfVerts=\"{count}\" NumberOfLines=\"0\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
         <PointData{shown}>\n{}</PointData>\n\
         <Points>\n{}</Points>\n<Verts>\n{}</Verts>\n</Piece>\n",
        entries.of(&point_data)?,
        entries.of(&points)?,
        entries.of(&vertices)?
    );
    write_file(out, frame, (&piece, entries), point_data.iter().chain(&points).chain(&vertices))
}

fn point_data<'a, const D: usize>(
    frame: &'a Frame<D>,
    columns: &FrameColumns,
) -> Vec<VtkArray<'a, D>> {
    let ids = match &frame.ids {
        Some(ids) => VtkArrayValues::Integers(ids.iter().map(|&id| i64::from(id)).collect()),
        None => VtkArrayValues::Sequence { first: 0, count: frame.len() },
    };
    let mut point_data = vec![
        VtkArray { name: "radius", values: VtkArrayValues::Scalars(&frame.radii) },
        VtkArray { name: "speed", values: VtkArrayValues::Norms(&frame.velocities) },
        VtkArray { name: "velocity", values: VtkArrayValues::Vectors(&frame.velocities) },
        VtkArray { name: "id", values: ids },
    ];
    if let Some(shaped) = &frame.shapes {
        let numbers = shaped.shape_of_body.iter().map(shape_number).collect();
        point_data.push(VtkArray { name: "shape", values: VtkArrayValues::Integers(numbers) });
        let values = VtkArrayValues::Quaternions(&shaped.orientations);
        point_data.push(VtkArray { name: "orientation", values });
    }
    if let Some(materials) = &frame.materials {
        let numbers = materials.iter().map(|&number| i64::from(number)).collect();
        point_data.push(VtkArray { name: "material", values: VtkArrayValues::Integers(numbers) });
    }
    let scalars = frame.scalars();
    point_data.extend(
        scalars.map(|(name, values)| VtkArray { name, values: VtkArrayValues::Scalars(values) }),
    );
    point_data.retain(|array| columns.has(array.name));
    point_data
}
