//! A grid whose cells store the winding number.
//!
//! The winding number is constant where there is no surface, so a cell without triangles stores it, and most points
//! cost one table lookup. A cell with triangles (a boundary cell) stores a reference point, as the number of one of
//! a few points of the cell, and the winding number there. A point in such a cell counts the crossings of the
//! segment to that reference, with the few triangles of this cell only, exactly (`segment_crossing.rs`).
//!
//! A grid covers the surface; cells of it with many triangles are divided again, the fullest first and as far as
//! memory allows, so detail may be as uneven as it likes. A triangle belongs to every cell that it comes closer to
//! than a margin which exceeds any rounding of a coordinate into a cell index: a point that rounding puts into a
//! neighbor cell is still classified right.
//!
//! Cost: building visits every triangle once per cell it meets, some hundred nanoseconds per triangle; a point takes
//! 10 ns in an empty cell, a few hundred in a boundary cell. A vertex at which thousands of triangles meet makes its
//! cell as slow as that.

mod cell_grid;
mod cell_size;
mod reference_point;
#[cfg(test)]
mod tests;
mod triangle_bins;
mod triangle_voxelization;
mod winding_labels;

use super::segment_crossing::signed_crossings;
use super::simd_inside_test::{SimdInsideTest, classify_all_simd, classify_simd};
use super::{Containment, FillRule, InsideTest};
use carom_geometry::Vector;
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::simd::{SimdKernel, run_with_widest_simd};
use cell_grid::WindingCellGrid;
use rayon::prelude::*;
use reference_point::ReferencePoint;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use triangle_bins::TriangleBins;
use winding_labels::{
    BinnedTriangles, KnownWinding, LayerFirstIndices, LayerLabeling, WindingLabel,
};

/// A surface in a grid whose empty cells store the winding number and whose other cells list a few triangles.
#[derive(Clone, Debug)]
pub struct WindingCells {
    rule: FillRule,
    surface: TriangleMesh,
    /// The root grid, then the grids within divided cells.
    grids: Vec<WindingCellGrid>,
    /// The content of each cell of each grid, encoded as [`WindingCellContent`].
    contents: Vec<u32>,
    /// All cells with triangles; after those of each grid, a sentinel that holds the end of the entries.
    boundary: Vec<BoundaryCell>,
    /// The triangles of all boundary cells.
    entries: Vec<u32>,
}

/// The content of a cell: a winding number if it is empty, the number of a boundary cell if it has triangles, or the
/// number of a grid if it is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WindingCellContent(u32);

impl WindingCellContent {
    const BOUNDARY: u32 = 1 << 31;
    const DIVIDED: u32 = 1 << 30;
    /// The code of the winding number 0. A winding number of 2^29 or more, which cannot be encoded, would take more
    /// than 2^30 triangles, as each subtends less than half of the full solid angle.
    const ZERO: u32 = 1 << 29;

    fn empty(winding: i32) -> Self {
        WindingCellContent(Self::ZERO.wrapping_add_signed(winding))
    }

    fn boundary(number: u32) -> Self {
        WindingCellContent(number | Self::BOUNDARY)
    }

    fn divided(grid: u32) -> Self {
        WindingCellContent(grid | Self::DIVIDED)
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0 < Self::DIVIDED
    }

    #[inline]
    fn is_divided(self) -> bool {
        self.0 & (Self::DIVIDED | Self::BOUNDARY) == Self::DIVIDED
    }

    /// Returns the winding number of an empty cell.
    #[inline]
    fn winding(self) -> i32 {
        self.0.wrapping_sub(Self::ZERO) as i32
    }

    /// Returns the number of a boundary cell or of a grid.
    #[inline]
    fn index(self) -> usize {
        (self.0 & !(Self::BOUNDARY | Self::DIVIDED)) as usize
    }
}

/// A cell with triangles. It takes 12 bytes, which matters to points near the surface: they wait for memory.
#[derive(Clone, Copy, Debug)]
struct BoundaryCell {
    /// Index of the first entry; the last is before the first of the next cell.
    first: u32,
    /// The winding number of its reference.
    winding: i32,
    /// A point in or at the cell, off the surface.
    reference: ReferencePoint,
}

/// A cell with many triangles: their number, its index among all cells, and its grid.
type CrowdedCell = (usize, Reverse<usize>, usize);

/// A cell is divided if it has more triangles than this ...
const MAX_TRIANGLES_PER_CELL: usize = 128;

/// ... into this many cells along each axis ...
const DIVISIONS: u32 = 4;

/// ... unless these would have this many times its triangles altogether, because the triangles are large ...
const MAX_ENTRY_GROWTH: usize = 8;

