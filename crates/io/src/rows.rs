//! Parallel parsing of rows of text into spheres.
//!
//! The text is cut at line ends into pieces small enough to stay in the cache between the check for text and the
//! parsing. The pieces do not depend on the number of threads, and of all errors the one furthest up in the file is
//! reported.

use crate::{Error, LineProblem};
use carom_geometry::Sphere;
use rayon::prelude::*;

const PIECE: usize = 1 << 18;
const PIECES_PER_THREAD: usize = 8;

/// The parser of the rows of a format.
pub(super) trait RowFormat<const D: usize>: Sync {
    /// Returns the sphere of the row at the start of `rest` and the length of the row with its line end.
    ///
    /// `None` if the row is wrong or merely unusual: then [`RowFormat::parse_checked`] decides.
    fn parse_fast(&self, rest: &[u8]) -> Option<(Sphere<D>, usize)>;

    /// Returns the sphere of a line (without its end), or what is wrong with the line.
    fn parse_checked(&self, line: &[u8]) -> Result<Sphere<D>, LineProblem>;
}

/// The part of a file that holds rows.
#[derive(Clone, Copy)]
pub(super) struct RowSection<'a> {
    pub file: &'a str,
    pub bytes: &'a [u8],
    /// Number of the line at which `bytes` starts.
    pub first_line: usize,
}

/// A row that was refused, by its place in its piece.
struct RowParseError {
    offset: usize,
    problem: LineProblem,
}

/// Returns the spheres of all rows in their order; blank lines at the end are ignored.
pub(super) fn read<const D: usize>(
    body: RowSection,
    format: &impl RowFormat<D>,
) -> Result<Vec<Sphere<D>>, Error> {
    let pieces = split_into_pieces(without_blank_lines_at_the_end(body.bytes));
    let mut spheres = Vec::new();
    let mut start = 0;
    // A few pieces at a time, so that their memory is reused and stays in the cache.
    for batch in pieces.chunks(PIECES_PER_THREAD * rayon::current_num_threads()) {
        let parts: Vec<_> = batch.par_iter().map(|piece| read_piece(piece, format)).collect();
        for (part, piece) in parts.into_iter().zip(batch) {
            let part = part.map_err(|refusal| into_error(body, start, refusal))?;
            if spheres.is_empty() {
                let total = guess_total(part.len(), piece.len(), body.bytes.len());
                // Only an estimate; if there is no room for it, the vector grows step by step.
                let _ = spheres.try_reserve_exact(total);
            }
            spheres.extend_from_slice(&part);
            start += piece.len();
        }
    }
    check_count(body.file, spheres.len() as u64)?;
    Ok(spheres)
}

/// Trims blank lines at the end. A last row keeps its tabs, next to which there may be empty fields.
fn without_blank_lines_at_the_end(bytes: &[u8]) -> &[u8] {
    let written = bytes.trim_ascii_end().len();
    &bytes[..written + first_line(&bytes[written..]).len()]
}

/// Returns the centers, with zero for a missing third axis.
pub(super) fn centers<const D: usize>(spheres: &[Sphere<D>]) -> Vec<[f64; 3]> {
    let center = |sphere: &Sphere<D>| {
        std::array::from_fn(|axis| if axis < D { sphere.center[axis] } else { 0.0 })
    };
    spheres.iter().map(center).collect()
}

/// Returns the radii.
pub(super) fn sizes<const D: usize>(spheres: &[Sphere<D>]) -> Vec<f64> {
    spheres.iter().map(|sphere| sphere.radius).collect()
}

/// Estimates the number of rows from the first piece, with a small surplus.
fn guess_total(rows: usize, piece: usize, whole: usize) -> usize {
    let guess = rows as f64 * (whole as f64 / piece as f64);
    (1.02 * guess) as usize + 1
}

/// Returns an error if there are more particles than indices.
pub(super) fn check_count(file: &str, count: u64) -> Result<(), Error> {
    if count > u64::from(u32::MAX) {
        return Err(Error::TooManyParticles { file: file.to_owned(), count });
    }
    Ok(())
}

/// Splits the text into pieces of whole lines.
fn split_into_pieces(mut text: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    while !text.is_empty() {
        let (piece, rest) = text.split_at(piece_length(text));
        pieces.push(piece);
        text = rest;
    }
    pieces
}

