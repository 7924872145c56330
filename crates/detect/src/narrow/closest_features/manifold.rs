//! Where forces act between two bodies: the points in which they touch.
//!
//! If the normal is that of a face of one body, the face of the other that looks at it is clipped by its
//! sides (Sutherland and Hodgman, 1974); what is left touches. If it is that of two edges that cross, or
//! of corners, they touch in one point.

use super::{Closest, Corners};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// The points in which two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Manifold {
    /// From the first body to the second, of length one.
    pub normal: Vector<3>,
    points: [ContactPoint; MOST_CONTACTS],
    count: usize,
}

/// A point in which two bodies touch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactPoint {
    /// Midway between the two surfaces.
    pub position: Vector<3>,
    /// Between the surfaces along the normal; less than zero where they penetrate.
    pub distance: f64,
}

/// So many points are enough to hold a body in place.
const MOST_CONTACTS: usize = 8;
/// A normal is that of a face if its cosine is not less than one by more than this.
const ALIGNED: f64 = 1e-9;

impl Manifold {
    /// The points of two bodies that are no farther from each other than `margin`, given their closest
    /// ones. At most eight; the deepest is among them.
    pub fn between(
        a: &ConvexPolyhedron,
        pose_a: &Pose,
        b: &ConvexPolyhedron,
        pose_b: &Pose,
        closest: &Closest,
        margin: f64,
    ) -> Self {
        let mut manifold =
            Manifold { normal: closest.normal, points: Default::default(), count: 0 };
        if closest.distance > margin {
            return manifold;
        }
        let one = Facing::find(a, pose_a, &closest.corners_a(), &closest.normal);
        let other = Facing::find(b, pose_b, &closest.corners_b(), &-closest.normal);
        let (reference, incident) =
            if one.cosine >= other.cosine { (one, other) } else { (other, one) };
        if reference.cosine >= 1.0 - ALIGNED {
            manifold.fill(&reference.overlap(&incident), margin);
        }
        if manifold.count == 0 {
            let position = (closest.on_a + closest.on_b) * 0.5;
            manifold.points[0] = ContactPoint { position, distance: closest.distance };
            manifold.count = 1;
        }
        manifold
    }

    /// The points.
    pub fn points(&self) -> &[ContactPoint] {
        &self.points[..self.count]
    }

    /// Takes the points within the margin. Of too many the deepest, and then always the one farthest
    /// from those taken.
    fn fill(&mut self, found: &[ContactPoint], margin: f64) {
        let mut left: Vec<ContactPoint> =
            found.iter().copied().filter(|point| point.distance <= margin).collect();
        while self.count < MOST_CONTACTS && !left.is_empty() {
            let taken = &self.points[..self.count];
            let worth = |point: &ContactPoint| {
                let apart = |other: &ContactPoint| (other.position - point.position).norm_squared();
                taken.iter().map(apart).reduce(f64::min).unwrap_or(-point.distance)
            };
            let better = |one: usize, other: usize| {
                if worth(&left[other]) > worth(&left[one]) { other } else { one }
            };
            let next = (1..left.len()).fold(0, better);
            self.points[self.count] = left.remove(next);
            self.count += 1;
        }
    }
}

/// The face of a body that looks in a direction.
struct Facing {
    cosine: f64,
    normal: Vector<3>,
    corners: Vec<Vector<3>>,
}

impl Facing {
    /// Among the faces at the closest feature.
    fn find(body: &ConvexPolyhedron, pose: &Pose, at: &Corners, direction: &Vector<3>) -> Self {
        let inner = pose.rotation.tr_mul(direction);
        let faces = at.vertices[..at.count as usize]
            .iter()
            .flat_map(|&vertex| body.leaving(vertex).map(|edge| body.left(edge)));
        let cosine = |face: u32| body.face(face).normal.dot(&inner);
        let best = faces.reduce(|best, face| if cosine(face) > cosine(best) { face } else { best });
        let face = body.face(best.unwrap_or(0));
        Facing {
            cosine: face.normal.dot(&inner),
            normal: pose.rotation * face.normal,
            corners: face
                .vertices
                .iter()
                .map(|&k| pose.apply(&body.vertices()[k as usize]))
                .collect(),
        }
    }

    /// The part of another face that lies over this one, and how far.
    fn overlap(&self, other: &Facing) -> Vec<ContactPoint> {
        let mut polygon = other.corners.clone();
        for (k, from) in self.corners.iter().enumerate() {
            let to = self.corners[(k + 1) % self.corners.len()];
            let inwards = self.normal.cross(&(to - from));
            polygon = clipped(&polygon, &inwards, inwards.dot(from));
        }
        let height = |point: &Vector<3>| self.normal.dot(&(point - self.corners[0]));
        polygon
            .iter()
            .map(|point| {
                let distance = height(point);
                ContactPoint { position: point - self.normal * (0.5 * distance), distance }
            })
            .collect()
    }
}

/// What of a polygon has `inwards . x >= offset`.
fn clipped(polygon: &[Vector<3>], inwards: &Vector<3>, offset: f64) -> Vec<Vector<3>> {
    let mut inside = Vec::with_capacity(polygon.len() + 1);
    for (k, from) in polygon.iter().enumerate() {
        let to = polygon[(k + 1) % polygon.len()];
        let (at_from, at_to) = (inwards.dot(from) - offset, inwards.dot(&to) - offset);
        if at_from >= 0.0 {
            inside.push(*from);
        }
        if (at_from > 0.0 && at_to < 0.0) || (at_from < 0.0 && at_to > 0.0) {
            inside.push(from + (to - from) * (at_from / (at_from - at_to)));
        }
    }
    inside
}
