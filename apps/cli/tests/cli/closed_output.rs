//! Results that nobody can read are not lost in silence.

use crate::program::{assert_ends, command, folder, text};
use crate::scenes::PARTING;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// One call of every command that prints a result.
const CALLS: [&[&str]; 12] = [
    &[],
    &["--help"],
    &["--version"],
    &["contacts", "case:3B:1000"],
    &["triangulate", "case:3B:1000"],
    &["generate", "particles", "--count", "100"],
    &["generate", "polyhedron", "dodecahedron"],
    &["check", "apart.toml"],
    &["run", "apart.toml", "--force"],
    &["schema"],
    &["man"],
    &["completions", "bash"],
];

fn closed(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$@\" >&-", "sh", env!("CARGO_BIN_EXE_carom")]).args(arguments);
    command.current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_closed_or_full_standard_output_is_reported_by_every_command() {
    let folder = folder();
    fs::write(folder.path().join("apart.toml"), PARTING).unwrap();
    for arguments in CALLS {
        let output = closed(folder.path(), arguments);
        let report = text(&output.stderr);
        let sentence = "error: standard output cannot be written: it is closed\n";
        assert!(report.ends_with(sentence), "{arguments:?}: {report}");
        assert_ends(&output, 1);
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(folder.path(), arguments).stdout(full).output().unwrap();
        let report = text(&output.stderr);
        assert!(
            report.contains("error: standard output cannot be written: "),
            "{arguments:?}: {report}"
        );
        assert_ends(&output, 1);
    }
}

#[test]
fn standard_output_to_nowhere_is_an_output_like_any_other() {
    let folder = folder();
    for null in [
        File::options().write(true).open("/dev/null"),
        File::options().read(true).write(true).open("/dev/null"),
    ] {
        let mut command = command(folder.path(), &["contacts", "case:3B:1000"]);
        assert_ends(&command.stdout(null.unwrap()).output().unwrap(), 0);
    }
}
