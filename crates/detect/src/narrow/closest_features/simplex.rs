//! Few points of the difference of two bodies, and which point of their hull is nearest to the origin.

use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// A vertex of each body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VertexPair {
    pub a: u32,
    pub b: u32,
}

/// A body as far as its difference with another is concerned.
pub trait Body {
    fn vertex(&self, number: u32) -> Vector<3>;
    /// The vertex farthest in a direction, climbed to from another.
    fn support(&self, direction: &Vector<3>, start: u32) -> u32;
    /// A point inside.
    fn centre(&self) -> Vector<3>;
    fn vertex_count(&self) -> usize;
}

impl Body for ConvexPolyhedron {
    #[inline(always)]
    fn vertex(&self, number: u32) -> Vector<3> {
        self.vertices()[number as usize]
    }
    #[inline(always)]
    fn support(&self, direction: &Vector<3>, start: u32) -> u32 {
        ConvexPolyhedron::support(self, direction, start)
    }
    fn centre(&self) -> Vector<3> {
        self.mass().centre
    }
    fn vertex_count(&self) -> usize {
        self.vertices().len()
    }
}

/// A single point, at its own origin.
pub struct Point;

impl Body for Point {
    #[inline(always)]
    fn vertex(&self, _: u32) -> Vector<3> {
        Vector::zeros()
    }
    #[inline(always)]
    fn support(&self, _: &Vector<3>, _: u32) -> u32 {
        0
    }
    fn centre(&self) -> Vector<3> {
        Vector::zeros()
    }
    fn vertex_count(&self) -> usize {
        1
    }
}

/// Two bodies, the second seen from the first.
#[derive(Clone, Copy)]
pub struct Difference<'a, B> {
    pub a: &'a ConvexPolyhedron,
    pub b: &'a B,
    /// The pose of `b` seen from `a`.
    pub pose: Pose,
}

impl<B: Body> Difference<'_, B> {
    /// The point of the difference that belongs to a pair.
    #[inline(always)]
    pub fn point(&self, pair: VertexPair) -> Vector<3> {
        self.a.vertex(pair.a) - self.pose.apply(&self.b.vertex(pair.b))
    }

    /// The pair of the point that is farthest against a direction, climbed to from another.
    #[inline(always)]
    pub fn farthest_against(&self, direction: &Vector<3>, start: VertexPair) -> VertexPair {
        let in_b = self.pose.rotation.tr_mul(direction);
        VertexPair { a: self.a.support(&-direction, start.a), b: self.b.support(&in_b, start.b) }
    }

    /// The points of pairs where they are now; if there are none, the point farthest along the line of
    /// centres.
    #[inline(always)]
    pub fn start(&self, known: &[VertexPair]) -> Simplex {
        let fits = |pair: &VertexPair| {
            (pair.a as usize) < self.a.vertex_count() && (pair.b as usize) < self.b.vertex_count()
        };
        if known.is_empty() || !known.iter().all(fits) {
            let line = self.a.centre() - self.pose.apply(&self.b.centre());
            let pair = self.farthest_against(&line, VertexPair::default());
            return Simplex::of(pair, self.point(pair));
        }
        let mut simplex = Simplex::of(known[0], self.point(known[0]));
        for &pair in &known[1..] {
            simplex.push(pair, self.point(pair));
        }
        simplex
    }

    /// The points of both bodies that the weights of a simplex stand for, seen from the first.
    #[inline(always)]
    pub fn witnesses(&self, simplex: &Simplex) -> (Vector<3>, Vector<3>) {
        let (mut on_a, mut on_b) = (Vector::zeros(), Vector::zeros());
        for k in 0..simplex.count {
            let VertexPair { a, b } = simplex.pairs[k];
            on_a += self.a.vertex(a) * simplex.weights[k];
            on_b += self.b.vertex(b) * simplex.weights[k];
        }
        (on_a, self.pose.apply(&on_b))
    }
}

/// One to four points that do not lie in one point, line or plane, but for rounding.
#[derive(Clone, Copy, Debug)]
pub struct Simplex {
    pub count: usize,
    pub points: [Vector<3>; 4],
    pub pairs: [VertexPair; 4],
    /// The nearest point is the sum of the points, each times its weight.
    pub weights: [f64; 4],
}

