//! Point contacts, of one vertex or of two crossing edges: their mean depth is known without integrating over faces.
//!
//! Around the closest points the penetration depth decreases linearly, in every direction at its own rate, as long
//! as no other feature of either body comes into the contact patch. Every level set of the depth then has the same
//! shape, and means of the depth are fixed fractions of the largest depth.

use super::{ClosestPoints, FeatureVertices};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// A body at its closest feature, in its own frame.
struct LocalFeature<'a> {
    body: &'a ConvexPolyhedron,
    /// The unit normal toward the other body.
    normal: Vector<3>,
    /// The closest point.
    point: Vector<3>,
    kind: LocalFeatureKind,
}

/// The closest feature of a body.
enum LocalFeatureKind {
    /// A vertex, with the least slope of the body around it: the drop per unit length run the normal.
    Vertex { slope: f64 },
    /// An edge: its direction, the faces on both sides, and the lesser of their slopes run it.
    Edge { along: Vector<3>, faces: [u32; 2], slope: f64 },
    /// A face, by its index.
    Face(u32),
}

impl ClosestPoints {
    /// Returns the radius, run the normal, of the region in which the distance exceeds the closest one by less
    /// than `depth`, if that region belongs to one vertex or one crossing of edges.
    pub(super) fn point_contact_radius(
        &self,
        bodies: [&ConvexPolyhedron; 2],
        poses: [&Pose; 2],
        depth: f64,
    ) -> Option<f64> {
        let one = LocalFeature::at_closest_point(
            bodies[0],
            poses[0],
            &self.feature_vertices_a(),
            &self.normal,
            &self.on_a,
            depth,
        )?;
        let two = LocalFeature::at_closest_point(
            bodies[1],
            poses[1],
            &self.feature_vertices_b(),
            &-self.normal,
            &self.on_b,
            depth,
        )?;
        let slope = match (&one.kind, &two.kind) {
            // Two cones tip to tip: the depth falls off by both slopes.
            (LocalFeatureKind::Vertex { slope }, LocalFeatureKind::Vertex { slope: other }) => {
                slope + other
            }
            (LocalFeatureKind::Vertex { slope }, _) | (_, LocalFeatureKind::Vertex { slope }) => {
                *slope
            }
            (
                LocalFeatureKind::Edge { along, slope, .. },
                LocalFeatureKind::Edge { along: other, slope: other_slope, .. },
            ) => {
                let [along, other] = [poses[0].rotation * along, poses[1].rotation * other];
                // Crossed edges: the patch is longest along one edge, bounded by the other's slope and the angle
                // between them.
                slope.min(*other_slope) * self.normal.dot(&along.cross(&other)).abs()
            }
            _ => return None,
        };
        let reach = depth / slope;
        let clear = reach.is_finite() && one.has_clearance(reach) && two.has_clearance(reach);
        clear.then_some(reach)
    }
}

impl<'a> LocalFeature<'a> {
    /// Describes the closest feature; `None` if another vertex is within the depth of the closest one.
    #[inline(always)]
    fn at_closest_point(
        body: &'a ConvexPolyhedron,
        pose: &Pose,
        at: &FeatureVertices,
        direction: &Vector<3>,
        point: &Vector<3>,
        depth: f64,
    ) -> Option<Self> {
        let normal = pose.rotation.tr_mul(direction);
        let feature = match at.vertices[..at.count as usize] {
            [vertex] => {
                let slope = vertex_slope(body, vertex, &normal, depth)?;
                LocalFeatureKind::Vertex { slope }
            }
            [from, to] => {
                let mut both =
                    body.faces_at(from).iter().filter(|face| body.faces_at(to).contains(face));
                let faces = [*both.next()?, *both.next()?];
                let [start, end] = [from, to].map(|vertex| body.vertices()[vertex as usize]);
                let tilt = |face: u32| {
                    let cosine = body.normal(face).dot(&normal);
                    // The tangent of the angle between the normals of face and contact.
                    (1.0 - cosine * cosine).max(0.0).sqrt() / cosine.max(f64::MIN_POSITIVE)
                };
                let along = (end - start).try_normalize(0.0)?;
                LocalFeatureKind::Edge { along, faces, slope: tilt(faces[0]).min(tilt(faces[1])) }
            }
            [first, second, third] => {
                let has = |face: &&u32| {
                    [second, third].iter().all(|&vertex| body.faces_at(vertex).contains(face))
                };
                LocalFeatureKind::Face(*body.faces_at(first).iter().find(has)?)
            }
            _ => return None,
        };
        Some(LocalFeature {
            body,
            normal,
            point: pose.inverse_transform_point(point),
            kind: feature,
        })
    }

    /// Returns whether only the faces at the feature are within a radius of the closest point, run the normal.
    /// Vertices have been tested already.
    #[inline(always)]
    fn has_clearance(&self, radius: f64) -> bool {
        match &self.kind {
            LocalFeatureKind::Vertex { .. } => true,
            LocalFeatureKind::Face(face) => self.face_has_clearance(*face, radius, None),
            LocalFeatureKind::Edge { along, faces, .. } => {
                faces.iter().all(|&face| self.face_has_clearance(face, radius, Some(along)))
            }
        }
    }

    /// Returns whether the edges of a face, except one along an edge through the closest point, are farther away.
    #[inline(always)]
    fn face_has_clearance(&self, face: u32, radius: f64, edge: Option<&Vector<3>>) -> bool {
        let corners = self.body.face(face).vertices;
        let place = |corner: u32| self.body.vertices()[corner as usize] - self.point;
        let mut from = place(corners[corners.len() - 1]);
        for &corner in corners {
            let to = place(corner);
            let side = to - from;
            let rise = side.dot(&self.normal);
            // Projected along the normal: twice the area of the triangle with the closest point, and the edge's
            // squared length.
            let area = self.normal.dot(&from.cross(&side));
            let seen = side.norm_squared() - rise * rise;
            // The face's own edge through the closest point is at distance zero, but for rounding, and does not
            // count.
            let is_edge = edge.is_some_and(|edge| {
                let turned = side.cross(edge).norm_squared();
                turned < 1e-20 * side.norm_squared() && area * area < 1e-12 * seen * seen
            });
            if !is_edge && area * area < radius * radius * seen {
                return false;
            }
            from = to;
        }
        true
    }
}

/// Returns the least slope of a body around a vertex; `None` if one of its neighbors is within the depth.
#[inline(always)]
fn vertex_slope(
    body: &ConvexPolyhedron,
    vertex: u32,
    normal: &Vector<3>,
    depth: f64,
) -> Option<f64> {
    let top = body.vertices()[vertex as usize];
    let mut least = f64::INFINITY;
    for other in body.neighbors(vertex) {
        let edge = top - body.vertices()[other as usize];
        let drop = edge.dot(normal);
        if drop < depth {
            return None;
        }
        let run = edge.norm_squared() - drop * drop;
        least = least.min(drop * drop / run.max(f64::MIN_POSITIVE));
    }
    Some(least.sqrt())
}
