//! Quickhull over triangles: grows a tetrahedron to the hull of all points.

use super::half_edge_mesh::{HullHalfEdgeMesh, next_half_edge, side_of_plane};
use super::hilbert_order::IndexedHullPoints;
use crate::{Aabb, Vector};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// No point, or the end of a list.
const NONE: u32 = u32::MAX;

/// Below this number of triangles the hull grows breadth first.
const BREADTH_FIRST_LIMIT: usize = 20_000;

/// Returns the hull of all points as triangles, exactly convex, its vertices in ascending order. Some
/// vertices may lie on a face or an edge of the final hull.
pub(super) fn build_hull(
    points: &IndexedHullPoints,
    bounds: &Aabb<3>,
    first: [u32; 4],
) -> HullHalfEdgeMesh {
    let mut hull = Quickhull {
        points: &points.positions,
        size: bounds.size(),
        triangles: Vec::new(),
        free_triangles: Vec::new(),
        next_outside_point: vec![NONE; points.positions.len()],
        pending: VecDeque::new(),
        visible: Vec::new(),
        horizon: Vec::new(),
        cone: Vec::new(),
        crossings: Vec::new(),
    };
    hull.start_from_tetrahedron(first);
    while let Some(triangle) = hull.next_pending() {
        let QuickhullFace { state, farthest, .. } = hull.triangles[triangle as usize];
        // The farthest point first (C. Barber, D. Dobkin and H. Huhdanpaa, 1996): it is surely a vertex and leaves
        // the fewest points outside.
        if state == QuickhullFaceState::Hull && farthest != NONE {
            hull.add_vertex(farthest, triangle);
        }
    }
    hull.into_half_edge_mesh(&points.input_indices)
}

struct Quickhull<'a> {
    points: &'a [Vector<3>],
    /// Size of the bounding box of all points.
    size: Vector<3>,
    triangles: Vec<QuickhullFace>,
    /// Slots of removed triangles.
    free_triangles: Vec<u32>,
    /// For each point the next one in the same outside set.
    next_outside_point: Vec<u32>,
    /// Every triangle with a nonempty outside set, and some others, the oldest first.
    pending: VecDeque<u32>,
    /// Scratch: triangles that the new point sees.
    visible: Vec<u32>,
    /// Scratch: half edges around the visible triangles, from the hidden side.
    horizon: Vec<u32>,
    /// Scratch: triangles from the horizon to the new point.
    cone: Vec<u32>,
    /// Scratch: half edges still to cross in the search for the horizon.
    crossings: Vec<u32>,
}

#[derive(Clone, Copy)]
struct QuickhullFace {
    base: Vector<3>,
    normal: Vector<3>,
    /// Bound on the rounding error of the height of a point.
    error: f64,
    /// Height of the farthest point of the outside set.
    height: f64,
    /// The farthest point of the outside set.
    farthest: u32,
    /// First point of the outside set; each point is in at most one set.
    first_outside_point: u32,
    corners: [u32; 3],
    twins: [u32; 3],
    state: QuickhullFaceState,
}

#[derive(Clone, Copy, PartialEq)]
enum QuickhullFaceState {
    Hull,
    Visible,
    Free,
}

