//! The point of a segment or a triangle nearest to the origin.

use carom_geometry::Vector;

/// The point of a simplex nearest to the origin.
#[derive(Clone, Copy, Debug)]
pub struct NearestSimplexPoint {
    pub point: Vector<3>,
    pub distance_squared: f64,
    /// The bits of the vertices that span the feature it lies on.
    pub vertex_mask: u8,
}

impl NearestSimplexPoint {
    #[inline(always)]
    pub fn at(point: Vector<3>, vertex_mask: u8) -> Self {
        NearestSimplexPoint { point, distance_squared: point.norm_squared(), vertex_mask }
    }
}

/// Returns the nearest point of a segment whose ends have these bits.
#[inline(always)]
pub fn nearest_on_segment(a: &Vector<3>, b: &Vector<3>, bits: [u8; 2]) -> NearestSimplexPoint {
    let along = b - a;
    let (from_a, length) = (-a.dot(&along), along.norm_squared());
    if from_a <= 0.0 {
        return NearestSimplexPoint::at(*a, bits[0]);
    }
    if from_a >= length {
        return NearestSimplexPoint::at(*b, bits[1]);
    }
    nearest_on_line(a, &along, from_a / length, length, bits[0] | bits[1])
}

/// Returns the point at a fraction of an edge. If the edge passes close to the origin, cancellation leaves a point
/// that is not perpendicular to the edge; its component along the edge is removed.
#[inline(always)]
fn nearest_on_line(
    start: &Vector<3>,
    along: &Vector<3>,
    parts: f64,
    length: f64,
    needed: u8,
) -> NearestSimplexPoint {
    let near = NearestSimplexPoint::at(start + along * parts, needed);
    if near.distance_squared > CLOSE_EDGE * CLOSE_EDGE * length {
        return near;
    }
    // The origin is so near that the point is mostly rounding; one step of orthogonalization restores its
    // direction.
    NearestSimplexPoint::at(near.point - along * (near.point.dot(along) / length), needed)
}

/// Returns the nearest point of a triangle whose corners have these bits, by Voronoi regions (Ericson, Real-Time
/// Collision Detection, 5.1.5). `normal` is `(b - a) x (c - a)`. The normal of a triangle that is nearly a line is
/// rounding; such a triangle is treated as its edges.
#[inline(always)]
pub fn nearest_on_triangle(
    a: &Vector<3>,
    b: &Vector<3>,
    c: &Vector<3>,
    normal: &Vector<3>,
    bits: [u8; 3],
) -> NearestSimplexPoint {
    let (ab, ac) = (b - a, c - a);
    // Voronoi regions of vertices, edges and face, as in C. Ericson, Real-Time Collision Detection (2004), 5.1.5.
    let (d1, d2) = (-ab.dot(a), -ac.dot(a));
    if d1 <= 0.0 && d2 <= 0.0 {
        return NearestSimplexPoint::at(*a, bits[0]);
    }
    let (d3, d4) = (-ab.dot(b), -ac.dot(b));
    if d3 >= 0.0 && d4 <= d3 {
        return NearestSimplexPoint::at(*b, bits[1]);
    }
    let (d5, d6) = (-ab.dot(c), -ac.dot(c));
    if d6 >= 0.0 && d5 <= d6 {
        return NearestSimplexPoint::at(*c, bits[2]);
    }
    let area = normal.norm_squared();
    let (length_ab, length_ac) = (ab.norm_squared(), ac.norm_squared());
    // A sliver has no reliable normal.
    if area <= SLIVER_SINE * SLIVER_SINE * length_ab * length_ac {
        return nearest_on_edges(a, b, c, bits);
    }
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return nearest_on_line(a, &ab, d1 / (d1 - d3), length_ab, bits[0] | bits[1]);
    }
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return nearest_on_line(a, &ac, d2 / (d2 - d6), length_ac, bits[0] | bits[2]);
    }
    let (to_c, from_c) = (d4 - d3, d5 - d6);
    if va <= 0.0 && to_c >= 0.0 && from_c >= 0.0 {
        let (bc, needed) = (c - b, bits[1] | bits[2]);
        return nearest_on_line(b, &bc, to_c / (to_c + from_c), bc.norm_squared(), needed);
    }
    NearestSimplexPoint::at(normal * (normal.dot(a) / area), bits[0] | bits[1] | bits[2])
}

#[cold]
fn nearest_on_edges(
    a: &Vector<3>,
    b: &Vector<3>,
    c: &Vector<3>,
    bits: [u8; 3],
) -> NearestSimplexPoint {
    let first = nearest_on_segment(a, b, [bits[0], bits[1]]);
    let second = nearest_on_segment(a, c, [bits[0], bits[2]]);
    let third = nearest_on_segment(b, c, [bits[1], bits[2]]);
    let nearer = |one: NearestSimplexPoint, other: NearestSimplexPoint| {
        if other.distance_squared < one.distance_squared { other } else { one }
    };
    nearer(nearer(first, second), third)
}

/// Returns the weights of the ends of a segment at its point nearest to the origin.
#[inline(always)]
pub fn segment_weights(a: &Vector<3>, b: &Vector<3>) -> [f64; 3] {
    let along = b - a;
    let part = -a.dot(&along) / along.norm_squared();
    [1.0 - part, part, 0.0]
}

/// Returns the barycentric weights of a point in the plane of a triangle; they are negative where it is outside.
#[inline(always)]
pub fn triangle_weights(corners: &[Vector<3>; 4], point: &Vector<3>) -> [f64; 3] {
    let [a, b, c, _] = corners;
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(&ac);
    let area = normal.norm_squared();
    if area == 0.0 {
        return [1.0, f64::NEG_INFINITY, f64::NEG_INFINITY];
    }
    triangle_weights_by_area(&(point - a), [&ab, &ac], &normal, area)
}

/// Returns the same weights by areas. `point` and `edges` are relative to the first corner, `normal` is the cross
/// product of the edges and `area` its square.
#[inline(always)]
pub fn triangle_weights_by_area(
    point: &Vector<3>,
    edges: [&Vector<3>; 2],
    normal: &Vector<3>,
    area: f64,
) -> [f64; 3] {
    let second = point.cross(edges[1]).dot(normal) / area;
    let third = edges[0].cross(point).dot(normal) / area;
    [1.0 - second - third, second, third]
}

/// An edge is close to the origin below this distance, in fractions of its length.
const CLOSE_EDGE: f64 = 1e-6;
/// The sine of an angle below which a triangle counts as a line.
pub const SLIVER_SINE: f64 = 1e-13;
