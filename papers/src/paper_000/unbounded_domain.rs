//! Guideline 5: a system of which neither the size nor the largest body is known in advance.
//!
//! Bodies fly apart in a space without sides while their radii grow. Whoever has made cells for the
//! largest body must make them anew, and so must whoever stands in a box that bodies leave.

use super::measured::{STRUCTURES, rebuild_count};
use super::system::{DensityRegime, HardSphereSystem, RadiusDistribution};
use carom::simulate::event_driven::{
    BoundaryCondition, LubachevskyStillingerGrowth, NeighborStructure, Region, Settings, Simulation,
};

/// How many bodies.
pub const COUNT: usize = 200;
/// By what factor their radii grow.
pub const GROWN: f64 = 4.0;
/// By so much of their first radius they grow in a unit of time: so slowly that meanwhile bodies get far
/// beyond where they began.
const RATE: f64 = 0.05;

/// A structure in the space without sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnboundedRun {
    /// 2 or 3.
    pub dimension: usize,
    /// Which structure.
    pub structure: NeighborStructure,
    /// How often it was rebuilt because bodies had grown or gone too far.
    pub rebuilds: u64,
    /// Collisions of all bodies.
    pub collisions: u64,
    /// Fingerprint of them.
    pub digest: u64,
}

/// Runs every structure, in the order of [`STRUCTURES`].
pub fn measure<const D: usize>() -> Vec<UnboundedRun> {
    let mut runs: Vec<_> = STRUCTURES.into_iter().map(run::<D>).collect();
    // All pairs know nothing: they are rebuilt only when the whole run is, as after a change of all
    // velocities.
    let everyone = runs[0].rebuilds;
    runs.iter_mut().for_each(|run| run.rebuilds -= everyone);
    runs
}

fn run<const D: usize>(structure: NeighborStructure) -> UnboundedRun {
    let system =
        HardSphereSystem { density: DensityRegime::Dilute, radii: RadiusDistribution::Spread(5) };
    let (bodies, settings) = system.inserted::<D>(COUNT);
    let region = Region { boundary_conditions: [BoundaryCondition::Open; D], ..settings.region };
    let growth = Some(LubachevskyStillingerGrowth { rate: RATE, until: None });
    let settings = Settings { structure, region, growth, ..settings };
    let mut simulation =
        Simulation::new(&bodies, settings).expect("bodies of the paper do not overlap");
    simulation.advance((GROWN - 1.0) / RATE, u64::MAX);
    let counters = simulation.counters();
    UnboundedRun {
        dimension: D,
        structure,
        rebuilds: rebuild_count(&simulation),
        collisions: counters.collisions,
        digest: counters.digest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_made_anew_and_nobody_misses_a_collision() {
        let runs = measure::<2>();
        assert!(runs[0].collisions > 100);
        for run in &runs {
            assert_eq!(run.digest, runs[0].digest, "{run:?}");
            let knows_nothing = matches!(
                run.structure,
                NeighborStructure::AllPairs | NeighborStructure::SegmentTrees
            );
            assert_eq!(run.rebuilds == 0, knows_nothing, "{run:?}");
        }
    }
}
