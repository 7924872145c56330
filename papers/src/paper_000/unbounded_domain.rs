//! Guideline 5: a system of which neither the size nor the largest body is known in advance.
//!
//! Bodies fly apart in a space without sides while their radii grow. Whoever has made cells for the
//! largest body must rebuild them, and so must whoever stands in a box that bodies leave.

use super::measured::{STRUCTURES, rebuild_count};
use super::system::{DensityRegime, HardSphereSystem, RadiusDistribution};
use crate::records::{Records, record};
use carom::simulate::event_driven::{
    BoundaryCondition, LubachevskyStillingerGrowth, NeighborStructure, Region, Settings, Simulation,
};

/// Number of bodies.
pub const COUNT: usize = 200;
/// Factor by which their radii grow.
pub const GROWN: f64 = 4.0;
/// By so much of their first radius they grow in a unit of time: so slowly that meanwhile bodies get far
/// beyond where they began.
const RATE: f64 = 0.05;

/// Every structure in the space without sides: how often it was rebuilt because bodies had grown or gone too far, and
/// collisions of all bodies with their fingerprint.
pub fn measure<const D: usize>() -> Records {
    let runs = STRUCTURES.map(|structure| (structure, run::<D>(structure)));
    // All pairs know nothing: they are rebuilt only when the whole run is, as after a change of all
    // velocities.
    let everyone = rebuild_count(&runs[0].1);
    let record = |(structure, run): &(NeighborStructure, Simulation<D>)| {
        record! {
            "dimension": D, "structure": structure.name(),
            "rebuilds": rebuild_count(run) - everyone, "collisions": run.counters().collisions,
            "their fingerprint": format!("{:016x}", run.counters().digest),
        }
    };
    runs.iter().map(record).collect()
}

fn run<const D: usize>(structure: NeighborStructure) -> Simulation<D> {
    let system =
        HardSphereSystem { density: DensityRegime::Dilute, radii: RadiusDistribution::Spread(5) };
    let start = system.inserted::<D>(COUNT);
    let settings = start.settings();
    let region = Region { boundary_conditions: [BoundaryCondition::Open; D], ..settings.region };
    let growth = Some(LubachevskyStillingerGrowth { rate: RATE, until: None });
    let settings = Settings { structure, region, growth, ..settings };
    let mut simulation =
        Simulation::new(&start.bodies, settings).expect("bodies of the paper do not overlap");
    simulation.advance((GROWN - 1.0) / RATE, u64::MAX);
    simulation
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_rebuilt_and_nobody_misses_a_collision() {
        let runs = measure::<2>();
        assert!(runs.number("collisions") > 100.0);
        for run in runs.iter() {
            assert_eq!(run.text("their fingerprint"), runs.text("their fingerprint"), "{run:?}");
            let knows_nothing =
                ["all-pairs", "segment-trees"].contains(&run.text("structure").as_str());
            assert_eq!(run.number("rebuilds") == 0.0, knows_nothing, "{run:?}");
        }
    }
}
