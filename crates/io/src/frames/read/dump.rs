//! LAMMPS dump as [`write_frame_dump`](super::super::write_frame_dump) writes it.

use super::FrameHeader;
use super::frame_table::{FrameTable, FrameTableColumn};
use super::problem::FrameReadProblem;
use super::text_lines::{FrameColumnLayout, FrameTextLines, axis_extent, words};
use crate::AxisExtent;

/// Names of vectors in frames, and the columns of their components.
const VECTORS: [(&str, &[&str]); 3] = [
    ("position", &["x", "y", "z"]),
    ("velocity", &["vx", "vy", "vz"]),
    ("orientation", &["quatw", "quati", "quatj", "quatk"]),
];

/// Columns of words, which are ignored.
const UNREAD: [&str; 2] = ["element", "typelabel"];

pub(super) fn header(bytes: &[u8]) -> Result<FrameHeader, FrameReadProblem> {
    let start = LammpsDumpHeader::of(&mut FrameTextLines::new(bytes))?;
    let time = start.time.ok_or_else(|| FrameReadProblem::Missing("TIME".to_owned()))?;
    Ok(FrameHeader { time, bodies: start.bodies })
}

/// The items before the box.
struct LammpsDumpHeader {
    /// Simulated time, which LAMMPS writes only on request.
    time: Option<f64>,
    step: u64,
    bodies: usize,
}

impl LammpsDumpHeader {
    fn of(lines: &mut FrameTextLines) -> Result<Self, FrameReadProblem> {
        let (mut time, mut step) = (None, 0);
        loop {
            let line = lines.next("ITEM: TIMESTEP")?;
            match line.strip_prefix(b"ITEM: ".as_slice()) {
                Some(b"UNITS") => drop(lines.next("units")?),
                Some(b"TIME") => {
                    let [found] = lines.numbers("a time")?;
                    if !f64::is_finite(found) {
                        return Err(
                            lines.unexpected_word(found.to_string().as_bytes(), "a finite time")
                        );
                    }
                    time = Some(found);
                }
                Some(b"TIMESTEP") => step = lines.count("a number of steps")? as u64,
                Some(b"NUMBER OF ATOMS") => {
                    return Ok(LammpsDumpHeader {
                        time,
                        step,
                        bodies: lines.count("the number of bodies")?,
                    });
                }
                _ => return Err(lines.unexpected_word(line, "ITEM: TIMESTEP")),
            }
        }
    }
}

pub(super) fn bodies(bytes: &[u8]) -> Result<FrameTable, FrameReadProblem> {
    let mut lines = FrameTextLines::new(bytes);
    let LammpsDumpHeader { time, step, bodies } = LammpsDumpHeader::of(&mut lines)?;
    let sides: Vec<&[u8]> = words(item(&mut lines, "BOX BOUNDS")?).collect();
    if sides.len() > 3 {
        return Err(FrameReadProblem::foreign(
            "its box is triclinic; only boxes along the axes are read",
        ));
    }
    let (mut region, mut periods, mut bounds) = ([AxisExtent::Open; 3], [None; 3], [0.0; 2]);
    for axis in 0..3 {
        let [low, high] = lines.numbers("two sides of the box")?;
        let side = sides.get(axis).copied().unwrap_or_default();
        let periodic = side == b"pp";
        // A shrink-wrapped side is no side of a box.
        let length = if side.contains(&b's') { 0.0 } else { high - low };
        region[axis] = axis_extent(low, length, periodic);
        periods[axis] = (periodic && high > low).then_some(high - low);
        bounds = [low, high];
    }
    let names = str::from_utf8(item(&mut lines, "ATOMS")?);
    let names = names.map_err(|_| FrameReadProblem::foreign("names of its columns are no text"))?;
    let is_scaled = |name: &str| ["xs", "xu", "xsu"].contains(&name);
    if names.split_ascii_whitespace().any(is_scaled) {
        return Err(FrameReadProblem::foreign("its positions are scaled or unwrapped; dump x y z"));
    }
    let mut columns = lines.rows(&layout(names), bodies)?;
    sort_by_number(&mut columns);
    // As LAMMPS and this program write 2D systems.
    let in_plane = columns.iter().all(|it| it.name != "position" || lies_in_plane(it));
    let is_flat = bounds[0] == -bounds[1] && periods[2].is_some() && in_plane;
    let mut table = FrameTable { time, step, region, periods, is_flat, columns };
    keep_materials(&mut table.columns);
    Ok(table)
}

/// Sorts bodies by their ids, which LAMMPS writes in any order; the ids themselves are left out.
fn sort_by_number(columns: &mut Vec<FrameTableColumn>) {
    let Some(place) = columns.iter().position(|column| column.name == "id") else { return };
    let numbers = columns.remove(place).values;
    if numbers.is_sorted() {
        return;
    }
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&a, &b| numbers[a].total_cmp(&numbers[b]));
    for column in columns {
        let width = column.components;
        let rows = order.iter().flat_map(|&row| &column.values[row * width..(row + 1) * width]);
        column.values = rows.copied().collect();
    }
}

/// Whether every third coordinate is zero.
fn lies_in_plane(positions: &FrameTableColumn) -> bool {
    positions.values.iter().skip(2).step_by(3).all(|&z| z == 0.0)
}

/// Returns the rest of a line that must begin with `ITEM: ` and the title.
fn item<'a>(lines: &mut FrameTextLines<'a>, title: &str) -> Result<&'a [u8], FrameReadProblem> {
    let wanted = format!("ITEM: {title}");
    let line = lines.next(&wanted)?;
    line.strip_prefix(wanted.as_bytes()).ok_or_else(|| lines.unexpected_word(line, &wanted))
}

/// Returns the columns under the names of VTK.
fn layout(names: &str) -> Vec<FrameColumnLayout<'_>> {
    let words: Vec<&str> = names.split_ascii_whitespace().collect();
    let (mut layout, mut rest) = (Vec::new(), &words[..]);
    while let Some((&first, after)) = rest.split_first() {
        let vector = VECTORS.into_iter().find(|(_, parts)| rest.starts_with(parts));
        match vector {
            Some((name, parts)) => {
                layout.push((Some(name), parts.len()));
                rest = &rest[parts.len()..];
            }
            None => {
                layout.push(((!UNREAD.contains(&first)).then_some(first), 1));
                rest = after;
            }
        }
    }
    layout
}

/// Turns types, which count from one, into materials, which count from zero; a single material is left out.
fn keep_materials(columns: &mut Vec<FrameTableColumn>) {
    for column in columns.iter_mut().filter(|column| column.name == "type") {
        column.name = "material".to_owned();
        column.values.iter_mut().for_each(|number| *number -= 1.0);
    }
    columns.retain(|it| it.name != "material" || it.values.iter().any(|&number| number != 0.0));
}
