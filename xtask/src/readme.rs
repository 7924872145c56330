//! The README's commands, run as a reader would.

use crate::command::{root, run_to};
use std::path::Path;
use std::process::Command;

/// How the README starts the program from a checkout.
const FROM_CHECKOUT: &str = "cargo run --release -- ";

/// The lines of all `sh` blocks, in order, without comments.
pub fn commands(text: &str) -> Vec<&str> {
    let mut inside = false;
    let mut commands = Vec::new();
    for line in text.lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            "" => {}
            line if inside && !line.starts_with('#') => commands.push(line),
            _ => {}
        }
    }
    commands
}

/// The exit code that a command's comment promises, or 0.
fn promised_exit(line: &str) -> i32 {
    let comment = line.split_once(" # ").map_or("", |(_, comment)| comment);
    comment
        .split_once("exit code ")
        .and_then(|(_, code)| code.chars().next()?.to_digit(10))
        .map_or(0, |digit| digit as i32)
}

/// A folder like a fresh checkout to a reader: the scenes and nothing else.
pub fn fresh_folder(folder: &Path) -> std::io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let scenes = folder.join("scenes");
    std::fs::create_dir_all(&scenes)?;
    for entry in std::fs::read_dir(root().join("scenes"))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), scenes.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Runs every command of the README that starts the program, in `folder`, with `program`.
pub fn run_commands(program: &Path, folder: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(root().join("README.md"))
        .map_err(|error| format!("README.md cannot be read: {error}"))?;
    let mut count = 0;
    for line in commands(&text) {
        let arguments = line.strip_prefix(FROM_CHECKOUT).or_else(|| line.strip_prefix("carom "));
        let Some(arguments) = arguments else { continue };
        run_to(
            promised_exit(line),
            Command::new("sh")
                .arg("-ec")
                .arg(format!("{program:?} {arguments}"))
                .current_dir(folder),
        )?;
        count += 1;
    }
    match count {
        0 => Err("README.md names no command of carom".into()),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sh_blocks_hold_commands() {
        let text = "text\n```sh\n# comment\ncarom help\n\n```\n```rust\nlet x = 1;\n```\n";
        assert_eq!(commands(text), ["carom help"]);
    }

    #[test]
    fn a_comment_may_promise_an_exit_code() {
        assert_eq!(promised_exit("carom run s.toml --max-walltime 2s  # stops, exit code 3"), 3);
        assert_eq!(promised_exit("carom run s.toml  # into s.run/"), 0);
        assert_eq!(promised_exit("carom run s.toml"), 0);
    }
}
