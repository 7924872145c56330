//! The part of a body that a wave can have reached, which must be stepped.
//!
//! In one time step a force reaches no farther than to the next neighbor, so particles beyond move with the body as
//! before (the affected front of S. Koti's thesis). Each row of the lattice has one range of particles that may be
//! reached; every step it grows by one at both ends, and by the ranges of its neighboring rows.

use super::lattice_grid::LatticeGrid;
use std::ops::Range;

/// A range of coordinates along the first axis in each row; empty in rows that nothing has reached.
#[derive(Clone, Debug)]
pub(super) struct WaveFront {
    /// The reached range of each row, in coordinates along the first axis (not in particle numbers).
    reached: Vec<Range<i32>>,
    previous: Vec<Range<i32>>,
    /// Number of neighboring rows, diagonal ones and the row itself included.
    neighbor_row_count: usize,
    is_everywhere: bool,
}

// The neutral element of `union_range`: the minimum of starts and the maximum of ends ignore it, so that rows that
// nothing has reached need no branch.
const NOTHING: Range<i32> = Range { start: i32::MAX, end: i32::MIN };

impl WaveFront {
    /// Creates a front that has reached nothing.
    pub(super) fn new<const D: usize>(grid: &LatticeGrid<D>) -> Self {
        let rows = grid.rows().len();
        WaveFront {
            reached: vec![NOTHING; rows],
            previous: vec![NOTHING; rows],
            neighbor_row_count: 3usize.pow(D as u32 - 1),
            is_everywhere: false,
        }
    }

    /// The reached range of each row, and whether that is everything.
    pub(super) fn save(&self) -> (Vec<Range<i32>>, bool) {
        (self.reached.clone(), self.is_everywhere)
    }

    /// Restores what [`save`](Self::save) returned.
    pub(super) fn restore(&mut self, reached: Vec<Range<i32>>, is_everywhere: bool) {
        (self.reached, self.is_everywhere) = (reached, is_everywhere);
    }

    /// Whether it has reached everything.
    pub(super) fn is_everywhere(&self) -> bool {
        self.is_everywhere
    }

    /// Numbers of a row's particles that it has reached.
    pub(super) fn row_numbers<const D: usize>(
        &self,
        grid: &LatticeGrid<D>,
        row: usize,
    ) -> Range<usize> {
        reached_numbers(&self.reached[row], grid, row)
    }

    /// Whether it has reached a particle.
    pub(super) fn contains<const D: usize>(&self, grid: &LatticeGrid<D>, number: usize) -> bool {
        self.is_everywhere || self.row_numbers(grid, grid.row_of(number)).contains(&number)
    }

    /// Reaches everything at once; `reach` is called with ranges of numbers that were not reached before.
    pub(super) fn reach_all<const D: usize>(
        &mut self,
        grid: &LatticeGrid<D>,
        mut reach: impl FnMut(Range<usize>),
    ) {
        if self.is_everywhere {
            return;
        }
        for (row, reached) in self.reached.iter_mut().enumerate() {
            let whole = grid.rows()[row];
            let all = whole.first_coordinate..whole.first_coordinate + whole.count as i32;
            report_newly_reached(reached, &all, grid, row, &mut reach);
            *reached = all;
        }
        self.is_everywhere = true;
    }

    /// Reaches one particle.
    pub(super) fn reach_particle<const D: usize>(
        &mut self,
        grid: &LatticeGrid<D>,
        number: usize,
        mut reach: impl FnMut(Range<usize>),
    ) {
        if self.is_everywhere {
            return;
        }
        let row = grid.row_of(number);
        let along = grid.coordinates(row, number)[0];
        // One range per row, although a second contact may be far from the first: what lies between is stepped too early,
        // which costs work but is right, since no force acts there.
        let wider = union_range(&self.reached[row], &(along..along + 1));
        report_newly_reached(&self.reached[row], &wider, grid, row, &mut reach);
        self.reached[row] = wider;
    }

    /// Grows by one neighbor in all directions.
    pub(super) fn grow<const D: usize>(
        &mut self,
        grid: &LatticeGrid<D>,
        mut reach: impl FnMut(Range<usize>),
    ) {
        if self.is_everywhere {
            return;
        }
        // All rows grow from the ranges before this step: grown in place, a row would pass on what it has just got, and the
        // front would run through all rows in one step.
        std::mem::swap(&mut self.reached, &mut self.previous);
        let mut is_everywhere = true;
        for row in 0..self.previous.len() {
            let steps = grid.row_coordinates(row);
            let mut wider = self.previous[row].clone();
            // `code` counts in base three: a digit per axis across the row, less one the step along that axis. All
            // neighbors of every lattice are within one step along each axis.
            for code in 0..self.neighbor_row_count {
                let mut there = steps;
                (1..D).for_each(|axis| {
                    there[axis] += (code / 3usize.pow(axis as u32 - 1) % 3) as i32 - 1;
                });
                if let Some(near) = grid.row_at(&there).map(|near| &self.previous[near])
                    && !near.is_empty()
                {
                    // Diagonal neighbors are one further along the row; ends beyond the row are cut in
                    // `reached_numbers`. Saturating, so that no range of a damaged checkpoint overflows.
                    let near = near.start.saturating_sub(1)..near.end.saturating_add(1);
                    wider = union_range(&wider, &near);
                }
            }
            report_newly_reached(&self.previous[row], &wider, grid, row, &mut reach);
            // Once everything is reached, the loop over rows is left out for the rest of the run.
            is_everywhere &= reached_numbers(&wider, grid, row).len() == grid.rows()[row].count;
            self.reached[row] = wider;
        }
        self.is_everywhere = is_everywhere;
    }

    /// Number of slots that it has reached, holes included.
    pub(super) fn count<const D: usize>(&self, grid: &LatticeGrid<D>) -> usize {
        match self.is_everywhere {
            true => grid.slot_count(),
            false => (0..self.reached.len()).map(|row| self.row_numbers(grid, row).len()).sum(),
        }
    }
}

/// The smallest range that contains both.
fn union_range(one: &Range<i32>, other: &Range<i32>) -> Range<i32> {
    one.start.min(other.start)..one.end.max(other.end)
}

fn reached_numbers<const D: usize>(
    places: &Range<i32>,
    grid: &LatticeGrid<D>,
    row: usize,
) -> Range<usize> {
    let row = grid.rows()[row];
    // In 64 bits, since the ends of `NOTHING` less a coordinate do not fit into 32.
    let [start, end] = [places.start, places.end].map(|place| {
        i64::from(place).saturating_sub(i64::from(row.first_coordinate)).clamp(0, row.count as i64)
    });
    row.start + start as usize..row.start + end.max(start) as usize
}

/// Calls `reach` with what the wide range has beyond the narrow one.
fn report_newly_reached<const D: usize>(
    narrow: &Range<i32>,
    wide: &Range<i32>,
    grid: &LatticeGrid<D>,
    row: usize,
    reach: &mut impl FnMut(Range<usize>),
) {
    // Each particle is reported once: who is reached gets the displacement that the body has had until then, and would
    // get it twice.
    let (old, new) = (reached_numbers(narrow, grid, row), reached_numbers(wide, grid, row));
    if narrow.is_empty() || old.is_empty() {
        return reach(new);
    }
    reach(new.start..old.start);
    reach(old.end..new.end);
}
