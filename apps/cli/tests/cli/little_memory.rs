//! Every command where memory ends before its work does.

use crate::program::{assert_refused, carom, folder, text};
use crate::results::contents;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program where its address space is limited to a number of kilobytes.
fn limited(folder: &Path, kilobytes: u64, arguments: &[&str]) -> Output {
    let script = format!("ulimit -v {kilobytes}; exec \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", env!("CARGO_BIN_EXE_carom")]).args(arguments);
    command.current_dir(folder).stdin(Stdio::null()).output().unwrap()
}

/// Least kilobytes with which the program starts at all.
fn least(folder: &Path) -> u64 {
    let starts = |kilobytes: &u64| limited(folder, *kilobytes, &["--version"]).status.success();
    (1..200).map(|step| 2000 * step).find(starts).expect("the program starts") + 1000
}

const SCENE: &str = "engine = 'ENGINE'\ndimension = 3\nuntil = 0.01\n[[generate]]\nkind = 'lattice'\ncount = 20_000\n\
    radius = 0.5\npacking_fraction = 0.3\ntemperature = 1\n[output]\ninterval = 0.01\n";

/// Runs with so much output that an end of memory comes at all stages.
const CALLS: [&[&str]; 12] = [
    &["contacts", "case:3B:200000", "--out", "old.csv"],
    &["triangulate", "case:3B:20000", "--out", "old.vtu", "--cells", "old.csv"],
    &["generate", "particles", "--count", "200000", "--out", "old.csv"],
    &["generate", "mesh", "sphere", "--triangles", "131072", "--out", "old.off"],
    &["generate", "mesh", "foam", "--triangles", "100000", "--out", "old.off"],
    &["inside", "foam.off", "grid:60", "--out", "old.csv"],
    &["check", "foam.off"],
    &["check", "event-driven.toml"],
    &["run", "event-driven.toml", "--out", "new.run"],
    &["run", "dem.toml", "--out", "new.run"],
    &["export", "kept.run", "--html", "old.csv"],
    &["run", "event-driven.toml", "--out", "kept.run"],
];

#[test]
fn an_end_of_memory_is_reported_and_leaves_nothing_half_written() {
    assert_ends_of_memory((0..17).step_by(8));
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn an_end_of_memory_is_reported_wherever_it_comes() {
    assert_ends_of_memory(0..17);
}

/// Runs every call with more and more memory.
fn assert_ends_of_memory(steps: impl Iterator<Item = i32> + Clone) {
    let folder = folder();
    let path = folder.path();
    for engine in ["event-driven", "dem"] {
        fs::write(path.join(format!("{engine}.toml")), SCENE.replace("ENGINE", engine)).unwrap();
    }
    let foam = ["generate", "mesh", "foam", "--triangles", "100000", "--out", "foam.off", "-q"];
    assert!(carom(path, &foam).status.success());
    assert!(carom(path, &["run", "event-driven.toml", "--out", "kept.run", "-q"]).status.success());
    for name in ["old.csv", "old.vtu", "old.off"] {
        fs::write(path.join(name), "old").unwrap();
    }
    let (least, mut ends) = (least(path), [0; 3]);
    for arguments in CALLS {
        for step in steps.clone() {
            let before = contents(path);
            // From a few pages more than nothing to enough for all, in equal factors.
            let kilobytes = least + (500.0 * 1.6_f64.powi(step)) as u64;
            let output = limited(path, kilobytes, arguments);
            let (report, code) = (text(&output.stderr), output.status.code());
            let place = format!("{arguments:?} in {kilobytes} kB: {:?} {report}", output.status);
            assert!(matches!(code, Some(0..=2)), "{place}");
            ends[code.unwrap() as usize] += 1;
            if code != Some(0) {
                assert_eq!(
                    report.lines().filter(|line| line.starts_with("error: ")).count(),
                    1,
                    "{place}"
                );
            }
            let partial = |name: &&std::path::PathBuf| name.to_string_lossy().contains(".partial");
            let after = contents(path);
            assert_eq!(after.keys().find(partial), None, "{place}");
            if code != Some(0) {
                let changed = before.iter().find(|(name, bytes)| after.get(*name) != Some(bytes));
                assert!(changed.is_none(), "{place}");
            }
            for name in ["old.csv", "old.vtu", "old.off"] {
                fs::write(path.join(name), "old").unwrap();
            }
            let _ = fs::remove_dir_all(path.join("new.run"));
        }
    }
    // All three ends were met, so that there was something to be seen.
    assert!(ends.into_iter().all(|count| count > 3), "{ends:?}");
}

#[test]
fn what_needs_more_memory_than_there_is_is_refused_with_the_figure() {
    let folder = folder();
    let refused = |arguments: &[&str], start: &str| {
        let output = carom(folder.path(), arguments);
        let report = text(&output.stderr);
        assert!(report.starts_with(start), "{report}");
        assert!(
            report.ends_with("are at hand; take fewer, or allow more by --memory\n"),
            "{report}"
        );
        assert_eq!(output.status.code(), Some(2), "{report}");
    };
    fs::write(folder.path().join("many.toml"), SCENE.replace("20_000", "4e9")).unwrap();
    refused(
        &["contacts", "case:3B:4e9"],
        "error: 4000000000 particles need about 400 GB of memory, and ",
    );
    refused(
        &["triangulate", "case:3B:4e9"],
        "error: 4000000000 particles need about 800 GB of memory, and ",
    );
    refused(
        &["run", "many.toml"],
        "error: many.toml: 4000000000 bodies need about 2.4 TB of memory, and ",
    );
    let mesh = ["generate", "mesh", "foam", "--triangles", "4e9", "--out", "foam.off"];
    refused(&mesh, "error: 4000000000 triangles need about 720 GB of memory, and ");
    let little = ["contacts", "case:3B:100000", "--memory", "1MB"];
    refused(&little, "error: 100000 particles need about 10 MB of memory, and 1.0 MB are at hand");
    let row = "1,1,1\n";
    fs::write(folder.path().join("heap.csv"), format!("x,y,r\n{}", row.repeat(20_000))).unwrap();
    refused(
        &["contacts", "heap.csv", "--memory", "1GB"],
        "error: about 2.0e8 contacts need about 3.2 GB of memory, and 1.0 GB are at hand",
    );
    refused(
        &["check", ":discs", "--set", "solids.0.spacing=0.01", "--memory", "1GB"],
        "error: --set solids.0.spacing=0.01: solids.0.spacing is 0.01; lattices of all solids so far need about ",
    );
    let sentence = "--memory is \"much\"; it must be a size such as 500MB or 8GB";
    assert_refused(folder.path(), &["contacts", "case:3B:10", "--memory", "much"], sentence);
}
