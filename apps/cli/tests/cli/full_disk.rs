//! Runs whose files cannot be written.

use crate::program::{assert_ends, carom, folder, text};
use crate::scenes::{PARTING, write_gas};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// The program where no file may be larger than this many half kilobytes, which stands for a full disk.
fn limited(folder: &Path, blocks: u32, arguments: &[&str]) -> Output {
    let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    Command::new("sh")
        .args(["-c", &script, "sh", env!("CARGO_BIN_EXE_carom")])
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[test]
fn a_picture_that_cannot_be_written_does_not_cost_the_figures() {
    let folder = folder();
    fs::write(folder.path().join("apart.toml"), PARTING).unwrap();
    let output = limited(folder.path(), 12, &["run", "apart.toml", "-q"]);
    let report = text(&output.stderr);
    assert!(report.contains("apart.run/picture.png cannot be written"), "{report}");
    assert_ends(&output, 1);
    let summary = fs::read_to_string(folder.path().join("apart.run/summary.json")).unwrap();
    assert!(summary.contains("\"kinetic_energy\": 1.0"), "{summary}");
    // The run has not written all its files, and a resume writes the picture.
    assert!(summary.contains("\"finished\": false"), "{summary}");
}

#[test]
fn a_file_that_may_grow_no_further_is_reported_and_leaves_nothing() {
    let folder = folder();
    fs::write(folder.path().join("contacts.csv"), "old").unwrap();
    let script = "ulimit -f 4; exec \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, "sh", env!("CARGO_BIN_EXE_carom")]).current_dir(folder.path());
    command.args(["contacts", "case:3B:20000", "-q", "--out", "contacts.csv"]);
    let output = command.output().unwrap();
    assert_ends(&output, 1);
    let report = text(&output.stderr);
    assert!(report.starts_with("error: contacts.csv cannot be written: "), "{report}");
    assert_eq!(fs::read_to_string(folder.path().join("contacts.csv")).unwrap(), "old");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_full_disk_is_reported_in_one_sentence_and_the_checkpoint_stays() {
    let folder = folder();
    write_gas(folder.path());
    let stop = ["run", "gas.toml", "-q", "--max-walltime", "0"];
    assert_ends(&carom(folder.path(), &stop), 3);
    let checkpoint = fs::read(folder.path().join("gas.run/checkpoint.bin")).unwrap();
    let output = limited(folder.path(), 8, &["run", "gas.toml", "--resume"]);
    let report = text(&output.stderr);
    assert!(report.contains("cannot be written") && report.lines().count() == 1, "{report}");
    assert_ends(&output, 1);
    assert_eq!(fs::read(folder.path().join("gas.run/checkpoint.bin")).unwrap(), checkpoint);
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "--resume", "-q"]), 0);
}
