//! `carom-bench tables`: the tables of a document, made from the kept results.
//!
//! `tables.csv` has a line for each column: in which section of the document, from which results (the
//! first file that is there), which cases are rows, the heading, and what stands below it.

use crate::error::Error;
use crate::figure::{Figure, FigureValue};
use crate::record::Results;
use serde::Deserialize;
use std::path::{Path, PathBuf};

const COLUMNS: &str = include_str!("../tables.csv");

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Folder with contacts.csv and whatever else was measured
    #[arg(long, value_name = "DIR", default_value = "bench/results")]
    results: PathBuf,
    /// Fail unless this document holds exactly the tables
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    check: Option<PathBuf>,
    /// Put the tables into this document, between their marks
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// A column of a table; those of one table follow each other.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Column {
    section: String,
    results: String,
    cases: String,
    heading: String,
    /// Several are separated by semicolons; all but the first stand in brackets.
    quantity: String,
    figure: String,
    form: String,
}

/// The name of marks in a document, and the tables between them.
type Section = (String, String);

/// Prints the tables, or compares a document with them, or puts them into it.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let sections = sections(&settings.results)?;
    let Some(path) = settings.check.as_ref().or(settings.write.as_ref()) else {
        sections.iter().for_each(|(_, tables)| println!("{tables}"));
        return Ok(());
    };
    let old = std::fs::read_to_string(path).map_err(Error::in_file(path))?;
    let new = with_all(path, &old, &sections)?;
    if settings.check.is_none() {
        return std::fs::write(path, new).map_err(Error::in_file(path));
    }
    let problem = "its tables are not those of the results; run cargo xtask tables";
    let document = Error::Document { path: path.clone(), problem: problem.into() };
    if new == old { Ok(()) } else { Err(document) }
}

fn columns() -> Vec<Column> {
    let columns: Result<_, _> =
        csv::Reader::from_reader(COLUMNS.as_bytes()).deserialize().collect();
    columns.expect("a test has read the columns")
}

/// The sections whose results are there; those of contacts must be.
fn sections(folder: &Path) -> Result<Vec<Section>, Error> {
    let mut sections: Vec<Section> = Vec::new();
    let columns = columns();
    for of_file in columns.chunk_by(|a, b| (&a.section, &a.results) == (&b.section, &b.results)) {
        let names = of_file[0].results.split('|');
        let mut paths = names.map(|name| folder.join(format!("{name}.csv")));
        let path = match paths.find(|path| path.exists()) {
            Some(path) => path,
            None if sections.is_empty() => folder.join("contacts.csv"),
            None => continue,
        };
        let tables = tables(of_file, &Results::read(&path)?);
        match sections.last_mut().filter(|last| last.0 == of_file[0].section) {
            Some((_, earlier)) => *earlier += &format!("\n{tables}"),
            None => sections.push((of_file[0].section.clone(), tables)),
        }
    }
    Ok(sections)
}

/// All tables of a file of results and a line about where they come from.
fn tables(columns: &[Column], results: &Results) -> String {
    let tables = columns.chunk_by(|a, b| a.cases == b.cases).map(|table| markdown(table, results));
    let tables = tables.filter(|table| !table.is_empty()).collect::<Vec<_>>().join("\n");
    format!("{tables}\nMeasured with: {}.\n", results.origin)
}

