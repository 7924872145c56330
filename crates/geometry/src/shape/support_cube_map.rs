//! Support function of a polyhedron by a cube map: for each cell of directions, the few vertices that may be
//! the farthest there.
//!
//! The largest coordinate of a direction selects a face of the cube, the other two, divided by it, are the
//! coordinates on it. Each face is a grid of cells, and a cell with too many vertices is subdivided into
//! four, recursively. A support query looks up a cell and compares its vertices, whose coordinates are stored
//! in packets of eight: a few operations in wide registers, almost no branches, and no starting vertex as in
//! hill climbing. Bodies of few vertices have a single cell without a map.
//!
//! A vertex belongs to a cell if its normal cone intersects the cell: if some directions are left after
//! clipping away those in which one of its neighbors is farther. The farthest vertex of all passes this
//! test, so none is missed, even if rounding has made the body slightly non-convex.

use super::ConvexPolyhedron;
use super::normal_cones::{CubeMapPatch, NormalCones};
use super::vertex_packet::{LANES, VertexPacket, support_in, vertex_packets};
use crate::Vector;
use std::collections::VecDeque;

/// The candidates for the support vertex, by direction.
#[derive(Clone, Debug, Default)]
pub struct SupportCubeMap {
    /// Number of cells along an edge of the grids; zero if there is a single cell for all directions.
    width: usize,
    /// The cells of the six grids, followed by the parts of subdivided ones.
    cells: Vec<SupportCubeMapCell>,
    packets: Vec<VertexPacket>,
}

/// Bodies of up to this many vertices have no map.
const MAX_UNMAPPED_VERTICES: usize = 3 * LANES;

/// Largest number of subdivisions; this separates directions that differ by a millionth.
const MAX_SUBDIVISIONS: u32 = 20;

#[derive(Clone, Copy, Debug, Default)]
struct SupportCubeMapCell {
    /// Index of its first packet or, if it has no packets, of its first part.
    first: u32,
    /// Number of its packets; zero if it is subdivided.
    packets: u32,
}

/// A cell still to be built.
struct SupportCubeMapCellDraft {
    patch: CubeMapPatch,
    /// Index of the cell, if it is a part of a subdivided one rather than in the grid.
    cell: Option<u32>,
    /// The vertices whose normal cones intersect it.
    candidates: Vec<u32>,
}

impl SupportCubeMapCellDraft {
    fn new(cones: &mut NormalCones, patch: CubeMapPatch, cell: Option<u32>, among: &[u32]) -> Self {
        SupportCubeMapCellDraft { patch, cell, candidates: cones.intersecting(&patch, among) }
    }
}

impl SupportCubeMap {
    /// Builds the map of a polyhedron whose half edges are linked.
    pub fn of(polyhedron: &ConvexPolyhedron) -> Self {
        let count = polyhedron.vertices().len();
        let all: Vec<u32> = (0..count as u32).collect();
        let mut map = SupportCubeMap::default();
        // So few vertices are searched faster than a cell is looked up.
        if count <= MAX_UNMAPPED_VERTICES {
            map.add_packets(polyhedron.vertices(), &all);
            return map;
        }
        // About as many cells as vertices.
        let mut level = 0;
        while 12 << (2 * level) <= 2 * count {
            level += 1;
        }
        map.width = 1 << level;
        map.cells = vec![SupportCubeMapCell::default(); 6 << (2 * level)];
        map.subdivide(polyhedron, level, &all);
        map
    }

