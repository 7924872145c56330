//! How structures take unequal sizes: dense mixtures of two sizes, each with half of the volume.

use super::measured::{Measured, measure};
use super::system::{DensityRegime, HardSphereSystem, RadiusDistribution};
use crate::measure::Stopwatch;
use crate::{PaperProgress, Settings};
use carom::simulate::event_driven::NeighborStructure;

/// Structures on a mixture.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// 2 or 3.
    pub dimension: usize,
    /// How many times larger the large bodies are.
    pub ratio: u32,
    /// One per structure, in the order of [`COMPARED`].
    pub runs: Vec<Measured>,
}

/// All pairs test everyone, whatever the sizes.
pub const COMPARED: [NeighborStructure; 5] = [
    NeighborStructure::Laguerre,
    NeighborStructure::CellGrid,
    NeighborStructure::CellTree,
    NeighborStructure::SegmentTrees,
    NeighborStructure::NeighborLists,
];
/// Diameters of large bodies in units of small ones.
pub const RATIOS: [u32; 3] = [1, 5, 10];

/// Measures mixtures in the plane, and in space too unless it has to be quick: only large boxes have
/// room for cells around spheres ten times the width of the others.
pub fn measure_all(
    settings: &Settings,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Vec<Mixture> {
    if settings.quick {
        return mixtures::<2>(2000, 1000, stopwatch, progress);
    }
    let mut all = mixtures::<2>(10_000, 20_000, stopwatch, progress);
    all.extend(mixtures::<3>(100_000, 3_000, stopwatch, progress));
    all
}

/// About what all mixtures cost, in bodies made ready.
pub(super) fn cost(settings: &Settings) -> f64 {
    let bodies = if settings.quick { 2000 } else { 110_000 };
    (RATIOS.len() * bodies) as f64
}

fn mixtures<const D: usize>(
    count: usize,
    collisions: u64,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Vec<Mixture> {
    let mixture = |ratio: u32| {
        progress.step(&format!("{D}D, mixture 1:{ratio}, {count} bodies"), count as f64);
        let system = HardSphereSystem {
            density: DensityRegime::Dense,
            radii: RadiusDistribution::Mixture(ratio),
        };
        let start = system.prepare::<D>(count);
        let run = |structure| measure(&start, structure, collisions, stopwatch);
        Mixture { dimension: D, ratio, runs: COMPARED.map(run).into() }
    };
    RATIOS.map(mixture).into()
}

impl Mixture {
    /// What a structure measured.
    pub fn run(&self, structure: NeighborStructure) -> Option<&Measured> {
        self.runs.iter().find(|run| run.structure == structure)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mixture_has_room_for_cells() {
        for ratio in RATIOS {
            let system = HardSphereSystem {
                density: DensityRegime::Dense,
                radii: RadiusDistribution::Mixture(ratio),
            };
            assert!(system.has_room(2, 2000) && system.has_room(3, 100_000), "1:{ratio}");
        }
    }
}
