//! A plain table of texts, as CSV, Markdown or aligned text.

use std::fmt::Write;

/// Rows of cells under named columns; every row has as many cells as there are columns.
///
/// ```
/// use carom_papers::table::TextTable;
/// let table = TextTable::new("test | contacts", [vec!["A".to_string(), "9007".to_string()]]);
/// assert_eq!(table.csv(), "test,contacts\nA,9007\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table of these rows under columns whose names are separated by ` | `; missing cells are left empty, cells
    /// beyond the last column are dropped.
    pub fn new(columns: &str, rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        let columns: Vec<String> = columns.split(" | ").map(String::from).collect();
        let filled = |mut row: Vec<String>| {
            row.resize(columns.len(), String::new());
            row
        };
        let rows = rows.into_iter().map(filled).collect();
        TextTable { columns, rows }
    }

    /// Comma-separated, a header first; cells are quoted where they must be (RFC 4180).
    ///
    /// Spaces in the names of columns become underscores, as programs that read them like it.
    pub fn csv(&self) -> String {
        let line = |cells: &Vec<String>| {
            let quoted: Vec<String> = cells.iter().map(|cell| quoted(cell)).collect();
            quoted.join(",") + "\n"
        };
        let names = self.columns.iter().map(|name| name.replace(' ', "_")).collect();
        std::iter::once(&names).chain(&self.rows).map(line).collect()
    }

    /// A table of GitHub's Markdown; every column but the first is set to the right.
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let escaped: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", escaped.join(" | "))
        };
        let mut rule = vec!["---:".to_string(); self.columns.len()];
        if let Some(first) = rule.first_mut() {
            *first = "---".into();
        }
        let head = line(&self.columns) + &line(&rule);
        head + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }

    /// Aligned by spaces, for a terminal.
    pub fn text(&self) -> String {
        let widths = self.widths();
        let mut text = String::new();
        for row in std::iter::once(&self.columns).chain(&self.rows) {
            let mut line = String::new();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                let gap = " ".repeat(width - cell.chars().count());
                // Writing to a string cannot fail.
                let _ = match column {
                    0 => write!(line, "  {cell}{gap}"),
                    _ => write!(line, "  {gap}{cell}"),
                };
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| &row[column]);
            let all = cells.chain(std::iter::once(&self.columns[column]));
            all.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        (0..self.columns.len()).map(width).collect()
    }
}

/// The cells of a row, each as its text.
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($cell.to_string()),*] };
}

/// A table with a row for each item of an iterator: `table!(item in items; "name": cell, …)`.
macro_rules! table {
    ($item:pat in $items:expr; $($name:literal: $cell:expr),* $(,)?) => {
        $crate::table::TextTable::new(
            &[$($name),*].join(" | "),
            ($items).into_iter().map(|$item| $crate::table::row![$($cell),*]),
        )
    };
}
pub(crate) use {row, table};

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TextTable {
        TextTable::new("method | in ms", [row!["LCM 1, A", 12.5], row!["a \"b\" | c"]])
    }

    #[test]
    fn csv_quotes_what_it_must() {
        assert_eq!(table().csv(), "method,in_ms\n\"LCM 1, A\",12.5\n\"a \"\"b\"\" | c\",\n");
    }

    #[test]
    fn markdown_escapes_bars_and_aligns_numbers_right() {
        let expected =
            "| method | in ms |\n| --- | ---: |\n| LCM 1, A | 12.5 |\n| a \"b\" \\| c |  |\n";
        assert_eq!(table().markdown(), expected);
    }

    #[test]
    fn text_is_aligned() {
        let expected = "  method     in ms\n  LCM 1, A    12.5\n  a \"b\" | c\n";
        assert_eq!(table().text(), expected);
    }
}
