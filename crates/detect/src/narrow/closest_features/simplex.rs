//! The GJK simplex: up to four points of the Minkowski difference, and the point of their hull nearest to the
//! origin.

use super::nearest_on_simplex::{
    NearestSimplexPoint, SLIVER_SINE, nearest_on_segment, nearest_on_triangle, segment_weights,
    triangle_weights,
};
use carom_geometry::Vector;

/// A vertex of each body, which together give a point of the Minkowski difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VertexPair {
    pub a: u32,
    pub b: u32,
}

impl VertexPair {
    /// Returns zero if the pairs are equal.
    #[inline(always)]
    fn differing_bits(self, other: Self) -> u64 {
        u64::from(self.a ^ other.a) << 32 | u64::from(self.b ^ other.b)
    }

    pub fn exchanged(self) -> Self {
        VertexPair { a: self.b, b: self.a }
    }
}

/// Up to four points that are affinely independent, except for rounding.
#[derive(Clone, Copy, Debug, Default)]
pub struct GjkSimplex {
    pub count: usize,
    pub points: [Vector<3>; 4],
    pub pairs: [VertexPair; 4],
}

impl GjkSimplex {
    #[inline(always)]
    pub fn push(&mut self, pair: VertexPair, point: Vector<3>) {
        self.points[self.count] = point;
        self.pairs[self.count] = pair;
        self.count += 1;
    }

    #[inline(always)]
    pub fn contains(&self, pair: VertexPair) -> bool {
        // Which entry matches is unpredictable, so the comparison has no branch.
        let mut other = u64::MAX;
        for k in 0..4 {
            let beyond = u64::from(k >= self.count);
            other = other.min(self.pairs[k].differing_bits(pair) | beyond);
        }
        other == 0
    }

    /// Keeps the points whose bits are set.
    #[inline(always)]
    pub fn retain_points(&mut self, needed: u8) {
        // All points stay.
        if needed + 1 == 1 << self.count {
            return;
        }
        let mut count = 0;
        for k in 0..4 {
            self.points[count] = self.points[k];
            self.pairs[count] = self.pairs[k];
            count += usize::from(needed >> k & 1);
        }
        self.count = count;
    }

    /// Returns whether it is a triangle so thin that its normal has lost more than a few digits.
    #[inline(always)]
    pub fn is_thin(&self) -> bool {
        let [a, b, c, _] = self.points;
        let (ab, ac, bc) = (b - a, c - a, c - b);
        let longest = ab.norm_squared().max(ac.norm_squared()).max(bc.norm_squared());
        self.count == 3
            && ab.cross(&ac).norm_squared() < THIN_TRIANGLE * THIN_TRIANGLE * longest * longest
    }

    /// Returns the barycentric weights of the nearest point. For a triangle, rounding may make them slightly
    /// negative: the witness points keep the right distance, and lie outside of their features by that much.
    #[inline(always)]
    pub fn barycentric_weights(&self, nearest: &Vector<3>) -> [f64; 3] {
        let [a, b, _, _] = &self.points;
        match self.count {
            1 => [1.0, 0.0, 0.0],
            2 => segment_weights(a, b),
            _ => triangle_weights(&self.points, nearest),
        }
    }

    /// Refines the weights of a thin triangle by the residual along its longest edge and across it.
    #[cold]
    pub fn refined_weights(&self, mut weights: [f64; 3], nearest: &Vector<3>) -> [f64; 3] {
        let length =
            |[from, to, _]: [usize; 3]| (self.points[to] - self.points[from]).norm_squared();
        let longer = |one, other| if length(other) > length(one) { other } else { one };
        let [from, to, tip] = longer(longer([0, 1, 2], [0, 2, 1]), [1, 2, 0]);
        let (along, aside) =
            (self.points[to] - self.points[from], self.points[tip] - self.points[from]);
        let height = aside - along * (aside.dot(&along) / along.norm_squared());
        // Two rounds of iterative refinement; each recovers the digits that the thin direction has lost.
        for _ in 0..2 {
            let given: Vector<3> = (0..3).map(|k| self.points[k] * weights[k]).sum();
            let missing = nearest - given;
            let across = missing.dot(&height) / height.norm_squared();
            let onwards = (missing - aside * across).dot(&along) / along.norm_squared();
            weights[tip] += across;
            weights[to] += onwards;
            weights[from] -= across + onwards;
        }
        weights
    }

    /// Returns the point nearest to the origin; `None` if the origin is inside, which cannot be for a simplex that
    /// is known to be separated from it.
    #[inline(always)]
    pub fn nearest_to_origin(&self, is_separated: bool) -> Option<NearestSimplexPoint> {
        let [a, b, c, _] = &self.points;
        match self.count {
            1 => Some(NearestSimplexPoint::at(*a, 1)),
            2 => Some(nearest_on_segment(a, b, [1, 2])),
            3 => Some(nearest_on_triangle(a, b, c, &(b - a).cross(&(c - a)), [1, 2, 4])),
            _ => self.nearest_on_tetrahedron(is_separated),
        }
    }

