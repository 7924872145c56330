//! README and book, held to the program: their commands are run and their scenes checked, as a reader would.
//!
//! | in a page | what happens |
//! |---|---|
//! | a block `sh` | run by `sh -e` in the folder of the page, with `carom` on the path; it must end with exit code 0 |
//! | a line of it with a comment `exit code N` | must end with that exit code instead |
//! | a line of it that begins with `cargo` or `git` | left out, unless it is `cargo run --release --`, which is `carom` |
//! | a block after a line "Save this as `NAME`:" | written to that file of the folder |
//! | a block `toml` with a line `engine =` | a whole scene: `carom check` must take it |
//! | any other block | nothing |

use crate::command::{root, run};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How the README starts the program from a checkout.
const FROM_CHECKOUT: &str = "cargo run --release -- ";

/// What stands before a block that is to be saved, and the name of its file.
const SAVE: &str = "Save this as `";

/// A fenced block of a page.
#[derive(Debug, PartialEq)]
struct Block<'a> {
    /// What follows the fence, such as `sh`.
    info: &'a str,
    /// The file that the reader is asked to save it as.
    saved_as: Option<&'a str>,
    lines: Vec<&'a str>,
}

impl Block<'_> {
    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    fn is_scene(&self) -> bool {
        self.info == "toml" && self.lines.iter().any(|line| line.starts_with("engine ="))
    }

    /// What the shell is given.
    fn script(&self) -> String {
        self.lines.iter().filter_map(|line| shell_line(line)).collect()
    }
}

/// The fenced blocks of a page, in order.
fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let (mut is_open, mut before) = (false, "");
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some("") if is_open => is_open = false,
            Some(info) if !is_open => {
                is_open = true;
                let saved_as = before.split_once(SAVE).and_then(|(_, rest)| rest.split('`').next());
                blocks.push(Block { info: info.trim(), saved_as, lines: Vec::new() });
            }
            _ if is_open => {
                if let Some(block) = blocks.last_mut() {
                    block.lines.push(line);
                }
            }
            _ if line.trim().is_empty() => {}
            _ => before = line,
        }
        if is_open {
            before = "";
        }
    }
    blocks
}

/// A line for the shell; none if it is of a checkout.
fn shell_line(line: &str) -> Option<String> {
    let line = match line.strip_prefix(FROM_CHECKOUT) {
        Some(arguments) => format!("carom {arguments}"),
        None if line.starts_with("cargo ") || line.starts_with("git ") => return None,
        None => line.to_owned(),
    };
    Some(match promised_exit(&line) {
        0 => format!("{line}\n"),
        // The comment of the line ends with it, so what follows stands on lines of its own.
        code => {
            format!("status=0\n{{ {line}\n}} || status=$?\ntest \"$status\" -eq {code}\n")
        }
    })
}

/// The exit code that a command's comment promises, or 0.
fn promised_exit(line: &str) -> u32 {
    let comment = line.split_once(" # ").map_or("", |(_, comment)| comment);
    comment
        .split_once("exit code ")
        .and_then(|(_, code)| code.chars().next()?.to_digit(10))
        .unwrap_or(0)
}

/// The README and every page of the book, by name.
fn pages() -> Result<Vec<PathBuf>, String> {
    let book = root().join("docs");
    let entries = std::fs::read_dir(&book)
        .map_err(|error| format!("{} cannot be read: {error}", book.display()))?;
    let is_page = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "md");
    let mut pages: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(is_page).collect();
    pages.sort();
    pages.insert(0, root().join("README.md"));
    Ok(pages)
}

/// Number of pages whose commands run at the same time: many of them use one processor alone.
const PAGES_AT_ONCE: usize = 2;

/// Runs the commands of all pages, each page in a fresh folder below `folder`.
pub fn run_commands(program: &Path, folder: &Path) -> Result<(), String> {
    let (path, pages) = (path_with(program)?, pages()?);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut count = 0;
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            count += run_page(page, &path, folder)?;
        }
        Ok(count)
    };
    let counts: Result<Vec<usize>, String> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..PAGES_AT_ONCE).map(|_| scope.spawn(work)).collect();
        let ends = workers.into_iter().map(|worker| {
            worker.join().unwrap_or_else(|_| Err("the commands of a page panicked".to_owned()))
        });
        ends.collect()
    });
    match counts?.iter().sum() {
        0 => Err("neither README nor book has a command".into()),
        _ => Ok(()),
    }
}

