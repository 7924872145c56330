//! Recordings of all engines: whole, in pieces, cut and resumed.

use super::*;
use crate::run::Run;
use carom_io::{LogTable, recorded_frames};
use carom_scene::scene::AnyScene;
use carom_simulate::observe::{FollowedBodies, MeanSquareDisplacement, RadialDistribution};
use std::path::Path;

const MOVING: &str = "dimension = 2\nuntil = 9\nbox.size = 9\n[[bodies]]\nposition = [4, 4]\n\
    velocity = [1, 0]\nradius = 0.5\n[[bodies]]\nposition = [2, 7]\nradius = 0.5\n";
const SOLID: &str = "dimension = 2\nuntil = 9\nbox = { size = 9, boundary = 'open' }\n\
    materials.default = { density = 1, youngs_modulus = 9 }\n\
    [[solids]]\ncircle = { center = [4, 4], radius = 1 }\nspacing = 0.5\nvelocity = [1, 0]\n";

fn run(engine: &str) -> Run<2> {
    let body = if engine == "bonded" { SOLID } else { MOVING };
    let text = format!("engine = '{engine}'\n{body}");
    match AnyScene::parse(&text, "a.toml", "".as_ref(), &[]).unwrap() {
        AnyScene::TwoD(scene) => Run::new(&scene).unwrap(),
        AnyScene::ThreeD(_) => unreachable!("it is of the plane"),
    }
}

fn record(engine: &mut dyn Engine<2>, folder: &Path, stops: &[f64]) -> serde_json::Value {
    let settings = RecordingSettings {
        contacts: true,
        ..RecordingSettings::log_every(0.25).frames_every(0.5)
    };
    let moved: Box<dyn Observable<2>> = Box::new(MeanSquareDisplacement::default());
    let mut recording = Recording::begin(settings, folder, engine, vec![moved]).unwrap();
    stops.iter().for_each(|&stop| recording.advance(engine, stop).unwrap());
    recording.finish(engine).unwrap()
}

#[test]
fn every_engine_is_recorded_alike_wherever_it_pauses() {
    for engine in ["event-driven", "dem", "bonded"] {
        let parent = tempfile::tempdir().unwrap();
        let [whole, pieces] = ["whole", "pieces"].map(|name| parent.path().join(name));
        let summary = record(run(engine).engine_mut(), &whole, &[1.0]);
        record(run(engine).engine_mut(), &pieces, &[0.1, 0.25, 0.6, 0.6, 1.0]);
        let log = LogTable::read(&whole).unwrap();
        let times = log.column("time").unwrap();
        assert_eq!((times.len(), recorded_frames(&whole).unwrap().len()), (5, 3), "{times:?}");
        for (number, time) in times.iter().enumerate() {
            assert!((time - 0.25 * number as f64).abs() < 0.05, "{engine}: {times:?}");
        }
        let moved = log.column("mean_square_displacement").unwrap();
        assert!(moved[0] == 0.0 && moved[4] > 0.4, "{engine}: {moved:?}");
        assert_eq!(summary["engine"], engine);
        assert_eq!(summary["provenance"]["final_state"].as_str().unwrap().len(), 16);
        let last = recorded_frames(&whole).unwrap()[2].read(&[]).unwrap();
        let state_x = last.positions[0].x;
        assert!((2.9..5.1).contains(&state_x), "{engine}: {state_x}");
        if engine != "bonded" {
            // Its time step may be shortened where it pauses.
            let read = |folder: &Path| std::fs::read(folder.join("log.csv")).unwrap();
            assert_eq!(read(&whole), read(&pieces), "{engine}");
        }
    }
}

#[test]
fn what_cannot_be_recorded_is_refused_and_nothing_is_written() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("a");
    let mut run = run("dem");
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for settings in
            [RecordingSettings::log_every(bad), RecordingSettings::log_every(1.0).frames_every(bad)]
        {
            let refused = Recording::begin(settings, &folder, run.engine(), Vec::new());
            let sentence = refused.err().unwrap().to_string();
            assert!(sentence.contains("must be greater than zero and finite"), "{sentence}");
        }
    }
    let settings = || RecordingSettings::log_every(1.0);
    let twice = || -> Box<dyn Observable<2>> { Box::new(MeanSquareDisplacement::default()) };
    let refused = Recording::begin(settings(), &folder, run.engine(), vec![twice(), twice()]);
    assert!(refused.err().unwrap().to_string().contains("another column has that name"));
    let followed =
        [0, 1].map(|id| -> Box<dyn Observable<2>> { Box::new(FollowedBodies { ids: vec![id] }) });
    let refused = Recording::begin(settings(), &folder, run.engine(), followed.into());
    assert!(refused.err().unwrap().to_string().contains("another one has that name"));
    assert!(!folder.exists());
    let mut recording = Recording::begin(settings(), &folder, run.engine(), Vec::new()).unwrap();
    let in_use = Recording::begin(settings(), &folder, run.engine(), Vec::new());
    assert!(in_use.is_err());
    assert!(recording.advance(run.engine_mut(), f64::NAN).is_err());
    recording.finish(run.engine()).unwrap();
    let taken = Recording::begin(settings(), &folder, run.engine(), Vec::new());
    assert!(taken.err().unwrap().to_string().contains("has a file log.csv"));
}

/// Observables with a column, and with a table.
fn observables() -> Vec<Box<dyn Observable<2>>> {
    let distances = RadialDistribution::new(4.0, 8, 81.0).unwrap();
    vec![Box::new(MeanSquareDisplacement::default()), Box::new(distances)]
}

fn with_contacts() -> RecordingSettings {
    RecordingSettings { contacts: true, ..RecordingSettings::log_every(0.25).frames_every(0.5) }
}

