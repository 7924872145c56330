//! `carom-bench readme`: the tables of a document, made from the kept results.

use crate::error::Error;
use crate::results::{Kind, Row};
use crate::table::Table;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- bench:contacts -->";
const END: &str = "<!-- /bench:contacts -->";
const HOW_TO_REPAIR: &str = "run carom-bench readme --write on it";

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Folder with contacts.csv and, if there, contacts_python.csv
    #[arg(long, value_name = "DIR", default_value = "bench/results")]
    results: PathBuf,
    /// Fail unless this document holds exactly the tables
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    check: Option<PathBuf>,
    /// Put the tables into this document, between its two marks
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Prints the tables, or compares a document with them, or puts them into it.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let tables = tables(&settings.results)?;
    if let Some(path) = &settings.check {
        return check(path, &tables);
    }
    match &settings.write {
        Some(path) => {
            let text = replaced(path, &read(path)?, &tables)?;
            std::fs::write(path, text).map_err(Error::in_file(path))
        }
        None => {
            print!("{tables}");
            Ok(())
        }
    }
}

fn tables(folder: &Path) -> Result<String, Error> {
    let mut text = contacts_table(&Table::read(&folder.join("contacts.csv"))?);
    let python = folder.join("contacts_python.csv");
    if python.exists() {
        text.push('\n');
        text += &python_table(&Table::read(&python)?);
    }
    Ok(text)
}

fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(Error::in_file(path))
}

fn check(path: &Path, tables: &str) -> Result<(), Error> {
    let text = read(path)?;
    if replaced(path, &text, tables)? == text {
        return Ok(());
    }
    let problem = format!("its tables are not those of the results; {HOW_TO_REPAIR}");
    Err(Error::Document { path: path.into(), problem })
}

/// The document with the tables between its marks.
fn replaced(path: &Path, text: &str, tables: &str) -> Result<String, Error> {
    let problem = || Error::Document {
        path: path.into(),
        problem: format!("it has no place for the tables, a line {BEGIN} and a line {END}"),
    };
    let (before, rest) = text.split_once(BEGIN).ok_or_else(problem)?;
    let (_, after) = rest.split_once(END).ok_or_else(problem)?;
    Ok(format!("{before}{BEGIN}\n{tables}{END}{after}"))
}

/// The cases of a table in their order, each as its rows on one thread.
fn cases(table: &Table<Row>) -> Vec<Vec<&Row>> {
    let mut cases: Vec<Vec<&Row>> = Vec::new();
    for row in table.rows.iter().filter(|row| row.threads == 1) {
        let same = |case: &&mut Vec<&Row>| {
            case.iter().all(|other| (&other.workload, other.count) == (&row.workload, row.count))
        };
        match cases.iter_mut().find(same) {
            Some(case) => case.push(row),
            None => cases.push(vec![row]),
        }
    }
    cases
}

fn contacts_table(table: &Table<Row>) -> String {
    let mut text = String::from(
        "| workload | particles | carom, ns per particle | fastest library | textbook cells | \
         extra memory, MB |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for case in cases(table) {
        let Some(auto) = case.iter().find(|row| row.is_auto()) else { continue };
        let columns = [
            auto.workload.clone(),
            grouped(auto.count),
            significant(auto.ns_per_particle),
            fastest_library(&case),
            case.iter().find(|row| row.kind == Kind::Baseline).map_or("".into(), |row| times(row)),
            auto.extra_megabytes.map_or("".into(), significant),
        ];
        push_row(&mut text, &columns);
    }
    push_threads(&mut text, table);
    push_origin(&mut text, table);
    text
}

fn python_table(table: &Table<Row>) -> String {
    let libraries = libraries(table);
    let mut text = String::from("| workload | particles | carom, ns per particle |");
    for library in &libraries {
        push(&mut text, format_args!(" {library} |"));
    }
    push(&mut text, format_args!("\n|---|--:|--:|{}\n", "--:|".repeat(libraries.len())));
    for case in cases(table) {
        let Some(auto) = case.iter().find(|row| row.is_auto()) else { continue };
        let mut columns =
            vec![auto.workload.clone(), grouped(auto.count), significant(auto.ns_per_particle)];
        for library in &libraries {
            let row = case.iter().find(|row| row.method == *library);
            columns.push(row.map_or("".into(), |row| times(row)));
        }
        push_row(&mut text, &columns);
    }
    push_origin(&mut text, table);
    text
}

/// The names of the libraries in a table, in their order.
fn libraries(table: &Table<Row>) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for row in table.rows.iter().filter(|row| row.kind == Kind::Peer) {
        if !names.contains(&row.method.as_str()) {
            names.push(&row.method);
        }
    }
    names
}

