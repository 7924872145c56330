//! Kinetic neighbour structures: which bodies may meet soon, kept true while all of them move.
//!
//! Every structure answers the same question through one trait and leaves the collisions untouched:
//! a run gives the same collisions, to the bit, whichever it uses. They differ in cost only.

mod all_pairs;
mod cell_tree;
mod cells;
mod grid;
mod laguerre;
mod lists;
mod marks;
mod segment_trees;
mod shells;

pub use all_pairs::AllPairs;
pub use cell_tree::CellTree;
pub use cells::CellGrid;
pub use laguerre::LaguerreDelaunay;
pub use segment_trees::SegmentTrees;
pub use shells::Shells;

use super::bodies::Bodies;

/// A structure that knows, at every time, all bodies that a body may meet before the structure
/// changes.
///
/// The guarantee: two bodies whose surfaces are nearer than a small margin are neighbours of each
/// other at any time, changes made when they are due.
pub trait KineticNeighbours<const D: usize> {
    /// Forgets all and begins with the bodies as they are at `now`.
    fn start(&mut self, bodies: &Bodies<D>, now: f64);

    /// When the neighbours of `body` change next; infinite if never.
    fn next_change(&mut self, body: u32, bodies: &Bodies<D>, now: f64) -> f64;

    /// Makes the change that is due for `body` and appends to `fresh` its neighbours that may be
    /// new, each once. What this does to others is added to `touched`.
    fn change(
        &mut self,
        body: u32,
        bodies: &Bodies<D>,
        now: f64,
        fresh: &mut Vec<u32>,
        touched: &mut Touched,
    );

    /// The body has a new velocity or has gone through a seam; what this does to others is added to
    /// `touched`.
    fn redirect(&mut self, body: u32, bodies: &Bodies<D>, now: f64, touched: &mut Touched);

    /// The neighbours of a body, each once; `found` is room to list them in.
    fn neighbours<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32];

    /// Asks memory for what the structure knows of a body that will have an event soon: what is kept
    /// per body, later the list of its neighbours, last the neighbours' records.
    fn fetch(&self, _body: u32, _bodies: &Bodies<D>, _stage: FetchStage, _coming: Coming) {}

    /// Asks for large pages under its large arrays.
    fn ask_for_large_pages(&self) {}

    /// Whether a body is so far from all walls and seams that its neighbours change before it gets to
    /// one, and that none of them is seen through a seam.
    fn is_clear(&self, _body: u32, _bodies: &Bodies<D>, _now: f64) -> bool {
        false
    }

    /// When the structure must be started anew, because radii have grown; infinite if never.
    fn valid_until(&self) -> f64 {
        f64::INFINITY
    }

    /// Verifies the guarantee and the structure itself, wholly.
    fn check(&self, bodies: &Bodies<D>, now: f64) -> Result<(), String>;

    /// Work of its own kind, counted since it was made: what, and how often.
    fn statistics(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Bytes held.
    fn memory(&self) -> usize;
}

/// What a change does to other bodies than the one it is made for.
#[derive(Debug, Default)]
pub struct Touched {
    /// Bodies whose next change has moved.
    pub rescheduled: Vec<u32>,
    /// Bodies that may have become neighbours of each other.
    pub joined: Vec<[u32; 2]>,
}

/// How near the event of a body is for which memory is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchStage {
    /// What is kept per body.
    Body,
    /// The list of neighbours.
    List,
    /// The records of the neighbours.
    Neighbours,
}

/// What the event of a body will be for which memory is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coming {
    /// Its neighbours change.
    Change,
    /// Anything else: it is predicted anew with all its neighbours.
    Prediction,
}

/// Two bodies may come to rest against each other: neighbours must be known a little earlier than
/// they touch, by this part of their distance.
const MARGIN: f64 = 1e-6;
