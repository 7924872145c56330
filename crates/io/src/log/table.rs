//! A log read back as columns.

use super::LogProblem;
use crate::{Error, excerpt, read_results_file};
use std::path::Path;

/// Largest log that is read, in bytes.
const LARGEST: u64 = 4 << 30;

/// The rows of a log as columns of numbers.
///
/// ```
/// # let run = tempfile::tempdir()?;
/// use carom_io::LogTable;
/// std::fs::write(run.path().join("log.csv"), "time,collisions\n0,0\n0.5,12\n1,3")?;
/// let log = LogTable::read(run.path())?;
/// // The last row was cut by a kill.
/// assert_eq!(log.column("collisions"), Some(&[0.0, 12.0][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogTable {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

impl LogTable {
    /// Reads `log.csv` of a results folder. A last row without its end, as a kill leaves it, is not counted.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let bytes = read_results_file(folder, "log.csv", LARGEST)?;
        LogTable::parse(&bytes).map_err(|problem| {
            let file = excerpt::file_name(&folder.join("log.csv"));
            Error::Log { file, problem }
        })
    }

    fn parse(bytes: &[u8]) -> Result<Self, LogProblem> {
        let text = String::from_utf8_lossy(bytes);
        let mut lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
        let header = lines.next().unwrap_or_default();
        let names: Vec<String> = header.split(',').map(str::to_owned).collect();
        if header.trim().is_empty() {
            return Err(LogProblem::Header { found: excerpt::truncated(header) });
        }
        let mut columns = vec![Vec::new(); names.len()];
        for (row, line) in lines.enumerate() {
            let cells: Vec<&str> = line.split(',').collect();
            if cells.len() != names.len() {
                let (found, expected) = (cells.len(), names.len());
                return Err(LogProblem::Row { line: row + 2, found, expected });
            }
            for (column, cell) in columns.iter_mut().zip(&cells) {
                let refused =
                    || LogProblem::Number { line: row + 2, value: excerpt::truncated(cell) };
                column.push(cell.trim().parse().map_err(|_| refused())?);
            }
        }
        Ok(LogTable { names, columns })
    }

    /// Returns the names of the columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, Vec::len)
    }

    /// Returns a column by its name, if there is one.
    pub fn column(&self, name: &str) -> Option<&[f64]> {
        let number = self.names.iter().position(|other| other == name)?;
        Some(&self.columns[number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_not_finite_are_values() {
        let log = LogTable::parse(b"time,gap\n0,inf\n1,NaN\n").unwrap();
        assert_eq!((log.names().len(), log.rows()), (2, 2));
        let gaps = log.column("gap").unwrap();
        assert!(gaps[0] == f64::INFINITY && gaps[1].is_nan());
        assert_eq!(log.column("pressure"), None);
    }

    #[test]
    fn a_damaged_log_is_one_sentence() {
        for (text, part) in [
            ("", "starts with \"\""),
            ("\n1\n", "starts with \"\""),
            ("time,a\n1\n", "line 2 has 1 values, and there are 2 columns"),
            ("time\n1\nx\u{1b}\n", "line 3 has \"x"),
        ] {
            let message = LogTable::parse(text.as_bytes()).unwrap_err().to_string();
            assert!(message.contains(part) && !message.contains('\u{1b}'), "{message}");
        }
    }
}
