use super::*;
use crate::Error;
use carom::run::RunFolder;

fn three() -> Vec<Frame<3>> {
    [0.0, 0.5, 1.0].map(|time| scattered(20, time)).to_vec()
}

#[test]
fn a_folder_without_frames_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |path: &Path| Run::open(path).unwrap_err().to_string();
    let message = refused(&folder.path().join("none"));
    assert!(message.contains("none is not there; give the folder"), "{message}");
    let message = refused(folder.path());
    assert!(message.contains("has no frames to show; give the folder"), "{message}");
    fs::write(folder.path().join("scene.toml"), SCENE).unwrap();
    let message = refused(folder.path());
    assert!(message.contains("output.formats"), "{message}");
    let message = refused(&folder.path().join("scene.toml"));
    assert!(message.contains("is a file"), "{message}");
    let results = ResultsFixture::new(SCENE, &three(), &[FrameFormat::Vtk]);
    let message = refused(&results.path().join("frames"));
    assert!(message.contains("the one above"), "{message}");
}

#[test]
fn a_damaged_frame_is_reported_and_the_others_are_shown() {
    for format in FrameFormat::ALL {
        let name = |number: usize| format!("frame_00000{number}.{}", format.extension());
        let results = ResultsFixture::new(SCENE, &three(), &[format]);
        let bytes = fs::read(results.frame(&name(1))).unwrap();
        for damaged in [&bytes[..bytes.len() / 2], &bytes[..40], b"", &[0xff; 300]] {
            fs::write(results.frame(&name(1)), damaged).unwrap();
            let run = results.open();
            assert!(run.frame(0).is_ok() && run.frame(2).is_ok());
            let message = run.frame(1).unwrap_err().to_string();
            assert!(message.contains(&name(1)) && !message.contains('\n'), "{message}");
            let json = manifest(&run);
            assert_eq!(json["frames"].as_array().unwrap().len(), 3);
            assert!(json["messages"].to_string().contains(&name(1)), "{json}");
        }
    }
}

#[test]
fn a_first_frame_that_is_damaged_does_not_keep_the_run_from_view() {
    let results = ResultsFixture::new(SCENE, &three()[..1], &[FrameFormat::Vtk]);
    fs::write(results.frame("frame_000000.vtp"), "").unwrap();
    let run = results.open();
    run.sample_column_ranges();
    assert!(run.frame(0).is_err());
    assert_eq!(manifest(&run)["frames"][0], serde_json::json!({"time": null, "bodies": 0}));
}

#[test]
fn frames_that_are_missing_are_reported() {
    let results = ResultsFixture::new(SCENE, &three(), &[FrameFormat::Vtk]);
    assert_eq!(manifest(&results.open())["messages"], serde_json::json!([]));
    fs::remove_file(results.frame("frame_000001.vtp")).unwrap();
    assert_eq!(
        manifest(&results.open())["messages"],
        serde_json::json!(["frame_000001 is missing"])
    );
}

#[test]
fn a_lost_or_broken_scene_costs_the_walls_and_not_the_bodies() {
    for scene in ["engine = 'flight'", "\u{0}", "[[["] {
        let (_results, run) = opened(scene, &three(), &[FrameFormat::Xyz]);
        let json = manifest(&run);
        assert!(json["messages"][0].as_str().unwrap().contains("scene.toml"), "{json}");
        // The box according to the frame.
        assert_eq!(json["box"]["periodic"], serde_json::json!([true, true, true]));
        assert!(run.frame(0).is_ok());
    }
    let results = ResultsFixture::new(SCENE, &[scattered::<2>(20, 0.0)], &[FrameFormat::Xyz]);
    fs::remove_file(results.path().join("scene.toml")).unwrap();
    assert_eq!(manifest(&results.open())["dimension"], 2);
}

#[test]
fn a_run_that_is_being_written_grows() {
    let results = ResultsFixture::new::<3>(SCENE, &[], &[FrameFormat::Vtk]);
    let mut series = FrameSeries::create(&results.path(), &[FrameFormat::Vtk]).unwrap();
    let claim = RunFolder::new(results.path()).lock().unwrap();
    series.write(&scattered::<3>(20, 0.0)).unwrap();
    let run = results.open();
    let json = manifest(&run);
    assert_eq!(json["finished"], false);
    assert_eq!(json["frames"].as_array().unwrap().len(), 1);
    assert!(matches!(run.frame(1), Err(Error::NoFrame { number: 1, count: 1 })));
    // A partly written file has another name.
    fs::write(results.frame(".carom-7.partial"), "<?xml").unwrap();
    series.write(&scattered::<3>(30, 0.5)).unwrap();
    assert_eq!(manifest(&run)["frames"][1], serde_json::json!({"time": 0.5, "bodies": 30}));
    assert!(run.frame(1).is_ok());
    drop(claim);
    assert_eq!(manifest(&run)["finished"], true);
    // The viewer does not lock the folder.
    assert!(RunFolder::new(results.path()).lock().is_ok());
}

#[test]
fn a_frame_that_is_replaced_is_read_again() {
    let results = ResultsFixture::new(SCENE, &three(), &[FrameFormat::Xyz]);
    let run = results.open();
    let stamp = run.frame_version(1).unwrap();
    let mut series = FrameSeries::resume(&results.path(), &[FrameFormat::Xyz], &[0.0]).unwrap();
    assert_eq!(manifest(&run)["frames"].as_array().unwrap().len(), 1);
    series.write(&scattered::<3>(25, 0.75)).unwrap();
    assert_eq!(manifest(&run)["frames"][1], serde_json::json!({"time": 0.75, "bodies": 25}));
    assert_ne!(run.frame_version(1).unwrap(), stamp);
}

#[test]
fn ranges_span_all_frames_and_the_column_of_pictures_comes_first() {
    let mut frames = three();
    frames[2].columns[0].1[0] = 7.5;
    let (_results, run) = opened(SCENE, &frames, &[FrameFormat::Vtk]);
    run.sample_column_ranges();
    let json = manifest(&run);
    assert_eq!(json["columns"][0]["name"], "speed");
    let charge = json["columns"].as_array().unwrap().iter().find(|it| it["name"] == "charge");
    assert_eq!(charge.unwrap()["high"], 7.5);
    assert_eq!(json["overlays"], serde_json::json!(["delaunay", "voronoi"]));
    assert_eq!(json["carom"], env!("CARGO_PKG_VERSION"));
    assert_eq!(json["title"], "box");
}

#[test]
fn columns_of_the_log_have_the_units_of_the_table_of_quantities() {
    let results = ResultsFixture::new(SCENE, &three(), &[FrameFormat::Vtk]);
    assert_eq!(manifest(&results.open())["quantities"], serde_json::json!([]));
    let log = "# a comment\ntime,kinetic_energy,momentum_y,of_mine\n0,1,2,3\n";
    fs::write(results.path().join("log.csv"), log).unwrap();
    let json = manifest(&results.open());
    let quantities = json["quantities"].as_array().unwrap();
    let known: Vec<_> = quantities.iter().map(|it| (&it["column"], &it["unit"])).collect();
    let expected =
        [("time", "time"), ("kinetic_energy", "energy"), ("momentum_y", "mass · length/time")];
    assert!(
        known
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .eq(expected.map(|(a, b)| (Some(a), Some(b))))
    );
    assert!(quantities[1]["meaning"].as_str().unwrap().contains("½ Σ m v²"));
}
