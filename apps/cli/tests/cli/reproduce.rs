//! Papers reproduced through the program.

use std::process::Command;

#[test]
#[ignore = "takes half a minute: cargo xtask test --all"]
fn a_quick_reproduction_of_paper_000_writes_its_tables_and_prints_its_findings() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["reproduce", "000", "--quick", "--out", "results"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    for part in ["Segment tree (segment-trees)", "Dynamic DT (laguerre-delaunay)", "guideline 5"] {
        assert!(printed.contains(part), "{part}");
    }
    let results = folder.path().join("results/000");
    let written = std::fs::read_dir(&results).unwrap().count();
    assert_eq!(written, 14);
    assert!(results.join("figure1.svg").exists());
    let report = std::fs::read_to_string(results.join("report.md")).unwrap();
    assert!(report.contains("(events_3d_dilute.svg)"));
}

#[test]
fn a_quick_reproduction_of_paper_001_writes_its_table_and_prints_its_findings() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["reproduce", "001", "--quick", "--out", "results"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    for part in ["98290", "one list per axis", "the expected run time is O(N)"] {
        assert!(printed.contains(part), "{part}");
    }
    let results = folder.path().join("results/001");
    assert_eq!(std::fs::read_dir(&results).unwrap().count(), 7);
    let report = std::fs::read_to_string(results.join("report.md")).unwrap();
    assert!(report.contains("(figure6.svg)"));
}

#[test]
#[ignore = "takes half a minute: cargo xtask test --all"]
fn a_quick_reproduction_of_paper_003_writes_its_figures_and_prints_its_findings() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["reproduce", "003", "--quick", "--out", "results"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    for part in ["329", "FMM WC", "ray crossing is linear", "AGREES: both methods give correct"] {
        assert!(printed.contains(part), "{part}");
    }
    let results = folder.path().join("results/003");
    assert_eq!(std::fs::read_dir(&results).unwrap().count(), 25);
    let report = std::fs::read_to_string(results.join("report.md")).unwrap();
    assert!(report.contains("(figure15.svg)"));
}

#[test]
fn a_folder_that_cannot_be_made_is_reported_as_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["reproduce", "002", "--quick", "--out", "file/results"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: file/results cannot be written: a part of its path is not a folder\n"
    );
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_paper_that_is_not_there_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["reproduce", "017"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("000"));
}

/// A limit to the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_a_failure_on_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let script = "trap '' XFSZ; ulimit -f 1; exec \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_carom")])
        .args(["reproduce", "000", "--quick", "-q", "--out", "results"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(message.contains(" cannot be written: ") && message.lines().count() == 1, "{message}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_quick_reproduction_of_paper_004_writes_its_figures_and_prints_its_findings() {
    let folder = tempfile::tempdir().unwrap();
    let earlier = folder.path().join("results/002");
    std::fs::create_dir_all(&earlier).unwrap();
    std::fs::write(earlier.join("report.md"), "# Earlier\n\n<b>![a](b.svg)![c](../c.svg)\n")
        .unwrap();
    for name in ["002/b.svg", "c.svg"] {
        std::fs::write(folder.path().join("results").join(name), "<svg/>").unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_carom"))
        .args(["reproduce", "004", "--quick", "--out", "results"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    for part in ["6.00105e-5", "16 of 56", "six neighbors instead of four"] {
        assert!(printed.contains(part), "{part}");
    }
    let results = folder.path().join("results/004");
    assert_eq!(std::fs::read_dir(&results).unwrap().count(), 13);
    let report = std::fs::read_to_string(results.join("report.md")).unwrap();
    assert!(report.contains("(figure2.svg)"));
    let page = std::fs::read_to_string(folder.path().join("results/report.html")).unwrap();
    let figures = page.matches("<img src=\"data:image/svg+xml;base64,").count();
    assert_eq!(figures, 3 + 1, "those of 004 and the one beside the report of 002");
    for part in ["<h2>Earlier</h2>", "&lt;b&gt;", "../c.svg is missing", "id=\"paper-004\""] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn a_data_file_of_paper_004_runs_in_both_ways_and_a_bad_one_is_reported_with_line_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let text = include_str!("../../../../papers/data/koti1989_figure_2.dat");
    let run = |paper: &str, text: &str| {
        std::fs::write(folder.path().join("discs.dat"), text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_carom"))
            .args(["reproduce", paper, "--data", "discs.dat", "--out", "results"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), message)
    };
    let (code, printed, _) =
        run("004", &text.replace("\n50 ", "\n20 ").replace("\n50\n", "\n20\n"));
    assert_eq!(code, Some(0));
    assert!(printed.contains("thesis") && printed.contains("right"), "{printed}");
    assert!(folder.path().join("results/004/data.svg").exists());
    let (code, _, message) = run("004", &text.replace("100           mass", "heavy         mass"));
    assert_eq!(code, Some(2));
    assert!(message.contains("discs.dat:17: mass of object 1 is \"heavy\""), "{message}");
    let (code, _, message) = run("004", &text.replace("5 0 0         vel", "-5 0 0        vel"));
    assert_eq!(code, Some(2));
    assert!(message.contains("discs.dat: the number of collisions is 0"), "{message}");
    let (code, _, message) = run("002", text);
    assert_eq!(code, Some(2));
    assert!(message.contains("only paper 004 has data files"), "{message}");
}
