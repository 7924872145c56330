//! LAMMPS dump as [`write_frame_dump`](super::super::write_frame_dump) writes it.

use super::FrameHead;
use super::problem::Damage;
use super::table::{Column, Table};
use super::text::{Layout, Lines, span, words};
use crate::Span;

/// Columns that belong together, and what frames call them.
const VECTORS: [(&str, &[&str]); 3] = [
    ("position", &["x", "y", "z"]),
    ("velocity", &["vx", "vy", "vz"]),
    ("orientation", &["quatw", "quati", "quatj", "quatk"]),
];

pub(super) fn head(bytes: &[u8]) -> Result<FrameHead, Damage> {
    let (time, _, bodies) = start(&mut Lines::new(bytes))?;
    Ok(FrameHead { time, bodies })
}

/// Time, step and number of bodies.
fn start(lines: &mut Lines) -> Result<(f64, u64, usize), Damage> {
    item(lines, "TIME")?;
    let [time] = lines.numbers("a time")?;
    if !f64::is_finite(time) {
        return Err(lines.wrong(time.to_string().as_bytes(), "a finite time"));
    }
    item(lines, "TIMESTEP")?;
    let step = lines.count("a number of steps")?;
    item(lines, "NUMBER OF ATOMS")?;
    Ok((time, step as u64, lines.count("the number of bodies")?))
}

pub(super) fn bodies(bytes: &[u8]) -> Result<Table, Damage> {
    let mut lines = Lines::new(bytes);
    let (time, step, count) = start(&mut lines)?;
    let sides: Vec<bool> =
        words(item(&mut lines, "BOX BOUNDS")?).map(|side| side == b"pp").collect();
    let mut region = [Span::Open; 3];
    for (axis, place) in region.iter_mut().enumerate() {
        let [low, high] = lines.numbers("two sides of the box")?;
        *place = span(low, high - low, sides.get(axis) == Some(&true));
    }
    let names = str::from_utf8(item(&mut lines, "ATOMS")?);
    let names = names.map_err(|_| Damage::foreign("names of its columns are no text"))?;
    let layout = layout(names);
    let mut table = Table { time, step, region, columns: lines.rows(&layout, count)? };
    keep_materials(&mut table.columns);
    Ok(table)
}

/// The rest of a line that must begin so.
fn item<'a>(lines: &mut Lines<'a>, title: &str) -> Result<&'a [u8], Damage> {
    let wanted = format!("ITEM: {title}");
    let line = lines.next(&wanted)?;
    line.strip_prefix(wanted.as_bytes()).ok_or_else(|| lines.wrong(line, &wanted))
}

/// The columns under the names of VTK.
fn layout(names: &str) -> Vec<Layout<'_>> {
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
                layout.push(((first != "id").then_some(first), 1));
                rest = after;
            }
        }
    }
    layout
}

/// Types count from one, materials from zero; a single one says nothing.
fn keep_materials(columns: &mut Vec<Column>) {
    for column in columns.iter_mut().filter(|column| column.name == "type") {
        column.name = "material".to_owned();
        column.values.iter_mut().for_each(|number| *number -= 1.0);
    }
    columns.retain(|it| it.name != "material" || it.values.iter().any(|&number| number != 0.0));
}
