//! Proofs that an answer about two bodies is right, without solving the problem again.
//!
//! Points of two bodies are never nearer than the bodies; two planes with nothing between them are never farther apart.
//! If both agree, that is the distance. Of a penetration depth only half is proved like this: that the bodies are apart
//! once they are moved that far. That less is not enough is checked by the normals of all faces and a reference.
//!
//! Points that are 1e-12 apart have a normal of four digits: a rounding error to the side rotates it. Planes that are
//! rotated by no more than that, so that edges lie in them, are tried too.

use crate::polyhedra::PosedPolyhedron;
use carom::detect::narrow::ClosestPoints;
use carom::geometry::Vector;

/// Largest error of an answer about bodies of a size of about one.
pub const EXACT: f64 = 1e-12;

/// Returns what is not proved. The points of the answer may be this far `beside` their places.
pub fn prove(
    a: &PosedPolyhedron<'_>,
    b: &PosedPolyhedron<'_>,
    found: &ClosestPoints,
    beside: f64,
) -> Result<(), String> {
    let ClosestPoints { distance, normal, on_a, on_b, .. } = *found;
    let within = |most: f64, value: f64, what: &str| {
        if value <= most { Ok(()) } else { Err(format!("{what} by {value:e}: {found:?}")) }
    };
    within(EXACT, (normal.norm() - 1.0).abs(), "the normal is longer or shorter than one")?;
    within(beside, (on_b - on_a - normal * distance).norm(), "the points are elsewhere")?;
    within(beside, above(a, &on_a), "the first point is outside")?;
    within(beside, above(b, &on_b), "the second point is outside")?;
    let between = gap(a, b, &normal);
    if distance <= 0.0 {
        within(EXACT, (between - distance).abs(), "the overlap along the normal differs")?;
        let least = face_normals(a, b).map(|other| gap(a, b, &other)).fold(between, f64::max);
        return within(EXACT, least - between, "along the normal of a face the way is shorter");
    }
    if distance - between <= EXACT {
        return Ok(());
    }
    let turned = turned_normals(a, b, &normal, LEAST_TURN + ROUNDING / distance);
    let widest = turned.iter().map(|other| gap(a, b, other)).fold(between, f64::max);
    within(EXACT, distance - widest, "the gap along the normal is less")
}

/// Largest angle by which a normal may be off.
const LEAST_TURN: f64 = 1e-8;
/// Largest error of the position of a vertex.
const ROUNDING: f64 = 4e-15;

/// Returns directions that differ from a normal by no more than an angle, and that are perpendicular to edges at the
/// bodies' ends.
fn turned_normals(
    a: &PosedPolyhedron<'_>,
    b: &PosedPolyhedron<'_>,
    normal: &Vector<3>,
    angle: f64,
) -> Vec<Vector<3>> {
    let mut edges = edges_at_end(a, normal, angle);
    edges.extend(edges_at_end(b, &-normal, angle));
    let across = edges.iter().map(|edge| normal - edge * edge.dot(normal));
    let mut directions: Vec<Vector<3>> = across.collect();
    for (k, one) in edges.iter().enumerate() {
        for other in &edges[..k] {
            let both = one.cross(other);
            directions.push(both * both.dot(normal).signum());
        }
    }
    directions.retain(|direction| direction.norm() > 1e-9);
    let units = directions.iter().map(|direction| direction.normalize());
    units.filter(|unit| (unit - normal).norm() <= angle).collect()
}

/// Returns the directions of the edges that lie at the end of a body, up to an angle.
fn edges_at_end(body: &PosedPolyhedron<'_>, direction: &Vector<3>, angle: f64) -> Vec<Vector<3>> {
    let inside = body.pose.rotation.tr_mul(direction);
    let vertices = body.shape.vertices();
    let heights: Vec<f64> = vertices.iter().map(|vertex| inside.dot(vertex)).collect();
    let end = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max) - 2.0 * angle - 1e-15;
    let mut edges = Vec::new();
    for edge in 0..2 * body.shape.edge_count() as u32 {
        let (from, to) = (body.shape.origin(edge), body.shape.origin(body.shape.next(edge)));
        let [from, to] = [from, to].map(|vertex| vertex as usize);
        if from < to && heights[from] >= end && heights[to] >= end {
            edges.push((body.pose.rotation * (vertices[to] - vertices[from])).normalize());
        }
    }
    edges
}

/// Returns how far a point is above the faces of a body.
fn above(body: &PosedPolyhedron<'_>, point: &Vector<3>) -> f64 {
    let inside = body.pose.inverse_transform_point(point);
    let heights = body.shape.faces().map(|face| face.normal.dot(&inside) - face.offset);
    heights.fold(f64::NEG_INFINITY, f64::max)
}

/// Returns how far the second body begins behind the end of the first, along a direction.
fn gap(a: &PosedPolyhedron<'_>, b: &PosedPolyhedron<'_>, direction: &Vector<3>) -> f64 {
    -highest(a, direction) - highest(b, &-direction)
}

fn highest(body: &PosedPolyhedron<'_>, direction: &Vector<3>) -> f64 {
    let inside = body.pose.rotation.tr_mul(direction);
    let heights = body.shape.vertices().iter().map(|vertex| inside.dot(vertex));
    heights.fold(f64::NEG_INFINITY, f64::max) + direction.dot(&body.pose.position)
}

fn face_normals(
    a: &PosedPolyhedron<'_>,
    b: &PosedPolyhedron<'_>,
) -> impl Iterator<Item = Vector<3>> {
    let of = |body: &PosedPolyhedron<'_>, sign: f64| {
        let rotation = body.pose.rotation * sign;
        body.shape.faces().map(|face| rotation * face.normal).collect::<Vec<_>>()
    };
    of(a, 1.0).into_iter().chain(of(b, -1.0))
}
