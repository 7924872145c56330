//! In which directions a vertex of a polyhedron is the farthest.

use super::ConvexPolyhedron;
use crate::Vector;

/// A part of a side, from which it comes by so many cuts into four.
#[derive(Clone, Copy, Debug)]
pub struct Patch {
    side: usize,
    pub cuts: u32,
    /// In patches of this size.
    column: u32,
    row: u32,
}

impl Patch {
    /// A side of the cube: of each axis the positive, then the negative one.
    pub fn whole(side: usize) -> Self {
        Patch { side, cuts: 0, column: 0, row: 0 }
    }

    /// One of its four parts, by columns, then by rows.
    pub fn part(&self, number: u32) -> Self {
        let (column, row) = (2 * self.column + (number & 1), 2 * self.row + (number >> 1));
        Patch { side: self.side, cuts: self.cuts + 1, column, row }
    }

    /// The first square it covers in grids of a width.
    pub fn place(&self, width: usize) -> usize {
        let across = width >> self.cuts;
        (self.side * width + self.row as usize * across) * width + self.column as usize * across
    }

    fn corners(&self) -> [[f64; 2]; 4] {
        let size = 2.0 / f64::from(1 << self.cuts);
        let (low, left) = (f64::from(self.row) * size - 1.0, f64::from(self.column) * size - 1.0);
        [[left, low], [left + size, low], [left + size, low + size], [left, low + size]]
    }
}

/// Of each vertex the directions in which no neighbour is farther.
pub struct Cones {
    /// Where the steps of each vertex begin, and where those of the last end.
    first: Vec<u32>,
    /// From the neighbours of all vertices to these.
    steps: Vec<Vector<3>>,
    /// What is left of a patch, and room for what a cut leaves of that.
    polygon: Vec<[f64; 2]>,
    left: Vec<[f64; 2]>,
}

/// A neighbour that is farther by less, in parts of its distance, is not: less is rounding.
const SLACK: f64 = 1e-12;

impl Cones {
    /// Of a polyhedron whose half edges are joined.
    pub fn of(polyhedron: &ConvexPolyhedron) -> Self {
        let (mut first, mut steps) = (vec![0], Vec::with_capacity(2 * polyhedron.edge_count()));
        let vertices = polyhedron.vertices();
        for (number, place) in (0u32..).zip(vertices) {
            let neighbours = polyhedron.neighbours(number);
            steps.extend(neighbours.map(|neighbour| place - vertices[neighbour as usize]));
            first.push(steps.len() as u32);
        }
        Cones { first, steps, polygon: Vec::new(), left: Vec::new() }
    }

    /// Which of some vertices have directions in a patch; at least one.
    pub fn meeting(&mut self, patch: &Patch, among: &[u32]) -> Vec<u32> {
        let meeting: Vec<u32> =
            among.iter().copied().filter(|&vertex| self.meets(vertex, patch)).collect();
        if meeting.is_empty() { among.to_vec() } else { meeting }
    }

    fn meets(&mut self, vertex: u32, patch: &Patch) -> bool {
        let axis = patch.side / 2;
        let sign = if patch.side.is_multiple_of(2) { 1.0 } else { -1.0 };
        let [first, end] = [0, 1].map(|next| self.first[vertex as usize + next] as usize);
        self.polygon.clear();
        self.polygon.extend(patch.corners());
        for step in &self.steps[first..end] {
            let (u, v) = (step[(axis + 1) % 3], step[(axis + 2) % 3]);
            let base = sign * step[axis] + SLACK * step.amax();
            let height = |at: &[f64; 2]| base + u * at[0] + v * at[1];
            if self.polygon.iter().all(|corner| height(corner) >= 0.0) {
                continue;
            }
            cut(&self.polygon, height, &mut self.left);
            std::mem::swap(&mut self.polygon, &mut self.left);
            if self.polygon.is_empty() {
                return false;
            }
        }
        true
    }
}

/// What of a convex polygon has a height of at least zero.
fn cut(polygon: &[[f64; 2]], height: impl Fn(&[f64; 2]) -> f64, left: &mut Vec<[f64; 2]>) {
    left.clear();
    let mut last = polygon[polygon.len() - 1];
    let mut at_last = height(&last);
    for &corner in polygon {
        let at_corner = height(&corner);
        if (at_last < 0.0) != (at_corner < 0.0) {
            let part = at_last / (at_last - at_corner);
            left.push([0, 1].map(|k| last[k] + (corner[k] - last[k]) * part));
        }
        if at_corner >= 0.0 {
            left.push(corner);
        }
        (last, at_last) = (corner, at_corner);
    }
}
