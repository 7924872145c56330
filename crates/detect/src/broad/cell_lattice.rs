//! Which cell a point lies in, and which cells are next to it, for the broad phases by cells.

use super::SphereSystem;
use carom_geometry::{Boundary, Sphere};

/// A regular division of the region into equal cells, periodic where the boundary is.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellLattice<const D: usize> {
    low: [f64; D],
    /// Number of cells per unit of length along each axis.
    cells_per_length: [f64; D],
    /// Number of cells along each axis.
    pub cells: [i64; D],
    periodic: [bool; D],
    /// Largest distance, in cells along each axis, between the cells of two spheres that touch.
    reach: [i64; D],
}

/// With more cells than this along one axis, rounding would put spheres into wrong cells.
const MAX_CELLS_PER_AXIS: f64 = (1u64 << 44) as f64;

/// Returns the width from which on only adjacent cells need to be searched: the largest diameter with a
/// small margin for rounding.
pub(super) fn minimum_cell_width<const D: usize>(system: &SphereSystem<'_, D>) -> f64 {
    2.0 * (system.largest_radius() + system.image_margin()) * (1.0 + 1e-6)
}

impl<const D: usize> CellLattice<D> {
    /// Divides the region into cells about `width` wide, at least one along each axis.
    pub fn new(system: &SphereSystem<'_, D>, width: f64) -> Self {
        let (region, reach) = (system.region(), minimum_cell_width(system));
        let mut lattice = CellLattice {
            low: region.low.into(),
            cells_per_length: [0.0; D],
            cells: [1; D],
            periodic: std::array::from_fn(|axis| system.boundary().period(axis).is_some()),
            reach: [1; D],
        };
        for axis in 0..D {
            let length = region.size()[axis];
            if length <= 0.0 {
                continue;
            }
            // The small factor keeps a width that divides the length from losing a cell to rounding.
            let cells = (length / width * (1.0 + 1e-12)).clamp(1.0, MAX_CELLS_PER_AXIS).floor();
            lattice.cells[axis] = cells as i64;
            lattice.cells_per_length[axis] = cells / length;
            // A position in units of cells is wrong by a few parts in 2^53 of their number; the margin in
            // `minimum_cell_width` covers this up to a billion cells.
            let rounding = if cells > 1e9 { cells * 4.0 * f64::EPSILON } else { 0.0 };
            lattice.reach[axis] =
                (reach * lattice.cells_per_length[axis] * (1.0 - 1e-9) + rounding).ceil() as i64;
        }
        lattice
    }

    /// Returns the cell of a sphere; centers on the far side of the region belong to the last cell.
    #[inline(always)]
    pub fn cell(&self, sphere: &Sphere<D>, boundary: &Boundary<D>) -> [i64; D] {
        let center = boundary.wrap(sphere.center);
        std::array::from_fn(|axis| {
            let place = (center[axis] - self.low[axis]) * self.cells_per_length[axis];
            (place as i64).clamp(0, self.cells[axis] - 1)
        })
    }

    /// Writes one of each two opposite offsets to cells within reach, so that each pair of different cells
    /// is visited from one side (from both where a periodic axis has few cells).
    pub fn half_stencil(&self, offsets: &mut Vec<[i64; D]>) {
        let (mut low, mut high) = ([0; D], [0; D]);
        for axis in 0..D {
            let cells = self.cells[axis];
            let reach = self.reach[axis].min(cells - 1);
            // A periodic axis with few cells is covered once around, so that no cell is met twice.
            (low[axis], high[axis]) = match self.periodic[axis] {
                true if 2 * reach >= cells => (-(cells - 1) / 2, cells / 2),
                _ => (-reach, reach),
            };
        }
        offsets.clear();
        let mut offset = low;
        loop {
            if offset > [0; D] {
                offsets.push(offset);
            }
            let Some(axis) = (0..D).rev().find(|&axis| offset[axis] < high[axis]) else { return };
            offset[axis] += 1;
            offset[axis + 1..].copy_from_slice(&low[axis + 1..]);
        }
    }

    /// Returns the cell at `offset` from `cell`, if there is one.
    #[inline(always)]
    pub fn neighbor(&self, cell: &[i64; D], offset: &[i64; D]) -> Option<[i64; D]> {
        let mut neighbor = [0; D];
        for axis in 0..D {
            let (place, cells) = (cell[axis] + offset[axis], self.cells[axis]);
            neighbor[axis] = match (0..cells).contains(&place) {
                true => place,
                false if self.periodic[axis] => place.rem_euclid(cells),
                false => return None,
            };
        }
        Some(neighbor)
    }
}
