//! Shared vertices for formats that give each triangle corners of its own.

use carom_geometry::Vector;
use std::collections::HashMap;

/// Welds corners with the same coordinates into one vertex.
#[derive(Default)]
pub(super) struct VertexWelder {
    /// Vertex by the bits of its coordinates; never iterated, so its order does not matter.
    numbers: HashMap<[u64; 3], u32>,
    vertices: Vec<Vector<3>>,
}

impl VertexWelder {
    /// Returns the index of the vertex at a point, a new one if there was none.
    pub(super) fn vertex(&mut self, point: [f64; 3]) -> u32 {
        // Adding zero turns -0 into 0, which are the same place.
        let point = point.map(|coordinate| coordinate + 0.0);
        let next = self.vertices.len() as u32;
        let number = *self.numbers.entry(point.map(f64::to_bits)).or_insert(next);
        if number == next {
            self.vertices.push(point.into());
        }
        number
    }

    /// Returns the vertices in order of their first appearance.
    pub(super) fn into_vertices(self) -> Vec<Vector<3>> {
        self.vertices
    }
}