/// ... and as long as all grids together take at most [`cell_size::max_bytes`], and entries and boundary cells can
/// be numbered.
const MAX_ENTRIES: usize = u32::MAX as usize;
const MAX_BOUNDARY_CELLS: usize = WindingCellContent::DIVIDED as usize;

/// The number of slabs in which the layers of the root grid are labeled, whatever the number of threads, so that
/// references are the same for all.
const LABELING_SLABS: u32 = 16;

/// The number of cells in one task of a thread.
const CELLS_PER_TASK: usize = 1 << 14;

/// The number of points near the surface that are looked up together.
const POINTS_PER_BATCH: usize = 16;

impl WindingCells {
    /// Prepares a surface for about `points` points.
    ///
    /// ```
    /// use carom_detect::inside::{Containment, FillRule, InsideTest, WindingCells};
    /// use carom_geometry::{Vector, mesh::{TriangleMesh, convex_hull}};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
    /// let mesh = TriangleMesh::from_polygons(&convex_hull(&corners)?)?;
    /// let cells = WindingCells::new(mesh, FillRule::EvenOdd, 1000);
    /// assert_eq!(cells.classify(&Vector::from([0.1, 0.2, 0.3])), Containment::Inside);
    /// assert_eq!(cells.classify(&Vector::from([0.5, 0.5, 0.0])), Containment::Surface);
    /// assert_eq!(cells.classify(&Vector::from([0.5, 0.5, 1e-15])), Containment::Outside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(surface: TriangleMesh, rule: FillRule, points: usize) -> Self {
        let grid = cell_size::cheapest_grid(&surface, points);
        Self::with_grid(surface, rule, grid)
    }

    fn with_grid(surface: TriangleMesh, rule: FillRule, grid: WindingCellGrid) -> Self {
        let mut cells = WindingCells {
            rule,
            surface,
            grids: Vec::new(),
            contents: Vec::new(),
            boundary: Vec::new(),
            entries: Vec::new(),
        };
        let most = cell_size::max_bytes(&cells.surface) / size_of::<u32>();
        let (grid, bins) = TriangleBins::build_all(&cells.surface, grid, most.min(MAX_ENTRIES));
        // The grid is larger than the surface, so the edge along the lowest corner of each layer is outside.
        let start = WindingLabel { reference: ReferencePoint::CORNER, winding: 0 };
        cells.add_grid(grid, bins, &triangle_bins::slabs(&grid, LABELING_SLABS), start);
        cells.subdivide();
        cells.boundary.shrink_to_fit();
        cells.entries.shrink_to_fit();
        cells
    }

    /// Adds a grid, slab by slab, from the label of the lowest cell of each slab's first layer.
    fn add_grid(
        &mut self,
        mut grid: WindingCellGrid,
        bins: TriangleBins,
        slabs: &[Range<u32>],
        start: WindingLabel,
    ) {
        grid.first_cell = self.contents.len();
        let entry = self.entries.len() as u32;
        let old = self.boundary.len();
        let cells = |layers: &Range<u32>| {
            layers.start as usize * grid.cells_per_layer()
                ..layers.end as usize * grid.cells_per_layer()
        };
        let slab = |layers: &Range<u32>| {
            let cells = cells(layers);
            (bins.start(cells.start), bins.count_occupied(cells))
        };
        let slabs: Vec<_> = slabs.par_iter().map(|layers| (layers, slab(layers))).collect();
        let count: usize = slabs.iter().map(|(_, (_, count))| count).sum();
        let TriangleBins { ends, triangles } = bins;
        let first = entry + triangles.len() as u32;
        let end = BoundaryCell { first, winding: 0, reference: ReferencePoint::CORNER };
        self.boundary.resize(old + count + 1, end);
        append(&mut self.contents, ends);
        let mut contents = &mut self.contents[grid.first_cell..];
        let mut boundary = &mut self.boundary[old..];
        let mut first_boundary = old as u32;
        let mut work = Vec::with_capacity(slabs.len());
        for (layers, (own_entry, count)) in slabs {
            let own = (
                contents.split_off_mut(..cells(layers).len()).expect("slabs are parts of the grid"),
                boundary.split_off_mut(..count).expect("there is room for all that were counted"),
            );
            let first = LayerFirstIndices { entry, own_entry, boundary: first_boundary };
            work.push((layers.clone(), first, own));
            first_boundary += count as u32;
        }
        let dealt = BinnedTriangles { surface: &self.surface, grid: &grid, triangles: &triangles };
        work.into_par_iter().with_max_len(1).for_each(|(layers, first, own)| {
            LayerLabeling::label_cells(dealt, layers, first, start, own);
        });
        append(&mut self.entries, triangles);
        self.grids.push(grid);
    }

    /// Divides cells with many triangles, the fullest first, including those that result from it.
    fn subdivide(&mut self) {
        let most_bytes = cell_size::max_bytes(&self.surface);
        let mut crowded = BinaryHeap::new();
        self.push_crowded(0, &mut crowded);
        let (mut divided, mut left_over) = (Vec::new(), 0);
        // The most crowded cells first, as long as memory lasts; ties go to the smaller cell, so that the result is
        // repeatable.
        while let Some((count, Reverse(cell), grid)) = crowded.pop() {
            let entries = self.entries.len() + MAX_ENTRY_GROWTH * count;
            let boundary = self.boundary.len() + DIVISIONS.pow(3) as usize + 1;
            if self.bytes() - left_over > most_bytes
                || entries > MAX_ENTRIES
                || boundary > MAX_BOUNDARY_CELLS
            {
                break;
            }
            let number = WindingCellContent(self.contents[cell]).index();
            if self.subdivide_cell(grid, cell) {
                divided.push(number);
                left_over += count * size_of::<u32>();
                self.push_crowded(self.grids.len() - 1, &mut crowded);
            }
        }
        if !divided.is_empty() {
            self.drop_entries(divided);
        }
    }

    /// Removes the triangles of these boundary cells.
    fn drop_entries(&mut self, mut cells: Vec<usize>) {
        cells.sort_unstable();
        let mut cells = cells.into_iter().peekable();
        let (mut kept, mut first) = (0, 0);
        for number in 0..self.boundary.len() {
            let next = self.boundary.get(number + 1).map(|cell| cell.first as usize);
            let end = next.unwrap_or(self.entries.len());
            self.boundary[number].first = kept as u32;
            if cells.next_if_eq(&number).is_none() {
                // Within the array: a second one of this size would break the bound on memory.
                self.entries.copy_within(first..end, kept);
                kept += end - first;
            }
            first = end;
        }
        self.entries.truncate(kept);
    }

    /// Collects the cells of a grid that have many triangles.
    fn push_crowded(&self, grid: usize, crowded: &mut BinaryHeap<CrowdedCell>) {
        let first = self.grids[grid].first_cell;
        let cells = first..first + self.grids[grid].len();
        crowded.par_extend(cells.into_par_iter().with_min_len(CELLS_PER_TASK).filter_map(|cell| {
            let content = WindingCellContent(self.contents[cell]);
            if content.is_empty() {
                return None;
            }
            let count = self.entries_of(content.index()).len();
            (count > MAX_TRIANGLES_PER_CELL).then_some((count, Reverse(cell), grid))
        }));
    }

    /// Divides a cell of a grid; returns false if that is of no use.
    fn subdivide_cell(&mut self, grid: usize, cell: usize) -> bool {
        let grid = &self.grids[grid];
        let Some(parts) = grid.subdivided_cell(cell - grid.first_cell, DIVISIONS) else {
            return false;
        };
        let number = WindingCellContent(self.contents[cell]).index();
        let triangles = self.entries_of(number).to_vec();
        let most = MAX_ENTRY_GROWTH * triangles.len();
        let of_cell = (triangles.len(), |number: usize| triangles[number]);
        let Some(bins) = TriangleBins::build(&self.surface, of_cell, &parts, most) else {
            return false;
        };
        let BoundaryCell { reference, winding, .. } = self.boundary[number];
        let place = reference.position(grid, grid.cell_coordinates(cell - grid.first_cell));
        let dealt = BinnedTriangles { surface: &self.surface, grid: &parts, triangles: &triangles };
        let start =
            winding_labels::label_of_lowest_cell(dealt, KnownWinding { position: place, winding });
        self.contents[cell] = WindingCellContent::divided(self.grids.len() as u32).0;
        self.add_grid(parts, bins, &triangle_bins::slabs(&parts, 1), start);
        true
    }

    #[inline]
    fn entries_of(&self, boundary: usize) -> &[u32] {
        let [first, end] = [boundary, boundary + 1].map(|k| self.boundary[k].first as usize);
        &self.entries[first..end]
    }

    /// Returns the cell of a point, after all divisions: its grid, its coordinates there and its content; `None` if
    /// the point is outside of the root grid.
    #[inline(always)]
    fn locate(
        &self,
        point: &Vector<3>,
    ) -> Option<(&WindingCellGrid, [u32; 3], WindingCellContent)> {
        let mut grid = &self.grids[0];
        let mut place = grid.cell_containing(point)?;
        let mut content = WindingCellContent(self.contents[grid.cell_index(place)]);
        while content.is_divided() {
            grid = &self.grids[content.index()];
            place = grid.nearest_cell(point);
            content = WindingCellContent(self.contents[grid.first_cell + grid.cell_index(place)]);
        }
        Some((grid, place, content))
    }
}