    /// Subdivides the faces of the cube into cells, breadth first, so that no region stays coarse when the
    /// limit on cells is reached.
    fn subdivide(&mut self, polyhedron: &ConvexPolyhedron, level: u32, all: &[u32]) {
        // Memory stays in proportion to the vertices, also where cones of many vertices meet in one direction.
        let most_squares = 4 * self.cells.len();
        let mut cones = NormalCones::of(polyhedron);
        let mut drafts: VecDeque<SupportCubeMapCellDraft> = (0..6)
            .map(|side| {
                SupportCubeMapCellDraft::new(&mut cones, CubeMapPatch::whole_face(side), None, all)
            })
            .collect();
        while let Some(SupportCubeMapCellDraft { patch, cell: place, candidates: among }) =
            drafts.pop_front()
        {
            let is_coarse = patch.subdivisions < level;
            let may_be_cut =
                patch.subdivisions < MAX_SUBDIVISIONS && self.cells.len() < most_squares;
            if among.len() <= LANES || !(is_coarse || may_be_cut) {
                let square = self.add_packets(polyhedron.vertices(), &among);
                self.store_cell(&patch, place, square);
                continue;
            }
            let parts = (!is_coarse).then(|| self.add_children(&patch, place));
            for number in 0..4 {
                let place = parts.map(|first| first + number);
                drafts.push_back(SupportCubeMapCellDraft::new(
                    &mut cones,
                    patch.child(number),
                    place,
                    &among,
                ));
            }
        }
    }

    /// Makes room for the four parts of a cell and returns the index of the first.
    fn add_children(&mut self, patch: &CubeMapPatch, place: Option<u32>) -> u32 {
        let first = self.cells.len() as u32;
        self.cells.extend([SupportCubeMapCell::default(); 4]);
        self.store_cell(patch, place, SupportCubeMapCell { first, packets: 0 });
        first
    }

    /// Stores a cell at its index, or else in all cells of the grid that a patch covers.
    fn store_cell(&mut self, patch: &CubeMapPatch, place: Option<u32>, square: SupportCubeMapCell) {
        if let Some(place) = place {
            self.cells[place as usize] = square;
            return;
        }
        let across = self.width >> patch.subdivisions;
        let corner = patch.first_cell(self.width);
        for row in 0..across {
            let start = corner + row * self.width;
            self.cells[start..start + across].fill(square);
        }
    }

    fn add_packets(&mut self, vertices: &[Vector<3>], among: &[u32]) -> SupportCubeMapCell {
        let first = self.packets.len() as u32;
        self.packets.extend(vertex_packets(vertices, among));
        SupportCubeMapCell { first, packets: self.packets.len() as u32 - first }
    }

    /// Returns the vertex farthest in a direction.
    #[inline(always)]
    pub fn support(&self, direction: &Vector<3>) -> u32 {
        if self.width == 0 {
            return support_in(&self.packets, direction);
        }
        let SupportCubeMapCell { first, packets } = self.find_cell(direction);
        support_in(&self.packets[first as usize..(first + packets) as usize], direction)
    }

    #[inline(always)]
    fn find_cell(&self, direction: &Vector<3>) -> SupportCubeMapCell {
        let (side, u, v) = cube_map_coordinates(direction);
        let width = self.width as f64;
        let (mut u, mut v) = ((0.5 * u + 0.5) * width, (0.5 * v + 0.5) * width);
        let most = self.width as u32 - 1;
        let (mut column, mut row) = ((u as u32).min(most), (v as u32).min(most));
        let place = (side * self.width + row as usize) * self.width + column as usize;
        let mut square = self.cells[place];
        while square.packets == 0 {
            (u, v) = (2.0 * (u - f64::from(column)), 2.0 * (v - f64::from(row)));
            (column, row) = ((u as u32).min(1), (v as u32).min(1));
            square = self.cells[(square.first + 2 * row + column) as usize];
        }
        square
    }
}

/// Returns the face of the cube that a direction passes through, and the coordinates on it, from -1 to 1.
#[inline(always)]
fn cube_map_coordinates(direction: &Vector<3>) -> (usize, f64, f64) {
    let [x, y, z] = [direction.x.abs(), direction.y.abs(), direction.z.abs()];
    let (axis, most) = if y > x { (1, y) } else { (0, x) };
    let (axis, most) = if z > most { (2, z) } else { (axis, most) };
    const NEXT: [usize; 5] = [0, 1, 2, 0, 1];
    let part = 1.0 / most;
    let side = 2 * axis + usize::from(direction[axis] < 0.0);
    (side, direction[NEXT[axis + 1]] * part, direction[NEXT[axis + 2]] * part)
}
