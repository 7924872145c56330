//! `carom repair`: damaged meshes become closed, nonsense is refused and changes no file.

use crate::program::{assert_ends, carom, folder, text};
use std::fs;
use std::path::Path;

fn fails(folder: &Path, arguments: &[&str], sentence: &str) {
    let output = carom(folder, arguments);
    assert_ends(&output, 2);
    let message = text(&output.stderr);
    assert!(message.contains(sentence), "{arguments:?}: {message}");
}

/// An octahedron in OFF without its last face, the first one turned.
fn write_damaged(folder: &Path) {
    let vertices = "1 0 0\n-1 0 0\n0 1 0\n0 -1 0\n0 0 1\n0 0 -1\n";
    let faces = "3 0 4 2\n3 2 1 4\n3 1 3 4\n3 3 0 4\n3 2 0 5\n3 1 2 5\n3 3 1 5\n";
    fs::write(folder.join("open.off"), format!("OFF\n6 7 0\n{vertices}{faces}")).unwrap();
}

#[test]
fn a_damaged_mesh_becomes_closed() {
    let folder = folder();
    let folder = folder.path();
    write_damaged(folder);
    let output =
        carom(folder, &["repair", "open.off", "--out", "whole.off", "--fill-holes", "--json"]);
    assert_ends(&output, 0);
    let report: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!((&report["reversed_faces"], &report["filled_holes"]), (&1.into(), &1.into()));
    assert_eq!(report["open_edges"], 0);
    let output = carom(folder, &["check", "whole.off", "--json"]);
    let checked: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!((&checked["closed"], &checked["faces"]), (&true.into(), &8.into()));
    // Holes stay without the option, and the report says so.
    let output = carom(folder, &["repair", "open.off", "--out", "oriented.off"]);
    assert_ends(&output, 0);
    let message = text(&output.stderr);
    assert!(message.contains("oriented.off is not closed\n"), "{message}");
    assert!(message.contains("  faces reversed     1\n"), "{message}");
}

#[test]
fn nonsense_is_refused_and_no_file_changes() {
    let folder = folder();
    let folder = folder.path();
    write_damaged(folder);
    fs::write(folder.join("kept.off"), "mine").unwrap();
    let to_kept =
        |more: &[&'static str]| [&["repair", "open.off", "--out", "kept.off"], more].concat();
    for (distance, shown) in [("-1", "-1"), ("nan", "NaN"), ("2", "2.0"), ("inf", "inf")] {
        fails(folder, &to_kept(&["--weld", distance]), &format!("the distance to weld is {shown}"));
    }
    fails(folder, &to_kept(&["--weld", "near"]), "near");
    fails(folder, &to_kept(&["--fill-holes", "-3"]), "-3");
    fails(folder, &["repair", "missing.stl", "--out", "kept.off"], "missing.stl");
    fails(folder, &["repair", "open.off", "--out", "kept.txt"], "kept.txt");
    fails(folder, &["repair", "open.off"], "--out");
    fs::write(folder.join("lines.off"), "OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n").unwrap();
    fails(folder, &["repair", "lines.off", "--out", "kept.off"], "lines.off: no face is left");
    assert_eq!(fs::read_to_string(folder.join("kept.off")).unwrap(), "mine");
}