/// Appends to a list, without copying where it is empty.
fn append(list: &mut Vec<u32>, more: Vec<u32>) {
    if list.is_empty() {
        *list = more;
    } else {
        list.extend(more);
    }
}

/// Buffers for points near the surface, reused from query to query.
#[derive(Clone, Debug, Default)]
pub(super) struct BoundaryPointBuffers {
    /// The boundary cell (upper half) and the index of each point (lower half).
    boundary_points: Vec<u64>,
    corners: Vec<[u32; 3]>,
}

impl SimdInsideTest for WindingCells {
    #[inline(always)]
    fn classify_batch(&self, points: &[Vector<3>], sides: &mut [Containment]) {
        self.classify_in(points, sides, &mut BoundaryPointBuffers::default());
    }
}

impl WindingCells {
    /// Classifies some points by one thread, without allocating once the buffers have grown.
    pub(super) fn classify_with_buffers(
        &self,
        points: &[Vector<3>],
        sides: &mut [Containment],
        room: &mut BoundaryPointBuffers,
    ) {
        run_with_widest_simd(WindingCellsJob {
            cells: self,
            points,
            containments: sides,
            buffers: room,
        });
    }

    #[inline(always)]
    fn classify_in(
        &self,
        points: &[Vector<3>],
        sides: &mut [Containment],
        room: &mut BoundaryPointBuffers,
    ) {
        let BoundaryPointBuffers { boundary_points: near, corners } = room;
        near.clear();
        for (k, (point, side)) in points.iter().zip(&mut *sides).enumerate() {
            let content =
                self.locate(point).map_or(WindingCellContent::empty(0), |(_, _, content)| content);
            if content.is_empty() {
                *side = self.rule.containment(content.winding());
            } else {
                near.push((content.index() as u64) << 32 | k as u64);
            }
        }
        // Boundary cells lie in memory as in space; points in random order would fetch each one again.
        near.sort_unstable();
        for block in near.chunks(POINTS_PER_BATCH) {
            self.classify_near_surface(block, points, sides, corners);
        }
    }

