//! Distance, penetration depth and contact points of two convex polyhedra, by GJK and EPA with a warm start
//! from the closest features of the last query.
//!
//! | question | answer |
//! |---|---|
//! | distance or penetration depth | [`ClosestFeatures::query`] |
//! | closest vertex, edge or face | [`ClosestPoints::feature_a`], [`ClosestPoints::feature_b`] |
//! | contact points | [`ContactManifold::between`] |
//! | one resultant contact: center, mean depth, spread | [`ClosestPoints::contact_patch`] |
//! | the same on a surface of many tiles | [`contact_patch_on_tiles`] |
//! | a point, a sphere or a plane against a polyhedron | [`ClosestToPoint`], [`lowest_vertex_over_plane`] |
//!
//! Cost: a warm-started query of two bodies that have turned by half a degree since the last one takes 0.06 to
//! 0.13 microseconds for 4 to 920 faces, a query without history 0.25 to 0.8, a penetration depth 0.3 to 10
//! (`cargo xtask bench convex`; penetration depths timed by hand).
//!
//! For bodies of unit size distances are accurate to 1e-12 and points to 1e-11: where rounding could spoil
//! that, for thin bodies and narrow gaps, the last GJK iterations run in double-double arithmetic (31 digits).
//! The exception are faces that are parallel to within 1e-6, but not exactly: their closest points may be
//! farther off.

mod clip_polygon;
mod contact_manifold;
mod contact_patch;
mod epa;
mod epa_polytope;
mod face_caps;
mod face_overlay;
mod gjk;
mod mean_depth;
mod minkowski_difference;
mod nearest_on_simplex;
mod point_contact;
mod point_query;
mod precise_gjk;
mod simplex;
mod tiles;
mod warm_start;

pub use contact_manifold::{ContactManifold, ContactPoint};
pub use contact_patch::ContactPatch;
pub use point_query::{ClosestPointOnPolyhedron, ClosestToPoint, lowest_vertex_over_plane};
pub use tiles::{Tile, contact_patch_on_tiles};

use carom_geometry::simd::{SimdKernel, run_with_widest_simd};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use epa::{Penetration, epa};
use gjk::{GjkOutcome, gjk};
use minkowski_difference::MinkowskiDifference;
use precise_gjk::precise_gjk;
use simplex::{GjkSimplex, VertexPair};
use warm_start::{WarmStart, WarmStartSolution};

/// The closest-features query of one pair of bodies, warm-started from its last answer.
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
    /// The number of vertex pairs of the last answer; zero if there is none.
    count: u8,
    /// Whether the first body of the pairs was the second of the last query.
    exchanged: bool,
}

/// The closest points of two bodies, or the deepest ones if they penetrate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints {
    /// The distance between the bodies; if they penetrate, minus the penetration depth.
    pub distance: f64,
    /// The unit normal from the first body to the second: moving the second along it separates them.
    pub normal: Vector<3>,
    /// The closest point of the first body, in the world.
    pub on_a: Vector<3>,
    /// The closest point of the second body, in the world.
    pub on_b: Vector<3>,
    /// The number of iterations; one if the last answer was still right.
    pub iterations: u32,
    pairs: [VertexPair; 3],
    count: u8,
}

/// The one to three different vertices of a body that span its closest feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct FeatureVertices {
    vertices: [u32; 3],
    count: u8,
}

/// A feature of a polyhedron: vertex, edge or face.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PolyhedronFeature {
    /// A vertex by its index.
    Vertex(u32),
    /// An edge by the indices of its vertices, ascending.
    Edge([u32; 2]),
    /// A face by its index.
    Face(u32),
}

impl ClosestFeatures {
    /// Creates a query without history.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets the last answer; the next query starts cold.
    pub fn reset(&mut self) {
        self.count = 0;
    }

