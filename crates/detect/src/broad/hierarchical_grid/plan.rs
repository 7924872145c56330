//! How many levels, how wide their cells, in which units: decided from the system alone.

use super::ScaledPosition;
use super::layer::GridSphereRecord;
use crate::broad::SphereSystem;
use crate::broad::cell_width::cell_width;
use carom_geometry::{Sphere, Vector, math};

/// Wanted mean number of spheres per cell. Measured best between 0.5 and 1: fewer and the starts
/// of empty cells are the cost, more and the comparisons are.
const SPHERES_PER_CELL: [f64; 4] = [0.0, 0.0, 1.0, 0.7];
/// Cells are this much wider along a row than across: a row of three cells is read as a whole, and
/// eight records cost what one costs.
const ROW_CELL_ASPECT_RATIO: f64 = 1.5;
/// More cells than this along one axis and an `f32` could not tell neighbors apart.
const MAX_CELLS_PER_AXIS: f64 = 8192.0;
/// Relative width added to cells against the rounding of `f32`: at `MAX_CELLS_PER_AXIS` cells a place in
/// units of cells is wrong by up to 2^-11, that of two spheres by 2^-10.
const SLACK: f64 = 1.0 / 512.0;
/// More levels than this are never needed: the coarsest one has a single cell long before.
const MAX_LEVELS: usize = 24;

/// The shape of all levels. Positions are scaled so that the longest side of the region is one,
/// and axes are ordered so that layers lie along it.
#[derive(Debug, Default)]
pub(super) struct HierarchicalGridPlan<const D: usize> {
    /// Levels with at least one sphere, the finest first.
    pub levels: Vec<HierarchicalGridLevel<D>>,
    /// Axis of the user for each axis of a record; the last is the axis of layers.
    axes: [usize; 3],
    low: [f64; 3],
    scale: f64,
    /// Added to every radius so that rounding never hides a contact.
    inflation: f64,
    /// Reciprocal of the largest radius.
    inverse_largest_radius: f64,
    /// Index into `levels` by halvings from the largest radius.
    level_by_halving_count: [u8; MAX_LEVELS],
    halving_count: usize,
    /// Spheres nearer than this to a periodic side are looked up from their images too.
    periodic_reach: [f32; 3],
    extent: [f32; 3],
    /// Positions are moved into these limits, that is, outliers to the nearest point of the bulk.
    /// Moving all to their nearest points of a box brings none further apart, so no contact is
    /// hidden.
    clamp_limits: [(f64, f64); 3],
}

/// A grid of cells for spheres of similar size.
#[derive(Debug)]
pub(super) struct HierarchicalGridLevel<const D: usize> {
    /// Number of cells along each axis of a record, without the empty rim.
    pub cells: [usize; D],
    /// Cells per unit of length.
    pub cells_per_length: [f32; D],
    /// Largest inflated radius.
    pub largest_radius: f32,
    /// Number of this level's first layer among the layers of all levels.
    pub first_layer: usize,
    /// How many spheres it holds.
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
        // Each of two spheres takes half of: the conversion of two positions, each wrong by up to
        // 2^-24 of the region (twice that for images) along three axes, and some ten roundings at
        // 2^-24 of the radius, all doubled to be safe; and what wrapping costs.
        let relative = f64::from(f32::EPSILON);
        self.inflation =
            4.0 * relative + (4.0 * relative * largest + 0.5 * system.image_margin()) * self.scale;
        self.inverse_largest_radius =
            if largest > 0.0 { (1.0 / largest).min(f64::MAX) } else { 0.0 };
        self.choose_levels(system);
        for axis in 0..D {
            let reach = self.levels.last().map_or(0.0, |level| 2.0 * level.largest_radius);
            let periodic = system.boundary().period(self.axes[axis]).is_some();
            // A hair more, against the rounding of the place itself.
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
        // Rounded up, since it bounds what was rounded to nearest.
        let largest_radius = (largest_radius * (1.0 + SLACK)) as f32;
        HierarchicalGridLevel {
            cells,
            cells_per_length: inverse,
            largest_radius,
            first_layer,
            count,
        }
    }

    /// The width at which cells hold the wanted number of spheres each.
    fn cell_width(&self, count: usize) -> f64 {
        let edges: [f64; D] = std::array::from_fn(|axis| f64::from(self.extent[axis]));
        cell_width(&edges, count as f64 / SPHERES_PER_CELL[D])
    }

    /// How often the largest radius can be halved before it is below the sphere's.
    #[inline(always)]
    fn halvings_of(&self, sphere: &Sphere<D>) -> usize {
        // Without the sign: the radius may be -0.
        let exponent =
            ((sphere.radius * self.inverse_largest_radius).to_bits() >> 52 & 0x7ff) as usize;
        1022usize.saturating_sub(exponent).min(self.halving_count)
    }

    /// Number of layers in all levels.
    pub fn layer_count(&self) -> usize {
        self.levels.last().map_or(0, |level| level.first_layer + level.layer_count())
    }

    /// The level of a layer counted over all levels.
    pub fn level_of_layer(&self, layer: usize) -> usize {
        self.levels.partition_point(|level| level.first_layer <= layer) - 1
    }

    /// The layer, counted over all levels, of a sphere whose wrapped center is given.
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

    /// A point in the units and order of axes of the plan.
    #[inline(always)]
    pub fn position(&self, point: &Vector<D>) -> ScaledPosition<D> {
        std::array::from_fn(|axis| self.coordinate(axis, point))
    }

    /// A radius in the units of the plan, inflated.
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

    /// Length of a row of cells with its rim.
    pub fn row_length(&self) -> usize {
        self.cells[0] + 2
    }

    /// Number of cells of one layer with its rim.
    pub fn cells_per_layer(&self) -> usize {
        self.row_length() * if D == 3 { self.cells[1] + 2 } else { 1 }
    }

    /// Index of the cell along one axis; positions outside belong to the outermost cells.
    #[inline(always)]
    pub fn cell(&self, axis: usize, coordinate: f32) -> usize {
        ((coordinate * self.cells_per_length[axis]) as i32 as usize).min(self.cells[axis] - 1)
    }

    /// Index of a cell within its layer, counting the rim.
    #[inline(always)]
    pub fn cell_in_layer(&self, position: &ScaledPosition<D>) -> usize {
        let column = self.cell(0, position[0]) + 1;
        match D {
            3 => (self.cell(1, position[1]) + 1) * self.row_length() + column,
            _ => column,
        }
    }
}
