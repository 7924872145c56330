//! The words of a data file, as `fscanf` takes them, with the line of each word.

use super::super::error::Koti1989Error;
use super::Koti1989Group;
use carom::io::excerpt::escape_control_characters;

/// Largest number of characters of a word in a message.
const LONGEST_EXCERPT: usize = 40;

/// The unread rest of a file.
pub(super) struct Koti1989Tokenizer<'a> {
    rest: &'a [u8],
    /// Line on which the rest begins, from one.
    line: usize,
    file: String,
}

impl<'a> Koti1989Tokenizer<'a> {
    /// Returns what follows the first line that is a lone `$`.
    pub(super) fn after_introduction(bytes: &'a [u8], name: &str) -> Result<Self, Koti1989Error> {
        let mut words =
            Koti1989Tokenizer { rest: bytes, line: 1, file: escape_control_characters(name) };
        while !words.rest.is_empty() {
            if words.take_line().trim_ascii() == b"$" {
                return Ok(words);
            }
        }
        Err(words.missing("a line that is a lone $, behind which the data start".to_owned()))
    }

    /// Takes the `$` before an object, and its name and number.
    pub(super) fn take_heading(&mut self, object: usize) -> Result<(String, i64), Koti1989Error> {
        let field = format!("$ before object {object}");
        let (line, word) = self.take_word(&field)?;
        if word != b"$" {
            return Err(self.bad(line, field, word, "each object follows a line that is a lone $"));
        }
        let (_, name) = self.take_word(&format!("name of object {object}"))?;
        let field = format!("id of object {object}");
        let (line, word) = self.take_word(&field)?;
        let id = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
        let id = id.ok_or_else(|| self.bad(line, field, word, "it must be a whole number"))?;
        self.take_line();
        Ok((String::from_utf8_lossy(name).into_owned(), id))
    }

    /// Takes the numbers of groups of fields; the rest of the line behind each group is a comment. `owner` stands behind
    /// the names of fields in messages.
    pub(super) fn take_groups<const N: usize>(
        &mut self,
        groups: &[Koti1989Group],
        owner: &str,
    ) -> Result<[f64; N], Koti1989Error> {
        let mut numbers = Vec::with_capacity(N);
        for group in groups {
            for (name, rule) in *group {
                let field = format!("{name}{owner}");
                let (line, word) = self.take_word(&field)?;
                let number = std::str::from_utf8(word).ok().and_then(|word| word.parse().ok());
                let number = number.unwrap_or(f64::NAN);
                if let Some(rule) = rule.violated_by(number) {
                    return Err(self.bad(line, field, word, rule));
                }
                numbers.push(number);
            }
            self.take_line();
        }
        Ok(numbers.try_into().expect("the groups have as many fields as there are numbers"))
    }

    /// Takes the next word and its line.
    fn take_word(&mut self, field: &str) -> Result<(usize, &'a [u8]), Koti1989Error> {
        let start = self.rest.iter().position(|byte| !byte.is_ascii_whitespace());
        let Some(start) = start else { return Err(self.missing(field.to_owned())) };
        self.line += newlines(&self.rest[..start]);
        self.rest = &self.rest[start..];
        let end = self.rest.iter().position(u8::is_ascii_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok((self.line, word))
    }

    /// Takes the rest of the line.
    fn take_line(&mut self) -> &'a [u8] {
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &self.rest[self.rest.len()..]),
        };
        self.rest = rest;
        self.line += usize::from(end.is_some());
        line
    }

    fn missing(&self, field: String) -> Koti1989Error {
        Koti1989Error::MissingField { file: self.file.clone(), line: self.line, field }
    }

    fn bad(&self, line: usize, field: String, word: &[u8], rule: &'static str) -> Koti1989Error {
        Koti1989Error::Field { file: self.file.clone(), line, field, value: excerpt(word), rule }
    }
}

/// Returns a word with control characters escaped, shortened if it is long.
fn excerpt(word: &[u8]) -> String {
    // Four bytes per character at most, so that a huge word is not copied.
    let head = &word[..word.len().min(4 * LONGEST_EXCERPT + 4)];
    let text = String::from_utf8_lossy(head);
    let end = if text.chars().nth(LONGEST_EXCERPT).is_some() { "…" } else { "" };
    text.chars().take(LONGEST_EXCERPT).flat_map(char::escape_debug).chain(end.chars()).collect()
}

fn newlines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}
