//! Records distributed to layers, and one layer sorted by cell.

use super::ScaledPosition;
use super::plan::{HierarchicalGridLevel, HierarchicalGridPlan};
use crate::broad::SphereSystem;
use carom_geometry::Vector;
use carom_geometry::simd::F32_LANES;
use std::ops::Range;

/// A sphere as the coarse test sees it, in the units of the plan: 16 bytes in 2D, 20 in 3D.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub(super) struct GridSphereRecord<const D: usize> {
    /// Center of the sphere, wrapped into the box and scaled to the units of the plan.
    pub position: ScaledPosition<D>,
    /// Radius, scaled and inflated so that rounding never hides a contact.
    pub radius: f32,
    /// Index of the sphere in the input.
    pub id: u32,
}

/// The records of one contiguous part of the input, by layer.
#[derive(Debug, Default)]
pub(super) struct LayeredSphereRecords<const D: usize> {
    records: Vec<GridSphereRecord<D>>,
    starts: Vec<u32>,
}

impl<const D: usize> LayeredSphereRecords<D> {
    pub fn fill(
        &mut self,
        plan: &HierarchicalGridPlan<D>,
        system: &SphereSystem<'_, D>,
        range: Range<usize>,
    ) {
        if system.boundary().is_periodic() {
            self.fill_wrapping(plan, system, range, |point| system.boundary().wrap(point));
        } else {
            self.fill_wrapping(plan, system, range, |point| point);
        }
    }

    #[inline(always)]
    fn fill_wrapping(
        &mut self,
        plan: &HierarchicalGridPlan<D>,
        system: &SphereSystem<'_, D>,
        range: Range<usize>,
        wrap: impl Fn(Vector<D>) -> Vector<D>,
    ) {
        let spheres = &system.spheres()[range.clone()];
        // Counting sort. Counts stand two entries ahead and write positions one, so that after the writes
        // each start is in its own entry.
        self.starts.clear();
        self.starts.resize(plan.layer_count() + 2, 0);
        for sphere in spheres {
            self.starts[plan.layer_of_sphere(sphere, &wrap(sphere.center)) + 2] += 1;
        }
        prefix_sum(&mut self.starts);
        let nothing = GridSphereRecord { position: [0.0; D], radius: 0.0, id: 0 };
        // Cleared from end to end first, which the hardware prefetches: the scattered writes below then
        // find their cache lines loaded, and the whole search is a tenth faster at a million spheres.
        self.records.clear();
        self.records.resize(spheres.len(), nothing);
        for (sphere, id) in spheres.iter().zip(range.start as u32..) {
            let center = wrap(sphere.center);
            let place = &mut self.starts[plan.layer_of_sphere(sphere, &center) + 1];
            self.records[*place as usize] = GridSphereRecord {
                position: plan.position(&center),
                radius: plan.radius(sphere.radius),
                id,
            };
            *place += 1;
        }
    }

    fn layer(&self, layer: usize) -> &[GridSphereRecord<D>] {
        &self.records[self.starts[layer] as usize..self.starts[layer + 1] as usize]
    }

    /// Iterates over every record with its layer.
    pub fn by_layer(&self) -> impl Iterator<Item = (usize, &GridSphereRecord<D>)> {
        (0..self.starts.len().saturating_sub(2))
            .flat_map(|layer| self.layer(layer).iter().map(move |record| (layer, record)))
    }

    pub fn memory(&self) -> usize {
        self.records.capacity() * size_of::<GridSphereRecord<D>>() + self.starts.capacity() * 4
    }
}

/// The spheres of one layer, sorted by cell, as a structure of arrays.
///
/// The arrays are longer than `count` by at least [`F32_LANES`], so that a SIMD load may read past the last
/// sphere.
#[derive(Debug)]
pub(super) struct SphereGridLayer<const D: usize> {
    /// Number of spheres that the layer holds.
    pub count: usize,
    pub position: [Vec<f32>; D],
    pub radius: Vec<f32>,
    pub id: Vec<u32>,
    /// Number of the cell in which each sphere lies.
    pub cell: Vec<u32>,
    /// Index of the first sphere of each cell. A rim of empty cells around the layer spares the search
    /// all tests for edges.
    pub starts: Vec<u32>,
    /// Cell of each sphere in the order of the records.
    unsorted_cell: Vec<u32>,
}

