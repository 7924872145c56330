//! How far a polyhedron reaches: a map of all directions, and in each part of it the few vertices that
//! may be the farthest there.
//!
//! The map is drawn on a cube, like one of the sky: the largest coordinate of a direction tells the side,
//! the other two, divided by it, the place on it. Each side is a grid of squares, and a square with too many
//! vertices is cut into four, again and again. To find the farthest vertex is to look up a square and
//! compare its vertices, whose coordinates lie side by side in packets of eight: a few operations in wide
//! registers, hardly a branch, and no start to be told. Bodies of few vertices do without the map: they are
//! a single square.
//!
//! A vertex belongs to a square if it can be the farthest in one of its directions: if, of these, some are
//! left when all are cut off in which one of its neighbours is farther. As that is true of the farthest of
//! all, none is missed, even if rounding has made the body not quite convex.

use super::ConvexPolyhedron;
use super::cones::{Cones, Patch};
use super::packet::{LANES, Packet, farthest_in, packed};
use crate::Vector;
use std::collections::VecDeque;

/// Which vertices may be farthest in which directions.
#[derive(Clone, Debug, Default)]
pub struct DirectionMap {
    /// Squares along the side of the grids; zero if there is but one square for all directions.
    width: usize,
    /// First those of the six grids, then the parts of those that are cut.
    squares: Vec<Square>,
    packets: Vec<Packet>,
}

/// Bodies of so many vertices have no map.
const FEW: usize = 3 * LANES;

/// A square is cut no more often; this separates directions that differ by a millionth.
const MOST_CUTS: u32 = 20;

#[derive(Clone, Copy, Debug, Default)]
struct Square {
    /// The first of its packets; of its four parts, if it has no packets.
    first: u32,
    packets: u32,
}

/// A square to be: where it goes, unless into the grid, and which vertices it may have.
struct Draft {
    patch: Patch,
    place: Option<u32>,
    among: Vec<u32>,
}

impl Draft {
    fn new(cones: &mut Cones, patch: Patch, place: Option<u32>, among: &[u32]) -> Self {
        Draft { patch, place, among: cones.meeting(&patch, among) }
    }
}

impl DirectionMap {
    /// Of a polyhedron whose half edges are joined.
    pub fn of(polyhedron: &ConvexPolyhedron) -> Self {
        let count = polyhedron.vertices().len();
        let all: Vec<u32> = (0..count as u32).collect();
        let mut map = DirectionMap::default();
        if count <= FEW {
            map.add_packets(polyhedron.vertices(), &all);
            return map;
        }
        // About as many squares as vertices.
        let mut level = 0;
        while 12 << (2 * level) <= 2 * count {
            level += 1;
        }
        map.width = 1 << level;
        map.squares = vec![Square::default(); 6 << (2 * level)];
        map.draw(polyhedron, level, &all);
        map
    }

    /// Cuts sides into squares, breadth first, so that none is left coarse if there would be too many.
    fn draw(&mut self, polyhedron: &ConvexPolyhedron, level: u32, all: &[u32]) {
        let most_squares = 4 * self.squares.len();
        let mut cones = Cones::of(polyhedron);
        let mut drafts: VecDeque<Draft> =
            (0..6).map(|side| Draft::new(&mut cones, Patch::whole(side), None, all)).collect();
        while let Some(Draft { patch, place, among }) = drafts.pop_front() {
            let is_coarse = patch.cuts < level;
            let may_be_cut = patch.cuts < MOST_CUTS && self.squares.len() < most_squares;
            if among.len() <= LANES || !(is_coarse || may_be_cut) {
                let square = self.add_packets(polyhedron.vertices(), &among);
                self.enter(&patch, place, square);
                continue;
            }
            let parts = (!is_coarse).then(|| self.add_parts(&patch, place));
            for number in 0..4 {
                let place = parts.map(|first| first + number);
                drafts.push_back(Draft::new(&mut cones, patch.part(number), place, &among));
            }
        }
    }

    /// Makes room for the four parts of a square; tells the first.
    fn add_parts(&mut self, patch: &Patch, place: Option<u32>) -> u32 {
        let first = self.squares.len() as u32;
        self.squares.extend([Square::default(); 4]);
        self.enter(patch, place, Square { first, packets: 0 });
        first
    }

    /// Enters a square in its place, or else in all places of the grid that a patch covers.
    fn enter(&mut self, patch: &Patch, place: Option<u32>, square: Square) {
        if let Some(place) = place {
            self.squares[place as usize] = square;
            return;
        }
        let across = self.width >> patch.cuts;
        let corner = patch.place(self.width);
        for row in 0..across {
            let start = corner + row * self.width;
            self.squares[start..start + across].fill(square);
        }
    }

    fn add_packets(&mut self, vertices: &[Vector<3>], among: &[u32]) -> Square {
        let first = self.packets.len() as u32;
        self.packets.extend(packed(vertices, among));
        Square { first, packets: self.packets.len() as u32 - first }
    }

    /// The vertex farthest in a direction.
    #[inline(always)]
    pub fn farthest(&self, direction: &Vector<3>) -> u32 {
        if self.width == 0 {
            return farthest_in(&self.packets, direction);
        }
        let Square { first, packets } = self.square(direction);
        farthest_in(&self.packets[first as usize..(first + packets) as usize], direction)
    }

    #[inline(always)]
    fn square(&self, direction: &Vector<3>) -> Square {
        let (side, u, v) = on_cube(direction);
        let width = self.width as f64;
        let (mut u, mut v) = ((0.5 * u + 0.5) * width, (0.5 * v + 0.5) * width);
        let most = self.width as u32 - 1;
        let (mut column, mut row) = ((u as u32).min(most), (v as u32).min(most));
        let place = (side * self.width + row as usize) * self.width + column as usize;
        let mut square = self.squares[place];
        while square.packets == 0 {
            (u, v) = (2.0 * (u - f64::from(column)), 2.0 * (v - f64::from(row)));
            (column, row) = ((u as u32).min(1), (v as u32).min(1));
            square = self.squares[(square.first + 2 * row + column) as usize];
        }
        square
    }
}

/// The side of the cube that a direction goes through, and where on it, from -1 to 1.
#[inline(always)]
fn on_cube(direction: &Vector<3>) -> (usize, f64, f64) {
    let [x, y, z] = [direction.x.abs(), direction.y.abs(), direction.z.abs()];
    let (axis, most) = if y > x { (1, y) } else { (0, x) };
    let (axis, most) = if z > most { (2, z) } else { (axis, most) };
    const NEXT: [usize; 5] = [0, 1, 2, 0, 1];
    let part = 1.0 / most;
    let side = 2 * axis + usize::from(direction[axis] < 0.0);
    (side, direction[NEXT[axis + 1]] * part, direction[NEXT[axis + 2]] * part)
}
