//! The kept corpus, `fuzz/corpus`: small valid files, and every minimized finding; a folder for each reader.

use crate::reader::Reader;
use std::io;
use std::path::{Path, PathBuf};

/// The folder of the corpus in this repository.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus")
}

/// The files of a reader in ascending order of their names.
pub fn files(reader: Reader) -> io::Result<Vec<(PathBuf, Vec<u8>)>> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder().join(reader.name()))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<_>>()?;
    paths.sort();
    paths.into_iter().map(|path| std::fs::read(&path).map(|bytes| (path, bytes))).collect()
}
