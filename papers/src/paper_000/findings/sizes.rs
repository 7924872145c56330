//! Guideline 4: who depends on the sizes of the bodies.

use crate::digits::significant;
use crate::finding::{Finding, Verdict};
use crate::paper_000::Results;
use crate::paper_000::size_ratios::{COMPARED, Mixture, RATIOS};
use carom::scene::grouped;
use carom::simulate::events::Structure;

/// Work may grow by so much before it counts as dependent on sizes.
const INDEPENDENT: f64 = 2.0;

pub(super) fn radii(results: &Results) -> Finding {
    let mut figures = Vec::new();
    let mut independent = Vec::new();
    for dimension in [2, 3] {
        let mixtures: Vec<_> =
            results.mixtures.iter().filter(|mixture| mixture.dimension == dimension).collect();
        let Some(count) = mixtures.first().and_then(|mixture| mixture.runs.first()) else {
            continue;
        };
        let told: Vec<_> = COMPARED.iter().filter_map(|&one| tests(&mixtures, one)).collect();
        let texts: Vec<_> = told.iter().map(|(text, _)| text.clone()).collect();
        let bodies = grouped(count.count as u64);
        figures.push(format!("{dimension}D, {bodies} bodies: {}", texts.join("; ")));
        let unaffected = COMPARED.iter().zip(&told).filter(|(_, told)| told.1 <= INDEPENDENT);
        independent.push((dimension, unaffected.map(|(one, _)| *one).collect::<Vec<_>>()));
    }
    Finding {
        verdict: Verdict::of(independent.iter().all(|(_, unaffected)| unaffected.is_empty())),
        claim: "guideline 4: only the Delaunay tessellation does not depend on the radii".into(),
        evidence: format!(
            "Pair tests per collision in dense mixtures of {}, each size with half of the volume: \
             {}. {} Delaunay: not in this table yet.",
            RATIOS.map(|ratio| format!("1:{ratio}")).join(", "),
            figures.join(". "),
            told(&independent)
        ),
    }
}

/// Pair tests per collision over the ratios, and by how much they grow.
fn tests(mixtures: &[&Mixture], structure: Structure) -> Option<(String, f64)> {
    let tests: Vec<f64> = mixtures
        .iter()
        .filter_map(|mixture| Some(mixture.run(structure)?.tests_per_collision))
        .collect();
    let texts: Vec<_> = tests.iter().map(|&tests| significant(tests, 3)).collect();
    let growth = tests.last()? / tests.first()?;
    Some((format!("{} {}", structure.name(), texts.join(", ")), growth))
}

fn told(independent: &[(usize, Vec<Structure>)]) -> String {
    let sentence = |(dimension, structures): &(usize, Vec<Structure>)| {
        let names: Vec<_> = structures.iter().map(|structure| structure.name()).collect();
        match names.is_empty() {
            true => format!("In {dimension}D all of these grow by more than a factor of two."),
            false => format!(
                "In {dimension}D {} stay within a factor of two: their neighbours are those nearby, \
                 by classes of size or by boxes of their own, not those in cells as wide as the \
                 widest body.",
                names.join(" and ")
            ),
        }
    };
    independent.iter().map(sentence).collect::<Vec<_>>().join(" ")
}
