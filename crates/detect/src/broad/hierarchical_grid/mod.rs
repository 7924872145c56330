//! Streaming hierarchical grid: levels by size, layers within a level, cells within a layer.
//!
//! The modern method. Random access to memory is what a neighbor search costs, so the spheres
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

use super::candidates::TaskCandidates;
use super::{BroadPhase, Candidates, SphereSystem};
use layer::{GridSphereRecord, LayeredSphereRecords, SphereGridLayer};
use plan::{HierarchicalGridLevel, HierarchicalGridPlan};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// See the [module's documentation](self).
#[derive(Debug, Default)]
pub struct HierarchicalGrid<const D: usize> {
    plan: HierarchicalGridPlan<D>,
    layered_records: Vec<LayeredSphereRecords<D>>,
    /// Two layers per thread, overwritten in turn: enough for one level in an open box.
    rolling_layers: Mutex<Vec<[SphereGridLayer<D>; 2]>>,
    /// Every layer of every level, when some sphere must look beyond its own neighborhood.
    stored_layers: Vec<SphereGridLayer<D>>,
    queries: Mutex<Vec<CrossLevelQueries<D>>>,
}

/// At most so many spheres are dealt at a time: they and their records stay in the nearest caches while
/// they are first counted and then written.
const CHUNK_SIZE: usize = 1 << 15;

impl<const D: usize> HierarchicalGrid<D> {
    /// An empty structure; buffers grow with the first search.
    pub fn new() -> Self {
        Self::default()
    }

    fn distribute_to_layers(&mut self, system: &SphereSystem<'_, D>) {
        let (count, threads) = (system.spheres().len(), rayon::current_num_threads());
        let pieces = count.div_ceil(CHUNK_SIZE).next_multiple_of(threads);
        self.layered_records.resize_with(pieces, LayeredSphereRecords::default);
        let cut = |piece: usize| count * piece / pieces;
        let deal = |(piece, dealt): (usize, &mut LayeredSphereRecords<D>)| {
            dealt.fill(&self.plan, system, cut(piece)..cut(piece + 1));
        };
        match threads {
            1 => self.layered_records.iter_mut().enumerate().for_each(deal),
            _ => self.layered_records.par_iter_mut().enumerate().for_each(deal),
        }
    }

