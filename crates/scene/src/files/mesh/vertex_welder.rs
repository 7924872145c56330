use carom_geometry::Vector;
use std::collections::HashMap;

/// Corners become vertices: those with the same coordinates are one.
#[derive(Default)]
pub(super) struct VertexWelder {
    /// Looked up and never walked, so that its order does not matter.
    numbers: HashMap<[u64; 3], u32>,
    vertices: Vec<Vector<3>>,
}

impl VertexWelder {
    /// The number of the vertex at a point, a new one if there was none.
    pub(super) fn vertex(&mut self, point: [f64; 3]) -> u32 {
        // Adding zero turns -0 into 0; they are the same place.
        let point = point.map(|coordinate| coordinate + 0.0);
        let next = self.vertices.len() as u32;
        let number = *self.numbers.entry(point.map(f64::to_bits)).or_insert(next);
        if number == next {
            self.vertices.push(point.into());
        }
        number
    }

    /// The vertices in the order in which they were first met.
    pub(super) fn into_vertices(self) -> Vec<Vector<3>> {
        self.vertices
    }
}
