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

/// The records of a tiny run as fields, and what it printed.
struct TinyRun {
    folder: tempfile::TempDir,
    printed: String,
}

impl TinyRun {
    fn of(benchmark: &str) -> Self {
        let folder = tempfile::tempdir().expect("there is room for temporary files");
        let output = carom_bench(&[benchmark, "--tiny", "--out", text(folder.path())]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        TinyRun { folder, printed: String::from_utf8(output.stdout).expect("it prints text") }
    }

    /// Case, contender and value of every record of a quantity.
    fn records(&self, file: &str, quantity: &str) -> Vec<[String; 3]> {
        let results =
            std::fs::read_to_string(self.folder.path().join(file)).expect("it wrote its results");
        assert!(results.starts_with("# carom-bench "), "{results}");
        let records = results.lines().skip(2).map(|line| line.split(',').collect::<Vec<_>>());
        let records = records.filter(|fields| fields[2] == quantity);
        records.map(|fields| [fields[0], fields[1], fields[3]].map(String::from)).collect()
    }

    /// Asserts the number of records of a quantity by each contender, or of each workload.
    fn assert_counts(&self, file: &str, quantity: &str, expected: &[(&str, usize)]) {
        let records = self.records(file, quantity);
        for &(name, count) in expected {
            let is_of = |record: &&[String; 3]| {
                record[1] == name || record[0].split(' ').next() == Some(name)
            };
            let found = records.iter().filter(is_of).count();
            assert_eq!(found, count, "{name} in {file}:\n{}", self.printed);
        }
    }
}

#[test]
fn tiny_results_become_the_table_of_a_document() {
    let run = TinyRun::of("contacts");
    let methods = ["carom", "carom cold", "carom hierarchical-grid", "textbook"];
    let all = methods.into_iter().chain(["parry3d", "kiddo", "zelll", "rstar"]);
    let expected: Vec<_> = all.map(|name| (name, 10)).chain([("carom 2 threads", 1)]).collect();
    run.assert_counts("contacts.csv", "time per particle", &expected);

    let document = run.folder.path().join("document.md");
    let marks = "before\n<!-- bench:contacts -->\n<!-- /bench:contacts -->\nafter\n";
    std::fs::write(&document, marks).unwrap();
    let tables = |action| {
        carom_bench(&["tables", "--results", text(run.folder.path()), action, text(&document)])
    };
    assert!(!tables("--check").status.success());
    assert!(tables("--write").status.success());
    assert!(tables("--check").status.success());
    assert!(std::fs::read_to_string(&document).unwrap().contains("\n| 3B | 1,000 | "));
}

#[test]
fn every_structure_and_the_textbook_run_tiny_fluids() {
    let run = TinyRun::of("event-driven");
    let expected = [
        ("carom", 7),
        ("carom neighbor-lists", 7),
        ("carom cell-grid", 5),
        ("carom laguerre-delaunay", 7),
        ("textbook", 6),
    ];
    run.assert_counts("event_driven.csv", "collisions per second", &expected);
    let digests = run.records("event_driven.csv", "digest");
    for of_case in digests.chunk_by(|a, b| a[0] == b[0]) {
        assert!(of_case.iter().all(|record| record[2] == of_case[0][2]), "{of_case:?}");
    }
}

#[test]
fn tiny_triangulations_agree_with_the_peers_that_are_there() {
    let run = TinyRun::of("triangulate");
    let cgal = if run.printed.starts_with("CGAL is skipped: ") { 0 } else { 2 };
    let expected = [("carom", 3), ("spade", 1), ("CGAL", cgal)];
    run.assert_counts("triangulate.csv", "time per point", &expected);
}

#[test]
fn tiny_queries_of_convex_bodies_agree_with_the_peers() {
    let run = TinyRun::of("convex");
    let everyone = ["carom", "carom cold", "parry3d-f64", "parry3d-f64 warm"];
    run.assert_counts("convex.csv", "time per query", &everyone.map(|name| (name, 10)));
    for (quantity, expected) in [("queries", "50"), ("wrong answers", "0"), ("wrong signs", "0")] {
        let records = run.records("convex_stress.csv", quantity);
        assert_eq!(records.len(), 2 * 30);
        let mut own = records.iter().filter(|record| record[1] == "carom");
        assert!(own.all(|record| record[2] == expected), "{quantity}: {records:?}");
    }
}

#[test]
fn tiny_boxes_are_seen_alike_by_carom_and_parry() {
    let everyone = ["carom one-list", "carom buckets", "parry3d-f64"].map(|name| (name, 3));
    TinyRun::of("boxes").assert_counts("boxes.csv", "time per step", &everyone);
}

#[test]
fn tiny_meshes_have_the_same_points_inside_for_carom_and_parry() {
    let run = TinyRun::of("inside");
    let expected = [
        ("carom", 3),
        ("carom 1 thread", 1),
        ("carom 2 threads", 1),
        ("carom ray", 3),
        ("carom multipole", 2),
        ("carom double-layer", 2),
        ("parry3d-f64", 3),
    ];
    run.assert_counts("inside.csv", "time", &expected);
    let wrong = run.records("inside.csv", "wrong answers");
    assert!(wrong.iter().all(|record| record[2] == "0"), "{wrong:?}");
}

#[test]
fn tiny_beds_run_with_every_law_and_on_two_threads() {
    let run = TinyRun::of("dem");
    let rates = "body steps per second";
    run.assert_counts("dem.csv", rates, &[("linear", 4), ("hertz-mindlin", 2), ("linear-1:10", 2)]);
    run.assert_counts("dem_polyhedra.csv", rates, &[("carom", 2), ("rapier3d-f64 recycling", 2)]);
}

#[test]
fn tiny_bodies_of_springs_run_with_their_parts_and_on_two_threads() {
    let expected = [("square-4", 1), ("square-8", 1), ("cubic-18", 3), ("blocks", 2), ("front", 2)];
    TinyRun::of("bonded").assert_counts("bonded.csv", "springs per second", &expected);
}

#[test]
fn mistakes_are_one_sentence() {
    for (arguments, code, sentence) in [
        (["event-driven", "--only", "gas"], 2, "there is no workload 'gas' for --only; there are "),
        (["tables", "--results", "no-such-folder"], 1, "no-such-folder/contacts.csv: "),
    ] {
        let output = carom_bench(&arguments);
        assert_eq!(output.status.code(), Some(code));
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with(&format!("error: {sentence}")), "{said}");
    }
}
