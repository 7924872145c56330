//! Frames as extended XYZ, for OVITO and ASE.

use super::{FrameColumns, box_in_space, check, embed_in_space, is_periodic, shape_number};
use crate::write::row_buffer::RowBuffer;
use crate::{AxisExtent, Frame, FrameShapes};
use std::io::{self, Write};

/// Writes a frame as extended XYZ, which OVITO and ASE open; [`parse_xyz`](crate::parse_xyz) gives back the same
/// bits of positions and radii.
///
/// There is a `Lattice` unless every axis is open; along an open axis it spans the bodies. After the velocities come,
/// if there are masses, `mass` for OVITO, `masses` and `momenta` for ASE; if bodies have shapes, `shape` (the index, -1
/// for none) and `orientation` (a quaternion in OVITO's order x, y, z, w); `material` (the index, from zero) if there
/// are several; then additional columns.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_io::{AxisExtent, Frame, write_frame_xyz};
/// let frame = Frame {
///     time: 1.5,
///     step: 7,
///     number: 0,
///     region: [AxisExtent::Periodic(4.0), AxisExtent::Walls(3.0)],
///     positions: vec![Vector::from([1.0, 2.0])],
///     velocities: vec![Vector::from([0.1, 0.0])],
///     radii: vec![0.5],
///     masses: None,
///     materials: None,
///     shapes: None,
///     springs: None,
///     contacts: None,
///     walls: None,
///     ids: None,
///     color_by: None,
///     columns: vec![],
/// };
/// let mut text = Vec::new();
/// write_frame_xyz(&mut text, &frame)?;
/// let expected = "1\n\
///     Lattice=\"4.0 0 0 0 3.0 0 0 0 1.0\" Origin=\"0.0 0.0 -0.5\" \
///     Properties=species:S:1:pos:R:3:radius:R:1:velo:R:3 \
///     pbc=\"T F F\" Time=1.5 Step=7 dimension=2\n\
///     X 1.0 2.0 0.0 0.5 0.1 0.0 0.0\n";
/// assert_eq!(String::from_utf8_lossy(&text), expected);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_frame_xyz<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
) -> io::Result<()> {
    write(out, frame, &FrameColumns::all())
}

pub(super) fn write<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    columns: &FrameColumns,
) -> io::Result<()> {
    check(frame)?;
    let parts = XyzFrameColumns::of(frame, columns);
    let mut rows = RowBuffer::new(out);
    rows.text(&frame.len().to_string());
    rows.end_row()?;
    write_comment(&mut rows, frame, &parts);
    rows.end_row()?;
    for body in 0..frame.len() {
        rows.text("X ");
        rows.numbers(embed_in_space(&frame.positions[body]), " ");
        rows.text(" ");
        rows.number(frame.radii[body]);
        if parts.has_velocities {
            rows.text(" ");
            rows.numbers(embed_in_space(&frame.velocities[body]), " ");
        }
        if let Some(masses) = parts.masses {
            rows.text(" ");
            rows.numbers([masses[body]; 2], " ");
            if parts.has_velocities {
                rows.text(" ");
                rows.numbers(embed_in_space(&(masses[body] * frame.velocities[body])), " ");
            }
        }
        if let Some(shaped) = parts.shapes {
            let [w, x, y, z] = shaped.orientations[body];
            rows.text(" ");
            rows.text(itoa::Buffer::new().format(shape_number(&shaped.shape_of_body[body])));
            rows.text(" ");
            rows.numbers([x, y, z, w], " ");
        }
        if let Some(materials) = parts.materials {
            rows.text(" ");
            rows.text(itoa::Buffer::new().format(materials[body]));
        }
        for (_, values) in &parts.extra_columns {
            rows.text(" ");
            rows.number(values[body]);
        }
        rows.end_row()?;
    }
    rows.finish()
}

/// The columns of a frame besides positions and radii.
struct XyzFrameColumns<'a> {
    /// Whether there are velocities.
    has_velocities: bool,
    masses: Option<&'a [f64]>,
    shapes: Option<&'a FrameShapes>,
    materials: Option<&'a [u32]>,
    extra_columns: Vec<(&'a str, &'a [f64])>,
}

impl<'a> XyzFrameColumns<'a> {
    fn of<const D: usize>(frame: &'a Frame<D>, columns: &FrameColumns) -> Self {
        let further = frame.columns.iter().filter(|(name, _)| columns.has(name));
        XyzFrameColumns {
            has_velocities: columns.has("velocity"),
            masses: frame.masses.as_deref().filter(|_| columns.has("mass")),
            shapes: frame.shapes.as_ref().filter(|_| columns.has("shape")),
            materials: frame.materials.as_deref().filter(|_| columns.has("material")),
            extra_columns: further
                .map(|(name, values)| (name.as_str(), values.as_slice()))
                .collect(),
        }
    }

    /// Returns the properties after the first, as ASE and OVITO call them.
    fn properties(&self) -> String {
        let mut text = "Properties=species:S:1:pos:R:3:radius:R:1".to_owned();
        text += if self.has_velocities { ":velo:R:3" } else { "" };
        text += if self.masses.is_some() { ":mass:R:1:masses:R:1" } else { "" };
        text += if self.masses.is_some() && self.has_velocities { ":momenta:R:3" } else { "" };
        text += if self.shapes.is_some() { ":shape:I:1:orientation:R:4" } else { "" };
        text += if self.materials.is_some() { ":material:I:1" } else { "" };
        self.extra_columns.iter().for_each(|(name, _)| text += &format!(":{name}:R:1"));
        text
    }
}

fn write_comment<const D: usize, W: Write + ?Sized>(
    rows: &mut RowBuffer<W>,
    frame: &Frame<D>,
    parts: &XyzFrameColumns,
) {
    if frame.region.iter().any(|&span| span != AxisExtent::Open) {
        write_lattice(rows, frame);
    }
    rows.text(&parts.properties());
    rows.text(" pbc=\"");
    for axis in 0..3 {
        rows.text(if axis > 0 { " " } else { "" });
        rows.text(if is_periodic(frame, axis) { "T" } else { "F" });
    }
    rows.text("\" Time=");
    rows.number(frame.time);
    rows.text(" Step=");
    rows.text(&frame.step.to_string());
    rows.text(if D == 2 { " dimension=2" } else { "" });
}

fn write_lattice<const D: usize, W: Write + ?Sized>(rows: &mut RowBuffer<W>, frame: &Frame<D>) {
    let [low, high] = box_in_space(frame);
    rows.text("Lattice=\"");
    for axis in 0..3 {
        rows.text(if axis > 0 { " 0 0 0 " } else { "" });
        rows.number(high[axis] - low[axis]);
    }
    rows.text("\" Origin=\"");
    rows.numbers(low, " ");
    rows.text("\" ");
}
