//! Folders of results, compared.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file below a folder but the one with times in it and the checkpoint before the last, which is of
/// another moment each time.
pub fn contents(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(
                contents(&path)
                    .into_iter()
                    .map(|(name, bytes)| (Path::new(path.file_name().unwrap()).join(name), bytes)),
            );
        } else if !["summary.json", "checkpoint.previous.bin"].iter().any(|it| path.ends_with(it)) {
            files.insert(path.file_name().unwrap().into(), fs::read(&path).unwrap());
        }
    }
    files
}

pub fn assert_same_results(left: &Path, right: &Path) {
    let (left, right) = (contents(left), contents(right));
    let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&left), names(&right));
    for (name, bytes) in &left {
        assert!(*bytes == right[name], "{} differs", name.display());
    }
}
