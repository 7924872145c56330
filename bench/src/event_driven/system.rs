//! Workloads: fluids of hard spheres and discs in periodic boxes.
//!
//! The (large) sphere has diameter one, all masses are one, kT is one, collisions are elastic.

use crate::cases::Case;
use carom::simulate::event_driven::NeighborStructure;

/// A fluid; how many bodies it has is said beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct System {
    /// The name in commands and results.
    pub name: &'static str,
    /// 2 or 3.
    pub dimension: usize,
    /// The part of the box that is filled.
    pub packing_fraction: f64,
    /// The diameter of the small spheres, if there are equal volumes of two sizes.
    pub small_diameter: Option<f64>,
}

const fn mono(name: &'static str, packing_fraction: f64) -> System {
    System { name, dimension: 3, packing_fraction, small_diameter: None }
}

const fn binary(name: &'static str, small_diameter: f64) -> System {
    System { small_diameter: Some(small_diameter), ..mono(name, 0.3) }
}

const fn discs(name: &'static str, packing_fraction: f64) -> System {
    System { dimension: 2, ..mono(name, packing_fraction) }
}

/// All systems: equal spheres up to just below freezing, equal volumes of spheres of two sizes, and equal discs up to just
/// at freezing.
pub const ALL: [System; 7] = [
    mono("mono-0.1", 0.1),
    mono("mono-0.3", 0.3),
    mono("mono-0.49", 0.49),
    binary("binary-1:5", 0.2),
    binary("binary-1:10", 0.1),
    discs("discs-0.3", 0.3),
    discs("discs-0.7", 0.7),
];

/// A system, its size, and how long it is run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FluidRun {
    /// The fluid.
    pub system: System,
    /// Number of bodies.
    pub bodies: usize,
    /// Collisions before anything is measured.
    pub warm_up: u64,
    /// Collisions that are timed in a round, by whole, medium and short effort.
    pub windows: [u64; 3],
}

/// Length of a contender's run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuringEffort {
    /// Warm-up of its own, the whole window, all rounds.
    Whole,
    /// Warm-up of its own, a shorter window, all rounds.
    Medium,
    /// A short window, once, from the warm state of another contender.
    Short,
}

/// Structures whose cost grows with the number of bodies are left out above.
const MOST_FOR_SLOW_STRUCTURES: usize = 5000;
/// Above, the warm-up of the triangulation would take minutes.
const MOST_FOR_TRIANGULATION: usize = 100_000;

impl FluidRun {
    /// Returns the run of a case.
    pub fn of(case: &Case) -> Self {
        let system = ALL.into_iter().find(|system| system.name == case.workload);
        FluidRun {
            system: system.expect("a test has run the cases"),
            bodies: case.size,
            warm_up: case.warm_up,
            windows: [case.window, case.window / 10, case.window / 50],
        }
    }

    /// Returns how long a structure of carom is run; nothing if it would take far too long.
    pub fn effort(&self, structure: NeighborStructure) -> Option<MeasuringEffort> {
        use MeasuringEffort::{Medium, Short, Whole};
        match structure {
            NeighborStructure::AllPairs | NeighborStructure::SegmentTrees => {
                (self.bodies <= MOST_FOR_SLOW_STRUCTURES).then_some(Short)
            }
            NeighborStructure::CellGrid | NeighborStructure::CellTree => {
                Some(self.effort_of_cells())
            }
            // Its rate of examinations is found in the warm-up, so it needs one of its own.
            NeighborStructure::Laguerre => {
                (self.bodies <= MOST_FOR_TRIANGULATION).then_some(Medium)
            }
            NeighborStructure::Auto | NeighborStructure::NeighborLists => Some(Whole),
        }
    }

    /// Returns how long those are run whose cells are as wide as the largest sphere: many small ones
    /// are in each.
    pub fn effort_of_cells(&self) -> MeasuringEffort {
        match self.system.small_diameter {
            Some(_) => MeasuringEffort::Short,
            None => MeasuringEffort::Whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;

    #[test]
    fn the_slow_run_shortly_and_only_among_few() {
        let effort = |system: &str, bodies, structure| {
            FluidRun { bodies, ..FluidRun::of(&cases::tiny(system)) }.effort(structure)
        };
        let (few, many) = (4000, 100_000);
        let short = Some(MeasuringEffort::Short);
        assert_eq!(effort("mono-0.3", few, NeighborStructure::AllPairs), short);
        assert_eq!(effort("mono-0.3", many, NeighborStructure::SegmentTrees), None);
        let whole = Some(MeasuringEffort::Whole);
        assert_eq!(effort("mono-0.3", many, NeighborStructure::CellTree), whole);
        assert_eq!(effort("binary-1:10", 99_099, NeighborStructure::CellTree), short);
        assert_eq!(effort("binary-1:10", 99_099, NeighborStructure::NeighborLists), whole);
        let medium = Some(MeasuringEffort::Medium);
        assert_eq!(effort("mono-0.3", many, NeighborStructure::Laguerre), medium);
        assert_eq!(effort("mono-0.3", 1_000_000, NeighborStructure::Laguerre), None);
    }
}
