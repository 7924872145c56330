//! The parts of a body's faces that are near enough to press, projected along the normal.

use super::FeatureVertices;
use super::clip_polygon::{AffineFunction, CUT_EDGE, ClipPolygon, bounds};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use nalgebra::Matrix3;

/// Faces whose cosine with the normal is smaller are too steep to count.
pub(super) const MIN_FACE_COSINE: f64 = 0.02;
/// The largest number of vertices and faces of a body that are considered; more are near only on bodies far finer
/// than what they press on.
const MAX_NEARBY: usize = 48;

/// An orthonormal frame of the tangent plane across a normal.
pub(super) struct TangentPlaneFrame {
    pub origin: Vector<3>,
    pub tangent: Vector<3>,
    pub bitangent: Vector<3>,
    pub normal: Vector<3>,
}

impl TangentPlaneFrame {
    #[inline(always)]
    pub(super) fn from_normal(normal: &Vector<3>, origin: Vector<3>) -> Self {
        // The axis farthest from the normal, so that the cross product does not vanish.
        let across = normal.iamin();
        let mut axis = Vector::zeros();
        axis[across] = 1.0;
        let tangent = normal.cross(&axis).normalize();
        TangentPlaneFrame { origin, tangent, bitangent: normal.cross(&tangent), normal: *normal }
    }

    /// Returns mean squares across the normal as a matrix along the axes of the world.
    pub(super) fn second_moment(&self, [xx, xy, yy]: [f64; 3]) -> Matrix3<f64> {
        self.tangent * (self.tangent * xx + self.bitangent * xy).transpose()
            + self.bitangent * (self.tangent * xy + self.bitangent * yy).transpose()
    }

    #[inline(always)]
    pub(super) fn to_world(&self, point: [f64; 2], height: f64) -> Vector<3> {
        self.origin + self.tangent * point[0] + self.bitangent * point[1] + self.normal * height
    }

    /// Returns the height of a plane over the tangent plane, given its normal and one of its points relative to the
    /// origin.
    #[inline(always)]
    pub(super) fn plane_height(&self, normal: &Vector<3>, point: &Vector<3>) -> AffineFunction {
        let rise = normal.dot(&self.normal);
        let slope = [-normal.dot(&self.tangent) / rise, -normal.dot(&self.bitangent) / rise];
        AffineFunction { gradient: slope, constant: normal.dot(point) / rise }
    }

    /// Collects the parts of a body's faces that are less than `depth` below its highest point along the normal.
    #[inline(always)]
    pub(super) fn collect_face_caps(
        &self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        at: &FeatureVertices,
        depth: f64,
        caps: &mut Vec<FaceCap>,
    ) {
        caps.clear();
        let direction = pose.rotation.tr_mul(&self.normal);
        let height = |vertex: u32| body.vertices()[vertex as usize].dot(&direction);
        let mut vertices = BoundedIndexSet::new();
        at.vertices[..at.count as usize].iter().for_each(|&vertex| vertices.insert(vertex));
        let top = vertices.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        // A flood fill from the closest feature; the cap of a convex body is connected, so only `MAX_NEARBY` limits it.
        let mut faces = BoundedIndexSet::new();
        let mut next = 0;
        while let Some(vertex) = vertices.get(next) {
            body.faces_at(vertex).iter().for_each(|&face| faces.insert(face));
            for other in body.neighbors(vertex) {
                if top - height(other) < depth {
                    vertices.insert(other);
                }
            }
            next += 1;
        }
        for face in faces.iter().filter(|&face| body.normal(face).dot(&direction) > MIN_FACE_COSINE)
        {
            caps.extend(self.face_cap(body, pose, face, top, depth));
        }
    }

    /// Returns the part of a face that is less than `depth` below the top of its body.
    #[inline(always)]
    fn face_cap(
        &self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        face: u32,
        top: f64,
        depth: f64,
    ) -> Option<FaceCap> {
        let face = body.face(face);
        let place =
            |vertex: u32| pose.transform_point(&body.vertices()[vertex as usize]) - self.origin;
        let (mut whole, mut polygon) = (ClipPolygon::default(), ClipPolygon::default());
        for &vertex in face.vertices {
            let from_middle = place(vertex);
            whole.push([from_middle.dot(&self.tangent), from_middle.dot(&self.bitangent)]);
        }
        let height = self.plane_height(&(pose.rotation * face.normal), &place(face.vertices[0]));
        let top = top + (pose.position - self.origin).dot(&self.normal);
        polygon
            .clip_from(whole.corners(), CUT_EDGE, |point| depth - (top - height.evaluate(point)));
        let [low, high] = bounds(polygon.corners())?;
        Some(FaceCap { polygon, height, low, high })
    }
}

/// A set of different indices, in the order of insertion.
struct BoundedIndexSet {
    indices: [u32; MAX_NEARBY],
    count: usize,
}

impl BoundedIndexSet {
    #[inline(always)]
    fn new() -> Self {
        BoundedIndexSet { indices: [0; MAX_NEARBY], count: 0 }
    }

    #[inline(always)]
    fn insert(&mut self, number: u32) {
        if self.count < MAX_NEARBY && !self.indices[..self.count].contains(&number) {
            self.indices[self.count] = number;
            self.count += 1;
        }
    }

    #[inline(always)]
    fn get(&self, place: usize) -> Option<u32> {
        self.indices[..self.count].get(place).copied()
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = u32> {
        self.indices[..self.count].iter().copied()
    }
}

/// The upper part of a face: its outline, its height, and its bounding rectangle.
pub(super) struct FaceCap {
    pub polygon: ClipPolygon,
    pub height: AffineFunction,
    pub low: [f64; 2],
    pub high: [f64; 2],
}

impl FaceCap {
    #[inline(always)]
    pub(super) fn bounds_overlap(&self, other: &FaceCap) -> bool {
        (0..2).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}
