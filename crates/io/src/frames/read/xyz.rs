//! Extended XYZ as [`write_frame_xyz`](super::super::write_frame_xyz) writes it.

use super::FrameHeader;
use super::frame_table::FrameTable;
use super::problem::FrameReadProblem;
use super::text_lines::{FrameColumnLayout, FrameTextLines, axis_extent};
use crate::AxisExtent;

pub(super) fn header(bytes: &[u8]) -> Result<FrameHeader, FrameReadProblem> {
    let mut lines = FrameTextLines::new(bytes);
    let bodies = lines.count("the number of bodies")?;
    let comment = XyzFrameComment::of(&mut lines)?;
    Ok(FrameHeader { time: comment.time()?, bodies })
}

pub(super) fn bodies(bytes: &[u8]) -> Result<FrameTable, FrameReadProblem> {
    let mut lines = FrameTextLines::new(bytes);
    let count = lines.count("the number of bodies")?;
    let comment = XyzFrameComment::of(&mut lines)?;
    let mut table = FrameTable {
        time: Some(comment.time()?),
        step: comment.value("Step").and_then(|step| step.parse().ok()).unwrap_or(0),
        region: comment.region(),
        periods: comment.region().map(AxisExtent::period),
        is_flat: comment.value("dimension") == Some("2"),
        columns: lines.rows(&comment.layout()?, count)?,
    };
    // OVITO writes the real part last, frames have it first.
    for column in table.columns.iter_mut().filter(|column| column.name == "orientation") {
        column.values.as_chunks_mut::<4>().0.iter_mut().for_each(|turn| turn.rotate_right(1));
    }
    Ok(table)
}

/// The second line.
struct XyzFrameComment<'a>(&'a str);

impl<'a> XyzFrameComment<'a> {
    fn of(lines: &mut FrameTextLines<'a>) -> Result<Self, FrameReadProblem> {
        let line = lines.next("a comment with Properties")?;
        let text = str::from_utf8(line).map_err(|_| lines.unexpected_word(line, "text"))?;
        Ok(XyzFrameComment(text))
    }

    /// Returns the value behind `key=`, without its quotes.
    fn value(&self, key: &str) -> Option<&'a str> {
        let mark = format!("{key}=");
        let starts = |place: &usize| *place == 0 || self.0.as_bytes()[place - 1] == b' ';
        let place = self.0.match_indices(&mark).map(|(place, _)| place).find(starts)?;
        let text = &self.0[place + mark.len()..];
        match text.strip_prefix('"') {
            Some(quoted) => quoted.split('"').next(),
            None => text.split(' ').next(),
        }
    }

    fn time(&self) -> Result<f64, FrameReadProblem> {
        let time = self.value("Time").and_then(|time| time.parse().ok());
        time.filter(|time: &f64| time.is_finite())
            .ok_or_else(|| FrameReadProblem::Missing("Time".to_owned()))
    }

    /// Returns the columns under the names of VTK.
    fn layout(&self) -> Result<Vec<FrameColumnLayout<'a>>, FrameReadProblem> {
        let missing = || FrameReadProblem::Missing("Properties".to_owned());
        let words: Vec<&str> = self.value("Properties").ok_or_else(missing)?.split(':').collect();
        let column = |three: &[&'a str]| {
            let [name, kind, count] = three[..] else { return None };
            let count = count.parse().ok().filter(|count| (1..=9).contains(count))?;
            let name = match (name, kind) {
                // Momenta follow from masses and velocities.
                (_, "S") | ("id" | "momenta", _) => None,
                ("masses", _) if words.contains(&"mass") => None,
                ("masses", _) => Some("mass"),
                ("pos", _) => Some("position"),
                ("velo", _) => Some("velocity"),
                _ => Some(name),
            };
            Some((name, count))
        };
        words.chunks(3).map(|three| column(three).ok_or_else(missing)).collect()
    }

    fn region(&self) -> [AxisExtent; 3] {
        let numbers = |key: &str| -> Vec<f64> {
            let words = self.value(key).unwrap_or_default().split_ascii_whitespace();
            words.map(|word| word.parse().unwrap_or(0.0)).collect()
        };
        let (lattice, origin) = (numbers("Lattice"), numbers("Origin"));
        let periodic: Vec<&str> = self.value("pbc").unwrap_or_default().split(' ').collect();
        std::array::from_fn(|axis| {
            let length = lattice.get(4 * axis).copied().unwrap_or(0.0);
            let low = origin.get(axis).copied().unwrap_or(0.0);
            axis_extent(low, length, periodic.get(axis) == Some(&"T"))
        })
    }
}
