//! Particles of one body, stored in rows along the first axis of its lattice.
//!
//! Each row spans its first to its last particle, so that a ball needs about half the memory of its bounding box.
//! Neighbors are found from where rows begin: only one bit per spring end is stored.

use super::lattice::SpringLattice;
use crate::Error;
use carom_geometry::Vector;
use std::ops::Range;

/// Largest number of sites that are tested.
const MOST_SITES: usize = 1_000_000_000;

/// A row of slots; some of them may be holes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LatticeRow {
    /// Number of its first slot.
    pub start: usize,
    /// Number of slots, holes included.
    pub count: usize,
    /// Lattice coordinate of the first slot along the first axis.
    pub first_coordinate: i32,
}

impl LatticeRow {
    /// Numbers of its slots.
    pub fn numbers(&self) -> Range<usize> {
        self.start..self.start + self.count
    }

    /// Number of the slot at a lattice coordinate along the first axis.
    pub(crate) fn particle_at(&self, along: i32) -> Option<usize> {
        let step = usize::try_from(along - self.first_coordinate).ok()?;
        (step < self.count).then(|| self.start + step)
    }
}

/// The sites of a lattice that have particles.
#[derive(Clone, Debug)]
pub struct LatticeGrid<const D: usize> {
    /// Lattice that the sites belong to.
    pub lattice: SpringLattice,
    rows: Vec<LatticeRow>,
    /// Least coordinate along each further axis, and the number of rows along it.
    low: [i32; D],
    row_counts: [usize; D],
    /// Whether each slot has a particle.
    occupied: Vec<bool>,
}

impl<const D: usize> LatticeGrid<D> {
    /// Creates a grid with particles at all sites between two corners for which `is_inside` is true. Errors if a
    /// coordinate of the second corner is below that of the first, or if there are more than 1e9 sites between them.
    ///
    /// ```
    /// use carom_simulate::bonded::{LatticeGrid, SpringLattice};
    /// // A ring: sites at a distance from 5 to 10 of the center.
    /// let is_inside = |at: &[i32; 2]| (25..=100).contains(&(at[0] * at[0] + at[1] * at[1]));
    /// let ring = LatticeGrid::fill(SpringLattice::Square8, [[-10; 2], [10; 2]], is_inside)?;
    /// assert_eq!(ring.particle_at(&[0, 0]), None);
    /// let number = ring.particle_at(&[7, 2]).expect("it is inside");
    /// assert_eq!(ring.coordinates(ring.row_of(number), number), [7, 2]);
    /// assert!(LatticeGrid::fill(SpringLattice::Square8, [[0, 0], [9, -1]], |_| true).is_err());
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn fill(
        lattice: SpringLattice,
        [low, high]: [[i32; D]; 2],
        is_inside: impl Fn(&[i32; D]) -> bool,
    ) -> Result<Self, Error> {
        if low.iter().zip(&high).any(|(low, high)| low > high) {
            let (what, value) = ("the corners of a lattice", format!("{low:?} and {high:?}"));
            let rule = "no coordinate of the second may be below that of the first";
            return Err(Error::Setting { what, value, rule });
        }
        let row_counts: [usize; D] = std::array::from_fn(|axis| {
            usize::try_from(i64::from(high[axis]) - i64::from(low[axis]) + 1).unwrap_or(0)
        });
        let sites =
            row_counts.iter().try_fold(1usize, |product, &count| product.checked_mul(count));
        if sites.is_none_or(|sites| sites > MOST_SITES) {
            let places: f64 = row_counts.iter().map(|&count| count as f64).product();
            let (what, value) =
                ("the number of lattice sites around a solid", format!("{places:.1e}"));
            let rule = "at most 1e9 are tested: rotate the lattice along the solid, or take a longer spacing";
            return Err(Error::Setting { what, value, rule });
        }
        let all_rows: usize = row_counts[1..].iter().product();
        let mut grid = LatticeGrid {
            lattice,
            rows: Vec::with_capacity(all_rows),
            low,
            row_counts,
            occupied: Vec::new(),
        };
        for number in 0..all_rows {
            let mut coordinates = grid.row_coordinates(number);
            let mut row = LatticeRow { start: grid.occupied.len(), ..LatticeRow::default() };
            for along in low[0]..=high[0] {
                coordinates[0] = along;
                if !is_inside(&coordinates) {
                    continue;
                }
                if row.count == 0 {
                    row.first_coordinate = along;
                }
                row.count = (along - row.first_coordinate) as usize + 1;
                // Holes within a row keep their slots, so that a neighbor is at the same offset all along the row.
                grid.occupied.resize(row.start + row.count - 1, false);
                grid.occupied.push(true);
            }
            grid.rows.push(row);
        }
        Ok(grid)
    }

