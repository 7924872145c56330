//! Scenes that continue with the bodies of another run.

use crate::program::{assert_ends, assert_refused, carom, folder, text};
use std::fs;
use std::path::{Path, PathBuf};

const BED: &str = "engine = 'dem'\ndimension = 2\nuntil = 2\nbox = { size = [4, 4] }\n\
    gravity.acceleration = [0, -10]\noutput.interval = 0.5\n\
    [materials.default]\nfriction = 0.5\nrestitution = 0.2\nstiffness = 1e4\n";

const DISCS: &str = "[[generate]]\nkind = 'random'\ncount = 20\nradius = 0.2\n";

/// A run in `fill.run`, and a scene that continues with what it is given.
fn fill(folder: &Path, file: &str) {
    fs::write(folder.join("fill.toml"), format!("{BED}{DISCS}")).unwrap();
    assert_ends(&carom(folder, &["run", "fill.toml", "--quiet"]), 0);
    fs::write(folder.join("next.toml"), format!("{BED}[[bodies]]\nfile = '{file}'\n")).unwrap();
}

/// What a results folder holds of the run that its bodies come from.
fn copied(run: &Path) -> (PathBuf, Vec<String>) {
    let mut inputs = fs::read_dir(run.join("inputs")).unwrap();
    let copy = inputs.next().unwrap().unwrap().path();
    assert!(inputs.next().is_none());
    let entries = fs::read_dir(&copy).unwrap();
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
    names.sort();
    (copy, names)
}

#[test]
fn results_hold_what_is_needed_of_the_run_that_bodies_come_from() {
    for (file, needed) in [("fill.run", "checkpoint.bin"), ("fill.run@t=1", "frames")] {
        let folder = folder();
        fill(folder.path(), file);
        let output = carom(folder.path(), &["run", "next.toml"]);
        assert_ends(&output, 0);
        let warned = text(&output.stderr).contains("lacks contact history");
        assert_eq!(warned, file != "fill.run");
        let next = folder.path().join("next.run");
        let (copy, names) = copied(&next);
        let mut expected = vec![needed, "scene.toml"];
        expected.extend((file == "fill.run").then_some("summary.json"));
        assert_eq!(names, expected);
        let scene = fs::read_to_string(next.join("scene.toml")).unwrap();
        let name = copy.file_name().unwrap().to_str().unwrap();
        let which = file.strip_prefix("fill.run").unwrap();
        assert!(scene.contains(&format!("file = \"inputs/{name}{which}\"")), "{scene}");
        // On another machine the run is not where it was.
        fs::remove_dir_all(folder.path().join("fill.run")).unwrap();
        let again = ["run", "next.run/scene.toml", "--out", "again", "--quiet"];
        assert_ends(&carom(folder.path(), &again), 0);
        let log = |run: &str| fs::read(folder.path().join(run).join("log.csv")).unwrap();
        assert_eq!(log("again"), log("next.run"));
        let resume = ["run", "--out", "next.run", "--resume", "--until", "2.5", "--quiet"];
        assert_ends(&carom(folder.path(), &resume), 0);
        assert_eq!(copied(&next), (copy, names));
    }
}

#[test]
fn a_run_does_not_replace_what_its_bodies_come_from() {
    let folder = folder();
    fill(folder.path(), "fill.run@last");
    let checkpoint = || fs::read(folder.path().join("fill.run/checkpoint.bin")).unwrap();
    let before = checkpoint();
    assert_refused(
        folder.path(),
        &["run", "next.toml", "--out", "fill.run", "--force"],
        "fill.run is where bodies of the scene come from; name another folder by --out",
    );
    let scene = fs::read_to_string(folder.path().join("next.toml")).unwrap();
    let frame = scene.replace("fill.run@last", "fill.run/frames/frame_000002.vtp");
    fs::write(folder.path().join("next.toml"), frame).unwrap();
    assert_refused(
        folder.path(),
        &["run", "next.toml", "--out", "fill.run", "--force"],
        "fill.run is where bodies of the scene come from; name another folder by --out",
    );
    assert_eq!(checkpoint(), before);
}

