//! A hierarchical grid over the centers of neighbor lists: one cell list per size class.
//!
//! A body of any size searches for partners of each class in cells as wide as that class, so that wide
//! mixtures cost no more than equal spheres. Open axes are folded: cells far apart share a slot, and the
//! exact distance test sorts out who is really near.

use crate::BoundaryCondition;
use crate::event_driven::hard_spheres::HardSpheres;
use carom_geometry::{Vector, math};

/// The hierarchical grid; see the module.
#[derive(Debug, Default)]
pub struct SizeClassGrid<const D: usize> {
    levels: Vec<SizeClassLevel<D>>,
    /// First body of each cell, all levels one after the other.
    heads: Vec<u32>,
    /// Next body in the same cell.
    next: Vec<u32>,
    cells: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct SizeClassLevel<const D: usize> {
    /// Largest reach of its bodies.
    reach: f64,
    /// Index of its first cell.
    offset: u32,
    counts: [u32; D],
    cells_per_length: [f64; D],
    /// Whether cells beyond one end are those at the other, as on periodic and open axes.
    folded: [bool; D],
}

const NONE: u32 = u32::MAX;

impl<const D: usize> SizeClassGrid<D> {
    /// Fills the grid with all bodies, given the reach of each (two bodies are neighbors within the sum of
    /// their reaches) and the factor by which reaches may still grow.
    pub fn start(
        &mut self,
        bodies: &HardSpheres<D>,
        reaches: impl Fn(u32) -> f64,
        headroom: f64,
        place: impl Fn(u32) -> Vector<D>,
    ) {
        let count = bodies.count();
        let largest = (0..count as u32).map(&reaches).fold(0.0, f64::max);
        let class = |body: u32| {
            // Classes by powers of two: cells fit the bodies in them to that factor.
            (math::log2(largest / reaches(body)).floor() as usize).min(SIZE_CLASSES - 1)
        };
        let mut members = [0usize; SIZE_CLASSES];
        let mut reach = [0.0f64; SIZE_CLASSES];
        for body in 0..count as u32 {
            members[class(body)] += 1;
            reach[class(body)] = reach[class(body)].max(reaches(body));
        }
        self.levels.clear();
        let mut level_of_class = [0; SIZE_CLASSES];
        let mut offset = 0;
        for k in 0..SIZE_CLASSES {
            level_of_class[k] = self.levels.len();
            if members[k] > 0 {
                let level = SizeClassLevel::new(bodies, reach[k] * headroom, members[k], offset);
                offset += level.size();
                self.levels.push(level);
            }
        }
        self.heads.clear();
        self.heads.resize(offset as usize, NONE);
        self.next.clear();
        self.next.resize(count, NONE);
        self.cells.clear();
        // Backwards, so that the linked lists run forwards in memory.
        self.cells.extend(
            (0..count as u32)
                .map(|body| self.levels[level_of_class[class(body)]].cell(&place(body))),
        );
        for body in (0..count as u32).rev() {
            self.link(body, self.cells[body as usize]);
        }
    }

    /// Moves the center of a body to `place`.
    pub fn recenter(&mut self, body: u32, place: &Vector<D>) {
        let old = self.cells[body as usize];
        let level = self.levels.partition_point(|level| level.offset <= old) - 1;
        let new = self.levels[level].cell(place);
        // Most moves stay within a cell.
        if new == old {
            return;
        }
        self.unlink(body, old);
        self.cells[body as usize] = new;
        self.link(body, new);
    }

    /// Returns the largest reach of each class.
    pub fn reaches(&self) -> impl Iterator<Item = f64> {
        self.levels.iter().map(|level| level.reach)
    }

    /// Visits every body of a class whose center may be closer to `place` than the sum of reaches; may visit
    /// more.
    #[inline]
    pub fn visit(&self, class: usize, place: &Vector<D>, reach: f64, mut visit: impl FnMut(u32)) {
        let level = &self.levels[class];
        level.visit_cells(place, reach + level.reach, |cell| {
            let mut body = self.heads[cell as usize];
            while body != NONE {
                visit(body);
                body = self.next[body as usize];
            }
        });
    }

    pub fn memory(&self) -> usize {
        (self.heads.capacity() + self.next.capacity() + self.cells.capacity()) * 4
    }