    /// Returns the history as words to save, for [`from_words`](Self::from_words). An answer may depend on the
    /// history to within rounding, so a run that continues from a saved state needs it to give the same bits.
    ///
    /// ```
    /// # use carom_detect::narrow::ClosestFeatures;
    /// # use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
    /// # let corner = |k: i32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    /// # let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    /// let (one, other) = (Pose::identity(), Pose::at([3.0, 0.25, 0.5].into()));
    /// let mut query = ClosestFeatures::new();
    /// let before = query.query(&cube, &one, &cube, &other);
    /// let mut restored = ClosestFeatures::from_words(query.to_words(), &cube, &cube);
    /// let after = restored.query(&cube, &one, &cube, &other);
    /// // The last answer is still right, which takes one iteration.
    /// assert_eq!((after.distance, after.iterations), (before.distance, 1));
    /// # Ok::<(), carom_geometry::mesh::HullError>(())
    /// ```
    pub fn to_words(&self) -> [u32; 8] {
        let [one, two, three] = self.pairs;
        let [count, exchanged] = [u32::from(self.count), u32::from(self.exchanged)];
        [one.a, one.b, two.a, two.b, three.a, three.b, count, exchanged]
    }

    /// Restores the history that [`to_words`](Self::to_words) returned for the same bodies; returns a query
    /// without history if the words cannot belong to them.
    pub fn from_words(words: [u32; 8], a: &ConvexPolyhedron, b: &ConvexPolyhedron) -> Self {
        let exchanged = words[7] == 1;
        let counts = [a, b].map(|body| body.vertices().len() as u32);
        let [first, second] = if exchanged { [counts[1], counts[0]] } else { counts };
        let pair = |k: usize| VertexPair { a: words[2 * k], b: words[2 * k + 1] };
        let pairs = [pair(0), pair(1), pair(2)];
        // From a damaged checkpoint: a warm start that does not fit is dropped, and costs a few iterations.
        if words[6] > 3 || !pairs.iter().all(|pair| pair.a < first && pair.b < second) {
            return ClosestFeatures::new();
        }
        ClosestFeatures { pairs, count: words[6] as u8, exchanged }
    }

    /// Returns the closest points of two bodies in their poses. Exchanging the bodies gives the same answer to
    /// the last bit, unless they are copies of each other in the same pose.
    pub fn query(
        &mut self,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
    ) -> ClosestPoints {
        // In one order, whichever way the pair is given, so that both ways have the same bits.
        let exchanged = is_ordered_before(b, pose_b, a, pose_a);
        if exchanged != self.exchanged {
            self.exchanged = exchanged;
            self.pairs = self.pairs.map(VertexPair::exchanged);
        }
        if exchanged {
            run_with_widest_simd(ClosestFeaturesQuery {
                state: self,
                bodies: [b, a],
                poses: [pose_b, pose_a],
            })
            .exchanged()
        } else {
            run_with_widest_simd(ClosestFeaturesQuery {
                state: self,
                bodies: [a, b],
                poses: [pose_a, pose_b],
            })
        }
    }

    #[inline(always)]
    fn ordered_query(
        &mut self,
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
    ) -> ClosestPoints {
        let size = a.bounding_radius() + b.bounding_radius();
        let known = &self.pairs[..self.count as usize];
        let mut simplex = GjkSimplex::default();
        let apart = WarmStart::new([a, b], [pose_a, pose_b]);
        if let Some((held, iterations)) = apart.search(known, CLOSE_DISTANCE * size, &mut simplex) {
            let WarmStartSolution { distance, normal, on_a, on_b } = held;
            if simplex.count > 0 {
                self.store_simplex(&simplex);
            }
            let Self { pairs, count, .. } = *self;
            return ClosestPoints { distance, normal, on_a, on_b, iterations, pairs, count };
        }
        let difference = MinkowskiDifference { a, b, pose: pose_a.relative(pose_b) };
        let (end, iterations) = gjk(&difference, known, size, &mut simplex);
        let DistanceSolution { weights, distance, normal } = match end {
            GjkOutcome::Separated(nearest) => {
                DistanceSolution::from_separation(&difference, &mut simplex, &nearest, size)
            }
            GjkOutcome::Intersecting => {
                DistanceSolution::from_overlap(&difference, &mut simplex, size)
            }
        };
        self.store_simplex(&simplex);
        let (on_a, on_b) = difference.witness_points(&simplex, &weights);
        ClosestPoints {
            distance,
            normal: pose_a.rotation * normal,
            on_a: pose_a.transform_point(&on_a),
            on_b: pose_b.transform_point(&on_b),
            iterations,
            pairs: self.pairs,
            count: self.count,
        }
    }
}

