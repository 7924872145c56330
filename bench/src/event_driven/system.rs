//! What is measured: fluids of hard spheres and discs in periodic boxes.
//!
//! The (large) sphere has diameter one, all masses are one, kT is one, collisions are elastic.

use carom::simulate::event_driven::NeighborStructure;

/// A fluid; how many bodies it has is said beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum System {
    /// Equal spheres that fill a tenth of the box.
    Mono01,
    /// Equal spheres that fill three tenths.
    Mono03,
    /// Equal spheres just below freezing.
    Mono049,
    /// One to five in diameter, equal volumes of both.
    Binary5,
    /// One to ten in diameter, equal volumes of both.
    Binary10,
    /// Equal discs that cover three tenths of the box.
    Discs03,
    /// Equal discs just at freezing.
    Discs07,
}

impl System {
    /// All, in the order of the table.
    pub const ALL: [System; 7] = [
        System::Mono01,
        System::Mono03,
        System::Mono049,
        System::Binary5,
        System::Binary10,
        System::Discs03,
        System::Discs07,
    ];

    /// The name in commands and tables.
    pub fn name(self) -> &'static str {
        match self {
            System::Mono01 => "mono-0.1",
            System::Mono03 => "mono-0.3",
            System::Mono049 => "mono-0.49",
            System::Binary5 => "binary-1:5",
            System::Binary10 => "binary-1:10",
            System::Discs03 => "discs-0.3",
            System::Discs07 => "discs-0.7",
        }
    }

    /// 2 or 3.
    pub fn dimension(self) -> usize {
        if matches!(self, System::Discs03 | System::Discs07) { 2 } else { 3 }
    }

    /// The part of the box that is filled.
    pub fn packing_fraction(self) -> f64 {
        match self {
            System::Mono01 => 0.1,
            System::Mono03 | System::Binary5 | System::Binary10 | System::Discs03 => 0.3,
            System::Mono049 => 0.49,
            System::Discs07 => 0.7,
        }
    }

    /// The diameter of the small spheres, if there are two kinds.
    pub fn small_diameter(self) -> Option<f64> {
        match self {
            System::Binary5 => Some(0.2),
            System::Binary10 => Some(0.1),
            _ => None,
        }
    }
}

/// A system, its size, and how long it is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// The fluid.
    pub system: System,
    /// How many bodies.
    pub bodies: usize,
    /// Collisions before anything is measured.
    pub warm_up: u64,
    /// Collisions that are timed in a round.
    pub window: u64,
    /// Collisions that are timed in a round of those who are slower.
    pub medium_window: u64,
    /// Collisions that are timed of those who would take too long.
    pub short_window: u64,
    /// The best of this many counts.
    pub rounds: usize,
}

/// How long a contender is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeasuringEffort {
    /// Warm-up of its own, the whole window, all rounds.
    Whole,
    /// Warm-up of its own, a shorter window, all rounds.
    Medium,
    /// From the warm state of another, a short window, once.
    Short,
}

impl Case {
    /// Returns the name in the results.
    pub fn name(&self) -> String {
        format!("{} {}", self.system.name(), self.bodies)
    }

    /// As published comparisons run it.
    pub fn full(system: System, bodies: usize) -> Self {
        let (warm_up, rounds) = if bodies <= 100_000 {
            (10 * bodies as u64, 3)
        } else {
            let warm_up = match system {
                System::Mono01 => 500_000,
                System::Mono03 => 1_500_000,
                _ => 4_000_000,
            };
            (warm_up, 1)
        };
        let (window, medium_window, short_window) = (1_000_000, 100_000, 20_000);
        Case { system, bodies, warm_up, window, medium_window, short_window, rounds }
    }

    /// A few collisions, to show that the harness works.
    pub fn tiny(system: System, bodies: usize) -> Self {
        let (window, medium_window, short_window) = (2000, 1000, 500);
        Case { system, bodies, warm_up: 1000, window, medium_window, short_window, rounds: 1 }
    }

