//! `carom-bench tables`: the tables of a document, made from the kept results.

use crate::bonded;
use crate::convex;
use crate::dem;
use crate::error::Error;
use crate::event_driven::results as event_driven;
use crate::inside;
use crate::results::{Kind, Row};
use crate::table::Table;
use crate::triangulate::results as triangulations;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const HOW_TO_REPAIR: &str = "run cargo xtask tables";

/// Settings of the command.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Folder with contacts.csv and, if there, contacts_python.csv, event_driven.csv,
    /// triangulate.csv, inside_peers.csv or else inside.csv, convex_peers.csv or else convex.csv,
    /// dem_peers.csv or else dem.csv, dem_polyhedra.csv, and bonded_peers.csv or else bonded.csv
    #[arg(long, value_name = "DIR", default_value = "bench/results")]
    results: PathBuf,
    /// Fail unless this document holds exactly the tables
    #[arg(long, value_name = "FILE", conflicts_with = "write")]
    check: Option<PathBuf>,
    /// Put the tables into this document, between their marks
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Tables and the name of their marks in a document.
struct Section {
    name: &'static str,
    tables: String,
}

/// Prints the tables, or compares a document with them, or puts them into it.
pub fn run(settings: &Settings) -> Result<(), Error> {
    let sections = sections(&settings.results)?;
    if let Some(path) = &settings.check {
        return check(path, &sections);
    }
    match &settings.write {
        Some(path) => {
            let text = with_all(path, &read(path)?, &sections)?;
            std::fs::write(path, text).map_err(Error::in_file(path))
        }
        None => {
            let tables: Vec<&str> =
                sections.iter().map(|section| section.tables.as_str()).collect();
            print!("{}", tables.join("\n"));
            Ok(())
        }
    }
}

fn sections(folder: &Path) -> Result<Vec<Section>, Error> {
    let mut sections = vec![Section { name: "contacts", tables: contacts(folder)? }];
    let event_driven = folder.join("event_driven.csv");
    if event_driven.exists() {
        let tables = event_driven_table(&Table::read(&event_driven)?);
        sections.push(Section { name: "event-driven", tables });
    }
    let triangulations = folder.join("triangulate.csv");
    if triangulations.exists() {
        let tables = triangulations_table(&Table::read(&triangulations)?);
        sections.push(Section { name: "triangulate", tables });
    }
    let inside = ["inside_peers.csv", "inside.csv"].map(|name| folder.join(name));
    if let Some(inside) = inside.iter().find(|path| path.exists()) {
        let tables = inside::readme::table(&Table::read(inside)?);
        sections.push(Section { name: "inside", tables });
    }
    let convex = ["convex_peers.csv", "convex.csv"].map(|name| folder.join(name));
    if let Some(convex) = convex.iter().find(|path| path.exists()) {
        let tables = convex::readme::table(&Table::read(convex)?);
        sections.push(Section { name: "convex", tables });
    }
    let dem = ["dem_peers.csv", "dem.csv"].map(|name| folder.join(name));
    if let Some(dem) = dem.iter().find(|path| path.exists()) {
        let tables = dem::readme::table(&Table::read(dem)?);
        sections.push(Section { name: "dem", tables });
    }
    let polyhedra = folder.join("dem_polyhedra.csv");
    if polyhedra.exists() {
        let tables = dem::readme::polyhedra_table(&Table::read(&polyhedra)?);
        sections.push(Section { name: "dem_polyhedra", tables });
    }
    let bonded = ["bonded_peers.csv", "bonded.csv"].map(|name| folder.join(name));
    if let Some(bonded) = bonded.iter().find(|path| path.exists()) {
        let tables = bonded::readme::table(&Table::read(bonded)?);
        sections.push(Section { name: "bonded", tables });
    }
    Ok(sections)
}