#[test]
fn a_run_that_was_cut_off_is_not_taken_for_its_end() {
    let folder = folder();
    fill(folder.path(), "fill.run");
    // As kill -9 leaves it.
    fs::remove_file(folder.path().join("fill.run/summary.json")).unwrap();
    let output = carom(folder.path(), &["check", "next.toml"]);
    assert_ends(&output, 2);
    let report = text(&output.stderr);
    assert!(
        report.contains("next.toml:12: bodies.0.file") && report.contains("--resume"),
        "{report}"
    );
    let scene = fs::read_to_string(folder.path().join("next.toml")).unwrap();
    let frame = scene.replace("fill.run", "fill.run@2");
    fs::write(folder.path().join("next.toml"), frame).unwrap();
    assert_ends(&carom(folder.path(), &["check", "next.toml"]), 0);
}

#[test]
fn frames_by_themselves_do_not_lose_their_materials() {
    let folder = folder();
    let discs = "[materials.soft]\nstiffness = 1e3\n\
                 [[bodies]]\nposition = [1, 1]\nradius = 0.2\nmaterial = 'soft'\n\
                 [[bodies]]\nposition = [3, 1]\nradius = 0.2\n";
    let formats = "output.formats = ['vtk', 'xyz', 'lammps']\n";
    fs::write(folder.path().join("fill.toml"), format!("{formats}{BED}{discs}")).unwrap();
    assert_ends(&carom(folder.path(), &["run", "fill.toml", "--quiet"]), 0);
    for name in ["vtp", "xyz", "dump"] {
        let file = format!("[[bodies]]\nfile = 'fill.run/frames/frame_000001.{name}'\n");
        let next = folder.path().join("next.toml");
        fs::write(&next, format!("{BED}{file}")).unwrap();
        let output = carom(folder.path(), &["check", "next.toml"]);
        assert_ends(&output, 2);
        let report = text(&output.stderr);
        assert!(report.contains("have materials by number") && report.contains(":12:"), "{report}");
        fs::write(&next, format!("{BED}{file}material = 'default'\n")).unwrap();
        assert_ends(&carom(folder.path(), &["check", "next.toml"]), 0);
    }
}

#[test]
fn a_letter_of_moments_may_stand_in_names() {
    let folder = folder();
    // "home" is a folder too, so that what follows the letter might be meant as a frame of it.
    let home = folder.path().join("home@uni");
    fs::create_dir_all(folder.path().join("home")).unwrap();
    fs::create_dir_all(&home).unwrap();
    fill(&home, "discs@12.csv");
    fs::write(home.join("discs@12.csv"), "x,y,r\n1,1,0.2\n").unwrap();
    assert_ends(&carom(&home, &["run", "next.toml", "--quiet"]), 0);
    assert_ends(&carom(folder.path(), &["contacts", "home@uni/discs@12.csv"]), 0);
}

