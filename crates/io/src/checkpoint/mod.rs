//! Checkpoints: the state that a run needs to continue bit for bit, in one file.
//!
//! Little-endian. Header: `CAROMCHK`, version (u32), dimension (u32), length of the whole file (u64), digest of the
//! scene (u64), engine (text), writer (text), number of sections (u32). A section: name (text), type (u8: 1 f64, 2 u64,
//! 3 u32), count (u64), values, CRC-32 of these bytes (u32). Then the CRC-32 of everything before. A text is its length
//! in bytes (u32) and UTF-8.
//!
//! This is format 7; files of earlier formats are refused. The digest of the scene leaves out generated bodies.

mod array;
mod bodies;
mod checksum;
mod decode;
mod encode;
mod problem;

pub use bodies::SavedBodies;
pub use checksum::checkpoint_checksum;
pub use problem::CheckpointProblem;

use super::{read_results_file, write_atomically};
use crate::{Error, excerpt};
use carom_simulate::SavedArrays;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

const MAGIC: &[u8; 8] = b"CAROMCHK";
const VERSION: u32 = 7;

/// Named arrays of numbers with the engine, dimension and scene they belong to.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("checkpoint.bin");
/// use carom_io::{Checkpoint, digest};
/// let scene = digest(b"engine = 'event-driven'");
/// let mut checkpoint = Checkpoint::new("event-driven", 3, scene);
/// checkpoint.put_f64("positions", [0.5, 1.5, 2.5]);
/// checkpoint.put_u64("collisions", [17]);
/// checkpoint.write(&path)?;
///
/// let mut checkpoint = Checkpoint::read(&path)?;
/// checkpoint.expect("event-driven", 3, scene)?;
/// assert_eq!(checkpoint.take_f64("positions", 3)?, [0.5, 1.5, 2.5]);
/// assert_eq!(checkpoint.take_u64("collisions", 1)?, [17]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Its sections, with the engine and the dimension of the run.
    pub arrays: SavedArrays,
    /// The [`digest`](super::digest) of the scene.
    pub scene_digest: u64,
    /// Program that wrote it, for example `carom 0.1.0 (0123456789ab)`; empty if unknown.
    pub writer: String,
    /// File it was read from, for messages.
    file: String,
}

impl Checkpoint {
    /// Creates a checkpoint without sections.
    pub fn new(kind: &str, dimension: usize, scene_digest: u64) -> Self {
        let file = "the checkpoint".to_owned();
        let arrays = SavedArrays::of_engine(kind, dimension);
        Checkpoint { arrays, scene_digest, writer: String::new(), file }
    }

    /// Stores the numbers under the name; the same name again replaces them.
    pub fn put_f64(&mut self, name: &str, values: impl Into<Vec<f64>>) {
        self.arrays.put_f64(name, values);
    }

    /// As [`put_f64`](Self::put_f64), for 64-bit whole numbers.
    pub fn put_u64(&mut self, name: &str, values: impl Into<Vec<u64>>) {
        self.arrays.put_u64(name, values);
    }

    /// As [`put_f64`](Self::put_f64), for 32-bit whole numbers.
    pub fn put_u32(&mut self, name: &str, values: impl Into<Vec<u32>>) {
        self.arrays.put_u32(name, values);
    }

    /// Returns the number of values under the name, if there are any.
    pub fn count(&self, name: &str) -> Option<usize> {
        self.arrays.count(name)
    }

    /// Returns the names of all sections that have not been taken out.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.arrays.iter().map(|(name, _)| name)
    }

    /// Takes the numbers out; an error unless they exist, are of this type, and are `count` many.
    pub fn take_f64(&mut self, name: &str, count: usize) -> Result<Vec<f64>, Error> {
        self.arrays.take_f64(name, count).map_err(|error| self.unfit(&error))
    }

    /// As [`take_f64`](Self::take_f64), for 64-bit whole numbers.
    pub fn take_u64(&mut self, name: &str, count: usize) -> Result<Vec<u64>, Error> {
        self.arrays.take_u64(name, count).map_err(|error| self.unfit(&error))
    }

    /// As [`take_f64`](Self::take_f64), for 32-bit whole numbers.
    pub fn take_u32(&mut self, name: &str, count: usize) -> Result<Vec<u32>, Error> {
        self.arrays.take_u32(name, count).map_err(|error| self.unfit(&error))
    }

    /// Returns the error for arrays that an engine refuses.
    pub fn unfit(&self, error: &carom_simulate::Error) -> Error {
        let reason = match error {
            carom_simulate::Error::Saved(reason) => reason.clone(),
            other => other.to_string(),
        };
        self.refused(CheckpointProblem::Unfit { reason })
    }

    /// Returns an error that names the file it was read from.
    pub fn refused(&self, problem: CheckpointProblem) -> Error {
        Error::Checkpoint { file: self.file.clone(), problem }
    }

    /// Returns an error unless the checkpoint is of this engine, dimension and scene.
    pub fn expect(&self, kind: &str, dimension: usize, scene_digest: u64) -> Result<(), Error> {
        let (found_engine, found_dimension) = (&self.arrays.engine, self.arrays.dimension);
        if found_engine != kind {
            let (found, expected) = (excerpt::value(found_engine.as_bytes()), kind.to_owned());
            return Err(self.refused(CheckpointProblem::Engine { found, expected }));
        }
        if found_dimension != dimension {
            let (found, expected) = (found_dimension, dimension);
            return Err(self.refused(CheckpointProblem::Dimension { found, expected }));
        }
        if self.scene_digest != scene_digest {
            return Err(self.refused(CheckpointProblem::OtherScene { difference: None }));
        }
        Ok(())
    }

    /// Writes the file atomically: the old checkpoint stays until all of the new one is on the disk.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        write_atomically(path, |out| out.write_all(&self.encode()))
    }

    /// As [`write`](Self::write); the previous checkpoint is kept at the path `previous`.
    pub fn write_keeping_previous(&self, path: &Path, previous: &Path) -> Result<(), Error> {
        if path.is_file() {
            link_previous(path, previous)?;
        }
        self.write(path)
    }

    /// Reads a file written by [`write`](Self::write); any damage is an error, and so is a symbolic link out of its
    /// folder.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let run = path.parent().unwrap_or(path);
        let bytes = read_results_file(run, path.file_name().unwrap_or_default(), u64::MAX)?;
        Checkpoint::decode(&bytes, &excerpt::file_name(path))
    }
}

/// Gives a file a second name, replacing what had it. The first name exists at every moment.
fn link_previous(path: &Path, previous: &Path) -> Result<(), Error> {
    let refuse = |source| Error::cannot_write(previous, source);
    match fs::remove_file(previous) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(refuse(error)),
        _ => {}
    }
    if fs::hard_link(path, previous).is_ok() {
        return Ok(());
    }
    // Some file systems have no hard links.
    let bytes = fs::read(path).map_err(refuse)?;
    write_atomically(previous, |out| out.write_all(&bytes))
}

#[cfg(test)]
mod tests;
