//! Table 1 measured: every structure on every system, from few bodies to many.

use super::measured::measure;
use super::system::{DensityRegime, HardSphereSystem};
use crate::measure::Stopwatch;
use crate::records::{Records, record};
use crate::{PaperProgress, Settings};
use carom::simulate::event_driven::NeighborStructure;
use std::ops::RangeInclusive;

/// The numbers of bodies: a hundred to a hundred thousand, or to a thousand in a quick run.
pub fn counts(settings: &Settings) -> Vec<usize> {
    settings.counts(1000, 100_000)
}

/// Numbers of bodies with which a structure is run.
///
/// All pairs cost too much beyond a few thousand, and so do segment trees in a dilute system, where exchanges of ends
/// outnumber collisions a thousandfold. There the triangulation too costs hundreds of certificates per collision; and
/// in the periodic box of a few hundred spheres far apart it must hold several images of each, whose flips and bytes
/// would count too.
fn bodies(
    structure: NeighborStructure,
    density: DensityRegime,
    dimension: usize,
    settings: &Settings,
) -> RangeInclusive<usize> {
    match (structure, density, dimension) {
        (NeighborStructure::AllPairs, ..) => 0..=settings.either(300, 3000),
        (NeighborStructure::SegmentTrees, DensityRegime::Dense, _) => {
            0..=settings.either(300, 10_000)
        }
        (NeighborStructure::SegmentTrees, ..) => 0..=settings.either(300, 3000),
        (NeighborStructure::Laguerre, DensityRegime::Dilute, 3) => 1000..=10_000,
        (NeighborStructure::Laguerre, DensityRegime::Dilute, _) => 0..=10_000,
        _ => 0..=usize::MAX,
    }
}

/// Measures the four systems in one dimension, system by system and structure by structure.
pub fn measure_all<const D: usize>(
    settings: &Settings,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Records {
    let runs = |system: HardSphereSystem| {
        system.sweep(&counts(settings), progress, |start, structure| {
            let count = start.saved.records.len();
            let is_run = start.has_room_for_cells()
                && bodies(structure, system.density, D, settings).contains(&count);
            let collisions =
                settings.either(count.clamp(300, 1000), (2 * count).clamp(1000, 50_000));
            let names = record! { "dimension": D, "system": system.to_string() };
            let run = || measure::<D>(start, structure, collisions as u64, stopwatch);
            is_run.then(|| names.and(run()))
        })
    };
    HardSphereSystem::ALL.into_iter().flat_map(runs).collect()
}