fn piece_length(text: &[u8]) -> usize {
    let tail = text.get(PIECE..).unwrap_or_default();
    let to_line_end = tail.iter().position(|&byte| byte == b'\n');
    to_line_end.map_or(text.len(), |extra| PIECE + extra + 1)
}

fn read_piece<const D: usize>(
    piece: &[u8],
    format: &impl RowFormat<D>,
) -> Result<Vec<Sphere<D>>, RowParseError> {
    let text = lines_of_text(piece);
    let mut spheres = Vec::with_capacity(guess_rows(text));
    let mut offset = 0;
    while offset < text.len() {
        let rest = &text[offset..];
        let (sphere, length) = match format.parse_fast(rest) {
            Some(row) => row,
            None => read_line(rest, format).map_err(|problem| RowParseError { offset, problem })?,
        };
        spheres.push(sphere);
        offset += length;
    }
    if text.len() < piece.len() {
        return Err(RowParseError { offset, problem: LineProblem::NotText });
    }
    Ok(spheres)
}

fn read_line<const D: usize>(
    rest: &[u8],
    format: &impl RowFormat<D>,
) -> Result<(Sphere<D>, usize), LineProblem> {
    let line = first_line(rest);
    if line.trim_ascii().is_empty() {
        return Err(LineProblem::Blank);
    }
    let length = (line.len() + 1).min(rest.len());
    Ok((format.parse_checked(line)?, length))
}

/// Returns the lines before the first one that is not text.
fn lines_of_text(piece: &[u8]) -> &[u8] {
    if is_plain(piece) {
        return piece;
    }
    let valid = match std::str::from_utf8(piece) {
        Ok(_) => piece.len(),
        Err(error) => error.valid_up_to(),
    };
    let Some(bad) = piece[..valid]
        .iter()
        .position(|&byte| byte == 0)
        .or_else(|| (valid < piece.len()).then_some(valid))
    else {
        return piece;
    };
    let line_start = piece[..bad].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    &piece[..line_start]
}

/// Whether all bytes are ASCII and none is NUL; without a branch, so that the compiler vectorizes it.
fn is_plain(piece: &[u8]) -> bool {
    piece.iter().fold(true, |plain, &byte| plain & (byte.wrapping_sub(1) < 127))
}

/// Estimates the number of rows from the length of the first, with a small surplus.
fn guess_rows(text: &[u8]) -> usize {
    let row = first_line(text).len() + 1;
    text.len() / row + text.len() / row / 8 + 1
}

fn into_error(body: RowSection, start: usize, refusal: RowParseError) -> Error {
    let before = &body.bytes[..start + refusal.offset];
    let line = body.first_line + before.iter().filter(|&&byte| byte == b'\n').count();
    Error::at_line(body.file, line, refusal.problem)
}

/// Returns the bytes before the first line end, or all.
pub(super) fn first_line(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    &bytes[..end]
}

/// Returns the line at the start of `bytes` as text, and what follows its end.
pub(super) fn split_line(bytes: &[u8]) -> Result<(&[u8], &[u8]), LineProblem> {
    let line = first_line(bytes);
    if line.contains(&0) || std::str::from_utf8(line).is_err() {
        return Err(LineProblem::NotText);
    }
    let rest = bytes.get(line.len() + 1..).unwrap_or_default();
    Ok((line, rest))
}

/// Returns the length of the line end at the start of `rest`; `None` if there is none.
#[inline(always)]
pub(super) fn line_end(rest: &[u8]) -> Option<usize> {
    match rest {
        [] => Some(0),
        [b'\n', ..] => Some(1),
        [b'\r', b'\n', ..] => Some(2),
        _ => None,
    }
}

/// Returns the bytes after the byte order mark that some programs write before UTF-8.
pub(super) fn without_byte_order_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_whole_lines_and_together_the_text() {
        let text: Vec<u8> = (0..700_000).flat_map(|i| format!("{i}\n").into_bytes()).collect();
        let pieces = split_into_pieces(&text);
        assert!(pieces.len() > 3);
        assert!(pieces.iter().all(|piece| piece.ends_with(b"\n")));
        assert_eq!(pieces.concat(), text);
    }

    #[test]
    fn more_particles_than_indices_are_refused() {
        assert!(check_count("a.csv", u64::from(u32::MAX)).is_ok());
        assert_eq!(
            check_count("a.csv", 1 << 32).unwrap_err().to_string(),
            "a.csv holds 4294967296 particles; at most 4294967295 can be read"
        );
    }
}