impl Simplex {
    pub fn of(pair: VertexPair, point: Vector<3>) -> Self {
        let mut simplex = Simplex {
            count: 0,
            points: [Vector::zeros(); 4],
            pairs: [VertexPair::default(); 4],
            weights: [1.0, 0.0, 0.0, 0.0],
        };
        simplex.push(pair, point);
        simplex
    }

    #[inline(always)]
    pub fn push(&mut self, pair: VertexPair, point: Vector<3>) {
        self.points[self.count] = point;
        self.pairs[self.count] = pair;
        self.count += 1;
    }

    #[inline(always)]
    pub fn contains(&self, pair: VertexPair) -> bool {
        self.pairs[..self.count].contains(&pair)
    }

    /// Whether it is a triangle so thin that its normal has lost more than a few digits.
    #[inline(always)]
    pub fn is_thin(&self) -> bool {
        let [a, b, c, _] = self.points;
        let (ab, ac, bc) = (b - a, c - a, c - b);
        let longest = ab.norm_squared().max(ac.norm_squared()).max(bc.norm_squared());
        self.count == 3 && ab.cross(&ac).norm_squared() < THIN * THIN * longest * longest
    }

    /// Weights of a triangle anew, for a point of its plane: by areas, which keep more digits in a thin
    /// triangle than the products that tell where the point is. They may be below zero by as much as
    /// those were wrong: the points they give are as far apart as the bodies, and may be that much
    /// beside them.
    pub fn weigh(&mut self, point: &Vector<3>) {
        if self.count == 3 {
            self.weights = weights_at(&self.points, point);
            self.mend_along_longest_edge(point);
        }
    }

    /// In a triangle that is nearly a line weights are wrong mostly along the line.
    fn mend_along_longest_edge(&mut self, point: &Vector<3>) {
        let [a, b, c, _] = self.points;
        let edges = [(0, 1, b - a), (0, 2, c - a), (1, 2, c - b)];
        let longer = |one: (usize, usize, Vector<3>), other: (usize, usize, Vector<3>)| {
            if other.2.norm_squared() > one.2.norm_squared() { other } else { one }
        };
        let (from, to, along) = longer(longer(edges[0], edges[1]), edges[2]);
        let given = a * self.weights[0] + b * self.weights[1] + c * self.weights[2];
        let part = (point - given).dot(&along) / along.norm_squared();
        self.weights[from] -= part;
        self.weights[to] += part;
    }

    /// Makes weights that rounding has put below zero zero, and their sum one.
    pub fn clamp_weights(&mut self) {
        let weights = self.weights.map(|weight| weight.max(0.0));
        let sum: f64 = weights.iter().sum();
        self.weights = weights.map(|weight| weight / sum);
    }

    /// The point nearest to the origin; points that it does not need are dropped. None if the origin
    /// is inside, which a simplex that is known to be separated from it cannot be.
    #[inline(always)]
    pub fn nearest(&mut self, is_separated: bool) -> Option<Vector<3>> {
        let [a, b, c, _] = self.points;
        match self.count {
            1 => {
                self.weights[0] = 1.0;
                Some(a)
            }
            2 => Some(self.keep([0, 1, 1], on_segment(&a, &b).on([0, 1, 1]))),
            3 => Some(self.keep([0, 1, 2], on_triangle(&a, &b, &c))),
            _ => self.on_tetrahedron(is_separated),
        }
    }

    fn on_tetrahedron(&mut self, is_separated: bool) -> Option<Vector<3>> {
        const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]];
        let mut best: Option<(Near, [usize; 3])> = None;
        for [i, j, k, opposite] in FACES {
            let [a, b, c] = [i, j, k].map(|corner| self.points[corner]);
            let normal = (b - a).cross(&(c - a));
            let (origin, inner) = (-normal.dot(&a), normal.dot(&(self.points[opposite] - a)));
            if !(is_separated || origin * inner < 0.0 || inner == 0.0) {
                continue;
            }
            let near = on_triangle(&a, &b, &c);
            if best.is_none_or(|(best, _)| near.squared < best.squared) {
                best = Some((near, [i, j, k]));
            }
        }
        best.map(|(near, corners)| self.keep(corners, near))
    }

    /// Keeps the corners that have a weight.
    #[inline(always)]
    fn keep(&mut self, corners: [usize; 3], near: Near) -> Vector<3> {
        let old = *self;
        self.count = 0;
        for (k, &corner) in corners.iter().enumerate() {
            if near.needed >> k & 1 == 1 {
                self.weights[self.count] = near.weights[k];
                self.push(old.pairs[corner], old.points[corner]);
            }
        }
        near.point
    }
}

