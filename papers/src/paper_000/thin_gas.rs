//! Column C: the time of a topological event without collision checks.
//!
//! In a gas that fills a thousandth of its box bodies change cells, shells and ends a hundred times
//! and more between two collisions, and have hardly any new neighbor to check: nearly all of the
//! time goes into the events themselves.

use super::bound::{self, FittedGrowth};
use super::measured::{STRUCTURES, topological_events};
use super::published::{self, ComplexityColumn};
use super::system::{DensityRegime, HardSphereSystem, PreparedSystem, RadiusDistribution};
use super::table_1;
use crate::{PaperProgress, Settings};
use carom::simulate::event_driven::{NeighborStructure, Simulation};
use std::time::Instant;

/// A structure in the thin gas, over the numbers of bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct ThinGasCurve {
    /// 2 or 3.
    pub dimension: usize,
    /// Which structure.
    pub structure: NeighborStructure,
    /// From few bodies to many.
    pub points: Vec<ThinGasPoint>,
}

/// Events among this many bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ThinGasPoint {
    /// How many bodies.
    pub count: usize,
    /// Wall time per topological event.
    pub nanoseconds_per_event: f64,
}

impl ThinGasCurve {
    /// How the time of an event grows, against the bound of column C.
    pub fn growth(&self) -> Option<FittedGrowth> {
        let point = |point: &ThinGasPoint| (point.count as f64, point.nanoseconds_per_event);
        let points: Vec<_> = self.points.iter().map(point).collect();
        let bound = published::bounds(self.structure)[ComplexityColumn::C as usize];
        bound::growth(&points, bound, self.dimension, ComplexityColumn::C.tolerance())
    }
}

const THIN: HardSphereSystem =
    HardSphereSystem { density: DensityRegime::Thin, radii: RadiusDistribution::Equal };
/// The shortest of this many stretches counts.
const STRETCHES: usize = 4;

/// Measures every structure that has topological events.
pub fn measure<const D: usize>(
    settings: &Settings,
    progress: &mut PaperProgress<'_>,
) -> Vec<ThinGasCurve> {
    let curve = |structure| ThinGasCurve { dimension: D, structure, points: Vec::new() };
    let mut curves: Vec<ThinGasCurve> = STRUCTURES[1..].iter().copied().map(curve).collect();
    let changes = if settings.quick { 3_000 } else { 200_000 };
    for count in table_1::counts(settings) {
        progress.step(&format!("{D}D, thin gas, {count} bodies"), 0.3 * count as f64);
        let start = THIN.prepare::<D>(count);
        for curve in &mut curves {
            // A flip takes many times as long as a change of cells.
            let part = if curve.structure == NeighborStructure::Laguerre { 10 } else { 1 };
            curve.points.push(point(&start, curve.structure, changes / part));
        }
    }
    curves
}

fn point<const D: usize>(
    start: &PreparedSystem<D>,
    structure: NeighborStructure,
    changes: u64,
) -> ThinGasPoint {
    let mut simulation = start.run_with(structure);
    let mut slice = 1e-3;
    let times = (0..STRETCHES).map(|_| stretch(&mut simulation, changes, &mut slice));
    let shortest = times.fold(f64::INFINITY, f64::min);
    ThinGasPoint { count: simulation.count(), nanoseconds_per_event: 1e9 * shortest }
}

/// Seconds per change over at least this many; `slice` becomes the time in which a good part of them
/// happens.
fn stretch<const D: usize>(simulation: &mut Simulation<D>, changes: u64, slice: &mut f64) -> f64 {
    let first = topological_events(simulation);
    let done = |simulation: &Simulation<D>| topological_events(simulation) - first;
    let begin = Instant::now();
    while done(simulation) < changes {
        let before = done(simulation);
        simulation.advance(simulation.now() + *slice, u64::MAX);
        if 4 * (done(simulation) - before) < changes {
            *slice *= 2.0;
        }
    }
    begin.elapsed().as_secs_f64() / done(simulation) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardly_anything_but_topological_events_happens() {
        let start = THIN.prepare::<3>(300);
        for structure in &STRUCTURES[1..] {
            let mut simulation = start.run_with(*structure);
            let counted = |simulation: &Simulation<3>| {
                (simulation.counters().collisions, topological_events(simulation))
            };
            let before = counted(&simulation);
            stretch(&mut simulation, 10_000, &mut 1e-3);
            let after = counted(&simulation);
            assert!(30 * (after.0 - before.0) < after.1 - before.1, "{}", structure.name());
        }
    }
}
