//! What is printed, by `carom run`, `carom check` and `carom schema`, and what if nobody listens.

use crate::program::{assert_ends, carom, command, folder, text};
use crate::scenes::write_gas;
use std::fs;
use std::process::Stdio;

#[test]
fn figures_that_do_not_exist_are_left_out() {
    let folder = folder();
    let scene = "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\nbox.size = 1e6\n\
        [[bodies]]\nposition = [1, 1]\nvelocity = [1e-5, 0]\nradius = 0.5\n\
        [[bodies]]\nposition = [9, 9]\nvelocity = [-1e-5, 0]\nradius = 0.5\n";
    fs::write(folder.path().join("one.toml"), scene).unwrap();
    let report = text(&carom(folder.path(), &["run", "one.toml"]).stdout);
    for part in ["NaN", "inf", "0.000000", "smallest gap", "mean free path"] {
        assert!(!report.contains(part), "{part}: {report}");
    }
    for part in
        ["temperature           1e-10\n", "packing fraction      1.5708e-12\n", "s measuring"]
    {
        assert!(report.contains(part), "{part}: {report}");
    }
}

#[test]
fn the_work_of_a_triangulation_is_reported() {
    let folder = folder();
    write_gas(folder.path());
    let run = |method: &str| {
        let method = format!("neighbors.method={method}");
        let arguments = ["run", "gas.toml", "--check", "--force", "--set", &method];
        text(&carom(folder.path(), &arguments).stdout)
    };
    let report = run("laguerre-delaunay");
    assert!(report.contains("neighbors             laguerre-delaunay: asked for"), "{report}");
    let work = report.lines().find(|line| line.starts_with("  triangulation   ")).unwrap();
    assert!(work.contains(" flips, ") && work.contains(" solved per collision"), "{work}");
    assert!(!run("neighbor-lists").contains("triangulation"));
}

#[test]
fn warnings_and_the_schema_are_printed() {
    let folder = folder();
    write_gas(folder.path());
    let gravity = ["check", "gas.toml", "--set", "gravity.acceleration=[0,-1]"];
    let report = text(&carom(folder.path(), &gravity).stdout);
    assert!(report.contains("warning: gravity acts along the periodic axis y"), "{report}");
    let growth =
        text(&carom(folder.path(), &["check", "gas.toml", "--set", "growth.rate=0.1"]).stdout);
    assert!(growth.contains("velocities are scaled back to the start's temperature"), "{growth}");
    let schema = carom(folder.path(), &["schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
    assert_eq!(schema["title"], "carom scene");
}

/// A pipe that nobody reads.
#[cfg(unix)]
fn closed() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

#[cfg(unix)]
#[test]
fn a_stopped_run_says_so_by_its_code_though_nobody_listens() {
    let folder = folder();
    write_gas(folder.path());
    let stop = ["run", "gas.toml", "--max-walltime", "0"];
    let mut command = command(folder.path(), &stop);
    assert_eq!(command.stdout(closed()).stderr(closed()).status().unwrap().code(), Some(3));
}

#[cfg(unix)]
#[test]
fn a_failure_keeps_its_code_though_nobody_listens() {
    let folder = folder();
    for arguments in [&["run", "none.toml"][..], &["contacts", "none.csv"], &["man", "none"]] {
        let mut command = command(folder.path(), arguments);
        assert_eq!(command.stderr(closed()).status().unwrap().code(), Some(2), "{arguments:?}");
    }
    let mut command = command(folder.path(), &["contacts", "case:2A:50", "--stats", "--out", "c"]);
    assert_eq!(command.stderr(closed()).status().unwrap().code(), Some(0));
}

#[test]
fn a_run_without_a_terminal_reports_its_progress_in_lines() {
    let folder = folder();
    write_gas(folder.path());
    let report = |more: &[&str]| {
        let arguments: Vec<&str> =
            ["run", "gas.toml", "--force"].iter().chain(more).copied().collect();
        let output = carom(folder.path(), &arguments);
        assert_ends(&output, 0);
        text(&output.stderr)
    };
    let lines = report(&["--progress-interval", "1ms"]);
    let line = lines.lines().next().unwrap();
    for part in [" %: time ", " collisions, ", " per second"] {
        assert!(line.contains(part), "{lines}");
    }
    assert!(!report(&["--progress-interval", "1ms", "--quiet"]).contains('%'));
    // Short runs say nothing of it.
    assert!(!report(&[]).contains('%'));
    let wrong = carom(folder.path(), &["run", "gas.toml", "--progress-interval", "often"]);
    assert_ends(&wrong, 2);
    assert!(text(&wrong.stderr).contains("--progress-interval is \"often\""));
}
