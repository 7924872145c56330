//! Guideline 4: who depends on the sizes of the bodies and on their density.

use crate::digits::significant;
use crate::finding::{ClaimVerdict, Finding};
use crate::paper_000::KineticStructureResults;
use crate::paper_000::size_ratios::{COMPARED, Mixture, RATIOS};
use crate::paper_000::system::{DensityRegime, RadiusDistribution};
use carom::scene::group_thousands;
use carom::simulate::event_driven::NeighborStructure;

/// The time of a collision may change by this factor before it counts as dependent.
const INDEPENDENT: f64 = 2.0;

pub(super) fn radii(results: &KineticStructureResults) -> Finding {
    let mut holds = Vec::new();
    let (mut by_size, mut by_density) = (Vec::new(), Vec::new());
    for dimension in [2, 3] {
        if let Some((text, dependences)) = sizes(results, dimension) {
            holds.extend(only_delaunay_is_independent(&dependences));
            by_size.push(text + &dependence_text(&dependences));
        }
        if let Some((text, dependences)) = densities(results, dimension) {
            holds.extend(only_delaunay_is_independent(&dependences));
            by_density.push(text + &dependence_text(&dependences));
        }
    }
    Finding {
        verdict: ClaimVerdict::of_all(holds),
        claim: "guideline 4: only the Delaunay tessellation performs alike whatever the radii and \
                the packing density"
            .into(),
        evidence: format!(
            "Microseconds per collision (pair tests in brackets) in dense mixtures of {}, each size \
             with half of the volume: {} Equal bodies, dense and dilute: {}",
            RATIOS.map(|ratio| format!("1:{ratio}")).join(", "),
            by_size.join(" "),
            by_density.join(" ")
        ),
    }
}

/// By what factor the time of a collision differs between systems.
struct Dependence {
    structure: NeighborStructure,
    factor: f64,
}

impl Dependence {
    fn of(structure: NeighborStructure, times: &[f64]) -> Option<Self> {
        let least = times.iter().copied().reduce(f64::min)?;
        let most = times.iter().copied().reduce(f64::max)?;
        Some(Dependence { structure, factor: most / least })
    }

    fn is_independent(&self) -> bool {
        self.factor <= INDEPENDENT
    }
}

/// What the guideline says of each.
fn only_delaunay_is_independent(dependences: &[Dependence]) -> impl Iterator<Item = bool> {
    dependences
        .iter()
        .map(|one| one.is_independent() == (one.structure == NeighborStructure::Laguerre))
}

/// Times over the ratios of sizes.
fn sizes(results: &KineticStructureResults, dimension: usize) -> Option<(String, Vec<Dependence>)> {
    let mixtures: Vec<&Mixture> =
        results.mixtures.iter().filter(|mixture| mixture.dimension == dimension).collect();
    let bodies = group_thousands(mixtures.first()?.runs.first()?.count as u64);
    let mut texts = Vec::new();
    let mut dependences = Vec::new();
    for structure in COMPARED {
        let runs: Vec<_> = mixtures.iter().filter_map(|mixture| mixture.run(structure)).collect();
        let times: Vec<f64> = runs.iter().map(|run| run.microseconds_per_collision).collect();
        let figures: Vec<String> = runs
            .iter()
            .map(|run| {
                let figures = [run.microseconds_per_collision, run.tests_per_collision];
                let [time, tests] = figures.map(|figure| significant(figure, 3));
                format!("{time} ({tests})")
            })
            .collect();
        texts.push(format!("{} {}", structure.name(), figures.join(", ")));
        dependences.extend(Dependence::of(structure, &times));
    }
    Some((format!("{dimension}D, {bodies} bodies: {}. ", texts.join("; ")), dependences))
}

/// Times of equal bodies, dense and dilute.
fn densities(
    results: &KineticStructureResults,
    dimension: usize,
) -> Option<(String, Vec<Dependence>)> {
    let panel = |crowding: DensityRegime| {
        results.panels.iter().find(|panel| {
            (panel.dimension, panel.system.radii) == (dimension, RadiusDistribution::Equal)
                && panel.system.density == crowding
        })
    };
    let (dense, dilute) = (panel(DensityRegime::Dense)?, panel(DensityRegime::Dilute)?);
    let count = dense.common_count()?.min(dilute.common_count()?);
    let mut texts = Vec::new();
    let mut dependences = Vec::new();
    for structure in COMPARED {
        let times: Vec<f64> = [dense, dilute]
            .iter()
            .filter_map(|panel| panel.at(count).find(|run| run.structure == structure))
            .map(|run| run.microseconds_per_collision)
            .collect();
        let figures: Vec<String> = times.iter().map(|&time| significant(time, 3)).collect();
        texts.push(format!("{} {}", structure.name(), figures.join(" and ")));
        dependences.extend(Dependence::of(structure, &times));
    }
    let bodies = group_thousands(count as u64);
    Some((format!("{dimension}D, {bodies} bodies: {}. ", texts.join("; ")), dependences))
}

fn dependence_text(dependences: &[Dependence]) -> String {
    let independent: Vec<_> = dependences
        .iter()
        .filter(|one| one.is_independent())
        .map(|one| one.structure.name())
        .collect();
    match independent.is_empty() {
        true => "None stays within a factor of two.".into(),
        false => format!("Within a factor of two: {}.", independent.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_changes_by_more_than_a_factor_of_two_is_dependent() {
        let of = |structure, times: &[f64]| Dependence::of(structure, times).unwrap();
        let both = [
            of(NeighborStructure::Laguerre, &[10.0, 12.0, 19.0]),
            of(NeighborStructure::CellGrid, &[1.0, 5.0, 20.0]),
        ];
        assert!(only_delaunay_is_independent(&both).all(|holds| holds));
        assert_eq!(dependence_text(&both), "Within a factor of two: laguerre-delaunay.");
        let neither = [
            of(NeighborStructure::Laguerre, &[20.0, 1.0]),
            of(NeighborStructure::NeighborLists, &[1.0, 1.5]),
        ];
        assert!(!only_delaunay_is_independent(&neither).any(|holds| holds));
    }
}