    /// How long a structure of carom is run; nothing if it would take far too long.
    pub fn effort(&self, structure: NeighborStructure) -> Option<MeasuringEffort> {
        match structure {
            NeighborStructure::AllPairs | NeighborStructure::SegmentTrees => {
                (self.bodies <= MOST_FOR_SLOW_STRUCTURES).then_some(MeasuringEffort::Short)
            }
            NeighborStructure::CellGrid | NeighborStructure::CellTree => {
                Some(self.effort_of_cells())
            }
            // Its rate of examinations is found in the warm-up, so it needs one of its own.
            NeighborStructure::Laguerre => {
                (self.bodies <= MOST_FOR_TRIANGULATION).then_some(MeasuringEffort::Medium)
            }
            NeighborStructure::Auto | NeighborStructure::NeighborLists => {
                Some(MeasuringEffort::Whole)
            }
        }
    }

    /// Collisions that are timed in a round.
    pub fn window_of(&self, effort: MeasuringEffort) -> u64 {
        match effort {
            MeasuringEffort::Whole => self.window,
            MeasuringEffort::Medium => self.medium_window,
            MeasuringEffort::Short => self.short_window,
        }
    }

    /// How long those are run whose cells are as wide as the largest sphere: many small ones are in
    /// each.
    pub fn effort_of_cells(&self) -> MeasuringEffort {
        if self.system.small_diameter().is_some() {
            MeasuringEffort::Short
        } else {
            MeasuringEffort::Whole
        }
    }
}

/// Structures whose cost grows with the number of bodies are left out above.
const MOST_FOR_SLOW_STRUCTURES: usize = 5000;
/// Above, the warm-up of the triangulation would take minutes.
const MOST_FOR_TRIANGULATION: usize = 100_000;

/// Every case of the full benchmark.
pub fn full() -> Vec<Case> {
    let mono = [System::Mono01, System::Mono03, System::Mono049]
        .into_iter()
        .flat_map(|system| [4000, 100_000, 1_000_000].map(|bodies| (system, bodies)));
    let others = [
        (System::Binary5, 12_600),
        (System::Binary10, 99_099),
        (System::Discs03, 4096),
        (System::Discs07, 4096),
        (System::Discs07, 100_000),
    ];
    mono.chain(others).map(|(system, bodies)| Case::full(system, bodies)).collect()
}

/// Every system with few bodies.
pub fn tiny() -> Vec<Case> {
    let case = |system| {
        let bodies = match system {
            System::Binary5 => 3024,
            System::Binary10 => 3003,
            _ => 500,
        };
        Case::tiny(system, bodies)
    };
    System::ALL.into_iter().map(case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_full_benchmark_has_nine_fluids_of_equal_spheres_and_five_others() {
        let cases = full();
        assert_eq!(cases.len(), 14);
        let many = cases.iter().filter(|case| case.bodies == 1_000_000);
        assert_eq!(
            many.map(|case| case.warm_up).collect::<Vec<_>>(),
            [500_000, 1_500_000, 4_000_000]
        );
        assert!(cases.iter().all(|case| case.window == 1_000_000));
    }

    #[test]
    fn the_tiny_benchmark_has_every_system() {
        assert_eq!(tiny().iter().map(|case| case.system).collect::<Vec<_>>(), System::ALL);
    }

    #[test]
    fn the_slow_run_shortly_and_only_among_few() {
        let few = Case::full(System::Mono03, 4000);
        let many = Case::full(System::Mono03, 100_000);
        let mixture = Case::full(System::Binary10, 99_099);
        assert_eq!(few.effort(NeighborStructure::AllPairs), Some(MeasuringEffort::Short));
        assert_eq!(many.effort(NeighborStructure::SegmentTrees), None);
        assert_eq!(many.effort(NeighborStructure::CellTree), Some(MeasuringEffort::Whole));
        assert_eq!(mixture.effort(NeighborStructure::CellTree), Some(MeasuringEffort::Short));
        assert_eq!(mixture.effort(NeighborStructure::NeighborLists), Some(MeasuringEffort::Whole));
        assert_eq!(many.effort(NeighborStructure::Laguerre), Some(MeasuringEffort::Medium));
        let most = Case::full(System::Mono03, 1_000_000);
        assert_eq!(most.effort(NeighborStructure::Laguerre), None);
    }
}
