//! The triangles of each cell of a grid.
//!
//! The layers of a grid are divided into slabs. Threads first take triangles and record for every slab which cells
//! they meet, then take slabs and sort these records by cell (counting sort).

use super::cell_grid::WindingCellGrid;
use super::triangle_voxelization::{CellVisitor, visit_overlapped_cells};
use carom_geometry::mesh::TriangleMesh;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The triangles of every cell of a grid.
#[derive(Debug)]
pub(super) struct TriangleBins {
    /// The end of the triangles of each cell; they begin where those of the cell before end. Labeling later replaces
    /// these by the contents of the cells.
    pub(super) ends: Vec<u32>,
    /// The triangles of all cells, cell by cell.
    pub(super) triangles: Vec<u32>,
}

/// The number of slabs per thread.
const SLABS_PER_THREAD: u32 = 4;

/// The number of triangles in one task of a thread.
const TRIANGLES_PER_TASK: usize = 1 << 12;

/// The initial capacity in cells per triangle.
const CELLS_PER_TRIANGLE: usize = 4;

/// The records of the triangles with cells in a slab.
struct SlabEntries {
    /// The cells, counted from the first of the slab.
    cells: Vec<u32>,
    /// Each triangle, and the end of its cells.
    triangles: Vec<(u32, u32)>,
}

impl TriangleBins {
    /// Assigns to every cell those of `count` triangles that come closer to it than the grid's margin, perhaps some
    /// more; `triangle` maps a number below `count` to the triangle. Returns `None` if there would be more than
    /// `most` entries.
    pub(super) fn build(
        surface: &TriangleMesh,
        (count, triangle): (usize, impl Fn(usize) -> u32 + Sync),
        grid: &WindingCellGrid,
        most: usize,
    ) -> Option<Self> {
        let slabs = match rayon::current_num_threads() as u32 {
            // Several slabs per thread, because triangles are spread unevenly over the layers.
            1 => slabs(grid, 1),
            threads => slabs(grid, threads.saturating_mul(SLABS_PER_THREAD)),
        };
        // Recording stops once there are too many entries, which could take any amount of memory.
        let noted_so_far = AtomicUsize::new(0);
        let is_too_much = || noted_so_far.load(Ordering::Relaxed) > most;
        let note = |some: Range<usize>| {
            if is_too_much() {
                return Vec::new();
            }
            let notes = record_slabs(surface, some.map(&triangle), grid, &slabs, most);
            let count = notes.iter().map(|notes| notes.cells.len()).sum();
            noted_so_far.fetch_add(count, Ordering::Relaxed);
            notes
        };
        let notes: Vec<Vec<SlabEntries>> = (0..count.div_ceil(TRIANGLES_PER_TASK))
            .into_par_iter()
            .with_max_len(1)
            .map(|k| note(k * TRIANGLES_PER_TASK..count.min((k + 1) * TRIANGLES_PER_TASK)))
            .collect();
        if is_too_much() {
            return None;
        }
        let count = |slab: usize| notes.iter().map(|some| some[slab].cells.len()).sum::<usize>();
        let counts: Vec<usize> = (0..slabs.len()).map(count).collect();
        let mut ends = vec![0; grid.len()];
        let mut dealt = vec![0; counts.iter().sum()];
        let (mut ends_left, mut dealt_left) = (&mut ends[..], &mut dealt[..]);
        let mut first = 0;
        let mut work = Vec::with_capacity(slabs.len());
        for (slab, (layers, &count)) in slabs.iter().zip(&counts).enumerate() {
            let own_ends = ends_left
                .split_off_mut(..layers.len() * grid.cells_per_layer())
                .expect("slabs are parts of the grid");
            let own =
                dealt_left.split_off_mut(..count).expect("there is room for all that were counted");
            work.push((slab, first, own_ends, own));
            first += count as u32;
        }
        work.into_par_iter().with_max_len(1).for_each(|(slab, first, ends, own)| {
            scatter_to_cells(notes.iter().map(|some| &some[slab]), ends, own);
            ends.iter_mut().for_each(|end| *end += first);
        });
        Some(TriangleBins { ends, triangles: dealt })
    }

    /// Assigns all triangles to a grid, or to the finest coarser one with at most `most` entries.
    pub(super) fn build_all(
        surface: &TriangleMesh,
        mut grid: WindingCellGrid,
        most: usize,
    ) -> (WindingCellGrid, Self) {
        let count = surface.triangles().len();
        loop {
            let all = (count, |number: usize| number as u32);
            if let Some(bins) = TriangleBins::build(surface, all, &grid, most.max(count)) {
                return (grid, bins);
            }
            grid = grid.coarser();
        }
    }

