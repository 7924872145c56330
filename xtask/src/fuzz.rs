//! `cargo xtask fuzz`: the libFuzzer targets, where a nightly compiler and cargo-fuzz are installed.

use crate::command::{root, run};
use crate::unsafe_code::{cargo_of_rustup, is_there};

/// Seconds for each target.
const SECONDS: &str = "60";

/// Runs every target for a while, or those that are named, from the kept corpus.
pub fn fuzz(names: &[&str]) -> Result<(), String> {
    if !is_there(cargo_of_rustup().args(["+nightly", "fuzz", "--version"])) {
        eprintln!(
            "\n== cargo fuzz: skipped, it needs a nightly compiler and cargo-fuzz (cargo install cargo-fuzz)"
        );
        return Ok(());
    }
    let all = targets()?;
    let chosen: Vec<&str> =
        if names.is_empty() { all.iter().map(String::as_str).collect() } else { names.to_vec() };
    chosen.iter().try_for_each(|name| {
        // New inputs are written to a folder of their own; the corpus of the repository stays small.
        let found = root().join("target/fuzz").join(name);
        std::fs::create_dir_all(&found)
            .map_err(|error| format!("{} cannot be made: {error}", found.display()))?;
        let mut command = cargo_of_rustup();
        command
            .args(["+nightly", "fuzz", "run", name])
            .arg(found)
            .arg(format!("fuzz/corpus/{name}"));
        run(command.args(["--", &format!("-max_total_time={SECONDS}"), "-timeout=20"]))
    })
}

/// Returns the names of the targets: one for each file.
fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/fuzz_targets");
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| {
            entry.path().file_stem().map(|name| name.to_string_lossy().into_owned())
        })
        .collect();
    names.sort();
    Ok(names)
}
