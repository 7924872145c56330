//! The choice of a broad phase by name.

use crate::broad::{
    AllPairs, BroadPhase, CellSize, CellTree, DelaunayBroadPhase, DistanceSort, DistanceSortOrigin,
    HierarchicalGrid, IncrementalSweepBroadPhase, LinkedCells, SweepAndPrune,
};
use crate::error::{Error, LARGEST_NUMBER};

/// The broad-phase method of a [`ContactSearch`](crate::ContactSearch). Every method gives the same
/// contacts to the bit.
///
/// | method | take it when |
/// |---|---|
/// | `Auto` | always, unless you have a reason |
/// | `HierarchicalGrid` | any sizes, any number: what `Auto` mostly takes |
/// | `CellTree` | a box that is mostly empty, with clumps far apart |
/// | `AllPairs` | a few dozen spheres |
/// | `LinkedCells` | similar sizes in a full box, or to compare with the textbook cell list |
/// | `SweepAndPrune` | some dozens of spheres, or a long thin box |
/// | `IncrementalSweepAndPrune` | one search per time step of bodies that move little; to reproduce paper 001 |
/// | `Delaunay` | to reproduce paper 000; never the fastest |
/// | `DistanceSort` | a few spheres that nearly all overlap; to reproduce paper 002 |
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum BroadPhaseMethod<const D: usize> {
    /// Examines the system and chooses a method.
    #[default]
    Auto,
    /// Compares every sphere with every other.
    AllPairs,
    /// Sorts the spheres by their distance from a point.
    DistanceSort(DistanceSortOrigin<D>),
    /// Keeps a cell list: the spheres of each cell of a lattice.
    LinkedCells(CellSize),
    /// Keeps the occupied cells of a lattice in a balanced tree.
    CellTree,
    /// Sweep and prune along one axis, sorted for every search.
    SweepAndPrune,
    /// Sweep and prune of bounding boxes that stay sorted along every axis from one search to the next.
    IncrementalSweepAndPrune,
    /// Sorts the spheres into grids by size, streamed layer by layer.
    HierarchicalGrid,
    /// Walks through the Laguerre Delaunay triangulation.
    Delaunay,
}

impl<const D: usize> BroadPhaseMethod<D> {
    /// Every method with its default settings.
    ///
    /// ```
    /// use carom_detect::{BroadPhaseMethod, ContactSearch};
    /// use carom_geometry::{Boundary, Sphere};
    /// let row: Vec<_> = (0..9).map(|k| Sphere::new([f64::from(k), 0.0], 0.6)).collect();
    /// for method in BroadPhaseMethod::ALL {
    ///     let mut search = ContactSearch::new(method);
    ///     assert_eq!(search.find(&row, &Boundary::open())?.len(), 8, "{}", method.name());
    /// }
    /// # Ok::<(), carom_detect::Error>(())
    /// ```
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

    /// Returns the method's name on the command line.
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

    /// Returns the method called `name`, with its default settings.
    ///
    /// ```
    /// use carom_detect::BroadPhaseMethod;
    /// type Method = BroadPhaseMethod<3>;
    /// assert_eq!(Method::from_name("cell-tree"), Some(Method::CellTree));
    /// assert!(Method::ALL.iter().all(|method| Method::from_name(method.name()) == Some(*method)));
    /// assert_eq!(Method::from_name("octree"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }

    /// Refuses settings that are out of range.
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

    /// Makes an empty structure for this method; `Auto` must have been resolved.
    pub(crate) fn new_broad_phase(&self) -> Box<dyn BroadPhase<D>> {
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
