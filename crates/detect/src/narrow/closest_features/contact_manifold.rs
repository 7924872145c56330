//! Contact manifolds: the contact points of two convex bodies.
//!
//! If the normal is that of a face of one body (the reference face), the facing face of the other (the incident
//! face) is clipped by its sides (Sutherland and Hodgman, 1974); the vertices of the rest are the contact points.
//! Two parallel edges touch along their common part and give its two ends. Crossing edges and vertices give one
//! point.
//!
//! Every thread keeps its buffers, so nothing is allocated once they have grown to the largest face.

use super::{ClosestPoints, FeatureVertices, is_ordered_before};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use std::cell::RefCell;

/// The contact points of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactManifold {
    /// The unit normal from the first body to the second.
    pub normal: Vector<3>,
    points: [ContactPoint; MAX_CONTACT_POINTS],
    count: usize,
}

/// A contact point of two bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPoint {
    /// The position midway between the two surfaces, in the world.
    pub position: Vector<3>,
    /// The distance between the surfaces along the normal; negative where they penetrate.
    pub distance: f64,
}

/// The largest number of contact points; enough to hold a body in place.
const MAX_CONTACT_POINTS: usize = 8;
/// A normal is that of a face if their cosine is less than one by no more than this.
const FACE_ALIGNMENT: f64 = 1e-9;
/// A normal is perpendicular to an edge if the sine of its inclination is no more than this.
const EDGE_ALIGNMENT: f64 = 4.5e-5;

thread_local! {
    static BUFFERS: RefCell<ManifoldBuffers> = RefCell::default();
}

/// The incident face, as far as it is clipped, in the frame of the reference body, and buffers for the next cut.
#[derive(Default)]
struct ManifoldBuffers {
    polygon: Vec<Vector<3>>,
    clipped: Vec<Vector<3>>,
    heights: Vec<f64>,
    candidates: Vec<ContactCandidate>,
}

/// A contact point that may be selected.
struct ContactCandidate {
    point: ContactPoint,
    /// The squared distance from the nearest selected point; before the first selection, minus the distance of the
    /// surfaces, so that the deepest candidate comes first.
    distance_squared: f64,
}

impl ContactManifold {
    /// Returns at most eight contact points at which two bodies are no farther from each other than `margin`, given
    /// their closest points. The deepest is among them. Exchanging the bodies gives the same points to the last bit,
    /// unless they are copies of each other in the same pose.
    ///
    /// ```
    /// # use carom_detect::narrow::{ClosestFeatures, ContactManifold};
    /// # use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
    /// # let corner = |k: i32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
    /// # let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
    /// // One unit cube over a half of another, 0.01 above it.
    /// let (low, high) = (Pose::identity(), Pose::at([0.5, 0.0, 1.01].into()));
    /// let closest = ClosestFeatures::new().query(&cube, &low, &cube, &high);
    /// let manifold = ContactManifold::between(&cube, &low, &cube, &high, &closest, 0.02);
    /// assert!((manifold.normal - Vector::z()).norm() < 1e-12);
    /// assert_eq!(manifold.points().len(), 4);
    /// for point in manifold.points() {
    ///     assert!((point.distance - 0.01).abs() < 1e-12 && point.position.x > 0.5 - 1e-12);
    /// }
    /// # Ok::<(), carom_geometry::mesh::HullError>(())
    /// ```
    pub fn between(
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
        closest: &ClosestPoints,
        margin: f64,
    ) -> Self {
        let mut manifold =
            ContactManifold { normal: closest.normal, points: Default::default(), count: 0 };
        if closest.distance > margin {
            return manifold;
        }
        // In an order that does not depend on the caller, so that (a, b) and (b, a) have the same points.
        if is_ordered_before(b, pose_b, a, pose_a) {
            manifold.collect_points([b, a], [pose_b, pose_a], &closest.exchanged(), margin);
        } else {
            manifold.collect_points([a, b], [pose_a, pose_b], closest, margin);
        }
        if manifold.count == 0 {
            let position = (closest.on_a + closest.on_b) * 0.5;
            manifold.points[0] = ContactPoint { position, distance: closest.distance };
            manifold.count = 1;
        }
        manifold
    }