#[test]
fn particles_are_written_in_every_format_and_compressed() {
    let folder = folder();
    let make =
        ["generate", "particles", "--count", "300", "--fraction", "0.5", "--periodic", "--out"];
    let mut answers = Vec::new();
    for name in ["a.xyz", "a.xyz.gz", "a.vtp", "a.dump", "a.dump.gz"] {
        assert_ends(&carom(folder.path(), &[&make[..], &[name]].concat()), 0);
        let bytes = fs::read(folder.path().join(name)).unwrap();
        assert_eq!(bytes.starts_with(&[0x1f, 0x8b]), name.ends_with(".gz"), "{name}");
        let output = carom(folder.path(), &["contacts", name]);
        assert_ends(&output, 0);
        answers.push(text(&output.stdout));
    }
    assert!(answers[0].lines().count() > 100);
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

#[test]
fn runs_outside_that_a_foreign_scene_names_are_not_read() {
    let folder = folder();
    fill(folder.path(), "fill.run");
    assert_ends(&carom(folder.path(), &["run", "next.toml", "--quiet"]), 0);
    let path = folder.path().join("next.run/scene.toml");
    let scene = fs::read_to_string(&path).unwrap();
    for file in ["../fill.run", "../fill.run@last", "../fill.run@1"] {
        let line = |line: &str| match line.starts_with("file = ") {
            true => format!("file = '{file}'\n"),
            false => format!("{line}\n"),
        };
        fs::write(&path, scene.lines().map(line).collect::<String>()).unwrap();
        let output = carom(folder.path(), &["run", "--out", "next.run", "--resume"]);
        assert_ends(&output, 2);
        let report = text(&output.stderr);
        assert!(report.contains("may name no file outside of it"), "{report}");
    }
}

/// The bodies of a scene are replaced by those of another run, wherever the scene is.
#[test]
fn a_run_starts_from_another_under_a_changed_scene() {
    let folder = folder();
    fill(folder.path(), "fill.run");
    fs::create_dir(folder.path().join("scenes")).unwrap();
    let other = format!("{BED}{DISCS}[[bodies]]\nposition = [1, 1]\nradius = 0.1\n");
    fs::write(folder.path().join("scenes/other.toml"), other).unwrap();
    let tilted = "gravity.acceleration=[2, -10]";
    let by_scene = ["run", "next.toml", "--set", tilted, "--quiet"];
    assert_ends(&carom(folder.path(), &by_scene), 0);
    let from = ["run", "scenes/other.toml", "--from", "fill.run", "--set", tilted, "--quiet"];
    assert_ends(&carom(folder.path(), &from), 0);
    let log = |run: &str| fs::read(folder.path().join(run).join("log.csv")).unwrap();
    assert_eq!(log("other.run"), log("next.run"));
    let frame = ["run", "scenes/other.toml", "--from", "fill.run@0", "--out", "a", "--quiet"];
    assert_ends(&carom(folder.path(), &frame), 0);
    let none =
        carom(folder.path(), &["run", "scenes/other.toml", "--from", "no.run", "--out", "b"]);
    assert_ends(&none, 2);
    assert!(text(&none.stderr).contains("no.run"), "{}", text(&none.stderr));
    let both = ["run", "scenes/other.toml", "--from", "fill.run", "--resume"];
    assert_ends(&carom(folder.path(), &both), 2);
}

/// Solids continue from the end of another run, whose state is kept in the results folder.
#[test]
fn solids_continue_from_another_run_and_are_resumed_without_it() {
    let folder = folder();
    let material = "[materials.default]\nyoungs_modulus = 1\n";
    // A run ends at its first step that is not before its end: these steps meet the ends exactly.
    let head = "engine = 'bonded'\ndimension = 2\nuntil = 20\nstep = 0.125\nbox.size = 40\noutput.interval = 10\n";
    let disc = "[[solids]]\ncircle = { center = [20, 20], radius = 5 }\nspacing = 1\nvelocity = [0.1, 0]\n";
    fs::write(folder.path().join("fly.toml"), format!("{head}{material}{disc}")).unwrap();
    fs::write(folder.path().join("next.toml"), format!("{head}{material}")).unwrap();
    assert_ends(&carom(folder.path(), &["run", "fly.toml", "--quiet"]), 0);
    let from = ["run", "next.toml", "--from", "fly.run", "--quiet"];
    assert_ends(&carom(folder.path(), &from), 0);
    // A chain of runs needs the last one only.
    fs::remove_dir_all(folder.path().join("fly.run")).unwrap();
    let longer = ["run", "--out", "next.run", "--resume", "--until", "40", "--quiet"];
    assert_ends(&carom(folder.path(), &longer), 0);
    let again = ["run", "next.toml", "--from", "next.run", "--out", "last.run", "--quiet"];
    assert_ends(&carom(folder.path(), &again), 0);
    let summary = fs::read_to_string(folder.path().join("last.run/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let center = summary["solids"][0]["center"][0].as_f64().unwrap();
    // It has flown for 20, 40 and 20.
    assert!((center - 28.0).abs() < 1e-9, "{center}");
}
