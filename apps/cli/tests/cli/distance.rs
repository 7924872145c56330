//! `carom distance` as its users meet it.

use crate::program::{assert_ends, carom, folder, text};
use std::fs;
use std::path::Path;

const CUBE: &str = "OFF\n8 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n\
4 0 3 2 1\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n";

fn with_cube() -> tempfile::TempDir {
    let folder = folder();
    fs::write(folder.path().join("cube.off"), CUBE).unwrap();
    folder
}

fn figures(folder: &Path, pose: &str) -> serde_json::Value {
    let output = carom(folder, &["distance", "cube.off", "cube.off", "--pose-b", pose, "--json"]);
    assert_ends(&output, 0);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn cubes_apart_have_distance_points_and_features() {
    let folder = with_cube();
    let figures = figures(folder.path(), "3,2,2");
    assert_eq!(figures["distance"].as_f64().unwrap(), 6.0f64.sqrt());
    assert_eq!(figures["point_a"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(figures["feature_b"]["kind"], "vertex");
    assert_eq!(figures["contacts"].as_array().unwrap().len(), 0);
}

#[test]
fn cubes_in_each_other_have_depth_and_contacts() {
    let folder = with_cube();
    let figures = figures(folder.path(), "0.25,0.5,0.875");
    assert_eq!(figures["distance"].as_f64().unwrap(), -0.125);
    assert_eq!(figures["normal"], serde_json::json!([0.0, 0.0, 1.0]));
    assert_eq!(figures["contacts"].as_array().unwrap().len(), 4);
    let output =
        carom(folder.path(), &["distance", "cube.off", "cube.off", "--pose-b", "0.25,0.5,0.875"]);
    assert_ends(&output, 0);
    assert!(text(&output.stdout).starts_with("penetrating, 0.125 deep\n"));
}

#[test]
fn bad_poses_and_meshes_are_one_sentence() {
    let folder = with_cube();
    let open = CUBE.replace("8 6 0", "8 5 0").replace("4 3 0 4 7\n", "");
    fs::write(folder.path().join("open.off"), open).unwrap();
    let dented = CUBE.replace("1 1 1\n", "0.6 0.6 0.6\n");
    fs::write(folder.path().join("dented.off"), dented).unwrap();
    let refused = |arguments: &[&str], part: &str| {
        let output = carom(folder.path(), &[&["distance"], arguments].concat());
        assert_ends(&output, 2);
        let said = text(&output.stderr);
        assert!(said.contains(part) && said.lines().count() == 1, "{said}");
    };
    refused(&["cube.off", "cube.off", "--pose-b", "1,2"], "it must be 7 numbers");
    refused(&["cube.off", "cube.off", "--pose-b", "1,2,nan"], "out of range");
    refused(
        &["cube.off", "cube.off", "--pose-a", "1,2,3,1,1,0,0"],
        "has length 1.4142135623730951",
    );
    refused(&["cube.off", "none.off"], "none.off");
    refused(&["cube.off", "open.off"], "open.off");
    refused(&["cube.off", "dented.off"], "not convex");
}

#[test]
fn bodies_that_touch_have_no_depth_with_a_sign() {
    let folder = folder();
    let cube = ["generate", "polyhedron", "box", "--size", "1,1,1", "--out", "box.off"];
    assert_ends(&carom(folder.path(), &cube), 0);
    let output = carom(folder.path(), &["distance", "box.off", "box.off", "--pose-b", "1,0,0"]);
    assert_ends(&output, 0);
    let report = text(&output.stdout);
    assert!(report.contains("  depth 0\n") && !report.contains("  depth -0\n"), "{report}");
}
