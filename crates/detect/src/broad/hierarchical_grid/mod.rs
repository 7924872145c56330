//! Streaming hierarchical grid: levels by size, layers within a level, cells within a layer.
//!
//! The modern method. Random access to memory is what a neighbour search costs, so the spheres
//! are first dealt out to layers by writes that stream, as records of 16 or 20 bytes in `f32`;
//! each layer is then sorted by cell inside the nearest cache and searched at once against itself
//! and the next layer. A row of three cells is one contiguous stretch of records, compared eight
//! at a time. What passes this coarse test is a candidate; `f64` has the last word elsewhere.
//!
//! Spheres whose diameters differ by more than a factor two live in grids of their own; a large
//! sphere looks into all finer grids, where its box covers contiguous rows too. This direction is
//! the cheaper one: large spheres are few. Nothing is to be tuned.
//!
//! Cost: linear in spheres and pairs for any size ratio, while the density does not vary by
//! orders of magnitude over the box. A few far outliers do no harm; clumps far apart do.

mod kernel;
mod lanes;
mod layer;
mod plan;

use super::candidates::Found;
use super::{BroadPhase, Candidates, System};
use layer::{Dealt, Layer, Record};
use plan::{Level, Plan};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// See the [module's documentation](self).
#[derive(Debug, Default)]
pub struct HierarchicalGrid<const D: usize> {
    plan: Plan<D>,
    dealt: Vec<Dealt<D>>,
    /// Two layers per thread, overwritten in turn: enough for one level in an open box.
    rolling: Mutex<Vec<[Layer<D>; 2]>>,
    /// Every layer of every level, when some sphere must look beyond its own neighbourhood.
    stored: Vec<Layer<D>>,
    queries: Mutex<Vec<Queries<D>>>,
}

/// At most so many spheres are dealt at a time: they and their records stay in the nearest caches while
/// they are first counted and then written.
const PIECE: usize = 1 << 15;

impl<const D: usize> HierarchicalGrid<D> {
    /// An empty structure; buffers grow with the first search.
    pub fn new() -> Self {
        Self::default()
    }

    fn deal(&mut self, system: &System<'_, D>) {
        let (count, threads) = (system.spheres().len(), rayon::current_num_threads());
        let pieces = count.div_ceil(PIECE).next_multiple_of(threads);
        self.dealt.resize_with(pieces, Dealt::default);
        let cut = |piece: usize| count * piece / pieces;
        let deal = |(piece, dealt): (usize, &mut Dealt<D>)| {
            dealt.fill(&self.plan, system, cut(piece)..cut(piece + 1));
        };
        match threads {
            1 => self.dealt.iter_mut().enumerate().for_each(deal),
            _ => self.dealt.par_iter_mut().enumerate().for_each(deal),
        }
    }

    /// One level, open box: each task builds its layers in turn and forgets them.
    fn search_rolling(&mut self, candidates: &mut Candidates) {
        let (level, dealt) = (&self.plan.levels[0], &self.dealt);
        let layers = level.layers();
        candidates.collect_with(layers, &self.rolling, |range, two, found| {
            let [mut current, mut next] = two.each_mut();
            current.build(level, dealt, range.start);
            for layer in range {
                let following = (layer + 1 < layers).then(|| {
                    next.build(level, dealt, layer + 1);
                    &*next
                });
                kernel::search_layer(level, current, following, found);
                std::mem::swap(&mut current, &mut next);
            }
        });
    }

    /// Any levels, any boundary: all layers are built first, then searched.
    fn search_stored(&mut self, system: &System<'_, D>, candidates: &mut Candidates) {
        let (plan, dealt) = (&self.plan, &self.dealt);
        let layers = plan.layers();
        self.stored.resize_with(layers.max(self.stored.len()), Layer::default);
        let build = |(number, layer): (usize, &mut Layer<D>)| {
            let level = &plan.levels[plan.level_of_layer(number)];
            layer.build(level, dealt, number - level.first_layer);
        };
        match rayon::current_num_threads() {
            1 => self.stored[..layers].iter_mut().enumerate().for_each(build),
            _ => self.stored[..layers].par_iter_mut().enumerate().for_each(build),
        }
        let stored = &self.stored[..layers];
        candidates.collect_with(layers, &self.queries, |range, queries, found| {
            for number in range {
                let level = &plan.levels[plan.level_of_layer(number)];
                let last = number + 1 == level.first_layer + level.layers();
                let following = (!last).then(|| &stored[number + 1]);
                kernel::search_layer(level, &stored[number], following, found);
                search_elsewhere(plan, system, stored, number, queries, found);
            }
        });
    }
}

