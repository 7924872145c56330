//! Frames as LAMMPS dumps, for OVITO and ASE.

use super::{
    FrameColumns, box_in_space, check, embed_in_space, is_open, is_periodic, shape_number,
};
use crate::Frame;
use crate::write::row_buffer::RowBuffer;
use std::io::{self, Write};

/// Writes a frame as LAMMPS dump text, which OVITO and ASE open.
///
/// As in LAMMPS, `id` and `type` start at one: they are the id of the body and the index of its material, each plus one.
/// The time step is the number of the frame. A side that is not periodic is marked `f`, and discs lie in a box from
/// -0.5 to 0.5 along z. If bodies have shapes, there are `shape` (the index, -1 for none) and the quaternion
/// `quatw quati quatj quatk`, as LAMMPS and OVITO call it.
pub fn write_frame_dump<const D: usize>(
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
    let scalars: Vec<(&str, &[f64])> =
        frame.scalars().filter(|(name, _)| columns.has(name)).collect();
    let shapes = frame.shapes.as_ref().filter(|_| columns.has("shape"));
    let moving = columns.has("velocity");
    let mut rows = RowBuffer::new(out);
    write_header(&mut rows, frame)?;
    rows.text("ITEM: ATOMS id type x y z");
    rows.text(if moving { " vx vy vz" } else { "" });
    rows.text(" radius");
    rows.text(if shapes.is_some() { " shape quatw quati quatj quatk" } else { "" });
    for (name, _) in &scalars {
        rows.text(" ");
        rows.text(name);
    }
    rows.end_row()?;
    for body in 0..frame.len() {
        let material = frame.materials.as_ref().map_or(0, |materials| materials[body]);
        rows.text(itoa::Buffer::new().format(u64::from(frame.id(body)) + 1));
        rows.text(" ");
        rows.text(itoa::Buffer::new().format(u64::from(material) + 1));
        rows.text(" ");
        rows.numbers(embed_in_space(&frame.positions[body]), " ");
        if moving {
            rows.text(" ");
            rows.numbers(embed_in_space(&frame.velocities[body]), " ");
        }
        rows.text(" ");
        rows.number(frame.radii[body]);
        if let Some(shaped) = shapes {
            rows.text(" ");
            rows.text(itoa::Buffer::new().format(shape_number(&shaped.shape_of_body[body])));
            rows.text(" ");
            rows.numbers(shaped.orientations[body], " ");
        }
        for (_, values) in &scalars {
            rows.text(" ");
            rows.number(values[body]);
        }
        rows.end_row()?;
    }
    rows.finish()
}

fn write_header<const D: usize, W: Write + ?Sized>(
    rows: &mut RowBuffer<W>,
    frame: &Frame<D>,
) -> io::Result<()> {
    let mut item = |title: &str, value: &str| {
        for line in ["ITEM: ", title, "\n", value] {
            rows.text(line);
        }
        rows.end_row()
    };
    item("TIME", zmij::Buffer::new().format(frame.time))?;
    item("TIMESTEP", &frame.step.to_string())?;
    item("NUMBER OF ATOMS", &frame.len().to_string())?;
    write_box(rows, frame)
}

fn write_box<const D: usize, W: Write + ?Sized>(
    rows: &mut RowBuffer<W>,
    frame: &Frame<D>,
) -> io::Result<()> {
    rows.text("ITEM: BOX BOUNDS");
    for axis in 0..3 {
        rows.text(match () {
            // LAMMPS requires the flat axis of a 2D system to be periodic.
            () if axis >= D || is_periodic(frame, axis) => " pp",
            // Shrink-wrapped, as LAMMPS calls a side that follows the bodies.
            () if is_open(frame, axis) => " ss",
            () => " ff",
        });
    }
    rows.end_row()?;
    let [low, high] = box_in_space(frame);
    for axis in 0..3 {
        rows.numbers([low[axis], high[axis]], " ");
        rows.end_row()?;
    }
    Ok(())
}