impl Quickhull<'_> {
    fn start_from_tetrahedron(&mut self, first: [u32; 4]) {
        let [a, mut b, mut c, d] = first;
        if side_of_plane([a, b, c, d].map(|point| &self.points[point as usize]))
            == Ordering::Greater
        {
            (b, c) = (c, b);
        }
        // Seen from the last point, the first three are now clockwise.
        for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            let triangle = self.add_triangle(corners);
            self.cone.push(triangle);
        }
        for half_edge in 0..12 {
            let to = self.origin(next_half_edge(half_edge));
            let back = (0..12).find(|&other| {
                self.origin(other) == to
                    && self.origin(next_half_edge(other)) == self.origin(half_edge)
            });
            self.link_twins(half_edge, back.expect("every edge of a tetrahedron is in two faces"));
        }
        for point in 0..self.points.len() as u32 {
            self.assign_to_outside_set(point);
        }
        let cone = self.cone.iter().filter(|&&new| self.triangles[new as usize].farthest != NONE);
        self.pending.extend(cone);
    }

    /// Returns the next triangle to process. At first the oldest: if one rim of a prism were finished before
    /// the other, each point of the latter would see a long fan. Once the hull is coarsely known, the
    /// youngest, whose surroundings are still in the cache.
    fn next_pending(&mut self) -> Option<u32> {
        if self.triangles.len() < BREADTH_FIRST_LIMIT {
            self.pending.pop_front()
        } else {
            self.pending.pop_back()
        }
    }

    /// Makes a point a vertex, given a triangle that it sees.
    fn add_vertex(&mut self, point: u32, triangle: u32) {
        self.find_horizon(point, triangle);
        self.build_cone(point);
        for k in 0..self.visible.len() {
            let seen = self.visible[k];
            let mut other = self.triangles[seen as usize].first_outside_point;
            while other != NONE {
                let following = self.next_outside_point[other as usize];
                if other != point {
                    self.assign_to_outside_set(other);
                }
                other = following;
            }
            self.triangles[seen as usize].state = QuickhullFaceState::Free;
            self.free_triangles.push(seen);
        }
        let cone = self.cone.iter().filter(|&&new| self.triangles[new as usize].farthest != NONE);
        self.pending.extend(cone);
    }

    /// Finds the visible triangles and the horizon. The triangles that a point sees form a disc; a
    /// depth-first search that turns right at every edge meets the edges of its boundary in order.
    fn find_horizon(&mut self, point: u32, triangle: u32) {
        self.visible.clear();
        self.horizon.clear();
        self.triangles[triangle as usize].state = QuickhullFaceState::Visible;
        self.visible.push(triangle);
        self.crossings.extend([3 * triangle + 2, 3 * triangle + 1, 3 * triangle]);
        while let Some(half_edge) = self.crossings.pop() {
            let beyond = self.twin(half_edge);
            let triangle = beyond / 3;
            if self.triangles[triangle as usize].state == QuickhullFaceState::Visible {
                continue;
            }
            if self.height_if_visible(triangle, point).is_some() {
                self.triangles[triangle as usize].state = QuickhullFaceState::Visible;
                self.visible.push(triangle);
                self.crossings
                    .extend([next_half_edge(next_half_edge(beyond)), next_half_edge(beyond)]);
            } else {
                self.horizon.push(beyond);
            }
        }
    }

    /// Builds the triangles from the horizon to a point.
    fn build_cone(&mut self, point: u32) {
        self.cone.clear();
        for k in 0..self.horizon.len() {
            let beyond = self.horizon[k];
            let triangle = self.add_triangle([
                self.origin(next_half_edge(beyond)),
                self.origin(beyond),
                point,
            ]);
            self.cone.push(triangle);
            self.link_twins(3 * triangle, beyond);
        }
        for k in 0..self.cone.len() {
            let following = self.cone[if k + 1 < self.cone.len() { k + 1 } else { 0 }];
            self.link_twins(3 * self.cone[k] + 1, 3 * following + 2);
        }
    }

    /// Puts a point into the outside set of the first new triangle that it sees. If it sees none it is
    /// inside: a point that saw a removed triangle and is still outside sees a new one.
    #[inline]
    fn assign_to_outside_set(&mut self, point: u32) {
        for k in 0..self.cone.len() {
            let number = self.cone[k];
            if let Some(height) = self.height_if_visible(number, point) {
                let triangle = &mut self.triangles[number as usize];
                self.next_outside_point[point as usize] = triangle.first_outside_point;
                triangle.first_outside_point = point;
                // Ties go to the smaller number, so that of equal points the first is taken.
                let level = height == triangle.height;
                if height > triangle.height || level && point < triangle.farthest {
                    triangle.height = height;
                    triangle.farthest = point;
                }
                return;
            }
        }
    }

    /// Returns the height of a point above a triangle, times twice the triangle's area, if it sees it.
    #[inline(always)]
    fn height_if_visible(&self, triangle: u32, point: u32) -> Option<f64> {
        let triangle = &self.triangles[triangle as usize];
        let place = &self.points[point as usize];
        let height = triangle.normal.dot(&(place - triangle.base));
        // Floating-point filter: the exact predicate only where the rounding error could change the sign.
        if height.abs() > triangle.error {
            return (height > 0.0).then_some(height);
        }
        let [a, b, c] = triangle.corners.map(|corner| &self.points[corner as usize]);
        (side_of_plane([a, b, c, place]) == Ordering::Greater).then_some(height.max(0.0))
    }

    fn add_triangle(&mut self, corners: [u32; 3]) -> u32 {
        let triangle = QuickhullFace::new(self.points, corners, &self.size);
        match self.free_triangles.pop() {
            Some(number) => {
                self.triangles[number as usize] = triangle;
                number
            }
            None => {
                self.triangles.push(triangle);
                self.triangles.len() as u32 - 1
            }
        }
    }

    fn origin(&self, half_edge: u32) -> u32 {
        self.triangles[half_edge as usize / 3].corners[half_edge as usize % 3]
    }

    fn twin(&self, half_edge: u32) -> u32 {
        self.triangles[half_edge as usize / 3].twins[half_edge as usize % 3]
    }

    fn link_twins(&mut self, one: u32, other: u32) {
        self.triangles[one as usize / 3].twins[one as usize % 3] = other;
        self.triangles[other as usize / 3].twins[other as usize % 3] = one;
    }

    /// Renumbers the remaining triangles and vertices without gaps.
    fn into_half_edge_mesh(self, numbers_of_points: &[u32]) -> HullHalfEdgeMesh {
        let left = |triangle: &&QuickhullFace| triangle.state == QuickhullFaceState::Hull;
        let mut vertices = self.next_outside_point;
        vertices.fill(NONE);
        for triangle in self.triangles.iter().filter(left) {
            triangle.corners.iter().for_each(|&corner| vertices[corner as usize] = 0);
        }
        let (mut places, mut places_numbers) = (Vec::new(), Vec::new());
        for (point, vertex) in vertices.iter_mut().enumerate() {
            if *vertex == 0 {
                *vertex = places.len() as u32;
                places.push(self.points[point]);
                places_numbers.push(numbers_of_points[point]);
            }
        }
        let (mut numbers, mut count) = (vec![NONE; self.triangles.len()], 0);
        for (number, triangle) in numbers.iter_mut().zip(&self.triangles) {
            if triangle.state == QuickhullFaceState::Hull {
                *number = count;
                count += 1;
            }
        }
        let renumbered = |mate: u32| 3 * numbers[mate as usize / 3] + mate % 3;
        let remaining = || self.triangles.iter().filter(left);
        let corners = remaining().map(|t| t.corners.map(|corner| vertices[corner as usize]));
        let mates = remaining().map(|triangle| triangle.twins.map(renumbered));
        HullHalfEdgeMesh {
            positions: places,
            input_indices: places_numbers,
            corners: corners.collect(),
            twins: mates.collect(),
        }
    }
}

