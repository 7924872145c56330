//! Running programs, with a sentence when one fails.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or_else(|| here.to_owned(), Path::to_owned)
}

/// Returns the folder in which cargo builds.
pub fn target() -> PathBuf {
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from);
    root().join(target)
}

/// Builds the program, optimized, and returns its path.
pub fn release_program() -> Result<PathBuf, String> {
    cargo(&["build", "--release", "--quiet", "--package", "carom-cli"])?;
    Ok(target().join("release/carom"))
}

/// Builds the program as tests are built, so that nothing is compiled a second time, and says where it is.
pub fn program() -> Result<PathBuf, String> {
    // Without the examples, which take dependencies of tests, some dependencies would have other features than in tests,
    // and everything would be compiled once more.
    cargo(&["build", "--quiet", "--workspace", "--bins", "--examples"])?;
    Ok(target().join("debug/carom"))
}

/// Runs cargo at the root of the repository.
pub fn cargo(arguments: &[&str]) -> Result<(), String> {
    run(Command::new(env!("CARGO")).current_dir(root()).args(arguments))
}

/// Runs the benchmark program, optimized.
pub fn bench(command: &str, rest: &[&str]) -> Result<(), String> {
    bench_cargo(&[&["run", "--quiet", "--release", "--", command], rest].concat())
}

/// Runs cargo on the benchmarks, which are a workspace of their own, at the root of the repository.
pub fn bench_cargo(arguments: &[&str]) -> Result<(), String> {
    let mut command = Command::new(env!("CARGO"));
    command.arg(arguments[0]).args(["--manifest-path", "bench/Cargo.toml"]).args(&arguments[1..]);
    run(command.current_dir(root()))
}

/// Runs a command to its end, which must be a success.
pub fn run(command: &mut Command) -> Result<(), String> {
    run_to(0, command)
}

/// Runs a command to its end, which must be the given exit code.
pub fn run_to(exit_code: i32, command: &mut Command) -> Result<(), String> {
    let shown = format!("{command:?}").replace('"', "");
    eprintln!("\n== {shown}");
    let status = command.status().map_err(|error| format!("{shown} cannot be started: {error}"))?;
    match status.code() {
        Some(code) if code == exit_code => Ok(()),
        _ => Err(format!("{shown} ended with {status}, not with exit code {exit_code}")),
    }
}
