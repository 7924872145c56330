//! Normal cones: the directions in which a vertex of a polyhedron is the farthest.

use super::ConvexPolyhedron;
use crate::Vector;

/// A square patch of a face of the cube map.
#[derive(Clone, Copy, Debug)]
pub struct CubeMapPatch {
    cube_face: usize,
    /// Number of subdivisions into four that lead from the whole face to the patch.
    pub subdivisions: u32,
    /// Column, in patches of this size.
    column: u32,
    /// Row, in patches of this size.
    row: u32,
}

impl CubeMapPatch {
    /// Returns a whole face of the cube: for each axis the positive, then the negative one.
    pub fn whole_face(cube_face: usize) -> Self {
        CubeMapPatch { cube_face, subdivisions: 0, column: 0, row: 0 }
    }

    /// Returns one of its four parts, by columns, then by rows.
    pub fn child(&self, number: u32) -> Self {
        let (column, row) = (2 * self.column + (number & 1), 2 * self.row + (number >> 1));
        CubeMapPatch { cube_face: self.cube_face, subdivisions: self.subdivisions + 1, column, row }
    }

    /// Returns the first cell it covers in face grids of a width.
    pub fn first_cell(&self, width: usize) -> usize {
        let across = width >> self.subdivisions;
        (self.cube_face * width + self.row as usize * across) * width
            + self.column as usize * across
    }

    fn corners(&self) -> [[f64; 2]; 4] {
        let size = 2.0 / f64::from(1 << self.subdivisions);
        let (low, left) = (f64::from(self.row) * size - 1.0, f64::from(self.column) * size - 1.0);
        [[left, low], [left + size, low], [left + size, low + size], [left, low + size]]
    }
}

/// The normal cone of each vertex: the directions in which no neighbor is farther.
pub struct NormalCones {
    /// Start of each vertex in `edge_vectors`, and the end of the last.
    edge_starts: Vec<u32>,
    /// Vectors to each vertex from its neighbors.
    edge_vectors: Vec<Vector<3>>,
    /// Scratch: the rest of a patch after clipping.
    polygon: Vec<[f64; 2]>,
    /// Scratch: the result of one clip.
    clipped: Vec<[f64; 2]>,
}

/// Cones are widened by this, relative to the distance of a neighbor, against rounding.
const SLACK: f64 = 1e-12;

impl NormalCones {
    /// Prepares the cones of a polyhedron whose half edges are linked.
    pub fn of(polyhedron: &ConvexPolyhedron) -> Self {
        let (mut edge_starts, mut edge_vectors) =
            (vec![0], Vec::with_capacity(2 * polyhedron.edge_count()));
        let vertices = polyhedron.vertices();
        for (number, place) in (0u32..).zip(vertices) {
            let neighbors = polyhedron.neighbors(number);
            edge_vectors.extend(neighbors.map(|neighbor| place - vertices[neighbor as usize]));
            edge_starts.push(edge_vectors.len() as u32);
        }
        NormalCones { edge_starts, edge_vectors, polygon: Vec::new(), clipped: Vec::new() }
    }

    /// Returns which of some vertices have a cone that intersects a patch; at least one.
    pub fn intersecting(&mut self, patch: &CubeMapPatch, among: &[u32]) -> Vec<u32> {
        let intersecting: Vec<u32> =
            among.iter().copied().filter(|&vertex| self.intersects(vertex, patch)).collect();
        if intersecting.is_empty() { among.to_vec() } else { intersecting }
    }

    fn intersects(&mut self, vertex: u32, patch: &CubeMapPatch) -> bool {
        let axis = patch.cube_face / 2;
        let sign = if patch.cube_face.is_multiple_of(2) { 1.0 } else { -1.0 };
        let [first, end] = [0, 1].map(|next| self.edge_starts[vertex as usize + next] as usize);
        self.polygon.clear();
        self.polygon.extend(patch.corners());
        for step in &self.edge_vectors[first..end] {
            let (u, v) = (step[(axis + 1) % 3], step[(axis + 2) % 3]);
            let base = sign * step[axis] + SLACK * step.amax();
            let height = |at: &[f64; 2]| base + u * at[0] + v * at[1];
            if self.polygon.iter().all(|corner| height(corner) >= 0.0) {
                continue;
            }
            clip_polygon(&self.polygon, height, &mut self.clipped);
            std::mem::swap(&mut self.polygon, &mut self.clipped);
            if self.polygon.is_empty() {
                return false;
            }
        }
        true
    }
}

/// Clips a convex polygon to the half plane of nonnegative height (Sutherland and Hodgman).
fn clip_polygon(polygon: &[[f64; 2]], height: impl Fn(&[f64; 2]) -> f64, left: &mut Vec<[f64; 2]>) {
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
