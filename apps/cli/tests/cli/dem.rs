//! DEM scenes: what the examples show, what is refused, what is lost.

use crate::program::{assert_ends, carom, folder, text};
use crate::scenes::examples;
use std::fs;

/// What an example shows: the scene, its end, which may be earlier than the scene's own, and the range of one number of
/// `summary.json`.
type Outcome = (&'static str, &'static str, &'static str, f64, f64);

#[test]
fn dem_examples_show_what_they_are_about() {
    assert_outcomes(&[
        // A ball of the row of 120 moves only when the wave has passed all others.
        ("chain", "0.0045", "/body_120_x", 1.2565, 1.258),
        // They stand still, and remain so.
        ("cubes", "0.5", "/kinetic_energy", 0.0, 1e-9),
    ]);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn dem_examples_of_long_runs_show_what_they_are_about() {
    assert_outcomes(&[
        ("collapse", "4.0", "/in_far", 130.0, 280.0),
        ("hopper", "4.0", "/in_out", 160.0, 290.0),
        // The slope in the drum holds the center of mass beside the axis at 10.
        ("drum", "6.0", "/center_x", 11.3, 13.5),
        // It starts at 2.6, at the bottom.
        ("shaker", "20.0", "/body_0_y", 4.0, 9.0),
        // They hit beside their middles, and turn after it.
        ("foams", "4.0", "/rotational_energy", 0.3, 0.7),
        // They have fallen, and lie.
        ("clumps", "3.0", "/kinetic_energy", 0.0, 1.0),
        ("dice", "3.0", "/kinetic_energy", 0.0, 10.0),
    ]);
}

fn assert_outcomes(outcomes: &[Outcome]) {
    let folder = folder();
    for &(name, until, number, low, high) in outcomes {
        let path = examples().join(format!("{name}.toml"));
        let until = format!("until={until}");
        let run = ["run", path.to_str().unwrap(), "--set", &until, "--json"];
        let output = carom(folder.path(), &run);
        assert_ends(&output, 0);
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let found = summary.pointer(number).and_then(|value| value.as_f64()).unwrap();
        assert!((low..=high).contains(&found), "{name}: {number} is {found}");
    }
}

/// Two bodies between walls.
const BOX: &str = r#"engine = "dem"
dimension = 2
until = 1.0
[box]
size = 4
boundary = "wall"
[materials.default]
density = 1.0
youngs_modulus = 1e6
poissons_ratio = 0.3
friction = 0.3
restitution = 0.5
[[bodies]]
position = [1, 1]
radius = 0.5
[[bodies]]
position = [3, 3]
radius = 0.5
"#;

#[test]
fn what_makes_no_sense_is_refused_with_what_to_change() {
    let folder = folder();
    fs::write(folder.path().join("box.toml"), BOX).unwrap();
    for (setting, part) in [
        ("materials.default.poissons_ratio=0.7", "materials.default.poissons_ratio is 0.7"),
        ("materials.default.restitution=2", "restitution"),
        ("materials.default.density=-1", "materials.default.density is -1"),
        ("materials.default.friction=-1", "materials.default.friction is -1"),
        ("materials.default.youngs_modulus=0", "materials.default.youngs_modulus is 0"),
        ("step=0.1", "to be stable"),
        ("bodies.0.position=[9, 1]", "must lie between"),
        ("bodies.0.position=[3, 2.5]", "would throw them apart"),
        ("generate=[{kind='random', count=50, radius=0.4}]", "lower the packing fraction"),
        (
            "pour=[{count=5, radius=0.4, rate=1, region={low=[1, 1], high=[2, 1.5]}}]",
            "widen it, or take smaller bodies",
        ),
        (
            "gravity={acceleration=[0, -1], angular_velocity=[1, 2]}",
            "in 2 dimensions it must be one number",
        ),
    ] {
        let output = carom(folder.path(), &["run", "box.toml", "--out", "no", "--set", setting]);
        assert_ends(&output, 2);
        let report = text(&output.stderr);
        assert!(
            report.contains(part) && report.trim_end().lines().count() == 1,
            "{setting}: {report}"
        );
        assert!(!folder.path().join("no").exists(), "{setting}");
    }
}

/// A body far too fast for a law that stiffens: it gains at every wall until it is nowhere.
#[test]
fn a_body_that_is_lost_is_named_and_the_checkpoint_before_it_is_kept() {
    let folder = folder();
    fs::write(folder.path().join("box.toml"), BOX).unwrap();
    let fast = ["--set", "bodies.1.velocity=[1e9, 2e8]"];
    let output = carom(folder.path(), &[&["run", "box.toml", "-q"], &fast[..]].concat());
    assert_ends(&output, 1);
    assert!(text(&output.stderr).contains("the energy grows by"), "{}", text(&output.stderr));
    let forced = ["run", "box.toml", "-q", "--force", "--force-energy"];
    let output = carom(folder.path(), &[&forced[..], &fast[..]].concat());
    assert_ends(&output, 1);
    let message = text(&output.stderr);
    let lost = message.lines().find(|line| line.contains("is lost at time")).unwrap().to_owned();
    assert!(lost.contains("body 1 is lost") && lost.contains("contact with wall"), "{message}");
    assert!(lost.contains("take a shorter time step"), "{message}");
    let results = folder.path().join("box.run");
    assert!(results.join("checkpoint.bin").exists() && !results.join("summary.json").exists());
    // From there it goes the same way.
    let again =
        carom(folder.path(), &["run", "--out", "box.run", "--resume", "-q", "--force-energy"]);
    assert_ends(&again, 1);
    assert!(text(&again.stderr).contains(&lost), "{}", text(&again.stderr));
}

#[test]
fn a_finished_run_that_is_resumed_keeps_its_figures_and_its_last_row() {
    let folder = folder();
    // They are pressed together and against the left side by gravity, and touch at the end.
    let text = BOX.replace("[3, 3]", "[2.05, 1]").replace("until = 1.0", "until = 3.0");
    let text = text + "[gravity]\nacceleration = [-9, -9]\n";
    fs::write(folder.path().join("box.toml"), text).unwrap();
    assert_ends(&carom(folder.path(), &["run", "box.toml", "--out", "box.run", "-q"]), 0);
    let read = |name: &str| fs::read_to_string(folder.path().join("box.run").join(name)).unwrap();
    let figures = || {
        let mut summary: serde_json::Value = serde_json::from_str(&read("summary.json")).unwrap();
        let all = summary.as_object_mut().unwrap();
        // What this process did and needed.
        ["work", "memory", "seconds"].iter().for_each(|key| drop(all.remove(*key)));
        summary
    };
    let (before, log) = (figures(), read("log.csv"));
    let count = |key: &str| before[key].as_u64().unwrap();
    assert!(count("contacts") > 0 && count("wall_contacts") > 0, "{before}");
    assert_ends(&carom(folder.path(), &["run", "--out", "box.run", "--resume", "-q"]), 0);
    assert_eq!(figures(), before);
    assert_eq!(read("log.csv"), log);
}
