//! `cargo xtask test`: everything a change must pass.

use crate::command::{bench_cargo, cargo, program, root, run, target};
use crate::{attack, browser, documents, python, terms};
use std::process::Command;
use std::time::Instant;

/// What every change must pass: slow simulations, most pages of the browser
/// and the benchmarks are left to [`complete`].
pub fn standard() -> Result<(), String> {
    timed("terms", terms::check)?;
    timed("format", || cargo(&["fmt", "--all", "--check"]))?;
    timed("lints", || {
        cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])
    })?;
    timed("tests", || cargo(&["test", "--workspace", "--quiet"]))?;
    timed("rustdoc", documentation)?;
    timed("examples", examples)?;
    timed("commands of README and book", document_commands)?;
    timed("lints of the Python package", python::lint)?;
    timed("Python package", python::test)?;
    timed("browser", || browser::test(browser::Scenes::Few))?;
    timed("dependencies", dependencies)?;
    eprintln!("\nall passed");
    Ok(())
}

/// What a release must pass: all of [`standard`], slow tests, every page in the browser, the benchmarks on tiny inputs,
/// and a short attack.
pub fn complete() -> Result<(), String> {
    standard()?;
    timed("slow tests", || cargo(&["test", "--workspace", "--quiet", "--", "--ignored"]))?;
    timed("browser, all scenes", || browser::test(browser::Scenes::All))?;
    timed("benchmarks", benchmarks)?;
    timed("attack", attack::short)
}

/// The inner loop: format, lints, and unit tests of the crates that differ from the last commit.
pub fn quick() -> Result<(), String> {
    terms::check()?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    let mut arguments = vec!["test".to_owned(), "--quiet".to_owned(), "--lib".to_owned()];
    let touched = touched_crates()?;
    if touched.is_empty() {
        return Ok(());
    }
    arguments.extend(touched.into_iter().map(|name| format!("--package={name}")));
    cargo(&arguments.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Crates with a library of which a file differs from the last commit.
fn touched_crates() -> Result<Vec<String>, String> {
    let output = Command::new("git")
        .args(["status", "--porcelain", "--untracked-files=all"])
        .current_dir(root())
        .output()
        .map_err(|error| format!("git status cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut names: Vec<String> = text
        .lines()
        .filter_map(|line| line.get(3..)?.strip_prefix("crates/")?.split('/').next())
        .map(|name| if name == "carom" { name.to_owned() } else { format!("carom-{name}") })
        .collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Runs a step and prints how long it took, for the table in CONTRIBUTING.md.
fn timed(what: &str, step: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    let start = Instant::now();
    step()?;
    eprintln!("== {what}: {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

fn documentation() -> Result<(), String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["doc", "--workspace", "--no-deps", "--quiet"]).current_dir(root());
    run(command.env("RUSTDOCFLAGS", "-D warnings"))
}

fn examples() -> Result<(), String> {
    let folder = root().join("crates/carom/examples");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
    let mut names: Vec<_> = entries
        .flatten()
        .filter_map(|entry| {
            entry.path().file_stem().map(|name| name.to_string_lossy().into_owned())
        })
        .collect();
    names.sort();
    // Of a single package some dependencies would have other features, and be compiled for it.
    cargo(&["build", "--quiet", "--workspace", "--examples"])?;
    let built = target().join("debug/examples");
    names.iter().try_for_each(|name| run(Command::new(built.join(name)).current_dir(root())))
}

/// That benchmarks run, not how fast, with their own lints and tests.
fn benchmarks() -> Result<(), String> {
    bench_cargo(&["fmt", "--check"])?;
    bench_cargo(&["clippy", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    bench_cargo(&["test", "--quiet"])?;
    let bench = |arguments: &[&str]| bench_cargo(&[&["run", "--quiet", "--"], arguments].concat());
    let names =
        ["contacts", "event-driven", "triangulate", "convex", "boxes", "inside", "dem", "bonded"];
    names.iter().try_for_each(|name| bench(&[name, "--tiny"]))?;
    bench(&["tables", "--check", "docs/performance.md"])
}

/// The commands and scenes of README and book.
pub fn document_commands() -> Result<(), String> {
    documents::run_commands(&program()?, &target().join("documents"))
}

/// Licenses and sources of the dependencies, where cargo-deny is installed.
fn dependencies() -> Result<(), String> {
    let installed = Command::new("cargo-deny")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !installed {
        eprintln!("\n== cargo deny: skipped, it is not installed (cargo install cargo-deny)");
        return Ok(());
    }
    cargo(&["deny", "check", "licenses", "bans", "sources"])
}
