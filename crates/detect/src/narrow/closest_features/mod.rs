//! Closest features of two convex polyhedra, tracked from question to question; how deep they
//! penetrate, and where they touch.
//!
//! | question | answer |
//! |---|---|
//! | how far apart, or how deep in each other | [`ClosestFeatures::query`] |
//! | at which vertex, edge or face | [`Closest::feature_a`], [`Closest::feature_b`] |
//! | where do forces act | [`Manifold::between`], as one force [`Closest::pressure`] |
//! | the same on a surface of many tiles | [`pressure_on_tiles`] |
//! | a point, a sphere, a plane against a polyhedron | [`ClosestToPoint`], [`lowest_over_plane`] |
//!
//! Cost of a query that follows another of the same two bodies, turned by half a degree: 0.06 to 0.13
//! microseconds for 4 to 920 faces; of one without history 0.25 to 0.8; of a depth 0.3 to 10
//! (`cargo xtask bench convex`; depths by hand).
//!
//! Distances of bodies of a size of one are right to 1e-12, points to 1e-11: where rounding could spoil that,
//! for thin bodies and narrow gaps, the last steps are gone in numbers of 31 digits. The exception are faces
//! that are parallel to within 1e-6, but not exactly: there points may be farther beside their places.

mod caps;
mod difference;
mod foot;
mod manifold;
mod mean_depth;
mod nearest;
mod overlay;
mod patch;
mod penetration;
mod point;
mod polygon;
mod polytope;
mod precise;
mod simplex;
mod tiles;
mod tracked;
mod walk;

pub use manifold::{ContactPoint, Manifold};
pub use patch::Pressure;
pub use point::{ClosestToPoint, OnSurface, lowest_over_plane};
pub use tiles::{Tile, pressure_on_tiles};

use carom_geometry::wide::{Job, run_widest};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use difference::Difference;
use penetration::{Penetration, deepest};
use precise::walk_precisely;
use simplex::{Simplex, VertexPair};
use tracked::{Apart, Held};
use walk::{End, walk};

/// The query of one pair of bodies, which remembers the last answer.
///
/// ```
/// use carom_detect::narrow::ClosestFeatures;
/// use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
/// let corners: Vec<Vector<3>> =
///     (0..8).map(|k| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from))).collect();
/// let cube = ConvexPolyhedron::hull(&corners)?;
/// let mut query = ClosestFeatures::new();
/// let apart = Pose::at([1.5, 0.0, 0.0].into());
/// assert_eq!(query.query(&cube, &Pose::identity(), &cube, &apart).distance, 0.5);
/// let deep = Pose::at([0.75, 0.0, 0.0].into());
/// assert_eq!(query.query(&cube, &Pose::identity(), &cube, &deep).distance, -0.25);
/// # Ok::<(), carom_geometry::mesh::HullError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ClosestFeatures {
    pairs: [VertexPair; 3],
    /// None: nothing is known.
    count: u8,
    /// The first body of the pairs was the second of the question.
    exchanged: bool,
}

/// The closest points of two bodies, or the deepest ones if they penetrate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Closest {
    /// Between the bodies; if they penetrate, less than zero by how far they must be moved apart.
    pub distance: f64,
    /// From the first body to the second, of length one: moving the second along it takes them apart.
    pub normal: Vector<3>,
    /// The point of the first body.
    pub on_a: Vector<3>,
    /// The point of the second body.
    pub on_b: Vector<3>,
    /// How many steps it took to find them; one if the last answer was still right.
    pub iterations: u32,
    pairs: [VertexPair; 3],
    count: u8,
}

/// One to three vertices of a body, each once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Corners {
    vertices: [u32; 3],
    count: u8,
}

/// What of a polyhedron is closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// A vertex by its number.
    Vertex(u32),
    /// An edge by its vertices, ascending.
    Edge([u32; 2]),
    /// A face by its number.
    Face(u32),
}

impl ClosestFeatures {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the last answer.
    pub fn forget(&mut self) {
        self.count = 0;
    }

    /// What it remembers, for [`from_words`](Self::from_words): an answer may depend on it to within
    /// rounding, so that who goes on from a saved state needs it.
    pub fn to_words(&self) -> [u32; 8] {
        let [one, two, three] = self.pairs;
        let [count, exchanged] = [u32::from(self.count), u32::from(self.exchanged)];
        [one.a, one.b, two.a, two.b, three.a, three.b, count, exchanged]
    }

