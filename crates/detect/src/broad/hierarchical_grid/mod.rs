//! Streaming hierarchical grid: levels by size, layers within a level, cells within a layer.
//!
//! The cost of a neighbor search is random memory access. Therefore the spheres are first distributed to
//! layers by streaming writes, as records of 16 or 20 bytes in `f32`; each layer is then sorted by cell
//! within the cache and searched at once against itself and the next layer. A row of three cells is one
//! contiguous range of records, compared eight at a time by SIMD. What passes this coarse test is a
//! candidate; the narrow phase decides in `f64`.
//!
//! Each level holds spheres whose radii lie within a factor of two, the finest also all smaller ones. A
//! large sphere searches all finer levels, where its bounding box covers contiguous rows too; this
//! direction is the cheaper one, since large spheres are few. There is nothing to tune.
//!
//! Cost: linear in spheres and pairs for any size ratio, as long as the density does not vary by orders
//! of magnitude over the box. A few far outliers do no harm; for clumps far apart take
//! [`CellTree`](super::CellTree).

mod kernel;
mod layer;
mod plan;
mod touching_mask;

use super::candidates::TaskCandidates;
use super::{BroadPhase, Candidates, SphereSystem};
use layer::{GridSphereRecord, LayeredSphereRecords, SphereGridLayer};
use plan::{HierarchicalGridLevel, HierarchicalGridPlan};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// The streaming hierarchical grid as a broad phase; see the [module](self).
///
/// ```
/// use carom_detect::{ContactSearch, broad::HierarchicalGrid};
/// use carom_geometry::{Boundary, Sphere};
/// // A hundred grains on a floor that is one sphere of a thousand times their radius.
/// let mut spheres = vec![Sphere::new([0.0, 0.0, -1000.0], 1000.0)];
/// spheres.extend((0..100).map(|k| Sphere::new([f64::from(k) * 0.1, 0.0, 0.0], 1.0)));
/// let mut search = ContactSearch::with(HierarchicalGrid::new());
/// let contacts = search.find(&spheres, &Boundary::open())?;
/// assert_eq!(contacts.iter().filter(|contact| contact.pair.first() == 0).count(), 100);
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct HierarchicalGrid<const D: usize> {
    plan: HierarchicalGridPlan<D>,
    layered_records: Vec<LayeredSphereRecords<D>>,
    /// Two layers per thread, overwritten in turn: enough for a single level in an open box.
    rolling_layers: Mutex<Vec<[SphereGridLayer<D>; 2]>>,
    /// Every layer of every level, used if there are several levels or periodic axes.
    stored_layers: Vec<SphereGridLayer<D>>,
    queries: Mutex<Vec<CrossLevelQueries<D>>>,
}

/// At most this many spheres are distributed at a time: they and their records stay in the cache while
/// they are first counted and then written.
const CHUNK_SIZE: usize = 1 << 15;

impl<const D: usize> HierarchicalGrid<D> {
    /// Makes an empty structure; buffers grow with the first search.
    pub fn new() -> Self {
        Self::default()
    }

    fn distribute_to_layers(&mut self, system: &SphereSystem<'_, D>) {
        let (count, threads) = (system.spheres().len(), rayon::current_num_threads());
        // A multiple of the threads, so that all have equal work.
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

    /// Searches a single level in an open box: each task builds its layers in turn and keeps only two.
    fn search_rolling(&mut self, candidates: &mut Candidates) {
        let (level, dealt) = (&self.plan.levels[0], &self.layered_records);
        let layers = level.layer_count();
        candidates.collect_with(layers, &self.rolling_layers, |range, two, found| {
            let [mut current, mut next] = two.each_mut();
            // The layer after a task's last is built twice, here and by the next task: cheaper than waiting.
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

    /// Searches any number of levels with any boundary: all layers are built first, then searched.
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

/// Spheres of one layer to be searched for in other places: themselves in finer levels, and their periodic
/// images, divided into two halves such that opposite images are in different ones.
#[derive(Debug, Default)]
struct CrossLevelQueries<const D: usize> {
    records: Vec<GridSphereRecord<D>>,
    images: [Vec<GridSphereRecord<D>>; 2],
}

/// Searches the finer levels for partners of every sphere of one layer and of its periodic images, and the
/// sphere's own level for partners of the images.
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
    // Half of the images suffice within a level: the opposite image of the partner finds the same pair.
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
            // Opposite shifts follow each other, so one of the two goes to each half.
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

    /// Verifies that every sphere has one record, in the layer and at the position the plan gives it.
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
                return Err(format!("sphere {} has two records", record.id));
            }
            let place = self.plan.position(&system.boundary().wrap(sphere.center));
            if place != record.position {
                return Err(format!("sphere {} is recorded at another position", record.id));
            }
        }
        match seen.iter().position(|&seen| !seen) {
            Some(missing) => Err(format!("sphere {missing} has no record")),
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

/// Returns the bytes held by all buffers of a pool.
fn buffer_memory<S>(spaces: &Mutex<Vec<S>>, memory: impl Fn(&S) -> usize) -> usize {
    spaces.lock().unwrap_or_else(PoisonError::into_inner).iter().map(memory).sum()
}

/// A wrapped center, in the units and axis order of the plan.
type ScaledPosition<const D: usize> = [f32; D];
