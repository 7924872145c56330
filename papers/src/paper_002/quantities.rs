//! The numbers that the paper's claims rest on.

use super::{ContactDetectionResults, figure_2};
use crate::records::Records;
use crate::verdict::Quantities;

/// Linked cells of figure 2, and the distance sort on ever larger particles.
const CELLS: [&str; 3] = ["LCM 1", "LCM 5", "LCM 10"];
const SORTS: [&str; 3] = ["distance sort C", "distance sort B", "distance sort A"];

/// All of them.
pub(super) fn quantities(results: &ContactDetectionResults) -> Quantities {
    let mut numbers = Quantities::default();
    contacts(&results.contact_ratios, &mut numbers);
    for panel in &results.figure_2 {
        growth(panel, &mut numbers);
        order(panel, &mut numbers);
        against_cells(panel, &mut numbers);
    }
    for table in results.tables.each("table") {
        unequal_sizes(&table, &mut numbers);
    }
    let name = "tests on discs of table 1 over tests on equal discs";
    numbers.add(name, results.spread_of_sizes);
    for runs in results.origins.each("dimension") {
        let name = format!("tests from the center over tests from a corner in {}", space(&runs));
        numbers.add(name, runs.of("origin", "center").number("ratio to corner"));
    }
    numbers
}

fn space(records: &Records) -> String {
    format!("{}D", records.text("dimension"))
}

/// A printed number is that of the particles within one of the whole percents it is printed in, or within a twentieth,
/// which the sides of a small box can make.
fn contacts(ratios: &Records, numbers: &mut Quantities) {
    for ratio in ratios.of("particles", ratios.most("particles")).iter() {
        let (test, dimension) = (ratio.text("test"), ratio.text("dimension"));
        let name = format!("contacts per 100 particles: {test} in {dimension}D");
        numbers.add(name, ratio.number("measured percent"));
    }
}

/// Counted work is bent by the sides of the box only; times also by sorting, caches and memory.
fn growth(panel: &Records, numbers: &mut Quantities) {
    for curve in figure_2::growth(panel).iter() {
        let (line, space) = (curve.text("series"), space(panel));
        let time = format!("power of N of the time of {line} in {space}");
        if let Some(mean) = line.strip_prefix("LCM ").and_then(|mean| mean.parse::<f64>().ok()) {
            numbers.add(time, curve.number("of time"));
            let name = format!("tests per particle over mean number in a cell: {line} in {space}");
            numbers.add(name, curve.number("tests per particle") / mean);
        } else if SORTS.contains(&line.as_str()) {
            numbers.add(time, curve.number("of time"));
            let name = format!("power of N of the tests of {line} in {space}");
            numbers.add(name, curve.number("of pair tests"));
        }
    }
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
    let mut fastest = f64::NAN;
    for entry in table.iter().filter(|entry| entry.text("method") != "auto") {
        let method = entry.text("method");
        if method != "distance sort" {
            let name = format!("time of {method} over distance sort: table {number}");
            numbers.add(name, entry.number("measured ratio"));
        }
        fastest = fastest.min(entry.number("milliseconds"));
    }
    let auto = table.of("method", "auto").number("milliseconds");
    numbers.add(format!("fastest of the paper over auto: table {number}"), fastest / auto);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{Verdict, judged};

    #[test]
    fn only_test_c_in_space_contradicts_the_paper() {
        let mut numbers = Quantities::default();
        contacts(&crate::paper_002::contact_ratios::measure(&[10_000]), &mut numbers);
        let judged = judged(&Records::parse(include_str!("../../pages/002.csv")), &numbers);
        assert_eq!(Verdict::on("contacts", &judged), Verdict::Agrees);
        assert_eq!(Verdict::on("contacts of C in 3D", &judged), Verdict::DoesNotAgree);
    }
}