    /// With the memory that [`to_words`](Self::to_words) told of the same bodies; nothing is remembered
    /// if it cannot be theirs.
    pub fn from_words(words: [u32; 8], a: &ConvexPolyhedron, b: &ConvexPolyhedron) -> Self {
        let exchanged = words[7] == 1;
        let counts = [a, b].map(|body| body.vertices().len() as u32);
        let [first, second] = if exchanged { [counts[1], counts[0]] } else { counts };
        let pair = |k: usize| VertexPair { a: words[2 * k], b: words[2 * k + 1] };
        let pairs = [pair(0), pair(1), pair(2)];
        if words[6] > 3 || !pairs.iter().all(|pair| pair.a < first && pair.b < second) {
            return ClosestFeatures::new();
        }
        ClosestFeatures { pairs, count: words[6] as u8, exchanged }
    }

    /// The closest points of two bodies in their poses. The answer does not depend on which is called
    /// the first, to the last bit, unless nothing tells them apart.
    pub fn query(
        &mut self,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
    ) -> Closest {
        let exchanged = comes_first(b, pose_b, a, pose_a);
        if exchanged != self.exchanged {
            self.exchanged = exchanged;
            self.pairs = self.pairs.map(VertexPair::exchanged);
        }
        if exchanged {
            run_widest(Question { pair: self, bodies: [b, a], poses: [pose_b, pose_a] }).exchanged()
        } else {
            run_widest(Question { pair: self, bodies: [a, b], poses: [pose_a, pose_b] })
        }
    }

    #[inline(always)]
    fn ordered_query(
        &mut self,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
    ) -> Closest {
        let size = a.radius() + b.radius();
        let known = &self.pairs[..self.count as usize];
        let mut simplex = Simplex::default();
        let apart = Apart::new([a, b], [pose_a, pose_b]);
        if let Some((held, iterations)) = apart.tracked(known, CLOSE * size, &mut simplex) {
            let Held { distance, normal, on_a, on_b } = held;
            if simplex.count > 0 {
                self.remember(&simplex);
            }
            let Self { pairs, count, .. } = *self;
            return Closest { distance, normal, on_a, on_b, iterations, pairs, count };
        }
        let difference = Difference { a, b, pose: pose_a.relative(pose_b) };
        let (end, iterations) = walk(&difference, known, size, &mut simplex);
        let Found { weights, distance, normal } = match end {
            End::Apart(nearest) => Found::apart(&difference, &mut simplex, &nearest, size),
            End::Together => Found::together(&difference, &mut simplex, size),
        };
        self.remember(&simplex);
        let (on_a, on_b) = difference.witnesses(&simplex, &weights);
        Closest {
            distance,
            normal: pose_a.rotation * normal,
            on_a: pose_a.apply(&on_a),
            on_b: pose_b.apply(&on_b),
            iterations,
            pairs: self.pairs,
            count: self.count,
        }
    }
}

impl ClosestFeatures {
    #[inline(always)]
    fn remember(&mut self, simplex: &Simplex) {
        self.count = simplex.count as u8;
        self.pairs.copy_from_slice(&simplex.pairs[..3]);
    }
}

/// What is asked of a pair, the first body first.
struct Question<'a> {
    pair: &'a mut ClosestFeatures,
    bodies: [&'a ConvexPolyhedron; 2],
    poses: [&'a Pose; 2],
}

impl Job for Question<'_> {
    type Output = Closest;

    #[inline(always)]
    fn run(self) -> Closest {
        let Question { pair, bodies: [a, b], poses: [pose_a, pose_b] } = self;
        pair.ordered_query(a, pose_a, b, pose_b)
    }
}

/// The closest points of a simplex, seen from the first body.
struct Found {
    weights: [f64; 3],
    distance: f64,
    normal: Vector<3>,
}

impl Found {
    #[inline(always)]
    fn apart(
        difference: &Difference<'_, ConvexPolyhedron>,
        simplex: &mut Simplex,
        nearest: &Vector<3>,
        size: f64,
    ) -> Self {
        let distance = nearest.norm();
        let found =
            Found { weights: simplex.weights(nearest), distance, normal: -nearest / distance };
        let is_thin = simplex.is_thin();
        let found = if is_thin { found.sharpened(difference, simplex) } else { found };
        let is_doubtful = is_thin || distance < CLOSE * size;
        if is_doubtful { found.verified(difference, simplex, size) } else { found }
    }