/// The arrays of a layer, cut to one length so that one bounds check serves them all.
pub(super) struct SphereGridLayerView<'a, const D: usize> {
    pub position: [&'a [f32]; D],
    pub radius: &'a [f32],
    pub id: &'a [u32],
    pub starts: &'a [u32],
}

impl<const D: usize> Default for SphereGridLayer<D> {
    fn default() -> Self {
        SphereGridLayer {
            count: 0,
            position: std::array::from_fn(|_| Vec::new()),
            radius: Vec::new(),
            id: Vec::new(),
            cell: Vec::new(),
            starts: Vec::new(),
            unsorted_cell: Vec::new(),
        }
    }
}

impl<const D: usize> SphereGridLayer<D> {
    /// Builds layer number `layer` of `level` from the distributed records, by counting sort on the cell.
    pub fn build(
        &mut self,
        level: &HierarchicalGridLevel<D>,
        dealt: &[LayeredSphereRecords<D>],
        layer: usize,
    ) {
        let layer = level.first_layer + layer;
        let records = || dealt.iter().map(|dealt| dealt.layer(layer));
        self.count = records().map(<[_]>::len).sum();
        self.grow_arrays();
        // Counts stand two entries ahead and write positions one, as in `fill_wrapping`.
        self.starts.clear();
        self.starts.resize(level.cells_per_layer() + 2, 0);
        let starts = &mut self.starts[..];
        let mut unsorted = self.unsorted_cell.iter_mut();
        for record in records().flatten() {
            let cell = level.cell_in_layer(&record.position);
            starts[cell + 2] += 1;
            if let Some(unsorted) = unsorted.next() {
                *unsorted = cell as u32;
            }
        }
        prefix_sum(starts);
        // One length for all, so that one bounds check serves them all.
        let length = self.id.len();
        let position = self.position.each_mut().map(|values| &mut values[..length]);
        let (radius, id) = (&mut self.radius[..length], &mut self.id[..length]);
        let sorted_cell = &mut self.cell[..length];
        for (record, &cell) in records().flatten().zip(&self.unsorted_cell) {
            let start = &mut starts[cell as usize + 1];
            let place = *start as usize;
            *start += 1;
            for axis in 0..D {
                position[axis][place] = record.position[axis];
            }
            radius[place] = record.radius;
            id[place] = record.id;
            sorted_cell[place] = cell;
        }
    }

    fn grow_arrays(&mut self) {
        if self.id.len() >= self.count + F32_LANES {
            return;
        }
        // Some reserve: the same layer may hold a few more spheres in the next time step.
        let room = self.count + self.count / 8 + F32_LANES;
        self.position.iter_mut().for_each(|values| values.resize(room, 0.0));
        self.radius.resize(room, 0.0);
        self.id.resize(room, 0);
        self.cell.resize(room, 0);
        self.unsorted_cell.resize(room, 0);
    }

    pub fn record(&self, index: usize) -> GridSphereRecord<D> {
        GridSphereRecord {
            position: std::array::from_fn(|axis| self.position[axis][index]),
            radius: self.radius[index],
            id: self.id[index],
        }
    }

    pub fn records(&self) -> impl Iterator<Item = GridSphereRecord<D>> {
        (0..self.count).map(|index| self.record(index))
    }

    #[inline(always)]
    pub fn view(&self) -> SphereGridLayerView<'_, D> {
        let length = self.id.len();
        SphereGridLayerView {
            position: std::array::from_fn(|axis| &self.position[axis][..length]),
            radius: &self.radius[..length],
            id: &self.id,
            starts: &self.starts,
        }
    }

    pub fn memory(&self) -> usize {
        let floats =
            self.position.iter().map(Vec::capacity).sum::<usize>() + self.radius.capacity();
        let integers = self.id.capacity()
            + self.cell.capacity()
            + self.starts.capacity()
            + self.unsorted_cell.capacity();
        4 * (floats + integers)
    }
}

/// Replaces counts by their running sums.
fn prefix_sum(counts: &mut [u32]) {
    let mut sum = 0;
    for count in counts {
        sum += *count;
        *count = sum;
    }
}