/// Runs the commands of a page, and returns how many blocks there were.
fn run_page(page: &Path, path: &OsStr, folder: &Path) -> Result<usize, String> {
    let text = std::fs::read_to_string(page)
        .map_err(|error| format!("{} cannot be read: {error}", page.display()))?;
    let folder = folder.join(page.file_stem().unwrap_or_default());
    fresh_folder(&folder)
        .map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    let mut count = 0;
    for block in blocks(&text) {
        count += usize::from(run_block(&block, path, &folder)?);
    }
    Ok(count)
}

/// Does what a block asks for; whether something was run.
fn run_block(block: &Block<'_>, path: &OsStr, folder: &Path) -> Result<bool, String> {
    let write = |name: &str| {
        let file = folder.join(name);
        std::fs::write(&file, block.text())
            .map_err(|error| format!("{} cannot be written: {error}", file.display()))
    };
    if let Some(name) = block.saved_as {
        write(name)?;
    }
    if block.is_scene() {
        write("shown.toml")?;
        shell("carom check shown.toml --quiet", path, folder)?;
        return Ok(true);
    }
    if block.info != "sh" {
        return Ok(false);
    }
    let script = block.script();
    if script.trim().is_empty() {
        return Ok(false);
    }
    shell(&script, path, folder)?;
    Ok(true)
}

fn shell(script: &str, path: &OsStr, folder: &Path) -> Result<(), String> {
    run(Command::new("sh").arg("-ec").arg(script).env("PATH", path).current_dir(folder))
}

/// The search path with the folder of the program first.
fn path_with(program: &Path) -> Result<OsString, String> {
    let first = program.parent().map(Path::to_owned).unwrap_or_default();
    let others = std::env::var_os("PATH").unwrap_or_default();
    std::env::join_paths(std::iter::once(first).chain(std::env::split_paths(&others)))
        .map_err(|error| format!("the program cannot be put on the path: {error}"))
}

/// An empty folder, whatever was there.
fn fresh_folder(folder: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    std::fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_their_language_and_their_lines() {
        let page = "text\n```sh\ncarom help\n\n```\n```rust\nlet x = 1;\n```\n";
        let block = |info, lines| Block { info, saved_as: None, lines };
        assert_eq!(
            blocks(page),
            [block("sh", vec!["carom help", ""]), block("rust", vec!["let x = 1;"])]
        );
    }

    #[test]
    fn a_sentence_before_a_block_names_its_file() {
        let page =
            "Save this as `gas.toml`:\n\n```toml\nengine = \"dem\"\n```\n\n```toml\na = 1\n```\n";
        let blocks = blocks(page);
        assert_eq!(blocks[0].saved_as, Some("gas.toml"));
        assert!(blocks[0].is_scene());
        assert_eq!(blocks[1].saved_as, None);
        assert!(!blocks[1].is_scene());
    }

    #[test]
    fn commands_of_a_checkout_are_left_out_but_for_the_program_itself() {
        assert_eq!(shell_line("cargo xtask test"), None);
        assert_eq!(shell_line("cargo run --release -- run").as_deref(), Some("carom run\n"));
        assert_eq!(shell_line("    tail -1 log.csv").as_deref(), Some("    tail -1 log.csv\n"));
    }

    #[test]
    fn a_comment_may_promise_an_exit_code() {
        assert_eq!(promised_exit("carom run s.toml --max-walltime 2s  # stops, exit code 3"), 3);
        assert_eq!(promised_exit("carom run s.toml  # into s.run/"), 0);
        assert_eq!(promised_exit("carom run s.toml"), 0);
        let line = shell_line("carom run  # exit code 3").unwrap_or_default();
        assert!(line.ends_with("} || status=$?\ntest \"$status\" -eq 3\n"), "{line}");
    }
}