    /// With thin bodies, and between bodies that nearly touch, the walk may have met so much rounding that it
    /// has gone astray. Then it is gone again in more digits. If that is of no use either, the way they must
    /// be moved apart, which is less than zero, is that between them, if its foot is on the face it is found
    /// at.
    #[cold]
    fn verified(
        self,
        difference: &Difference<'_, ConvexPolyhedron>,
        simplex: &mut Simplex,
        size: f64,
    ) -> Self {
        let fault = self.fault(difference, simplex, size);
        if fault <= SURE * size {
            return self;
        }
        let mut other = *simplex;
        if let Some(precise) = walk_precisely(difference, &mut other, size)
            && precise.fault(difference, &other, size) < fault.min(RIGHT * size)
        {
            *simplex = other;
            return precise;
        }
        let deep = deepest(difference, simplex, size);
        if deep.is_over() { Found::deep(difference, simplex, deep) } else { self }
    }

    /// By how much the gap along the normal is less than the distance, or the points are beside it or outside
    /// of their bodies.
    fn fault(
        &self,
        difference: &Difference<'_, ConvexPolyhedron>,
        simplex: &Simplex,
        size: f64,
    ) -> f64 {
        let end = difference.point(difference.farthest_against(&-self.normal));
        let gap = -self.normal.dot(&end);
        let points = (0..simplex.count).map(|k| simplex.points[k] * self.weights[k]);
        let astray = points.sum::<Vector<3>>() + self.normal * self.distance;
        let least = self.weights.iter().copied().fold(0.0, f64::min);
        (self.distance - gap).max(astray.norm()).max(-least * size)
    }

    #[cold]
    fn together(
        difference: &Difference<'_, ConvexPolyhedron>,
        simplex: &mut Simplex,
        size: f64,
    ) -> Self {
        let deep = deepest(difference, simplex, size);
        Found::deep(difference, simplex, deep)
    }

    fn deep(
        difference: &Difference<'_, ConvexPolyhedron>,
        simplex: &mut Simplex,
        deep: Penetration,
    ) -> Self {
        *simplex = deep.simplex;
        let found = Found { weights: deep.weights, distance: -deep.depth, normal: deep.normal };
        let found = found.sharpened(difference, simplex);
        Found { weights: clamped(found.weights), ..found }
    }

    /// With the normal of the features themselves. That of a triangle of the difference has lost digits if
    /// the triangle is thin; so have its weights.
    #[cold]
    fn sharpened(self, difference: &Difference<'_, ConvexPolyhedron>, simplex: &Simplex) -> Self {
        let (distance, normal) = sharpened(difference, simplex, self.distance, &self.normal);
        let weights = if simplex.is_thin() {
            simplex.mended(self.weights, &(normal * -distance))
        } else {
            self.weights
        };
        Found { weights, distance, normal }
    }
}

