//! How the tests start the program, and what they ask of its answer.

use std::path::Path;
use std::process::{Command, Output, Stdio};

pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carom"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command
}

pub fn carom(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

pub fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("output is text")
}

pub fn assert_ends(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
}

/// Asserts exit code 2, nothing on standard output, and exactly this one sentence.
pub fn assert_refused(folder: &Path, arguments: &[&str], sentence: &str) {
    let output = carom(folder, arguments);
    assert_eq!(text(&output.stderr), format!("error: {sentence}\n"), "{arguments:?}");
    assert_ends(&output, 2);
    assert!(output.stdout.is_empty(), "{arguments:?}");
}
