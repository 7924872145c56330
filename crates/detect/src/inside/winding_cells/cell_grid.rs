//! A box divided into equal cells.

use carom_geometry::Vector;

/// Cells of one size; the first axis is the fastest.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindingCellGrid {
    low: Vector<3>,
    cell_width: Vector<3>,
    inverse_cell_width: Vector<3>,
    pub(super) counts: [u32; 3],
    /// How far beyond its faces a cell still counts: more than rounding can move a point.
    pub(super) margin: Vector<3>,
    /// How far rounding can move a point in the grid of all.
    rounding: Vector<3>,
    /// Where its cells are among those of all grids.
    pub(super) first_cell: usize,
}

/// Part of its width by which a cell is larger than what is counted as in it ...
const MARGIN: f64 = 1e-9;

/// ... and roundings of the farthest coordinate of the grid of all: some for a place in a grid, and two
/// more for every grid within a grid.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON;

/// Cells are not divided further once a margin is so large a part of them.
const MIN_WIDTH_IN_MARGINS: f64 = 100.0;

impl WindingCellGrid {
    /// From its lowest corner on.
    pub(super) fn new(low: Vector<3>, width: Vector<3>, counts: [u32; 3]) -> Self {
        let rounding = Vector::from_fn(|axis, _| {
            ROUNDINGS * (low[axis].abs() + width[axis] * f64::from(counts[axis]))
        });
        Self::with_rounding(low, width, counts, rounding)
    }

    fn with_rounding(
        low: Vector<3>,
        cell_width: Vector<3>,
        counts: [u32; 3],
        rounding: Vector<3>,
    ) -> Self {
        let inverse_cell_width = cell_width.map(|width| 1.0 / width);
        let margin = MARGIN * cell_width + rounding;
        WindingCellGrid {
            low,
            cell_width,
            inverse_cell_width,
            counts,
            margin,
            rounding,
            first_cell: 0,
        }
    }

    /// The same box in half as many cells along each axis, down to one.
    pub(super) fn coarser(&self) -> Self {
        let counts = self.counts.map(|count| count.div_ceil(2));
        let width = Vector::from_fn(|axis, _| {
            self.cell_width[axis] * f64::from(self.counts[axis]) / f64::from(counts[axis])
        });
        WindingCellGrid::new(self.low, width, counts)
    }

    /// A cell divided into equal parts; none if they would be hardly wider than their margins.
    pub(super) fn subdivided_cell(&self, cell: usize, divisions: u32) -> Option<Self> {
        let (low, width) =
            (self.cell_corner(self.cell_coordinates(cell)), self.cell_width / f64::from(divisions));
        // The grid of all put the point into this cell with roundings of its own, larger coordinates.
        let grid = WindingCellGrid::with_rounding(low, width, [divisions; 3], self.rounding);
        let is_wide =
            (0..3).all(|axis| grid.cell_width[axis] > MIN_WIDTH_IN_MARGINS * grid.margin[axis]);
        is_wide.then_some(grid)
    }

    pub(super) fn cell_width(&self) -> Vector<3> {
        self.cell_width
    }

    /// How many cells there are.
    pub(super) fn len(&self) -> usize {
        self.counts.iter().map(|&count| count as usize).product()
    }

    /// How many cells a layer has.
    pub(super) fn cells_per_layer(&self) -> usize {
        self.counts[0] as usize * self.counts[1] as usize
    }

    /// The cell of a point, none if it is outside of all.
    #[inline(always)]
    pub(super) fn cell_containing(&self, point: &Vector<3>) -> Option<[u32; 3]> {
        let mut inside = true;
        let place = self.scaled_coordinates(point, |x, count| {
            inside &= 0.0 <= x && x < f64::from(count);
            x as u32
        });
        inside.then_some(place)
    }

    /// The cell of a point that lies in the grid, up to rounding.
    #[inline(always)]
    pub(super) fn nearest_cell(&self, point: &Vector<3>) -> [u32; 3] {
        self.scaled_coordinates(point, |x, count| (x as u32).min(count - 1))
    }

    #[inline(always)]
    fn scaled_coordinates(
        &self,
        point: &Vector<3>,
        mut rounded: impl FnMut(f64, u32) -> u32,
    ) -> [u32; 3] {
        std::array::from_fn(|axis| {
            rounded(
                (point[axis] - self.low[axis]) * self.inverse_cell_width[axis],
                self.counts[axis],
            )
        })
    }

    /// The middle of a cell.
    pub(super) fn cell_center(&self, place: [u32; 3]) -> Vector<3> {
        self.cell_corner(place) + self.cell_width * 0.5
    }

    /// The cells that may meet what lies between two coordinates on an axis.
    #[inline]
    pub(super) fn cell_range(&self, axis: usize, low: f64, high: f64) -> (u32, u32) {
        let cell = |x: f64| {
            (((x - self.low[axis]) * self.inverse_cell_width[axis]) as u32)
                .min(self.counts[axis] - 1)
        };
        (cell(low - self.margin[axis]), cell(high + self.margin[axis]))
    }

    #[inline(always)]
    pub(super) fn cell_index(&self, [x, y, z]: [u32; 3]) -> usize {
        let [columns, rows, _] = self.counts.map(|count| count as usize);
        x as usize + columns * (y as usize + rows * z as usize)
    }

    pub(super) fn cell_coordinates(&self, cell: usize) -> [u32; 3] {
        let [columns, rows, _] = self.counts.map(|count| count as usize);
        [(cell % columns) as u32, (cell / columns % rows) as u32, (cell / columns / rows) as u32]
    }

    /// The lowest corner of a cell.
    pub(super) fn cell_corner(&self, place: [u32; 3]) -> Vector<3> {
        Vector::from_fn(|axis, _| self.low[axis] + self.cell_width[axis] * f64::from(place[axis]))
    }
}