    fn link(&mut self, body: u32, cell: u32) {
        self.next[body as usize] = self.heads[cell as usize];
        self.heads[cell as usize] = body;
    }

    fn unlink(&mut self, body: u32, cell: u32) {
        let after = self.next[body as usize];
        let mut current = self.heads[cell as usize];
        if current == body {
            self.heads[cell as usize] = after;
            return;
        }
        while self.next[current as usize] != body {
            current = self.next[current as usize];
        }
        self.next[current as usize] = after;
    }
}

/// Number of size classes; each is half as wide as the one before, the last takes all smaller bodies.
const SIZE_CLASSES: usize = 16;

impl<const D: usize> SizeClassLevel<D> {
    fn new(bodies: &HardSpheres<D>, reach: f64, members: usize, offset: u32) -> Self {
        let region = &bodies.region;
        let most = (2 * members + 64) as f64;
        // Cells are widened until there are about two per body: more would cost memory, and emptying and
        // visiting them costs time.
        let mut width = 2.0 * reach;
        while (0..D).map(|axis| (region.size[axis] / width).floor().max(1.0)).product::<f64>()
            > most
        {
            width *= 1.1;
        }
        let counts = std::array::from_fn(|axis| (region.size[axis] / width).max(1.0) as u32);
        let cells_per_length = std::array::from_fn(|axis| counts[axis] as f64 / region.size[axis]);
        let folded = std::array::from_fn(|axis| {
            !matches!(region.boundary_conditions[axis], BoundaryCondition::Wall { .. })
        });
        SizeClassLevel { reach, offset, counts, cells_per_length, folded }
    }

    fn size(&self) -> u32 {
        self.counts.iter().product()
    }

    fn column(&self, axis: usize, x: f64) -> i64 {
        // `floor` without a library call, and saturating for bodies far out on open axes.
        let columns = x * self.cells_per_length[axis];
        let toward_zero = columns as i64;
        toward_zero.saturating_sub(i64::from(columns < toward_zero as f64))
    }

    /// Returns the stored column of one that may lie outside the box.
    fn fold(&self, axis: usize, column: i64) -> u32 {
        let count = i64::from(self.counts[axis]);
        let folded =
            if self.folded[axis] { column.rem_euclid(count) } else { column.clamp(0, count - 1) };
        folded as u32
    }

    fn cell(&self, place: &Vector<D>) -> u32 {
        let along = |axis: usize| self.fold(axis, self.column(axis, place[axis]));
        self.offset + (0..D).rev().fold(0, |cell, axis| cell * self.counts[axis] + along(axis))
    }

    #[inline]
    fn visit_cells(&self, place: &Vector<D>, range: f64, mut visit: impl FnMut(u32)) {
        let (mut low, mut count) = ([0i64; D], [0u32; D]);
        for axis in 0..D {
            let (mut first, mut last) =
                (self.column(axis, place[axis] - range), self.column(axis, place[axis] + range));
            let all = i64::from(self.counts[axis]);
            if !self.folded[axis] {
                (first, last) = (first.clamp(0, all - 1), last.clamp(0, all - 1));
            }
            low[axis] = first;
            // Around a short period the range may reach a cell twice; it is visited once.
            count[axis] = (last - first + 1).min(all) as u32;
        }
        let low: [u32; D] = std::array::from_fn(|axis| self.fold(axis, low[axis]));
        let all = self.counts;
        let [rows, planes] = [1, 2].map(|axis| if axis < D { count[axis] } else { 1 });
        let mut plane = if D == 3 { low[D - 1] } else { 0 };
        for _ in 0..planes {
            let mut row = low[1];
            for _ in 0..rows {
                let start = self.offset + (plane * all[1] + row) * all[0];
                // A row that wraps around is at most two contiguous ranges of cells.
                let stretch = count[0].min(all[0] - low[0]);
                (start + low[0]..start + low[0] + stretch).for_each(&mut visit);
                (start..start + count[0] - stretch).for_each(&mut visit);
                row = if row + 1 == all[1] { 0 } else { row + 1 };
            }
            plane = if plane + 1 == all[D - 1] { 0 } else { plane + 1 };
        }
    }
}
