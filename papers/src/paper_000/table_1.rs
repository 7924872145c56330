//! Table 1 measured: every structure on every system, from few bodies to many.

use super::bound::{self, Growth};
use super::measured::{Measured, STRUCTURES, measure};
use super::published::{self, Column};
use super::system::{Crowding, System};
use crate::measure::Stopwatch;
use crate::{Progress, Settings};
use carom::simulate::events::Structure;

/// A system in one dimension.
#[derive(Clone, Debug, PartialEq)]
pub struct Panel {
    /// 2 or 3.
    pub dimension: usize,
    /// Density and sizes.
    pub system: System,
    /// One curve per structure, in the order of [`STRUCTURES`].
    pub curves: Vec<Curve>,
}

/// A structure over the numbers of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Which structure.
    pub structure: Structure,
    /// From few bodies to many.
    pub points: Vec<Measured>,
}

impl Curve {
    /// What a column says at a number of bodies; the largest of column A instead of the mean if
    /// `extreme`.
    fn value(column: Column, extreme: bool, point: &Measured) -> Option<f64> {
        let count = point.count as f64;
        match column {
            Column::A if extreme => Some(point.most_neighbours as f64),
            Column::A => Some(point.mean_neighbours),
            Column::B => point.fresh_per_change,
            Column::C => None,
            Column::D => Some(point.tests_per_prediction),
            Column::E => Some(point.changes_per_collision),
            Column::F => Some(point.start_seconds),
            Column::G => Some(point.bytes_per_body * count),
        }
    }

    /// How a column grows, against its bound; column C is measured elsewhere.
    pub fn growth(&self, column: Column, dimension: usize) -> Option<Growth> {
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
        // The bound of column A is one of the body with the most neighbours.
        let most = if column == Column::A { fitted(true)? } else { mean };
        Some(if most.judgement > mean.judgement { most } else { mean })
    }

    /// The point of the most bodies.
    pub fn last(&self) -> Option<&Measured> {
        self.points.last()
    }
}

impl Panel {
    /// The curve of a structure.
    pub fn curve(&self, structure: Structure) -> Option<&Curve> {
        self.curves.iter().find(|curve| curve.structure == structure)
    }

    /// What all structures that ran so many bodies measured.
    pub fn at(&self, count: usize) -> impl Iterator<Item = &Measured> {
        self.curves.iter().flat_map(|curve| &curve.points).filter(move |run| run.count == count)
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
pub fn most_bodies(structure: Structure, crowding: Crowding, settings: &Settings) -> usize {
    match (structure, crowding) {
        (Structure::AllPairs | Structure::SegmentTrees, _) if settings.quick => 300,
        (Structure::SegmentTrees, Crowding::Dense) => 10_000,
        (Structure::Laguerre, Crowding::Dilute) => 10_000,
        (Structure::AllPairs | Structure::SegmentTrees, _) => 3000,
        _ => usize::MAX,
    }
}

/// The fewest bodies that are run with a structure: in the periodic box of a few hundred spheres far
/// apart, a triangulation must hold several images of each, whose flips and bytes would count too.
pub fn fewest_bodies(structure: Structure, crowding: Crowding, dimension: usize) -> usize {
    match (structure, crowding, dimension) {
        (Structure::Laguerre, Crowding::Dilute, 3) => 1000,
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
    (2 * System::ALL.len() * bodies) as f64
}

/// Measures the four systems in one dimension.
pub fn measure_all<const D: usize>(
    settings: &Settings,
    stopwatch: &Stopwatch,
    progress: &mut Progress<'_>,
) -> Vec<Panel> {
    System::ALL.map(|system| panel::<D>(system, settings, stopwatch, progress)).into()
}

fn panel<const D: usize>(
    system: System,
    settings: &Settings,
    stopwatch: &Stopwatch,
    progress: &mut Progress<'_>,
) -> Panel {
    let curve = |structure: Structure| Curve { structure, points: Vec::new() };
    let mut curves = STRUCTURES.map(curve);
    for count in counts(settings).into_iter().filter(|&count| system.has_room(D, count)) {
        progress.step(&format!("{D}D, {system}, {count} bodies"), count as f64);
        let start = system.start::<D>(count);
        for curve in &mut curves {
            let fewest = fewest_bodies(curve.structure, system.crowding, D);
            let most = most_bodies(curve.structure, system.crowding, settings);
            if (fewest..=most).contains(&count) {
                let collisions = collisions(count, settings);
                curve.points.push(measure(&start, curve.structure, collisions, stopwatch));
            }
        }
    }
    Panel { dimension: D, system, curves: curves.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paper_000::bound::Judgement;

    fn point(count: usize, most_neighbours: usize) -> Measured {
        Measured {
            structure: Structure::CellGrid,
            count,
            mean_neighbours: 8.0,
            most_neighbours,
            fresh_per_change: Some(2.0),
            tests_per_prediction: 8.0,
            changes_per_collision: 0.3,
            start_seconds: 1e-6 * count as f64,
            bytes_per_body: 24.0,
            tests_per_collision: 20.0,
            microseconds_per_collision: 1.0,
            digest: 1,
            upkeep: None,
        }
    }

    fn curve(most_neighbours: fn(usize) -> usize) -> Curve {
        let points = [1000, 3000, 10_000, 30_000, 100_000];
        let points = points.map(|count| point(count, most_neighbours(count))).into();
        Curve { structure: Structure::CellGrid, points }
    }

    #[test]
    fn known_growth_is_judged_by_the_printed_bounds() {
        let judged = |column| curve(|_| 20).growth(column, 3).map(|growth| growth.judgement);
        assert_eq!(judged(Column::A), Some(Judgement::Within));
        assert_eq!(judged(Column::C), None);
        assert_eq!(judged(Column::D), Some(Judgement::Within));
        assert_eq!(judged(Column::E), Some(Judgement::Smaller));
        assert_eq!(judged(Column::F), Some(Judgement::Within));
        assert_eq!(judged(Column::G), Some(Judgement::Within));
    }

    #[test]
    fn the_body_with_the_most_neighbours_counts_too() {
        let growth = curve(|count| count / 100).growth(Column::A, 3).unwrap();
        assert_eq!(growth.judgement, Judgement::Exceeds);
        assert!((growth.measured - 1.0).abs() < 1e-9);
    }

    #[test]
    fn only_a_few_structures_are_left_out_of_large_systems() {
        let full = Settings { quick: false };
        let everyone = |structure| most_bodies(structure, Crowding::Dilute, &full) >= 100_000;
        assert_eq!(most_bodies(Structure::Laguerre, Crowding::Dense, &full), usize::MAX);
        let left: Vec<_> = STRUCTURES.into_iter().filter(|&one| everyone(one)).collect();
        assert_eq!(left, [Structure::CellGrid, Structure::CellTree, Structure::Shells]);
    }
}
