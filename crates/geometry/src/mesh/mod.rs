//! Surfaces made of flat faces.

use crate::Vector;

/// Polygons that share vertices. Seen from outside, the vertices of a face go round to the left.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolygonMesh {
    /// The corners of all faces.
    pub vertices: Vec<Vector<3>>,
    /// Each face by the numbers of its vertices.
    pub faces: Vec<Vec<u32>>,
}
