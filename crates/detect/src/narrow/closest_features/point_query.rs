//! A point, a sphere or a plane against a convex polyhedron.

use super::gjk::{GjkOutcome, gjk};
use super::minkowski_difference::{MinkowskiDifference, PointShape};
use super::simplex::{GjkSimplex, VertexPair};
use super::{FeatureVertices, PolyhedronFeature};
use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};

/// The query of a point against a body, warm-started from its last answer. The distance of a sphere is that of its
/// center minus its radius.
///
/// ```
/// # use carom_detect::narrow::{ClosestToPoint, PolyhedronFeature};
/// # use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
/// # let corner = |k: i32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
/// # let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
/// // A sphere of radius 0.5 whose center is 2 above a unit cube.
/// let center = Vector::from([0.25, 0.5, 3.0]);
/// let closest = ClosestToPoint::new().query(&cube, &Pose::identity(), &center);
/// assert_eq!(closest.distance - 0.5, 1.5);
/// assert_eq!(closest.point, Vector::from([0.25, 0.5, 1.0]));
/// assert!(matches!(closest.feature, PolyhedronFeature::Face(_)));
/// # Ok::<(), carom_geometry::mesh::HullError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct ClosestToPoint {
    pairs: [VertexPair; 3],
    count: u8,
}

/// The point of a body's surface that is closest to a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPointOnPolyhedron {
    /// The signed distance; negative inside.
    pub distance: f64,
    /// Outward unit normal of the body at its nearest point.
    pub normal: Vector<3>,
    /// The closest point of the surface, in the world.
    pub point: Vector<3>,
    /// The vertex, edge or face it is on.
    pub feature: PolyhedronFeature,
}

impl ClosestToPoint {
    /// Creates a query without history.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the point of a body's surface that is closest to a point. Inside the body, it tests all faces.
    pub fn query(
        &mut self,
        body: &ConvexPolyhedron,
        pose: &Pose,
        point: &Vector<3>,
    ) -> ClosestPointOnPolyhedron {
        let seen = pose.inverse_transform_point(point);
        let difference = MinkowskiDifference { a: body, b: &PointShape, pose: Pose::at(seen) };
        let known = &self.pairs[..self.count as usize];
        let mut simplex = GjkSimplex::default();
        let (end, _) = gjk(&difference, known, body.bounding_radius(), &mut simplex);
        let GjkOutcome::Separated(nearest) = end else {
            // Of a point inside a convex body the nearest boundary point lies on a face: the one that is least
            // below.
            return nearest_face_from_inside(body, pose, &seen);
        };
        self.count = simplex.count as u8;
        self.pairs.copy_from_slice(&simplex.pairs[..3]);
        let distance = nearest.norm();
        let (on_body, _) =
            difference.witness_points(&simplex, &simplex.barycentric_weights(&nearest));
        ClosestPointOnPolyhedron {
            distance,
            normal: pose.rotation * (-nearest / distance),
            point: pose.transform_point(&on_body),
            feature: FeatureVertices::from_pairs(&simplex.pairs[..simplex.count], |pair| pair.a)
                .feature(body),
        }
    }
}

fn nearest_face_from_inside(
    body: &ConvexPolyhedron,
    pose: &Pose,
    point: &Vector<3>,
) -> ClosestPointOnPolyhedron {
    let height = |face: u32| {
        let face = body.face(face);
        face.normal.dot(point) - face.offset
    };
    let all = 0..body.face_count() as u32;
    let nearest = all.reduce(|best, face| if height(face) > height(best) { face } else { best });
    let nearest = nearest.unwrap_or(0);
    let (distance, normal) = (height(nearest), body.face(nearest).normal);
    ClosestPointOnPolyhedron {
        distance,
        normal: pose.rotation * normal,
        point: pose.transform_point(&(point - normal * distance)),
        feature: PolyhedronFeature::Face(nearest),
    }
}

/// Returns the height of the lowest vertex of a body over the plane `normal . x = offset`, and its index.
///
/// ```
/// use carom_detect::narrow::closest_features::lowest_vertex_over_plane;
/// # use carom_geometry::{Pose, Vector, shape::ConvexPolyhedron};
/// # let corner = |k: i32| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from));
/// # let cube = ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>())?;
/// // A unit cube 2 above the floor z = 0.
/// let pose = Pose::at([0.0, 0.0, 2.0].into());
/// assert_eq!(lowest_vertex_over_plane(&cube, &pose, &Vector::z(), 0.0).0, 2.0);
/// # Ok::<(), carom_geometry::mesh::HullError>(())
/// ```
pub fn lowest_vertex_over_plane(
    body: &ConvexPolyhedron,
    pose: &Pose,
    normal: &Vector<3>,
    offset: f64,
) -> (f64, u32) {
    let down = -pose.rotation.tr_mul(normal);
    let lowest = body.support(&down);
    (normal.dot(&pose.transform_point(&body.vertices()[lowest as usize])) - offset, lowest)
}
