//! The words of a text, line by line.

use super::MeshProblem;
use super::problem::LocatedMeshProblem;
use crate::cell;
use crate::cell::CellQuantity;
use crate::rows::without_byte_order_mark;

/// Names of the coordinates in messages.
pub(super) const AXES: [&str; 3] = ["x", "y", "z"];

/// Splits a text into words and knows the line number.
///
/// Words are separated by white space; `#` starts a comment, and `\` at the end of a line joins it with the next.
#[derive(Clone)]
pub(super) struct MeshTokenizer<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> MeshTokenizer<'a> {
    /// Starts at the beginning of a file.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        MeshTokenizer::from_line(without_byte_order_mark(bytes), 1)
    }

    /// Starts at the beginning of the line of this number.
    pub(super) fn from_line(bytes: &'a [u8], line: usize) -> Self {
        MeshTokenizer { bytes, at: 0, line }
    }

    /// Returns the line number.
    pub(super) fn line(&self) -> usize {
        self.line
    }

    /// Returns the unread rest.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Returns the next word of this line.
    #[inline]
    pub(super) fn word(&mut self) -> Option<&'a [u8]> {
        self.skip_blanks();
        let rest = self.rest();
        let length = rest.iter().position(|&byte| ends_word(byte)).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then(|| &rest[..length])
    }

    /// Moves to the next line; `false` if there is none.
    #[inline]
    pub(super) fn next_line(&mut self) -> bool {
        let rest = self.rest();
        let end = rest.iter().position(|&byte| byte == b'\n');
        self.at += end.map_or(rest.len(), |end| end + 1);
        self.line += usize::from(end.is_some());
        end.is_some()
    }

    /// Moves to the next word of this line or another; `false` if there is none.
    pub(super) fn next_content(&mut self) -> bool {
        loop {
            self.skip_blanks();
            if self.rest().first().is_some_and(|byte| !matches!(byte, b'\n' | b'#')) {
                return true;
            }
            if !self.next_line() {
                return false;
            }
        }
    }

    /// Returns an error if this line continues.
    pub(super) fn end_line(&mut self, rule: &'static str) -> Result<(), LocatedMeshProblem> {
        match self.word() {
            None => Ok(()),
            Some(word) => Err(MeshProblem::value("what follows", word, rule).at_line(self.line)),
        }
    }

    /// Returns the next word of this line, or an error if it is missing.
    pub(super) fn required(
        &mut self,
        what: &'static str,
        rule: &'static str,
    ) -> Result<&'a [u8], LocatedMeshProblem> {
        let line = self.line;
        self.word().ok_or_else(|| MeshProblem::Missing { what, rule }.at_line(line))
    }

    /// Returns three coordinates on this line.
    #[inline]
    pub(super) fn point(&mut self) -> Result<[f64; 3], LocatedMeshProblem> {
        let mut point = [0.0; 3];
        for (coordinate, axis) in point.iter_mut().zip(AXES) {
            *coordinate = self.coordinate(axis)?;
        }
        Ok(point)
    }

    /// Returns a coordinate of this name on this line.
    #[inline]
    pub(super) fn coordinate(&mut self, axis: &'static str) -> Result<f64, LocatedMeshProblem> {
        self.skip_blanks();
        if let Ok((number, length)) = fast_float2::parse_partial::<f64, _>(self.rest())
            && self.rest().get(length).is_none_or(|&byte| ends_word(byte))
            && CellQuantity::Coordinate.allows(number)
        {
            self.at += length;
            return Ok(number);
        }
        let word = self.required(axis, "a vertex has three coordinates")?;
        cell::parse_number(word, CellQuantity::Coordinate)
            .map_err(|rule| MeshProblem::value(axis, word, rule).at_line(self.line))
    }

    /// Returns a whole number on this line.
    #[inline]
    pub(super) fn integer(
        &mut self,
        what: &'static str,
        rule: &'static str,
    ) -> Result<i64, LocatedMeshProblem> {
        let word = self.required(what, rule)?;
        integer(word).ok_or_else(|| MeshProblem::value(what, word, rule).at_line(self.line))
    }

    /// Returns a whole number on this line that is not negative.
    #[inline]
    pub(super) fn count(
        &mut self,
        what: &'static str,
        rule: &'static str,
    ) -> Result<u64, LocatedMeshProblem> {
        let word = self.required(what, rule)?;
        let count = integer(word).and_then(|count| u64::try_from(count).ok());
        count.ok_or_else(|| MeshProblem::value(what, word, rule).at_line(self.line))
    }

    #[inline]
    fn skip_blanks(&mut self) {
        loop {
            match self.rest() {
                [b' ' | b'\t' | b'\r' | b'\x0b' | b'\x0c', ..] => self.at += 1,
                [b'\\', b'\n', ..] => self.advance(2),
                [b'\\', b'\r', b'\n', ..] => self.advance(3),
                _ => return,
            }
        }
    }

    fn advance(&mut self, length: usize) {
        self.at += length;
        self.line += 1;
    }
}

fn ends_word(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b' || byte == b'#'
}

/// Parses a word as a whole number.
#[inline]
pub(super) fn integer(word: &[u8]) -> Option<i64> {
    let (negative, digits) = match word {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let add = |number: i64, &digit: &u8| {
        let digit = digit.is_ascii_digit().then(|| i64::from(digit - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    };
    let number = digits.iter().try_fold(0, add).filter(|_| !digits.is_empty())?;
    Some(if negative { -number } else { number })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_know_their_line_and_comments_end_it() {
        let mut words = MeshTokenizer::new(b"\xef\xbb\xbfone  two# three\r\n\n four \\\n five\n");
        assert_eq!((words.word(), words.word()), (Some(&b"one"[..]), Some(&b"two"[..])));
        assert_eq!((words.word(), words.line()), (None, 1));
        assert!(words.next_content());
        assert_eq!((words.line(), words.word()), (3, Some(&b"four"[..])));
        assert_eq!((words.word(), words.line()), (Some(&b"five"[..]), 4));
        assert!(words.word().is_none() && !words.next_content());
    }

    #[test]
    fn whole_numbers_are_read_to_the_limit() {
        let cases: [(&[u8], Option<i64>); 7] = [
            (b"17", Some(17)),
            (b"-3", Some(-3)),
            (b"+3", Some(3)),
            (b"9223372036854775807", Some(i64::MAX)),
            (b"9223372036854775808", None),
            (b"-", None),
            (b"1.0", None),
        ];
        for (word, number) in cases {
            assert_eq!(integer(word), number, "{word:?}");
        }
    }
}