    /// All rows, the second axis varying fastest.
    pub fn rows(&self) -> &[LatticeRow] {
        &self.rows
    }

    /// Number of slots, holes included.
    pub fn slot_count(&self) -> usize {
        self.occupied.len()
    }

    /// Whether a slot has a particle.
    ///
    /// # Panics
    ///
    /// Where the number is not below [`slot_count`](Self::slot_count).
    pub fn is_occupied(&self, number: usize) -> bool {
        self.occupied[number]
    }

    /// Numbers of all particles, ascending.
    pub fn particles(&self) -> impl Iterator<Item = usize> + '_ {
        self.occupied.iter().enumerate().filter_map(|(number, &taken)| taken.then_some(number))
    }

    /// Lattice coordinates of a row, with 0 along the first axis.
    pub(crate) fn row_coordinates(&self, row: usize) -> [i32; D] {
        let mut coordinates = [0; D];
        let mut rest = row;
        for axis in 1..D {
            coordinates[axis] = self.low[axis] + (rest % self.row_counts[axis]) as i32;
            rest /= self.row_counts[axis];
        }
        coordinates
    }

    /// The row at lattice coordinates, if there is one.
    pub(crate) fn row_at(&self, coordinates: &[i32; D]) -> Option<usize> {
        let (mut row, mut stride) = (0, 1);
        for axis in 1..D {
            let step = usize::try_from(coordinates[axis] - self.low[axis]).ok()?;
            if step >= self.row_counts[axis] {
                return None;
            }
            row += step * stride;
            stride *= self.row_counts[axis];
        }
        Some(row)
    }

    /// The particle at lattice coordinates, if there is one.
    pub fn particle_at(&self, coordinates: &[i32; D]) -> Option<usize> {
        let number = self.rows[self.row_at(coordinates)?].particle_at(coordinates[0])?;
        self.occupied[number].then_some(number)
    }

    /// Lattice coordinates of a particle of a row.
    ///
    /// # Panics
    ///
    /// Where there is no such row, or the number is below the first of the row.
    pub fn coordinates(&self, row: usize, number: usize) -> [i32; D] {
        let mut coordinates = self.row_coordinates(row);
        coordinates[0] = self.rows[row].first_coordinate + (number - self.rows[row].start) as i32;
        coordinates
    }

    /// The row of a particle, by binary search; for a number that no slot has, the number of rows.
    pub fn row_of(&self, number: usize) -> usize {
        self.rows.partition_point(|row| row.start + row.count <= number)
    }

    /// Position of a particle with unit spacing.
    ///
    /// # Panics
    ///
    /// As [`coordinates`](Self::coordinates).
    pub fn position(&self, row: usize, number: usize) -> Vector<D> {
        self.lattice.position(&self.coordinates(row, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_numbers_go_both_ways() {
        let round = |steps: &[i32; 3]| {
            let square: i32 = steps.iter().map(|step| step * step).sum();
            (2..=30).contains(&square)
        };
        let grid = LatticeGrid::fill(SpringLattice::Cubic18, [[-6; 3], [6; 3]], round).unwrap();
        let mut count = 0;
        for (number, row) in grid.rows().iter().enumerate() {
            for particle in row.numbers() {
                let steps = grid.coordinates(number, particle);
                assert_eq!(grid.is_occupied(particle), round(&steps));
                assert_eq!(grid.particle_at(&steps), round(&steps).then_some(particle));
                assert_eq!(grid.row_of(particle), number);
                count += usize::from(round(&steps));
            }
        }
        assert_eq!(grid.particles().count(), count);
        assert_eq!(grid.particle_at(&[0, 0, 7]), None);
        assert_eq!(grid.particle_at(&[6, 0, 0]), None);
    }
}
