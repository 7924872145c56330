//! Runs that would never end say why and end.

use crate::program::{assert_ends, assert_refused, carom, folder, text};
use std::fs;
use std::time::{Duration, Instant};

const PERIODIC: &str =
    "engine = 'event-driven'\ndimension = 2\nbox = { size = 10, boundary = 'periodic' }\n";

#[test]
fn time_that_stands_still_is_noticed() {
    let folder = folder();
    let scene = "until = 1\n[[generate]]\nkind = 'lattice'\nlattice = 'square'\ncount = 100\nradius = 0.5\ntemperature = 1\n";
    fs::write(folder.path().join("full.toml"), format!("until = 1\n{PERIODIC}{}", &scene[10..]))
        .unwrap();
    let output = carom(folder.path(), &["run", "full.toml", "-q"]);
    let report = text(&output.stderr);
    assert!(
        report.starts_with("error: the simulated time does not advance beyond 0, after 1"),
        "{report}"
    );
    assert!(
        report.contains("the next of bodies ") && report.contains("start them a little apart"),
        "{report}"
    );
    assert_ends(&output, 1);
    // As dense as can be without touching, it runs.
    let scene =
        format!("collisions = 300_000\n{PERIODIC}{}", &scene[10..]).replace("0.5", "0.4999999");
    fs::write(folder.path().join("dense.toml"), scene).unwrap();
    assert_ends(&carom(folder.path(), &["run", "dense.toml", "-q"]), 0);
}

#[test]
fn an_end_by_collisions_that_never_come_is_noticed() {
    let folder = folder();
    let bodies = |second: &str| {
        format!(
            "collisions = 10\n{PERIODIC}[[bodies]]\nposition = [5, 2]\nvelocity = [1, 0]\nradius = 0.5\n\
             [[bodies]]\nposition = [5, 6]\nvelocity = {second}\nradius = 0.5\n"
        )
    };
    fs::write(folder.path().join("one.toml"), bodies("[1, 0]")).unwrap();
    let output = carom(folder.path(), &["run", "one.toml"]);
    assert_ends(&output, 0);
    assert!(
        text(&output.stdout).contains("nothing will happen any more"),
        "{}",
        text(&output.stdout)
    );
    for (name, scene) in [
        ("two.toml", bodies("[-0.5, 0]")),
        ("wall.toml", bodies("[-0.7, 0]").replace("periodic", "wall")),
    ] {
        fs::write(folder.path().join(name), scene).unwrap();
        let output = carom(folder.path(), &["run", name, "-q"]);
        let report = text(&output.stderr);
        assert!(
            report.starts_with("error: no two bodies have collided from time 0 to "),
            "{report}"
        );
        assert!(report.ends_with("end it at a time by until\n"), "{report}");
        assert_ends(&output, 1);
    }
}

#[test]
fn bodies_that_travel_far_between_collisions_are_warned_of() {
    let folder = folder();
    // They drift together, and meet after more than fifty thousand passages.
    let body = |x: u8, speed: f64| {
        format!("[[bodies]]\nposition = [{x}, 5]\nvelocity = [{speed}, 0]\nradius = 0.5\n")
    };
    let scene = format!("collisions = 3\n{PERIODIC}{}{}", body(2, 1e4), body(6, 9999.9));
    fs::write(folder.path().join("drift.toml"), &scene).unwrap();
    let output = carom(folder.path(), &["run", "drift.toml"]);
    assert_ends(&output, 0);
    let report = text(&output.stderr);
    assert_eq!(report.matches("since two of them collided").count(), 1, "{report}");
    fs::write(folder.path().join("calm.toml"), scene.replace("9999.9", "9000")).unwrap();
    let report = carom(folder.path(), &["run", "calm.toml"]).stderr;
    assert!(!text(&report).contains("since two of them collided"));
}

#[test]
fn rows_without_number_are_refused() {
    let folder = folder();
    let body = "[[bodies]]\nposition = [5, 2]\nvelocity = [1, 0]\nradius = 0.5\n";
    let scene = format!("until = 10\noutput.log_interval = 1e-30\n{PERIODIC}{body}");
    fs::write(folder.path().join("rows.toml"), scene).unwrap();
    let sentence = "rows.toml: output.log_interval is 1e-30, which would give about 1.0e31 rows of the log; at most \
        1e9 are written: take a longer interval";
    assert_refused(folder.path(), &["run", "rows.toml", "-q"], sentence);
    assert!(!folder.path().join("rows.run").exists());
}

#[test]
fn a_limit_of_wall_time_holds_before_the_first_step() {
    let folder = folder();
    let scene = "engine = 'event-driven'\ndimension = 3\nuntil = 1.0\n[[generate]]\nkind = 'random'\n\
        count = 2_000_000\nradius = 0.5\npacking_fraction = 0.36\n";
    fs::write(folder.path().join("dense.toml"), scene).unwrap();
    let start = Instant::now();
    let output = carom(folder.path(), &["run", "dense.toml", "-q", "--max-walltime", "1ms"]);
    assert_ends(&output, 3);
    let report = text(&output.stderr);
    assert!(
        report.starts_with("error: stopped by --max-walltime before the first step"),
        "{report}"
    );
    assert!(start.elapsed() < Duration::from_secs(30));
    assert!(!folder.path().join("dense.run").exists());
}
