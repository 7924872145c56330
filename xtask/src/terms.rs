//! The words of the field: those of `xtask/terms.txt` that carom has left do not come back.
//!
//! A name is looked for in code alone, whole or as a part of a longer one: `son` in `first_son` and in `SonTree`. Phrases are
//! looked for in any text, also where a line ends within them.

use crate::command::root;
use std::collections::HashMap;
use std::process::Command;

/// What a word is refused as.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TermKind {
    /// An identifier, or words of one; of a type if the first letter is a capital one.
    Name,
    /// The whole name of a type where it is defined.
    Type,
    /// Words in a row, in any text.
    Phrase,
}

/// A word that is left, and what to say instead.
#[derive(Debug, PartialEq)]
struct LeftTerm<'a> {
    kind: TermKind,
    words: &'a str,
    instead: &'a str,
    /// Paths where it may stand nevertheless.
    allowed: Vec<&'a str>,
}

/// Endings of files that are searched.
const SEARCHED: [&str; 9] = ["rs", "js", "html", "md", "toml", "py", "pyi", "ipynb", "cpp"];
/// Those of them in which names are looked for.
const CODE: [&str; 5] = ["rs", "js", "py", "pyi", "ipynb"];
/// Longer lines are pictures in notebooks.
const LONGEST_LINE: usize = 2000;

/// Fails with every place where a left word stands.
pub fn check() -> Result<(), String> {
    let list = "xtask/terms.txt";
    let text = std::fs::read_to_string(root().join(list))
        .map_err(|error| format!("{list} cannot be read: {error}"))?;
    let terms = parse(&text)?;
    let mut places = Vec::new();
    for path in tracked_files()? {
        if !has_ending(&path, &SEARCHED) || path.starts_with("fuzz/corpus/") {
            continue;
        }
        // A file that was removed and not committed yet is still listed.
        let Ok(text) = std::fs::read_to_string(root().join(&path)) else { continue };
        places.extend(find(&terms, &path, &text));
    }
    match places.is_empty() {
        true => Ok(()),
        false => Err(format!(
            "{} left words are back (see {list}):\n{}",
            places.len(),
            places.join("\n")
        )),
    }
}

fn has_ending(path: &str, endings: &[&str]) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| endings.contains(&ending))
}

fn tracked_files() -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("git ls-files cannot be started: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
}

fn parse(text: &str) -> Result<Vec<LeftTerm<'_>>, String> {
    let mut terms: Vec<LeftTerm> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        match columns[..] {
            [kind @ ("name" | "type" | "phrase"), words, instead] => {
                let kind = match kind {
                    "name" => TermKind::Name,
                    "type" => TermKind::Type,
                    _ => TermKind::Phrase,
                };
                terms.push(LeftTerm { kind, words, instead, allowed: Vec::new() });
            }
            ["allow", words, path, _] => {
                let mut known = terms.iter_mut().filter(|term| term.words == words).peekable();
                if known.peek().is_none() {
                    return Err(format!(
                        "xtask/terms.txt allows {words}, which it does not refuse"
                    ));
                }
                known.for_each(|term| term.allowed.push(path));
            }
            _ => return Err(format!("xtask/terms.txt has a line of no kind it knows: {line}")),
        }
    }
    Ok(terms)
}

/// "path:line: word; say instead" for every place.
fn find(terms: &[LeftTerm], path: &str, text: &str) -> Vec<String> {
    let is_refused =
        |term: &&LeftTerm| !term.allowed.iter().any(|allowed| path.starts_with(allowed));
    let refused = |kind: TermKind| {
        terms.iter().filter(move |term| term.kind == kind).filter(is_refused).collect::<Vec<_>>()
    };
    let mut found: Vec<(usize, &LeftTerm)> = Vec::new();
    if has_ending(path, &CODE) {
        found.extend(find_names(&refused(TermKind::Name), text));
        found.extend(find_types(&refused(TermKind::Type), text));
    }
    found.extend(find_phrases(&refused(TermKind::Phrase), text));
    found.sort_by_key(|(line, term)| (*line, term.words));
    found.dedup_by_key(|(line, term)| (*line, term.words));
    let place = |(line, LeftTerm { words, instead, .. }): (usize, &LeftTerm)| {
        format!("{path}:{line}: \"{words}\"; say {instead}")
    };
    found.into_iter().map(place).collect()
}

/// Lines with names, each with its number.
fn find_names<'a>(terms: &[&'a LeftTerm<'a>], text: &str) -> Vec<(usize, &'a LeftTerm<'a>)> {
    let parts: Vec<_> = terms.iter().map(|term| parts(term.words)).collect();
    // Most identifiers stand in a file many times.
    let mut known: HashMap<&str, Vec<&LeftTerm>> = HashMap::new();
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        for identifier in identifiers(code(line)) {
            let refused = known.entry(identifier).or_insert_with(|| {
                let own = self::parts(identifier);
                let stands = |(term, parts): &(&&'a LeftTerm<'a>, &Vec<String>)| {
                    let is_type = |name: &str| name.starts_with(|c: char| c.is_uppercase());
                    own.windows(parts.len()).any(|window| window == parts.as_slice())
                        && (is_type(identifier) || !is_type(term.words))
                };
                let refused = terms.iter().zip(&parts).filter(stands);
                refused.map(|(term, _)| *term).collect()
            });
            found.extend(refused.iter().map(|term| (number, *term)));
        }
    }
    found
}