    /// Classifies points near the surface, each given by its boundary cell and its own index.
    ///
    /// Memory is read stage by stage for all of them, so that the cache misses overlap.
    #[inline(always)]
    fn classify_near_surface(
        &self,
        near: &[u64],
        points: &[Vector<3>],
        sides: &mut [Containment],
        corners: &mut Vec<[u32; 3]>,
    ) {
        let number = |one: &u64| (one >> 32) as usize;
        corners.clear();
        for one in near {
            let triangles = self.surface.triangles();
            corners.extend(self.entries_of(number(one)).iter().map(|&t| triangles[t as usize]));
        }
        let mut rest = &corners[..];
        for one in near {
            let [cell, next] = [0, 1].map(|step| self.boundary[number(one) + step]);
            let (here, after) = rest.split_at((next.first - cell.first) as usize);
            rest = after;
            let k = *one as u32 as usize;
            sides[k] = self.classify_by_crossings(&points[k], cell, here);
        }
    }

    #[inline(always)]
    fn classify_by_crossings(
        &self,
        point: &Vector<3>,
        cell: BoundaryCell,
        triangles: &[[u32; 3]],
    ) -> Containment {
        let (grid, place, _) = self.locate(point).expect("the point is in a cell with triangles");
        let reference = cell.reference.position(grid, place);
        match signed_crossings(point, &reference, self.surface.vertices(), triangles) {
            Some(sum) => self.rule.containment(cell.winding + sum),
            None => Containment::Surface,
        }
    }
}

struct WindingCellsJob<'a> {
    cells: &'a WindingCells,
    points: &'a [Vector<3>],
    containments: &'a mut [Containment],
    buffers: &'a mut BoundaryPointBuffers,
}

impl SimdKernel for WindingCellsJob<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.cells.classify_in(self.points, self.containments, self.buffers);
    }
}

impl InsideTest for WindingCells {
    fn classify(&self, point: &Vector<3>) -> Containment {
        classify_simd(self, point)
    }

    fn classify_all(&self, points: &[Vector<3>]) -> Vec<Containment> {
        classify_all_simd(self, points)
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.grids)
            + size_of_val(&*self.contents)
            + size_of_val(&*self.boundary)
            + size_of_val(&*self.entries)
    }
}
