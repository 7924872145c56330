//! A closed surface of triangles whose neighbours are known.

use super::spatial_order::Points;
use crate::Vector;
use crate::predicates::{Site, orientation_estimate, orientation_exact};
use std::cmp::Ordering;

/// Half edge `3 t + i` goes along triangle `t` from its corner `i` to the next.
#[derive(Clone, Debug)]
pub(super) struct Surface {
    pub places: Vec<Vector<3>>,
    /// Of each place its number in the input.
    pub numbers: Vec<u32>,
    /// To the left when seen from outside.
    pub corners: Vec<[u32; 3]>,
    /// Of each half edge the one that goes back.
    pub mates: Vec<[u32; 3]>,
}

impl Surface {
    pub fn triangles(&self) -> std::ops::Range<u32> {
        0..self.corners.len() as u32
    }

    pub fn half_edges(&self) -> std::ops::Range<u32> {
        0..3 * self.corners.len() as u32
    }

    pub fn origin(&self, half_edge: u32) -> u32 {
        self.corners[half_edge as usize / 3][half_edge as usize % 3]
    }

    pub fn mate(&self, half_edge: u32) -> u32 {
        self.mates[half_edge as usize / 3][half_edge as usize % 3]
    }

    /// The corner of the half edge's triangle that it does not touch.
    pub fn opposite(&self, half_edge: u32) -> u32 {
        self.origin(next(next(half_edge)))
    }

    /// All vertices but those closer than `distance` to a neighbour that is left; none if there are no
    /// such vertices.
    pub fn thinned(&self, distance: f64) -> Option<Points> {
        let ends = |edge: u32| (self.origin(edge), self.origin(next(edge)));
        let is_close = |&(from, to): &(u32, u32)| {
            let step = self.places[to as usize] - self.places[from as usize];
            from < to && step.norm_squared() <= distance * distance
        };
        let mut close: Vec<(u32, u32)> = self.half_edges().map(ends).filter(is_close).collect();
        close.sort_unstable();
        let mut is_left = vec![true; self.places.len()];
        for &(from, to) in &close {
            if is_left[from as usize] {
                is_left[to as usize] = false;
            }
        }
        let left = || (0..self.places.len()).filter(|&vertex| is_left[vertex]);
        (!close.is_empty()).then(|| Points {
            places: left().map(|vertex| self.places[vertex]).collect(),
            numbers: left().map(|vertex| self.numbers[vertex]).collect(),
        })
    }

    pub fn places_of(&self, triangle: u32) -> [&Vector<3>; 3] {
        self.corners[triangle as usize].map(|corner| &self.places[corner as usize])
    }
}

/// The next half edge around the same triangle.
#[inline]
pub(super) fn next(half_edge: u32) -> u32 {
    if half_edge % 3 == 2 { half_edge - 2 } else { half_edge + 1 }
}

/// On which side of the plane through `a`, `b` and `c` the last point is, exactly: `Greater` if the
/// three go round to the left when seen from it.
#[cold]
#[inline(never)]
pub(super) fn side(points: [&Vector<3>; 4]) -> Ordering {
    let [a, b, c, d] = points;
    // Faces across an axis are frequent, and their points need no arithmetic.
    if (0..3).any(|axis| a[axis] == b[axis] && a[axis] == c[axis] && a[axis] == d[axis]) {
        return Ordering::Equal;
    }
    let site = |point: &Vector<3>| Site { center: *point, radius: 0.0, shift: [0; 3] };
    orientation_estimate(points, 0.0)
        .unwrap_or_else(|| orientation_exact(&points.map(site), &Vector::zeros()))
}
