//! Which pairs may touch: one trait, one file per structure.

pub mod all_pairs;
mod candidates;
mod cell_lists;
pub mod cell_tree;
mod cell_width;
pub mod delaunay;
pub mod distance_sort;
pub mod hierarchical_grid;
mod images;
pub mod kept_sort;
pub mod kept_sort_and_sweep;
mod lattice;
pub mod linked_cells;
mod ordered_tree;
pub mod sort_and_sweep;
mod sweep;
mod system;

pub use all_pairs::AllPairs;
pub use candidates::{Candidates, Found};
pub use cell_tree::CellTree;
pub use delaunay::Delaunay;
pub use distance_sort::{DistanceSort, Origin};
pub use hierarchical_grid::HierarchicalGrid;
pub use kept_sort::{Buckets, KeptSort};
pub use kept_sort_and_sweep::KeptSortAndSweep;
pub use linked_cells::{CellSize, LinkedCells};
pub use ordered_tree::OrderedTree;
pub use sort_and_sweep::SortAndSweep;
pub use system::System;

use crate::Error;

/// A structure that finds every pair of spheres that may touch.
///
/// The contract, checked for every structure by one suite: each pair with an overlap of zero or
/// more is among the candidates; buffers are kept from one search to the next; the answer does not depend on the number of threads.
pub trait BroadPhase<const D: usize> {
    /// An error if the structure cannot hold a system; to be asked before
    /// [`find_candidates`](Self::find_candidates).
    fn accepts(&self, _: &System<'_, D>) -> Result<(), Error> {
        Ok(())
    }

    /// Replaces what `candidates` holds by the candidates of `system`.
    fn find_candidates(&mut self, system: &System<'_, D>, candidates: &mut Candidates);

    /// Bytes held by the structure's buffers.
    fn memory(&self) -> usize;

    /// Verifies wholly that the structure, as the last search left it, belongs to `system`.
    fn check(&self, system: &System<'_, D>) -> Result<(), String>;

    /// The structure's shape in a few words, for statistics ("3 levels, 1200 cells").
    fn describe(&self) -> String;
}
