//! Records as a table: CSV, Markdown or aligned text.

use crate::digits;
use crate::records::{Record, Records, Value};
use std::fmt::Write;

/// Rows of texts under named columns.
///
/// Columns are chosen and shaped by a text, such as `structure | bodies:, | ms:3 as time in ms`: names of cells
/// separated by ` | `, the form of numbers behind a colon ([`digits::formed`] has them), and the heading where it is not
/// the name. `ms:3 for each method` stands for a column of milliseconds for each method; records that share all
/// other columns are then one row.
///
/// ```
/// use carom_papers::{records::Records, table::TextTable};
/// let times = Records::parse("bodies,method,ms\n1000,grid,1.5\n1000,tree,2.25\n");
/// let table = TextTable::new(&times, "bodies:, as N | ms:.2 for each method");
/// assert_eq!(table.text(), "  N      grid  tree\n  1,000  1.50  2.25\n");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Between the cells of columns and the cell of which each different one has a column.
const FOR_EACH: &str = " for each ";

impl TextTable {
    /// The records under some columns.
    pub fn new(records: &Records, columns: &str) -> Self {
        let is_spread = |column: &&str| column.contains(FOR_EACH);
        let (spread, own): (Vec<&str>, Vec<&str>) = columns.split(" | ").partition(is_spread);
        let own: Vec<Column> = own.into_iter().map(Column::parse).collect();
        let columns = own.iter().map(|column| column.heading.to_owned()).collect();
        let mut table = TextTable { columns, rows: Vec::new() };
        for row in records.iter().map(|record| cells(&own, record)) {
            if spread.is_empty() || !table.rows.contains(&row) {
                table.rows.push(row);
            }
        }
        for (value, by) in spread.iter().filter_map(|column| column.split_once(FOR_EACH)) {
            table.spread(records, &own, [value, by].map(Column::parse));
        }
        table
    }

    /// Every cell of the records.
    pub fn of_all(records: &Records) -> Self {
        let names = records.first().map(Record::names).unwrap_or_default();
        TextTable::new(records, &names.join(" | "))
    }

    /// Adds a column for each different cell of `by`.
    fn spread(&mut self, records: &Records, own: &[Column], [value, by]: [Column; 2]) {
        for group in records.each(by.name) {
            self.columns.push(by.cell(&group[0]));
            for row in &mut self.rows {
                let is_own = |record: &&Record| cells(own, record) == row[..own.len()];
                row.push(group.iter().find(is_own).map_or(String::new(), |one| value.cell(one)));
            }
        }
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
    ///
    /// A cell without a value is a dash and an infinite number is `∞`, so that a reader sees that nothing was forgotten.
    pub fn markdown(&self) -> String {
        let shown = |cell: &String| match cell.as_str() {
            "" => "–".to_owned(),
            "inf" => "∞".to_owned(),
            _ => cell.replace('|', "\\|"),
        };
        let line = |cells: &[String]| {
            let shown: Vec<String> = cells.iter().map(shown).collect();
            format!("| {} |\n", shown.join(" | "))
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

/// A column as it is written: the name of its cells, their form and the heading.
struct Column<'a> {
    name: &'a str,
    form: &'a str,
    heading: &'a str,
}

impl<'a> Column<'a> {
    fn parse(text: &'a str) -> Self {
        let (cell, heading) = text.split_once(" as ").unwrap_or((text, ""));
        let (name, form) = cell.rsplit_once(':').unwrap_or((cell, ""));
        Column { name, form, heading: if heading.is_empty() { name } else { heading } }
    }

    fn cell(&self, record: &Record) -> String {
        match record.value(self.name) {
            Value::Number(number) => digits::formed(*number, self.form),
            other => other.to_string(),
        }
    }
}

fn cells(columns: &[Column], record: &Record) -> Vec<String> {
    columns.iter().map(|column| column.cell(record)).collect()
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
    use crate::records::record;

    fn table() -> TextTable {
        let records = [
            record! { "method": "LCM 1, A", "in ms": 12.5 },
            record! { "method": "a \"b\" | c", "in ms": None::<f64> },
        ];
        TextTable::of_all(&records.into_iter().collect())
    }

    #[test]
    fn csv_quotes_what_it_must() {
        assert_eq!(table().csv(), "method,in_ms\n\"LCM 1, A\",12.5\n\"a \"\"b\"\" | c\",\n");
    }

    #[test]
    fn markdown_escapes_bars_and_aligns_numbers_right() {
        let expected =
            "| method | in ms |\n| --- | ---: |\n| LCM 1, A | 12.5 |\n| a \"b\" \\| c | – |\n";
        assert_eq!(table().markdown(), expected);
    }

    #[test]
    fn markdown_has_a_sign_for_an_infinite_number() {
        let table = TextTable::of_all(&Records::from_iter([record! { "x": f64::INFINITY }]));
        assert_eq!(table.markdown(), "| x |\n| --- |\n| ∞ |\n");
    }

    #[test]
    fn text_is_aligned() {
        let expected = "  method     in ms\n  LCM 1, A    12.5\n  a \"b\" | c\n";
        assert_eq!(table().text(), expected);
    }

    #[test]
    fn a_spread_column_is_empty_where_nothing_was_measured() {
        let times = Records::parse("N,method,ms\n10,grid,1\n10,tree,2\n20,tree,4\n");
        let table = TextTable::new(&times, "N | ms for each method");
        assert_eq!(table.csv(), "N,grid,tree\n10,1,2\n20,,4\n");
    }
}
