//! Broad phase: the pairs of spheres that may touch. One trait, [`BroadPhase`], and one file per structure.
//!
//! [`BroadPhaseMethod`](crate::BroadPhaseMethod) says which structure to take when, and
//! [`ContactSearch`](crate::ContactSearch) runs it. Take [`IncrementalSweepAndPrune`] for the overlaps of
//! bounding boxes of any bodies from time step to time step.

pub mod all_pairs;
mod avl_tree;
mod candidates;
mod cell_lattice;
mod cell_lists;
pub mod cell_tree;
mod cell_width;
pub mod delaunay;
pub mod distance_sort;
pub mod hierarchical_grid;
pub mod incremental_sweep_and_prune;
pub mod incremental_sweep_broad_phase;
mod interval_sweep;
pub mod linked_cells;
mod periodic_images;
mod sphere_system;
pub mod sweep_and_prune;

pub use all_pairs::AllPairs;
pub use avl_tree::AvlTree;
pub use candidates::Candidates;
pub use cell_tree::CellTree;
pub use delaunay::DelaunayBroadPhase;
pub use distance_sort::{DistanceSort, DistanceSortOrigin};
pub use hierarchical_grid::HierarchicalGrid;
pub use incremental_sweep_and_prune::{BucketDivision, IncrementalSweepAndPrune};
pub use incremental_sweep_broad_phase::IncrementalSweepBroadPhase;
pub use linked_cells::{CellSize, LinkedCells};
pub use sphere_system::SphereSystem;
pub use sweep_and_prune::SweepAndPrune;

use crate::Error;
use candidates::TaskCandidates;

/// A structure that finds every pair of spheres that may touch.
///
/// The contract, checked for every structure by one test suite: each pair with an overlap of zero or more
/// is among the candidates; buffers are kept from one search to the next; the contacts do not depend on
/// the number of threads.
///
/// ```
/// use carom_detect::broad::{BroadPhase, Candidates, CellSize, LinkedCells, SphereSystem};
/// use carom_geometry::{Boundary, Sphere};
/// let spheres = [0.0, 1.5, 8.0].map(|x| Sphere::new([x, 0.0], 1.0));
/// let boundary = Boundary::open();
/// let system = SphereSystem::new(&spheres, &boundary)?;
/// let (mut candidates, mut contacts) = (Candidates::default(), Vec::new());
/// let mut structure = LinkedCells::new(CellSize::LargestDiameter);
/// structure.find_candidates(&system, &mut candidates);
/// assert_eq!(candidates.contacts(&system, &mut contacts), 1);
/// assert_eq!(contacts[0].overlap, 0.5);
/// # Ok::<(), carom_detect::Error>(())
/// ```
pub trait BroadPhase<const D: usize>: Send + Sync {
    /// Fails if the structure cannot hold a system; to be called before
    /// [`find_candidates`](Self::find_candidates).
    fn accepts(&self, _: &SphereSystem<'_, D>) -> Result<(), Error> {
        Ok(())
    }

    /// Replaces the contents of `candidates` by the candidates of `system`.
    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates);

    /// Returns the bytes held by the structure's buffers.
    fn memory(&self) -> usize {
        0
    }

    /// Verifies every invariant of the structure, as the last search of `system` left it.
    fn check(&self, _: &SphereSystem<'_, D>) -> Result<(), String> {
        Ok(())
    }

    /// Describes the structure's shape in a few words, for statistics ("3 levels, 1200 cells").
    fn describe(&self) -> String {
        String::new()
    }
}
