//! Table 1 measured: every structure on every system, from few bodies to many.

use super::measured::{STRUCTURES, measure};
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

/// About what both dimensions cost, in bodies made ready.
pub(super) fn cost(settings: &Settings) -> f64 {
    (2 * HardSphereSystem::ALL.len() * counts(settings).iter().sum::<usize>()) as f64
}

/// With how many bodies a structure is run.
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
    let mut all = Records::default();
    for system in HardSphereSystem::ALL {
        let mut by_structure = STRUCTURES.map(|structure| (structure, Records::default()));
        for count in counts(settings) {
            progress.step(&format!("{D}D, {system}, {count} bodies"), count as f64);
            let start = system.prepare::<D>(count);
            let collisions =
                settings.either(count.clamp(300, 1000), (2 * count).clamp(1000, 50_000));
            for (structure, runs) in by_structure.iter_mut().filter(|_| start.has_room_for_cells())
            {
                if bodies(*structure, system.density, D, settings).contains(&count) {
                    let names = record! { "dimension": D, "system": system.to_string() };
                    let run = measure(&start, *structure, collisions as u64, stopwatch);
                    runs.extend([names.and(run)]);
                }
            }
        }
        all.extend(by_structure.into_iter().flat_map(|(_, runs)| runs));
    }
    all
}
