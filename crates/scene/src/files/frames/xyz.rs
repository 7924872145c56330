use super::{box_in_space, check, in_space, is_periodic, shape_number};
use crate::files::write::row_buffer::RowBuffer;
use crate::{Frame, Span};
use std::io::{self, Write};

/// Writes a frame as extended XYZ, which OVITO and ASE open;
/// [`parse_xyz`](crate::files::parse_xyz) gives back the same bits of positions and radii.
///
/// There is a `Lattice` unless every axis is open; along an open axis it spans the bodies. After the
/// velocities come, if bodies have shapes, `shape` (the index, -1 for none) and `orientation` (a quaternion
/// in OVITO's order x, y, z, w), then masses and further columns.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_scene::{Frame, Span, files::write_frame_xyz};
/// let frame = Frame {
///     time: 1.5,
///     step: 7,
///     number: 0,
///     region: [Span::Periodic(4.0), Span::Walls(3.0)],
///     positions: vec![Vector::from([1.0, 2.0])],
///     velocities: vec![Vector::from([0.1, 0.0])],
///     radii: vec![0.5],
///     masses: None,
///     materials: None,
///     shapes: None,
///     springs: None,
///     shown: None,
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
    check(frame)?;
    let scalars: Vec<&[f64]> = frame.scalars().map(|(_, values)| values).collect();
    let mut rows = RowBuffer::new(out);
    rows.text(&frame.len().to_string());
    rows.end_row()?;
    write_comment(&mut rows, frame);
    rows.end_row()?;
    for body in 0..frame.len() {
        rows.text("X ");
        rows.numbers(in_space(&frame.positions[body]), " ");
        rows.text(" ");
        rows.number(frame.radii[body]);
        rows.text(" ");
        rows.numbers(in_space(&frame.velocities[body]), " ");
        if let Some(shaped) = &frame.shapes {
            let [w, x, y, z] = shaped.orientations[body];
            rows.text(" ");
            rows.text(itoa::Buffer::new().format(shape_number(&shaped.of_body[body])));
            rows.text(" ");
            rows.numbers([x, y, z, w], " ");
        }
        for values in &scalars {
            rows.text(" ");
            rows.number(values[body]);
        }
        rows.end_row()?;
    }
    rows.finish()
}

fn write_comment<const D: usize, W: Write + ?Sized>(rows: &mut RowBuffer<W>, frame: &Frame<D>) {
    if frame.region.iter().any(|&span| span != Span::Open) {
        write_lattice(rows, frame);
    }
    rows.text("Properties=species:S:1:pos:R:3:radius:R:1:velo:R:3");
    if frame.shapes.is_some() {
        rows.text(":shape:I:1:orientation:R:4");
    }
    for (name, _) in frame.scalars() {
        rows.text(":");
        rows.text(name);
        rows.text(":R:1");
    }
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
