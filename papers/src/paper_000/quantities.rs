//! The numbers that table 1 and the guidelines of section 4 rest on.

use super::common_count;
use super::growth::{self, fastest};
use super::measured::STRUCTURES;
use crate::records::{Record, Records};
use crate::report::ReportPage;
use crate::verdict::Quantities;

const DELAUNAY: &str = "laguerre-delaunay";
const TIME: &str = "us per collision";

/// All of them.
pub(super) fn quantities(page: &ReportPage) -> Quantities {
    let mut numbers = Quantities::default();
    let [runs, mixtures] = ["table1", "mixtures"].map(|name| page.find_table(name));
    same_collisions(runs, mixtures, &mut numbers);
    growth_and_bounds(page.find_table("table1_growth"), &mut numbers);
    for system in runs.each("dimension | system") {
        events_and_memory(&system, &mut numbers);
    }
    for (dense, dilute) in dense_and_dilute(runs) {
        dense_systems(&dense, &dilute, &mut numbers);
    }
    sizes_and_densities(runs, mixtures, &mut numbers);
    let unbounded = page.find_table("unbounded").iter().filter(|run| is_printed(run));
    let name = "rebuilds of {structure} in {dimension}D";
    numbers.add_each(unbounded, name, |run| run.number("rebuilds"));
    numbers
}

/// Whether the paper has the structure of a record.
fn is_printed(record: &Record) -> bool {
    !growth::printed().of("structure", record.text("structure")).is_empty()
}

/// The paper calls a structure correct if no collision is missed.
fn same_collisions(runs: &Records, mixtures: &Records, numbers: &mut Quantities) {
    let mut systems = runs.each("dimension | system | bodies");
    systems.extend(mixtures.each("mixture"));
    // A system that one structure alone ran shows nothing.
    systems.retain(|runs| runs.len() > 1);
    let alike = systems.iter().filter(|runs| runs.each("collisions").len() == 1).count();
    let name = "part of systems in which all structures give the same collisions to the last bit";
    numbers.add(name, alike as f64 / systems.len() as f64);
}

/// How much faster the cells of the structures that the paper has grow than their bounds; and column D, where the table
/// says other than the sections before it.
fn growth_and_bounds(growth: &Records, numbers: &mut Quantities) {
    let cells = growth.each("dimension | structure | column");
    let worst = || cells.iter().filter_map(fastest).filter(|worst| is_printed(worst));
    let name =
        "power of N above that of the bound: {column} of {structure} in {dimension}D: {bound}";
    numbers.add_each(worst(), name, |worst| worst.number("excess"));
    let contradicts = |worst: &&Record| {
        let is_one = [DELAUNAY, "segment-trees"].contains(&worst.text("structure").as_str());
        worst.text("column") == "D" && is_one
    };
    let name = "power of N: D of {structure} in {dimension}D";
    let power = |worst: &Record| worst.number("fitted exponent");
    numbers.add_each(worst().filter(contradicts), name, power);
}

/// A figure of a structure at a number of bodies.
fn figure(system: &Records, structure: &str, bodies: f64, figure: &str) -> f64 {
    system.of("structure", structure).of("bodies", bodies).number(figure)
}

/// The largest of such figures of some structures.
fn largest(structures: &[&str], figure: impl Fn(&str) -> f64) -> f64 {
    structures.iter().map(|structure| figure(structure)).fold(f64::NAN, f64::max)
}

fn name(system: &Records) -> String {
    format!("{}D {}", system.text("dimension"), system.text("system"))
}

/// The most bodies that segment trees ran.
fn most_of_segment_trees(system: &Records) -> f64 {
    system.of("structure", "segment-trees").most("bodies")
}

/// Guidelines 1 and 2: flips against other events, and the space of the regular subdivision.
fn events_and_memory(system: &Records, numbers: &mut Quantities) {
    let count = most_of_segment_trees(system);
    let events = |structure: &str| figure(system, structure, count, "E");
    let others = largest(&["cell-grid", "cell-tree", "segment-trees"], events);
    let quantity = "flips per collision over the most events of another structure";
    numbers.add(format!("{quantity}: {}", name(system)), events(DELAUNAY) / others);
    // At the number of bodies or as near to it as there is a run.
    let bytes = |structure: &str| {
        let runs = system.of("structure", structure);
        let apart = |run: &&Record| (run.number("bodies") - count).abs();
        let nearest = runs.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        nearest.map_or(f64::NAN, |run| run.number("G bytes per body"))
    };
    let others = largest(&["cell-tree", "segment-trees", DELAUNAY], bytes);
    let quantity = "bytes per body of the cell grid over the most of another structure";
    numbers.add(format!("{quantity}: {}", name(system)), bytes("cell-grid") / others);
}

