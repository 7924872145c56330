//! Paper 000: M. L. Gavrilova and J. Rokne, "Collision Detection Optimization in a Multi-particle
//! System".
//!
//! The paper puts kinetic neighbor structures under an event-driven simulation and compares them by
//! their bounds (table 1): neighbors, new neighbors and cost of a topological event, cost of a
//! prediction, topological events between collisions, initialization and space. Here the same
//! quantities are counted and timed.
//!
//! | experiment | of the paper | function |
//! |---|---|---|
//! | triangulation and diagram of 1,000 particles | figure 1 | [`figure_1::svg`] |
//! | columns A, B, D to G over the number of bodies | table 1 | [`table_1::measure_all`] |
//! | time of a topological event (column C) | table 1 | [`thin_gas::measure`] |
//! | unequal sizes | section 4, guideline 4 | [`size_ratios::measure_all`] |
//! | neither space nor largest body known | section 4, guideline 5 | [`unbounded_domain::measure`] |
//!
//! The systems are in [`system`]; the printed table and how growth is set against its bounds in [`growth`]. The page is
//! `papers/pages/000.md`, the rules of its verdicts are in `papers/pages/000.csv`.

pub mod figure_1;
pub mod growth;
pub mod measured;
mod quantities;
pub mod size_ratios;
pub mod system;
pub mod table_1;
pub mod thin_gas;
pub mod unbounded_domain;

use crate::measure::Stopwatch;
use crate::records::Records;
use crate::report::ReportPage;
use crate::{PaperProgress, PaperReport, Settings};
use carom::io::group_thousands;
use system::HardSphereSystem;

/// Measures everything and reports it.
pub fn run(settings: &Settings, on_progress: &mut dyn FnMut(&str, f64)) -> PaperReport {
    let stopwatch = Stopwatch::new(settings.either(0, 150));
    // The systems of table 1 and the thin gas, in the plane and in space, and the mixtures.
    let systems = 2 * (HardSphereSystem::ALL.len() + 1);
    let steps = systems * table_1::counts(settings).len() + size_ratios::count(settings);
    let mut progress = PaperProgress::new(steps, on_progress);
    let mut runs = table_1::measure_all::<2>(settings, &stopwatch, &mut progress);
    runs.extend(table_1::measure_all::<3>(settings, &stopwatch, &mut progress));
    let mut thin = thin_gas::measure::<2>(settings, &mut progress);
    thin.extend(thin_gas::measure::<3>(settings, &mut progress));
    let mixtures = size_ratios::measure_all(settings, &stopwatch, &mut progress);
    let mut unbounded = unbounded_domain::measure::<2>();
    unbounded.extend(unbounded_domain::measure::<3>());
    progress.finish();
    let mut page = ReportPage::new("000", settings);
    for system in runs.each("dimension | system") {
        page.table(system[0].filled("{dimension}D {system}"), system);
    }
    let growth = growth::measure(&runs, &thin);
    page.table("growth 2D", growth::overview(&growth, 2));
    page.table("growth 3D", growth::overview(&growth, 3));
    page.table("printed", growth::printed());
    page.table("systems", overview(&runs));
    page.table("unbounded", unbounded);
    page.data("upkeep", runs.of("structure", "laguerre-delaunay"));
    page.data("table1", runs);
    page.data("table1_growth", growth);
    page.data("thin_gas", thin);
    page.data("mixtures", mixtures);
    page.judge(&quantities::quantities(&page));
    page.figure("figure1", figure_1::svg());
    page.value("particles", group_thousands(figure_1::COUNT as u64));
    page.value("unbounded bodies", unbounded_domain::COUNT);
    page.value("grown", unbounded_domain::GROWN);
    page.finish()
}

/// Every system at the most bodies that all structures ran, and at the most of all.
fn overview(runs: &Records) -> Records {
    let of_system = |system: Records| {
        let mut counts = vec![common_count(&system), system.most("bodies")];
        counts.dedup();
        counts.into_iter().flat_map(move |count| system.of("bodies", count))
    };
    runs.each("dimension | system").into_iter().flat_map(of_system).collect()
}

/// The most bodies that every structure ran on a system.
fn common_count(system: &Records) -> f64 {
    let by_everyone = |runs: &Records| runs.len() == measured::STRUCTURES.len();
    let counts = system.each("bodies").into_iter().filter(by_everyone);
    counts.map(|runs| runs.number("bodies")).fold(f64::NAN, f64::max)
}
