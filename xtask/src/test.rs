//! `cargo xtask test`: everything a change must pass.

use crate::command::{cargo, release_program, root, run, target};
use crate::{browser, readme};
use std::process::Command;

pub fn everything() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-D", "warnings"])?;
    cargo(&["test", "--workspace", "--quiet"])?;
    documentation()?;
    examples()?;
    readme_commands()?;
    browser::test()?;
    benchmarks()?;
    dependencies()?;
    eprintln!("\nall passed");
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
    names
        .iter()
        .try_for_each(|name| cargo(&["run", "--quiet", "--package", "carom", "--example", name]))
}

/// That benchmarks run, not how fast: as tests are built, so that peers are not compiled a second time.
fn benchmarks() -> Result<(), String> {
    // Of a single package some dependencies would have other features, and be compiled for it.
    cargo(&["build", "--quiet", "--workspace", "--bins"])?;
    let program = target().join("debug/carom-bench");
    let bench =
        |arguments: &[&str]| run(Command::new(&program).current_dir(root()).args(arguments));
    let names =
        ["contacts", "event-driven", "triangulate", "convex", "boxes", "inside", "dem", "bonded"];
    names.iter().try_for_each(|name| bench(&[name, "--tiny"]))?;
    bench(&["readme", "--check", "README.md"])
}

fn readme_commands() -> Result<(), String> {
    let program = release_program()?;
    let folder = target().join("readme");
    readme::fresh_folder(&folder)
        .map_err(|error| format!("{} cannot be made anew: {error}", folder.display()))?;
    readme::run_commands(&program, &folder)
}

/// Licences and sources of the dependencies, where cargo-deny is installed.
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
