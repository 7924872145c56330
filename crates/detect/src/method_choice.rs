//! Choice of the broad-phase method for a system, with the reason: what `auto` does.

use crate::BroadPhaseMethod;
use crate::broad::SphereSystem;
use carom_geometry::math;

/// Why a method was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum MethodReason {
    /// The user named it.
    RequestedByUser,
    /// There are so few spheres that a grid costs more than it saves.
    Few { count: usize },
    /// A grid over the whole region would put many spheres into one cell.
    Clumped { spheres_per_cell: f64 },
    /// Nothing speaks against the hierarchical grid, which is fastest in general.
    GeneralPurpose { size_ratio: f64 },
}

/// Up to this many spheres, comparing all pairs is fastest.
const ALL_PAIRS_LIMIT: usize = 32;
/// Up to this many spheres, sweep and prune along one axis is fastest; by dimension.
const SWEEP_LIMIT: [usize; 4] = [0, 0, 128, 80];
/// Above this many spheres in the cell of a typical sphere the cell tree is faster.
const CLUMPED_SPHERES_PER_CELL: f64 = 200.0;
/// Largest number of spheres sampled to see whether they are clumped.
const MAX_SAMPLED: usize = 2048;

pub(crate) fn choose_method<const D: usize>(
    system: &SphereSystem<'_, D>,
) -> (BroadPhaseMethod<D>, MethodReason) {
    let count = system.spheres().len();
    if count <= ALL_PAIRS_LIMIT {
        return (BroadPhaseMethod::AllPairs, MethodReason::Few { count });
    }
    if count <= SWEEP_LIMIT[D] {
        return (BroadPhaseMethod::SweepAndPrune, MethodReason::Few { count });
    }
    let spheres_per_cell = spheres_in_a_typical_cell(system);
    if spheres_per_cell > CLUMPED_SPHERES_PER_CELL {
        return (BroadPhaseMethod::CellTree, MethodReason::Clumped { spheres_per_cell });
    }
    let size_ratio = system.largest_radius() / system.smallest_radius();
    (BroadPhaseMethod::HierarchicalGrid, MethodReason::GeneralPurpose { size_ratio })
}

/// Estimates how many spheres share the cell of a randomly chosen one, in a grid of one cell per sphere
/// that is not finer than the mean diameter: one if they are spread evenly, many if they are clumped.
///
/// Cells that hold many spheres because these are as large as the region do not count: no grid would help.
fn spheres_in_a_typical_cell<const D: usize>(system: &SphereSystem<'_, D>) -> f64 {
    let count = system.spheres().len();
    let stride = count.div_ceil(MAX_SAMPLED).max(128);
    let region = system.bulk();
    let longest = region.size().max();
    let along = math::powf(count as f64, 1.0 / D as f64);
    // The mean, not the largest: a few large spheres among many small ones get a grid level of their own.
    let sample = || system.spheres().iter().step_by(stride);
    let mean_radius = sample().map(|sphere| sphere.radius).sum::<f64>() / sample().len() as f64;
    let width = (longest / along).max(2.0 * mean_radius);
    if longest <= 0.0 || width >= longest / 4.0 {
        return 1.0;
    }
    let mut cells = [[0u32; D]; MAX_SAMPLED];
    let mut sampled = 0;
    for sphere in sample() {
        let center = system.boundary().wrap(sphere.center).sup(&region.low).inf(&region.high);
        cells[sampled] =
            std::array::from_fn(|axis| ((center[axis] - region.low[axis]) / width) as u32);
        sampled += 1;
    }
    let cells = &mut cells[..sampled];
    cells.sort_unstable();
    let sharing: usize = cells.chunk_by(|a, b| a == b).map(|run| run.len() * (run.len() - 1)).sum();
    // The share of sampled pairs with a common cell estimates that of all pairs.
    sharing as f64 / (sampled * (sampled - 1)).max(1) as f64 * count as f64
}

impl std::fmt::Display for MethodReason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            MethodReason::RequestedByUser => write!(formatter, "asked for"),
            MethodReason::Few { count } => {
                write!(formatter, "{count} spheres are too few for a grid to pay")
            }
            MethodReason::Clumped { spheres_per_cell } => write!(
                formatter,
                "the spheres are clumped: an even grid would hold about {spheres_per_cell:.0} in \
                 the cell of a typical one; a tree of occupied cells stores no empty ones"
            ),
            MethodReason::GeneralPurpose { size_ratio } if size_ratio.is_finite() => write!(
                formatter,
                "spread over the box, sizes up to 1:{size_ratio:.3}; grids by size are fastest"
            ),
            MethodReason::GeneralPurpose { .. } => {
                write!(formatter, "spread over the box; grids by size are fastest")
            }
        }
    }
}
