//! The numbers that the paper's claims rest on.

use super::figure_2;
use crate::records::{Record, Records};
use crate::report::ReportPage;
use crate::verdict::Quantities;

/// Linked cells of figure 2, and the distance sort on ever larger particles.
const CELLS: [&str; 3] = ["LCM 1", "LCM 5", "LCM 10"];
const SORTS: [&str; 3] = ["distance sort C", "distance sort B", "distance sort A"];

/// All of them.
pub(super) fn quantities(page: &ReportPage, spread_of_sizes: f64) -> Quantities {
    let mut numbers = Quantities::default();
    contacts(page.find_table("contact_ratios"), &mut numbers);
    for panel in ["figure2_2d", "figure2_3d"].map(|name| page.find_table(name)) {
        growth(panel, &mut numbers);
        order(panel, &mut numbers);
        against_cells(panel, &mut numbers);
    }
    for table in ["table1", "table2", "table3"] {
        unequal_sizes(page.find_table(table), &mut numbers);
    }
    let name = "tests on discs of table 1 over tests on equal discs";
    numbers.add(name, spread_of_sizes);
    let centers = page.find_table("origins").of("origin", "center");
    let name = "tests from the center over tests from a corner in {dimension}D";
    numbers.add_each(centers.iter(), name, |run| run.number("ratio to corner"));
    numbers
}

/// A printed number is that of the particles within one of the whole percents it is printed in, or within a twentieth,
/// which the sides of a small box can make.
fn contacts(ratios: &Records, numbers: &mut Quantities) {
    let most = ratios.of("particles", ratios.most("particles"));
    let name = "contacts per 100 particles: {test} in {dimension}D";
    numbers.add_each(most.iter(), name, |ratio| ratio.number("measured percent"));
}

/// Counted work is bent by the sides of the box only; times also by sorting, caches and memory.
fn growth(panel: &Records, numbers: &mut Quantities) {
    let growth = figure_2::growth(panel);
    let mean = |curve: &Record| curve.text("series").strip_prefix("LCM ")?.parse::<f64>().ok();
    let (cells, sorts): (Vec<&Record>, _) = growth.iter().partition(|curve| mean(curve).is_some());
    let is_sort = |curve: &&Record| SORTS.contains(&curve.text("series").as_str());
    let sorts: Vec<&Record> = Vec::into_iter(sorts).filter(is_sort).collect();
    let name = "power of N of the time of {series} in {dimension}D";
    let all = cells.iter().chain(&sorts).copied();
    numbers.add_each(all, name, |curve| curve.number("of time"));
    let name = "tests per particle over mean number in a cell: {series} in {dimension}D";
    let per_mean =
        |curve: &Record| curve.number("tests per particle") / mean(curve).unwrap_or(f64::NAN);
    numbers.add_each(cells, name, per_mean);
    let name = "power of N of the tests of {series} in {dimension}D";
    numbers.add_each(sorts, name, |curve| curve.number("of pair tests"));
}

fn space(records: &Records) -> String {
    format!("{}D", records.text("dimension"))
}

fn time(runs: &Records, line: &str) -> f64 {
    runs.of("series", line).number("milliseconds")
}

fn fastest(runs: &Records, lines: &[&str]) -> f64 {
    lines.iter().map(|line| time(runs, line)).fold(f64::NAN, f64::min)
}

/// Which is faster at the largest number of particles.
fn order(panel: &Records, numbers: &mut Quantities) {
    let (last, space) = (panel.of("particles", panel.most("particles")), space(panel));
    for lines in [CELLS, SORTS] {
        for pair in lines.windows(2) {
            let name = format!("time of {} over {} in {space}", pair[1], pair[0]);
            numbers.add(name, time(&last, pair[1]) / time(&last, pair[0]));
        }
    }
    let of_paper = fastest(&last, &[CELLS.as_slice(), &SORTS[2..]].concat());
    let name = format!("fastest of the paper over auto: test A in {space}");
    numbers.add(name, of_paper / time(&last, "auto A"));
}

/// The distance sort against the fastest linked cells at every number of particles.
fn against_cells(panel: &Records, numbers: &mut Quantities) {
    for runs in panel.each("particles") {
        let (count, space) = (runs.text("particles"), space(panel));
        for sort in [SORTS[2], SORTS[0]] {
            let name = format!("{sort} over fastest LCM: N = {count} in {space}");
            numbers.add(name, time(&runs, sort) / fastest(&runs, &CELLS));
        }
    }
}

fn unequal_sizes(table: &Records, numbers: &mut Quantities) {
    let number = table.text("table");
    let is_of_paper = |entry: &&Record| entry.text("method") != "auto";
    let cells = table.iter().filter(|entry| entry.text("method").starts_with("LCM"));
    let name = "time of {method} over distance sort: table {table}";
    numbers.add_each(cells, name, |entry| entry.number("measured ratio"));
    let times = table.iter().filter(is_of_paper).map(|entry| entry.number("milliseconds"));
    let fastest = times.fold(f64::NAN, f64::min);
    let auto = table.of("method", "auto").number("milliseconds");
    numbers.add(format!("fastest of the paper over auto: table {number}"), fastest / auto);
}
