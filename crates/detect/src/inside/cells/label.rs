//! The winding number of every cell, from one that is known.
//!
//! Cells are gone through in order, and each has it from one that came before and shares a face: an
//! empty cell hands on what it has; in a cell with triangles, crossings are counted from its
//! reference to the shared face. So most cells cost nothing but a look at a neighbour.

use super::bin::Bins;
use super::grid::Grid;
use super::{BoundaryCell, Content};
use crate::inside::crossing::{TOGETHER, crossings};
use carom_geometry::Vector;
use carom_geometry::mesh::TriangleMesh;

/// A place off the surface whose winding number is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) place: Vector<3>,
    pub(super) winding: i32,
}

/// Fills the contents of a grid's cells, and appends the cells with triangles to `boundary`.
pub(super) struct Labelling<'a> {
    pub(super) surface: &'a TriangleMesh,
    pub(super) grid: &'a Grid,
    pub(super) bins: &'a Bins,
    pub(super) boundary: &'a mut Vec<BoundaryCell>,
    /// Where the triangles of the grid's cells begin among those of all grids.
    pub(super) first_entry: u32,
}

/// A cell before another one on an axis.
#[derive(Clone, Copy)]
struct Before {
    axis: usize,
    cell: usize,
}

/// Steps to the cells before one that share an edge or a corner with it.
const DIAGONALS: [[i32; 3]; 10] = [
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

/// So many points of a face are tried before points within the cell.
const TRIES_ON_FACE: usize = 4;

impl Labelling<'_> {
    /// From what is known of the lowest cell.
    pub(super) fn contents(mut self, start: Known) -> Vec<Content> {
        let mut contents = Vec::with_capacity(self.grid.len());
        let [columns, rows, layers] = self.grid.counts;
        let steps = [1, columns as usize, columns as usize * rows as usize];
        let mut first = 0;
        for z in 0..layers {
            for y in 0..rows {
                for x in 0..columns {
                    let cell = contents.len();
                    let place = [x, y, z];
                    let before = (0..3)
                        .filter(|&axis| place[axis] > 0)
                        .map(|axis| Before { axis, cell: cell - steps[axis] });
                    let end = self.bins.end(cell);
                    let content = self.content(place, before, &contents, start, end > first);
                    contents.push(content);
                    first = end;
                }
            }
        }
        contents
    }

    #[inline(always)]
    fn content(
        &mut self,
        place: [u32; 3],
        mut before: impl Iterator<Item = Before> + Clone,
        contents: &[Content],
        start: Known,
        has_triangles: bool,
    ) -> Content {
        let empty = before.clone().find(|before| contents[before.cell].is_empty());
        let known = match empty {
            Some(empty) if !has_triangles => return contents[empty.cell],
            Some(empty) => Known {
                place: self.face_point(place, empty.axis, 0),
                winding: contents[empty.cell].winding(),
            },
            None => match (self.across_an_edge(place, contents), before.next()) {
                (Some(known), _) => known,
                (None, Some(before)) => self.through(place, before, contents),
                (None, None) => start,
            },
        };
        if has_triangles {
            let cell = self.grid.number(place);
            let triangles = self.bins.of_cell(cell).len() as u32;
            let first = self.first_entry + self.bins.end(cell) - triangles;
            let number = self.boundary.len() as u32;
            let Known { place: reference, winding } = known;
            self.boundary.push(BoundaryCell { reference, winding, first });
            Content::boundary(number)
        } else {
            Content::empty(known.winding)
        }
    }

    /// A point of the face that a cell shares with the one before it on an axis.
    fn face_point(&self, place: [u32; 3], axis: usize, try_number: usize) -> Vector<3> {
        let mut part = spread(try_number);
        part[axis] = 0.0;
        self.grid.corner(place) + self.grid.width().component_mul(&part)
    }

    /// A place on an edge or corner that a cell shares with an empty one before it.
    fn across_an_edge(&self, place: [u32; 3], contents: &[Content]) -> Option<Known> {
        DIAGONALS.iter().find_map(|step| {
            let mut other = [0; 3];
            for axis in 0..3 {
                other[axis] = place[axis].checked_add_signed(step[axis])?;
                if other[axis] >= self.grid.counts[axis] {
                    return None;
                }
            }
            let content = contents[self.grid.number(other)];
            let part = Vector::from_fn(|axis, _| 0.5 + 0.5 * f64::from(step[axis]));
            let place = self.grid.corner(place) + self.grid.width().component_mul(&part);
            content.is_empty().then(|| Known { place, winding: content.winding() })
        })
    }

    /// A place in or at a cell, known through a cell with triangles before it.
    #[cold]
    fn through(&self, place: [u32; 3], before: Before, contents: &[Content]) -> Known {
        let from = &self.boundary[contents[before.cell].number()];
        let from = Known { place: from.reference, winding: from.winding };
        let there = self.bins.of_cell(before.cell);
        for try_number in 0..TRIES_ON_FACE {
            let point = self.face_point(place, before.axis, try_number);
            if let Some(known) = known_from(self.surface, there, point, from) {
                return known;
            }
        }
        // The surface runs along the face; the way leads on into the cell, past its triangles too.
        let mut both = there.to_vec();
        both.extend_from_slice(self.bins.of_cell(self.grid.number(place)));
        both.sort_unstable();
        both.dedup();
        first_known(self.surface, &both, self.grid, place, from)
    }
}

/// What is known of the lowest cell of a grid, from a reference in the cell that it divides, which
/// has these triangles.
pub(super) fn start_of(
    surface: &TriangleMesh,
    grid: &Grid,
    triangles: &[u32],
    from: Known,
) -> Known {
    first_known(surface, triangles, grid, [0; 3], from)
}

/// A place within a cell, from one nearby; between them are no triangles but these.
fn first_known(
    surface: &TriangleMesh,
    triangles: &[u32],
    grid: &Grid,
    place: [u32; 3],
    from: Known,
) -> Known {
    let corner = grid.corner(place);
    (0..)
        .map(|k| corner + grid.width().component_mul(&spread(k)))
        .find_map(|point| known_from(surface, triangles, point, from))
        .expect("points spread over a cell do not all lie on finitely many triangles")
}

/// A place from one nearby, if it is off the surface; between them are no triangles but these.
fn known_from(
    surface: &TriangleMesh,
    triangles: &[u32],
    place: Vector<3>,
    from: Known,
) -> Option<Known> {
    let mut winding = from.winding;
    for four in triangles.chunks(TOGETHER) {
        let all = surface.triangles();
        let corners: [[u32; 3]; TOGETHER] =
            std::array::from_fn(|k| all[four[k.min(four.len() - 1)] as usize]);
        winding += crossings(&place, &from.place, surface.vertices(), &corners[..four.len()])?;
    }
    Some(Known { place, winding })
}

/// Points spread evenly over the unit cube, the first in its middle: multiples of the powers of
/// 0.819, the root of `x^4 + x = 1` (M. Roberts, 2018).
fn spread(k: usize) -> Vector<3> {
    const STEP: [f64; 3] =
        [0.819_172_513_396_164_4, 0.671_043_606_703_789_2, 0.549_700_477_901_970_3];
    Vector::from_fn(|axis, _| (0.5 + STEP[axis] * k as f64).fract())
}
