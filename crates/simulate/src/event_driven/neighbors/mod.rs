//! Kinetic neighbor structures: the bodies that may collide soon, kept valid while all of them move.
//!
//! Every structure answers the same question through one trait and leaves the collisions untouched:
//! a run gives the same collisions, to the bit, whichever it uses. They differ in cost only.

mod all_pairs;
mod body_bit_set;
mod cell_grid;
mod cell_tree;
mod kinetic_cells;
mod laguerre;
mod list_pool;
mod neighbor_lists;
mod segment_trees;
mod size_class_grid;

pub use all_pairs::KineticAllPairs;
pub use cell_grid::KineticCellGrid;
pub use cell_tree::KineticCellTree;
pub use laguerre::LaguerreDelaunay;
pub use neighbor_lists::NeighborLists;
pub use segment_trees::SegmentTrees;

use super::hard_spheres::HardSpheres;

/// A structure that knows, at every time, all bodies that a body can collide with before the structure
/// changes.
///
/// The guarantee: as long as changes are made when they are due, two bodies whose surfaces are closer
/// than a small margin are neighbors of each other.
pub trait KineticNeighborStructure<const D: usize>: Send + Sync {
    /// Rebuilds the structure for the bodies as they are at `now`.
    fn start(&mut self, bodies: &HardSpheres<D>, now: f64);

    /// Returns the time at which the neighbors of `body` change next; infinite if never.
    fn next_change(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) -> f64;

    /// Makes the change that is due for `body` and appends to `fresh` its neighbors that may be new, each
    /// once. Effects on other bodies are added to `touched`.
    fn apply_change(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        now: f64,
        fresh: &mut Vec<u32>,
        touched: &mut AffectedBodies,
    );

    /// Updates the structure after a body has got a new velocity or crossed a periodic face. Effects on other
    /// bodies are added to `touched`.
    fn update_deflected(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        now: f64,
        touched: &mut AffectedBodies,
    );

    /// Returns the neighbors of a body, each once; `found` is a buffer for structures that do not store lists.
    fn neighbors<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32];

    /// Prefetches what the structure holds about a body that will have an event soon: the entry of the body,
    /// later the list of its neighbors, last the neighbors' records.
    fn prefetch(
        &self,
        _body: u32,
        _bodies: &HardSpheres<D>,
        _stage: PrefetchStage,
        _coming: UpcomingEvent,
    ) {
    }

    /// Asks for huge pages under its large arrays.
    fn advise_huge_pages(&self) {}

    /// Returns whether a body is so far from all walls and periodic faces that its neighbors change before it
    /// reaches one, and that none of them is nearest through a periodic face.
    fn is_interior(&self, _body: u32, _bodies: &HardSpheres<D>, _now: f64) -> bool {
        false
    }

    /// Returns the time at which the structure must be rebuilt because radii have grown; infinite if never.
    fn valid_until(&self) -> f64 {
        f64::INFINITY
    }

    /// Verifies the guarantee and the complete structure.
    fn check(&self, bodies: &HardSpheres<D>, now: f64) -> Result<(), String>;

    /// Returns counts of work that are specific to the structure, with their names.
    fn statistics(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Bytes held.
    fn memory(&self) -> usize;
}

/// Effects of a change on bodies other than the one it is made for.
#[derive(Debug, Default)]
pub struct AffectedBodies {
    /// Bodies whose next change is at another time now.
    pub rescheduled: Vec<u32>,
    /// Bodies that may have become neighbors of each other.
    pub new_pairs: Vec<[u32; 2]>,
}

/// Stage of prefetching, from the farthest event to the nearest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefetchStage {
    /// The entry of the body.
    Body,
    /// The list of neighbors.
    List,
    /// The records of the neighbors.
    Neighbors,
}

/// The kind of the event that is prefetched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpcomingEvent {
    /// The neighbors of the body change.
    NeighborChange,
    /// Anything else: the body is predicted again with all its neighbors.
    Prediction,
}

/// Relative margin by which bodies become neighbors before they touch. Without it, rounding could let two
/// bodies that come to rest against each other touch before they are neighbors.
const MARGIN: f64 = 1e-6;
