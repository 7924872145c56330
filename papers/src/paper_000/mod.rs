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
//! The systems are in [`system`], the printed table in [`published`], how growth is set against a
//! bound in [`bound`]; the page is `papers/pages/000.md`.

pub mod bound;
pub mod bound_table;
pub mod figure_1;
pub mod measured;
pub mod published;
mod report;
pub mod size_ratios;
pub mod system;
pub mod table_1;
pub mod thin_gas;
pub mod unbounded_domain;
mod verdicts;

use crate::measure::Stopwatch;
use crate::{PaperProgress, PaperReport, Settings};
use std::time::Duration;

/// All that was measured.
#[derive(Clone, Debug)]
pub struct KineticStructureResults {
    /// Every system in both dimensions.
    pub panels: Vec<table_1::StructurePanel>,
    /// Column C.
    pub thin: Vec<thin_gas::ThinGasCurve>,
    /// Mixtures of two sizes.
    pub mixtures: Vec<size_ratios::Mixture>,
    /// Bodies that grow in a space without sides.
    pub unbounded: Vec<unbounded_domain::UnboundedRun>,
}

/// Measures everything and reports it.
///
/// `tell` is given the name of each step and the part done, from 0 to 1.
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> PaperReport {
    let stopwatch = Stopwatch::new(time_budget(settings));
    let counts = table_1::counts(settings);
    let thin = 0.6 * counts.iter().sum::<usize>() as f64;
    let cost = table_1::cost(&counts) + thin + size_ratios::cost(settings);
    let mut progress = PaperProgress::new(cost, tell);
    let mut panels = table_1::measure_all::<2>(settings, &stopwatch, &mut progress);
    panels.extend(table_1::measure_all::<3>(settings, &stopwatch, &mut progress));
    let mut thin = thin_gas::measure::<2>(settings, &mut progress);
    thin.extend(thin_gas::measure::<3>(settings, &mut progress));
    let mixtures = size_ratios::measure_all(settings, &stopwatch, &mut progress);
    let mut boundless = unbounded_domain::measure::<2>();
    boundless.extend(unbounded_domain::measure::<3>());
    progress.finish();
    report::write(
        &KineticStructureResults { panels, thin, mixtures, unbounded: boundless },
        settings,
    )
}

fn time_budget(settings: &Settings) -> Duration {
    Duration::from_millis(if settings.quick { 0 } else { 150 })
}

#[cfg(test)]
mod tests;
