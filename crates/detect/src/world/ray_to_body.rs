//! A ray against one body.

use super::bodies::PlacedBody;
use super::body_shape::ShapeKind;
use carom_geometry::{Vector, shape::ConvexPolyhedron};

/// Where a ray meets the surface of a body.
pub(super) struct BodyHit {
    pub(super) distance: f64,
    pub(super) normal: Vector<3>,
    pub(super) face: Option<u32>,
}

impl PlacedBody {
    /// Returns where a ray along a unit vector first meets the surface, from either side.
    pub(super) fn first_hit(
        &self,
        origin: &Vector<3>,
        direction: &Vector<3>,
        reach: f64,
    ) -> Option<BodyHit> {
        let hit = match &self.shape.0 {
            ShapeKind::Sphere(radius) => {
                sphere_hit(&(self.pose.position - origin), direction, *radius)
            }
            shape => {
                let seen = self.pose.inverse_transform_point(origin);
                let along = self.pose.rotation.tr_mul(direction);
                let hit = match shape {
                    ShapeKind::Polyhedron(body) => polyhedron_hit(&body.polyhedron, &seen, &along),
                    ShapeKind::Mesh(body) => {
                        let hit = body.solid.bvh().cast_ray(&seen, &along, reach);
                        hit.map(|hit| BodyHit {
                            distance: hit.distance,
                            normal: hit.normal,
                            face: Some(hit.triangle as u32),
                        })
                    }
                    ShapeKind::Sphere(_) => None,
                };
                hit.map(|hit| BodyHit { normal: self.pose.rotation * hit.normal, ..hit })
            }
        };
        hit.filter(|hit| hit.distance <= reach)
    }
}

fn sphere_hit(to_center: &Vector<3>, direction: &Vector<3>, radius: f64) -> Option<BodyHit> {
    let middle = to_center.dot(direction);
    // The offset of the center from the ray: its square loses no digits, as the usual discriminant does far away.
    let across = to_center - direction * middle;
    let half_squared = (radius - across.norm()) * (radius + across.norm());
    if half_squared < 0.0 {
        return None;
    }
    let half = half_squared.sqrt();
    let distance = [middle - half, middle + half].into_iter().find(|distance| *distance >= 0.0)?;
    let normal = direction * (distance - middle) - across;
    let normal = normal.try_normalize(0.0).unwrap_or(-direction);
    Some(BodyHit { distance, normal, face: None })
}

/// Cuts the ray at the planes of all faces: where the last is entered and the first is left.
fn polyhedron_hit(
    body: &ConvexPolyhedron,
    origin: &Vector<3>,
    direction: &Vector<3>,
) -> Option<BodyHit> {
    let (mut enters, mut leaves) = ((f64::NEG_INFINITY, 0), (f64::INFINITY, 0));
    for (number, face) in (0..).zip(body.faces()) {
        let height = face.normal.dot(origin) - face.offset;
        let descent = -face.normal.dot(direction);
        if descent > 0.0 {
            let distance = height / descent;
            enters = if distance > enters.0 { (distance, number) } else { enters };
        } else if descent < 0.0 {
            let distance = height / descent;
            leaves = if distance < leaves.0 { (distance, number) } else { leaves };
        } else if height > 0.0 {
            return None;
        }
    }
    if enters.0 > leaves.0 || leaves.0 < 0.0 {
        return None;
    }
    let (distance, face) = if enters.0 >= 0.0 { enters } else { leaves };
    Some(BodyHit { distance, normal: *body.normal(face), face: Some(face) })
}
