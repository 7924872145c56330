//! `cargo xtask attack`: damaged inputs, random scenes, kills, limits and requests, and what is kept of them.

use crate::command::{cargo, release_program, run, target};
use std::process::Command;

/// Minutes of the attack that is part of `cargo xtask test --all`.
const SHORT: &str = "2";

/// Attacks the program, built as tests are: with checks of arithmetic that a release leaves out. Long runs take a
/// release.
pub fn attack(rest: &[&str]) -> Result<(), String> {
    let is_soak = rest.windows(2).any(|pair| pair == ["--only", "soak"]);
    cargo(&["build", "--quiet", "--package", "carom-cli", "--package", "carom-attack"])?;
    let program = if is_soak { release_program()? } else { target().join("debug/carom") };
    let mut command = Command::new(target().join("debug/carom-attack"));
    run(command.arg(program).arg(target().join("attack")).args(rest))
}

/// Runs the attack that is short enough for every day.
pub fn short() -> Result<(), String> {
    attack(&["--minutes", SHORT])
}
