//! An engine for each structure.

use super::engine::{AnyEngine, Core, Engine};
use super::neighbours::{AllPairs, CellGrid, CellTree, LaguerreDelaunay, SegmentTrees, Shells};
use super::settings::Structure;
use std::any::Any;

/// The engines for the plane and for space are compiled here, once, and not again in every crate that
/// uses a simulation; hence the way through `Any` from the general to the known dimension.
pub fn engine_with<const D: usize>(
    core: Core<D>,
    structure: Structure,
    travel: f64,
) -> Box<dyn AnyEngine<D>> {
    let core: Box<dyn Any> = Box::new(core);
    let made: Box<dyn Any> = match core.downcast::<Core<2>>() {
        Ok(core) => Box::new(plane_engine(*core, structure, travel)),
        Err(core) => {
            let core = core.downcast::<Core<3>>().expect("there are two and three dimensions");
            Box::new(space_engine(*core, structure, travel))
        }
    };
    *made.downcast::<Box<dyn AnyEngine<D>>>().expect("the dimension stays the same")
}

#[inline(never)]
fn plane_engine(core: Core<2>, structure: Structure, travel: f64) -> Box<dyn AnyEngine<2>> {
    engine_of(core, structure, travel)
}

#[inline(never)]
fn space_engine(core: Core<3>, structure: Structure, travel: f64) -> Box<dyn AnyEngine<3>> {
    engine_of(core, structure, travel)
}

fn engine_of<const D: usize>(
    core: Core<D>,
    structure: Structure,
    travel: f64,
) -> Box<dyn AnyEngine<D>> {
    match structure {
        Structure::AllPairs => Box::new(Engine::new(core, AllPairs::new())),
        Structure::CellGrid => Box::new(Engine::new(core, CellGrid::new(0.0))),
        Structure::CellTree => Box::new(Engine::new(core, CellTree::new(0.0))),
        Structure::SegmentTrees => Box::new(Engine::new(core, SegmentTrees::new())),
        Structure::Laguerre => Box::new(Engine::new(core, LaguerreDelaunay::new())),
        Structure::Auto => unreachable!("a structure has been chosen"),
        Structure::Shells => Box::new(Engine::new(core, Shells::new(travel))),
    }
}
