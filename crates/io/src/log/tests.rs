use super::*;
use std::fs;
use std::path::PathBuf;

const COLUMNS: [&str; 2] = ["time", "collisions"];

/// A folder and the log of three rows in it.
fn three_rows() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    let mut log = LogFile::create(&path, &COLUMNS).unwrap();
    for row in 0..3 {
        log.append(&[(0.1 * row as f64).into(), Value::Count(row)]).unwrap();
    }
    log.sync().unwrap();
    (folder, path)
}

fn message(path: &Path, columns: &[&str], rows: u64) -> String {
    let text = LogFile::resume(path, columns, rows).unwrap_err().to_string();
    text.replace(path.parent().unwrap().to_str().unwrap(), "DIR")
}

const ROWS: &str = "time,collisions\n0.0,0\n0.1,1\n0.2,2\n";

#[test]
fn every_row_is_in_the_file_at_once() {
    let (_folder, path) = three_rows();
    assert_eq!(fs::read_to_string(path).unwrap(), ROWS);
}

#[test]
fn a_file_cut_anywhere_behind_the_counted_rows_continues() {
    let (_folder, path) = three_rows();
    let counted = "time,collisions\n0.0,0\n".len();
    for length in counted..=ROWS.len() {
        fs::write(&path, &ROWS[..length]).unwrap();
        let mut log = LogFile::resume(&path, &COLUMNS, 1).unwrap();
        log.append(&[7.5.into(), 9.into()]).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "time,collisions\n0.0,0\n7.5,9\n");
    }
}

#[test]
fn a_file_cut_before_the_counted_rows_is_refused_and_left_alone() {
    let (_folder, path) = three_rows();
    for length in COLUMNS.join(",").len() + 1..ROWS.len() {
        fs::write(&path, &ROWS[..length]).unwrap();
        let found = ROWS[..length].matches('\n').count() - 1;
        assert_eq!(
            message(&path, &COLUMNS, 3),
            format!(
                "DIR/log.csv has {found} whole rows, and the checkpoint counts 3; put the complete \
                 log back, or start the run again from its scene"
            )
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), ROWS[..length]);
    }
}

#[test]
fn another_header_is_refused() {
    let (_folder, path) = three_rows();
    assert_eq!(
        message(&path, &["time", "energy"], 1),
        "DIR/log.csv starts with \"time,collisions\" and not with this run's columns; give the \
         folder of the run, or start the run again in a new one"
    );
    fs::write(&path, "").unwrap();
    assert!(message(&path, &COLUMNS, 0).starts_with("DIR/log.csv starts with \"\""));
    fs::remove_file(&path).unwrap();
    assert_eq!(message(&path, &COLUMNS, 0), "DIR/log.csv cannot be read: there is no such file");
}

#[test]
fn damaged_rows_are_named_by_their_line() {
    let (_folder, path) = three_rows();
    fs::write(&path, "time,collisions\n0.0,0\n0.1\n0.2,2\n").unwrap();
    assert_eq!(
        message(&path, &COLUMNS, 3),
        "DIR/log.csv:3: 1 fields where 2 are expected; every row must have one per column"
    );
    assert!(LogFile::resume(&path, &COLUMNS, 1).is_ok(), "what is cut off may be damaged");
    fs::write(&path, "time,collisions\n0.0,0\n0.1,abc\n").unwrap();
    assert_eq!(
        message(&path, &COLUMNS, 2),
        "DIR/log.csv:3: \"abc\" is no number; rows of a log have numbers only"
    );
    // What is not measured, or infinite, is a value.
    fs::write(&path, "time,collisions\n0.0,NaN\n0.1,inf\n").unwrap();
    assert!(LogFile::resume(&path, &COLUMNS, 2).is_ok());
    fs::write(&path, "time,collisions\n0.0,0\n\0\0\0,\0\n").unwrap();
    assert!(message(&path, &COLUMNS, 2).starts_with("DIR/log.csv:3: this does not look like text"));
}

#[test]
fn a_row_must_fit_the_header() {
    let (_folder, path) = three_rows();
    let mut log = LogFile::resume(&path, &COLUMNS, 3).unwrap();
    let text = log.append(&[1.0.into()]).unwrap_err().to_string();
    assert!(
        text.ends_with("log.csv takes 2 values a row, and 1 were given; give one per column"),
        "{text}"
    );
    assert_eq!(fs::read_to_string(path).unwrap(), ROWS);
}

#[test]
fn a_name_that_would_break_the_header_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    for columns in [&[][..], &[""], &["a,b"], &["a\nb"], &["\"a\""]] {
        assert!(matches!(LogFile::create(&path, columns), Err(Error::LogHeader { .. })));
    }
    assert!(!path.exists());
}
