use crate::broad::{
    AllPairs, BroadPhase, CellSize, CellTree, Delaunay, DistanceSort, HierarchicalGrid,
    KeptSortAndSweep, LinkedCells, Origin, SortAndSweep,
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
/// | `SortAndSweep` | some dozens of spheres, or a long thin box |
/// | `KeptSortAndSweep` | one search per step of bodies that move little, and you want to see its paper's method at work |
/// | `Delaunay` | you want to see its paper's method at work; never the fastest |
/// | `DistanceSort` | a few spheres that nearly all overlap, or to reproduce its paper |
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Method<const D: usize> {
    /// Looks at the system and chooses.
    #[default]
    Auto,
    /// Every sphere against every other.
    AllPairs,
    /// Sorted by distance from a point.
    DistanceSort(Origin<D>),
    /// Lists of spheres in the cells of a lattice.
    LinkedCells(CellSize),
    /// The occupied cells in a balanced tree.
    CellTree,
    /// Sorted along one axis.
    SortAndSweep,
    /// Bounding boxes, kept sorted along every axis from one search to the next.
    KeptSortAndSweep,
    /// Grids by size, streamed layer by layer.
    HierarchicalGrid,
    /// Walks in the Laguerre Delaunay triangulation.
    Delaunay,
}

impl<const D: usize> Method<D> {
    /// Every method with its usual settings.
    pub const ALL: [Self; 9] = [
        Method::Auto,
        Method::AllPairs,
        Method::DistanceSort(Origin::Corner),
        Method::LinkedCells(CellSize::LargestDiameter),
        Method::CellTree,
        Method::SortAndSweep,
        Method::KeptSortAndSweep,
        Method::HierarchicalGrid,
        Method::Delaunay,
    ];

    /// The method's name on the command line.
    pub fn name(&self) -> &'static str {
        match self {
            Method::Auto => "auto",
            Method::AllPairs => "all-pairs",
            Method::DistanceSort(_) => "distance-sort",
            Method::LinkedCells(_) => "linked-cells",
            Method::CellTree => "cell-tree",
            Method::SortAndSweep => "sort-and-sweep",
            Method::KeptSortAndSweep => "kept-sort-and-sweep",
            Method::HierarchicalGrid => "hierarchical-grid",
            Method::Delaunay => "delaunay",
        }
    }

    /// The method called `name`, with its usual settings.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Refuses settings that make no sense.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match *self {
            Method::LinkedCells(CellSize::MeanNumber(mean)) if !(1e-6..=1e12).contains(&mean) => {
                Err(Error::Setting {
                    what: "the mean number of spheres per cell",
                    value: mean,
                    rule: "it must be between 1e-6 and 1e12",
                })
            }
            Method::DistanceSort(Origin::Point(point)) => {
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
    pub(crate) fn structure(&self) -> Box<dyn BroadPhase<D> + Send> {
        match *self {
            Method::Auto => unreachable!("auto is resolved before a structure is made"),
            Method::AllPairs => Box::new(AllPairs),
            Method::DistanceSort(origin) => Box::new(DistanceSort::new(origin)),
            Method::LinkedCells(size) => Box::new(LinkedCells::new(size)),
            Method::CellTree => Box::new(CellTree::new()),
            Method::SortAndSweep => Box::new(SortAndSweep::new()),
            Method::KeptSortAndSweep => Box::new(KeptSortAndSweep::new()),
            Method::HierarchicalGrid => Box::new(HierarchicalGrid::new()),
            Method::Delaunay => Box::new(Delaunay::new()),
        }
    }
}
