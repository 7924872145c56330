//! The distance of two bodies.

use super::bodies::PlacedBody;
use super::body_shape::ShapeKind;
use super::surface_to_surface::closest_points_of_surfaces;
use crate::narrow::ClosestFeatures;
use carom_geometry::Vector;
use std::cmp::Ordering;

/// Distance and closest points of two bodies.
pub(super) struct BodyGap {
    pub(super) distance: f64,
    pub(super) points: [Vector<3>; 2],
}

impl BodyGap {
    fn exchanged(self) -> Self {
        let [one, other] = self.points;
        BodyGap { points: [other, one], ..self }
    }

    fn common(point: Vector<3>) -> Self {
        BodyGap { distance: 0.0, points: [point; 2] }
    }
}

/// Returns the distance of two bodies that are at most `reach` apart; of others possibly nothing. Two polyhedra take
/// and leave the history of the last query.
pub(super) fn gap(
    a: &PlacedBody,
    b: &PlacedBody,
    reach: f64,
    history: &mut ClosestFeatures,
) -> Option<BodyGap> {
    use ShapeKind::{Polyhedron, Sphere};
    match (&a.shape.0, &b.shape.0) {
        (Sphere(radius_a), Sphere(radius_b)) => {
            let between = b.pose.position - a.pose.position;
            let length = between.norm();
            let along = if length > 0.0 { between / length } else { Vector::x() };
            Some(BodyGap {
                distance: length - (radius_a + radius_b),
                points: [a.pose.position + along * *radius_a, b.pose.position - along * *radius_b],
            })
        }
        (Sphere(radius), _) => Some(gap_of_sphere(*radius, a, b)),
        (_, Sphere(radius)) => Some(gap_of_sphere(*radius, b, a).exchanged()),
        (Polyhedron(one), Polyhedron(other)) => {
            let closest = history.query(&one.polyhedron, &a.pose, &other.polyhedron, &b.pose);
            let (distance, points) = (closest.distance, [closest.on_a, closest.on_b]);
            Some(BodyGap { distance, points })
        }
        // In the frame of the same body whichever comes first, so that the answer has the same bits.
        _ if order(a, b).is_gt() => gap_of_surfaces(b, a, reach).map(BodyGap::exchanged),
        _ => gap_of_surfaces(a, b, reach),
    }
}

fn gap_of_sphere(radius: f64, sphere: &PlacedBody, other: &PlacedBody) -> BodyGap {
    let center = sphere.pose.position;
    let closest = other.closest_to(&center);
    BodyGap {
        distance: closest.distance - radius,
        points: [center - closest.normal * radius, closest.point],
    }
}

/// Returns the distance of two bodies one of which is a mesh: zero if they overlap.
fn gap_of_surfaces(a: &PlacedBody, b: &PlacedBody, reach: f64) -> Option<BodyGap> {
    let (surface_a, surface_b) = (a.shape.triangles()?, b.shape.triangles()?);
    let relative = a.pose.relative(&b.pose);
    let found = closest_points_of_surfaces(surface_a, surface_b, &relative, reach);
    if let Some(closest) = found.filter(|closest| closest.squared == 0.0) {
        return Some(BodyGap::common(a.pose.transform_point(&closest.points[0])));
    }
    // Surfaces apart bound bodies that overlap if a part of one is within the other.
    if let Some(point) = nested_vertex(a, b).or_else(|| nested_vertex(b, a)) {
        return Some(BodyGap::common(point));
    }
    let closest = found?;
    let points = closest.points.map(|point| a.pose.transform_point(&point));
    Some(BodyGap { distance: closest.squared.sqrt(), points })
}

/// Returns a vertex of a part of a surface that is within another body.
fn nested_vertex(body: &PlacedBody, other: &PlacedBody) -> Option<Vector<3>> {
    let vertices = match &body.shape.0 {
        ShapeKind::Sphere(_) => &[],
        ShapeKind::Polyhedron(body) => &body.polyhedron.vertices()[..1],
        ShapeKind::Mesh(body) => &body.part_vertices[..],
    };
    let points = vertices.iter().map(|vertex| body.pose.transform_point(vertex));
    points.into_iter().find(|point| other.bounds.contains(point) && other.contains(point))
}

/// Orders two bodies whichever the caller names first, except for copies in one pose.
fn order(a: &PlacedBody, b: &PlacedBody) -> Ordering {
    let size =
        |body: &PlacedBody| body.shape.triangles().map_or(0, |surface| surface.vertices().len());
    let numbers = |body: &PlacedBody| -> Vec<f64> {
        let vertices = body.shape.triangles().map_or(&[][..], |surface| surface.vertices());
        let pose = body.pose.position.iter().chain(body.pose.rotation.iter());
        pose.chain(vertices.iter().flat_map(|vertex| vertex.iter())).copied().collect()
    };
    let by_size = size(a).cmp(&size(b));
    by_size.then_with(|| numbers(a).partial_cmp(&numbers(b)).unwrap_or(Ordering::Equal))
}
