//! Tables 1, 2 and 3: particles of unequal sizes, in the plane.
//!
//! The paper states numbers and diameters, but no box. Table 1: 10 x 10, which has the density of
//! figure 2 and just room for the 10 x 10 cells of "LCM100". Table 2: 6 x 6, the smallest with room
//! for the 3 x 3 cells of "LCM11". Table 3: 10 x 10 with the big disc in the middle; it covers a
//! quarter of that box and leaves room for one cell only, as "LCM101" says.

use super::particles::discs;
use super::published::{DISTANCE_SORT_SECONDS, TABLE_1, TABLE_2, TABLE_3};
use super::search_measurement::{SearchMeasurement, listing_milliseconds, search};
use crate::measure::Stopwatch;
use carom::detect::broad::{CellSize, DistanceSortOrigin};
use carom::{BroadPhaseMethod, Sphere};

/// A table measured again.
#[derive(Clone, Debug, PartialEq)]
pub struct TableRun {
    /// 1, 2 or 3.
    pub number: usize,
    /// How much of each time goes into the list of contacts in order, which all methods make.
    pub listing_milliseconds: f64,
    /// One entry per method, the distance sort first.
    pub entries: Vec<MethodEntry>,
}

/// One method in a table.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodEntry {
    /// As the paper calls it, or the name of carom's own method.
    pub name: String,
    /// Seconds printed, if the paper has the method.
    pub published_seconds: Option<f64>,
    /// What it cost now.
    pub measurement: SearchMeasurement,
}

impl TableRun {
    /// The distance sort's entry.
    pub fn distance_sort(&self) -> &MethodEntry {
        &self.entries[0]
    }

    /// The entries of the Linked Cell Method.
    pub fn linked_cells(&self) -> &[MethodEntry] {
        &self.entries[1..self.entries.len() - 1]
    }

    /// The entry of carom's own choice.
    pub fn auto(&self) -> &MethodEntry {
        &self.entries[self.entries.len() - 1]
    }

    /// How many times longer than the distance sort a method took.
    pub fn measured_ratio(&self, entry: &MethodEntry) -> f64 {
        entry.measurement.milliseconds / self.distance_sort().measurement.milliseconds
    }

    /// The same as printed.
    pub fn published_ratio(&self, entry: &MethodEntry) -> Option<f64> {
        Some(entry.published_seconds? / self.distance_sort().published_seconds?)
    }
}

/// From the corner, as in the paper.
const DISTANCE_SORT: BroadPhaseMethod<2> =
    BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Corner);

/// Measures the three tables.
pub fn measure(stopwatch: &Stopwatch) -> [TableRun; 3] {
    let table = |number: usize, discs: Vec<Sphere<2>>, cells: &[(u32, f64)]| TableRun {
        number,
        listing_milliseconds: listing_milliseconds(&discs, DISTANCE_SORT, stopwatch),
        entries: entries(&discs, DISTANCE_SORT_SECONDS[number - 1], cells, stopwatch),
    };
    [
        table(1, unequal_discs(), &TABLE_1),
        table(2, large_discs(), &TABLE_2),
        table(3, small_discs_and_a_big_one(), &TABLE_3),
    ]
}

/// The particles of table 1.
pub fn unequal_discs() -> Vec<Sphere<2>> {
    discs(10_000, [0.02, 1.0], 10.0)
}

/// The particles of table 2.
pub fn large_discs() -> Vec<Sphere<2>> {
    discs(100, [0.1, 2.0], 6.0)
}

/// The particles of table 3.
pub fn small_discs_and_a_big_one() -> Vec<Sphere<2>> {
    let mut discs = discs(100, [0.1, 0.3], 10.0);
    discs.push(Sphere::new([5.0, 5.0], 5.64 / 2.0));
    discs
}

fn entries(
    discs: &[Sphere<2>],
    distance_sort_seconds: f64,
    cells: &[(u32, f64)],
    stopwatch: &Stopwatch,
) -> Vec<MethodEntry> {
    let entry = |name: String, published_seconds: Option<f64>, method: BroadPhaseMethod<2>| {
        MethodEntry { name, published_seconds, measurement: search(discs, method, stopwatch) }
    };
    let mut entries =
        vec![entry("distance sort".into(), Some(distance_sort_seconds), DISTANCE_SORT)];
    for &(mean, seconds) in cells {
        let method = BroadPhaseMethod::LinkedCells(CellSize::MeanNumber(mean as f64));
        entries.push(entry(format!("LCM{mean}"), Some(seconds), method));
    }
    entries.push(entry("auto".into(), None, BroadPhaseMethod::Auto));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn tables() -> [TableRun; 3] {
        measure(&Stopwatch::new(Duration::ZERO))
    }

    #[test]
    fn cells_are_as_many_as_the_names_say() {
        let expected = [
            vec!["cells 10x10", "cells 7x7", "cells 4x4", "cells 3x3"],
            vec!["cells 3x3", "cells 2x2", "cells 1x1"],
            vec!["cells 1x1"],
        ];
        for (table, expected) in tables().iter().zip(expected) {
            let found: Vec<_> =
                table.linked_cells().iter().map(|entry| &entry.measurement.structure).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn only_adjacent_cells_are_compared() {
        // In 10 x 10 cells 392 times the square of the mean number: 100 / 2 within cells, and 90,
        // 90 and 162 between those side by side, one above the other and across.
        let tests = tables()[0].entries[1].measurement.pair_tests as f64;
        assert!((tests / (392.0 * 100.0 * 100.0) - 1.0).abs() < 0.05, "{tests}");
    }

    #[test]
    fn one_cell_compares_all() {
        let tables = tables();
        assert_eq!(tables[1].entries[3].measurement.pair_tests, 100 * 99 / 2);
        assert_eq!(tables[2].entries[1].measurement.pair_tests, 101 * 100 / 2);
    }

    #[test]
    fn all_methods_find_the_same_number_of_contacts() {
        for table in tables() {
            let first = table.entries[0].measurement.contacts;
            assert!(first > 0);
            assert!(table.entries.iter().all(|entry| entry.measurement.contacts == first));
        }
    }

    #[test]
    fn the_big_disc_covers_a_quarter_of_its_box() {
        let radius = small_discs_and_a_big_one()[100].radius;
        assert!((std::f64::consts::PI * radius * radius - 25.0).abs() < 0.02);
    }
}
