//! The inner loops: one sphere against contiguous stretches of others.

use super::lanes::{Compare, Job, LANES, run_widest};
use super::layer::{Layer, Record, View};
use super::plan::Level;
use crate::Pair;
use crate::broad::Found;

/// Bound, in cells, on the rounding of a position divided by a cell's width: for images up to two
/// boxes away among 8192 cells, 2^-9.
const CELL_ROUNDING: f32 = 1.0 / 256.0;

/// Compares all spheres of `layer` with each other and with those of the following layer.
pub(super) fn search_layer<const D: usize>(
    level: &Level<D>,
    layer: &Layer<D>,
    following: Option<&Layer<D>>,
    found: &mut Found,
) {
    run_widest(LayerSearch { level, layer, following, found });
}

/// Compares each of `records` with all of a level that it may reach.
pub(super) fn search_boxes<const D: usize>(
    level: &Level<D>,
    layers: &[Layer<D>],
    records: &[Record<D>],
    found: &mut Found,
) {
    run_widest(BoxSearch { level, layers, records, found });
}

struct LayerSearch<'a, const D: usize> {
    level: &'a Level<D>,
    layer: &'a Layer<D>,
    following: Option<&'a Layer<D>>,
    found: &'a mut Found,
}

impl<const D: usize> Job for LayerSearch<'_, D> {
    #[inline(always)]
    fn run(self, compare: impl Compare) {
        let row = self.level.row();
        let own = self.layer.view();
        let following = self.following.map(Layer::view);
        let pairs = &mut self.found.pairs;
        // Summed here and not in `found`, where each sum would wait for the last to be stored.
        let mut tests = 0;
        for index in 0..self.layer.count {
            let record = self.layer.record(index);
            let cell = self.layer.cell[index] as usize;
            let end = own.starts[cell + 2] as usize;
            tests += search_stretch(compare, &record, &own, index + 1, end, pairs);
            if D == 3 {
                tests += search_three_cells(compare, &record, &own, cell + row, pairs);
            }
            let Some(following) = &following else { continue };
            tests += search_three_cells(compare, &record, following, cell, pairs);
            if D == 3 {
                tests += search_three_cells(compare, &record, following, cell - row, pairs);
                tests += search_three_cells(compare, &record, following, cell + row, pairs);
            }
        }
        self.found.tests += tests as u64;
    }
}

struct BoxSearch<'a, const D: usize> {
    level: &'a Level<D>,
    layers: &'a [Layer<D>],
    records: &'a [Record<D>],
    found: &'a mut Found,
}

impl<const D: usize> Job for BoxSearch<'_, D> {
    #[inline(always)]
    fn run(self, compare: impl Compare) {
        let mut tests = 0;
        for record in self.records {
            let cells = |axis| cells_within(self.level, record, axis);
            let (first, last) = cells(0);
            let (first_row, last_row) = if D == 3 { cells(1) } else { (0, 0) };
            let (first_layer, last_layer) = cells(D - 1);
            for layer in &self.layers[first_layer..=last_layer] {
                let view = layer.view();
                for row in first_row..=last_row {
                    let row = if D == 3 { (row + 1) * self.level.row() } else { 0 };
                    let start = view.starts[row + first + 1] as usize;
                    let end = view.starts[row + last + 2] as usize;
                    let pairs = &mut self.found.pairs;
                    tests += search_stretch(compare, record, &view, start, end, pairs);
                }
            }
        }
        self.found.tests += tests as u64;
    }
}

/// First and last cell along `axis` that may hold a sphere within reach.
#[inline(always)]
fn cells_within<const D: usize>(
    level: &Level<D>,
    record: &Record<D>,
    axis: usize,
) -> (usize, usize) {
    let reach = record.radius + level.largest_radius;
    let most = level.cells[axis] as i32 - 1;
    let place = record.position[axis] * level.inverse[axis];
    let half = reach * level.inverse[axis] + CELL_ROUNDING;
    let cell = |place: f32| (place as i32).clamp(0, most) as usize;
    (cell(place - half), cell(place + half))
}

#[inline(always)]
fn search_three_cells<const D: usize>(
    compare: impl Compare,
    record: &Record<D>,
    view: &View<'_, D>,
    middle: usize,
    pairs: &mut Vec<Pair>,
) -> usize {
    let (start, end) = (view.starts[middle - 1], view.starts[middle + 2]);
    search_stretch(compare, record, view, start as usize, end as usize, pairs)
}

/// Compares one sphere with a stretch of others and returns how many these were.
///
/// The first comparison is made even if the stretch is empty: a branch on the number of spheres,
/// mostly between none and five, would be guessed wrong too often.
#[inline(always)]
fn search_stretch<const D: usize>(
    compare: impl Compare,
    record: &Record<D>,
    view: &View<'_, D>,
    start: usize,
    end: usize,
    pairs: &mut Vec<Pair>,
) -> usize {
    let mut first = start;
    loop {
        let within = (1u32 << (end - first).min(LANES)) - 1;
        let mut touching = compare.touching(record, view, first) & within;
        while touching != 0 {
            let index = first + touching.trailing_zeros() as usize;
            // The image of a sphere may look as if it touched the sphere itself.
            if view.id[index] != record.id {
                pairs.push(Pair::new(record.id, view.id[index]));
            }
            touching &= touching - 1;
        }
        first += LANES;
        if first >= end {
            return end - start;
        }
    }
}
