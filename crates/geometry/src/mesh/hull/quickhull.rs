//! Quickhull over triangles: from four points to the hull of all.

use super::spatial_order::Points;
use super::surface::{Surface, next, side};
use crate::{Aabb, Vector};
use std::cmp::Ordering;
use std::collections::VecDeque;

/// No point, or the end of a list.
const NONE: u32 = u32::MAX;

/// As long as there are fewer triangles the hull grows evenly.
const COARSE: usize = 20_000;

/// The hull of all points as triangles, exactly convex. Only points that were taken in are vertices,
/// in ascending order; some of them may have come to lie on a face or an edge since.
pub(super) fn surface(points: &Points, bounds: &Aabb<3>, first: [u32; 4]) -> Surface {
    let mut hull = Quickhull {
        points: &points.places,
        size: bounds.size(),
        triangles: Vec::new(),
        free: Vec::new(),
        behind: vec![NONE; points.places.len()],
        pending: VecDeque::new(),
        seen: Vec::new(),
        horizon: Vec::new(),
        cone: Vec::new(),
        crossings: Vec::new(),
    };
    hull.begin(first);
    while let Some(triangle) = hull.next_pending() {
        let Triangle { state, farthest, .. } = hull.triangles[triangle as usize];
        if state == State::Hull && farthest != NONE {
            hull.take_in(farthest, triangle);
        }
    }
    hull.finish(&points.numbers)
}

struct Quickhull<'a> {
    points: &'a [Vector<3>],
    /// No two points differ by more than this along an axis.
    size: Vector<3>,
    triangles: Vec<Triangle>,
    /// Places of triangles that are gone.
    free: Vec<u32>,
    /// Of each point the next one that sees the same triangle.
    behind: Vec<u32>,
    /// Every triangle that is seen by points, and some others, the oldest first.
    pending: VecDeque<u32>,
    /// Scratch of one step: triangles the new point sees, half edges around them from the other side,
    /// triangles from these to the point, half edges still to cross.
    seen: Vec<u32>,
    horizon: Vec<u32>,
    cone: Vec<u32>,
    crossings: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Triangle {
    base: Vector<3>,
    normal: Vector<3>,
    /// Rounding of the height of a point is less than this.
    error: f64,
    /// The farthest of the points in the list, and how high it is.
    height: f64,
    farthest: u32,
    /// The first point in the list of those that see this triangle; each is in one list only.
    first: u32,
    corners: [u32; 3],
    mates: [u32; 3],
    state: State,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Hull,
    Seen,
    Free,
}