/// Lines that define types of these names.
fn find_types<'a>(terms: &[&'a LeftTerm<'a>], text: &str) -> Vec<(usize, &'a LeftTerm<'a>)> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let words: Vec<&str> = identifiers(code(line)).collect();
        let defines = |word: &str| ["struct", "enum", "trait", "type", "class"].contains(&word);
        for pair in words.windows(2).filter(|pair| defines(pair[0])) {
            found.extend(terms.iter().filter(|t| t.words == pair[1]).map(|t| (number, *t)));
        }
    }
    found
}

/// Lines in which phrases begin.
fn find_phrases<'a>(terms: &[&'a LeftTerm<'a>], text: &str) -> Vec<(usize, &'a LeftTerm<'a>)> {
    let (mut joined, mut starts) = (String::new(), Vec::new());
    for line in text.lines() {
        starts.push(joined.len());
        joined += &bare(line).to_lowercase();
        // A phrase does not reach across an empty line.
        joined.push(if line.trim().is_empty() { '\n' } else { ' ' });
    }
    let line_of = |offset: usize| starts.partition_point(|&start| start <= offset);
    let mut found = Vec::new();
    for term in terms {
        found.extend(offsets(&joined, term.words).map(|offset| (line_of(offset), *term)));
    }
    found
}

/// A line without the comment at its end; nothing of a line that is a comment, or a picture.
fn code(line: &str) -> &str {
    let is_comment = ["//", "#", "* "].iter().any(|sign| line.trim_start().starts_with(sign));
    if is_comment || line.len() > LONGEST_LINE {
        return "";
    }
    line.split(" // ").next().unwrap_or(line)
}

/// A line without the signs of a comment, a list, a string or a notebook around its text.
fn bare(line: &str) -> &str {
    let line = if line.len() > LONGEST_LINE { "" } else { line };
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || "/!#*\">-".contains(c));
    let line = line.trim_end().trim_end_matches("\\n\",").trim_end_matches('\\');
    line.trim_end()
}

fn identifiers(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.filter(|word| !word.is_empty())
}

/// The words of an identifier in small letters, split at underscores and before capital letters.
fn parts(identifier: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut was_small = false;
    for letter in identifier.chars() {
        if letter == '_' || (letter.is_uppercase() && was_small) {
            parts.push(String::new());
        }
        was_small = letter.is_lowercase() || letter.is_numeric();
        if let Some(part) = parts.last_mut().filter(|_| letter != '_') {
            part.extend(letter.to_lowercase());
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Where words stand by themselves, with no letter before or after.
fn offsets<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = usize> + 'a {
    let at = text.match_indices(words).map(|(start, _)| start);
    at.filter(|&start| {
        let before = text[..start].chars().next_back();
        let after = text[start + words.len()..].chars().next();
        !before.is_some_and(char::is_alphabetic) && !after.is_some_and(char::is_alphabetic)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in a file under a list of terms.
    fn found(list: &str, path: &str, text: &str) -> Vec<String> {
        find(&parse(list).unwrap(), path, text)
    }

    #[test]
    fn words_are_refused_where_they_are_not_allowed() {
        let list = "# comment\nname\tspin\tangular_velocity\nallow\tspin\tcrates/a\treason\n";
        assert_eq!(
            found(list, "crates/b/x.rs", "let spin = 1;\nspinning"),
            ["crates/b/x.rs:1: \"spin\"; say angular_velocity"]
        );
        assert!(found(list, "crates/a/x.rs", "let spin = 1;").is_empty());
        assert!(found(list, "README.md", "a spin").is_empty(), "a name is refused in code only");
        assert!(found(list, "x.rs", "// a spin\nlet x = 1; // a spin").is_empty());
        assert!(parse("allow\tspin\tcrates/a\treason").is_err());
        assert!(parse("nonsense").is_err());
    }

    #[test]
    fn python_and_notebooks_are_code_too() {
        for path in ["a.py", "a.pyi", "a.ipynb", "a.js"] {
            assert_eq!(found("name\tson\tchild", path, "first_son = 1").len(), 1, "{path}");
        }
    }

    #[test]
    fn words_of_a_longer_name_are_refused() {
        let list = "name\tson\tchild\nname\tput_down\tdeferred\nname\tMeeting\tContactPoint";
        for name in ["first_son", "SonTree", "TREE_SON", "sonTree", "put_down_all", "OldMeeting"] {
            assert_eq!(found(list, "a.rs", &format!("let {name};")).len(), 1, "{name}");
        }
        for name in ["reason", "person_son_gs", "output_down_s", "put_x_down", "meeting"] {
            let count = usize::from(name == "person_son_gs");
            assert_eq!(found(list, "a.rs", &format!("let {name};")).len(), count, "{name}");
        }
    }

    #[test]
    fn a_type_is_refused_where_it_is_defined() {
        let list = "type\tSaved\tSavedState";
        assert_eq!(found(list, "a.rs", "pub struct Saved<const D: usize> {").len(), 1);
        assert_eq!(found(list, "a.py", "class Saved:").len(), 1);
        assert!(found(list, "a.rs", "Error::Saved(text)\nstruct SavedState;").is_empty());
    }

    #[test]
    fn phrases_are_found_across_the_end_of_a_line() {
        let list = "phrase\tin such amount\tthis many";
        assert_eq!(
            found(list, "README.md", "text\nIn such amount"),
            ["README.md:2: \"in such amount\"; say this many"]
        );
        for text in
            ["/// in such\n/// amount", "a \"in such \\\n amount\"", "\"in such\\n\",\n\"amount\""]
        {
            assert_eq!(found(list, "a.rs", text).len(), 1, "{text}");
        }
        assert!(found(list, "a.md", "in such\n\namount").is_empty());
        assert!(found(list, "a.md", "within such amounts").is_empty());
    }
}
