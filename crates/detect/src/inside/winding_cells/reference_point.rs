//! Reference points of cells, from which crossings are counted.
//!
//! They are numbered, so that a cell stores four bytes instead of three coordinates.

use super::cell_grid::WindingCellGrid;
use carom_geometry::Vector;

/// A point in or at a cell, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReferencePoint(u32);

/// The offsets to the preceding cells that share an edge or a corner with a cell.
pub(super) const DIAGONAL_NEIGHBORS: [[i32; 3]; 10] = [
    [-1, -1, 0],
    [1, -1, 0],
    [-1, 0, -1],
    [1, 0, -1],
    [0, -1, -1],
    [0, 1, -1],
    [-1, -1, -1],
    [1, -1, -1],
    [-1, 1, -1],
    [1, 1, -1],
];

/// The number of numbered points on a face.
pub(super) const POINTS_PER_FACE: usize = 4;

/// The first number of points on edges and corners, and that of interior points.
const FIRST_DIAGONAL: usize = 3 * POINTS_PER_FACE;
const FIRST_INTERIOR: usize = FIRST_DIAGONAL + DIAGONAL_NEIGHBORS.len();

/// The points with the least numbers, which nearly all cells take, are tabulated.
const TABULATED_COUNT: usize = 32;
const TABULATED_FRACTIONS: [[f64; 3]; TABULATED_COUNT] = tabulated_fractions();

impl ReferencePoint {
    /// The lowest corner.
    pub(super) const CORNER: Self = ReferencePoint::diagonal(6);

    /// Returns one of [`POINTS_PER_FACE`] points on the lower face across an axis; the first is its center.
    pub(super) fn on_face(axis: usize, number: usize) -> Self {
        ReferencePoint((number * 3 + axis) as u32)
    }

    /// Returns the middle of the edge, or the corner, toward one of [`DIAGONAL_NEIGHBORS`].
    pub(super) const fn diagonal(number: usize) -> Self {
        ReferencePoint((FIRST_DIAGONAL + number) as u32)
    }

    /// Returns one of any number of interior points; the first is the center.
    pub(super) fn interior(number: usize) -> Self {
        ReferencePoint((FIRST_INTERIOR + number) as u32)
    }

    /// Returns its position in a cell.
    #[inline(always)]
    pub(super) fn position(self, grid: &WindingCellGrid, cell: [u32; 3]) -> Vector<3> {
        let number = self.0 as usize;
        let part = if number < TABULATED_COUNT {
            TABULATED_FRACTIONS[number]
        } else {
            cell_fraction(number)
        };
        grid.cell_corner(cell) + grid.cell_width().component_mul(&Vector::from(part))
    }
}

const fn tabulated_fractions() -> [[f64; 3]; TABULATED_COUNT] {
    let (mut parts, mut number) = ([[0.0; 3]; TABULATED_COUNT], 0);
    while number < TABULATED_COUNT {
        parts[number] = cell_fraction(number);
        number += 1;
    }
    parts
}

const fn cell_fraction(number: usize) -> [f64; 3] {
    if number < FIRST_DIAGONAL {
        let mut part = quasirandom_point(number / 3);
        part[number % 3] = 0.0;
        part
    } else if number < FIRST_INTERIOR {
        let [x, y, z] = DIAGONAL_NEIGHBORS[number - FIRST_DIAGONAL];
        [0.5 + 0.5 * x as f64, 0.5 + 0.5 * y as f64, 0.5 + 0.5 * z as f64]
    } else {
        quasirandom_point(number - FIRST_INTERIOR)
    }
}

/// Returns points spread evenly over the unit cube, the first at its center: a low-discrepancy sequence of multiples
/// of the powers of 0.819, the root of `x^4 + x = 1` (M. Roberts, 2018).
const fn quasirandom_point(k: usize) -> [f64; 3] {
    let k = k as f64;
    [
        // Powers of the inverse of the root of x⁴ = x + 1, the generalized golden ratio: evenly spread for any
        // count.
        (0.5 + 0.819_172_513_396_164_4 * k).fract(),
        (0.5 + 0.671_043_606_703_789_2 * k).fract(),
        (0.5 + 0.549_700_477_901_970_3 * k).fract(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_where_their_names_say() {
        let grid = WindingCellGrid::new(Vector::zeros(), Vector::repeat(2.0), [4; 3]);
        let at = |reference: ReferencePoint| -> [f64; 3] {
            (reference.position(&grid, [1, 2, 3]) - Vector::from([2.0, 4.0, 6.0])).into()
        };
        assert_eq!(at(ReferencePoint::CORNER), [0.0; 3]);
        assert_eq!(at(ReferencePoint::on_face(1, 0)), [1.0, 0.0, 1.0]);
        assert_eq!(at(ReferencePoint::on_face(2, 3))[2], 0.0);
        for (number, step) in DIAGONAL_NEIGHBORS.iter().enumerate() {
            assert_eq!(
                at(ReferencePoint::diagonal(number)),
                step.map(|step| 1.0 + f64::from(step))
            );
        }
        assert_eq!(at(ReferencePoint::interior(0)), [1.0; 3]);
        for number in 0..1000 {
            let place = at(ReferencePoint::interior(number));
            assert!(place.iter().all(|x| (0.0..2.0).contains(x)), "{number}: {place:?}");
        }
    }

    #[test]
    fn no_two_places_have_the_same_number() {
        let mut all: Vec<u32> = (0..3)
            .flat_map(|axis| (0..POINTS_PER_FACE).map(move |k| ReferencePoint::on_face(axis, k)))
            .chain((0..DIAGONAL_NEIGHBORS.len()).map(ReferencePoint::diagonal))
            .chain((0..50).map(ReferencePoint::interior))
            .map(|reference| reference.0)
            .collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