impl QuickhullFace {
    /// Makes a triangle with the error bound of its heights.
    ///
    /// The height is `n . (q - a)` with `n = (b - a) x (c - a)`. Let `m` be `n` with all products
    /// taken positive and summed. Each difference is wrong by one part in `2^53`, each component of
    /// `n` by four parts of that of `m`, and the sum of three products by four parts more: together at
    /// most nine, times `m . |q - a|`. The last summand is for underflow.
    #[inline]
    fn new(points: &[Vector<3>], corners: [u32; 3], size: &Vector<3>) -> Self {
        let [a, b, c] = corners.map(|corner| points[corner as usize]);
        let (to_b, to_c) = (b - a, c - a);
        let (wide_b, wide_c) = (to_b.abs(), to_c.abs());
        let products = Vector::from([
            wide_b.y * wide_c.z + wide_b.z * wide_c.y,
            wide_b.z * wide_c.x + wide_b.x * wide_c.z,
            wide_b.x * wide_c.y + wide_b.y * wide_c.x,
        ]);
        QuickhullFace {
            base: a,
            normal: to_b.cross(&to_c),
            error: 5.0 * f64::EPSILON * products.dot(size) + 1e-300 * (1.0 + size.sum()),
            height: f64::NEG_INFINITY,
            farthest: NONE,
            first_outside_point: NONE,
            corners,
            twins: [NONE; 3],
            state: QuickhullFaceState::Hull,
        }
    }
}