/// Spheres to look for beyond their own neighbourhood: themselves, and two halves of their images,
/// each image in one half and the opposite one in the other.
#[derive(Debug, Default)]
struct Queries<const D: usize> {
    records: Vec<Record<D>>,
    images: [Vec<Record<D>>; 2],
}

/// Looks from every sphere of one layer into the finer levels, and from its images near the
/// periodic sides into its own level too.
fn search_elsewhere<const D: usize>(
    plan: &Plan<D>,
    system: &System<'_, D>,
    stored: &[Layer<D>],
    number: usize,
    queries: &mut Queries<D>,
    found: &mut Found,
) {
    let own = plan.level_of_layer(number);
    let look = |level: &Level<D>, records: &[Record<D>], found: &mut Found| {
        let layers = &stored[level.first_layer..][..level.layers()];
        kernel::search_boxes(level, layers, records, found);
    };
    queries.fill(plan, system, &stored[number]);
    for finer in &plan.levels[..own] {
        look(finer, &queries.records, found);
        look(finer, &queries.images[0], found);
        look(finer, &queries.images[1], found);
    }
    // Within a level the opposite image of the other sphere finds the same pair.
    look(&plan.levels[own], &queries.images[0], found);
}

impl<const D: usize> Queries<D> {
    fn fill(&mut self, plan: &Plan<D>, system: &System<'_, D>, layer: &Layer<D>) {
        self.records.clear();
        self.records.extend(layer.records());
        self.images.iter_mut().for_each(Vec::clear);
        for record in self.records.iter().filter(|record| plan.near_a_periodic_side(record)) {
            let center = system.boundary().wrap(system.spheres()[record.id as usize].center);
            for (number, shift) in system.boundary().image_shifts().enumerate() {
                let position = plan.position(&(center + shift));
                self.images[number % 2].push(Record { position, ..*record });
            }
        }
    }

    fn memory(&self) -> usize {
        let records =
            self.records.capacity() + self.images.iter().map(Vec::capacity).sum::<usize>();
        records * size_of::<Record<D>>()
    }
}

impl<const D: usize> BroadPhase<D> for HierarchicalGrid<D> {
    fn find_candidates(&mut self, system: &System<'_, D>, candidates: &mut Candidates) {
        self.plan.design(system);
        if system.spheres().is_empty() {
            self.dealt.clear();
            return candidates.collect(0, |_, _| ());
        }
        self.deal(system);
        if self.plan.levels.len() == 1 && !system.boundary().is_periodic() {
            self.search_rolling(candidates);
        } else {
            self.search_stored(system, candidates);
        }
    }

    fn memory(&self) -> usize {
        self.dealt.iter().map(Dealt::memory).sum::<usize>()
            + held(&self.rolling, |two| two.iter().map(Layer::memory).sum())
            + self.stored.iter().map(Layer::memory).sum::<usize>()
            + held(&self.queries, Queries::memory)
    }

    /// Every sphere is dealt once, to its level and layer, within rounding of its place.
    fn check(&self, system: &System<'_, D>) -> Result<(), String> {
        let mut seen = vec![false; system.spheres().len()];
        for (layer, record) in self.dealt.iter().flat_map(Dealt::by_layer) {
            let sphere = &system.spheres()[record.id as usize];
            let expected = self.plan.layer(sphere, &system.boundary().wrap(sphere.center));
            if layer != expected {
                return Err(format!("sphere {} is in layer {layer}, not {expected}", record.id));
            }
            if std::mem::replace(&mut seen[record.id as usize], true) {
                return Err(format!("sphere {} was dealt twice", record.id));
            }
            let place = self.plan.position(&system.boundary().wrap(sphere.center));
            if place != record.position {
                return Err(format!("sphere {} is recorded at another place", record.id));
            }
        }
        match seen.iter().position(|&seen| !seen) {
            Some(missing) => Err(format!("sphere {missing} was not dealt")),
            None => Ok(()),
        }
    }

    fn describe(&self) -> String {
        let shape = |level: &Level<D>| {
            let cells: Vec<_> = level.cells.iter().map(usize::to_string).collect();
            format!("{} ({} spheres)", cells.join("x"), level.count)
        };
        let shapes: Vec<_> = self.plan.levels.iter().map(shape).collect();
        format!("{} level(s), cells {}", self.plan.levels.len(), shapes.join(", "))
    }
}

/// Bytes held by working spaces.
fn held<S>(spaces: &Mutex<Vec<S>>, memory: impl Fn(&S) -> usize) -> usize {
    spaces.lock().unwrap_or_else(PoisonError::into_inner).iter().map(memory).sum()
}

/// A wrapped centre, in the units of the plan.
type Position<const D: usize> = [f32; D];
