//! The entries of an extended XYZ comment line: `key=value`, `key="a b"`, `key={a b}`, `key`.

use crate::LineProblem;
use crate::excerpt;

/// The entries in their order; the values are slices of the line.
pub(super) struct XyzComment<'a> {
    entries: Vec<(&'a [u8], &'a [u8])>,
}

impl<'a> XyzComment<'a> {
    pub(super) fn parse(line: &'a [u8]) -> Result<Self, LineProblem> {
        let mut entries = Vec::new();
        let mut rest = line.trim_ascii();
        while !rest.is_empty() {
            let (key, after) = split_word(rest, b"=")?;
            rest = after.trim_ascii_start();
            let mut value = &b""[..];
            if let Some(after) = rest.strip_prefix(b"=") {
                (value, rest) = split_word(after.trim_ascii_start(), b"")?;
                rest = rest.trim_ascii_start();
            }
            entries.push((key, value));
        }
        Ok(XyzComment { entries })
    }

    /// Returns the value of a key, in whatever case the file spells the key.
    pub(super) fn get(&self, key: &'static str) -> Result<Option<&'a [u8]>, LineProblem> {
        let mut found =
            self.entries.iter().filter(|(name, _)| name.eq_ignore_ascii_case(key.as_bytes()));
        match (found.next(), found.next()) {
            (_, Some((_, value))) => Err(entry(key, value, "it is given twice; keep one")),
            (first, None) => Ok(first.map(|(_, value)| *value)),
        }
    }
}

/// Returns the refusal of an entry.
pub(super) fn entry(key: &'static str, value: &[u8], rule: &'static str) -> LineProblem {
    LineProblem::Entry { key, value: excerpt::value(value), rule }
}

/// Splits off a word, quoted or not.
fn split_word<'a>(text: &'a [u8], stops: &[u8]) -> Result<(&'a [u8], &'a [u8]), LineProblem> {
    match text.first() {
        Some(b'"') => split_quoted(&text[1..], b'"'),
        Some(b'{') => split_quoted(&text[1..], b'}'),
        _ => {
            let ends = |byte: &u8| byte.is_ascii_whitespace() || stops.contains(byte);
            Ok(text.split_at(text.iter().position(ends).unwrap_or(text.len())))
        }
    }
}

/// `text` starts after the opening quote; a backslash escapes the next character.
fn split_quoted(text: &[u8], close: u8) -> Result<(&[u8], &[u8]), LineProblem> {
    let mut end = 0;
    loop {
        match text.get(end) {
            None => return Err(LineProblem::UnclosedQuote),
            Some(b'\\') => end += 2,
            Some(&byte) if byte == close => return Ok((&text[..end], &text[end + 1..])),
            Some(_) => end += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_may_be_bare_quoted_braced_or_spaced() {
        let line = br#"flag A=1 b = "x \" y" c={1 2} d="#;
        let comment = XyzComment::parse(line).unwrap();
        let get = |key| comment.get(key).unwrap();
        assert_eq!(get("flag"), Some(&b""[..]));
        assert_eq!(get("a"), Some(&b"1"[..]));
        assert_eq!(get("B"), Some(&br#"x \" y"#[..]));
        assert_eq!(get("c"), Some(&b"1 2"[..]));
        assert_eq!(get("d"), Some(&b""[..]));
        assert_eq!(get("e"), None);
    }

    #[test]
    fn a_lone_equals_sign_does_not_stop_the_reading() {
        assert_eq!(XyzComment::parse(b"= = a=2 ==").unwrap().get("a").unwrap(), Some(&b"2"[..]));
    }
}