impl ClosestFeatures {
    #[inline(always)]
    fn store_simplex(&mut self, simplex: &GjkSimplex) {
        self.count = simplex.count as u8;
        self.pairs.copy_from_slice(&simplex.pairs[..3]);
    }
}

/// The arguments of one query, as a kernel for the widest SIMD instructions of the processor.
struct ClosestFeaturesQuery<'a> {
    state: &'a mut ClosestFeatures,
    bodies: [&'a ConvexPolyhedron; 2],
    poses: [&'a Pose; 2],
}

impl SimdKernel for ClosestFeaturesQuery<'_> {
    type Output = ClosestPoints;

    #[inline(always)]
    fn run(self) -> ClosestPoints {
        let ClosestFeaturesQuery { state: pair, bodies: [a, b], poses: [pose_a, pose_b] } = self;
        pair.ordered_query(a, pose_a, b, pose_b)
    }
}

/// The point of the simplex nearest to the origin, by its weights, in the frame of the first body.
struct DistanceSolution {
    weights: [f64; 3],
    distance: f64,
    normal: Vector<3>,
}

impl DistanceSolution {
    #[inline(always)]
    fn from_separation(
        difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
        simplex: &mut GjkSimplex,
        nearest: &Vector<3>,
        size: f64,
    ) -> Self {
        let distance = nearest.norm();
        let found = DistanceSolution {
            weights: simplex.barycentric_weights(nearest),
            distance,
            normal: -nearest / distance,
        };
        let is_thin = simplex.is_thin();
        let found = if is_thin { found.with_refined_normal(difference, simplex) } else { found };
        let is_doubtful = is_thin || distance < CLOSE_DISTANCE * size;
        if is_doubtful { found.verified_or_recomputed(difference, simplex, size) } else { found }
    }

    /// Checks a doubtful answer and computes it again if it is wrong.
    ///
    /// For thin bodies, and between bodies that nearly touch, GJK may have followed rounding errors. Then it
    /// runs again in double-double arithmetic. If that fails too, EPA gives the answer (its depth is signed:
    /// negative for separated bodies), provided that the origin projects into the face it has found.
    #[cold]
    fn verified_or_recomputed(
        self,
        difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
        simplex: &mut GjkSimplex,
        size: f64,
    ) -> Self {
        let fault = self.error_estimate(difference, simplex, size);
        if fault <= CERTAIN_ERROR * size {
            return self;
        }
        let mut other = *simplex;
        if let Some(precise) = precise_gjk(difference, &mut other, size)
            && precise.error_estimate(difference, &other, size) < fault.min(ACCEPTED_ERROR * size)
        {
            *simplex = other;
            return precise;
        }
        let deep = epa(difference, simplex, size);
        if deep.contains_projection() {
            DistanceSolution::from_penetration(difference, simplex, deep)
        } else {
            self
        }
    }

    /// Returns an estimate of the error: by how much the separation along the normal is less than the distance,
    /// the weighted point is off the normal, or lies outside of the bodies.
    fn error_estimate(
        &self,
        difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
        simplex: &GjkSimplex,
        size: f64,
    ) -> f64 {
        let end = difference.point(difference.support_against(&-self.normal));
        let gap = -self.normal.dot(&end);
        let points = (0..simplex.count).map(|k| simplex.points[k] * self.weights[k]);
        let astray = points.sum::<Vector<3>>() + self.normal * self.distance;
        let least = self.weights.iter().copied().fold(0.0, f64::min);
        (self.distance - gap).max(astray.norm()).max(-least * size)
    }

