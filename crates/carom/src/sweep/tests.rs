//! Sweeps of a small scene, beside the same runs made one by one.

use super::{Error, Sweep, SweepOutcome, SweepRunState};
use crate::run::{Control, ExistingResults, FolderRun, RunFolder, SceneRun};
use carom_scene::AnyScene;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const GAS: &str = "engine = 'event-driven'\ndimension = 2\ncollisions = 1_000\n\
    materials.default.restitution = 0.95\noutput.picture = false\noutput.interval = 2.0\n\
    output.log_collisions = 100\n\
    [[generate]]\nkind = 'random'\ncount = 50\nradius = 0.5\npacking_fraction = 0.3\ntemperature = 1.0\n";

fn sweep<'a>() -> Sweep<'a> {
    Sweep::parse(GAS).over("materials.default.restitution", [0.9, 1.0]).over("seed", 1..=3)
}

/// All files below a folder but those that depend on the time of day, by their paths.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = PathBuf::from(path.file_name().unwrap());
        if path.is_dir() {
            found.extend(files(&path).into_iter().map(|(inner, it)| (name.join(inner), it)));
        } else if !["summary.json", "checkpoint.previous.bin"].iter().any(|it| path.ends_with(it)) {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn endings(outcome: &SweepOutcome) -> Vec<&str> {
    outcome.table.rows().iter().map(|row| row.ending()).collect()
}

fn table(folder: &Path) -> String {
    fs::read_to_string(folder.join("sweep.csv")).unwrap()
}

#[test]
fn each_run_has_the_bytes_of_a_run_with_these_settings() {
    let parent = folder();
    let (swept, alone) = (parent.path().join("swept"), parent.path().join("alone"));
    let outcome = sweep().into_folder(&swept).unwrap();
    assert_eq!(endings(&outcome), ["collisions"; 6]);
    assert!(!outcome.stopped);
    for (row, (restitution, seed)) in outcome.table.rows().iter().zip([
        (0.9, 1),
        (0.9, 2),
        (0.9, 3),
        (1.0, 1),
        (1.0, 2),
        (1.0, 3),
    ]) {
        let settings =
            [format!("materials.default.restitution={restitution:?}"), format!("seed={seed}")];
        let scene = AnyScene::parse(GAS, "the scene", "".as_ref(), &settings).unwrap();
        let _ = fs::remove_dir_all(&alone);
        let ran = SceneRun::of(scene).into_folder(&alone).unwrap();
        assert_eq!(row.folder(), settings.join("+"));
        assert!(files(&swept.join(row.folder())) == files(&alone), "{settings:?}");
        assert_eq!(row.number("kinetic_energy"), ran.summary["kinetic_energy"].as_f64());
        assert_eq!(row.final_state().unwrap().len(), 16);
    }
    assert_eq!(outcome.table.csv(), table(&swept));
}

#[test]
fn any_number_of_jobs_writes_the_same_bytes() {
    let parent = folder();
    let of_jobs = [1, 2, 3].map(|jobs| {
        let path = parent.path().join(jobs.to_string());
        sweep().jobs(jobs).plot("kinetic_energy").into_folder(&path).unwrap();
        files(&path)
    });
    assert!(
        of_jobs[0].contains_key(Path::new("kinetic_energy_over_materials.default.restitution.svg"))
    );
    assert!(of_jobs[0] == of_jobs[1] && of_jobs[0] == of_jobs[2]);
}

#[test]
fn a_sweep_that_is_cut_again_and_again_gives_the_table_of_the_uncut_one() {
    let parent = folder();
    let (cut, uncut) = (parent.path().join("cut"), parent.path().join("uncut"));
    sweep().into_folder(&uncut).unwrap();
    let mut stops = 0;
    loop {
        let mut calls = 0;
        let stop = |_: &_| {
            calls += 1;
            // Later and later, so that it comes to an end on any machine.
            if calls > stops { Control::Stop } else { Control::Continue }
        };
        let outcome = sweep().jobs(2).watched_by(stop).into_folder(&cut).unwrap();
        assert_eq!(outcome.table.csv(), table(&cut));
        if !outcome.stopped {
            break;
        }
        assert!(endings(&outcome).iter().any(|it| ["stopped", "missing"].contains(it)));
        stops += 1;
    }
    assert!(stops > 2, "stopped {stops} times");
    assert_eq!(table(&cut), table(&uncut));
    assert!(files(&cut) == files(&uncut));
}

#[test]
fn a_cut_run_goes_on_from_its_checkpoint() {
    let parent = folder();
    let path = parent.path().join("one");
    let long = || {
        Sweep::parse(GAS)
            .set("materials.default.restitution=1")
            .set("output.log_collisions=10000")
            .set("collisions=100000")
            .over("seed", [1])
    };
    let outcome = long().watched_by(|_| Control::Stop).into_folder(&path).unwrap();
    assert!(outcome.stopped);
    // A run that has not come far enough to be stopped is not begun; either way the next call ends it.
    let outcome = long().into_folder(&path).unwrap();
    assert_eq!(endings(&outcome), ["collisions"]);
    // To a later end it continues, and keeps what there is.
    let before = fs::read(path.join("seed=1/frames/frame_000000.vtp")).unwrap();
    let outcome = Sweep::parse(GAS)
        .set("materials.default.restitution=1")
        .set("output.log_collisions=10000")
        .set("collisions=110000")
        .over("seed", [1]);
    let outcome = outcome.into_folder(&path).unwrap();
    assert_eq!(outcome.table.rows()[0].number("collisions"), Some(110_000.0));
    assert!(fs::read(path.join("seed=1/frames/frame_000000.vtp")).unwrap() == before);
}

#[test]
fn finished_runs_are_left_as_they_are() {
    let parent = folder();
    let path = parent.path().join("gas");
    let first = sweep().into_folder(&path).unwrap();
    let summary = || fs::read(path.join("materials.default.restitution=0.9+seed=2/summary.json"));
    // It has times in it, which another run would not have again.
    let before = summary().unwrap();
    fs::remove_dir_all(path.join("materials.default.restitution=1.0+seed=3")).unwrap();
    let listed = sweep().list(&path).unwrap();
    assert_eq!(endings(&listed)[4..], ["collisions", "missing"]);
    assert_eq!(listed.table.csv(), table(&path));
    let again = sweep().into_folder(&path).unwrap();
    assert_eq!(again.table, first.table);
    assert!(summary().unwrap() == before);
    // More values make more runs.
    let more = Sweep::parse(GAS).over("materials.default.restitution", [0.9]).over("seed", 2..=4);
    let more = more.into_folder(&path).unwrap();
    assert_eq!(more.table.rows()[..2], first.table.rows()[1..3]);
    assert!(summary().unwrap() == before);
}

#[test]
fn shards_together_are_the_whole() {
    let parent = folder();
    let (whole, parts) = (parent.path().join("whole"), parent.path().join("parts"));
    sweep().into_folder(&whole).unwrap();
    for number in [2, 4, 1, 3] {
        let outcome = sweep().shard(number, 4).into_folder(&parts).unwrap();
        assert!(!outcome.stopped && outcome.own_rows().all(|row| row.ending() == "collisions"));
        assert_eq!(outcome.own, (number - 1..6).step_by(4).collect::<Vec<_>>());
    }
    assert_eq!(table(&parts), table(&whole));
    assert!(files(&parts) == files(&whole));
}

#[test]
fn a_run_that_fails_does_not_end_the_others() {
    let parent = folder();
    let path = parent.path().join("dense");
    let run = |densest: f64| {
        let sweep = Sweep::parse(GAS).over("generate.0.packing_fraction", [0.2, densest, 0.3]);
        sweep.jobs(2).into_folder(&path).unwrap()
    };
    let outcome = run(0.85);
    assert_eq!(endings(&outcome), ["collisions", "failed", "collisions"]);
    let row = &outcome.table.rows()[1];
    let SweepRunState::Failed { failure } = row.state() else { panic!("{row:?}") };
    assert!(failure.contains("found a place without overlap"), "{failure}");
    let note = path.join("generate.0.packing_fraction=0.85.failed");
    assert_eq!(fs::read_to_string(&note).unwrap(), format!("{failure}\n"));
    let last = table(&path).lines().nth(2).unwrap().to_owned();
    assert!(last.starts_with("0.85,failed,,") && last.contains("found a place"), "{last}");
    // It is tried again, and says the same.
    assert_eq!(run(0.85).table, outcome.table);
    // A note of an earlier failure goes when the run succeeds.
    fs::write(path.join("generate.0.packing_fraction=0.25.failed"), "an old failure").unwrap();
    let sweep = || Sweep::parse(GAS).over("generate.0.packing_fraction", [0.25]);
    assert_eq!(endings(&sweep().list(&path).unwrap()), ["failed"]);
    assert_eq!(endings(&sweep().into_folder(&path).unwrap()), ["collisions"]);
    assert!(!path.join("generate.0.packing_fraction=0.25.failed").exists());
}

#[test]
fn what_is_refused_is_refused_before_anything_is_written() {
    let parent = folder();
    let path = parent.path().join("refused");
    let refusal = |sweep: Sweep<'_>| {
        let sentence = sweep.into_folder(&path).unwrap_err().to_string();
        assert!(!path.exists(), "{sentence}");
        sentence
    };
    let gas = || Sweep::parse(GAS);
    assert_eq!(
        refusal(gas().over("seed", 1..=3).over("materials.default.restitution", [0.5, 1.5])),
        "materials.default.restitution=1.5: materials.default.restitution is 1.5; a restitution \
         must lie between 0 and 1"
    );
    let unknown = refusal(gas().over("sead", [1, 2]));
    assert!(unknown.starts_with("sead=1: unknown key \"sead\"; did you mean seed?"), "{unknown}");
    // What settings break elsewhere in the scene is said with all of them.
    let elsewhere = refusal(gas().over("generate.0.count", [50, 1]).over("seed", [5, 6]));
    let start = "generate.0.count=1, seed=5: the scene:12: the box is ";
    assert!(elsewhere.starts_with(start), "{elsewhere}");
    // What is wrong with the scene is said of the scene.
    let scene = GAS.replace("radius = 0.5", "radius = -0.5");
    let own = refusal(Sweep::parse(&scene).over("seed", [1, 2]));
    assert!(own.starts_with("the scene:11: generate.0.radius is -0.5; "), "{own}");
    let twice = refusal(gas().set("seed=4").over("seed", [1, 2]));
    assert_eq!(twice, "seed is swept and set to 4; give one of them");
    assert_eq!(
        refusal(gas().over("seed", [1]).shard(3, 2)),
        "the shard is 3/2; it must be from 1/N to N/N, with N at most 1000000"
    );
    assert_eq!(
        refusal(gas().over("seed", [1]).jobs(0)),
        "the number of jobs is 0; it must be from 1 to 1024"
    );
    let texts = gas().over("generate.0.kind", ["random", "lattice"]).plot("time");
    assert_eq!(
        refusal(texts),
        "there is nothing to plot over; a swept setting must have two numbers at least"
    );
    let missing = refusal(Sweep::new(parent.path().join("none.toml")).over("seed", [1]));
    assert!(missing.ends_with("none.toml cannot be read: there is no such file"), "{missing}");
}

