//! A closed triangle mesh with half-edge adjacency.

use super::hilbert_order::IndexedHullPoints;
use crate::Vector;
use crate::predicates::{WeightedSite, orientation_estimate, orientation_exact};
use std::cmp::Ordering;

/// A half-edge mesh: half edge `3 t + i` leads from corner `i` of triangle `t` to the next.
#[derive(Clone, Debug)]
pub(super) struct HullHalfEdgeMesh {
    pub positions: Vec<Vector<3>>,
    /// Index of each vertex in the input.
    pub input_indices: Vec<u32>,
    /// Vertices of each triangle, counterclockwise seen from outside.
    pub corners: Vec<[u32; 3]>,
    /// The opposite half edge of each half edge.
    pub twins: Vec<[u32; 3]>,
}

impl HullHalfEdgeMesh {
    pub fn triangles(&self) -> std::ops::Range<u32> {
        0..self.corners.len() as u32
    }

    pub fn half_edges(&self) -> std::ops::Range<u32> {
        0..3 * self.corners.len() as u32
    }

    pub fn origin(&self, half_edge: u32) -> u32 {
        self.corners[half_edge as usize / 3][half_edge as usize % 3]
    }

    pub fn twin(&self, half_edge: u32) -> u32 {
        self.twins[half_edge as usize / 3][half_edge as usize % 3]
    }

    /// Returns the corner of the half edge's triangle that is not on it.
    pub fn opposite_vertex(&self, half_edge: u32) -> u32 {
        self.origin(next_half_edge(next_half_edge(half_edge)))
    }

    /// Returns all vertices except those closer than `distance` to a neighbor that is kept; `None` if no
    /// vertices are that close.
    pub fn without_close_vertices(&self, distance: f64) -> Option<IndexedHullPoints> {
        let ends = |edge: u32| (self.origin(edge), self.origin(next_half_edge(edge)));
        let is_close = |&(from, to): &(u32, u32)| {
            let step = self.positions[to as usize] - self.positions[from as usize];
            from < to && step.norm_squared() <= distance * distance
        };
        let mut close: Vec<(u32, u32)> = self.half_edges().map(ends).filter(is_close).collect();
        // Of a chain of close vertices the first in order stays, whatever the order of the edges.
        close.sort_unstable();
        let mut is_left = vec![true; self.positions.len()];
        for &(from, to) in &close {
            if is_left[from as usize] {
                is_left[to as usize] = false;
            }
        }
        let left = || (0..self.positions.len()).filter(|&vertex| is_left[vertex]);
        (!close.is_empty()).then(|| IndexedHullPoints {
            positions: left().map(|vertex| self.positions[vertex]).collect(),
            input_indices: left().map(|vertex| self.input_indices[vertex]).collect(),
        })
    }

    pub fn triangle_positions(&self, triangle: u32) -> [&Vector<3>; 3] {
        self.corners[triangle as usize].map(|corner| &self.positions[corner as usize])
    }
}

/// Returns the next half edge around the same triangle.
#[inline]
pub(super) fn next_half_edge(half_edge: u32) -> u32 {
    if half_edge % 3 == 2 { half_edge - 2 } else { half_edge + 1 }
}

/// Returns exactly on which side of the plane through the first three points the last one is: `Greater` if
/// the three are counterclockwise seen from it.
#[cold]
#[inline(never)]
pub(super) fn side_of_plane(points: [&Vector<3>; 4]) -> Ordering {
    let [a, b, c, d] = points;
    // Faces perpendicular to an axis are frequent, and their points need no arithmetic.
    if (0..3).any(|axis| a[axis] == b[axis] && a[axis] == c[axis] && a[axis] == d[axis]) {
        return Ordering::Equal;
    }
    let site = |point: &Vector<3>| WeightedSite { center: *point, radius: 0.0, shift: [0; 3] };
    orientation_estimate(points, 0.0)
        .unwrap_or_else(|| orientation_exact(&points.map(site), &Vector::zeros()))
}
