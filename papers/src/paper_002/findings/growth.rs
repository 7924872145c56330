//! How tests and times of figure 2 grow with the number of particles.

use super::listed;
use crate::finding::{ClaimVerdict, Finding};
use crate::paper_002::figure_2::{SearchCurveKind, SearchTimeCurve, SearchTimePanel};
use crate::paper_002::particles::DiameterTest;
use crate::paper_002::published::{CELL_TESTS_2D, CELL_TESTS_3D};

/// Counted tests of linked cells against the paper's formula.
const CELL_TOLERANCE: f64 = 0.1;

/// What grows.
#[derive(Clone, Copy, PartialEq)]
enum GrowthQuantity {
    Tests,
    Time,
}

impl GrowthQuantity {
    fn exponent(self, curve: &SearchTimeCurve) -> Option<f64> {
        match self {
            GrowthQuantity::Tests => curve.test_exponent(),
            GrowthQuantity::Time => curve.time_exponent(),
        }
    }

    /// Counted work is bent by the sides of the box only; times also by sorting, caches, memory
    /// and whatever else the machine does.
    fn tolerance(self) -> f64 {
        match self {
            GrowthQuantity::Tests => 0.05,
            GrowthQuantity::Time => 0.1,
        }
    }
}

pub(super) fn findings(panels: &[SearchTimePanel; 2]) -> Vec<Finding> {
    let distance_sort = DiameterTest::ALL.map(SearchCurveKind::DistanceSort);
    let linked_cells = [1, 5, 10].map(SearchCurveKind::LinkedCells);
    vec![
        exponents(
            panels,
            &distance_sort,
            GrowthQuantity::Tests,
            "pair tests of the distance sort grow as N^(3/2) in 2D and N^(5/3) in 3D (theory; the \
             paper gives no exponent)",
        ),
        exponents(
            panels,
            &distance_sort,
            GrowthQuantity::Time,
            "the time of the distance sort grows as its tests do",
        ),
        cell_tests(panels),
        exponents(
            panels,
            &linked_cells,
            GrowthQuantity::Time,
            "the time of linked cells grows in proportion to N",
        ),
    ]
}

fn exponents(
    panels: &[SearchTimePanel; 2],
    lines: &[SearchCurveKind],
    quantity: GrowthQuantity,
    claim: &str,
) -> Finding {
    let mut figures = Vec::new();
    let mut departures = Vec::new();
    for panel in panels {
        let fitted: Vec<_> = lines
            .iter()
            .filter_map(|&line| Some((line, quantity.exponent(panel.curve(line)?)?)))
            .collect();
        let texts: Vec<_> =
            fitted.iter().map(|(line, fitted)| format!("{fitted:.2} ({line})")).collect();
        figures.push(format!("{} in {}D", listed(&texts), panel.dimension));
        departures.extend(
            fitted.iter().map(|(line, fitted)| fitted - line.expected_exponent(panel.dimension)),
        );
    }
    let tolerance = quantity.tolerance();
    Finding {
        verdict: ClaimVerdict::of_all(
            departures.iter().map(|departure| departure.abs() <= tolerance),
        ),
        claim: claim.into(),
        evidence: format!(
            "Exponents over the upper two decades: {}. {}",
            figures.join("; "),
            reason(quantity, &departures)
        ),
    }
}

/// Why exponents depart from the expected ones, if they do.
fn reason(quantity: GrowthQuantity, departures: &[f64]) -> String {
    let tolerance = quantity.tolerance();
    let lower = departures.iter().any(|&departure| departure < -tolerance);
    let higher = departures.iter().any(|&departure| departure > tolerance);
    if !(lower || higher) {
        return format!("All are within {tolerance} of the expectation.");
    }
    if quantity == GrowthQuantity::Tests {
        return "Small boxes, in which a particle is not small against the side, bend the rest."
            .into();
    }
    let flat = "Those lower are of sparse or small systems, in which the work that grows in \
                proportion to N, such as sorting, is still a good part of the whole.";
    let steep = "Those higher grow faster than their counted tests: each test takes longer, as \
                 many particles do not fit the processor's caches, or as the machine was busy with \
                 other work.";
    match (lower, higher) {
        (true, false) => flat.into(),
        (false, true) => steep.into(),
        _ => format!("{flat} {steep}"),
    }
}

/// The number of tests the paper states for linked cells.
fn cell_tests(panels: &[SearchTimePanel; 2]) -> Finding {
    let mut figures = Vec::new();
    let mut holds = Vec::new();
    for (panel, stencil) in panels.iter().zip([CELL_TESTS_2D, CELL_TESTS_3D]) {
        for mean in [1, 5, 10] {
            let Some(tests) = tests_per_particle(panel, mean) else { continue };
            let stated = stencil * mean as f64;
            holds.push((tests / stated - 1.0).abs() <= CELL_TOLERANCE);
            figures.push(format!("{tests:.1} against {stated} (LCM {mean}, {}D)", panel.dimension));
        }
    }
    Finding {
        verdict: ClaimVerdict::of_all(holds),
        claim: "linked cells make 4.5 p tests per particle in 2D and 13.5 p in 3D, p being the \
                mean number in a cell"
            .into(),
        evidence: format!(
            "Counted at the largest N, half of the neighboring cells being looked at: {}. Cells at \
             the sides of the box have fewer neighbors, which makes for fewer tests; a whole \
             number of cells along each side, none narrower than the largest particle \
             (equation 2), holds a little more per cell than meant, which makes for more.",
            listed(&figures)
        ),
    }
}

/// Counted pair tests per particle of linked cells with the most particles.
pub(crate) fn tests_per_particle(panel: &SearchTimePanel, mean: u32) -> Option<f64> {
    let last = panel.curve(SearchCurveKind::LinkedCells(mean))?.last()?;
    Some(last.measurement.pair_tests as f64 / last.count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_fits_the_departures() {
        let of_time = |departures: &[f64]| reason(GrowthQuantity::Time, departures);
        assert!(of_time(&[0.01, -0.02]).starts_with("All are within 0.1"));
        assert!(of_time(&[-0.3]).starts_with("Those lower"));
        assert!(of_time(&[0.3]).starts_with("Those higher"));
        assert!(of_time(&[0.3, -0.3]).contains("Those higher"));
        assert!(reason(GrowthQuantity::Tests, &[0.06]).starts_with("Small boxes"));
    }
}
