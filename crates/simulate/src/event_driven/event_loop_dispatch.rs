//! Makes the event loop for a neighbor structure.

use super::event_loop::{AnyEventLoop, EventLoop, EventLoopState};
use super::neighbors::{
    KineticAllPairs, KineticCellGrid, KineticCellTree, LaguerreDelaunay, NeighborLists,
    SegmentTrees,
};
use super::settings::NeighborStructure;
use std::any::Any;

/// Returns an event loop with the given neighbor structure; `travel` is the free travel of neighbor lists.
///
/// The loops for two and three dimensions are compiled here, once, and not again in every crate that uses
/// a simulation; hence the detour through `Any` from the generic to the known dimension.
pub fn event_loop_with<const D: usize>(
    core: EventLoopState<D>,
    structure: NeighborStructure,
    travel: f64,
) -> Box<dyn AnyEventLoop<D>> {
    let core: Box<dyn Any> = Box::new(core);
    let made: Box<dyn Any> = match core.downcast::<EventLoopState<2>>() {
        Ok(core) => Box::new(event_loop_2d(*core, structure, travel)),
        Err(core) => {
            let core =
                core.downcast::<EventLoopState<3>>().expect("there are two and three dimensions");
            Box::new(event_loop_3d(*core, structure, travel))
        }
    };
    *made.downcast::<Box<dyn AnyEventLoop<D>>>().expect("the dimension stays the same")
}

#[inline(never)]
fn event_loop_2d(
    core: EventLoopState<2>,
    structure: NeighborStructure,
    travel: f64,
) -> Box<dyn AnyEventLoop<2>> {
    event_loop_of(core, structure, travel)
}

#[inline(never)]
fn event_loop_3d(
    core: EventLoopState<3>,
    structure: NeighborStructure,
    travel: f64,
) -> Box<dyn AnyEventLoop<3>> {
    event_loop_of(core, structure, travel)
}

fn event_loop_of<const D: usize>(
    core: EventLoopState<D>,
    structure: NeighborStructure,
    travel: f64,
) -> Box<dyn AnyEventLoop<D>> {
    match structure {
        NeighborStructure::AllPairs => Box::new(EventLoop::new(core, KineticAllPairs::new())),
        NeighborStructure::CellGrid => Box::new(EventLoop::new(core, KineticCellGrid::new(0.0))),
        NeighborStructure::CellTree => Box::new(EventLoop::new(core, KineticCellTree::new(0.0))),
        NeighborStructure::SegmentTrees => Box::new(EventLoop::new(core, SegmentTrees::new())),
        NeighborStructure::Laguerre => Box::new(EventLoop::new(core, LaguerreDelaunay::new())),
        NeighborStructure::Auto => unreachable!("a structure has been chosen"),
        NeighborStructure::NeighborLists => {
            Box::new(EventLoop::new(core, NeighborLists::new(travel)))
        }
    }
}