/// All files of a recording, by their names; of the summary what does not depend on the clock.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    for part in [folder.to_owned(), folder.join("frames")] {
        for entry in std::fs::read_dir(part).unwrap().flatten().filter(|it| it.path().is_file()) {
            let name = entry.file_name().into_string().unwrap();
            let mut bytes = std::fs::read(entry.path()).unwrap();
            if name == "summary.json" {
                let mut summary: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                assert!(summary["seconds"].take()["running"].as_f64().is_some());
                bytes = summary.to_string().into_bytes();
            }
            all.push((name, bytes));
        }
    }
    all.sort();
    all
}

fn names(files: &[(String, Vec<u8>)]) -> Vec<&str> {
    files.iter().map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_recording_that_was_cut_continues_to_the_same_bytes() {
    for engine in ["event-driven", "dem", "bonded"] {
        let parent = tempfile::tempdir().unwrap();
        let [whole, cut] = ["whole", "cut"].map(|name| parent.path().join(name));
        let begin = |folder: &Path| {
            let mut run = run(engine);
            let mut recording =
                Recording::begin(with_contacts(), folder, run.engine(), observables()).unwrap();
            recording.advance(run.engine_mut(), 0.6).unwrap();
            recording.write_checkpoint(run.engine()).unwrap();
            (run, recording)
        };
        let (mut one, mut recording) = begin(&whole);
        recording.advance(one.engine_mut(), 2.0).unwrap();
        recording.write_checkpoint(one.engine()).unwrap();
        recording.finish(one.engine()).unwrap();
        // What is written after the checkpoint is lost, also the end.
        let (mut lost, mut recording) = begin(&cut);
        recording.advance(lost.engine_mut(), 1.3).unwrap();
        recording.finish(lost.engine()).unwrap();
        // It has gone elsewhere before.
        let mut other = run(engine);
        other.engine_mut().advance_to(0.2).unwrap();
        let mut recording =
            Recording::resume(with_contacts(), &cut, other.engine_mut(), observables()).unwrap();
        assert!((other.engine().time() - 0.6).abs() < 0.05, "{engine}");
        assert!(!cut.join("summary.json").exists());
        recording.advance(other.engine_mut(), 2.0).unwrap();
        recording.write_checkpoint(other.engine()).unwrap();
        recording.finish(other.engine()).unwrap();
        let [whole, cut] = [whole, cut].map(|folder| files(&folder));
        assert_eq!(names(&whole), names(&cut), "{engine}");
        let has_table = names(&whole).contains(&"radial_distribution.csv");
        assert!(has_table && whole.len() > 9, "{engine}: {:?}", names(&whole));
        for (one, other) in whole.iter().zip(&cut) {
            assert!(one == other, "{engine}: {}", one.0);
        }
    }
}

#[test]
fn what_does_not_continue_a_recording_is_refused_and_nothing_changes() {
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("a");
    let mut recorded = run("dem");
    let begun = Recording::begin(with_contacts(), &folder, recorded.engine(), observables());
    let mut recording = begun.unwrap();
    recording.advance(recorded.engine_mut(), 0.6).unwrap();
    recording.write_checkpoint(recorded.engine()).unwrap();
    recording.finish(recorded.engine()).unwrap();
    let before = files(&folder);
    let refused = |engine: &str, settings, observables| {
        let mut fresh = run(engine);
        let start = fresh.state_digest();
        let refused = Recording::resume(settings, &folder, fresh.engine_mut(), observables);
        let sentence = refused.err().unwrap().to_string();
        assert!(!sentence.contains('\n'), "{sentence}");
        assert_eq!(fresh.state_digest(), start, "{sentence}");
        assert!(files(&folder) == before, "{sentence}");
        sentence
    };
    let more = || -> Vec<Box<dyn Observable<2>>> {
        let more = FollowedBodies { ids: vec![0] };
        observables().into_iter().chain([Box::new(more) as Box<dyn Observable<2>>]).collect()
    };
    let fewer = || observables().into_iter().take(1).collect();
    let other_bins = || -> Vec<Box<dyn Observable<2>>> {
        let distances = RadialDistribution::new(4.0, 9, 81.0).unwrap();
        vec![Box::new(MeanSquareDisplacement::default()), Box::new(distances)]
    };
    let rarer = || with_contacts().frames_every(1.0);
    for (sentence, expected) in [
        (refused("dem", rarer(), observables()), "intervals of [0.25, 0.5] for rows and frames"),
        (refused("dem", with_contacts(), more()), "without the observable \"bodies\""),
        (refused("dem", with_contacts(), fewer()), "with the observable \"radial_distribution\""),
        (refused("dem", with_contacts(), other_bins()), "another number of bins"),
        (refused("event-driven", with_contacts(), observables()), "it is of the engine \"dem\""),
        (refused("bonded", with_contacts(), observables()), "it is of the engine \"dem\""),
    ] {
        assert!(sentence.contains(expected), "{sentence}");
    }
    // Neither is the checkpoint of a scene one of a recording, nor is there one in any folder.
    let checkpoint = folder.join("checkpoint.bin");
    run("dem").checkpoint().write(&checkpoint).unwrap();
    let mut fresh = run("dem");
    let mut resume = |folder: &Path| {
        let resumed = Recording::resume(with_contacts(), folder, fresh.engine_mut(), observables());
        resumed.err().unwrap().to_string()
    };
    let sentence = resume(&folder);
    assert!(
        sentence.contains("checkpoint.bin does not fit: it is of the run of a scene, and no"),
        "{sentence}"
    );
    std::fs::remove_file(&checkpoint).unwrap();
    assert!(resume(&folder).contains("checkpoint"));
    assert!(resume(&parent.path().join("none")).contains("checkpoint"));
}