fn fastest_library(case: &[&Row]) -> String {
    case.iter()
        .filter(|row| row.kind == Kind::Peer)
        .min_by(|a, b| a.ns_per_particle.total_cmp(&b.ns_per_particle))
        .map_or("".into(), |row| format!("{} {}", row.method, times(row)))
}

/// A sentence about carom on several threads, if that was measured.
fn push_threads(text: &mut String, table: &Table<Row>) {
    for many in table.rows.iter().filter(|row| row.is_auto() && row.threads > 1) {
        let one = table.rows.iter().find(|row| {
            row.is_auto()
                && row.threads == 1
                && (&row.workload, row.count) == (&many.workload, many.count)
        });
        let Some(one) = one else { continue };
        push(
            text,
            format_args!(
                "\nOn {} threads {} with {} particles takes {} ns per particle, {:.1} times as fast \
                 as on one.\n",
                many.threads,
                many.workload,
                grouped(many.count),
                significant(many.ns_per_particle),
                one.ns_per_particle / many.ns_per_particle
            ),
        );
    }
}

fn push_origin(text: &mut String, table: &Table<Row>) {
    push(text, format_args!("\nMeasured with: {}.\n", table.origin));
}

fn push_row(text: &mut String, columns: &[String]) {
    push(text, format_args!("| {} |\n", columns.join(" | ")));
}

fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

fn times(row: &Row) -> String {
    format!("{}x", significant(row.ratio_to_auto))
}

/// One decimal below ten, none above.
fn significant(value: f64) -> String {
    if value < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// Digits in groups of three.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::{made_up, set_ratios};

    fn table(rows: Vec<Row>) -> Table<Row> {
        let mut rows = rows;
        set_ratios(&mut rows);
        Table { origin: "a command; a machine".into(), rows }
    }

    fn rust_peers() -> Table<Row> {
        table(vec![
            made_up("3B", 1_000_000, "auto", Kind::Own, 40.0),
            made_up("3B", 1_000_000, "auto", Kind::OwnCold, 50.0),
            made_up("3B", 1_000_000, "kiddo", Kind::Peer, 900.0),
            made_up("3B", 1_000_000, "parry3d", Kind::Peer, 800.0),
            made_up("3B", 1_000_000, "textbook", Kind::Baseline, 100.0),
            Row { threads: 2, ..made_up("3B", 1_000_000, "auto", Kind::Own, 20.0) },
        ])
    }

    #[test]
    fn a_case_is_a_row_with_the_fastest_library() {
        assert_eq!(
            contacts_table(&rust_peers()),
            "| workload | particles | carom, ns per particle | fastest library | textbook cells | \
             extra memory, MB |\n|---|--:|--:|--:|--:|--:|\n\
             | 3B | 1,000,000 | 40 | parry3d 20x | 2.5x | 12 |\n\n\
             On 2 threads 3B with 1,000,000 particles takes 20 ns per particle, 2.0 times as fast \
             as on one.\n\n\
             Measured with: a command; a machine.\n"
        );
    }

    #[test]
    fn every_python_library_is_a_column() {
        let python = table(vec![
            made_up("LN", 1000, "auto", Kind::Own, 50.0),
            made_up("LN", 1000, "scipy", Kind::Peer, 100.0),
            made_up("3B", 1000, "auto", Kind::Own, 40.0),
            made_up("3B", 1000, "vesin", Kind::Peer, 4000.0),
        ]);
        let text = python_table(&python);
        assert!(text.starts_with(
            "| workload | particles | carom, ns per particle | scipy | vesin |\n\
             |---|--:|--:|--:|--:|\n\
             | LN | 1,000 | 50 | 2.0x |  |\n"
        ));
    }

    #[test]
    fn only_the_text_between_the_marks_is_replaced() {
        let path = Path::new("README.md");
        let text = format!("before {BEGIN}\nold\n{END} after");
        let new = replaced(path, &text, "new\n").unwrap();
        assert_eq!(new, format!("before {BEGIN}\nnew\n{END} after"));
        assert_eq!(replaced(path, &new, "new\n").unwrap(), new);
    }

    #[test]
    fn a_document_without_marks_is_refused() {
        let error = replaced(Path::new("README.md"), "nothing", "new\n").unwrap_err();
        assert_eq!(
            error.to_string(),
            "README.md: it has no place for the tables, a line <!-- bench:contacts --> \
             and a line <!-- /bench:contacts -->"
        );
    }

    #[test]
    fn digits_are_grouped_from_the_right() {
        assert_eq!(
            [7, 1000, 123_456, 10_000_000].map(grouped),
            ["7", "1,000", "123,456", "10,000,000"]
        );
    }
}
