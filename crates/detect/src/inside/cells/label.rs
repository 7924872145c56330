//! The winding number of every cell of some layers, from one that is known.
//!
//! Cells are gone through in order, and each has it from one that came before and shares a face: an
//! empty cell hands on what it has; in a cell with triangles, crossings are counted from its
//! reference to the shared face. So most cells cost nothing but a look at a neighbour.

use super::grid::Grid;
use super::reference::{DIAGONALS, ON_FACE, Reference};
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

/// A place of a cell, off the surface, and its winding number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) reference: Reference,
    pub(super) winding: i32,
}

/// A surface, a grid and the triangles of its cells, one cell after the other.
#[derive(Clone, Copy)]
pub(super) struct Dealt<'a> {
    pub(super) surface: &'a TriangleMesh,
    pub(super) grid: &'a Grid,
    pub(super) triangles: &'a [u32],
}

/// Some layers of a grid, and what is found out about their cells.
pub(super) struct Layers<'a> {
    dealt: Dealt<'a>,
    layers: Range<u32>,
    first_cell: usize,
    first: Firsts,
    /// What is in each cell; where the triangles of those that follow end.
    contents: Filling<'a, u32>,
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

/// Where something begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Firsts {
    /// The triangles of the grid's cells, among those of all grids.
    pub(super) entry: u32,
    /// The triangles of the layers' cells, among those of the grid.
    pub(super) own_entry: u32,
    /// The layers' cells with triangles, among those of all grids.
    pub(super) boundary: u32,
}

/// A cell before another one on an axis, and what is in it.
#[derive(Clone, Copy)]
struct Before {
    axis: usize,
    content: Content,
}

impl<'a> Layers<'a> {
    /// Puts what is in their cells in the place of where the triangles of these end, from what is known of
    /// the lowest one.
    pub(super) fn label(
        dealt: Dealt<'a>,
        layers: Range<u32>,
        first: Firsts,
        start: Label,
        (contents, boundary): (&'a mut [u32], &'a mut [BoundaryCell]),
    ) {
        let first_cell = dealt.grid.number([0, 0, layers.start]);
        let contents = Filling { room: contents, filled: 0 };
        let boundary = Filling { room: boundary, filled: 0 };
        let [columns, rows, _] = dealt.grid.counts;
        let (all, mut entry) = (layers.clone(), first.own_entry);
        let mut found = Layers { dealt, layers, first_cell, first, contents, boundary };
        for z in all {
            for y in 0..rows {
                for x in 0..columns {
                    let triangles = entry..found.contents.room[found.contents.filled];
                    entry = triangles.end;
                    match found.contents.last().map(Content) {
                        // Most cells have no triangles, as the one before them.
                        Some(last) if x > 0 && triangles.is_empty() && last.is_empty() => {
                            found.contents.push(last.0);
                        }
                        _ => found.add([x, y, z], start, triangles),
                    }
                }
            }
        }
    }

    fn content(&self, cell: usize) -> Content {
        Content(self.contents.room[cell - self.first_cell])
    }

    /// Adds the next cell, which has these of the grid's triangles.
    #[inline(always)]
    fn add(&mut self, place: [u32; 3], start: Label, triangles: Range<u32>) {
        let grid = self.dealt.grid;
        let cell = grid.number(place);
        let steps = [1, grid.counts[0] as usize, grid.layer()];
        let lowest = [0, 0, self.layers.start];
        let mut before = (0..3).filter(|&axis| place[axis] > lowest[axis]).map(|axis| {
            let content = self.content(cell - steps[axis]);
            Before { axis, content }
        });
        let label = match before.clone().find(|before| before.content.is_empty()) {
            Some(empty) if triangles.is_empty() => return self.contents.push(empty.content.0),
            Some(empty) => Label {
                reference: Reference::on_face(empty.axis, 0),
                winding: empty.content.winding(),
            },
            None => match (self.across_an_edge(place), before.next()) {
                (Some(label), _) => label,
                (None, Some(before)) => self.through(place, before, triangles.clone()),
                (None, None) => start,
            },
        };
        let Label { reference, winding } = label;
        if triangles.is_empty() {
            return self.contents.push(Content::empty(winding).0);
        }
        let number = self.first.boundary + self.boundary.filled as u32;
        self.contents.push(Content::boundary(number).0);
        let first = self.first.entry + triangles.start;
        self.boundary.push(BoundaryCell { first, winding, reference });
    }

    /// A place on an edge or corner that a cell shares with an empty one before it.
    fn across_an_edge(&self, place: [u32; 3]) -> Option<Label> {
        let grid = self.dealt.grid;
        DIAGONALS.iter().enumerate().find_map(|(number, step)| {
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
            let reference = Reference::diagonal(number);
            content.is_empty().then(|| Label { reference, winding: content.winding() })
        })
    }

    /// A place in or at a cell, known through a cell with triangles before it.
    #[cold]
    fn through(&self, place: [u32; 3], before: Before, triangles: Range<u32>) -> Label {
        let Dealt { surface, grid, triangles: all } = self.dealt;
        let number = before.content.number() - self.first.boundary as usize;
        let from = self.boundary.room[number];
        let next = self.boundary.room[..self.boundary.filled].get(number + 1);
        let end = next.map_or(triangles.start, |next| next.first - self.first.entry);
        let there = &all[(from.first - self.first.entry) as usize..end as usize];
        let mut place_before = place;
        place_before[before.axis] -= 1;
        let from = Known { place: from.reference.place(grid, place_before), winding: from.winding };
        for number in 0..ON_FACE {
            let reference = Reference::on_face(before.axis, number);
            let point = reference.place(grid, place);
            if let Some(winding) = winding_from(surface, there, &point, from) {
                return Label { reference, winding };
            }
        }
        // The surface runs along the face; the way leads on into the cell, past its triangles too.
        let mut both = there.to_vec();
        both.extend_from_slice(&all[triangles.start as usize..triangles.end as usize]);
        both.sort_unstable();
        both.dedup();
        label_within(Dealt { surface, grid, triangles: &both }, place, from)
    }
}

/// The label of the lowest cell of a grid, from a reference in the cell that it divides, which
/// has these triangles.
pub(super) fn start_of(of_cell: Dealt, from: Known) -> Label {
    label_within(of_cell, [0; 3], from)
}

/// A place within a cell, from one nearby; between them are no triangles but these.
fn label_within(Dealt { surface, grid, triangles }: Dealt, cell: [u32; 3], from: Known) -> Label {
    (0..)
        .map(Reference::within)
        .find_map(|reference| {
            let point = reference.place(grid, cell);
            let winding = winding_from(surface, triangles, &point, from)?;
            Some(Label { reference, winding })
        })
        .expect("points spread over a cell do not all lie on finitely many triangles")
}

/// The winding number of a place from one nearby, if it is off the surface; between them are no
/// triangles but these.
fn winding_from(
    surface: &TriangleMesh,
    triangles: &[u32],
    place: &Vector<3>,
    from: Known,
) -> Option<i32> {
    let mut winding = from.winding;
    for four in triangles.chunks(TOGETHER) {
        let all = surface.triangles();
        let corners: [[u32; 3]; TOGETHER] =
            std::array::from_fn(|k| all[four[k.min(four.len() - 1)] as usize]);
        winding += crossings(place, &from.place, surface.vertices(), &corners[..four.len()])?;
    }
    Some(winding)
}
