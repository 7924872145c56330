//! The inner loops: one sphere against contiguous ranges of others.

use super::layer::{GridSphereRecord, SphereGridLayer, SphereGridLayerView};
use super::plan::HierarchicalGridLevel;
use super::touching_mask::touching_mask;
use crate::BodyPair;
use crate::broad::TaskCandidates;
use carom_geometry::simd::{F32_LANES, F32x8Instructions, F32x8Kernel, run_with_f32x8};

/// Bound, in cells, on the `f32` rounding of a position divided by the cell width. For images up to two
/// boxes away among 8192 cells the error is at most 2^-9; this is twice that.
const CELL_ROUNDING: f32 = 1.0 / 256.0;

/// Compares all spheres of `layer` with each other and with those of the following layer, each pair of
/// neighboring cells once.
pub(super) fn search_layer<const D: usize>(
    level: &HierarchicalGridLevel<D>,
    layer: &SphereGridLayer<D>,
    following: Option<&SphereGridLayer<D>>,
    found: &mut TaskCandidates,
) {
    run_with_f32x8(LayerSearch { level, layer, following, found });
}

/// Compares each of `records` with all spheres of a level within its reach.
pub(super) fn search_boxes<const D: usize>(
    level: &HierarchicalGridLevel<D>,
    layers: &[SphereGridLayer<D>],
    records: &[GridSphereRecord<D>],
    found: &mut TaskCandidates,
) {
    run_with_f32x8(BoxSearch { level, layers, records, found });
}

struct LayerSearch<'a, const D: usize> {
    level: &'a HierarchicalGridLevel<D>,
    layer: &'a SphereGridLayer<D>,
    following: Option<&'a SphereGridLayer<D>>,
    found: &'a mut TaskCandidates,
}

impl<const D: usize> F32x8Kernel for LayerSearch<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: impl F32x8Instructions) {
        let row = self.level.row_length();
        let own = self.layer.view();
        let following = self.following.map(SphereGridLayer::view);
        let pairs = &mut self.found.pairs;
        // Summed in a register; in `found` each sum would wait for the last one to be stored.
        let mut tests = 0;
        for index in 0..self.layer.count {
            let record = self.layer.record(index);
            let cell = self.layer.cell[index] as usize;
            // Half of the neighborhood: the rest of the own cell and the next cell of its row, the next row
            // of this layer, and the three rows of the following layer. The other half is searched from there.
            let end = own.starts[cell + 2] as usize;
            tests += search_record_range(simd, &record, &own, index + 1, end, pairs);
            if D == 3 {
                tests += search_three_cells(simd, &record, &own, cell + row, pairs);
            }
            let Some(following) = &following else { continue };
            tests += search_three_cells(simd, &record, following, cell, pairs);
            if D == 3 {
                tests += search_three_cells(simd, &record, following, cell - row, pairs);
                tests += search_three_cells(simd, &record, following, cell + row, pairs);
            }
        }
        self.found.tests += tests as u64;
    }
}

struct BoxSearch<'a, const D: usize> {
    level: &'a HierarchicalGridLevel<D>,
    layers: &'a [SphereGridLayer<D>],
    records: &'a [GridSphereRecord<D>],
    found: &'a mut TaskCandidates,
}

impl<const D: usize> F32x8Kernel for BoxSearch<'_, D> {
    type Output = ();

    #[inline(always)]
    fn run(self, simd: impl F32x8Instructions) {
        let mut tests = 0;
        for record in self.records {
            let cells = |axis| cells_within(self.level, record, axis);
            let (first, last) = cells(0);
            let (first_row, last_row) = if D == 3 { cells(1) } else { (0, 0) };
            let (first_layer, last_layer) = cells(D - 1);
            for layer in &self.layers[first_layer..=last_layer] {
                let view = layer.view();
                for row in first_row..=last_row {
                    let row = if D == 3 { (row + 1) * self.level.row_length() } else { 0 };
                    let start = view.starts[row + first + 1] as usize;
                    let end = view.starts[row + last + 2] as usize;
                    let pairs = &mut self.found.pairs;
                    tests += search_record_range(simd, record, &view, start, end, pairs);
                }
            }
        }
        self.found.tests += tests as u64;
    }
}

/// Returns the first and last cell along `axis` that may hold a sphere within reach.
#[inline(always)]
fn cells_within<const D: usize>(
    level: &HierarchicalGridLevel<D>,
    record: &GridSphereRecord<D>,
    axis: usize,
) -> (usize, usize) {
    let reach = record.radius + level.largest_radius;
    let most = level.cells[axis] as i32 - 1;
    let place = record.position[axis] * level.cells_per_length[axis];
    let half = reach * level.cells_per_length[axis] + CELL_ROUNDING;
    let cell = |place: f32| (place as i32).clamp(0, most) as usize;
    (cell(place - half), cell(place + half))
}

#[inline(always)]
fn search_three_cells<const D: usize>(
    simd: impl F32x8Instructions,
    record: &GridSphereRecord<D>,
    view: &SphereGridLayerView<'_, D>,
    middle: usize,
    pairs: &mut Vec<BodyPair>,
) -> usize {
    let (start, end) = (view.starts[middle - 1], view.starts[middle + 2]);
    search_record_range(simd, record, view, start as usize, end as usize, pairs)
}

/// Compares one sphere with a contiguous range of others and returns their number.
///
/// The first comparison is made even if the range is empty: a branch on the number of spheres, mostly
/// between zero and five, would be mispredicted too often.
#[inline(always)]
fn search_record_range<const D: usize>(
    simd: impl F32x8Instructions,
    record: &GridSphereRecord<D>,
    view: &SphereGridLayerView<'_, D>,
    start: usize,
    end: usize,
    pairs: &mut Vec<BodyPair>,
) -> usize {
    let mut first = start;
    loop {
        // Masks off lanes beyond the range, which hold other cells or the padding of the arrays.
        let within = (1u32 << (end - first).min(F32_LANES)) - 1;
        let mut touching = touching_mask(simd, record, view, first) & within;
        while touching != 0 {
            let index = first + touching.trailing_zeros() as usize;
            // A sphere's own image may pass the coarse test, since radii are inflated.
            if view.id[index] != record.id {
                pairs.push(BodyPair::new(record.id, view.id[index]));
            }
            // Clears the lowest set bit.
            touching &= touching - 1;
        }
        first += F32_LANES;
        if first >= end {
            return end - start;
        }
    }
}
