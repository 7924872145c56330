//! The fields of one CSV line, quoted or not.

use crate::{LineProblem, excerpt};

/// The fields of a line, without the space around them and without their quotes.
pub(super) struct Fields<'a> {
    /// `None` when the last field has been given.
    rest: Option<&'a [u8]>,
}

impl<'a> Fields<'a> {
    pub(super) fn of(line: &'a [u8]) -> Self {
        Fields { rest: Some(line.trim_ascii()) }
    }

    fn plain(&mut self, text: &'a [u8]) -> &'a [u8] {
        let comma = text.iter().position(|&byte| byte == b',');
        self.rest = comma.map(|comma| &text[comma + 1..]);
        text[..comma.unwrap_or(text.len())].trim_ascii()
    }

    /// `text` starts after the opening quote; a doubled quote stands for a quote and stays doubled.
    fn quoted(&mut self, text: &'a [u8]) -> Result<&'a [u8], LineProblem> {
        let mut end = 0;
        loop {
            match text.get(end) {
                None => return Err(LineProblem::UnclosedQuote),
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

impl<'a> Iterator for Fields<'a> {
    type Item = Result<&'a [u8], LineProblem>;

    fn next(&mut self) -> Option<Self::Item> {
        let text = self.rest.take()?.trim_ascii_start();
        match text.split_first() {
            Some((b'"', quoted)) => Some(self.quoted(quoted)),
            _ => Some(Ok(self.plain(text))),
        }
    }
}
