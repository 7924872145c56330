//! `carom inside` as its users meet it.

use crate::program::{assert_ends, carom, folder, text};
use std::fs;
use std::path::Path;

const CUBE: &str = "OFF\n8 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n\
4 0 3 2 1\n4 4 5 6 7\n4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n";

const POINTS: &str = "name,x,y,z\na,0.5,0.5,0.5\nb,1,0.25,0.5\nc,1.5,0.5,0.5\n";

fn prepared() -> tempfile::TempDir {
    let folder = folder();
    fs::write(folder.path().join("cube.off"), CUBE).unwrap();
    fs::write(folder.path().join("points.csv"), POINTS).unwrap();
    let open = CUBE.replace("8 6 0", "8 5 0").replace("4 3 0 4 7\n", "");
    fs::write(folder.path().join("open.off"), open).unwrap();
    let crooked = CUBE.replace("4 3 0 4 7", "4 7 4 0 3");
    fs::write(folder.path().join("crooked.off"), crooked).unwrap();
    folder
}

fn sides(folder: &Path, arguments: &[&str]) -> String {
    let output = carom(folder, &[&["inside"], arguments].concat());
    assert_ends(&output, 0);
    text(&output.stdout)
}

#[test]
fn every_method_and_rule_finds_the_sides_of_a_cube() {
    let folder = prepared();
    let expected = "id,side\n0,inside\n1,surface\n2,outside\n";
    for method in ["auto", "cells", "ray", "double-layer", "multipole"] {
        for rule in ["even-odd", "nonzero", "winding"] {
            let arguments = ["cube.off", "points.csv", "--method", method, "--rule", rule];
            assert_eq!(sides(folder.path(), &arguments), expected, "{method}, {rule}");
        }
    }
}

#[test]
fn points_in_extended_xyz_need_no_radius() {
    let folder = prepared();
    let atoms = "2\nProperties=species:S:1:pos:R:3\nFe 0.5 0.5 0.5\nFe 2 0 0\n";
    fs::write(folder.path().join("atoms.xyz"), atoms).unwrap();
    let found = sides(folder.path(), &["cube.off", "atoms.xyz"]);
    assert_eq!(found, "id,side\n0,inside\n1,outside\n");
    let flat = "1\nProperties=pos:R:2\n0.5 0.5\n";
    fs::write(folder.path().join("flat.xyz"), flat).unwrap();
    let output = carom(folder.path(), &["inside", "cube.off", "flat.xyz"]);
    assert_ends(&output, 2);
    assert!(text(&output.stderr).contains("flat.xyz has discs"), "{}", text(&output.stderr));
}

#[test]
fn distances_are_negative_inside() {
    let folder = prepared();
    let expected = "id,side,distance\n0,inside,-0.5\n1,surface,0.0\n2,outside,0.5\n";
    assert_eq!(sides(folder.path(), &["cube.off", "points.csv", "--distance"]), expected);
}

#[test]
fn a_moved_body_and_the_corners_of_another_are_looked_at_where_they_are() {
    let folder = prepared();
    let found = sides(folder.path(), &["cube.off", "cube.off", "--pose", "0.5,0.5,0.5"]);
    assert_eq!(found.matches(",inside").count(), 1);
    assert_eq!(found.lines().nth(7), Some("6,inside"));
}

#[test]
fn a_grid_is_counted_in_text_and_json() {
    let folder = prepared();
    let arguments = ["cube.off", "grid:5", "--out", "sides.csv"];
    assert_eq!(
        sides(folder.path(), &arguments),
        "27 of 125 points inside, 98 on the surface, 0 outside\n"
    );
    let figures = sides(folder.path(), &[&arguments[..], &["--json"]].concat());
    let figures: serde_json::Value = serde_json::from_str(&figures).unwrap();
    assert_eq!((&figures["inside"], &figures["points"]), (&27.into(), &125.into()));
    let stats = sides(folder.path(), &[&arguments[..], &["--stats"]].concat());
    assert!(stats.contains("method        ray by even-odd, 12 triangles"), "{stats}");
    let written = fs::read_to_string(folder.path().join("sides.csv")).unwrap();
    assert_eq!(written.lines().count(), 126);
    let mut rows = written.lines();
    assert_eq!(rows.next(), Some("id,x,y,z,side"));
    assert_eq!(rows.nth(31), Some("31,0.25,0.25,0.25,inside"));
    // What was written can be asked for again.
    let again = sides(folder.path(), &["cube.off", "sides.csv"]);
    assert_eq!(again.matches(",inside").count(), 27);
    let far = sides(folder.path(), &["cube.off", "grid:2", "--distance"]);
    assert!(far.starts_with("id,x,y,z,side,distance\n0,0.0,0.0,0.0,surface,0.0\n"), "{far}");
}