/// The table of some columns in Markdown, without rows and columns that nothing was measured for;
/// empty if none is left.
fn markdown(columns: &[Column], results: &Results) -> String {
    let mut rows: Vec<Vec<String>> = Vec::new();
    for case in results.cases(&columns[0].cases) {
        let row: Vec<String> = columns.iter().map(|column| column.cell(results, case)).collect();
        let measured = columns
            .iter()
            .zip(&row)
            .any(|(column, cell)| !column.form.starts_with("case") && !cell.is_empty());
        if measured {
            rows.push(row);
        }
    }
    let mut lines = vec![String::from("|"); 2 + rows.len()];
    for (place, column) in columns.iter().enumerate() {
        if rows.iter().all(|row| row[place].is_empty()) {
            continue;
        }
        let is_number = |cell: &str| {
            let first = cell.split(' ').next().unwrap_or_default();
            first.trim_end_matches('x').replace(',', "").parse::<f64>().is_ok()
        };
        let is_right = rows.iter().all(|row| row[place].is_empty() || is_number(&row[place]));
        lines[0] += &format!(" {} |", column.heading);
        lines[1] += if is_right { "--:|" } else { "---|" };
        for (line, row) in lines[2..].iter_mut().zip(&rows) {
            *line += &format!(" {} |", row[place]);
        }
    }
    if rows.is_empty() { String::new() } else { lines.join("\n") + "\n" }
}

impl Column {
    fn cell(&self, results: &Results, case: &str) -> String {
        if let Some(part) = self.form.strip_prefix("case ") {
            let place = part.parse().unwrap_or(1usize) - 1;
            let part = case.split(' ').nth(place).unwrap_or_default();
            return part.parse().map_or(part.into(), carom::io::group_thousands);
        }
        let figure = Figure::parse(&self.figure);
        let mut quantities = self.quantity.split(';');
        let mut next = || {
            let measured = figure.measured(results, case, quantities.next()?);
            measured.first().map(|one| self.shown(one))
        };
        match (next(), next()) {
            (None, _) => String::new(),
            (Some(first), None) => first,
            (Some(first), Some(second)) => format!("{first} ({second})"),
        }
    }

    fn shown(&self, measured: &FigureValue) -> String {
        let Ok(value) = measured.value.parse::<f64>() else { return measured.value.clone() };
        let times = if measured.unit == "x" { "x" } else { "" };
        match self.form.as_str() {
            "millions" => format!("{:.2}", value / 1e6),
            "percent" => format!("{:.0} %", 100.0 * value),
            "percent saved" => format!("{:.0} %", 100.0 * (1.0 - value)),
            "grouped" => carom::io::group_thousands(value as u64),
            "named" => format!("{} {}{times}", measured.contender, significant(value)),
            form => match form.strip_prefix('.').and_then(|digits| digits.parse::<usize>().ok()) {
                Some(digits) => format!("{value:.digits$}{times}"),
                None => significant(value) + times,
            },
        }
    }
}

