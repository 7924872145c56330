//! Structures on unequal sizes: dense mixtures of two sizes, each with half of the volume.

use super::measured::measure;
use super::system::{DensityRegime, HardSphereSystem, RadiusDistribution};
use crate::measure::Stopwatch;
use crate::records::{Records, record};
use crate::{PaperProgress, Settings};
use carom::simulate::event_driven::NeighborStructure;

/// Diameters of large bodies in units of small ones.
const RATIOS: [u32; 3] = [1, 5, 10];

/// The mixtures of each dimension with their numbers of bodies and collisions: in the plane, and in space too unless it
/// has to be quick: only large boxes have room for cells around spheres ten times the width of the others.
fn sizes(settings: &Settings) -> &'static [(usize, usize, u64)] {
    settings.either(&[(2, 2000, 1000)], &[(2, 10_000, 20_000), (3, 100_000, 3_000)])
}

/// Number of mixtures that are measured.
pub(super) fn count(settings: &Settings) -> usize {
    RATIOS.len() * sizes(settings).len()
}

/// Measures all mixtures.
pub fn measure_all(
    settings: &Settings,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Records {
    let mixtures = |&(dimension, count, collisions): &(usize, usize, u64)| match dimension {
        2 => mixtures::<2>(count, collisions, stopwatch, progress),
        _ => mixtures::<3>(count, collisions, stopwatch, progress),
    };
    sizes(settings).iter().flat_map(mixtures).collect()
}

/// All pairs are left out: they test everyone, whatever the sizes.
fn mixtures<const D: usize>(
    count: usize,
    collisions: u64,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Records {
    let of_ratio = |ratio| {
        let radii = RadiusDistribution::Mixture(ratio);
        let system = HardSphereSystem { density: DensityRegime::Dense, radii };
        system.sweep::<D>(&[count], progress, |start, structure| {
            let names = record! { "dimension": D, "mixture": format!("{D}D {radii}") };
            let run = || measure(start, structure, collisions, stopwatch);
            (structure != NeighborStructure::AllPairs).then(|| names.and(run()))
        })
    };
    RATIOS.into_iter().flat_map(of_ratio).collect()
}
