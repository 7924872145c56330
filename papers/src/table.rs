//! A plain table of texts, as CSV, Markdown or aligned text.

use std::fmt::Write;

/// Rows of cells under named columns; every row has as many cells as there are columns.
///
/// ```
/// use carom_papers::table::TextTable;
/// let mut table = TextTable::new(["test", "contacts"]);
/// table.push(["A", "9007"]);
/// assert_eq!(table.csv(), "test,contacts\nA,9007\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl TextTable {
    /// A table without rows.
    pub fn new<T: Into<String>>(columns: impl IntoIterator<Item = T>) -> Self {
        TextTable { columns: columns.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are left empty, cells beyond the last column are dropped.
    pub fn push<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>) {
        let mut row: Vec<String> = cells.into_iter().map(Into::into).collect();
        row.resize(self.columns.len(), String::new());
        self.rows.push(row);
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
        let mut table = TextTable::new(["method", "in ms"]);
        table.push(["LCM 1, A", "12.5"]);
        table.push(["a \"b\" | c"]);
        table
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