#[test]
fn results_of_another_scene_are_refused_and_stay() {
    let parent = folder();
    let path = parent.path().join("gas");
    Sweep::parse(GAS).over("seed", [1, 2]).into_folder(&path).unwrap();
    let before = files(&path);
    let other = GAS.replace("radius = 0.5", "radius = 0.25");
    let refusal = Sweep::parse(&other).over("seed", 1..=5).into_folder(&path).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        format!(
            "{} holds results of another scene: generate.0.radius is 0.25 here and 0.5 there; name another \
             folder by --out, or remove it",
            path.join("seed=1").display()
        )
    );
    assert!(files(&path) == before);
    // And a table of the user's own.
    let (folder, table) = (parent.path().join("mine"), parent.path().join("mine/sweep.csv"));
    fs::create_dir(&folder).unwrap();
    fs::write(&table, "a,b\n1,2\n").unwrap();
    let refusal = sweep().into_folder(&folder).unwrap_err();
    assert!(matches!(refusal, Error::OtherTable { .. }), "{refusal}");
    let refusal = sweep().into_folder(&table).unwrap_err().to_string();
    assert!(refusal.ends_with("is a file; name a folder by --out"), "{refusal}");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn a_run_of_another_program_is_left_to_it() {
    let parent = folder();
    let path = parent.path().join("gas");
    let one = RunFolder::new(path.join("seed=2"));
    let lock = one.lock().unwrap();
    let outcome = Sweep::parse(GAS).over("seed", 1..=3).into_folder(&path).unwrap();
    assert_eq!(endings(&outcome), ["collisions", "running", "collisions"]);
    assert!(!outcome.stopped);
    drop(lock);
    let outcome = Sweep::parse(GAS).over("seed", 1..=3).into_folder(&path).unwrap();
    assert_eq!(endings(&outcome), ["collisions"; 3]);
}

