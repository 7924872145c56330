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
mod report;
pub mod size_ratios;
pub mod system;
pub mod table_1;
pub mod thin_gas;
pub mod unbounded_domain;

use crate::measure::Stopwatch;
use crate::records::Records;
use crate::{PaperProgress, PaperReport, Settings};

const RULES: &str = include_str!("../../pages/000.csv");

/// All that was measured.
#[derive(Clone, Debug)]
pub struct KineticStructureResults {
    /// Every structure on every system in both dimensions.
    pub runs: Records,
    /// Column C.
    pub thin: Records,
    /// Mixtures of two sizes.
    pub mixtures: Records,
    /// Bodies that grow in a space without sides.
    pub unbounded: Records,
}

/// Measures everything and reports it.
///
/// `tell` is given the name of each step and the part done, from 0 to 1.
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> PaperReport {
    let stopwatch = Stopwatch::new(settings.either(0, 150));
    let cost = table_1::cost(settings) + thin_gas::cost(settings) + size_ratios::cost(settings);
    let mut progress = PaperProgress::new(cost, tell);
    let mut runs = table_1::measure_all::<2>(settings, &stopwatch, &mut progress);
    runs.extend(table_1::measure_all::<3>(settings, &stopwatch, &mut progress));
    let mut thin = thin_gas::measure::<2>(settings, &mut progress);
    thin.extend(thin_gas::measure::<3>(settings, &mut progress));
    let mixtures = size_ratios::measure_all(settings, &stopwatch, &mut progress);
    let mut unbounded = unbounded_domain::measure::<2>();
    unbounded.extend(unbounded_domain::measure::<3>());
    progress.finish();
    report::write(&KineticStructureResults { runs, thin, mixtures, unbounded }, settings)
}

/// The most bodies that every structure ran on a system.
fn common_count(system: &Records) -> f64 {
    let by_everyone = |runs: &Records| runs.len() == measured::STRUCTURES.len();
    let counts = system.each("bodies").into_iter().filter(by_everyone);
    counts.map(|runs| runs.number("bodies")).fold(f64::NAN, f64::max)
}

#[cfg(test)]
mod tests;