/// The nearest point of a triangle or of less.
#[derive(Clone, Copy, Debug)]
struct Near {
    point: Vector<3>,
    squared: f64,
    weights: [f64; 3],
    /// A bit for each corner that has a weight.
    needed: u8,
}

impl Near {
    #[inline(always)]
    fn at(point: Vector<3>, needed: u8, weights: [f64; 3]) -> Self {
        Near { point, squared: point.norm_squared(), weights, needed }
    }

    /// Of a segment, as a part of a triangle with these corners.
    #[inline(always)]
    fn on(self, corners: [usize; 3]) -> Self {
        let mut near = Near { weights: [0.0; 3], needed: 0, ..self };
        for k in 0..2 {
            if self.needed >> k & 1 == 1 {
                near.weights[corners[k]] = self.weights[k];
                near.needed |= 1 << corners[k];
            }
        }
        near
    }
}

#[inline(always)]
fn on_segment(a: &Vector<3>, b: &Vector<3>) -> Near {
    let along = b - a;
    let (from_a, length) = (-a.dot(&along), along.norm_squared());
    if from_a <= 0.0 {
        return Near::at(*a, 1, [1.0, 0.0, 0.0]);
    }
    if from_a >= length {
        return Near::at(*b, 2, [0.0, 1.0, 0.0]);
    }
    let part = from_a / length;
    Near::at(a + along * part, 3, [1.0 - part, part, 0.0])
}

/// By the regions of its corners, edges and inside (Ericson, Real-Time Collision Detection, 5.1.5). A
/// triangle that is nearly a line has a normal made of rounding; it counts as its edges.
#[inline(always)]
fn on_triangle(a: &Vector<3>, b: &Vector<3>, c: &Vector<3>) -> Near {
    let (ab, ac) = (b - a, c - a);
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return Near::at(*a, 1, [1.0, 0.0, 0.0]);
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return Near::at(*b, 2, [0.0, 1.0, 0.0]);
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return Near::at(*c, 4, [0.0, 0.0, 1.0]);
    }
    let normal = ab.cross(&ac);
    let area = normal.norm_squared();
    if area <= SLIVER * SLIVER * ab.norm_squared() * ac.norm_squared() {
        return nearest_edge(a, b, c);
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let part = d1 / (d1 - d3);
        return Near::at(a + ab * part, 3, [1.0 - part, part, 0.0]);
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let part = d2 / (d2 - d6);
        return Near::at(a + ac * part, 5, [1.0 - part, 0.0, part]);
    }
    let (to_c, from_c) = (d4 - d3, d5 - d6);
    if va <= 0.0 && to_c >= 0.0 && from_c >= 0.0 {
        let part = to_c / (to_c + from_c);
        return Near::at(b + (c - b) * part, 6, [0.0, 1.0 - part, part]);
    }
    let sum = va + vb + vc;
    Near::at(normal * (normal.dot(a) / area), 7, [va / sum, vb / sum, vc / sum])
}

/// The weights of the corners of a triangle at a point of its plane; below zero where it is outside.
pub fn weights_at(corners: &[Vector<3>; 4], point: &Vector<3>) -> [f64; 4] {
    let [a, b, c, _] = corners;
    let normal = (b - a).cross(&(c - a));
    let area = normal.norm_squared();
    if area == 0.0 {
        return [1.0, f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0];
    }
    let part = |one: &Vector<3>, other: &Vector<3>| {
        (one - point).cross(&(other - point)).dot(&normal) / area
    };
    [part(b, c), part(c, a), part(a, b), 0.0]
}

#[cold]
fn nearest_edge(a: &Vector<3>, b: &Vector<3>, c: &Vector<3>) -> Near {
    let edges = [
        on_segment(a, b).on([0, 1, 2]),
        on_segment(a, c).on([0, 2, 1]),
        on_segment(b, c).on([1, 2, 0]),
    ];
    let [first, second, third] = edges;
    let nearer = |one: Near, other: Near| if other.squared < one.squared { other } else { one };
    nearer(nearer(first, second), third)
}

/// The height of a thin triangle over its longest edge.
const THIN: f64 = 1e-2;
/// The sine of an angle that counts as none.
pub const SLIVER: f64 = 1e-13;
