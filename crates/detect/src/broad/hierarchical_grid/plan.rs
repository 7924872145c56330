//! The shape of the grid: number of levels, cell widths and units, chosen from the system alone.

use super::ScaledPosition;
use super::layer::GridSphereRecord;
use crate::broad::SphereSystem;
use crate::broad::cell_width::cell_width;
use carom_geometry::{Sphere, Vector, math};

/// Intended mean number of spheres per cell, by dimension. Measured best between 0.5 and 1: below, empty
/// cells dominate the cost; above, comparisons do.
const SPHERES_PER_CELL: [f64; 4] = [0.0, 0.0, 1.0, 0.7];
/// Cells are this much wider along a row than across it: a row of three cells is read as a whole, and
/// comparing eight records costs as much as comparing one.
const ROW_CELL_ASPECT_RATIO: f64 = 1.5;
/// With more cells than this along one axis, `f32` positions would not resolve them.
const MAX_CELLS_PER_AXIS: f64 = 8192.0;
/// Relative width added to cells against the rounding of `f32`: at `MAX_CELLS_PER_AXIS` cells a position
/// in units of cells is wrong by up to 2^-11, the difference of two by 2^-10.
const SLACK: f64 = 1.0 / 512.0;
/// Largest number of levels; the coarsest one has a single cell long before this is reached.
const MAX_LEVELS: usize = 24;

/// The shape of all levels. Positions are scaled so that the longest side of the region is one,
/// and axes are ordered so that layers lie along it.
#[derive(Debug, Default)]
pub(super) struct HierarchicalGridPlan<const D: usize> {
    /// Levels with at least one sphere, the finest first.
    pub levels: Vec<HierarchicalGridLevel<D>>,
    /// Axis of the input for each axis of a record; the last is the axis of layers.
    axes: [usize; 3],
    low: [f64; 3],
    scale: f64,
    /// Length, in the units of the plan, added to every radius so that rounding never hides a contact.
    inflation: f64,
    /// Reciprocal of the largest radius.
    inverse_largest_radius: f64,
    /// Index into `levels` by the number of halvings from the largest radius.
    level_by_halving_count: [u8; MAX_LEVELS],
    /// Largest number of halvings that is distinguished; smaller spheres share the finest level.
    halving_count: usize,
    /// Spheres closer than this to a periodic side are searched for by their images too.
    periodic_reach: [f32; 3],
    /// Size of the region in the units of the plan.
    extent: [f32; 3],
    /// Positions are clamped to these limits, which moves outliers to the nearest point of the bulk.
    /// Projection onto a box brings no two points farther apart, so no contact is hidden.
    clamp_limits: [(f64, f64); 3],
}

/// A grid of cells for spheres of similar size.
#[derive(Debug)]
pub(super) struct HierarchicalGridLevel<const D: usize> {
    /// Number of cells along each axis of a record, without the empty rim.
    pub cells: [usize; D],
    /// Number of cells per unit of length along each axis.
    pub cells_per_length: [f32; D],
    /// Largest inflated radius in the level.
    pub largest_radius: f32,
    /// Number of this level's first layer among the layers of all levels.
    pub first_layer: usize,
    /// Number of spheres in the level.
    pub count: usize,
}

impl<const D: usize> HierarchicalGridPlan<D> {
    pub fn design(&mut self, system: &SphereSystem<'_, D>) {
        let region = system.bulk();
        let size = region.size();
        let longest = size.max();
        self.scale = if longest > 0.0 { (1.0 / longest).min(f64::MAX) } else { 1.0 };
        self.axes = [0, 1, 2];
        self.axes[..D].sort_by(|&a, &b| size[a].total_cmp(&size[b]));
        for axis in 0..D {
            self.low[axis] = region.low[self.axes[axis]];
            let extent = size[self.axes[axis]] * self.scale;
            let periodic = system.boundary().period(self.axes[axis]).is_some();
            self.extent[axis] = extent as f32;
            self.clamp_limits[axis] =
                if periodic { (-extent, 2.0 * extent) } else { (0.0, extent) };
        }
        let largest = system.largest_radius();
        // Error bound of the `f32` test, half of it for each sphere: two positions, each wrong by up to
        // 2^-24 of the region (twice that for images) along three axes; some ten roundings at 2^-24 of the
        // radius; all doubled to be safe; and the error of wrapping.
        let relative = f64::from(f32::EPSILON);
        self.inflation =
            4.0 * relative + (4.0 * relative * largest + 0.5 * system.image_margin()) * self.scale;
        self.inverse_largest_radius =
            if largest > 0.0 { (1.0 / largest).min(f64::MAX) } else { 0.0 };
        self.choose_levels(system);
        for axis in 0..D {
            let reach = self.levels.last().map_or(0.0, |level| 2.0 * level.largest_radius);
            let periodic = system.boundary().period(self.axes[axis]).is_some();
            // Slightly more, against the rounding of the position itself.
            self.periodic_reach[axis] = if periodic { reach * 1.001 } else { f32::NEG_INFINITY };
        }
    }

