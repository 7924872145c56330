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

    /// In how many cases a contender was timed.
    fn count(&self, file: &str, quantity: &str, contender: &str) -> usize {
        self.records(file, quantity).iter().filter(|record| record[1] == contender).count()
    }
}

#[test]
fn tiny_results_become_the_table_of_a_document() {
    let run = TinyRun::of("contacts");
    let methods = ["carom", "carom cold", "carom hierarchical-grid", "textbook"];
    for contender in methods.into_iter().chain(["parry3d", "kiddo", "zelll", "rstar"]) {
        let count = run.count("contacts.csv", "time per particle", contender);
        assert_eq!(count, 10, "{contender} did not run on every workload");
    }
    assert_eq!(run.count("contacts.csv", "time per particle", "carom 2 threads"), 1);

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
    for (contender, least) in [
        ("carom", 7),
        ("carom neighbor-lists", 7),
        ("carom cell-grid", 5),
        ("carom laguerre-delaunay", 7),
        ("textbook", 6),
    ] {
        let count = run.count("event_driven.csv", "collisions per second", contender);
        assert!(count >= least, "{contender} did not run on every system:\n{}", run.printed);
    }
    let digests = run.records("event_driven.csv", "digest");
    for of_case in digests.chunk_by(|a, b| a[0] == b[0]) {
        assert!(of_case.iter().all(|record| record[2] == of_case[0][2]), "{of_case:?}");
    }
}

#[test]
fn tiny_triangulations_agree_with_the_peers_that_are_there() {
    let run = TinyRun::of("triangulate");
    let count = |contender| run.count("triangulate.csv", "time per point", contender);
    assert_eq!((count("carom"), count("spade")), (3, 1), "{}", run.printed);
    assert!(count("CGAL") == 2 || run.printed.starts_with("CGAL is skipped: "), "{}", run.printed);
}

#[test]
fn tiny_queries_of_convex_bodies_agree_with_the_peers() {
    let run = TinyRun::of("convex");
    for contender in ["carom", "carom cold", "parry3d-f64", "parry3d-f64 warm"] {
        let count = run.count("convex.csv", "time per query", contender);
        assert_eq!(count, 10, "{contender} did not answer everything:\n{}", run.printed);
    }
    for (quantity, expected) in [("queries", "50"), ("wrong answers", "0"), ("wrong signs", "0")] {
        let records = run.records("convex_stress.csv", quantity);
        assert_eq!(records.len(), 2 * 30);
        let mut own = records.iter().filter(|record| record[1] == "carom");
        assert!(own.all(|record| record[2] == expected), "{quantity}: {records:?}");
    }
}

#[test]
fn tiny_boxes_are_seen_alike_by_carom_and_parry() {
    let run = TinyRun::of("boxes");
    for contender in ["carom one-list", "carom buckets", "parry3d-f64"] {
        assert_eq!(run.count("boxes.csv", "time per step", contender), 3, "{}", run.printed);
    }
}

#[test]
fn tiny_meshes_have_the_same_points_inside_for_carom_and_parry() {
    let run = TinyRun::of("inside");
    for (contender, expected) in [
        ("carom", 3),
        ("carom 1 thread", 1),
        ("carom 2 threads", 1),
        ("carom ray", 3),
        ("carom multipole", 2),
        ("carom double-layer", 2),
        ("parry3d-f64", 3),
    ] {
        let count = run.count("inside.csv", "time", contender);
        assert_eq!(count, expected, "{contender} did not answer everything:\n{}", run.printed);
    }
    let wrong = run.records("inside.csv", "wrong answers");
    assert!(wrong.iter().all(|record| record[2] == "0"), "{wrong:?}");
}

#[test]
fn tiny_beds_run_with_every_law_and_on_two_threads() {
    let run = TinyRun::of("dem");
    let records = run.records("dem.csv", "body steps per second");
    for (workload, expected) in [("linear", 4), ("hertz-mindlin", 2), ("linear-1:10", 2)] {
        let of_workload = |record: &&[String; 3]| record[0].split(' ').next() == Some(workload);
        assert_eq!(records.iter().filter(of_workload).count(), expected, "{records:?}");
    }
    let count = |name| run.count("dem_polyhedra.csv", "body steps per second", name);
    assert_eq!((count("carom"), count("rapier3d-f64 recycling")), (2, 2), "{}", run.printed);
}

#[test]
fn tiny_bodies_of_springs_run_with_their_parts_and_on_two_threads() {
    let run = TinyRun::of("bonded");
    let records = run.records("bonded.csv", "springs per second");
    for (workload, expected) in
        [("square-4", 2), ("square-8", 2), ("cubic-18", 6), ("blocks", 2), ("front", 2)]
    {
        let of_workload = |record: &&[String; 3]| record[0].split(' ').next() == Some(workload);
        assert_eq!(records.iter().filter(of_workload).count(), expected, "{records:?}");
    }
}

#[test]
fn an_unknown_workload_is_one_sentence() {
    let output = carom_bench(&["event-driven", "--only", "gas"]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: there is no workload 'gas' for --only; there are mono-0.1, "));
}

#[test]
fn missing_results_are_one_sentence() {
    let output = carom_bench(&["tables", "--results", "no-such-folder"]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("error: no-such-folder/contacts.csv: "), "{said}");
}