/// Every dense system with the dilute one of the same bodies.
fn dense_and_dilute(runs: &Records) -> impl Iterator<Item = (Records, Records)> {
    let systems = runs.each("dimension | system").into_iter();
    systems.filter(|system| system.text("system").starts_with("dense")).map(|dense| {
        let dilute = dense.text("system").replace("dense", "dilute");
        let of_dimension = runs.of("dimension", dense.number("dimension"));
        (dense, of_dimension.of("system", dilute))
    })
}

/// The time of a collision with the triangulation over that with the fastest other structure.
fn lag(system: &Records) -> f64 {
    let count = most_of_segment_trees(system);
    let runs = system.of("bodies", count);
    let others = runs.iter().filter(|run| run.text("structure") != DELAUNAY);
    let fastest = others.map(|run| run.number(TIME)).fold(f64::NAN, f64::min);
    figure(system, DELAUNAY, count, TIME) / fastest
}

/// Guideline 1 by time, and guideline 3.
fn dense_systems(dense: &Records, dilute: &Records, numbers: &mut Quantities) {
    let quantity = "time of the triangulation over the fastest: dense over dilute";
    let bodies = name(dilute).replace("dilute ", "");
    numbers.add(format!("{quantity} {bodies}"), lag(dense) / lag(dilute));
    let count = most_of_segment_trees(dense);
    let time = |structure: &str| figure(dense, structure, count, TIME);
    let slowest = largest(&["segment-trees", DELAUNAY, "neighbor-lists"], time);
    for cells in ["cell-grid", "cell-tree"] {
        let quantity = "over the slowest of segment trees and triangulation and lists";
        let name = format!("time of {cells} {quantity}: {}", name(dense));
        numbers.add(name, time(cells) / slowest);
    }
}

/// Guideline 4: who depends on the sizes of the bodies and on their density. All pairs test everyone, whatever the
/// sizes.
fn sizes_and_densities(runs: &Records, mixtures: &Records, numbers: &mut Quantities) {
    for runs in mixtures.each("dimension | structure") {
        dependence(&runs, "sizes", numbers);
    }
    let is_equal = |system: &Records| system.text("system").ends_with("1:1");
    for (dense, dilute) in dense_and_dilute(runs).filter(|pair| is_equal(&pair.0)) {
        let counts = [&dense, &dilute].map(common_count);
        if counts.iter().any(|count| count.is_nan()) {
            continue;
        }
        let count = counts[0].min(counts[1]);
        for structure in &STRUCTURES[1..] {
            let runs = [&dense, &dilute].map(|system| system.of("structure", structure.name()));
            let runs = runs.into_iter().flat_map(|runs| runs.of("bodies", count)).collect();
            dependence(&runs, "densities", numbers);
        }
    }
}

fn dependence(runs: &Records, over: &str, numbers: &mut Quantities) {
    let (structure, dimension) = (runs.text("structure"), runs.text("dimension"));
    let name = format!("most over least time of {structure} over {over} in {dimension}D");
    numbers.add(name, runs.most(TIME) / runs.least(TIME));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::records::record;
    use crate::verdict::Verdict;

    #[test]
    fn who_changes_by_more_than_a_factor_of_two_is_dependent() {
        let judged = |delaunay: [f64; 2], lists: [f64; 2]| {
            let mut numbers = Quantities::default();
            for (structure, times) in [(DELAUNAY, delaunay), ("neighbor-lists", lists)] {
                let run = |time| record! { "structure": structure, "dimension": 2, "us per collision": time };
                dependence(&times.map(run).into_iter().collect(), "sizes", &mut numbers);
            }
            numbers.verdicts("000", ["guideline 4"])
        };
        assert_eq!(judged([10.0, 19.0], [1.0, 20.0]), [Verdict::Agrees]);
        assert_eq!(judged([20.0, 1.0], [1.0, 1.5]), [Verdict::DoesNotAgree]);
    }
}
