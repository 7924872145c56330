//! Column C: the time of a topological event without collision checks.
//!
//! In a gas that fills a thousandth of its box bodies change cells, neighbor lists and ends a hundred times
//! and more between two collisions, and have hardly any new neighbor to check: nearly all of the
//! time goes into the events themselves.

use super::measured::topological_events;
use super::system::{DensityRegime, HardSphereSystem, RadiusDistribution};
use super::table_1;
use crate::records::{Records, record};
use crate::{PaperProgress, Settings};
use carom::simulate::event_driven::{NeighborStructure, Simulation};
use std::time::Instant;

const THIN: HardSphereSystem =
    HardSphereSystem { density: DensityRegime::Thin, radii: RadiusDistribution::Equal };
/// The shortest of this many stretches counts.
const STRETCHES: usize = 4;

/// The time of an event of every structure that has topological events, over the numbers of bodies.
pub fn measure<const D: usize>(settings: &Settings, progress: &mut PaperProgress<'_>) -> Records {
    let changes = settings.either(3_000, 200_000);
    THIN.sweep::<D>(&table_1::counts(settings), progress, |start, structure| {
        // A flip takes many times as long as a change of cells.
        let part = if structure == NeighborStructure::Laguerre { 10 } else { 1 };
        let time = || time_of_event(&mut start.run_with(structure), changes / part);
        (structure != NeighborStructure::AllPairs).then(|| {
            record! {
                "dimension": D, "system": THIN.to_string(), "structure": structure.name(),
                "bodies": start.saved.records.len(), "C ns": time(),
            }
        })
    })
}

/// Wall time per topological event, in nanoseconds.
fn time_of_event<const D: usize>(simulation: &mut Simulation<D>, changes: u64) -> f64 {
    let mut slice = 1e-3;
    let times = (0..STRETCHES).map(|_| stretch(simulation, changes, &mut slice));
    1e9 * times.fold(f64::INFINITY, f64::min)
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
    use super::super::measured::STRUCTURES;
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
