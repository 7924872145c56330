//! The README's commands, run as a reader would.

use crate::command::{root, run};
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

/// Runs every command of the README that starts the program, in `folder`, with `program`.
pub fn run_commands(program: &Path, folder: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(root().join("README.md"))
        .map_err(|error| format!("README.md cannot be read: {error}"))?;
    let mut count = 0;
    for line in commands(&text) {
        let arguments = line.strip_prefix(FROM_CHECKOUT).or_else(|| line.strip_prefix("carom "));
        let Some(arguments) = arguments else { continue };
        run(Command::new("sh")
            .arg("-ec")
            .arg(format!("{program:?} {arguments}"))
            .current_dir(folder))?;
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
}
