//! Lines of words, numbered for messages.

use super::frame_table::FrameTableColumn;
use super::problem::FrameReadProblem;
use crate::AxisExtent;

/// The lines of a text that are not yet read.
pub(super) struct FrameTextLines<'a> {
    rest: &'a [u8],
    /// Number of the line read last, from one.
    number: usize,
}

/// A column of a text: its name, and its number of components; one without a name is not read.
pub(super) type FrameColumnLayout<'a> = (Option<&'a str>, usize);

impl<'a> FrameTextLines<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        FrameTextLines { rest: bytes, number: 0 }
    }

    /// Returns the next line, which must exist.
    pub(super) fn next(&mut self, what: &str) -> Result<&'a [u8], FrameReadProblem> {
        if self.rest.is_empty() {
            return Err(FrameReadProblem::Short {
                what: "it".to_owned(),
                wanted: format!("{what} in line {}", self.number + 1),
                found: format!("only {} lines", self.number),
            });
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (line, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.get(1..).unwrap_or_default();
        self.number += 1;
        Ok(line.strip_suffix(b"\r").unwrap_or(line))
    }

    /// Returns the next line as a single whole number.
    pub(super) fn count(&mut self, what: &str) -> Result<usize, FrameReadProblem> {
        let line = self.next(what)?.trim_ascii();
        let number = str::from_utf8(line).ok().and_then(|text| text.parse().ok());
        number.ok_or_else(|| self.unexpected_word(line, what))
    }

    /// Returns the `N` numbers of the next line.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        what: &str,
    ) -> Result<[f64; N], FrameReadProblem> {
        let line = self.next(what)?;
        let mut words = words(line);
        let mut numbers = [0.0; N];
        for number in &mut numbers {
            let word = words.next().unwrap_or_default();
            *number = fast_float2::parse(word).map_err(|_| self.unexpected_word(word, what))?;
        }
        self.check_end(&mut words)?;
        Ok(numbers)
    }

    /// Refuses a surplus word, which may have shifted the others.
    fn check_end(
        &self,
        words: &mut impl Iterator<Item = &'a [u8]>,
    ) -> Result<(), FrameReadProblem> {
        words.next().map_or(Ok(()), |word| Err(self.unexpected_word(word, "the end of the line")))
    }

    /// Returns the columns of `count` rows.
    pub(super) fn rows(
        &mut self,
        layout: &[FrameColumnLayout],
        count: usize,
    ) -> Result<Vec<FrameTableColumn>, FrameReadProblem> {
        // Each word takes two bytes at least; a false count must not take all memory.
        let words_of_row = layout.iter().map(|(_, components)| components).sum::<usize>().max(1);
        let room = count.min(self.rest.len() / (2 * words_of_row) + 1);
        let column = |&(name, components): &FrameColumnLayout| FrameTableColumn {
            name: name.unwrap_or_default().to_owned(),
            components,
            values: Vec::with_capacity(if name.is_some() { room * components } else { 0 }),
        };
        let mut columns: Vec<FrameTableColumn> = layout.iter().map(column).collect();
        for row in 0..count {
            if self.rest.is_empty() {
                self.next(&format!("body {row} of {count}"))?;
            }
            let line = self.next("a body")?;
            let mut words = words(line);
            for (column, (name, components)) in columns.iter_mut().zip(layout) {
                for _ in 0..*components {
                    let word = words.next().unwrap_or_default();
                    if let Some(name) = name {
                        let number = fast_float2::parse(word);
                        let wrong = |_| self.unexpected_word(word, &format!("\"{name}\""));
                        column.values.push(number.map_err(wrong)?);
                    }
                }
            }
            self.check_end(&mut words)?;
        }
        if !self.rest.trim_ascii().is_empty() {
            let line = self.next("the end")?;
            if line.starts_with(b"ITEM: ") {
                return Err(FrameReadProblem::foreign("it has several frames; give one only"));
            }
            return Err(self.unexpected_word(line, "the end of the frame"));
        }
        columns.retain(|column| !column.name.is_empty());
        Ok(columns)
    }

    pub(super) fn unexpected_word(&self, value: &[u8], wanted: &str) -> FrameReadProblem {
        FrameReadProblem::word(self.number, value, wanted)
    }
}

pub(super) fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// Returns the extent of an axis from `low`; those of this program start at zero unless they are open.
pub(super) fn axis_extent(low: f64, length: f64, is_periodic: bool) -> AxisExtent {
    match (low == 0.0 && length > 0.0, is_periodic) {
        (false, _) => AxisExtent::Open,
        (true, true) => AxisExtent::Periodic(length),
        (true, false) => AxisExtent::Walls(length),
    }
}