    /// One level, open box: each task builds its layers in turn and forgets them.
    fn search_rolling(&mut self, candidates: &mut Candidates) {
        let (level, dealt) = (&self.plan.levels[0], &self.layered_records);
        let layers = level.layer_count();
        candidates.collect_with(layers, &self.rolling_layers, |range, two, found| {
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
    fn search_stored(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        let (plan, dealt) = (&self.plan, &self.layered_records);
        let layers = plan.layer_count();
        self.stored_layers
            .resize_with(layers.max(self.stored_layers.len()), SphereGridLayer::default);
        let build = |(number, layer): (usize, &mut SphereGridLayer<D>)| {
            let level = &plan.levels[plan.level_of_layer(number)];
            layer.build(level, dealt, number - level.first_layer);
        };
        match rayon::current_num_threads() {
            1 => self.stored_layers[..layers].iter_mut().enumerate().for_each(build),
            _ => self.stored_layers[..layers].par_iter_mut().enumerate().for_each(build),
        }
        let stored = &self.stored_layers[..layers];
        candidates.collect_with(layers, &self.queries, |range, queries, found| {
            for number in range {
                let level = &plan.levels[plan.level_of_layer(number)];
                let last = number + 1 == level.first_layer + level.layer_count();
                let following = (!last).then(|| &stored[number + 1]);
                kernel::search_layer(level, &stored[number], following, found);
                search_other_levels(plan, system, stored, number, queries, found);
            }
        });
    }
}

/// Spheres to look for beyond their own neighborhood: themselves, and two halves of their images,
/// each image in one half and the opposite one in the other.
#[derive(Debug, Default)]
struct CrossLevelQueries<const D: usize> {
    records: Vec<GridSphereRecord<D>>,
    images: [Vec<GridSphereRecord<D>>; 2],
}

/// Looks from every sphere of one layer into the finer levels, and from its images near the
/// periodic sides into its own level too.
fn search_other_levels<const D: usize>(
    plan: &HierarchicalGridPlan<D>,
    system: &SphereSystem<'_, D>,
    stored: &[SphereGridLayer<D>],
    number: usize,
    queries: &mut CrossLevelQueries<D>,
    found: &mut TaskCandidates,
) {
    let own = plan.level_of_layer(number);
    let look = |level: &HierarchicalGridLevel<D>,
                records: &[GridSphereRecord<D>],
                found: &mut TaskCandidates| {
        let layers = &stored[level.first_layer..][..level.layer_count()];
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

impl<const D: usize> CrossLevelQueries<D> {
    fn fill(
        &mut self,
        plan: &HierarchicalGridPlan<D>,
        system: &SphereSystem<'_, D>,
        layer: &SphereGridLayer<D>,
    ) {
        self.records.clear();
        self.records.extend(layer.records());
        self.images.iter_mut().for_each(Vec::clear);
        for record in self.records.iter().filter(|record| plan.near_a_periodic_side(record)) {
            let center = system.boundary().wrap(system.spheres()[record.id as usize].center);
            for (number, shift) in system.boundary().image_shifts().enumerate() {
                let position = plan.position(&(center + shift));
                self.images[number % 2].push(GridSphereRecord { position, ..*record });
            }
        }
    }

    fn memory(&self) -> usize {
        let records =
            self.records.capacity() + self.images.iter().map(Vec::capacity).sum::<usize>();
        records * size_of::<GridSphereRecord<D>>()
    }
}

impl<const D: usize> BroadPhase<D> for HierarchicalGrid<D> {
    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        self.plan.design(system);
        if system.spheres().is_empty() {
            self.layered_records.clear();
            return candidates.collect(0, |_, _| ());
        }
        self.distribute_to_layers(system);
        if self.plan.levels.len() == 1 && !system.boundary().is_periodic() {
            self.search_rolling(candidates);
        } else {
            self.search_stored(system, candidates);
        }
    }

    fn memory(&self) -> usize {
        self.layered_records.iter().map(LayeredSphereRecords::memory).sum::<usize>()
            + buffer_memory(&self.rolling_layers, |two| {
                two.iter().map(SphereGridLayer::memory).sum()
            })
            + self.stored_layers.iter().map(SphereGridLayer::memory).sum::<usize>()
            + buffer_memory(&self.queries, CrossLevelQueries::memory)
    }

    /// Every sphere is dealt once, to its level and layer, within rounding of its place.
    fn check(&self, system: &SphereSystem<'_, D>) -> Result<(), String> {
        let mut seen = vec![false; system.spheres().len()];
        for (layer, record) in self.layered_records.iter().flat_map(LayeredSphereRecords::by_layer)
        {
            let sphere = &system.spheres()[record.id as usize];
            let expected =
                self.plan.layer_of_sphere(sphere, &system.boundary().wrap(sphere.center));
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
        let shape = |level: &HierarchicalGridLevel<D>| {
            let cells: Vec<_> = level.cells.iter().map(usize::to_string).collect();
            format!("{} ({} spheres)", cells.join("x"), level.count)
        };
        let shapes: Vec<_> = self.plan.levels.iter().map(shape).collect();
        format!("{} level(s), cells {}", self.plan.levels.len(), shapes.join(", "))
    }
}

/// Bytes held by working spaces.
fn buffer_memory<S>(spaces: &Mutex<Vec<S>>, memory: impl Fn(&S) -> usize) -> usize {
    spaces.lock().unwrap_or_else(PoisonError::into_inner).iter().map(memory).sum()
}

/// A wrapped center, in the units of the plan.
type ScaledPosition<const D: usize> = [f32; D];
