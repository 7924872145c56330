//! Labeling: the winding number of every cell of some layers, from one that is known.
//!
//! Cells are visited in order, and each takes the winding number from an earlier one that shares a face: an empty
//! cell passes it on; through a cell with triangles, crossings are counted from its reference to the shared face. So
//! most cells cost nothing but a look at a neighbor.

use super::cell_grid::WindingCellGrid;
use super::reference_point::{DIAGONAL_NEIGHBORS, POINTS_PER_FACE, ReferencePoint};
use super::{BoundaryCell, WindingCellContent};
use crate::inside::segment_crossing::{TRIANGLES_PER_BATCH, signed_crossings};
use carom_geometry::Vector;
use carom_geometry::mesh::TriangleMesh;
use std::ops::Range;

/// A point off the surface whose winding number is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownWinding {
    pub(super) position: Vector<3>,
    pub(super) winding: i32,
}

/// A reference point of a cell, off the surface, and its winding number.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindingLabel {
    pub(super) reference: ReferencePoint,
    pub(super) winding: i32,
}

/// A surface, a grid and the triangles of its cells, cell by cell.
#[derive(Clone, Copy)]
pub(super) struct BinnedTriangles<'a> {
    pub(super) surface: &'a TriangleMesh,
    pub(super) grid: &'a WindingCellGrid,
    pub(super) triangles: &'a [u32],
}

/// Some layers of a grid while their cells are labeled.
pub(super) struct LayerLabeling<'a> {
    binned: BinnedTriangles<'a>,
    layers: Range<u32>,
    first_cell: usize,
    first: LayerFirstIndices,
    /// The contents of the labeled cells; for those that follow, still the ends of their triangles.
    contents: FillingSlice<'a, u32>,
    /// The cells with triangles.
    boundary: FillingSlice<'a, BoundaryCell>,
}

/// A slice of which the first part is filled.
struct FillingSlice<'a, T> {
    slice: &'a mut [T],
    filled: usize,
}

impl<T: Copy> FillingSlice<'_, T> {
    #[inline(always)]
    fn push(&mut self, one: T) {
        self.slice[self.filled] = one;
        self.filled += 1;
    }

    #[inline(always)]
    fn last(&self) -> Option<T> {
        Some(self.slice[self.filled.checked_sub(1)?])
    }
}

/// The indices at which the parts of some layers begin.
#[derive(Clone, Copy, Debug)]
pub(super) struct LayerFirstIndices {
    /// The triangles of the grid's cells, among those of all grids.
    pub(super) entry: u32,
    /// The triangles of the layers' cells, among those of the grid.
    pub(super) own_entry: u32,
    /// The layers' cells with triangles, among those of all grids.
    pub(super) boundary: u32,
}

/// The preceding cell along an axis, and its content.
#[derive(Clone, Copy)]
struct PrecedingCell {
    axis: usize,
    content: WindingCellContent,
}

impl<'a> LayerLabeling<'a> {
    /// Labels the cells of some layers, from the known label of the lowest one. The contents replace the ends of the
    /// cells' triangles in place.
    pub(super) fn label_cells(
        dealt: BinnedTriangles<'a>,
        layers: Range<u32>,
        first: LayerFirstIndices,
        start: WindingLabel,
        (contents, boundary): (&'a mut [u32], &'a mut [BoundaryCell]),
    ) {
        let first_cell = dealt.grid.cell_index([0, 0, layers.start]);
        let contents = FillingSlice { slice: contents, filled: 0 };
        let boundary = FillingSlice { slice: boundary, filled: 0 };
        let [columns, rows, _] = dealt.grid.counts;
        let (all, mut entry) = (layers.clone(), first.own_entry);
        let mut found =
            LayerLabeling { binned: dealt, layers, first_cell, first, contents, boundary };
        for z in all {
            for y in 0..rows {
                for x in 0..columns {
                    let triangles = entry..found.contents.slice[found.contents.filled];
                    entry = triangles.end;
                    match found.contents.last().map(WindingCellContent) {
                        // Most cells have no triangles, like the one before them.
                        Some(last) if x > 0 && triangles.is_empty() && last.is_empty() => {
                            found.contents.push(last.0);
                        }
                        _ => found.add_cell([x, y, z], start, triangles),
                    }
                }
            }
        }
    }

    fn content(&self, cell: usize) -> WindingCellContent {
        WindingCellContent(self.contents.slice[cell - self.first_cell])
    }

