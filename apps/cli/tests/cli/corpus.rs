//! The kept corpus, small valid files and minimized findings, through the program.

use crate::program::{carom, folder, text};
use std::fs;
use std::path::{Path, PathBuf};

/// The commands that read a file of the corpus, by the name of its folder.
fn commands(reader: &str) -> &'static [&'static [&'static str]] {
    match reader {
        "scene" => &[&["check", "FILE"]],
        "csv" | "xyz" => &[&["contacts", "FILE"], &["triangulate", "FILE"]],
        "stl" | "obj" | "ply" | "off" => {
            &[&["check", "FILE"], &["inside", "FILE", "grid:3"], &["distance", "FILE", "FILE"]]
        }
        _ => &[],
    }
}

fn files(reader: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(reader).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_file_of_the_corpus_ends_in_results_or_one_sentence() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let corpus = fs::canonicalize(corpus).unwrap();
    let place = folder();
    let mut tried = 0;
    for reader in files(&corpus) {
        for file in files(&reader) {
            for command in commands(reader.file_name().unwrap().to_str().unwrap()) {
                let file = file.to_str().unwrap();
                let words: Vec<&str> = command
                    .iter()
                    .map(|&word| if word == "FILE" { file } else { word })
                    .chain(["--threads", "1"])
                    .collect();
                let output = carom(place.path(), &words);
                let report = text(&output.stderr);
                assert!(matches!(output.status.code(), Some(0..=2)), "{words:?} {report}");
                assert!(!report.contains("panicked"), "{words:?} {report}");
                tried += 1;
            }
        }
    }
    assert!(tried > 40, "{tried} commands");
}
