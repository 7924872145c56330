//! The words of the field: those of `xtask/terms.txt` that carom has left do not come back.

use crate::command::root;
use std::process::Command;

/// What a word is refused as.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TermKind {
    /// An identifier of its own.
    Name,
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

/// Fails with every place where a left word stands.
pub fn check() -> Result<(), String> {
    let list = "xtask/terms.txt";
    let text = std::fs::read_to_string(root().join(list))
        .map_err(|error| format!("{list} cannot be read: {error}"))?;
    let terms = parse(&text)?;
    let mut places = Vec::new();
    for path in tracked_files()? {
        let is_searched = ["rs", "js", "html", "md", "toml"]
            .iter()
            .any(|extension| path.ends_with(&format!(".{extension}")));
        if !is_searched || path.starts_with("fuzz/corpus/") {
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
            ["name", words, instead] => {
                terms.push(LeftTerm { kind: TermKind::Name, words, instead, allowed: Vec::new() });
            }
            ["phrase", words, instead] => {
                terms.push(LeftTerm {
                    kind: TermKind::Phrase,
                    words,
                    instead,
                    allowed: Vec::new(),
                });
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
    let is_code = path.ends_with(".rs") || path.ends_with(".js");
    let mut places = Vec::new();
    for term in terms {
        let is_refused = !term.allowed.iter().any(|allowed| path.starts_with(allowed));
        if !is_refused || (term.kind == TermKind::Name && !is_code) {
            continue;
        }
        for (number, line) in text.lines().enumerate() {
            let is_there = match term.kind {
                TermKind::Name => {
                    stands_in(line, term.words, |letter| letter.is_alphanumeric() || letter == '_')
                }
                TermKind::Phrase => {
                    stands_in(&line.to_lowercase(), term.words, |letter| letter.is_alphabetic())
                }
            };
            if is_there {
                let LeftTerm { words, instead, .. } = term;
                places.push(format!("{path}:{}: \"{words}\"; say {instead}", number + 1));
            }
        }
    }
    places
}

/// Whether `words` stand in a line by themselves, with nothing before or after that belongs to a word.
fn stands_in(line: &str, words: &str, belongs: impl Fn(char) -> bool) -> bool {
    line.match_indices(words).any(|(start, _)| {
        let before = line[..start].chars().next_back();
        let after = line[start + words.len()..].chars().next();
        !before.is_some_and(&belongs) && !after.is_some_and(&belongs)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_refused_where_they_are_not_allowed() {
        let list = "# comment\nname\tspin\tangular_velocity\nphrase\tso many\tthis many\n\
                    allow\tspin\tcrates/a\treason\n";
        let terms = parse(list).unwrap();
        assert_eq!(
            find(&terms, "crates/b/x.rs", "let spin = 1;\nspinning\nlet my_spin = 2;"),
            ["crates/b/x.rs:1: \"spin\"; say angular_velocity"]
        );
        assert!(find(&terms, "crates/a/x.rs", "let spin = 1;").is_empty());
        assert!(find(&terms, "README.md", "a spin").is_empty(), "a name is refused in code only");
        assert_eq!(
            find(&terms, "README.md", "text\nSo many words"),
            ["README.md:2: \"so many\"; say this many"]
        );
        assert!(parse("allow\tspin\tcrates/a\treason").is_err());
        assert!(parse("nonsense").is_err());
    }
}
