//! The log of a run: a CSV file that grows row by row and can be resumed after a kill.

mod problem;
mod resume;
mod table;

pub use problem::LogProblem;
pub use table::LogTable;

use super::write_atomically;
use crate::{Error, excerpt};
use carom_simulate::Value;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// The log of a run: its columns are fixed when it is created, and each row is in the file as soon as it is appended.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("log.csv");
/// use carom_io::LogFile;
/// let mut log = LogFile::create(&path, &["time", "collisions"])?;
/// log.append(&[0.5.into(), 12.into()])?;
/// log.append(&[1.0.into(), 31.into()])?;
/// drop(log);
///
/// let mut log = LogFile::resume(&path, &["time", "collisions"], 1)?;
/// log.append(&[0.75.into(), 19.into()])?;
/// assert_eq!(std::fs::read_to_string(&path)?, "time,collisions\n0.5,12\n0.75,19\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LogFile {
    file: File,
    name: String,
    columns: usize,
    line: Vec<u8>,
}

impl LogFile {
    /// Creates a log without rows, replacing an existing file.
    pub fn create(path: &Path, columns: &[&str]) -> Result<Self, Error> {
        let header = header(columns)?;
        write_atomically(path, |out| out.write_all(header.as_bytes()))?;
        let name = excerpt::file_name(path);
        match OpenOptions::new().append(true).open(path) {
            Ok(file) => Ok(LogFile::at_end(file, name, columns.len())),
            Err(source) => Err(Error::CannotWrite { file: name, source }),
        }
    }

    fn at_end(file: File, name: String, columns: usize) -> Self {
        LogFile { file, name, columns, line: Vec::new() }
    }

    /// Appends a row of one value per column; it has left the program when this returns.
    pub fn append(&mut self, values: &[Value]) -> Result<(), Error> {
        if values.len() != self.columns {
            let (found, expected) = (values.len(), self.columns);
            return Err(self.refused(LogProblem::Values { found, expected }));
        }
        self.line.clear();
        for value in values {
            match *value {
                Value::Number(number) => {
                    self.line.extend_from_slice(zmij::Buffer::new().format(number).as_bytes());
                }
                Value::Count(count) => {
                    self.line.extend_from_slice(itoa::Buffer::new().format(count).as_bytes());
                }
            }
            self.line.push(b',');
        }
        if let Some(last) = self.line.last_mut() {
            *last = b'\n';
        }
        // One write per row, so that a kill seldom leaves half a row.
        self.file.write_all(&self.line).map_err(|source| self.cannot_write(source))
    }

    /// Waits until all rows are on the disk; to be called before a checkpoint counts them.
    pub fn sync(&self) -> Result<(), Error> {
        self.file.sync_data().map_err(|source| self.cannot_write(source))
    }

    fn refused(&self, problem: LogProblem) -> Error {
        Error::Log { file: self.name.clone(), problem }
    }

    fn cannot_write(&self, source: io::Error) -> Error {
        Error::CannotWrite { file: self.name.clone(), source }
    }
}

/// Returns the first line of the file.
fn header(columns: &[&str]) -> Result<String, Error> {
    check_log_columns(columns)?;
    if columns.is_empty() {
        return Err(Error::LogHeader { columns: "[]".to_owned() });
    }
    Ok(format!("{}\n", columns.join(",")))
}

/// Returns an error if a name cannot stand in the header of a log: if it is blank, or has a comma, a quotation mark, a `#`
/// or a control character.
pub fn check_log_columns(columns: &[impl AsRef<str>]) -> Result<(), Error> {
    let letter = |letter: char| !letter.is_control() && !matches!(letter, ',' | '"' | '#');
    let is_plain = |name: &str| !name.trim().is_empty() && name.chars().all(letter);
    match columns.iter().map(AsRef::as_ref).find(|name| !is_plain(name)) {
        Some(name) => {
            Err(Error::LogHeader { columns: excerpt::value(format!("{name:?}").as_bytes()) })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
