//! Whether bodies press on each other by one corner, or by edges that cross: then how is known without looking at faces.
//!
//! Around the closest points the depth falls off in proportion to the way from there, in every direction at its own
//! rate, as long as no other feature of either body comes into what is pressed. All that lies deeper than some part of
//! the largest depth then has the same form, and means of depths are known parts of the largest.

use super::{Closest, Corners};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// A body at its closest feature, seen in its own frame.
struct Foot<'a> {
    body: &'a ConvexPolyhedron,
    /// Towards the other body.
    normal: Vector<3>,
    /// The closest point.
    point: Vector<3>,
    feature: Feature,
}

/// The closest feature of a body.
enum Feature {
    /// And how fast the body falls off from it at least, for a way of one across the normal.
    Corner {
        slope: f64,
    },
    /// Its direction, the faces on both sides, and how fast these fall off at least across it.
    Edge {
        along: Vector<3>,
        faces: [u32; 2],
        slope: f64,
    },
    Face(u32),
}

impl Closest {
    /// How far what is nearer than a depth above the closest distance reaches across the normal, if it is around one
    /// corner or one crossing of edges.
    pub(super) fn reach_of_corner(
        &self,
        bodies: [&ConvexPolyhedron; 2],
        poses: [&Pose; 2],
        depth: f64,
    ) -> Option<f64> {
        let one =
            Foot::of(bodies[0], poses[0], &self.corners_a(), &self.normal, &self.on_a, depth)?;
        let two =
            Foot::of(bodies[1], poses[1], &self.corners_b(), &-self.normal, &self.on_b, depth)?;
        let slope = match (&one.feature, &two.feature) {
            (Feature::Corner { slope }, Feature::Corner { slope: other }) => slope + other,
            (Feature::Corner { slope }, _) | (_, Feature::Corner { slope }) => *slope,
            (
                Feature::Edge { along, slope, .. },
                Feature::Edge { along: other, slope: other_slope, .. },
            ) => {
                let [along, other] = [poses[0].rotation * along, poses[1].rotation * other];
                slope.min(*other_slope) * self.normal.dot(&along.cross(&other)).abs()
            }
            _ => return None,
        };
        let reach = depth / slope;
        let clear = reach.is_finite() && one.has_room(reach) && two.has_room(reach);
        clear.then_some(reach)
    }
}

impl<'a> Foot<'a> {
    /// None if another corner is within the depth of the closest one.
    #[inline(always)]
    fn of(
        body: &'a ConvexPolyhedron,
        pose: &Pose,
        at: &Corners,
        direction: &Vector<3>,
        point: &Vector<3>,
        depth: f64,
    ) -> Option<Self> {
        let normal = pose.rotation.tr_mul(direction);
        let feature = match at.vertices[..at.count as usize] {
            [vertex] => {
                let slope = slope_of_corner(body, vertex, &normal, depth)?;
                Feature::Corner { slope }
            }
            [from, to] => {
                let mut both =
                    body.faces_at(from).iter().filter(|face| body.faces_at(to).contains(face));
                let faces = [*both.next()?, *both.next()?];
                let [start, end] = [from, to].map(|vertex| body.vertices()[vertex as usize]);
                let tilt = |face: u32| {
                    let cosine = body.normal(face).dot(&normal);
                    (1.0 - cosine * cosine).max(0.0).sqrt() / cosine.max(f64::MIN_POSITIVE)
                };
                let along = (end - start).try_normalize(0.0)?;
                Feature::Edge { along, faces, slope: tilt(faces[0]).min(tilt(faces[1])) }
            }
            [first, second, third] => {
                let has = |face: &&u32| {
                    [second, third].iter().all(|&vertex| body.faces_at(vertex).contains(face))
                };
                Feature::Face(*body.faces_at(first).iter().find(has)?)
            }
            _ => return None,
        };
        Some(Foot { body, normal, point: pose.unapply(point), feature })
    }

    /// Whether nothing but the faces at the feature is within a way of the closest point, across the normal. Corners
    /// have been looked at already.
    #[inline(always)]
    fn has_room(&self, way: f64) -> bool {
        match &self.feature {
            Feature::Corner { .. } => true,
            Feature::Face(face) => self.is_within(*face, way, None),
            Feature::Edge { along, faces, .. } => {
                faces.iter().all(|&face| self.is_within(face, way, Some(along)))
            }
        }
    }

    /// Whether the sides of a face, but one along an edge through the closest point, are farther away.
    #[inline(always)]
    fn is_within(&self, face: u32, way: f64, edge: Option<&Vector<3>>) -> bool {
        let corners = self.body.face(face).vertices;
        let place = |corner: u32| self.body.vertices()[corner as usize] - self.point;
        let mut from = place(corners[corners.len() - 1]);
        for &corner in corners {
            let to = place(corner);
            let side = to - from;
            let rise = side.dot(&self.normal);
            // Seen along the normal: twice the area of the triangle with the closest point, and the side.
            let area = self.normal.dot(&from.cross(&side));
            let seen = side.norm_squared() - rise * rise;
            let is_edge = edge.is_some_and(|edge| {
                let turned = side.cross(edge).norm_squared();
                turned < 1e-20 * side.norm_squared() && area * area < 1e-12 * seen * seen
            });
            if !is_edge && area * area < way * way * seen {
                return false;
            }
            from = to;
        }
        true
    }
}

/// How fast a body falls off from a corner at least; none if one of its neighbours is within the depth.
#[inline(always)]
fn slope_of_corner(
    body: &ConvexPolyhedron,
    vertex: u32,
    normal: &Vector<3>,
    depth: f64,
) -> Option<f64> {
    let top = body.vertices()[vertex as usize];
    let mut least = f64::INFINITY;
    for other in body.neighbours(vertex) {
        let way = top - body.vertices()[other as usize];
        let drop = way.dot(normal);
        if drop < depth {
            return None;
        }
        let across = way.norm_squared() - drop * drop;
        least = least.min(drop * drop / across.max(f64::MIN_POSITIVE));
    }
    Some(least.sqrt())
}