#[test]
fn a_run_killed_before_its_first_checkpoint_starts_again() {
    let parent = folder();
    let path = parent.path().join("gas");
    let settings = ["seed=1".to_owned()];
    let AnyScene::TwoD(scene) = AnyScene::parse(GAS, "the scene", "".as_ref(), &settings).unwrap()
    else {
        panic!("the scene is in the plane")
    };
    let run = RunFolder::new(path.join("seed=1"));
    let begun =
        FolderRun::begin(&scene, "the scene".as_ref(), &run, ExistingResults::Keep).unwrap();
    // Header and scene are written, and no checkpoint.
    drop(begun.into_results(Default::default()).unwrap());
    assert!(run.file("scene.toml").exists() && !run.file("checkpoint.bin").exists());
    let outcome = Sweep::parse(GAS).over("seed", [1]).into_folder(&path).unwrap();
    assert_eq!(endings(&outcome), ["collisions"]);
}

#[test]
fn a_warning_comes_once_for_all_runs() {
    let parent = folder();
    let mut warnings = Vec::new();
    let scene = format!("output.columns = ['radius']\n{GAS}");
    Sweep::parse(&scene)
        .over("seed", 1..=3)
        .warned_by(|sentence| warnings.push(sentence.to_owned()))
        .into_folder(parent.path().join("gas"))
        .unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("seed=1: output.columns leaves out velocity"), "{warnings:?}");
}

