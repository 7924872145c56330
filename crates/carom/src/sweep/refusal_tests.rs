//! What a sweep refuses before it writes anything, and what stays in its folder.

use super::{Sweep, SweepAxis};
use crate::run::{ExistingResults, FolderRun, RunFolder, SceneRun};
use carom_scene::AnyScene;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const GAS: &str = "engine = 'event-driven'\ndimension = 2\nuntil = 1\n\
    materials.default.restitution = 0.95\noutput.picture = false\n\
    [[generate]]\nkind = 'random'\ncount = 20\nradius = 0.5\npacking_fraction = 0.2\ntemperature = 1.0\n";

fn gas<'a>() -> Sweep<'a> {
    Sweep::parse(GAS)
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

/// All files below a folder, by their paths.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => drop(found.insert(path.clone(), fs::read(&path).unwrap())),
        }
    }
    found
}

/// The sentence by which a sweep and its list are refused.
fn refusal<'a>(sweep: impl Fn() -> Sweep<'a>, folder: &Path) -> String {
    let sentence = sweep().into_folder(folder).unwrap_err().to_string();
    assert_eq!(sweep().list(folder).unwrap_err().to_string(), sentence);
    sentence
}

#[test]
fn a_swept_material_that_nothing_uses_is_refused() {
    let parent = folder();
    let path = parent.path().join("gas");
    let misspelt = || gas().over("materials.defalt.restitution", [0.5, 0.9]);
    assert_eq!(
        refusal(misspelt, &path),
        "materials.defalt.restitution: nothing uses the material defalt, so that every run would be the same; \
         did you mean default?"
    );
    assert!(!path.exists());
    // A scene may hold materials for later.
    let mut warnings = Vec::new();
    gas()
        .set("materials.glass.restitution=0.5")
        .over("seed", [1, 2])
        .warned_by(|sentence| warnings.push(sentence.to_owned()))
        .into_folder(&path)
        .unwrap();
    let sentence = "seed=1: nothing uses the material glass: no body, generator, pour, solid, wall, force or pair of \
                    materials names it";
    assert_eq!(warnings, [sentence]);
    // It is enough that some of the runs use it.
    let some = || {
        let sweep = gas().over("materials.glass.restitution", [0.5, 0.9]);
        sweep.over("generate.0.material", ["default", "glass"])
    };
    assert_eq!(some().list(parent.path().join("some")).unwrap().table.rows().len(), 4);
}

#[test]
fn a_sweep_of_another_scene_does_not_replace_a_table() {
    let parent = folder();
    let path = parent.path().join("gas");
    gas().over("seed", [1, 2]).into_folder(&path).unwrap();
    let before = files(&path);
    let other = GAS.replace("radius = 0.5", "radius = 0.25");
    for key in ["seed", "generate.0.count"] {
        assert_eq!(
            refusal(|| Sweep::parse(&other).over(key, [30, 40]), &path),
            format!(
                "{} holds results of another scene: generate.0.radius is 0.25 here and 0.5 there; name another \
                 folder by --out, or remove it",
                path.join("seed=1").display()
            )
        );
        assert!(files(&path) == before);
    }
    // Values of the same sweep may come and go, and so may settings and a later end.
    for sweep in [
        gas().over("seed", [2, 3]),
        gas().over("seed", [4]).set("until=2"),
        gas().over("generate.0.temperature", [1.0, 2.0]).over("seed", [1]),
        gas().over("generate.0.radius", [0.25]),
    ] {
        sweep.into_folder(&path).unwrap();
    }
}

#[test]
fn an_end_before_that_of_a_finished_run_is_refused() {
    let parent = folder();
    let path = parent.path().join("gas");
    let until = |end: &str| gas().set(end).over("seed", [1, 2]);
    until("until=2").into_folder(&path).unwrap();
    let before = files(&path);
    let beyond = |is: &str, end: &str| {
        format!(
            "{} is at {is}, beyond the end {end}; ask for a later end, or start the run again in a new folder",
            path.join("seed=1/checkpoint.bin").display()
        )
    };
    assert_eq!(refusal(|| until("until=1"), &path), beyond("time 2", "until = 1"));
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(path.join("seed=1/summary.json")).unwrap()).unwrap();
    let collisions = format!("collision {}", summary["collisions"]);
    assert_eq!(
        refusal(|| until("until=2").set("collisions=3"), &path),
        beyond(&collisions, "collisions = 3")
    );
    assert!(files(&path) == before);
    assert_eq!(until("until=3").into_folder(&path).unwrap().table.rows()[1].ending(), "time");
}

