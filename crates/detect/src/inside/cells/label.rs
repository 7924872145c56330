//! The winding number of every cell of some layers, from one that is known.
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
use std::ops::Range;

/// A place off the surface whose winding number is known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    pub(super) place: Vector<3>,
    pub(super) winding: i32,
}

/// Some layers of a grid, and what is found out about their cells.
pub(super) struct Layers<'a> {
    surface: &'a TriangleMesh,
    grid: &'a Grid,
    bins: &'a Bins,
    layers: Range<u32>,
    first_cell: usize,
    first: Firsts,
    /// What is in each cell.
    contents: Filling<'a, Content>,
    /// The cells with triangles.
    boundary: Filling<'a, BoundaryCell>,
}

/// Room of which the first part is filled.
struct Filling<'a, T> {
    room: &'a mut [T],
    filled: usize,
}

impl<T: Copy> Filling<'_, T> {
    #[inline(always)]
    fn push(&mut self, one: T) {
        self.room[self.filled] = one;
        self.filled += 1;
    }

    #[inline(always)]
    fn last(&self) -> Option<T> {
        Some(self.room[self.filled.checked_sub(1)?])
    }
}

/// Where something begins among all grids.
#[derive(Clone, Copy, Debug)]
pub(super) struct Firsts {
    /// The triangles of the grid's cells.
    pub(super) entry: u32,
    /// The layers' cells with triangles.
    pub(super) boundary: u32,
}

/// A cell before another one on an axis, counted in the grid, and what is in it.
#[derive(Clone, Copy)]
struct Before {
    axis: usize,
    cell: usize,
    content: Content,
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

impl<'a> Layers<'a> {
    /// Fills in all their cells, from what is known of the lowest one.
    pub(super) fn label(
        surface: &'a TriangleMesh,
        (grid, bins): (&'a Grid, &'a Bins),
        layers: Range<u32>,
        first: Firsts,
        start: Known,
        (contents, boundary): (&'a mut [Content], &'a mut [BoundaryCell]),
    ) {
        let first_cell = grid.number([0, 0, layers.start]);
        let contents = Filling { room: contents, filled: 0 };
        let boundary = Filling { room: boundary, filled: 0 };
        let [columns, rows, _] = grid.counts;
        let (all, mut cell) = (layers.clone(), first_cell);
        let mut entry = bins.start(first_cell);
        let mut found =
            Layers { surface, grid, bins, layers, first_cell, first, contents, boundary };
        for z in all {
            for y in 0..rows {
                for x in 0..columns {
                    let triangles = entry..bins.end(cell);
                    match found.contents.last() {
                        // Most cells have no triangles, as the one before them.
                        Some(last) if x > 0 && triangles.is_empty() && last.is_empty() => {
                            found.contents.push(last);
                        }
                        _ => found.add([x, y, z], start, triangles.clone()),
                    }
                    (cell, entry) = (cell + 1, triangles.end);
                }
            }
        }
    }

    fn content(&self, cell: usize) -> Content {
        self.contents.room[cell - self.first_cell]
    }

    /// Adds the next cell, which has these of the grid's triangles.
    #[inline(always)]
    fn add(&mut self, place: [u32; 3], start: Known, triangles: Range<u32>) {
        let grid = self.grid;
        let cell = grid.number(place);
        let steps = [1, grid.counts[0] as usize, grid.layer()];
        let lowest = [0, 0, self.layers.start];
        let mut before = (0..3).filter(|&axis| place[axis] > lowest[axis]).map(|axis| {
            let cell = cell - steps[axis];
            Before { axis, cell, content: self.content(cell) }
        });
        let known = match before.clone().find(|before| before.content.is_empty()) {
            Some(empty) if triangles.is_empty() => return self.contents.push(empty.content),
            Some(empty) => Known {
                place: self.face_point(place, empty.axis, 0),
                winding: empty.content.winding(),
            },
            None => match (self.across_an_edge(place), before.next()) {
                (Some(known), _) => known,
                (None, Some(before)) => self.through(place, before),
                (None, None) => start,
            },
        };
        let content = if triangles.is_empty() {
            Content::empty(known.winding)
        } else {
            Content::boundary(self.first.boundary + self.boundary.filled as u32)
        };
        self.contents.push(content);
        if !triangles.is_empty() {
            let Known { place: reference, winding } = known;
            let first = self.first.entry + triangles.start;
            self.boundary.push(BoundaryCell { reference, winding, first });
        }
    }

    /// A point of the face that a cell shares with the one before it on an axis.
    fn face_point(&self, place: [u32; 3], axis: usize, try_number: usize) -> Vector<3> {
        let mut part = spread(try_number);
        part[axis] = 0.0;
        self.grid.corner(place) + self.grid.width().component_mul(&part)
    }

    /// A place on an edge or corner that a cell shares with an empty one before it.
    fn across_an_edge(&self, place: [u32; 3]) -> Option<Known> {
        let grid = self.grid;
        DIAGONALS.iter().find_map(|step| {
            let mut other = [0; 3];
            for axis in 0..3 {
                other[axis] = place[axis].checked_add_signed(step[axis])?;
                if other[axis] >= grid.counts[axis] {
                    return None;
                }
            }
            if other[2] < self.layers.start {
                return None;
            }
            let content = self.content(grid.number(other));
            let part = Vector::from_fn(|axis, _| 0.5 + 0.5 * f64::from(step[axis]));
            let place = grid.corner(place) + grid.width().component_mul(&part);
            content.is_empty().then(|| Known { place, winding: content.winding() })
        })
    }

    /// A place in or at a cell, known through a cell with triangles before it.
    #[cold]
    fn through(&self, place: [u32; 3], before: Before) -> Known {
        let Layers { surface, grid, bins, first, .. } = *self;
        let from = &self.boundary.room[before.content.number() - first.boundary as usize];
        let from = Known { place: from.reference, winding: from.winding };
        let there = bins.of_cell(before.cell);
        for try_number in 0..TRIES_ON_FACE {
            let point = self.face_point(place, before.axis, try_number);
            if let Some(known) = known_from(surface, there, point, from) {
                return known;
            }
        }
        // The surface runs along the face; the way leads on into the cell, past its triangles too.
        let mut both = there.to_vec();
        both.extend_from_slice(bins.of_cell(grid.number(place)));
        both.sort_unstable();
        both.dedup();
        first_known(surface, &both, grid, place, from)
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
