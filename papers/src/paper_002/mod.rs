//! Paper 002: J. S. Leszczynski and M. Ciesielski, "Effective Algorithm for Detection of a
//! Collision between Spherical Particles", ICCS 2004, LNCS 3037, pp. 348-355.
//!
//! The paper sorts spheres by the distance of their nearest point from an origin and compares
//! each with those that begin before it ends ("novel algorithm", here: distance sort), and sets
//! the time against that of the Linked Cell Method (LCM).
//!
//! | experiment | of the paper | function |
//! |---|---|---|
//! | contacts per particle of tests A, B, C | section 3 | [`contact_ratios::measure`] |
//! | time over the number of particles, 2D and 3D | figure 2 | [`figure_2::measure`] |
//! | time with unequal sizes | tables 1, 2, 3 | [`tables::measure`] |
//! | where to put the origin | step 1 of algorithm 1 | [`origins::measure`] |
//! | unequal sizes and the distance sort | section 4 | [`tables::spread_of_sizes`] |
//!
//! Everything runs on one thread. What geometry lets expect is in [`theory`]; the page is `papers/pages/002.md`, the
//! rules of its verdicts are in `papers/pages/002.csv`.

pub mod contact_ratios;
pub mod figure_2;
pub mod origins;
pub mod particles;
mod quantities;
mod report;
pub mod search_measurement;
pub mod tables;
pub mod theory;

use crate::measure::Stopwatch;
use crate::records::Records;
use crate::{PaperProgress, PaperReport, Settings};

/// All that was measured.
#[derive(Clone, Debug)]
pub struct ContactDetectionResults {
    /// Contacts per particle.
    pub contact_ratios: Records,
    /// Figure 2, left to right: in the plane and in space.
    pub figure_2: [Records; 2],
    /// Tables 1, 2 and 3.
    pub tables: Records,
    /// Tests needed from different origins.
    pub origins: Records,
    /// Tests on discs of unequal sizes, over those on equal ones.
    pub spread_of_sizes: f64,
}

/// Measures everything and reports it.
///
/// `tell` is given the name of each step and the part done, from 0 to 1.
pub fn run(settings: &Settings, tell: &mut dyn FnMut(&str, f64)) -> PaperReport {
    let stopwatch = Stopwatch::new(settings.either(50, 600));
    // A hundred to a million particles, or to ten thousand in a quick run.
    let counts = settings.counts(10_000, 1_000_000);
    let cost = figure_2::cost(&counts, &stopwatch);
    // The other experiments cost about a tenth of the figure.
    let other = 0.03 * cost;
    let mut progress = PaperProgress::new(cost + 3.0 * other, tell);
    progress.step("contact ratios", other);
    let contact_ratios = contact_ratios::measure(contact_ratios::counts(settings));
    let plane = figure_2::measure::<2>(&counts, &stopwatch, &mut progress);
    let space = figure_2::measure::<3>(&counts, &stopwatch, &mut progress);
    progress.step("tables 1 to 3", other);
    let tables = tables::measure(&stopwatch);
    progress.step("origins", other);
    let origins = origins::measure(settings.either(10_000, 100_000));
    let spread_of_sizes = tables::spread_of_sizes();
    progress.finish();
    let figure_2 = [plane, space];
    let results =
        ContactDetectionResults { contact_ratios, figure_2, tables, origins, spread_of_sizes };
    report::write(&results, settings)
}

#[cfg(test)]
mod tests;