#[test]
fn the_note_of_a_failure_goes_once_the_run_is_finished() {
    let parent = folder();
    let path = parent.path().join("gas");
    let sweep = || gas().over("seed", [1, 2]);
    let note = path.join("seed=1.failed");
    fs::create_dir(&path).unwrap();
    // As carom run does, which knows nothing of notes.
    let settings = ["seed=1".to_owned()];
    let scene = AnyScene::parse(GAS, "the scene", "".as_ref(), &settings).unwrap();
    SceneRun::of(scene).into_folder(path.join("seed=1")).unwrap();
    for lists in [true, false] {
        fs::write(&note, "an old failure\n").unwrap();
        let outcome = if lists { sweep().list(&path) } else { sweep().into_folder(&path) };
        assert_eq!(outcome.unwrap().table.rows()[0].ending(), "time");
        assert!(!note.exists());
    }
}

#[test]
fn an_unknown_quantity_is_refused_before_the_runs_and_reported_after_them() {
    let parent = folder();
    let path = parent.path().join("gas");
    let plot = |name: &str| gas().over("seed", [1, 2]).plot(name);
    let sentence = "no run has the quantity \"kinetik_energy\"; did you mean kinetic_energy?";
    assert_eq!(plot("kinetik_energy").into_folder(&path).unwrap_err().to_string(), sentence);
    let nothing = plot("means.kinetik_energy.mean").into_folder(&path).unwrap_err().to_string();
    assert!(nothing.ends_with("did you mean means.kinetic_energy.mean?"), "{nothing}");
    assert!(!path.exists());
    // Another engine has it.
    let mut warnings = Vec::new();
    let outcome = plot("friction_loss")
        .plot("means.temperature.mean")
        .warned_by(|sentence| warnings.push(sentence.to_owned()))
        .into_folder(&path)
        .unwrap();
    assert_eq!(outcome.plots, [path.join("means.temperature.mean_over_seed.svg")]);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("no run has the quantity \"friction_loss\"; "), "{warnings:?}");
    assert_eq!(outcome.table.rows()[1].ending(), "time");
    let before = files(&path);
    assert_eq!(plot("kinetik_energy").list(&path).unwrap_err().to_string(), sentence);
    assert!(files(&path) == before);
}

#[test]
fn every_quantity_of_a_table_is_known_before_the_runs() {
    const GRAINS: &str = "engine = 'dem'\ndimension = 2\nbox.size = 9\nbox.boundary = 'wall'\n\
        gravity.acceleration = [0, -1]\noutput.picture = false\nobserve.regions = [{ name = 'left', high = [4, 9] }]\n\
        observe.wall_loads = true\n[[bodies]]\nposition = [5, 5]\nradius = 0.5\n";
    const RODS: &str = "engine = 'bonded'\ndimension = 2\nuntil = 1e-3\nbox.size = 9\noutput.picture = false\n\
        materials.default.youngs_modulus = 1e3\n\
        [[solids]]\nblock = { low = [3, 3], high = [5, 4] }\nspacing = 0.5\n";
    let staged = format!(
        "{GRAINS}[[stages]]\nname = 'fall'\nduration = 0.01\n[[stages]]\nname = 'rise'\nduration = 0.01\n\
         gravity.acceleration = [0, 1]\n"
    );
    let grains = format!("until = 0.01\n{GRAINS}");
    for scene in [GAS, &grains, &staged, RODS] {
        let parent = folder();
        let sweep = || Sweep::parse(scene).over("seed", [1, 2]);
        let table = sweep().into_folder(parent.path().join("first")).unwrap().table;
        let all = table.quantities().into_iter().fold(sweep(), |sweep, name| sweep.plot(name));
        let outcome = all.into_folder(parent.path().join("second")).unwrap();
        assert_eq!(outcome.plots.len(), table.quantities().len());
    }
}

