//! Particles of one body in rows along the first axis of its lattice.
//!
//! Each row begins at its first particle and ends at its last, so that a ball needs about half the room of the box around
//! it. Neighbors are found from where rows begin: nothing is stored for a spring but whether it holds.

use super::lattice::SpringLattice;
use carom_geometry::Vector;
use std::ops::Range;

/// A row of particles; within it there may be holes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LatticeRow {
    /// The number of its first particle, holes counted.
    pub start: usize,
    /// How many there are.
    pub count: usize,
    /// Where the first is along the axis.
    pub first_coordinate: i32,
}

impl LatticeRow {
    /// The numbers of its particles.
    pub fn numbers(&self) -> Range<usize> {
        self.start..self.start + self.count
    }

    /// The number of the particle at a place along the axis.
    pub fn particle_at(&self, along: i32) -> Option<usize> {
        let step = usize::try_from(along - self.first_coordinate).ok()?;
        (step < self.count).then(|| self.start + step)
    }
}

/// Which places of a lattice have particles.
#[derive(Clone, Debug)]
pub struct LatticeGrid<const D: usize> {
    /// Of which it is a piece.
    pub lattice: SpringLattice,
    rows: Vec<LatticeRow>,
    /// The least place along each further axis, and how many rows there are along it.
    low: [i32; D],
    row_counts: [usize; D],
    /// Whether there is a particle, in the order of numbers.
    occupied: Vec<bool>,
}

impl<const D: usize> LatticeGrid<D> {
    /// A grid with particles at all places between two corners that `is_inside` tells of.
    pub fn fill(
        lattice: SpringLattice,
        [low, high]: [[i32; D]; 2],
        is_inside: impl Fn(&[i32; D]) -> bool,
    ) -> Self {
        let row_counts: [usize; D] =
            std::array::from_fn(|axis| usize::try_from(high[axis] - low[axis] + 1).unwrap_or(0));
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
                grid.occupied.resize(row.start + row.count - 1, false);
                grid.occupied.push(true);
            }
            grid.rows.push(row);
        }
        grid
    }

    /// All rows, along the second axis first.
    pub fn rows(&self) -> &[LatticeRow] {
        &self.rows
    }

    /// Places in memory, holes counted.
    pub fn slot_count(&self) -> usize {
        self.occupied.len()
    }

    /// Whether there is a particle of a number.
    pub fn is_occupied(&self, number: usize) -> bool {
        self.occupied[number]
    }

    /// Numbers of all particles, ascending.
    pub fn particles(&self) -> impl Iterator<Item = usize> + '_ {
        self.occupied.iter().enumerate().filter_map(|(number, &taken)| taken.then_some(number))
    }

    /// Where a row is, at the start of the first axis.
    pub fn row_coordinates(&self, row: usize) -> [i32; D] {
        let mut coordinates = [0; D];
        let mut rest = row;
        for axis in 1..D {
            coordinates[axis] = self.low[axis] + (rest % self.row_counts[axis]) as i32;
            rest /= self.row_counts[axis];
        }
        coordinates
    }

    /// The row at a place, and nothing if there is none.
    pub fn row_at(&self, coordinates: &[i32; D]) -> Option<usize> {
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

    /// The particle at a place.
    pub fn particle_at(&self, coordinates: &[i32; D]) -> Option<usize> {
        let number = self.rows[self.row_at(coordinates)?].particle_at(coordinates[0])?;
        self.occupied[number].then_some(number)
    }

    /// Where a particle of a row is.
    pub fn coordinates(&self, row: usize, number: usize) -> [i32; D] {
        let mut coordinates = self.row_coordinates(row);
        coordinates[0] = self.rows[row].first_coordinate + (number - self.rows[row].start) as i32;
        coordinates
    }

    /// The row of a particle.
    pub fn row_of(&self, number: usize) -> usize {
        self.rows.partition_point(|row| row.start + row.count <= number)
    }

    /// The place of a particle, with a spacing of one.
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
        let grid = LatticeGrid::fill(SpringLattice::Cubic18, [[-6; 3], [6; 3]], round);
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