/// One decimal below ten, none above.
fn significant(value: f64) -> String {
    if value < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// The document with all tables between their marks.
fn with_all(path: &Path, text: &str, sections: &[Section]) -> Result<String, Error> {
    sections.iter().try_fold(text.to_string(), |text, (name, tables)| {
        let [begin, end] = [format!("<!-- bench:{name} -->"), format!("<!-- /bench:{name} -->")];
        let problem = || Error::Document {
            path: path.into(),
            problem: format!("it has no place for the tables, a line {begin} and a line {end}"),
        };
        let (before, rest) = text.split_once(&begin).ok_or_else(problem)?;
        let (_, after) = rest.split_once(&end).ok_or_else(problem)?;
        Ok(format!("{before}{begin}\n{tables}{end}{after}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::made_up;

    fn of(results: &str) -> Vec<Column> {
        columns().into_iter().filter(|column| column.results.starts_with(results)).collect()
    }

    #[test]
    fn every_column_is_filled_by_the_kept_results() {
        for column in columns() {
            let names = column.results.split('|').map(|name| format!("results/{name}.csv"));
            let path = names.map(PathBuf::from).find(|path| path.exists()).unwrap();
            let results = Results::read(&path).unwrap();
            let cases = results.cases(&column.cases);
            let is_filled = cases.iter().any(|case| !column.cell(&results, case).is_empty());
            assert!(is_filled, "{column:?}");
        }
    }

    #[test]
    fn a_case_is_a_row_with_the_fastest_library() {
        let results = made_up(
            "3B 1000000; carom; time per particle; 40; ns
             3B 1000000; carom; extra memory; 12.5; MB
             3B 1000000; kiddo; time per particle ratio; 22.5; x
             3B 1000000; parry3d; time per particle ratio; 20; x
             3B 1000000; textbook; time per particle ratio; 2.5; x
             3B 1000000; carom 2 threads; time per particle; 20; ns",
        );
        let columns: Vec<Column> =
            of("contacts").into_iter().filter(|column| column.results == "contacts").collect();
        assert_eq!(
            tables(&columns, &results),
            "| workload | particles | carom, ns per particle | fastest library | textbook cells | \
             extra memory, MB |\n|---|--:|--:|---|--:|--:|\n\
             | 3B | 1,000,000 | 40 | parry3d 20x | 2.5x | 12 |\n\n\
             | workload | particles | carom on 2 threads, ns per particle | times as fast as on one |\n\
             |---|--:|--:|--:|\n\
             | 3B | 1,000,000 | 20 | 2.0x |\n\n\
             Measured with: a command; a machine.\n"
        );
    }

    #[test]
    fn what_is_not_measured_is_left_out_and_figures_take_their_forms() {
        let results = made_up(
            "LN 1000; carom; time per particle; 50; ns
             LN 1000; scipy; time per particle ratio; 2; x
             3B 1000; carom; time per particle; 4000; ns
             2B 1000; carom; rounds; 3;
             foam-29k 512000 grid; carom; time; 32; ms
             foam-29k 512000 grid; CGAL; time ratio; 14.4; x
             foam-29k 512000 grid; CGAL; time per point ratio; 23.1; x
             foam-29k 512000 grid; carom multipole; time; 600; ms
             foam-29k 512000 grid; fmm3dpy; time; 12000; ms
             blocks 400; carom; springs per second; 300; million/s
             blocks 400; carom springs-alone; springs per second; 400; million/s
             mono-0.3 500; carom; collisions per second; 812500; 1/s
             mono-0.3 500; carom; structure; cell-grid;",
        );
        for (columns, expected) in [
            (
                "contacts_peers",
                "| workload | particles | carom, ns per particle | scipy |\n|---|--:|--:|",
            ),
            ("contacts_peers", "\n| LN | 1,000 | 50 | 2.0x |\n| 3B | 1,000 | 4000 |  |\n"),
            // A second quantity stands in brackets.
            ("inside", "| foam-29k | 512,000 | grid | 32 | 14x (23x) |"),
            ("inside", "| foam-29k | 512,000 | 600 | 20x |"),
            ("bonded", "| blocks | 400 | 25 % |"),
            ("event_driven", "| mono-0.3 | 500 | 0.81 | cell-grid |"),
        ] {
            let text = tables(&of(columns), &results);
            assert!(text.contains(expected), "{expected} in {text}");
        }
    }

    fn section(name: &str) -> Section {
        (name.into(), format!("new {name}\n"))
    }

    #[test]
    fn only_the_text_between_the_marks_is_replaced() {
        let path = Path::new("performance.md");
        let sections = [section("contacts"), section("dem")];
        let text = "before <!-- bench:contacts -->\nold\n<!-- /bench:contacts --> between \
                    <!-- bench:dem --><!-- /bench:dem --> after";
        let new = with_all(path, text, &sections).unwrap();
        assert_eq!(
            new,
            "before <!-- bench:contacts -->\nnew contacts\n<!-- /bench:contacts --> between \
             <!-- bench:dem -->\nnew dem\n<!-- /bench:dem --> after"
        );
        assert_eq!(with_all(path, &new, &sections).unwrap(), new);
    }

    #[test]
    fn a_document_without_marks_is_refused() {
        let text = "<!-- bench:contacts -->\n<!-- /bench:contacts -->";
        let sections = [section("contacts"), section("dem")];
        assert_eq!(
            with_all(Path::new("performance.md"), text, &sections).unwrap_err().to_string(),
            "performance.md: it has no place for the tables, a line <!-- bench:dem --> and a line \
             <!-- /bench:dem -->"
        );
    }
}
