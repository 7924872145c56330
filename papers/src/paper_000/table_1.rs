//! Table 1 measured: every structure on every system, from few bodies to many.

use super::bound::{self, FittedGrowth};
use super::measured::{Measured, STRUCTURES, measure};
use super::published::{self, ComplexityColumn};
use super::system::{DensityRegime, HardSphereSystem};
use crate::measure::Stopwatch;
use crate::{PaperProgress, Settings};
use carom::simulate::event_driven::NeighborStructure;

/// A system in one dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct StructurePanel {
    /// 2 or 3.
    pub dimension: usize,
    /// Density and sizes.
    pub system: HardSphereSystem,
    /// One curve per structure, in the order of [`STRUCTURES`].
    pub curves: Vec<StructureCurve>,
}

/// A structure over the numbers of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct StructureCurve {
    /// Which structure.
    pub structure: NeighborStructure,
    /// From few bodies to many.
    pub points: Vec<Measured>,
}

impl StructureCurve {
    /// What a column says at a number of bodies; the largest of column A instead of the mean if
    /// `extreme`.
    fn value(column: ComplexityColumn, extreme: bool, point: &Measured) -> Option<f64> {
        let count = point.count as f64;
        match column {
            ComplexityColumn::A if extreme => Some(point.most_neighbors as f64),
            ComplexityColumn::A => Some(point.mean_neighbors),
            ComplexityColumn::B => point.new_neighbors_per_event,
            ComplexityColumn::C => None,
            ComplexityColumn::D => Some(point.tests_per_prediction),
            ComplexityColumn::E => Some(point.events_per_collision),
            ComplexityColumn::F => Some(point.start_seconds),
            ComplexityColumn::G => Some(point.bytes_per_body * count),
        }
    }

    /// How a column grows, against its bound; column C is measured elsewhere.
    pub fn growth(&self, column: ComplexityColumn, dimension: usize) -> Option<FittedGrowth> {
        let bound = published::bounds(self.structure)[column as usize];
        let fitted = |extreme: bool| {
            let points: Option<Vec<_>> = self
                .points
                .iter()
                .map(|point| Some((point.count as f64, Self::value(column, extreme, point)?)))
                .collect();
            bound::growth(&points?, bound, dimension, column.tolerance())
        };
        let mean = fitted(false)?;
        // The bound of column A is one of the body with the most neighbors.
        let most = if column == ComplexityColumn::A { fitted(true)? } else { mean };
        Some(if most.comparison > mean.comparison { most } else { mean })
    }

    /// The point of the most bodies.
    pub fn last(&self) -> Option<&Measured> {
        self.points.last()
    }
}

impl StructurePanel {
    /// The curve of a structure.
    pub fn curve(&self, structure: NeighborStructure) -> Option<&StructureCurve> {
        self.curves.iter().find(|curve| curve.structure == structure)
    }

    /// What all structures measured, structure by structure.
    pub fn runs(&self) -> impl Iterator<Item = &Measured> {
        self.curves.iter().flat_map(|curve| &curve.points)
    }

    /// What all structures that ran this many bodies measured.
    pub fn at(&self, count: usize) -> impl Iterator<Item = &Measured> {
        self.runs().filter(move |run| run.count == count)
    }

    /// The numbers of bodies, ascending.
    pub fn counts(&self) -> Vec<usize> {
        let longest = self.curves.iter().max_by_key(|curve| curve.points.len());
        longest.map_or(Vec::new(), |curve| curve.points.iter().map(|run| run.count).collect())
    }

    /// The most bodies that every structure ran.
    pub fn common_count(&self) -> Option<usize> {
        let everyone = |&count: &usize| self.at(count).count() == self.curves.len();
        self.counts().into_iter().rfind(everyone)
    }
}

/// The numbers of bodies: a hundred to a hundred thousand, or to a thousand in a quick run.
pub fn counts(settings: &Settings) -> Vec<usize> {
    let highest = if settings.quick { 1000 } else { 100_000 };
    let decades = (2..=5).map(|power| 10usize.pow(power));
    decades.flat_map(|count| [count, 3 * count]).filter(|&count| count <= highest).collect()
}

/// The most bodies that are run with a structure: all pairs cost too much beyond a few thousand, and
/// so do segment trees in a dilute system, where exchanges of ends outnumber collisions a
/// thousandfold. There the triangulation too costs hundreds of certificates per collision.
pub fn most_bodies(
    structure: NeighborStructure,
    crowding: DensityRegime,
    settings: &Settings,
) -> usize {
    match (structure, crowding) {
        (NeighborStructure::AllPairs | NeighborStructure::SegmentTrees, _) if settings.quick => 300,
        (NeighborStructure::SegmentTrees, DensityRegime::Dense) => 10_000,
        (NeighborStructure::Laguerre, DensityRegime::Dilute) => 10_000,
        (NeighborStructure::AllPairs | NeighborStructure::SegmentTrees, _) => 3000,
        _ => usize::MAX,
    }
}

