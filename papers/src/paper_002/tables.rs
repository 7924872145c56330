//! Tables 1, 2 and 3: particles of unequal sizes, in the plane.
//!
//! The paper states numbers and diameters, but no box. Table 1: 10 x 10, which has the density of
//! figure 2 and just room for the 10 x 10 cells of "LCM100". Table 2: 6 x 6, the smallest with room
//! for the 3 x 3 cells of "LCM11". Table 3: 10 x 10 with the big disc in the middle; it covers a
//! quarter of that box and leaves room for one cell only, as "LCM101" says.

use super::particles::discs;
use super::search_measurement::{count, search};
use crate::digits::significant;
use crate::measure::Stopwatch;
use crate::records::{Record, Records, record};
use crate::report::ReportPage;
use carom::detect::broad::{CellSize, DistanceSortOrigin};
use carom::{BroadPhaseMethod, Sphere};

/// Measures the three tables, each method beside its printed time; carom's own choice is the last of each.
///
/// Ratios are those of the time to that of the distance sort.
pub fn measure(stopwatch: &Stopwatch) -> Records {
    let printed = Records::parse(include_str!("../../data/002_tables.csv"));
    let table = |table: Records| {
        let discs = discs_of_table(table.number("table") as usize);
        let run = |entry: &Record| {
            entry.clone().and(search(&discs, method(&entry.text("method")), stopwatch))
        };
        let runs: Records = table.iter().map(run).collect();
        let with_ratios = |run: Record| {
            let ratio = |name: &str| run.number(name) / runs.number(name);
            let printed = Some(ratio("printed s")).filter(|ratio| !ratio.is_nan());
            let measured = ratio("milliseconds");
            run.and(record! { "printed ratio": printed, "measured ratio": measured })
        };
        runs.clone().into_iter().map(with_ratios).collect::<Vec<_>>()
    };
    printed.each("table").into_iter().flat_map(table).collect()
}

/// A method by its name in the tables; the distance sort from the corner, as in the paper.
fn method(name: &str) -> BroadPhaseMethod<2> {
    match name.strip_prefix("LCM").map(str::parse) {
        Some(Ok(mean)) => BroadPhaseMethod::LinkedCells(CellSize::MeanNumber(mean)),
        _ if name == "auto" => BroadPhaseMethod::Auto,
        _ => BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Corner),
    }
}

/// The particles of table 1, 2 or 3.
pub fn discs_of_table(number: usize) -> Vec<Sphere<2>> {
    match number {
        1 => discs(10_000, [0.02, 1.0], 10.0),
        2 => discs(100, [0.1, 2.0], 6.0),
        _ => {
            let mut discs = discs(100, [0.1, 0.3], 10.0);
            discs.push(Sphere::new([5.0, 5.0], 5.64 / 2.0));
            discs
        }
    }
}

/// Pair tests of the distance sort on the discs of table 1, over those on discs at the same places that all have their
/// mean diameter: whether unequal sizes slow it down (section 4 of the paper: they do not).
pub fn spread_of_sizes() -> f64 {
    let tests = |discs| count(discs, method("distance sort")).number("pair tests");
    tests(&discs_of_table(1)) / tests(&discs(10_000, [0.51, 0.51], 10.0))
}

/// The cost of a test in the paper and now, and the repetitions that tables 2 and 3 must have had.
pub(super) fn speeds_then_and_now(tables: &Records, page: &mut ReportPage) {
    let figure = |table: usize, method: &str, name: &str| {
        tables.of("table", table).of("method", method).number(name)
    };
    let tests = figure(1, "LCM1111", "pair tests");
    let then = figure(1, "LCM1111", "printed s") / tests;
    let repeats = |table: usize, slowest: &str| {
        let own = figure(table, slowest, "pair tests");
        significant(figure(table, slowest, "printed s") / (own * then), 1)
    };
    let sort = |name: &str| figure(1, "distance sort", name);
    let faster = sort("printed s") * 1e3 / sort("milliseconds");
    page.value("listing", format!("{:.0}", 100.0 * sort("listing ms") / sort("milliseconds")));
    page.value("faster", significant(faster, 2));
    page.value("test then", significant(then * 1e9, 2));
    page.value("test now", significant(figure(1, "LCM1111", "milliseconds") * 1e6 / tests, 2));
    page.value("repeats 2", repeats(2, "LCM100"));
    page.value("repeats 3", repeats(3, "LCM101"));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(number: usize) -> Records {
        measure(&Stopwatch::new(0)).of("table", number)
    }

    #[test]
    fn cells_are_as_many_as_the_names_say() {
        let structures = |number| {
            let table = table(number);
            let cells = &table[1..table.len() - 1];
            cells.iter().map(|entry| entry.text("structure")).collect::<Vec<_>>()
        };
        assert_eq!(structures(1), ["cells 10x10", "cells 7x7", "cells 4x4", "cells 3x3"]);
        assert_eq!(structures(2), ["cells 3x3", "cells 2x2", "cells 1x1"]);
        assert_eq!(structures(3), ["cells 1x1"]);
    }

    #[test]
    fn only_adjacent_cells_are_compared() {
        // In 10 x 10 cells 392 times the square of the mean number: 100 / 2 within cells, and 90,
        // 90 and 162 between those side by side, one above the other and across.
        let tests = table(1)[1].number("pair tests");
        assert!((tests / (392.0 * 100.0 * 100.0) - 1.0).abs() < 0.05, "{tests}");
    }

    #[test]
    fn one_cell_compares_all() {
        assert_eq!(table(2)[3].number("pair tests"), 100.0 * 99.0 / 2.0);
        assert_eq!(table(3)[1].number("pair tests"), 101.0 * 100.0 / 2.0);
    }

    #[test]
    fn all_methods_find_the_same_number_of_contacts() {
        for number in 1..=3 {
            let table = table(number);
            assert!(table.number("contacts") > 0.0);
            assert_eq!(table.each("contacts").len(), 1);
        }
    }

    #[test]
    fn the_big_disc_covers_a_quarter_of_its_box() {
        let radius = discs_of_table(3)[100].radius;
        assert!((std::f64::consts::PI * radius * radius - 25.0).abs() < 0.02);
    }

    #[test]
    fn only_the_mean_size_counts() {
        assert!((spread_of_sizes() - 1.0).abs() < 0.05, "{}", spread_of_sizes());
    }
}
