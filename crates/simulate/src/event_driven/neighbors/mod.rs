//! Kinetic neighbor structures: which bodies may meet soon, kept true while all of them move.
//!
//! Every structure answers the same question through one trait and leaves the collisions untouched:
//! a run gives the same collisions, to the bit, whichever it uses. They differ in cost only.

mod all_pairs;
mod body_bit_set;
mod cell_tree;
mod kinetic_cells;
mod laguerre;
mod list_pool;
mod neighbor_lists;
mod segment_trees;
mod size_class_grid;

pub use all_pairs::KineticAllPairs;
pub use cell_tree::KineticCellTree;
pub use kinetic_cells::KineticCellGrid;
pub use laguerre::LaguerreDelaunay;
pub use neighbor_lists::NeighborLists;
pub use segment_trees::SegmentTrees;

use super::hard_spheres::HardSpheres;

/// A structure that knows, at every time, all bodies that a body may meet before the structure
/// changes.
///
/// The guarantee: two bodies whose surfaces are nearer than a small margin are neighbors of each
/// other at any time, changes made when they are due.
pub trait KineticNeighborStructure<const D: usize> {
    /// Forgets all and begins with the bodies as they are at `now`.
    fn start(&mut self, bodies: &HardSpheres<D>, now: f64);

    /// When the neighbors of `body` change next; infinite if never.
    fn next_change(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) -> f64;

    /// Makes the change that is due for `body` and appends to `fresh` its neighbors that may be
    /// new, each once. What this does to others is added to `touched`.
    fn apply_change(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        now: f64,
        fresh: &mut Vec<u32>,
        touched: &mut AffectedBodies,
    );

    /// The body has a new velocity or has gone through a seam; what this does to others is added to
    /// `touched`.
    fn update_deflected(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        now: f64,
        touched: &mut AffectedBodies,
    );

    /// The neighbors of a body, each once; `found` is room to list them in.
    fn neighbors<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32];

    /// Asks memory for what the structure knows of a body that will have an event soon: what is kept
    /// per body, later the list of its neighbors, last the neighbors' records.
    fn prefetch(
        &self,
        _body: u32,
        _bodies: &HardSpheres<D>,
        _stage: PrefetchStage,
        _coming: UpcomingEvent,
    ) {
    }

    /// Asks for large pages under its large arrays.
    fn advise_huge_pages(&self) {}

    /// Whether a body is so far from all walls and seams that its neighbors change before it gets to
    /// one, and that none of them is seen through a seam.
    fn is_interior(&self, _body: u32, _bodies: &HardSpheres<D>, _now: f64) -> bool {
        false
    }

    /// When the structure must be started anew, because radii have grown; infinite if never.
    fn valid_until(&self) -> f64 {
        f64::INFINITY
    }

    /// Verifies the guarantee and the structure itself, wholly.
    fn check(&self, bodies: &HardSpheres<D>, now: f64) -> Result<(), String>;

    /// Work of its own kind, counted since it was made: what, and how often.
    fn statistics(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Bytes held.
    fn memory(&self) -> usize;
}

/// What a change does to other bodies than the one it is made for.
#[derive(Debug, Default)]
pub struct AffectedBodies {
    /// Bodies whose next change has moved.
    pub rescheduled: Vec<u32>,
    /// Bodies that may have become neighbors of each other.
    pub new_pairs: Vec<[u32; 2]>,
}

/// How near the event of a body is for which memory is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PrefetchStage {
    /// What is kept per body.
    Body,
    /// The list of neighbors.
    List,
    /// The records of the neighbors.
    Neighbors,
}

/// What the event of a body will be for which memory is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpcomingEvent {
    /// Its neighbors change.
    NeighborChange,
    /// Anything else: it is predicted anew with all its neighbors.
    Prediction,
}

/// Two bodies may come to rest against each other: neighbors must be known a little earlier than
/// they touch, by this part of their distance.
const MARGIN: f64 = 1e-6;
