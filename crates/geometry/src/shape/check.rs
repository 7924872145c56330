//! Verification of a polyhedron.

use super::ConvexPolyhedron;
use crate::Vector;
use crate::mesh::coplanarity_tolerance;

/// Largest number of tests of a vertex against a face; of larger bodies only some faces are tested.
const MAX_FACE_VERTEX_TESTS: usize = 100_000_000;

/// Largest slope of an edge against the plane of its face; supports may fall short by this times the extent.
const MAX_SLOPE: f64 = 2e-10;

/// Number of directions tested, half of them near face normals.
const DIRECTIONS: u64 = 64;

impl ConvexPolyhedron {
    /// Verifies half edges, Euler's formula, flat faces with the body below them, the volume, and the support
    /// function against all vertices. Returns the first defect.
    ///
    /// Takes about vertices times faces steps, but no more than 1e8: of larger bodies only some faces are
    /// tested against all vertices.
    pub fn check(&self) -> Result<(), String> {
        self.check_half_edges()?;
        self.check_euler()?;
        let tolerance = 8.0 * coplanarity_tolerance(&self.vertices);
        self.check_faces(tolerance)?;
        self.check_supports(tolerance)
    }

    fn check_half_edges(&self) -> Result<(), String> {
        for edge in 0..2 * self.edge_count() as u32 {
            let (twin, next) = (self.twin(edge), self.next(edge));
            let is_joined = self.twin(twin) == edge
                && self.origin(twin) == self.origin(next)
                && self.origin(self.next(twin)) == self.origin(edge)
                && self.left_face(twin) != self.left_face(edge)
                && self.left_face(next) == self.left_face(edge);
            if !is_joined {
                return Err(format!("half edge {edge} is not joined to its twin {twin}"));
            }
        }
        let mut count = 0;
        for vertex in 0..self.vertices.len() as u32 {
            for edge in self.outgoing(vertex) {
                count += 1;
                if self.origin(edge) != vertex || count > 2 * self.edge_count() {
                    return Err(format!("half edge {edge} does not leave vertex {vertex}"));
                }
            }
        }
        if count != 2 * self.edge_count() {
            return Err(format!("{count} half edges of {} leave a vertex", 2 * self.edge_count()));
        }
        Ok(())
    }

    fn check_euler(&self) -> Result<(), String> {
        let (vertices, edges, faces) = (self.vertices.len(), self.edge_count(), self.face_count());
        if vertices + faces != edges + 2 {
            return Err(format!(
                "{vertices} vertices, {edges} edges and {faces} faces: not a sphere"
            ));
        }
        Ok(())
    }

    fn check_faces(&self, tolerance: f64) -> Result<(), String> {
        let step = (self.face_count() * self.vertices.len()).div_ceil(MAX_FACE_VERTEX_TESTS);
        for (number, face) in self.faces().enumerate() {
            let height = |vertex: &Vector<3>| face.normal.dot(vertex) - face.offset;
            let place = |k: usize| self.vertices[face.vertices[k % face.vertices.len()] as usize];
            if (face.normal.norm() - 1.0).abs() > 1e-12 {
                return Err(format!("face {number} has a normal of length {}", face.normal.norm()));
            }
            for k in 0..face.vertices.len() {
                if height(&place(k)).abs() > tolerance {
                    let depth = -height(&place(k));
                    return Err(format!("face {number} is not flat: a corner is {depth:e} below"));
                }
                let chord = place(k + 2) - place(k);
                let outwards = chord.cross(&face.normal);
                if outwards.dot(&(place(k + 1) - place(k))) < -tolerance * chord.norm() {
                    let vertex = face.vertices[(k + 1) % face.vertices.len()];
                    return Err(format!("face {number} is not convex at vertex {vertex}"));
                }
            }
            if number % step == 0 {
                let highest = self.vertices.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
                if highest > tolerance {
                    return Err(format!("a vertex is {highest:e} above face {number}"));
                }
            }
        }
        if self.mass_properties.volume <= 0.0 {
            return Err(format!("the volume is {}", self.mass_properties.volume));
        }
        Ok(())
    }

    fn check_supports(&self, tolerance: f64) -> Result<(), String> {
        for number in 0..DIRECTIONS {
            // The Halton sequence in three bases: spread over all directions, the same in every run.
            let random = Vector::from([2, 3, 5].map(|base| 2.0 * halton(number + 1, base) - 1.0));
            let face = self.face((number * self.face_count() as u64 / DIRECTIONS) as u32);
            let direction = if number % 2 == 0 { random } else { face.normal + 1e-9 * random };
            let found = direction.dot(&self.vertices[self.support(&direction) as usize]);
            let highest = self.vertices.iter().map(|vertex| direction.dot(vertex));
            let lacking = highest.fold(f64::NEG_INFINITY, f64::max) - found;
            if lacking > (tolerance + MAX_SLOPE * self.extent()) * direction.norm() {
                return Err(format!("the support in {direction:?} lacks {lacking:e}"));
            }
        }
        Ok(())
    }
}

/// Returns an element of the Halton sequence: the digits of a number mirrored at the radix point.
fn halton(mut number: u64, base: u64) -> f64 {
    let (mut fraction, mut sum) = (1.0, 0.0);
    while number > 0 {
        fraction /= base as f64;
        sum += fraction * (number % base) as f64;
        number /= base;
    }
    sum
}