    /// Adds the next cell, which has these of the grid's triangles.
    #[inline(always)]
    fn add_cell(&mut self, place: [u32; 3], start: WindingLabel, triangles: Range<u32>) {
        let grid = self.binned.grid;
        let cell = grid.cell_index(place);
        let steps = [1, grid.counts[0] as usize, grid.cells_per_layer()];
        let lowest = [0, 0, self.layers.start];
        let mut before = (0..3).filter(|&axis| place[axis] > lowest[axis]).map(|axis| {
            let content = self.content(cell - steps[axis]);
            PrecedingCell { axis, content }
        });
        let label = match before.clone().find(|before| before.content.is_empty()) {
            Some(empty) if triangles.is_empty() => return self.contents.push(empty.content.0),
            // An empty neighbor has one winding number all over, also on the face to this cell.
            Some(empty) => WindingLabel {
                reference: ReferencePoint::on_face(empty.axis, 0),
                winding: empty.content.winding(),
            },
            // Without an empty face neighbor one across an edge or a corner does; only if there is none are
            // triangles crossed.
            None => match (self.label_across_edge(place), before.next()) {
                (Some(label), _) => label,
                (None, Some(before)) => {
                    self.label_through_triangles(place, before, triangles.clone())
                }
                (None, None) => start,
            },
        };
        let WindingLabel { reference, winding } = label;
        if triangles.is_empty() {
            return self.contents.push(WindingCellContent::empty(winding).0);
        }
        let number = self.first.boundary + self.boundary.filled as u32;
        self.contents.push(WindingCellContent::boundary(number).0);
        let first = self.first.entry + triangles.start;
        self.boundary.push(BoundaryCell { first, winding, reference });
    }

    /// Returns a label on an edge or corner that a cell shares with an empty one before it.
    fn label_across_edge(&self, place: [u32; 3]) -> Option<WindingLabel> {
        let grid = self.binned.grid;
        DIAGONAL_NEIGHBORS.iter().enumerate().find_map(|(number, step)| {
            let mut other = [0; 3];
            for axis in 0..3 {
                other[axis] = place[axis].checked_add_signed(step[axis])?;
                if other[axis] >= grid.counts[axis] {
                    return None;
                }
            }
            if other[2] < self.layers.start {
                return None;
            }
            let content = self.content(grid.cell_index(other));
            let reference = ReferencePoint::diagonal(number);
            content.is_empty().then(|| WindingLabel { reference, winding: content.winding() })
        })
    }

    /// Returns a label in or at a cell, by counting crossings in a preceding cell with triangles.
    #[cold]
    fn label_through_triangles(
        &self,
        place: [u32; 3],
        before: PrecedingCell,
        triangles: Range<u32>,
    ) -> WindingLabel {
        let BinnedTriangles { surface, grid, triangles: all } = self.binned;
        let number = before.content.index() - self.first.boundary as usize;
        let from = self.boundary.slice[number];
        let next = self.boundary.slice[..self.boundary.filled].get(number + 1);
        let end = next.map_or(triangles.start, |next| next.first - self.first.entry);
        let there = &all[(from.first - self.first.entry) as usize..end as usize];
        let mut place_before = place;
        place_before[before.axis] -= 1;
        let from = KnownWinding {
            position: from.reference.position(grid, place_before),
            winding: from.winding,
        };
        // A point may lie on the surface or its segment meet an edge; another point of the face then decides.
        for number in 0..POINTS_PER_FACE {
            let reference = ReferencePoint::on_face(before.axis, number);
            let point = reference.position(grid, place);
            if let Some(winding) = winding_from(surface, there, &point, from) {
                return WindingLabel { reference, winding };
            }
        }
        // The surface runs along the face; the segment continues into the cell and may cross its triangles too.
        let mut both = there.to_vec();
        both.extend_from_slice(&all[triangles.start as usize..triangles.end as usize]);
        both.sort_unstable();
        both.dedup();
        label_in_cell(BinnedTriangles { surface, grid, triangles: &both }, place, from)
    }
}

/// Returns the label of the lowest cell of a grid, from a reference in the cell that it divides, which has these
/// triangles.
pub(super) fn label_of_lowest_cell(of_cell: BinnedTriangles, from: KnownWinding) -> WindingLabel {
    label_in_cell(of_cell, [0; 3], from)
}

/// Returns a label within a cell, from a known point nearby; no other triangles are between them.
fn label_in_cell(
    BinnedTriangles { surface, grid, triangles }: BinnedTriangles,
    cell: [u32; 3],
    from: KnownWinding,
) -> WindingLabel {
    (0..)
        .map(ReferencePoint::interior)
        .find_map(|reference| {
            let point = reference.position(grid, cell);
            let winding = winding_from(surface, triangles, &point, from)?;
            Some(WindingLabel { reference, winding })
        })
        .expect("points spread over a cell do not all lie on finitely many triangles")
}

/// Returns the winding number at a point from a known one nearby, if it is off the surface; no other triangles are
/// between them.
fn winding_from(
    surface: &TriangleMesh,
    triangles: &[u32],
    place: &Vector<3>,
    from: KnownWinding,
) -> Option<i32> {
    let mut winding = from.winding;
    for four in triangles.chunks(TRIANGLES_PER_BATCH) {
        let all = surface.triangles();
        let corners: [[u32; 3]; TRIANGLES_PER_BATCH] =
            std::array::from_fn(|k| all[four[k.min(four.len() - 1)] as usize]);
        winding +=
            signed_crossings(place, &from.position, surface.vertices(), &corners[..four.len()])?;
    }
    Some(winding)
}