    #[cold]
    fn from_overlap(
        difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
        simplex: &mut GjkSimplex,
        size: f64,
    ) -> Self {
        let deep = epa(difference, simplex, size);
        DistanceSolution::from_penetration(difference, simplex, deep)
    }

    fn from_penetration(
        difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
        simplex: &mut GjkSimplex,
        deep: Penetration,
    ) -> Self {
        *simplex = deep.simplex;
        let found =
            DistanceSolution { weights: deep.weights, distance: -deep.depth, normal: deep.normal };
        let found = found.with_refined_normal(difference, simplex);
        DistanceSolution { weights: clamped_weights(found.weights), ..found }
    }

    /// Replaces the normal by that of the features themselves. The normal of a thin triangle of the Minkowski
    /// difference has lost digits, and so have its weights.
    #[cold]
    fn with_refined_normal(
        self,
        difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
        simplex: &GjkSimplex,
    ) -> Self {
        let (distance, normal) = refine_normal(difference, simplex, self.distance, &self.normal);
        let weights = if simplex.is_thin() {
            simplex.refined_weights(self.weights, &(normal * -distance))
        } else {
            self.weights
        };
        DistanceSolution { weights, distance, normal }
    }
}

/// Sets weights that rounding has made negative to zero, and scales them to a sum of one.
fn clamped_weights(weights: [f64; 3]) -> [f64; 3] {
    let weights = weights.map(|weight| weight.max(0.0));
    let sum: f64 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// Returns the distance along the normal of the features themselves, and that normal; the given ones if the
/// features do not define a normal.
fn refine_normal(
    difference: &MinkowskiDifference<'_, ConvexPolyhedron>,
    simplex: &GjkSimplex,
    distance: f64,
    normal: &Vector<3>,
) -> (f64, Vector<3>) {
    let (a, b) = (difference.a, difference.b);
    let corners_a = FeatureVertices::from_pairs(&simplex.pairs[..3], |pair| pair.a);
    let corners_b = FeatureVertices::from_pairs(&simplex.pairs[..3], |pair| pair.b);
    let rotation = &difference.pose.rotation;
    let edge = |body: &ConvexPolyhedron, corners: &FeatureVertices| {
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
    // The features stand for the simplex only if they agree with it: vertices of two features that rounding has
    // put into one simplex would give an unrelated normal.
    let is_same = (known - normal).norm() <= NORMAL_AGREEMENT
        && (sharper - distance).abs() <= NORMAL_AGREEMENT * a.bounding_radius();
    if is_same { (sharper, known) } else { (distance, *normal) }
}

/// Bodies nearer than this fraction of their size nearly touch.
const CLOSE_DISTANCE: f64 = 1e-5;
/// A distance with a smaller estimated error is taken as it is, in fractions of the bodies' size.
const CERTAIN_ERROR: f64 = 1e-14;
/// The largest accepted error of the double-double search: the positions of vertices are rounded all the same.
const ACCEPTED_ERROR: f64 = 1e-12;
/// Normals and distances that differ by no more than this belong to the same features.
const NORMAL_AGREEMENT: f64 = 1e-6;

/// Orders two bodies independently of how the caller ordered them, except for copies in one pose.
#[inline]
fn is_ordered_before(
    a: &ConvexPolyhedron,
    pose_a: &Pose,
    b: &ConvexPolyhedron,
    pose_b: &Pose,
) -> bool {
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

impl FeatureVertices {
    /// Collects the different vertices of one body from one to three pairs.
    fn from_pairs(pairs: &[VertexPair], vertex: impl Fn(&VertexPair) -> u32) -> Self {
        let mut corners = FeatureVertices::default();
        for pair in pairs {
            let vertex = vertex(pair);
            if !corners.vertices[..corners.count as usize].contains(&vertex) {
                corners.vertices[corners.count as usize] = vertex;
                corners.count += 1;
            }
        }
        corners
    }

    /// Returns the normal of the face that has all three vertices.
    fn face_normal(&self, body: &ConvexPolyhedron) -> Option<Vector<3>> {
        let faces = body.outgoing(self.vertices[0]).map(|edge| body.face(body.left_face(edge)));
        let has_all = |around: &[u32]| self.vertices.iter().all(|vertex| around.contains(vertex));
        faces.into_iter().find(|face| has_all(face.vertices)).map(|face| face.normal)
    }

    fn feature(&self, body: &ConvexPolyhedron) -> PolyhedronFeature {
        let [first, second, third] = self.vertices;
        match self.count {
            1 => PolyhedronFeature::Vertex(first),
            2 if body.neighbors(first).any(|other| other == second) => {
                PolyhedronFeature::Edge([first.min(second), first.max(second)])
            }
            2 => common_face(body, &[first, second]),
            _ => common_face(body, &[first, second, third]),
        }
    }
}

/// Returns the face that has all of some vertices. If rounding has put together vertices of different faces, it
/// is the face at the first vertex that has the most of them.
fn common_face(body: &ConvexPolyhedron, vertices: &[u32]) -> PolyhedronFeature {
    let faces = body.outgoing(vertices[0]).map(|edge| body.left_face(edge));
    let has = |face: u32| {
        let around = body.face(face).vertices;
        vertices.iter().filter(|vertex| around.contains(vertex)).count()
    };
    let best = faces.max_by_key(|&face| (has(face), std::cmp::Reverse(face)));
    best.map_or(PolyhedronFeature::Vertex(vertices[0]), PolyhedronFeature::Face)
}

impl ClosestPoints {
    /// Returns the closest vertex, edge or face of the first body, which must be the one that was queried.
    ///
    /// ```
    /// # use carom_detect::narrow::{ClosestFeatures, PolyhedronFeature};
    /// # use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
    /// # let corner = |k: i32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    /// # let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    /// // Two unit cubes, diagonally apart: corner (1, 1, 1) of one is nearest to (0, 0, 0) of the other.
    /// let (one, other) = (Pose::identity(), Pose::at([2.0, 2.0, 2.0].into()));
    /// let closest = ClosestFeatures::new().query(&cube, &one, &cube, &other);
    /// let PolyhedronFeature::Vertex(vertex) = closest.feature_a(&cube) else { panic!("not a corner") };
    /// assert_eq!(cube.vertices()[vertex as usize], Vector::from([1.0; 3]));
    /// assert!((closest.distance - 3f64.sqrt()).abs() < 1e-12);
    /// # Ok::<(), carom_geometry::mesh::HullError>(())
    /// ```
    pub fn feature_a(&self, a: &ConvexPolyhedron) -> PolyhedronFeature {
        self.feature_vertices_a().feature(a)
    }

    /// Returns the closest vertex, edge or face of the second body, which must be the one that was queried.
    pub fn feature_b(&self, b: &ConvexPolyhedron) -> PolyhedronFeature {
        self.feature_vertices_b().feature(b)
    }

    fn feature_vertices_a(&self) -> FeatureVertices {
        FeatureVertices::from_pairs(&self.pairs[..self.count as usize], |pair| pair.a)
    }

    fn feature_vertices_b(&self) -> FeatureVertices {
        FeatureVertices::from_pairs(&self.pairs[..self.count as usize], |pair| pair.b)
    }

    fn exchanged(self) -> Self {
        ClosestPoints {
            normal: -self.normal,
            on_a: self.on_b,
            on_b: self.on_a,
            pairs: self.pairs.map(VertexPair::exchanged),
            ..self
        }
    }
}
