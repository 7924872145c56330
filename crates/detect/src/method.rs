use crate::broad::{
    AllPairs, BroadPhase, CellSize, CellTree, DelaunayBroadPhase, DistanceSort, DistanceSortOrigin,
    HierarchicalGrid, IncrementalSweepBroadPhase, LinkedCells, SweepAndPrune,
};
use crate::error::{Error, LARGEST_NUMBER};

/// How to search. Every method gives the same answer, to the bit.
///
/// | method | take it when |
/// |---|---|
/// | `Auto` | always, unless you have a reason |
/// | `HierarchicalGrid` | any sizes, any number: what `Auto` mostly takes |
/// | `CellTree` | a box that is mostly empty: clumps far apart |
/// | `AllPairs` | a few dozen spheres |
/// | `LinkedCells` | similar sizes in a full box, to compare with the textbook |
/// | `SweepAndPrune` | some dozens of spheres, or a long thin box |
/// | `IncrementalSweepAndPrune` | one search per step of bodies that move little, and you want to see its paper's method at work |
/// | `Delaunay` | you want to see its paper's method at work; never the fastest |
/// | `DistanceSort` | a few spheres that nearly all overlap, or to reproduce its paper |
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum BroadPhaseMethod<const D: usize> {
    /// Looks at the system and chooses.
    #[default]
    Auto,
    /// Every sphere against every other.
    AllPairs,
    /// Sorted by distance from a point.
    DistanceSort(DistanceSortOrigin<D>),
    /// Lists of spheres in the cells of a lattice.
    LinkedCells(CellSize),
    /// The occupied cells in a balanced tree.
    CellTree,
    /// Sorted along one axis.
    SweepAndPrune,
    /// Bounding boxes, kept sorted along every axis from one search to the next.
    IncrementalSweepAndPrune,
    /// Grids by size, streamed layer by layer.
    HierarchicalGrid,
    /// Walks in the Laguerre Delaunay triangulation.
    Delaunay,
}

impl<const D: usize> BroadPhaseMethod<D> {
    /// Every method with its usual settings.
    pub const ALL: [Self; 9] = [
        BroadPhaseMethod::Auto,
        BroadPhaseMethod::AllPairs,
        BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Corner),
        BroadPhaseMethod::LinkedCells(CellSize::LargestDiameter),
        BroadPhaseMethod::CellTree,
        BroadPhaseMethod::SweepAndPrune,
        BroadPhaseMethod::IncrementalSweepAndPrune,
        BroadPhaseMethod::HierarchicalGrid,
        BroadPhaseMethod::Delaunay,
    ];

    /// The method's name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            BroadPhaseMethod::Auto => "auto",
            BroadPhaseMethod::AllPairs => "all-pairs",
            BroadPhaseMethod::DistanceSort(_) => "distance-sort",
            BroadPhaseMethod::LinkedCells(_) => "linked-cells",
            BroadPhaseMethod::CellTree => "cell-tree",
            BroadPhaseMethod::SweepAndPrune => "sweep-and-prune",
            BroadPhaseMethod::IncrementalSweepAndPrune => "incremental-sweep-and-prune",
            BroadPhaseMethod::HierarchicalGrid => "hierarchical-grid",
            BroadPhaseMethod::Delaunay => "delaunay",
        }
    }

    /// The method called `name`, with its usual settings.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Refuses settings that make no sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match *self {
            BroadPhaseMethod::LinkedCells(CellSize::MeanNumber(mean))
                if !(1e-6..=1e12).contains(&mean) =>
            {
                Err(Error::Setting {
                    what: "the mean number of spheres per cell",
                    value: mean,
                    rule: "it must be between 1e-6 and 1e12",
                })
            }
            BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Point(point)) => {
                match point.iter().find(|value| value.is_nan() || value.abs() > LARGEST_NUMBER) {
                    Some(&value) => Err(Error::Setting {
                        what: "a coordinate of the origin",
                        value,
                        rule: "it must be finite and at most 1e100 in size",
                    }),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// An empty structure for this method; `Auto` must have been resolved.
    pub(crate) fn new_broad_phase(&self) -> Box<dyn BroadPhase<D> + Send> {
        match *self {
            BroadPhaseMethod::Auto => unreachable!("auto is resolved before a structure is made"),
            BroadPhaseMethod::AllPairs => Box::new(AllPairs),
            BroadPhaseMethod::DistanceSort(origin) => Box::new(DistanceSort::new(origin)),
            BroadPhaseMethod::LinkedCells(size) => Box::new(LinkedCells::new(size)),
            BroadPhaseMethod::CellTree => Box::new(CellTree::new()),
            BroadPhaseMethod::SweepAndPrune => Box::new(SweepAndPrune::new()),
            BroadPhaseMethod::IncrementalSweepAndPrune => {
                Box::new(IncrementalSweepBroadPhase::new())
            }
            BroadPhaseMethod::HierarchicalGrid => Box::new(HierarchicalGrid::new()),
            BroadPhaseMethod::Delaunay => Box::new(DelaunayBroadPhase::new()),
        }
    }
}
