//! A point against one body.

use super::bodies::PlacedBody;
use super::body_shape::ShapeKind;
use crate::inside::{Containment, InsideTest};
use crate::narrow::ClosestToPoint;
use carom_geometry::Vector;
use carom_geometry::mesh::polygon_normal;

/// The closest point of the surface of a body.
pub(super) struct ClosestOnBody {
    /// Negative inside.
    pub(super) distance: f64,
    pub(super) point: Vector<3>,
    /// The unit direction of the shortest way out, or from the surface to the point.
    pub(super) normal: Vector<3>,
}

impl PlacedBody {
    pub(super) fn closest_to(&self, point: &Vector<3>) -> ClosestOnBody {
        match &self.shape.0 {
            ShapeKind::Sphere(radius) => {
                let from_center = point - self.pose.position;
                let length = from_center.norm();
                // All directions from the center are the same.
                let normal = if length > 0.0 { from_center / length } else { Vector::x() };
                ClosestOnBody {
                    distance: length - radius,
                    point: self.pose.position + normal * *radius,
                    normal,
                }
            }
            ShapeKind::Polyhedron(body) => {
                let closest = ClosestToPoint::new().query(&body.polyhedron, &self.pose, point);
                let (distance, point, normal) = (closest.distance, closest.point, closest.normal);
                ClosestOnBody { distance, point, normal }
            }
            ShapeKind::Mesh(body) => {
                let seen = self.pose.inverse_transform_point(point);
                let nearest = body.solid.closest_point(&seen);
                let distance = body.solid.classify(&seen).signed_distance(nearest.distance);
                let normal =
                    if distance < 0.0 { nearest.position - seen } else { seen - nearest.position };
                let normal = normal.try_normalize(0.0).or_else(|| {
                    let [a, b, c] = body.surface.corners(nearest.triangle);
                    polygon_normal(&[*a, *b, *c], &[0, 1, 2]).try_normalize(0.0)
                });
                ClosestOnBody {
                    distance,
                    point: self.pose.transform_point(&nearest.position),
                    normal: self.pose.rotation * normal.unwrap_or_else(Vector::x),
                }
            }
        }
    }

    /// Whether a point is inside or on the surface.
    pub(super) fn contains(&self, point: &Vector<3>) -> bool {
        match &self.shape.0 {
            ShapeKind::Mesh(body) => {
                let seen = self.pose.inverse_transform_point(point);
                body.solid.classify(&seen) != Containment::Outside
            }
            ShapeKind::Polyhedron(body) => {
                let seen = self.pose.inverse_transform_point(point);
                body.polyhedron.faces().all(|face| face.normal.dot(&seen) <= face.offset)
            }
            ShapeKind::Sphere(_) => self.closest_to(point).distance <= 0.0,
        }
    }
}
