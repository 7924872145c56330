//! The program as a whole, on a few particles.

use std::path::Path;
use std::process::{Command, Output};

fn carom_bench(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_carom-bench"))
        .args(arguments)
        .output()
        .expect("the program was built")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary paths are plain text")
}

#[test]
fn tiny_results_become_the_table_of_a_document() {
    let folder = tempfile::tempdir().unwrap();
    let measured = carom_bench(&["contacts", "--tiny", "--out", text(folder.path())]);
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    let results = std::fs::read_to_string(folder.path().join("contacts.csv")).unwrap();
    for method in ["auto", "hierarchical-grid", "parry3d", "kiddo", "zelll", "rstar", "textbook"] {
        let rows = results.lines().filter(|row| row.split(',').nth(3) == Some(method));
        assert!(rows.count() >= 10, "{method} did not run on every workload");
    }

    let document = folder.path().join("document.md");
    let marks = "before\n<!-- bench:contacts -->\n<!-- /bench:contacts -->\nafter\n";
    std::fs::write(&document, marks).unwrap();
    let tables = |action| {
        carom_bench(&["tables", "--results", text(folder.path()), action, text(&document)])
    };
    assert!(!tables("--check").status.success());
    assert!(tables("--write").status.success());
    assert!(tables("--check").status.success());
    assert!(std::fs::read_to_string(&document).unwrap().contains("\n| 3B | 1,000 | "));
}

#[test]
fn every_structure_and_the_textbook_run_tiny_fluids() {
    let folder = tempfile::tempdir().unwrap();
    let measured = carom_bench(&["event-driven", "--tiny", "--out", text(folder.path())]);
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    let results = std::fs::read_to_string(folder.path().join("event_driven.csv")).unwrap();
    for (structure, least) in [
        ("auto", 7),
        ("neighbor-lists", 7),
        ("cell-grid", 5),
        ("laguerre-delaunay", 7),
        ("textbook", 6),
    ] {
        let rows = results.lines().filter(|row| row.split(',').nth(2) == Some(structure));
        assert!(rows.count() >= least, "{structure} did not run on every system:\n{results}");
    }
}

#[test]
fn tiny_triangulations_agree_with_the_peers_that_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let measured = carom_bench(&["triangulate", "--tiny", "--out", text(folder.path())]);
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    let results = std::fs::read_to_string(folder.path().join("triangulate.csv")).unwrap();
    let rows =
        |name: &str| results.lines().filter(|row| row.split(',').nth(2) == Some(name)).count();
    assert_eq!((rows("carom"), rows("spade")), (3, 1), "{results}");
    let said = String::from_utf8(measured.stdout).unwrap();
    assert!(rows("CGAL") == 2 || said.starts_with("CGAL is skipped: "), "{said}");
}

#[test]
fn tiny_queries_of_convex_bodies_agree_with_the_peers() {
    let folder = tempfile::tempdir().unwrap();
    let measured = carom_bench(&["convex", "--tiny", "--out", text(folder.path())]);
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    let results = std::fs::read_to_string(folder.path().join("convex.csv")).unwrap();
    for contender in ["carom", "carom cold", "parry3d-f64", "parry3d-f64 warm"] {
        let rows = results.lines().filter(|row| row.split(',').nth(3) == Some(contender));
        assert_eq!(rows.count(), 10, "{contender} did not answer everything:\n{results}");
    }
    let stress = std::fs::read_to_string(folder.path().join("convex_stress.csv")).unwrap();
    assert_eq!(stress.lines().count(), 2 + 2 * 30);
    let mut own = stress.lines().filter(|row| row.split(',').nth(2) == Some("carom"));
    assert!(own.all(|row| row.contains(",carom,50,0,0,")), "{stress}");
}

#[test]
fn tiny_boxes_are_seen_alike_by_carom_and_parry() {
    let folder = tempfile::tempdir().unwrap();
    let measured = carom_bench(&["boxes", "--tiny", "--out", text(folder.path())]);
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    let results = std::fs::read_to_string(folder.path().join("boxes.csv")).unwrap();
    for contender in ["carom-one", "carom-buckets", "parry3d-f64"] {
        let rows = results.lines().filter(|row| row.split(',').nth(2) == Some(contender));
        assert_eq!(rows.count(), 3, "{results}");
    }
}

#[test]
fn tiny_meshes_have_the_same_points_inside_for_carom_and_parry() {
    let folder = tempfile::tempdir().unwrap();
    let measured = carom_bench(&["inside", "--tiny", "--out", text(folder.path())]);
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    let results = std::fs::read_to_string(folder.path().join("inside.csv")).unwrap();
    for (contender, expected) in [
        ("carom-cells", 5),
        ("carom-ray", 3),
        ("carom-multipole", 2),
        ("carom-double-layer", 2),
        ("parry3d-f64", 3),
    ] {
        let rows = results.lines().map(|row| row.split(',').collect::<Vec<_>>());
        let rows: Vec<_> = rows.filter(|row| row.get(6) == Some(&contender)).collect();
        assert_eq!(rows.len(), expected, "{contender} did not answer everything:\n{results}");
        assert!(rows.iter().all(|row| row[15] == "0"), "{contender} differs:\n{results}");
    }
}

#[test]
fn tiny_beds_run_with_every_law_and_on_two_threads() {
    let folder = tempfile::tempdir().unwrap();
    let measured = carom_bench(&["dem", "--tiny", "--out", text(folder.path())]);
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    let results = std::fs::read_to_string(folder.path().join("dem.csv")).unwrap();
    for (workload, expected) in [("linear", 4), ("hertz-mindlin", 2), ("linear-1:10", 2)] {
        let rows = results.lines().filter(|row| row.split(',').next() == Some(workload));
        assert_eq!(rows.count(), expected, "{results}");
    }
}

#[test]
fn tiny_bodies_of_springs_run_with_their_parts_and_on_two_threads() {
    let folder = tempfile::tempdir().unwrap();
    let measured = carom_bench(&["bonded", "--tiny", "--out", text(folder.path())]);
    assert!(measured.status.success(), "{}", String::from_utf8_lossy(&measured.stderr));
    let results = std::fs::read_to_string(folder.path().join("bonded.csv")).unwrap();
    for (workload, expected) in
        [("square-4", 2), ("square-8", 2), ("cubic-18", 6), ("blocks", 2), ("front", 2)]
    {
        let rows = results.lines().filter(|row| row.split(',').next() == Some(workload));
        assert_eq!(rows.count(), expected, "{results}");
    }
}

#[test]
fn an_unknown_system_is_one_sentence() {
    let output = carom_bench(&["event-driven", "--only", "gas"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("'gas' for '--only <SYSTEM>': there is no such system; "), "{said}");
}

#[test]
fn missing_results_are_one_sentence() {
    let output = carom_bench(&["tables", "--results", "no-such-folder"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: no-such-folder/contacts.csv: "), "{said}");
}