#[test]
fn faulty_meshes_have_an_inside_by_the_right_rule_only() {
    let folder = prepared();
    let expected = "id,side\n0,inside\n1,surface\n2,outside\n";
    assert_eq!(sides(folder.path(), &["crooked.off", "points.csv"]), expected);
    for mesh in ["open.off", "crooked.off"] {
        assert_eq!(sides(folder.path(), &[mesh, "points.csv", "--rule", "winding"]), expected);
    }
    let (head, faces) = CUBE.split_at(CUBE.find("4 0 3").unwrap());
    let twice = head.replace("8 6 0", "8 12 0") + faces + faces;
    fs::write(folder.path().join("twice.off"), twice).unwrap();
    let output = carom(folder.path(), &["inside", "twice.off", "points.csv"]);
    assert_ends(&output, 0);
    assert!(text(&output.stderr).contains("6 faces are there more than once"));
    assert_eq!(sides(folder.path(), &["twice.off", "points.csv", "--rule", "nonzero"]), expected);
    // The second body has vertices of its own.
    let corners = head.strip_prefix("OFF\n8 6 0\n").unwrap();
    let shifted: String = faces
        .lines()
        .map(|face| {
            let corners = face.split(' ').skip(1).map(|corner| corner.parse::<u32>().unwrap() + 8);
            let corners: Vec<String> = corners.map(|corner| corner.to_string()).collect();
            format!("4 {}\n", corners.join(" "))
        })
        .collect();
    let apart = format!("OFF\n16 12 0\n{corners}{corners}{faces}{shifted}");
    fs::write(folder.path().join("apart.off"), apart).unwrap();
    let output = carom(folder.path(), &["inside", "apart.off", "points.csv"]);
    assert_ends(&output, 0);
    assert!(text(&output.stderr).contains("6 faces are there more than once"));
}

#[test]
fn a_rule_is_advised_only_if_it_gives_an_inside() {
    let folder = prepared();
    let tetrahedron =
        "OFF\n4 5 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
    fs::write(folder.path().join("mesh.off"), format!("{tetrahedron}3 1 2 3\n")).unwrap();
    let output = carom(folder.path(), &["inside", "mesh.off", "points.csv"]);
    assert_ends(&output, 2);
    let said = text(&output.stderr);
    assert!(said.contains("1 face is there more than once") && !said.contains("nonzero"), "{said}");
    let output = carom(folder.path(), &["check", "mesh.off"]);
    let report = text(&output.stdout);
    assert!(report.contains("by winding only, as edges have an odd number of faces\n"), "{report}");
}

#[test]
fn what_cannot_be_answered_is_one_sentence() {
    let folder = prepared();
    fs::write(folder.path().join("flat.csv"), "x,y\n1,2\n").unwrap();
    fs::write(folder.path().join("bad.csv"), "x,y,z\n1,2,3\n1,2,nan\n").unwrap();
    fs::write(folder.path().join("flat.xyz"), "1\nProperties=pos:R:2:radius:R:1\n0 0 1\n").unwrap();
    let dart = "OFF\n4 1 0\n0 0 0\n2 0 0\n0.5 0.5 0\n0 2 0\n4 0 1 2 3\n";
    fs::write(folder.path().join("dart.off"), dart).unwrap();
    fs::write(folder.path().join("kept.csv"), "kept").unwrap();
    let refused = |arguments: &[&str], part: &str| {
        let output = carom(folder.path(), &[&["inside"], arguments].concat());
        assert_ends(&output, 2);
        let said = text(&output.stderr);
        assert!(said.contains(part) && said.lines().count() == 1, "{said}");
    };
    refused(&["open.off", "points.csv", "--out", "kept.csv"], "4 edges belong to an odd number");
    refused(&["open.off", "points.csv", "--rule", "nonzero"], "no inside by nonzero");
    refused(
        &["open.off", "points.csv", "--rule", "winding", "--method", "cells"],
        "take the method multipole or double-layer",
    );
    refused(&["crooked.off", "points.csv", "--rule", "nonzero"], "are not consistently oriented");
    for method in ["double-layer", "multipole"] {
        refused(&["crooked.off", "points.csv", "--method", method], "take the method cells or ray");
    }
    refused(&["dart.off", "points.csv"], "dart.off: face 0 has 4 corners and is not convex");
    refused(
        &["cube.off", "flat.csv"],
        "flat.csv:1: no column \"z\" (found \"x\", \"y\"); the header must name x, y and z",
    );
    refused(&["cube.off", "points.csv", "--out", "."], "a folder; name a file");
    refused(&["cube.off", "bad.csv"], "bad.csv:3: column \"z\" is \"nan\"");
    refused(&["cube.off", "flat.xyz"], "points in space need a third coordinate");
    refused(&["cube.off", "none.csv"], "none.csv");
    #[cfg(unix)]
    refused(&["cube.off", "/dev/zero"], "/dev/zero cannot be read: it is neither a regular file");
    refused(&["none.off", "points.csv"], "none.off");
    refused(&["cube.off", "points.csv", "--rule", "odd"], "--rule is \"odd\"");
    refused(&["cube.off", "points.csv", "--method", "fmm"], "--method is \"fmm\"");
    refused(&["cube.off", "grid:1"], "it must be from 2 to 500");
    refused(&["cube.off", "grid:x"], "must be a whole number");
    for count in ["-3", "2.5", "1e30"] {
        let rule = format!("is \"{count}\"; it must be a whole number from 2 to 500");
        refused(&["cube.off", &format!("grid:{count}")], &rule);
    }
    refused(&["cube.off", "grid:9", "--pose", "1,0,0"], "--pose does not apply to grid:");
    refused(&["cube.off", "points.csv", "--out", "points.csv"], "name another file");
    refused(&["cube.off", "points.csv", "--out", "cube.off"], "name another file");
    assert_eq!(fs::read_to_string(folder.path().join("kept.csv")).unwrap(), "kept");
}
