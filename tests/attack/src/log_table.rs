//! The log of a run as columns.

use std::fs;
use std::path::Path;

/// The columns of `log.csv`.
#[derive(Clone, Debug)]
pub struct LogTable {
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl LogTable {
    /// Reads a log; every row must have a number for every column.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = fs::read_to_string(path)
            .map_err(|error| format!("{} cannot be read: {error}", path.display()))?;
        let mut lines = text.lines();
        let names: Vec<String> =
            lines.next().unwrap_or_default().split(',').map(str::to_owned).collect();
        let rows = lines.map(|line| row(line, names.len())).collect::<Result<Vec<_>, _>>()?;
        Ok(LogTable { names, rows })
    }

    /// Returns a column by its name.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let index = self.names.iter().position(|own| own == name)?;
        Some(self.rows.iter().map(|row| row[index]).collect())
    }

    /// Returns those of these columns that exist.
    pub fn columns(&self, names: &[&str]) -> Vec<Vec<f64>> {
        names.iter().filter_map(|name| self.column(name)).collect()
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }
}

fn row(line: &str, count: usize) -> Result<Vec<f64>, String> {
    let numbers: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
    match numbers {
        Ok(numbers) if numbers.len() == count => Ok(numbers),
        _ => Err(format!("log.csv has the row {line:?}, which is not {count} numbers")),
    }
}