    fn choose_levels(&mut self, system: &SphereSystem<'_, D>) {
        self.levels.clear();
        let count = system.spheres().len();
        let largest = system.largest_radius() * self.scale;
        let finest = self.cell_width(count);
        let halvings = math::log2(2.0 * largest / finest.max(f64::MIN_POSITIVE)) + 0.5;
        self.halving_count = halvings.clamp(0.0, MAX_LEVELS as f64 - 1.0) as usize;
        // Count and largest radius of the spheres of each size class.
        let mut classes = [(0usize, 0.0f64); MAX_LEVELS];
        if self.halving_count == 0 {
            classes[0] = (count, system.largest_radius());
        } else {
            for sphere in system.spheres() {
                let (count, largest) = &mut classes[self.halvings_of(sphere)];
                *count += 1;
                *largest = largest.max(sphere.radius);
            }
        }
        let mut first_layer = 0;
        for (halvings, &(count, largest)) in classes.iter().enumerate().rev() {
            if count == 0 {
                continue;
            }
            self.level_by_halving_count[halvings] = self.levels.len() as u8;
            let radius = largest * self.scale + self.inflation;
            let level = self.level(count, radius, first_layer);
            first_layer += level.layer_count();
            self.levels.push(level);
        }
    }

    fn level(
        &self,
        count: usize,
        largest_radius: f64,
        first_layer: usize,
    ) -> HierarchicalGridLevel<D> {
        let width = self.cell_width(count).max(2.0 * largest_radius * (1.0 + SLACK));
        let mut cells = [1; D];
        let mut inverse = [0.0; D];
        for axis in 0..D {
            let width = if axis == 0 { width * ROW_CELL_ASPECT_RATIO } else { width };
            let extent = f64::from(self.extent[axis]);
            cells[axis] = (extent / width).clamp(1.0, MAX_CELLS_PER_AXIS) as usize;
            inverse[axis] = if extent > 0.0 { (cells[axis] as f64 / extent) as f32 } else { 0.0 };
        }
        // Rounded up, since it bounds radii that are rounded to nearest.
        let largest_radius = (largest_radius * (1.0 + SLACK)) as f32;
        HierarchicalGridLevel {
            cells,
            cells_per_length: inverse,
            largest_radius,
            first_layer,
            count,
        }
    }

    /// Returns the width at which cells hold [`SPHERES_PER_CELL`] on average.
    fn cell_width(&self, count: usize) -> f64 {
        let edges: [f64; D] = std::array::from_fn(|axis| f64::from(self.extent[axis]));
        cell_width(&edges, count as f64 / SPHERES_PER_CELL[D])
    }

    /// Returns how often the largest radius can be halved before it falls below the sphere's.
    #[inline(always)]
    fn halvings_of(&self, sphere: &Sphere<D>) -> usize {
        // The binary exponent of the ratio, read from its bits instead of by a logarithm. The sign is
        // masked off, since the radius may be -0.
        let exponent =
            ((sphere.radius * self.inverse_largest_radius).to_bits() >> 52 & 0x7ff) as usize;
        1022usize.saturating_sub(exponent).min(self.halving_count)
    }

    /// Returns the number of layers in all levels.
    pub fn layer_count(&self) -> usize {
        self.levels.last().map_or(0, |level| level.first_layer + level.layer_count())
    }

    /// Returns the level of a layer that is counted over all levels.
    pub fn level_of_layer(&self, layer: usize) -> usize {
        self.levels.partition_point(|level| level.first_layer <= layer) - 1
    }

    /// Returns the layer, counted over all levels, of a sphere whose wrapped center is given.
    #[inline(always)]
    pub fn layer_of_sphere(&self, sphere: &Sphere<D>, wrapped: &Vector<D>) -> usize {
        let level = if self.halving_count == 0 {
            &self.levels[0]
        } else {
            &self.levels[self.level_by_halving_count[self.halvings_of(sphere)] as usize]
        };
        level.first_layer + level.cell(D - 1, self.coordinate(D - 1, wrapped))
    }

    #[inline(always)]
    fn coordinate(&self, axis: usize, point: &Vector<D>) -> f32 {
        let place = (point[self.axes[axis]] - self.low[axis]) * self.scale;
        let (low, high) = self.clamp_limits[axis];
        // Not `clamp`: two instructions instead of six.
        let place = if place < low { low } else { place };
        (if place > high { high } else { place }) as f32
    }

    /// Returns a point in the units and axis order of the plan.
    #[inline(always)]
    pub fn position(&self, point: &Vector<D>) -> ScaledPosition<D> {
        std::array::from_fn(|axis| self.coordinate(axis, point))
    }

    /// Returns a radius in the units of the plan, inflated.
    #[inline(always)]
    pub fn radius(&self, radius: f64) -> f32 {
        (radius * self.scale + self.inflation) as f32
    }

    pub fn near_a_periodic_side(&self, record: &GridSphereRecord<D>) -> bool {
        (0..D).any(|axis| {
            let place = record.position[axis];
            place.min(self.extent[axis] - place) <= self.periodic_reach[axis]
        })
    }
}

impl<const D: usize> HierarchicalGridLevel<D> {
    pub fn layer_count(&self) -> usize {
        self.cells[D - 1]
    }

    /// Returns the length of a row of cells, rim included.
    pub fn row_length(&self) -> usize {
        self.cells[0] + 2
    }

    /// Returns the number of cells of one layer, rim included.
    pub fn cells_per_layer(&self) -> usize {
        self.row_length() * if D == 3 { self.cells[1] + 2 } else { 1 }
    }

    /// Returns the index of the cell along one axis; positions outside belong to the outermost cells.
    #[inline(always)]
    pub fn cell(&self, axis: usize, coordinate: f32) -> usize {
        ((coordinate * self.cells_per_length[axis]) as i32 as usize).min(self.cells[axis] - 1)
    }

    /// Returns the index of a cell within its layer, rim included.
    #[inline(always)]
    pub fn cell_in_layer(&self, position: &ScaledPosition<D>) -> usize {
        let column = self.cell(0, position[0]) + 1;
        match D {
            3 => (self.cell(1, position[1]) + 1) * self.row_length() + column,
            _ => column,
        }
    }
}
