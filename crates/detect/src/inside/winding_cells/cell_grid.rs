//! A box divided into equal cells.

use carom_geometry::Vector;

/// A grid of equal cells; the index along the first axis varies fastest.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindingCellGrid {
    low: Vector<3>,
    cell_width: Vector<3>,
    inverse_cell_width: Vector<3>,
    pub(super) counts: [u32; 3],
    /// The margin by which a cell extends beyond its faces: more than rounding can move a point.
    pub(super) margin: Vector<3>,
    /// The distance by which rounding can move a point in the root grid.
    rounding: Vector<3>,
    /// The index of its first cell among those of all grids.
    pub(super) first_cell: usize,
}

/// The margin in fractions of the cell width ...
const MARGIN: f64 = 1e-9;

/// ... plus roundings of the farthest coordinate of the root grid: some for a position in a grid, and two more for
/// every grid within a grid.
const ROUNDINGS: f64 = 64.0 * f64::EPSILON;

/// Cells narrower than this many margins are not divided further.
const MIN_WIDTH_IN_MARGINS: f64 = 100.0;

impl WindingCellGrid {
    /// Creates a grid from its lowest corner, cell width and numbers of cells.
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

    /// Returns the same box with half as many cells along each axis, at least one.
    pub(super) fn coarser(&self) -> Self {
        let counts = self.counts.map(|count| count.div_ceil(2));
        let width = Vector::from_fn(|axis, _| {
            self.cell_width[axis] * f64::from(self.counts[axis]) / f64::from(counts[axis])
        });
        WindingCellGrid::new(self.low, width, counts)
    }

    /// Divides a cell into equal parts; `None` if these would hardly be wider than their margins.
    pub(super) fn subdivided_cell(&self, cell: usize, divisions: u32) -> Option<Self> {
        let (low, width) =
            (self.cell_corner(self.cell_coordinates(cell)), self.cell_width / f64::from(divisions));
        // The root grid put the point into this cell with the rounding of its own, larger coordinates.
        let grid = WindingCellGrid::with_rounding(low, width, [divisions; 3], self.rounding);
        let is_wide =
            (0..3).all(|axis| grid.cell_width[axis] > MIN_WIDTH_IN_MARGINS * grid.margin[axis]);
        is_wide.then_some(grid)
    }

    pub(super) fn cell_width(&self) -> Vector<3> {
        self.cell_width
    }

    /// Returns the number of cells.
    pub(super) fn len(&self) -> usize {
        self.counts.iter().map(|&count| count as usize).product()
    }

    /// Returns the number of cells in a layer.
    pub(super) fn cells_per_layer(&self) -> usize {
        self.counts[0] as usize * self.counts[1] as usize
    }

    /// Returns the cell of a point; `None` if it is outside of the grid.
    #[inline(always)]
    pub(super) fn cell_containing(&self, point: &Vector<3>) -> Option<[u32; 3]> {
        let mut inside = true;
        let place = self.scaled_coordinates(point, |x, count| {
            // The cast would saturate: outside is decided on the number itself, which also refuses one that is not
            // a number.
            inside &= 0.0 <= x && x < f64::from(count);
            x as u32
        });
        inside.then_some(place)
    }

    /// Returns the cell of a point that lies in the grid up to rounding.
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

    /// Returns the center of a cell.
    pub(super) fn cell_center(&self, place: [u32; 3]) -> Vector<3> {
        self.cell_corner(place) + self.cell_width * 0.5
    }

    /// Returns the first and the last cell that may meet an interval of coordinates on an axis.
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

    /// Returns the lowest corner of a cell.
    pub(super) fn cell_corner(&self, place: [u32; 3]) -> Vector<3> {
        Vector::from_fn(|axis, _| self.low[axis] + self.cell_width[axis] * f64::from(place[axis]))
    }
}
