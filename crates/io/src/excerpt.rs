//! Foreign text, escaped and shortened for a one-line message.
//!
//! | want | take |
//! |---|---|
//! | a value as a file has it, in bytes | [`value`] |
//! | a longer text that has its own quotes | [`truncated`], or [`escape_control_characters`] for all of it |
//! | names to choose from | [`quoted_list`] |
//! | the name that was perhaps meant | [`nearest_name`] |
//! | the name of a file | [`file_name`] |

use std::path::Path;

/// Largest number of characters of a value in a message.
const LONGEST_VALUE: usize = 40;
/// Largest number of names that a message lists.
const MOST_NAMES: usize = 12;

/// Returns the value with control characters escaped, shortened if it is long.
pub fn value(bytes: &[u8]) -> String {
    // Four bytes per character at most, so that a huge field is not copied.
    let head = &bytes[..bytes.len().min(4 * LONGEST_VALUE + 4)];
    let text = String::from_utf8_lossy(head);
    let mut shown: String = text.chars().take(LONGEST_VALUE).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST_VALUE).is_some() {
        shown.push('…');
    }
    shown
}

/// Returns the text shortened if it is long, with control characters escaped but its quotes unchanged.
pub fn truncated(text: &str) -> String {
    let end = text.char_indices().nth(LONGEST_VALUE).map(|(end, _)| end);
    match end {
        Some(end) => format!("{}…", escape_control_characters(&text[..end])),
        None => escape_control_characters(text),
    }
}

/// Returns the names in quotes, separated by commas; the end of a long list is only counted.
pub fn quoted_list<'a>(names: impl ExactSizeIterator<Item = &'a [u8]>) -> String {
    let more = names.len().saturating_sub(MOST_NAMES);
    let mut shown: Vec<_> =
        names.take(MOST_NAMES).map(|name| format!("\"{}\"", value(name))).collect();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

/// Returns the one of `names` nearest to `text`, if it is near: for messages that ask "did you mean …?".
///
/// ```
/// let names = ["auto", "linked-cells", "hierarchical-grid"];
/// assert_eq!(carom_io::excerpt::nearest_name("linkedcells", names), Some("linked-cells"));
/// assert_eq!(carom_io::excerpt::nearest_name("zzz", names), None);
/// // A typing error: a letter too many, too few, another one, or two of them swapped.
/// assert_eq!(carom_io::excerpt::nearest_name("rnu", ["triangulate", "run"]), Some("run"));
/// ```
pub fn nearest_name<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.to_lowercase();
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        // Any two-letter word is one typing error away from another.
        let slip = text.len() > 2 && strsim::damerau_levenshtein(&text, &name) == 1;
        strsim::jaro_winkler(&text, &name) + if slip { 1.0 } else { 0.0 }
    };
    let best = names.into_iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(best) > 0.7).then_some(best)
}

/// Returns the path as the user wrote it, with control characters escaped.
pub fn file_name(path: &Path) -> String {
    escape_control_characters(&path.to_string_lossy())
}

/// Escapes control characters and leaves everything else unchanged, for a one-line message.
///
/// ```
/// assert_eq!(carom_io::excerpt::escape_control_characters("a\u{1b}[31mb é"), "a\\u{1b}[31mb é");
/// ```
pub fn escape_control_characters(text: &str) -> String {
    let escape = |letter: char| {
        let control = letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
        let (escaped, plain) =
            if control { (Some(letter.escape_default()), None) } else { (None, Some(letter)) };
        escaped.into_iter().flatten().chain(plain)
    };
    text.chars().flat_map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_shortened_and_control_characters_escaped() {
        assert_eq!(value(b"-0.2"), "-0.2");
        assert_eq!(value(b"a\tb\"c\x1b"), "a\\tb\\\"c\\u{1b}");
        assert_eq!(value(&[b'9'; 1000]), format!("{}…", "9".repeat(40)));
        assert_eq!(value("é".repeat(40).as_bytes()), "é".repeat(40));
    }

    #[test]
    fn a_long_list_is_counted_at_its_end() {
        let names = vec![&b"a"[..]; 14];
        let text = quoted_list(names.into_iter());
        assert!(text.ends_with("\"a\", 2 more"), "{text}");
    }

    #[test]
    fn a_file_name_stays_on_one_line() {
        assert_eq!(file_name(Path::new("a\nb é.csv")), "a\\nb é.csv");
    }
}