    /// Returns the index of the first triangle of a cell.
    pub(super) fn start(&self, cell: usize) -> u32 {
        if cell == 0 { 0 } else { self.ends[cell - 1] }
    }

    /// Returns how many of these cells have triangles.
    pub(super) fn count_occupied(&self, cells: Range<usize>) -> usize {
        let mut start = self.start(cells.start);
        let is_met = |end: &&u32| **end > std::mem::replace(&mut start, **end);
        self.ends[cells].iter().filter(is_met).count()
    }
}

/// Divides the layers of a grid into at most `most` slabs.
pub(super) fn slabs(grid: &WindingCellGrid, most: u32) -> Vec<Range<u32>> {
    let [_, _, layers] = grid.counts;
    let count = layers.min(most);
    let start = |slab: u32| (u64::from(layers) * u64::from(slab) / u64::from(count)) as u32;
    (0..count).map(|slab| start(slab)..start(slab + 1)).collect()
}

/// Records the cells that triangles meet, for every slab; stops once a slab has more than `most`.
fn record_slabs(
    surface: &TriangleMesh,
    triangles: impl ExactSizeIterator<Item = u32>,
    grid: &WindingCellGrid,
    slabs: &[Range<u32>],
    most: usize,
) -> Vec<SlabEntries> {
    let cells_each = CELLS_PER_TRIANGLE * triangles.len() / slabs.len();
    let notes = slabs.iter().map(|_| SlabEntries {
        cells: Vec::with_capacity(cells_each),
        triangles: Vec::with_capacity(triangles.len() / slabs.len()),
    });
    let notes = notes.collect();
    let mut taker = SlabRecorder {
        slab_entries: notes,
        slabs,
        grid,
        slab: 0,
        layers: slabs[0].clone(),
        first_cell: 0,
        triangle: 0,
    };
    for triangle in triangles {
        taker.triangle = triangle;
        visit_overlapped_cells(surface.corners(triangle as usize), grid, &mut taker);
        taker.end_triangle();
        if taker.slab_entries[taker.slab].cells.len() > most {
            break;
        }
    }
    taker.slab_entries
}

/// Records the cells of one triangle after the other.
struct SlabRecorder<'a> {
    slab_entries: Vec<SlabEntries>,
    slabs: &'a [Range<u32>],
    grid: &'a WindingCellGrid,
    /// The present slab, its layers and the first of its cells.
    slab: usize,
    layers: Range<u32>,
    first_cell: usize,
    /// The present triangle.
    triangle: u32,
}

impl SlabRecorder<'_> {
    /// Ends the triangle in the present slab.
    #[inline]
    fn end_triangle(&mut self) {
        let SlabEntries { cells, triangles } = &mut self.slab_entries[self.slab];
        let end = cells.len() as u32;
        if triangles.last().map_or(0, |&(_, end)| end) < end {
            triangles.push((self.triangle, end));
        }
    }
}

impl CellVisitor for SlabRecorder<'_> {
    #[inline]
    fn begin_layer(&mut self, layer: u32) {
        if !self.layers.contains(&layer) {
            self.end_triangle();
            self.slab = self.slabs.partition_point(|slab| slab.end <= layer);
            self.layers = self.slabs[self.slab].clone();
            self.first_cell = self.grid.cell_index([0, 0, self.layers.start]);
        }
    }

    #[inline]
    fn visit_cell(&mut self, cell: usize) {
        self.slab_entries[self.slab].cells.push((cell - self.first_cell) as u32);
    }
}

/// Sorts the triangles by cell, and writes the end of each cell's triangles into `ends`, which are zero.
fn scatter_to_cells<'a>(
    notes: impl Iterator<Item = &'a SlabEntries> + Clone,
    ends: &mut [u32],
    dealt: &mut [u32],
) {
    for &cell in notes.clone().flat_map(|notes| &notes.cells) {
        ends[cell as usize] += 1;
    }
    let mut sum = 0;
    for end in &mut *ends {
        sum += std::mem::replace(end, sum);
    }
    for notes in notes {
        let mut first = 0;
        for &(triangle, end) in &notes.triangles {
            for &cell in &notes.cells[first..end as usize] {
                let next = &mut ends[cell as usize];
                dealt[*next as usize] = triangle;
                *next += 1;
            }
            first = end as usize;
        }
    }
}
