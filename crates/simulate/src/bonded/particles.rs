//! Positions, velocities and intact springs of a body's particles, as structure of arrays.

use super::lattice::Link;
use super::lattice_grid::LatticeGrid;
use carom_geometry::Vector;

/// Padding before the first and after the last particle, so that a block of a row may read beyond its neighbors.
pub(super) const PAD: usize = 64;

/// Bit of a particle that keeps its velocity whatever force acts on it.
pub(super) const HELD: u32 = 1 << 31;

/// Bit of a slot without a particle.
pub(super) const HOLE: u32 = 1 << 30;

/// All particles of a body, one array per coordinate, in the order of the grid's numbers, shifted by `PAD`.
#[derive(Clone, Debug)]
pub(super) struct Particles<const D: usize> {
    /// Current positions.
    pub positions: [Vec<f64>; D],
    /// Positions after the time step that is being made.
    pub next_positions: [Vec<f64>; D],
    /// Velocities half a time step ago.
    pub velocities: [Vec<f64>; D],
    /// Intact springs, one bit per link and then per opposite link; and [`HELD`] and [`HOLE`].
    pub spring_bits: Vec<u32>,
}

impl<const D: usize> Particles<D> {
    /// Creates particles at rest at the sites of a grid, mapped to space by `place`, joined by all links.
    pub(super) fn new(
        grid: &LatticeGrid<D>,
        links: &[Link<D>],
        place: impl Fn(&Vector<D>) -> Vector<D>,
    ) -> Self {
        let room = grid.slot_count() + 2 * PAD;
        let mut positions: [Vec<f64>; D] = std::array::from_fn(|_| vec![0.0; room]);
        let mut spring_bits = vec![0; room];
        for (row, numbers) in
            grid.rows().iter().map(super::lattice_grid::LatticeRow::numbers).enumerate()
        {
            for number in numbers {
                let position = place(&grid.position(row, number));
                (0..D).for_each(|axis| positions[axis][number + PAD] = position[axis]);
                if grid.is_occupied(number) {
                    spring_bits[number + PAD] =
                        spring_bits_at(grid, links, &grid.coordinates(row, number));
                } else {
                    spring_bits[number + PAD] = HOLE;
                }
            }
        }
        let velocities = std::array::from_fn(|_| vec![0.0; room]);
        Particles { next_positions: positions.clone(), positions, velocities, spring_bits }
    }

    pub(super) fn position(&self, number: usize) -> Vector<D> {
        Vector::from(std::array::from_fn(|axis| self.positions[axis][number + PAD]))
    }

    pub(super) fn velocity(&self, number: usize) -> Vector<D> {
        Vector::from(std::array::from_fn(|axis| self.velocities[axis][number + PAD]))
    }

    pub(super) fn add_velocity(&mut self, number: usize, change: &Vector<D>) {
        if self.spring_bits[number + PAD] & HELD == 0 {
            (0..D).for_each(|axis| self.velocities[axis][number + PAD] += change[axis]);
        }
    }

    pub(super) fn set_velocity(&mut self, number: usize, velocity: &Vector<D>) {
        (0..D).for_each(|axis| self.velocities[axis][number + PAD] = velocity[axis]);
    }

    /// The intact springs of a particle as bits, without [`HELD`] and [`HOLE`].
    pub(super) fn spring_bits(&self, number: usize) -> u32 {
        self.spring_bits[number + PAD] & !(HELD | HOLE)
    }

    /// Memory held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.spring_bits.len() * (3 * D * size_of::<f64>() + size_of::<u32>())
    }
}

/// Lattice coordinates of the neighbor along a link (`sign` 1) or against it (`sign` -1).
pub(super) fn offset_coordinates<const D: usize>(
    coordinates: &[i32; D],
    offset: &[i32; D],
    sign: i32,
) -> [i32; D] {
    std::array::from_fn(|axis| coordinates[axis] + sign * offset[axis])
}

/// Bits of the links from a site that lead to particles.
fn spring_bits_at<const D: usize>(
    grid: &LatticeGrid<D>,
    links: &[Link<D>],
    coordinates: &[i32; D],
) -> u32 {
    let mut bits = 0;
    for (bit, link) in links.iter().enumerate() {
        for (sign, bit) in [(1, bit), (-1, bit + links.len())] {
            let is_there =
                grid.particle_at(&offset_coordinates(coordinates, &link.offset, sign)).is_some();
            bits |= u32::from(is_there) << bit;
        }
    }
    bits
}