/// Weights that rounding has put below zero made zero, and their sum one.
fn clamped(weights: [f64; 3]) -> [f64; 3] {
    let weights = weights.map(|weight| weight.max(0.0));
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// The distance along the normal of the features themselves, and that normal; what is given if there is none.
fn sharpened(
    difference: &Difference<'_, ConvexPolyhedron>,
    simplex: &Simplex,
    distance: f64,
    normal: &Vector<3>,
) -> (f64, Vector<3>) {
    let (a, b) = (difference.a, difference.b);
    let corners_a = Corners::of(&simplex.pairs[..3], |pair| pair.a);
    let corners_b = Corners::of(&simplex.pairs[..3], |pair| pair.b);
    let rotation = &difference.pose.rotation;
    let edge = |body: &ConvexPolyhedron, corners: &Corners| {
        body.vertices()[corners.vertices[1] as usize]
            - body.vertices()[corners.vertices[0] as usize]
    };
    let known = match (corners_a.count, corners_b.count) {
        (3, 1) => corners_a.face_normal(a),
        (1, 3) => corners_b.face_normal(b).map(|normal| -(rotation * normal)),
        (2, 2) => edge(a, &corners_a).cross(&(rotation * edge(b, &corners_b))).try_normalize(0.0),
        _ => None,
    };
    let Some(known) = known else { return (distance, *normal) };
    let known = if known.dot(normal) < 0.0 { -known } else { known };
    let sharper = -(0..3).map(|k| known.dot(&simplex.points[k])).fold(f64::NEG_INFINITY, f64::max);
    let is_same =
        (known - normal).norm() <= SAME && (sharper - distance).abs() <= SAME * a.radius();
    if is_same { (sharper, known) } else { (distance, *normal) }
}

/// Bodies that are nearer than this part of their size nearly touch.
const CLOSE: f64 = 1e-5;
/// How wrong a distance may be, in parts of the bodies' size.
const SURE: f64 = 1e-14;
/// How wrong one in more digits may be: where vertices are is rounded all the same.
const RIGHT: f64 = 1e-12;
/// Two normals that differ by no more are of the same features.
const SAME: f64 = 1e-6;

/// An order of bodies that does not depend on how they are called, but for copies in one place.
#[inline]
fn comes_first(a: &ConvexPolyhedron, pose_a: &Pose, b: &ConvexPolyhedron, pose_b: &Pose) -> bool {
    if a.vertices().len() != b.vertices().len() {
        return a.vertices().len() < b.vertices().len();
    }
    for axis in 0..3 {
        let (place_a, place_b) = (pose_a.position[axis], pose_b.position[axis]);
        if place_a != place_b {
            return place_a < place_b;
        }
    }
    if pose_a.rotation != pose_b.rotation {
        return pose_a.rotation.as_slice() < pose_b.rotation.as_slice();
    }
    coordinates(a).lt(coordinates(b))
}

fn coordinates(body: &ConvexPolyhedron) -> impl Iterator<Item = f64> {
    body.vertices().iter().flat_map(|vertex| [vertex.x, vertex.y, vertex.z])
}

impl Corners {
    /// Of one to three pairs.
    fn of(pairs: &[VertexPair], vertex: impl Fn(&VertexPair) -> u32) -> Self {
        let mut corners = Corners::default();
        for pair in pairs {
            let vertex = vertex(pair);
            if !corners.vertices[..corners.count as usize].contains(&vertex) {
                corners.vertices[corners.count as usize] = vertex;
                corners.count += 1;
            }
        }
        corners
    }

    /// The normal of the face that has all three.
    fn face_normal(&self, body: &ConvexPolyhedron) -> Option<Vector<3>> {
        let faces = body.leaving(self.vertices[0]).map(|edge| body.face(body.left(edge)));
        let has_all = |around: &[u32]| self.vertices.iter().all(|vertex| around.contains(vertex));
        faces.into_iter().find(|face| has_all(face.vertices)).map(|face| face.normal)
    }

    fn feature(&self, body: &ConvexPolyhedron) -> Feature {
        let [first, second, third] = self.vertices;
        match self.count {
            1 => Feature::Vertex(first),
            2 if body.neighbours(first).any(|other| other == second) => {
                Feature::Edge([first.min(second), first.max(second)])
            }
            2 => common_face(body, &[first, second]),
            _ => common_face(body, &[first, second, third]),
        }
    }
}

/// The face that has all of some vertices. If rounding has taken together what does not belong to one,
/// the face at the first that has the most of them.
fn common_face(body: &ConvexPolyhedron, vertices: &[u32]) -> Feature {
    let faces = body.leaving(vertices[0]).map(|edge| body.left(edge));
    let has = |face: u32| {
        let around = body.face(face).vertices;
        vertices.iter().filter(|vertex| around.contains(vertex)).count()
    };
    let best = faces.max_by_key(|&face| (has(face), std::cmp::Reverse(face)));
    best.map_or(Feature::Vertex(vertices[0]), Feature::Face)
}

impl Closest {
    /// The vertex, edge or face of the first body; it must be the one that was asked about.
    pub fn feature_a(&self, a: &ConvexPolyhedron) -> Feature {
        self.corners_a().feature(a)
    }

    /// The vertex, edge or face of the second body.
    pub fn feature_b(&self, b: &ConvexPolyhedron) -> Feature {
        self.corners_b().feature(b)
    }

    fn corners_a(&self) -> Corners {
        Corners::of(&self.pairs[..self.count as usize], |pair| pair.a)
    }

    fn corners_b(&self) -> Corners {
        Corners::of(&self.pairs[..self.count as usize], |pair| pair.b)
    }

    fn exchanged(self) -> Self {
        Closest {
            normal: -self.normal,
            on_a: self.on_b,
            on_b: self.on_a,
            pairs: self.pairs.map(VertexPair::exchanged),
            ..self
        }
    }
}
