//! What `carom check` foresees.

use crate::program::{assert_ends, carom, folder, text};
use std::fs;
use std::path::Path;

fn done(folder: &Path, arguments: &[&str]) -> String {
    let output = carom(folder, arguments);
    assert_ends(&output, 0);
    text(&output.stdout)
}

/// Two-millimeter beads of glass that fall in a box of 20 cm, in SI units, without a stiffness.
const BEADS: &str = "engine = 'dem'\ndimension = 3\nuntil = 2\n[box]\nsize = [0.06, 0.06, 0.2]\n\
    boundary = 'wall'\n[gravity]\nacceleration = [0, 0, -9.81]\n[materials.default]\ndensity = 2500\n\
    restitution = 0.7\n[[generate]]\nkind = 'random'\ncount = 2000\nradius = 0.001\n\
    [output]\ninterval = 0.1\n";

#[test]
fn a_run_of_hours_is_foreseen_and_a_remedy_is_reported() {
    let folder = folder();
    fs::write(folder.path().join("beads.toml"), BEADS).unwrap();
    let report = done(folder.path(), &["check", "beads.toml"]);
    for line in [
        "  mass            0.020944 in all\n",
        "  largest speed   0 at the start, 1.981 after a fall through the box\n",
        ", chosen so that the heaviest bodies overlap by 1 % of the smallest radius when they meet with 1.981\n",
        "  overlap at rest about 9.7e-5 % of a radius",
        "  softer          [materials.default] stiffness = ",
        "  run time        about ",
        "  frames          21, about ",
        "  checkpoint      ",
        "warning: the run has 6,30",
    ] {
        assert!(report.contains(line), "{line}: {report}");
    }
    let json = done(folder.path(), &["check", "beads.toml", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let (steps, softer) = (json["steps"].as_u64().unwrap(), &json["softer"]);
    assert!(softer["steps"].as_u64().unwrap() < steps / 4, "{json}");
    assert!(json["estimate"]["seconds"].as_f64().unwrap() > 60.0, "{json}");
    assert_eq!(json["estimate"]["frames"], 21);
    // What is advised does what is said of it.
    let setting = format!("materials.default.stiffness={}", softer["stiffness"]);
    let json = done(folder.path(), &["check", "beads.toml", "--json", "--set", &setting]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let expected = softer["steps"].as_f64().unwrap();
    assert!((json["steps"].as_f64().unwrap() / expected - 1.0).abs() < 0.01, "{json}");
    assert!(
        json["stiffness"].is_null() && json["warnings"].as_array().unwrap().is_empty(),
        "{json}"
    );
    assert!(json["overlap_at_rest"].as_f64().unwrap() < 0.01, "{json}");
}

#[test]
fn a_run_of_hours_warns_at_its_start() {
    let folder = folder();
    fs::write(folder.path().join("beads.toml"), BEADS).unwrap();
    let run = ["run", "beads.toml", "--max-walltime", "10ms"];
    let output = carom(folder.path(), &run);
    let report = text(&output.stderr);
    assert!(report.contains("warning: the run has 6,30"), "{report}");
    assert_eq!(report.matches("stiffness = ").count(), 1, "{report}");
}

#[test]
fn beads_in_the_glass_are_refused_by_name() {
    let folder = folder();
    let square = "OFF\n4 2 0\n0 0 5\n10 0 5\n10 10 5\n0 10 5\n3 0 1 2\n3 0 2 3\n";
    fs::write(folder.path().join("plate.off"), square).unwrap();
    let scene = "engine = 'dem'\ndimension = 3\nuntil = 1\nbox.size = 10\nbox.boundary = 'wall'\n\
        [[walls]]\nkind = 'mesh'\nfile = 'plate.off'\n[[bodies]]\nposition = [4, 3, 5.25]\nradius = 0.5\n";
    fs::write(folder.path().join("glass.toml"), scene).unwrap();
    for command in ["check", "run"] {
        let output = carom(folder.path(), &[command, "glass.toml"]);
        assert_ends(&output, 2);
        let report = text(&output.stderr);
        assert!(
            report.contains(
                "glass.toml: body 0 penetrates the mesh walls.0 by 0.25 at the start; it may"
            ),
            "{report}"
        );
    }
    fs::write(folder.path().join("glass.toml"), scene.replace("5.25", "5.45")).unwrap();
    assert_ends(&carom(folder.path(), &["check", "glass.toml"]), 0);
}

#[test]
fn where_a_mesh_is_open_and_what_is_to_be_welded_is_reported() {
    let folder = folder();
    let check = |mesh: &str| {
        fs::write(folder.path().join("mesh.off"), mesh).unwrap();
        let report = done(folder.path(), &["check", "mesh.off"]);
        let json = done(folder.path(), &["check", "mesh.off", "--json"]);
        (report, serde_json::from_str::<serde_json::Value>(&json).unwrap())
    };
    let (report, json) =
        check("OFF\n4 3 0\n0 0 0\n3 0 0\n0 3 0\n0 0 3\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
    assert!(report.contains("  bounds          [0, 0, 0] to [3, 3, 3]\n"), "{report}");
    assert!(report.contains("  holes           1: 3 edges around [1, 1, 0]\n"), "{report}");
    assert!(!report.contains("hint"), "{report}");
    assert_eq!(json["bounds"], serde_json::json!([[0.0, 0.0, 0.0], [3.0, 3.0, 3.0]]));
    assert_eq!(json["first_holes"], serde_json::json!([{ "center": [1.0, 1.0, 0.0], "edges": 3 }]));
    // The top of the tetrahedron is there twice, 1e-4 apart.
    let (report, json) = check(
        "OFF\n5 4 0\n0 0 0\n3 0 0\n0 3 0\n0 0 3\n0 0 3.0001\n3 0 2 1\n3 0 1 3\n3 1 2 4\n3 0 4 2\n",
    );
    assert!(
        report.contains("hint: 2 vertices at open edges have another one at most "),
        "{report}"
    );
    assert_eq!(json["nearly_equal_vertices"], 2);
    assert!((json["largest_gap"].as_f64().unwrap() - 1e-4).abs() < 1e-9);
}