#[test]
fn settings_advance_together_where_they_are_zipped() {
    let parent = folder();
    let outcome = Sweep::parse(GAS)
        .zip("generate.0.count", [20, 40])
        .zip("generate.0.temperature", [2.0, 1.0])
        .into_folder(parent.path().join("gas"))
        .unwrap();
    let bodies: Vec<_> =
        outcome.table.rows().iter().map(|row| row.number("bodies").unwrap()).collect();
    assert_eq!(bodies, [20.0, 40.0]);
    assert_eq!(outcome.table.rows()[1].folder(), "generate.0.count=40+generate.0.temperature=1.0");
}

#[test]
fn a_time_limit_stops_a_sweep_with_checkpoints() {
    let parent = folder();
    let path = parent.path().join("gas");
    let limit = std::time::Duration::from_millis(300);
    let long = Sweep::parse(GAS)
        .set("materials.default.restitution=1")
        .set("output.interval=1000")
        .set("output.log_collisions=100000")
        .set("collisions=1000000000")
        .over("seed", 1..=3)
        .jobs(2);
    let outcome = long.wall_time(limit).into_folder(&path).unwrap();
    assert!(outcome.stopped);
    assert_eq!(endings(&outcome)[2], "missing");
    assert!(path.join("seed=1/checkpoint.bin").exists());
}
