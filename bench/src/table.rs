//! Results as CSV, with the command and the machine that made them in the first line.

use crate::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// One line of a table.
pub trait Record: Sized {
    /// The names of its fields.
    const COLUMNS: &'static str;

    /// Reads a line; a problem is one sentence.
    fn parse(text: &str) -> Result<Self, String>;

    /// The line.
    fn fields(&self) -> String;
}

/// Rows, and one line about where they come from.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<R> {
    /// Command, machine, compiler.
    pub origin: String,
    /// The results.
    pub rows: Vec<R>,
}

/// Where a benchmark writes its table: where it is asked to, or else, if it was run as a whole, among
/// the kept results.
pub fn folder(report: &Option<PathBuf>, whole: bool) -> Option<PathBuf> {
    report.clone().or_else(|| whole.then(|| PathBuf::from("bench/results")))
}

/// The command as typed, but for the folder and what only one benchmark knows.
pub fn command<T: fmt::Display>(benchmark: &str, tiny: bool, only: &[T]) -> String {
    let tiny = if tiny { " --tiny" } else { "" };
    let only: String = only.iter().map(|one| format!(" --only {one}")).collect();
    format!("carom-bench {benchmark}{tiny}{only}")
}

/// The workload of a name, or a sentence that tells all names.
pub fn workload<T: Copy, const N: usize>(
    all: [T; N],
    name_of: fn(T) -> &'static str,
    name: &str,
) -> Result<T, String> {
    all.into_iter().find(|&one| name_of(one) == name).ok_or_else(|| {
        format!("there is no such workload; there are {}", all.map(name_of).join(", "))
    })
}

impl<R: Record> Table<R> {
    /// Writes the table as CSV, making its folder if need be.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(Error::in_file(folder))?;
        }
        std::fs::write(path, self.to_string()).map_err(Error::in_file(path))
    }

    /// Reads a table that was written as CSV.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(Error::in_file(path))?;
        Table::parse(&text)
    }

    /// The table of a text.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let problem = |line: usize, problem: String| Error::Table { line: line + 1, problem };
        let mut lines = text.lines().enumerate();
        let origin = lines.next().and_then(|(_, line)| line.strip_prefix("# "));
        let origin =
            origin.ok_or_else(|| problem(0, "the first line must start with \"# \"".into()))?;
        if lines.next().map(|(_, line)| line) != Some(R::COLUMNS) {
            return Err(problem(1, format!("the columns must be {}", R::COLUMNS)));
        }
        let rows = lines
            .map(|(line, text)| R::parse(text).map_err(|what| problem(line, what)))
            .collect::<Result<_, _>>()?;
        Ok(Table { origin: origin.to_string(), rows })
    }
}

impl<R: Record> fmt::Display for Table<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(formatter, "# {}", self.origin)?;
        writeln!(formatter, "{}", R::COLUMNS)?;
        self.rows.iter().try_for_each(|row| writeln!(formatter, "{}", row.fields()))
    }
}

/// The number in a field.
pub fn number<T: std::str::FromStr>(text: &str, column: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("{column} is \"{text}\"; it must be a number"))
}

/// The number in a field that may be empty.
pub fn optional_number(text: &str, column: &str) -> Result<Option<f64>, String> {
    if text.is_empty() { Ok(None) } else { number(text, column).map(Some) }
}
