//! `carom run` and what it leaves behind.

use crate::program::{assert_ends, carom, folder, text};
use crate::results::{assert_same_results, contents};
use crate::scenes::{PARTING, examples, write_gas};
use std::fs;
use std::path::Path;

#[test]
fn a_run_leaves_all_its_results() {
    let folder = folder();
    write_gas(folder.path());
    let output = carom(folder.path(), &["run", "gas.toml", "--check"]);
    assert_ends(&output, 0);
    let report = text(&output.stdout);
    for part in ["300 discs", "20,000", "PV/NkT", "smallest gap", "gas.run/picture.png"] {
        assert!(report.contains(part), "{report}");
    }
    let results = folder.path().join("gas.run");
    for name in ["scene.toml", "checkpoint.bin", "frames/frames.pvd", "frames/frame_000001.xyz"] {
        assert!(results.join(name).exists(), "{name}");
    }
    assert!(fs::read(results.join("picture.png")).unwrap().starts_with(b"\x89PNG"));
    let log = fs::read_to_string(results.join("log.csv")).unwrap();
    assert!(log.starts_with("time,collisions,kinetic_energy"));
    assert_eq!(log.lines().count(), 102, "a header and a hundred and one rows");
    let distribution = fs::read_to_string(results.join("radial_distribution.csv")).unwrap();
    assert_eq!(distribution.lines().count(), 61);
    let far: f64 = distribution.lines().last().unwrap().split(',').nth(1).unwrap().parse().unwrap();
    assert!((far - 1.0).abs() < 0.1, "{far}");
    let summary = fs::read(results.join("summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    assert_eq!((&summary["collisions"], &summary["finished"]), (&20_000.into(), &true.into()));
    // What it wrote as scene runs again.
    let again = carom(folder.path(), &["run", "gas.run/scene.toml", "--out", "again", "-q"]);
    assert_ends(&again, 0);
    assert!(again.stdout.is_empty());
    assert_same_results(&results, &folder.path().join("again"));
}

#[test]
fn a_frame_of_one_run_starts_another() {
    let folder = folder();
    write_gas(folder.path());
    let run = ["run", "gas.toml", "-q", "--until", "1", "--set", "materials.default.density=2"];
    assert_ends(&carom(folder.path(), &run), 0);
    let scene = "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\n\
        [[bodies]]\nfile = 'gas.run/frames/frame_000001.xyz'\n";
    fs::write(folder.path().join("next.toml"), scene).unwrap();
    let output = carom(folder.path(), &["run", "next.toml", "--json"]);
    assert_ends(&output, 0);
    let first = |run: &str, row: usize| {
        let log = fs::read_to_string(folder.path().join(run).join("log.csv")).unwrap();
        let row: Vec<f64> =
            log.lines().nth(row).unwrap().split(',').map(|it| it.parse().unwrap()).collect();
        (row[2], row[10])
    };
    let (next, before) = (first("next.run", 1), first("gas.run", 101));
    assert!((next.0 / before.0 - 1.0).abs() < 1e-12, "{next:?} {before:?}");
    assert!((next.1 / before.1 - 1.0).abs() < 1e-12, "{next:?} {before:?}");
}

#[test]
fn force_leaves_nothing_of_the_run_before() {
    let folder = folder();
    write_gas(folder.path());
    assert_ends(&carom(folder.path(), &["run", "gas.toml", "-q", "--until", "1"]), 0);
    let force = ["run", "gas.toml", "-q", "--until", "0.5", "--force"];
    let none: Vec<&str> = force.into_iter().chain(["--set", "output.formats=[]"]).collect();
    assert_ends(&carom(folder.path(), &none), 0);
    let frames = contents(&folder.path().join("gas.run/frames"));
    assert!(frames.is_empty(), "{:?}", frames.keys());
}

#[test]
fn bodies_that_fly_apart_end_the_run() {
    let folder = folder();
    fs::write(folder.path().join("apart.toml"), PARTING).unwrap();
    let output = carom(folder.path(), &["run", "apart.toml"]);
    assert_ends(&output, 0);
    assert!(text(&output.stderr).starts_with("warning: all axes are open"));
    let report = text(&output.stdout);
    assert!(report.contains("to time 2; ended because nothing will happen any more"), "{report}");
}

#[test]
fn every_example_scene_runs() {
    let mut names: Vec<String> = fs::read_dir(examples())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    assert!(names.len() >= 13, "{names:?}");
    let folder = folder();
    for name in names {
        let path = examples().join(&name);
        let path = path.to_str().unwrap();
        let scene = fs::read_to_string(path).unwrap();
        // DEM scenes have a test of their own.
        if scene.contains("engine = \"dem\"") {
            continue;
        }
        if scene.contains("engine = \"bonded\"") {
            let checked = carom(folder.path(), &["check", path, "--json"]);
            let checked: serde_json::Value = serde_json::from_slice(&checked.stdout).unwrap();
            runs_some_steps(folder.path(), path, checked["step"].as_f64().unwrap());
            continue;
        }
        let run = ["run", path, "--set", "collisions=2000", "--json"];
        let output = carom(folder.path(), &run);
        assert_ends(&output, 0);
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(summary["collisions"], 2000, "{name}");
        assert!(summary["smallest_gap"].as_f64().unwrap() > -1e-9, "{name}: {summary}");
    }
}

/// A scene of solids runs for twenty steps, with frames and springs for viewers.
fn runs_some_steps(folder: &Path, path: &str, step: f64) {
    let until = format!("{:e}", 20.0 * step);
    let output = carom(folder, &["run", path, "--until", &until, "--json"]);
    assert_ends(&output, 0);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(summary["steps"].as_u64().unwrap() >= 20, "{path}: {summary}");
    let name = Path::new(path).file_stem().unwrap().to_str().unwrap();
    let results = folder.join(format!("{name}.run"));
    for file in ["picture.png", "frames/frames.pvd", "frames/springs.pvd", "checkpoint.bin"] {
        assert!(results.join(file).exists(), "{path}: {file}");
    }
}

#[test]
fn without_a_scene_a_billiard_is_played() {
    let folder = folder();
    let output = carom(folder.path(), &["run", "--until", "0.5"]);
    assert_ends(&output, 0);
    let report = text(&output.stdout);
    let last: Vec<&str> = report.lines().rev().take(4).collect();
    assert_eq!(last[0], "the picture is billiard.run/picture.png");
    assert!(last[1].starts_with("body ") && last[1].contains(" was thrown farthest, "), "{report}");
    assert!(last[2].ends_with(" collisions per second"), "{report}");
    assert!(last[3].ends_with(" % of the energy is kept"), "{report}");
    assert!(folder.path().join("billiard.run/picture.png").exists());
}