    /// Returns the contact points.
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..self.count]
    }

    fn collect_points(
        &mut self,
        bodies: [&ConvexPolyhedron; 2],
        poses: [&Pose; 2],
        closest: &ClosestPoints,
        margin: f64,
    ) {
        let corners = [closest.feature_vertices_a(), closest.feature_vertices_b()];
        let normals = [closest.normal, -closest.normal];
        let facing =
            [0, 1].map(|k| SupportFace::find(bodies[k], poses[k], &corners[k], &normals[k]));
        // The face that is better aligned with the normal is the reference; the other one is clipped against it.
        let reference = usize::from(facing[1].cosine > facing[0].cosine);
        let other = 1 - reference;
        // A normal that is no face's belongs to a pair of edges, or to a vertex.
        if facing[reference].cosine >= 1.0 - FACE_ALIGNMENT {
            let relative = poses[reference].relative(poses[other]);
            BUFFERS.with_borrow_mut(|room| {
                room.clip_incident_face(
                    bodies[reference],
                    &facing[reference],
                    &relative,
                    &facing[other],
                );
                room.list_candidates(
                    poses[reference],
                    bodies[reference].face(facing[reference].face).normal,
                );
                room.select_points(self, margin);
            });
            return;
        }
        let edges =
            [0, 1].map(|k| SupportEdge::find(bodies[k], poses[k], &corners[k], &normals[k]));
        if let [Some(one), Some(two)] = edges {
            self.intersect_parallel_edges(&one, &two, &closest.normal, margin);
        }
    }

    /// Adds the ends of the common part of two parallel edges.
    fn intersect_parallel_edges(
        &mut self,
        one: &SupportEdge,
        two: &SupportEdge,
        normal: &Vector<3>,
        margin: f64,
    ) {
        let along = one.displacement.normalize();
        if along.cross(&two.displacement).norm_squared()
            > EDGE_ALIGNMENT * EDGE_ALIGNMENT * two.displacement.norm_squared()
        {
            return;
        }
        let place = |point: &Vector<3>| along.dot(&(point - one.start));
        let (from, to) = (place(&two.start), place(&(two.start + two.displacement)));
        let (begin, end) =
            (from.min(to).max(0.0), from.max(to).min(place(&(one.start + one.displacement))));
        if begin >= end {
            return;
        }
        for at in [begin, end] {
            let on_one = one.start + along * at;
            let on_two = two.start + two.displacement * ((at - from) / (to - from));
            let distance = normal.dot(&(on_two - on_one));
            if distance <= margin {
                let position = (on_one + on_two) * 0.5;
                self.points[self.count] = ContactPoint { position, distance };
                self.count += 1;
            }
        }
    }
}

/// The face of a body that is most nearly perpendicular to a direction.
struct SupportFace<'a> {
    cosine: f64,
    face: u32,
    vertex_indices: &'a [u32],
    vertices: &'a [Vector<3>],
}

impl<'a> SupportFace<'a> {
    /// Finds it among the faces at the closest feature.
    fn find(
        body: &'a ConvexPolyhedron,
        pose: &Pose,
        at: &FeatureVertices,
        direction: &Vector<3>,
    ) -> Self {
        let inner = pose.rotation.tr_mul(direction);
        let (mut face, mut cosine) = (0, f64::NEG_INFINITY);
        for &vertex in &at.vertices[..at.count as usize] {
            for other in body.outgoing(vertex).map(|edge| body.left_face(edge)) {
                let height = body.face(other).normal.dot(&inner);
                if height > cosine {
                    (face, cosine) = (other, height);
                }
            }
        }
        SupportFace {
            cosine,
            face,
            vertex_indices: body.face(face).vertices,
            vertices: body.vertices(),
        }
    }

    fn corner(&self, number: usize) -> Vector<3> {
        self.vertices[self.vertex_indices[number] as usize]
    }
}

/// An edge of a body, in the world.
struct SupportEdge {
    start: Vector<3>,
    displacement: Vector<3>,
}