/// The fewest bodies that are run with a structure: in the periodic box of a few hundred spheres far
/// apart, a triangulation must hold several images of each, whose flips and bytes would count too.
pub fn fewest_bodies(
    structure: NeighborStructure,
    crowding: DensityRegime,
    dimension: usize,
) -> usize {
    match (structure, crowding, dimension) {
        (NeighborStructure::Laguerre, DensityRegime::Dilute, 3) => 1000,
        _ => 0,
    }
}

/// How many collisions a run has.
pub fn collisions(count: usize, settings: &Settings) -> u64 {
    let (per_body, least, most) = if settings.quick { (1, 300, 1000) } else { (2, 1000, 50_000) };
    (per_body * count as u64).clamp(least, most)
}

/// About what all panels cost, in bodies made ready.
pub(super) fn cost(counts: &[usize]) -> f64 {
    let bodies: usize = counts.iter().sum();
    (2 * HardSphereSystem::ALL.len() * bodies) as f64
}

/// Measures the four systems in one dimension.
pub fn measure_all<const D: usize>(
    settings: &Settings,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Vec<StructurePanel> {
    HardSphereSystem::ALL.map(|system| panel::<D>(system, settings, stopwatch, progress)).into()
}

fn panel<const D: usize>(
    system: HardSphereSystem,
    settings: &Settings,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> StructurePanel {
    let curve = |structure: NeighborStructure| StructureCurve { structure, points: Vec::new() };
    let mut curves = STRUCTURES.map(curve);
    for count in counts(settings).into_iter().filter(|&count| system.has_room(D, count)) {
        progress.step(&format!("{D}D, {system}, {count} bodies"), count as f64);
        let start = system.prepare::<D>(count);
        for curve in &mut curves {
            let fewest = fewest_bodies(curve.structure, system.density, D);
            let most = most_bodies(curve.structure, system.density, settings);
            if (fewest..=most).contains(&count) {
                let collisions = collisions(count, settings);
                curve.points.push(measure(&start, curve.structure, collisions, stopwatch));
            }
        }
    }
    StructurePanel { dimension: D, system, curves: curves.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_000::bound::BoundComparison;

    fn point(count: usize, most_neighbors: usize) -> Measured {
        Measured {
            structure: NeighborStructure::CellGrid,
            count,
            mean_neighbors: 8.0,
            most_neighbors,
            new_neighbors_per_event: Some(2.0),
            tests_per_prediction: 8.0,
            events_per_collision: 0.3,
            start_seconds: 1e-6 * count as f64,
            bytes_per_body: 24.0,
            tests_per_collision: 20.0,
            microseconds_per_collision: 1.0,
            digest: 1,
            upkeep: None,
        }
    }

    fn curve(most_neighbors: fn(usize) -> usize) -> StructureCurve {
        let points = [1000, 3000, 10_000, 30_000, 100_000];
        let points = points.map(|count| point(count, most_neighbors(count))).into();
        StructureCurve { structure: NeighborStructure::CellGrid, points }
    }

    #[test]
    fn known_growth_is_judged_by_the_printed_bounds() {
        let judged = |column| curve(|_| 20).growth(column, 3).map(|growth| growth.comparison);
        assert_eq!(judged(ComplexityColumn::A), Some(BoundComparison::Within));
        assert_eq!(judged(ComplexityColumn::C), None);
        assert_eq!(judged(ComplexityColumn::D), Some(BoundComparison::Within));
        assert_eq!(judged(ComplexityColumn::E), Some(BoundComparison::Smaller));
        assert_eq!(judged(ComplexityColumn::F), Some(BoundComparison::Within));
        assert_eq!(judged(ComplexityColumn::G), Some(BoundComparison::Within));
    }

    #[test]
    fn the_body_with_the_most_neighbors_counts_too() {
        let growth = curve(|count| count / 100).growth(ComplexityColumn::A, 3).unwrap();
        assert_eq!(growth.comparison, BoundComparison::Exceeds);
        assert!((growth.measured - 1.0).abs() < 1e-9);
    }

    #[test]
    fn only_a_few_structures_are_left_out_of_large_systems() {
        let full = Settings { quick: false };
        let everyone = |structure| most_bodies(structure, DensityRegime::Dilute, &full) >= 100_000;
        assert_eq!(
            most_bodies(NeighborStructure::Laguerre, DensityRegime::Dense, &full),
            usize::MAX
        );
        let left: Vec<_> = STRUCTURES.into_iter().filter(|&one| everyone(one)).collect();
        assert_eq!(
            left,
            [
                NeighborStructure::CellGrid,
                NeighborStructure::CellTree,
                NeighborStructure::NeighborLists
            ]
        );
    }
}