    /// Tests the faces that the origin is outside of, and all faces if rounding may hide which those are.
    #[inline(always)]
    fn nearest_on_tetrahedron(&self, is_separated: bool) -> Option<NearestSimplexPoint> {
        let [a, b, c, d] = &self.points;
        let (da, db, dc) = (a - d, b - d, c - d);
        let normals = [db.cross(&dc), dc.cross(&da), da.cross(&db)];
        // Six times the volumes of the tetrahedron, and of those with the origin in place of a vertex.
        let volume = normals[2].dot(&dc);
        let parts = normals.map(|normal| -normal.dot(d));
        let [aa, bb, cc, dd] = [da, db, dc, *d].map(|edge| edge.norm_squared());
        let rounding = [bb * cc * dd, cc * aa * dd, aa * bb * dd]
            .map(|most| FLAT_TETRAHEDRON * FLAT_TETRAHEDRON * most);
        let is_flat = volume * volume <= FLAT_TETRAHEDRON * FLAT_TETRAHEDRON * aa * bb * cc;
        let is_seen =
            |k: usize| is_flat || parts[k] * volume < 0.0 || parts[k] * parts[k] <= rounding[k];
        if !is_flat
            && let Some(near) =
                self.nearest_on_newest_faces(&[da, db, dc], &normals, &parts, volume)
        {
            return Some(near);
        }
        let mut best: Option<NearestSimplexPoint> = None;
        let mut look = |near: NearestSimplexPoint| {
            if best.is_none_or(|best| near.distance_squared < best.distance_squared) {
                best = Some(near);
            }
        };
        if is_seen(0) {
            look(nearest_on_triangle(d, b, c, &normals[0], [8, 2, 4]));
        }
        if is_seen(1) {
            look(nearest_on_triangle(d, c, a, &normals[1], [8, 4, 1]));
        }
        if is_seen(2) {
            look(nearest_on_triangle(d, a, b, &normals[2], [8, 1, 2]));
        }
        let beyond_base = (volume - parts[0] - parts[1] - parts[2]) * volume < 0.0;
        if is_flat || beyond_base {
            look(nearest_on_triangle(a, b, c, &(b - a).cross(&(c - a)), [1, 2, 4]));
        }
        if best.is_none() && is_separated { Some(self.nearest_on_any_face()) } else { best }
    }

    /// Returns the projection of the origin onto a face at the newest point, if it is outside of that face and over
    /// its inside. In most iterations there is one, and it is the nearest point of the tetrahedron.
    #[inline(always)]
    fn nearest_on_newest_faces(
        &self,
        edges: &[Vector<3>; 3],
        normals: &[Vector<3>; 3],
        parts: &[f64; 3],
        volume: f64,
    ) -> Option<NearestSimplexPoint> {
        let newest = &self.points[3];
        let (mut chosen, mut points) = (3, [Vector::zeros(); 3]);
        for k in 0..3 {
            let (normal, first, second) = (&normals[k], &edges[(k + 1) % 3], &edges[(k + 2) % 3]);
            let area = normal.norm_squared();
            points[k] = normal * (-parts[k] / area);
            let step = points[k] - newest;
            let one = step.cross(second).dot(normal);
            let other = first.cross(&step).dot(normal);
            let is_over = (one > 0.0) & (other > 0.0) & (area - one - other > 0.0);
            let is_wide =
                area > SLIVER_SINE * SLIVER_SINE * first.norm_squared() * second.norm_squared();
            if is_over & is_wide & (parts[k] * volume < 0.0) {
                chosen = k;
            }
        }
        (chosen < 3).then(|| NearestSimplexPoint::at(points[chosen], 0b1111 & !(1 << chosen)))
    }

    /// Returns the nearest of the nearest points of all faces.
    #[cold]
    fn nearest_on_any_face(&self) -> NearestSimplexPoint {
        let face = |[i, j, k]: [usize; 3]| {
            let [a, b, c] = [i, j, k].map(|corner| self.points[corner]);
            nearest_on_triangle(
                &a,
                &b,
                &c,
                &(b - a).cross(&(c - a)),
                [i, j, k].map(|corner| 1 << corner),
            )
        };
        [[0, 1, 3], [0, 2, 3], [1, 2, 3]].map(face).into_iter().fold(
            face([0, 1, 2]),
            |best, near| {
                if near.distance_squared < best.distance_squared { near } else { best }
            },
        )
    }
}

/// The largest height of a thin triangle over its longest edge, in fractions of that edge.
pub const THIN_TRIANGLE: f64 = 1e-2;
/// The height of a tetrahedron, in fractions of its edges, that rounding may have made.
const FLAT_TETRAHEDRON: f64 = 1e-12;
