//! A point, a sphere or a plane against a convex polyhedron.

use super::difference::{Difference, Point};
use super::simplex::{Simplex, VertexPair};
use super::walk::{End, walk};
use super::{Corners, Feature};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// The query of a point and a body, which remembers the last answer. A sphere is as far from the body as
/// its centre is, less its radius.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClosestToPoint {
    pairs: [VertexPair; 3],
    count: u8,
}

/// The point of a body's surface that is closest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnSurface {
    /// Less than zero inside.
    pub distance: f64,
    /// Out of the body, of length one.
    pub normal: Vector<3>,
    /// The point of the surface.
    pub point: Vector<3>,
    /// The vertex, edge or face it is on.
    pub feature: Feature,
}

impl ClosestToPoint {
    /// Nothing is known.
    pub fn new() -> Self {
        Self::default()
    }

    /// The point of the surface of a body that is closest to a point. Inside, all faces are looked at.
    pub fn query(&mut self, body: &ConvexPolyhedron, pose: &Pose, point: &Vector<3>) -> OnSurface {
        let seen = pose.unapply(point);
        let difference = Difference { a: body, b: &Point, pose: Pose::at(seen) };
        let known = &self.pairs[..self.count as usize];
        let mut simplex = Simplex::default();
        let (end, _) = walk(&difference, known, body.radius(), &mut simplex);
        let End::Apart(nearest) = end else { return from_inside(body, pose, &seen) };
        self.count = simplex.count as u8;
        self.pairs.copy_from_slice(&simplex.pairs[..3]);
        let distance = nearest.norm();
        let (on_body, _) = difference.witnesses(&simplex, &simplex.weights(&nearest));
        OnSurface {
            distance,
            normal: pose.rotation * (-nearest / distance),
            point: pose.apply(&on_body),
            feature: Corners::of(&simplex.pairs[..simplex.count], |pair| pair.a).feature(body),
        }
    }
}

fn from_inside(body: &ConvexPolyhedron, pose: &Pose, point: &Vector<3>) -> OnSurface {
    let height = |face: u32| {
        let face = body.face(face);
        face.normal.dot(point) - face.offset
    };
    let all = 0..body.face_count() as u32;
    let nearest = all.reduce(|best, face| if height(face) > height(best) { face } else { best });
    let nearest = nearest.unwrap_or(0);
    let (distance, normal) = (height(nearest), body.face(nearest).normal);
    OnSurface {
        distance,
        normal: pose.rotation * normal,
        point: pose.apply(&(point - normal * distance)),
        feature: Feature::Face(nearest),
    }
}

/// How high the lowest vertex of a body is over the plane `normal . x = offset`, and which it is.
pub fn lowest_over_plane(
    body: &ConvexPolyhedron,
    pose: &Pose,
    normal: &Vector<3>,
    offset: f64,
) -> (f64, u32) {
    let down = -pose.rotation.tr_mul(normal);
    let lowest = body.support(&down);
    (normal.dot(&pose.apply(&body.vertices()[lowest as usize])) - offset, lowest)
}
