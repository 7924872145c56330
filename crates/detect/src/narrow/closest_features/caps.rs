//! The parts of a body's faces that come near enough to press, as seen along the normal.

use super::Corners;
use super::polygon::{CUT, Linear, Polygon, bounds};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
use nalgebra::Matrix3;

/// Faces steeper than this against the normal, in terms of its cosine, have too little of it to count.
pub(super) const STEEP: f64 = 0.02;
/// So many corners and faces of a body are looked at; more are near only on bodies far finer than what they press.
const NEAR: usize = 48;

/// Axes of a plane across a normal.
pub(super) struct View {
    pub middle: Vector<3>,
    pub right: Vector<3>,
    pub up: Vector<3>,
    pub normal: Vector<3>,
}

impl View {
    #[inline(always)]
    pub(super) fn along(normal: &Vector<3>, middle: Vector<3>) -> Self {
        let across = normal.iamin();
        let mut axis = Vector::zeros();
        axis[across] = 1.0;
        let right = normal.cross(&axis).normalize();
        View { middle, right, up: normal.cross(&right), normal: *normal }
    }

    /// Mean squares across the normal, axis by axis.
    pub(super) fn spread(&self, [xx, xy, yy]: [f64; 3]) -> Matrix3<f64> {
        self.right * (self.right * xx + self.up * xy).transpose()
            + self.up * (self.right * xy + self.up * yy).transpose()
    }

    #[inline(always)]
    pub(super) fn place(&self, point: [f64; 2], height: f64) -> Vector<3> {
        self.middle + self.right * point[0] + self.up * point[1] + self.normal * height
    }

    /// How high a plane is, by its normal and a point of it as seen from the middle.
    #[inline(always)]
    pub(super) fn plane(&self, normal: &Vector<3>, point: &Vector<3>) -> Linear {
        let rise = normal.dot(&self.normal);
        let slope = [-normal.dot(&self.right) / rise, -normal.dot(&self.up) / rise];
        Linear { slope, at_zero: normal.dot(point) / rise }
    }

    /// The parts of a body's faces that are less than `depth` below its highest point along the normal.
    #[inline(always)]
    pub(super) fn caps(
        &self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        at: &Corners,
        depth: f64,
        caps: &mut Vec<Cap>,
    ) {
        caps.clear();
        let direction = pose.rotation.tr_mul(&self.normal);
        let height = |vertex: u32| body.vertices()[vertex as usize].dot(&direction);
        let mut vertices = Few::new();
        at.vertices[..at.count as usize].iter().for_each(|&vertex| vertices.insert(vertex));
        let top = vertices.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
        let mut faces = Few::new();
        let mut next = 0;
        while let Some(vertex) = vertices.get(next) {
            body.faces_at(vertex).iter().for_each(|&face| faces.insert(face));
            for other in body.neighbours(vertex) {
                if top - height(other) < depth {
                    vertices.insert(other);
                }
            }
            next += 1;
        }
        for face in faces.iter().filter(|&face| body.normal(face).dot(&direction) > STEEP) {
            caps.extend(self.cap(body, pose, face, top, depth));
        }
    }

    /// The part of a face that is less than `depth` below the top of its body.
    #[inline(always)]
    fn cap(
        &self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        face: u32,
        top: f64,
        depth: f64,
    ) -> Option<Cap> {
        let face = body.face(face);
        let place = |vertex: u32| pose.apply(&body.vertices()[vertex as usize]) - self.middle;
        let (mut whole, mut polygon) = (Polygon::default(), Polygon::default());
        for &vertex in face.vertices {
            let from_middle = place(vertex);
            whole.push([from_middle.dot(&self.right), from_middle.dot(&self.up)]);
        }
        let height = self.plane(&(pose.rotation * face.normal), &place(face.vertices[0]));
        let top = top + (pose.position - self.middle).dot(&self.normal);
        polygon.cut_from(whole.corners(), CUT, |point| depth - (top - height.at(point)));
        let [low, high] = bounds(polygon.corners())?;
        Some(Cap { polygon, height, low, high })
    }
}

/// Different numbers, in the order in which they came.
struct Few {
    all: [u32; NEAR],
    count: usize,
}

impl Few {
    #[inline(always)]
    fn new() -> Self {
        Few { all: [0; NEAR], count: 0 }
    }

    #[inline(always)]
    fn insert(&mut self, number: u32) {
        if self.count < NEAR && !self.all[..self.count].contains(&number) {
            self.all[self.count] = number;
            self.count += 1;
        }
    }

    #[inline(always)]
    fn get(&self, place: usize) -> Option<u32> {
        self.all[..self.count].get(place).copied()
    }

    #[inline(always)]
    fn iter(&self) -> impl Iterator<Item = u32> {
        self.all[..self.count].iter().copied()
    }
}

/// The upper part of a face: its outline, how high it is, and the box around it.
pub(super) struct Cap {
    pub polygon: Polygon,
    pub height: Linear,
    pub low: [f64; 2],
    pub high: [f64; 2],
}

impl Cap {
    #[inline(always)]
    pub(super) fn may_meet(&self, other: &Cap) -> bool {
        (0..2).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }
}
