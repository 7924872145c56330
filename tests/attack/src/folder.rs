//! Results folders: their contents, and their comparison.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Lock file of a folder; it is empty.
const LOCK: &str = ".carom.lock";

/// Returns every file below a folder by its relative path, except the lock; a link is represented by its target.
pub fn contents(folder: &Path) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let (name, kind) = (below.join(entry.file_name()), entry.file_type()?);
            if kind.is_dir() {
                open.push(name);
            } else if kind.is_symlink() {
                files.insert(
                    name,
                    fs::read_link(entry.path())?.into_os_string().into_encoded_bytes(),
                );
            } else if kind.is_file() && entry.file_name() != LOCK {
                files.insert(name, fs::read(entry.path())?);
            }
        }
    }
    Ok(files)
}

/// Writes the files of [`contents`].
pub fn write(folder: &Path, files: &BTreeMap<PathBuf, Vec<u8>>) -> io::Result<()> {
    for (name, bytes) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    Ok(())
}

/// Returns the first difference between two results folders; wall-clock times do not count, nor does the checkpoint
/// before the last, which is of another moment each time.
pub fn difference(left: &Path, right: &Path) -> io::Result<Option<String>> {
    let compared = |folder: &Path| {
        let mut files = contents(folder)?;
        files.remove(Path::new("checkpoint.previous.bin"));
        Ok::<_, io::Error>(files)
    };
    let (left, right) = (compared(left)?, compared(right)?);
    for name in left.keys().chain(right.keys()) {
        let (Some(a), Some(b)) = (left.get(name), right.get(name)) else {
            return Ok(Some(format!("{} is in one of them alone", name.display())));
        };
        match name.ends_with("summary.json") {
            true => {
                if let Some(key) = different_key(a, b) {
                    return Ok(Some(format!("{} differs in {key}", name.display())));
                }
            }
            false if a != b => return Ok(Some(format!("{} differs", name.display()))),
            false => {}
        }
    }
    Ok(None)
}

/// Keys of summaries that depend on the clock, or on work done since the last start.
const TIMED: [&str; 4] = ["seconds", "work", "neighbors", "memory"];

/// Returns the first key of two summaries with different values, except times and the number of threads; or that one
/// cannot be read.
fn different_key(left: &[u8], right: &[u8]) -> Option<String> {
    let table = |bytes: &[u8]| match serde_json::from_slice(bytes) {
        Ok(serde_json::Value::Object(mut table)) => {
            if let Some(provenance) = table.get_mut("provenance").and_then(|it| it.as_object_mut())
            {
                provenance.remove("threads");
            }
            Some(table)
        }
        _ => None,
    };
    let (Some(left), Some(right)) = (table(left), table(right)) else {
        return Some("its form".into());
    };
    let mut keys = left.keys().chain(right.keys()).filter(|key| !TIMED.contains(&key.as_str()));
    keys.find(|&key| left.get(key) != right.get(key)).map(|key| {
        let shown = |value: Option<&serde_json::Value>| {
            value.map_or_else(|| "nothing".into(), ToString::to_string)
        };
        format!("{key}: {} and {}", shown(left.get(key)), shown(right.get(key)))
    })
}

/// Returns a file that a program has begun and not finished.
pub fn partial_file(folder: &Path) -> io::Result<Option<PathBuf>> {
    Ok(contents(folder)?
        .into_keys()
        .find(|name| name.extension().is_some_and(|end| end == "partial")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_do_not_count_and_all_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let (left, right) = (folder.path().join("left"), folder.path().join("right"));
        let files = |summary: &str, log: &str| {
            let entry = |name: &str, text: &str| (PathBuf::from(name), text.as_bytes().to_vec());
            BTreeMap::from([entry("summary.json", summary), entry("frames/log.csv", log)])
        };
        let summary = |time: u32, seconds: u32, threads: u32| {
            let table = serde_json::json!({
                "time": time, "seconds": seconds, "provenance": {"seed": 1, "threads": threads}
            });
            table.to_string()
        };
        write(&left, &files(&summary(1, 2, 1), "a")).unwrap();
        write(&right, &files(&summary(1, 3, 2), "a")).unwrap();
        assert_eq!(difference(&left, &right).unwrap(), None);
        write(&right, &files(&summary(2, 3, 2), "a")).unwrap();
        assert_eq!(
            difference(&left, &right).unwrap().unwrap(),
            "summary.json differs in time: 1 and 2"
        );
        write(&left, &files(&summary(2, 3, 1), "b")).unwrap();
        assert_eq!(difference(&left, &right).unwrap().unwrap(), "frames/log.csv differs");
        fs::write(right.join(".carom-1-2.partial"), "").unwrap();
        assert_eq!(difference(&left, &right).unwrap().unwrap(), "frames/log.csv differs");
        assert_eq!(partial_file(&right).unwrap().unwrap(), Path::new(".carom-1-2.partial"));
        assert_eq!(partial_file(&left).unwrap(), None);
    }
}