impl Quickhull<'_> {
    fn begin(&mut self, first: [u32; 4]) {
        let [a, mut b, mut c, d] = first;
        if side([a, b, c, d].map(|point| &self.points[point as usize])) == Ordering::Greater {
            (b, c) = (c, b);
        }
        // Seen from the last point, the first three now go round to the right.
        for corners in [[a, b, c], [a, d, b], [b, d, c], [c, d, a]] {
            let triangle = self.add(corners);
            self.cone.push(triangle);
        }
        for half_edge in 0..12 {
            let to = self.origin(next(half_edge));
            let back = (0..12).find(|&other| {
                self.origin(other) == to && self.origin(next(other)) == self.origin(half_edge)
            });
            self.join(half_edge, back.expect("every edge of a tetrahedron is in two faces"));
        }
        for point in 0..self.points.len() as u32 {
            self.deal(point);
        }
        let cone = self.cone.iter().filter(|&&new| self.triangles[new as usize].farthest != NONE);
        self.pending.extend(cone);
    }

    /// First the oldest triangle: if one rim of a prism were finished before the other, each point of the
    /// latter would see a long fan. Once the hull is coarsely known, the youngest, whose surroundings are
    /// still in the processor's memory.
    fn next_pending(&mut self) -> Option<u32> {
        if self.triangles.len() < COARSE {
            self.pending.pop_front()
        } else {
            self.pending.pop_back()
        }
    }

    /// Makes a point a vertex, given a triangle that it sees.
    fn take_in(&mut self, point: u32, triangle: u32) {
        self.find_horizon(point, triangle);
        self.raise_cone(point);
        for k in 0..self.seen.len() {
            let seen = self.seen[k];
            let mut other = self.triangles[seen as usize].first;
            while other != NONE {
                let following = self.behind[other as usize];
                if other != point {
                    self.deal(other);
                }
                other = following;
            }
            self.triangles[seen as usize].state = State::Free;
            self.free.push(seen);
        }
        let cone = self.cone.iter().filter(|&&new| self.triangles[new as usize].farthest != NONE);
        self.pending.extend(cone);
    }

    /// The triangles that a point sees are a disc. A walk through them that turns right at every edge
    /// comes by the edges of the disc in their order.
    fn find_horizon(&mut self, point: u32, triangle: u32) {
        self.seen.clear();
        self.horizon.clear();
        self.triangles[triangle as usize].state = State::Seen;
        self.seen.push(triangle);
        self.crossings.extend([3 * triangle + 2, 3 * triangle + 1, 3 * triangle]);
        while let Some(half_edge) = self.crossings.pop() {
            let beyond = self.mate(half_edge);
            let triangle = beyond / 3;
            if self.triangles[triangle as usize].state == State::Seen {
                continue;
            }
            if self.height_if_seen(triangle, point).is_some() {
                self.triangles[triangle as usize].state = State::Seen;
                self.seen.push(triangle);
                self.crossings.extend([next(next(beyond)), next(beyond)]);
            } else {
                self.horizon.push(beyond);
            }
        }
    }

    /// Triangles from the horizon to a point.
    fn raise_cone(&mut self, point: u32) {
        self.cone.clear();
        for k in 0..self.horizon.len() {
            let beyond = self.horizon[k];
            let triangle = self.add([self.origin(next(beyond)), self.origin(beyond), point]);
            self.cone.push(triangle);
            self.join(3 * triangle, beyond);
        }
        for k in 0..self.cone.len() {
            let following = self.cone[if k + 1 < self.cone.len() { k + 1 } else { 0 }];
            self.join(3 * self.cone[k] + 1, 3 * following + 2);
        }
    }

    /// Puts a point into the list of the first new triangle that it sees. If it sees none it is
    /// inside: a point outside that saw an old triangle sees a new one, for it lies above one of the
    /// horizon's edges on both sides or sees nothing that stays.
    #[inline]
    fn deal(&mut self, point: u32) {
        for k in 0..self.cone.len() {
            let number = self.cone[k];
            if let Some(height) = self.height_if_seen(number, point) {
                let triangle = &mut self.triangles[number as usize];
                self.behind[point as usize] = triangle.first;
                triangle.first = point;
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

    /// How high a point is above a triangle in units of twice its area, if it sees it.
    #[inline(always)]
    fn height_if_seen(&self, triangle: u32, point: u32) -> Option<f64> {
        let triangle = &self.triangles[triangle as usize];
        let place = &self.points[point as usize];
        let height = triangle.normal.dot(&(place - triangle.base));
        if height.abs() > triangle.error {
            return (height > 0.0).then_some(height);
        }
        let [a, b, c] = triangle.corners.map(|corner| &self.points[corner as usize]);
        (side([a, b, c, place]) == Ordering::Greater).then_some(height.max(0.0))
    }

    fn add(&mut self, corners: [u32; 3]) -> u32 {
        let triangle = Triangle::new(self.points, corners, &self.size);
        match self.free.pop() {
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

    fn mate(&self, half_edge: u32) -> u32 {
        self.triangles[half_edge as usize / 3].mates[half_edge as usize % 3]
    }

    fn join(&mut self, one: u32, other: u32) {
        self.triangles[one as usize / 3].mates[one as usize % 3] = other;
        self.triangles[other as usize / 3].mates[other as usize % 3] = one;
    }

    /// Numbers what is left without gaps.
    fn finish(self, numbers_of_points: &[u32]) -> Surface {
        let left = |triangle: &&Triangle| triangle.state == State::Hull;
        let mut vertices = self.behind;
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
            if triangle.state == State::Hull {
                *number = count;
                count += 1;
            }
        }
        let renumbered = |mate: u32| 3 * numbers[mate as usize / 3] + mate % 3;
        let remaining = || self.triangles.iter().filter(left);
        let corners = remaining().map(|t| t.corners.map(|corner| vertices[corner as usize]));
        let mates = remaining().map(|triangle| triangle.mates.map(renumbered));
        Surface {
            places,
            numbers: places_numbers,
            corners: corners.collect(),
            mates: mates.collect(),
        }
    }
}

impl Triangle {
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
        Triangle {
            base: a,
            normal: to_b.cross(&to_c),
            error: 5.0 * f64::EPSILON * products.dot(size) + 1e-300 * (1.0 + size.sum()),
            height: f64::NEG_INFINITY,
            farthest: NONE,
            first: NONE,
            corners,
            mates: [NONE; 3],
            state: State::Hull,
        }
    }
}