impl SupportEdge {
    /// Returns the edge at the closest feature most nearly perpendicular to `up`, if one is perpendicular to it.
    fn find(
        body: &ConvexPolyhedron,
        pose: &Pose,
        at: &FeatureVertices,
        up: &Vector<3>,
    ) -> Option<Self> {
        let inner = pose.rotation.tr_mul(up);
        let mut best: Option<(f64, u32, u32)> = None;
        for &vertex in &at.vertices[..at.count as usize] {
            for other in body.neighbors(vertex) {
                let step = body.vertices()[other as usize] - body.vertices()[vertex as usize];
                let sine = step.dot(&inner).abs() / step.norm();
                if sine <= EDGE_ALIGNMENT && best.is_none_or(|(least, ..)| sine < least) {
                    best = Some((sine, vertex, other));
                }
            }
        }
        let (_, from, to) = best?;
        let [start, end] =
            [from, to].map(|vertex| pose.transform_point(&body.vertices()[vertex as usize]));
        Some(SupportEdge { start, displacement: end - start })
    }
}

impl ManifoldBuffers {
    /// Clips the incident face by the sides of the reference face, in the frame of the reference body.
    fn clip_incident_face(
        &mut self,
        body: &ConvexPolyhedron,
        over: &SupportFace<'_>,
        relative: &Pose,
        other: &SupportFace<'_>,
    ) {
        self.polygon.clear();
        let seen =
            (0..other.vertex_indices.len()).map(|k| relative.transform_point(&other.corner(k)));
        self.polygon.extend(seen);
        let normal = body.face(over.face).normal;
        let count = over.vertex_indices.len();
        let mut from = over.corner(count - 1);
        let base = over.corner(0);
        for k in 0..count {
            let to = over.corner(k);
            // Sutherland and Hodgman (1974): clipped by one side of the reference face after the other.
            let inwards = normal.cross(&(to - from));
            self.clip_by_plane(&inwards, inwards.dot(&from));
            from = to;
        }
        self.heights.clear();
        self.heights.extend(self.polygon.iter().map(|point| normal.dot(&(point - base))));
    }

    /// Keeps the part of the polygon with `inwards . x >= offset`.
    fn clip_by_plane(&mut self, inwards: &Vector<3>, offset: f64) {
        self.heights.clear();
        self.heights.extend(self.polygon.iter().map(|point| inwards.dot(point) - offset));
        if self.heights.iter().all(|&height| height >= 0.0) {
            return;
        }
        self.clipped.clear();
        let count = self.polygon.len();
        for k in 0..count {
            let next = if k + 1 == count { 0 } else { k + 1 };
            let (from, to) = (self.polygon[k], self.polygon[next]);
            let (at_from, at_to) = (self.heights[k], self.heights[next]);
            if at_from >= 0.0 {
                self.clipped.push(from);
            }
            if (at_from > 0.0 && at_to < 0.0) || (at_from < 0.0 && at_to > 0.0) {
                self.clipped.push(from + (to - from) * (at_from / (at_from - at_to)));
            }
        }
        std::mem::swap(&mut self.polygon, &mut self.clipped);
    }

    /// Lists the vertices of the clipped face as candidates, in the world.
    fn list_candidates(&mut self, pose: &Pose, normal: Vector<3>) {
        self.candidates.clear();
        for (point, &distance) in self.polygon.iter().zip(&self.heights) {
            let position = pose.transform_point(&(point - normal * (0.5 * distance)));
            let point = ContactPoint { position, distance };
            self.candidates.push(ContactCandidate { point, distance_squared: -distance });
        }
    }

    /// Selects the candidates within the margin. Of too many it takes the deepest, and then always the one farthest
    /// from those selected.
    fn select_points(&mut self, manifold: &mut ContactManifold, margin: f64) {
        self.candidates.retain(|candidate| candidate.point.distance <= margin);
        while manifold.count < MAX_CONTACT_POINTS && !self.candidates.is_empty() {
            // Farthest-point selection: the deepest point first, then those farthest from all taken, which span the
            // widest patch.
            let mut next = 0;
            for (k, candidate) in self.candidates.iter().enumerate() {
                if candidate.distance_squared > self.candidates[next].distance_squared {
                    next = k;
                }
            }
            let taken = self.candidates.remove(next).point;
            for candidate in &mut self.candidates {
                let apart = (candidate.point.position - taken.position).norm_squared();
                let is_first = manifold.count == 0;
                candidate.distance_squared =
                    if is_first { apart } else { apart.min(candidate.distance_squared) };
            }
            manifold.points[manifold.count] = taken;
            manifold.count += 1;
        }
    }
}