#[test]
fn runs_and_sweeps_keep_out_of_the_folders_of_each_other() {
    let parent = folder();
    let [swept, run] = ["swept", "run"].map(|name| parent.path().join(name));
    gas().over("seed", [1, 2]).into_folder(&swept).unwrap();
    let scene = || AnyScene::parse(GAS, "the scene", "".as_ref(), &[]).unwrap();
    SceneRun::of(scene()).into_folder(&run).unwrap();
    let before = files(parent.path());
    let own_scene = scene();
    let AnyScene::TwoD(flat) = &own_scene else { panic!("the scene is in the plane") };
    let sentence = format!(
        "{} is the folder of a sweep, which has a folder for each of its runs; name another folder by --out",
        swept.display()
    );
    for existing in [ExistingResults::Keep, ExistingResults::Replace] {
        let begun = FolderRun::begin(flat, "the scene".as_ref(), &RunFolder::new(&swept), existing);
        assert_eq!(begun.err().unwrap().to_string(), sentence);
    }
    let target = RunFolder::new(&swept);
    let moved = FolderRun::resume(flat, &RunFolder::new(&run), Some(&target));
    assert_eq!(moved.err().unwrap().to_string(), sentence);
    assert_eq!(
        refusal(|| gas().over("seed", [1, 2]), &run),
        format!(
            "{} holds results of a run, and not of a sweep; name another folder by --out",
            run.display()
        )
    );
    assert!(files(parent.path()) == before);
}

#[test]
fn a_number_written_in_two_ways_is_given_twice() {
    let parent = folder();
    let path = parent.path().join("gas");
    for (values, value) in [
        ("0.9,0.90", "0.90"),
        ("0.9,0.5,9e-1", "9e-1"),
        ("1,1.0", "1.0"),
        ("0,-0.0", "-0.0"),
        ("1_0.5e-1,1.05", "1.05"),
    ] {
        let axis = || SweepAxis::parse(&format!("materials.default.restitution={values}")).unwrap();
        assert_eq!(
            refusal(|| gas().over_axis(axis()), &path),
            format!("materials.default.restitution={value}: the value is given twice")
        );
        let counts = ["7,7.0", "7,8"].map(|counts| format!("generate.0.count={counts}"));
        let [same, other] = counts.map(|text| SweepAxis::parse(&text).unwrap());
        let zipped = |counts: &SweepAxis| {
            let restitutions = SweepAxis::parse("materials.default.restitution=0.9,0.90").unwrap();
            gas().zip_axis(restitutions).zip_axis(counts.clone())
        };
        let sentence = refusal(|| zipped(&same), &path);
        assert!(sentence.ends_with(": the sweep has this run twice"), "{sentence}");
        assert_eq!(zipped(&other).list(&path).unwrap().table.rows().len(), 2);
    }
    // Seeds have more digits than a number with a decimal point.
    let seeds = SweepAxis::parse("seed=9007199254740992,9007199254740993").unwrap();
    assert_eq!(gas().over_axis(seeds).list(&path).unwrap().table.rows().len(), 2);
}

#[test]
fn a_file_that_has_the_name_of_a_plot_is_not_replaced() {
    let parent = folder();
    let path = parent.path().join("gas");
    let plot = path.join("kinetic_energy_over_seed.svg");
    fs::create_dir(&path).unwrap();
    fs::write(&plot, "mine").unwrap();
    let sweep = || gas().over("seed", [1, 2]).plot("kinetic_energy");
    assert_eq!(
        refusal(sweep, &path),
        format!(
            "{} exists and is not a plot of a sweep; move it away, or name another folder by --out",
            plot.display()
        )
    );
    assert_eq!(files(&path).len(), 1);
    // Once the folder is that of a sweep, its plots are replaced.
    fs::remove_file(&plot).unwrap();
    sweep().into_folder(&path).unwrap();
    let drawn = fs::read(&plot).unwrap();
    fs::write(&plot, "old").unwrap();
    sweep().into_folder(&path).unwrap();
    assert!(fs::read(&plot).unwrap() == drawn);
}