fn contacts(folder: &Path) -> Result<String, Error> {
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

fn check(path: &Path, sections: &[Section]) -> Result<(), Error> {
    let text = read(path)?;
    if with_all(path, &text, sections)? == text {
        return Ok(());
    }
    let problem = format!("its tables are not those of the results; {HOW_TO_REPAIR}");
    Err(Error::Document { path: path.into(), problem })
}

/// The document with all tables between their marks.
fn with_all(path: &Path, text: &str, sections: &[Section]) -> Result<String, Error> {
    sections.iter().try_fold(text.to_string(), |text, section| section.put_into(path, &text))
}

impl Section {
    fn marks(&self) -> (String, String) {
        (format!("<!-- bench:{} -->", self.name), format!("<!-- /bench:{} -->", self.name))
    }

    /// The document with the tables between their marks.
    fn put_into(&self, path: &Path, text: &str) -> Result<String, Error> {
        let (begin, end) = self.marks();
        let problem = || Error::Document {
            path: path.into(),
            problem: format!("it has no place for the tables, a line {begin} and a line {end}"),
        };
        let (before, rest) = text.split_once(&begin).ok_or_else(problem)?;
        let (_, after) = rest.split_once(&end).ok_or_else(problem)?;
        Ok(format!("{before}{begin}\n{}{end}{after}", self.tables))
    }
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

fn event_driven_table(table: &Table<event_driven::Row>) -> String {
    let mut text = String::from(
        "| system | bodies | carom, million collisions per second | structure | pair tests per \
         collision | bytes per body | textbook |\n|---|--:|--:|---|--:|--:|--:|\n",
    );
    for case in event_driven::cases(&table.rows) {
        let Some(auto) = case.iter().find(|row| row.is_auto()) else { continue };
        let textbook = case.iter().find(|row| row.kind == Kind::Baseline);
        let columns = [
            auto.system.clone(),
            grouped(auto.bodies),
            format!("{:.2}", auto.collisions_per_second / 1e6),
            auto.taken.clone(),
            significant(auto.pair_tests),
            significant(auto.held_bytes),
            textbook.map_or("".into(), |row| format!("{}x", significant(row.ratio_to_auto))),
        ];
        push_row(&mut text, &columns);
    }
    push_origin(&mut text, table);
    text
}

fn triangulations_table(table: &Table<triangulations::Row>) -> String {
    let mut text = String::from(
        "| workload | points | carom, ns per point | bytes per point | most at once | spade | CGAL |\n\
         |---|--:|--:|--:|--:|--:|--:|\n",
    );
    for own in table.rows.iter().filter(|row| row.kind == Kind::Own) {
        let times = |peer| {
            let row = triangulations::find(&table.rows, &own.workload, own.count, peer);
            // Near one the second decimal tells who is ahead.
            row.map_or("".into(), |row| format!("{:.2}x", row.ratio_to_carom))
        };
        let columns = [
            own.workload.clone(),
            grouped(own.count),
            significant(own.ns_per_point),
            significant(own.held_bytes),
            own.peak_bytes.map_or("".into(), significant),
            times("spade"),
            times("CGAL"),
        ];
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

/// Adds where a table comes from.
pub fn push_origin<R>(text: &mut String, table: &Table<R>) {
    push(text, format_args!("\nMeasured with: {}.\n", table.origin));
}

/// Adds a row of a table.
pub fn push_row(text: &mut String, columns: &[String]) {
    push(text, format_args!("| {} |\n", columns.join(" | ")));
}

/// Adds text.
pub fn push(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string cannot fail");
}

fn times(row: &Row) -> String {
    format!("{}x", significant(row.ratio_to_auto))
}

/// One decimal below ten, none above.
pub fn significant(value: f64) -> String {
    if value < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") }
}

/// Digits in groups of three.
pub fn grouped(count: usize) -> String {
    carom::scene::group_thousands(count as u64)
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
    fn a_fluid_is_a_row_with_the_textbook() {
        let mut rows = vec![
            event_driven::made_up("mono-0.3", 100_000, "auto", 0.8125),
            event_driven::made_up("mono-0.3", 100_000, "cell-grid", 0.5),
            event_driven::made_up("mono-0.3", 100_000, "textbook", 0.203125),
        ];
        event_driven::set_ratios(&mut rows);
        assert_eq!(
            event_driven_table(&Table { origin: "a command; a machine".into(), rows }),
            "| system | bodies | carom, million collisions per second | structure | pair tests per \
             collision | bytes per body | textbook |\n|---|--:|--:|---|--:|--:|--:|\n\
             | mono-0.3 | 100,000 | 0.81 | shells | 26 | 200 | 4.0x |\n\n\
             Measured with: a command; a machine.\n"
        );
    }

    #[test]
    fn a_triangulation_is_a_row_with_its_peer() {
        let mut rows = vec![
            triangulations::made_up("points-3d", 100_000, "carom", 4000.0),
            triangulations::made_up("points-3d", 100_000, "CGAL", 6000.0),
        ];
        triangulations::set_ratios(&mut rows);
        assert_eq!(
            triangulations_table(&Table { origin: "a command; a machine".into(), rows }),
            "| workload | points | carom, ns per point | bytes per point | most at once | spade | CGAL |\n\
             |---|--:|--:|--:|--:|--:|--:|\n\
             | points-3d | 100,000 | 4000 | 310 | 400 |  | 1.50x |\n\n\
             Measured with: a command; a machine.\n"
        );
    }

    fn section(name: &'static str) -> Section {
        Section { name, tables: format!("new {name}\n") }
    }

    #[test]
    fn only_the_text_between_the_marks_is_replaced() {
        let path = Path::new("performance.md");
        let sections = [section("contacts"), section("event-driven")];
        let text = "before <!-- bench:contacts -->\nold\n<!-- /bench:contacts --> between \
                    <!-- bench:event-driven --><!-- /bench:event-driven --> after";
        let new = with_all(path, text, &sections).unwrap();
        assert_eq!(
            new,
            "before <!-- bench:contacts -->\nnew contacts\n<!-- /bench:contacts --> between \
             <!-- bench:event-driven -->\nnew event-driven\n<!-- /bench:event-driven --> after"
        );
        assert_eq!(with_all(path, &new, &sections).unwrap(), new);
    }

    #[test]
    fn a_document_without_marks_is_refused() {
        let text = "<!-- bench:contacts -->\n<!-- /bench:contacts -->";
        let sections = [section("contacts"), section("event-driven")];
        assert_eq!(
            with_all(Path::new("performance.md"), text, &sections).unwrap_err().to_string(),
            "performance.md: it has no place for the tables, a line <!-- bench:event-driven --> \
             and a line <!-- /bench:event-driven -->"
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
