//! The fields of one CSV line, quoted or not.

use super::separator::Separator;
use crate::{LineProblem, excerpt};

/// An iterator over the fields of a line, without surrounding white space and quotes.
pub(super) struct CsvFields<'a> {
    /// The unread rest of the line; `None` after the last field.
    rest: Option<&'a [u8]>,
    separator: Separator,
}

impl<'a> CsvFields<'a> {
    pub(super) fn of(line: &'a [u8], separator: Separator) -> Self {
        // A tab at an end of the line may stand beside an empty field.
        let end = line.iter().rposition(|&byte| !separator.may_precede(byte));
        CsvFields { rest: Some(&line[..end.map_or(0, |end| end + 1)]), separator }
    }

    fn plain(&mut self, text: &'a [u8]) -> &'a [u8] {
        let end = text.iter().position(|&byte| self.separator.is(byte));
        self.rest = end.map(|end| &text[end + 1..]);
        text[..end.unwrap_or(text.len())].trim_ascii()
    }

    /// `text` starts after the opening quote; a doubled quote stands for a quote and stays doubled.
    fn quoted(&mut self, text: &'a [u8]) -> Result<&'a [u8], LineProblem> {
        let mut end = 0;
        loop {
            match text.get(end) {
                None => return Err(LineProblem::UnclosedQuote),
                // A doubled quote is one of the text (RFC 4180).
                Some(b'"') if text.get(end + 1) == Some(&b'"') => end += 2,
                Some(b'"') => break,
                Some(_) => end += 1,
            }
        }
        let follows = self.plain(&text[end + 1..]);
        if !follows.is_empty() {
            return Err(LineProblem::AfterQuote { text: excerpt::value(follows) });
        }
        Ok(text[..end].trim_ascii())
    }
}

impl<'a> Iterator for CsvFields<'a> {
    type Item = Result<&'a [u8], LineProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.rest.take()?;
        let start = text.iter().position(|&byte| !self.separator.may_precede(byte));
        let text = &text[start.unwrap_or(text.len())..];
        match text.split_first() {
            Some((b'"', quoted)) => Some(self.quoted(quoted)),
            // Blanks at an end of the line separate nothing.
            None if self.separator == Separator::Blanks => None,
            _ => Some(Ok(self.plain(text))),
        }
    }
}
