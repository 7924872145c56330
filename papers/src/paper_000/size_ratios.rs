//! How structures take unequal sizes: dense mixtures of two sizes, each with half of the volume.

use super::measured::{STRUCTURES, measure};
use super::system::{DensityRegime, HardSphereSystem, RadiusDistribution};
use crate::measure::Stopwatch;
use crate::records::{Records, record};
use crate::{PaperProgress, Settings};

/// Diameters of large bodies in units of small ones.
const RATIOS: [u32; 3] = [1, 5, 10];

/// About what all mixtures cost, in bodies made ready.
pub(super) fn cost(settings: &Settings) -> f64 {
    RATIOS.len() as f64 * settings.either(2000.0, 110_000.0)
}

/// Measures mixtures in the plane, and in space too unless it has to be quick: only large boxes have
/// room for cells around spheres ten times the width of the others.
pub fn measure_all(
    settings: &Settings,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Records {
    if settings.quick {
        return mixtures::<2>(2000, 1000, stopwatch, progress);
    }
    let mut all = mixtures::<2>(10_000, 20_000, stopwatch, progress);
    all.extend(mixtures::<3>(100_000, 3_000, stopwatch, progress));
    all
}

/// All pairs are left out: they test everyone, whatever the sizes.
fn mixtures<const D: usize>(
    count: usize,
    collisions: u64,
    stopwatch: &Stopwatch,
    progress: &mut PaperProgress<'_>,
) -> Records {
    let mut all = Records::default();
    for ratio in RATIOS {
        progress.step(&format!("{D}D, mixture 1:{ratio}, {count} bodies"), count as f64);
        let radii = RadiusDistribution::Mixture(ratio);
        let start = HardSphereSystem { density: DensityRegime::Dense, radii }.prepare::<D>(count);
        all.extend(STRUCTURES[1..].iter().map(|&structure| {
            let names = record! { "dimension": D, "mixture": format!("{D}D {radii}") };
            names.and(measure(&start, structure, collisions, stopwatch))
        }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mixture_has_room_for_cells() {
        for ratio in RATIOS {
            let radii = RadiusDistribution::Mixture(ratio);
            let system = HardSphereSystem { density: DensityRegime::Dense, radii };
            assert!(system.prepare::<2>(2000).has_room_for_cells(), "1:{ratio}");
        }
    }
}
