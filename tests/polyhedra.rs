//! Convex polyhedra for tests, and their distance by comparing all features with all.

use carom::geometry::{Pose, Vector, shape::ConvexPolyhedron};
use carom::scene::generate::SplitMix64;

/// A body in a pose.
pub struct PosedPolyhedron<'a> {
    /// The body.
    pub shape: &'a ConvexPolyhedron,
    /// Pose of the body.
    pub pose: Pose,
}

/// Returns the convex hull of points that have one.
pub fn hull(points: &[Vector<3>]) -> ConvexPolyhedron {
    ConvexPolyhedron::hull(points).expect("the points are not flat")
}

/// Returns the corners of a small tetrahedron.
pub fn speck(size: f64) -> Vec<Vector<3>> {
    [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]
        .map(|corner| Vector::from(corner) * size)
        .to_vec()
}

/// Returns a prism over a regular polygon.
pub fn prism(sides: usize, radius: f64, height: f64) -> ConvexPolyhedron {
    let corner = |k: usize, z: f64| {
        let angle = std::f64::consts::TAU * k as f64 / sides as f64;
        Vector::from([radius * angle.cos(), radius * angle.sin(), z])
    };
    let ends = [-0.5 * height, 0.5 * height];
    hull(&(0..2 * sides).map(|k| corner(k / 2, ends[k % 2])).collect::<Vec<_>>())
}

/// Returns bodies of a size of about one: regular, flat, narrow, round ones.
pub fn shapes() -> Vec<(&'static str, ConvexPolyhedron)> {
    let sphere = |random: &mut SplitMix64, count: usize, stretch: [f64; 3]| {
        let points: Vec<Vector<3>> = (0..count)
            .map(|_| {
                random_rotation(random).rotation.column(0).component_mul(&Vector::from(stretch))
            })
            .collect();
        hull(&points)
    };
    let cuboid = |size: [f64; 3]| {
        let corner =
            |k: usize| Vector::from_fn(|axis, _| size[axis] * ((k >> axis & 1) as f64 - 0.5));
        hull(&(0..8).map(corner).collect::<Vec<_>>())
    };
    let random = &mut SplitMix64::new(1);
    vec![
        ("cube", cuboid([1.0; 3])),
        ("plate", cuboid([1.0, 1.0, 1e-4])),
        ("needle", cuboid([1.0, 1e-4, 1e-4])),
        ("tetrahedron", sphere(random, 4, [1.0; 3])),
        ("prism", prism(17, 0.5, 0.4)),
        ("stone", sphere(random, 12, [1.0; 3])),
        ("pebble", sphere(random, 40, [1.0, 0.3, 0.2])),
    ]
}

/// Returns a random rotation about the origin.
pub fn random_rotation(random: &mut SplitMix64) -> Pose {
    loop {
        let quaternion: [f64; 4] = std::array::from_fn(|_| 2.0 * random.uniform() - 1.0);
        let length = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
        if length > 0.1 && length < 1.0 {
            let unit = quaternion.map(|part| part / length);
            return Pose::new(Vector::zeros(), unit).expect("the quaternion has length one");
        }
    }
}

/// Returns a rotation about an axis through the origin.
pub fn rotation_about(axis: &Vector<3>, angle: f64) -> Pose {
    let along = axis.normalize() * (0.5 * angle).sin();
    let quaternion = [(0.5 * angle).cos(), along.x, along.y, along.z];
    Pose::new(Vector::zeros(), quaternion).expect("the quaternion has length one")
}

/// Returns the distance of two bodies, negative by the penetration depth if they overlap: over all faces against
/// vertices and edges against edges.
pub fn signed_distance(a: &PosedPolyhedron<'_>, b: &PosedPolyhedron<'_>) -> f64 {
    let relative = a.pose.relative(&b.pose);
    let first = Solid::of(a.shape, &Pose::identity());
    let second = Solid::of(b.shape, &relative);
    let separation = largest_separation(&first, &second);
    if separation <= 0.0 {
        return separation;
    }
    let mut nearest = f64::INFINITY;
    for (one, other) in [(&first, &second), (&second, &first)] {
        for point in &one.vertices {
            for triangle in &other.triangles {
                nearest = nearest.min(from_triangle(point, triangle));
            }
        }
    }
    for one in &first.edges {
        for other in &second.edges {
            nearest = nearest.min(between_segments(one, other));
        }
    }
    nearest
}

struct Solid {
    vertices: Vec<Vector<3>>,
    normals: Vec<Vector<3>>,
    triangles: Vec<[Vector<3>; 3]>,
    edges: Vec<[Vector<3>; 2]>,
}

impl Solid {
    fn of(shape: &ConvexPolyhedron, pose: &Pose) -> Self {
        let vertices: Vec<Vector<3>> =
            shape.vertices().iter().map(|v| pose.transform_point(v)).collect();
        let (mut normals, mut triangles, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        for face in shape.faces() {
            normals.push(pose.rotation * face.normal);
            let corner = |k: usize| vertices[face.vertices[k % face.vertices.len()] as usize];
            for k in 0..face.vertices.len() {
                if face.vertices[k] < face.vertices[(k + 1) % face.vertices.len()] {
                    edges.push([corner(k), corner(k + 1)]);
                }
                if k > 1 {
                    triangles.push([corner(0), corner(k - 1), corner(k)]);
                }
            }
        }
        Solid { vertices, normals, triangles, edges }
    }

    fn lowest(&self, direction: &Vector<3>) -> f64 {
        self.vertices.iter().map(|v| direction.dot(v)).fold(f64::INFINITY, f64::min)
    }

    fn highest(&self, direction: &Vector<3>) -> f64 {
        -self.lowest(&-direction)
    }
}

/// Returns the largest separation over the normals of all faces and of all pairs of edges (separating axes).
fn largest_separation(a: &Solid, b: &Solid) -> f64 {
    let mut largest = f64::NEG_INFINITY;
    for normal in &a.normals {
        largest = largest.max(b.lowest(normal) - a.highest(normal));
    }
    for normal in &b.normals {
        largest = largest.max(a.lowest(normal) - b.highest(normal));
    }
    for one in &a.edges {
        for other in &b.edges {
            let (along, across) =
                ((one[1] - one[0]).normalize(), (other[1] - other[0]).normalize());
            let normal = along.cross(&across);
            // Edges that are nearly parallel have no normal of their own; the normals of the faces decide.
            if normal.norm() < 1e-7 {
                continue;
            }
            let normal = normal.normalize();
            largest = largest.max(b.lowest(&normal) - a.highest(&normal));
            largest = largest.max(a.lowest(&normal) - b.highest(&normal));
        }
    }
    largest
}

fn from_triangle(point: &Vector<3>, triangle: &[Vector<3>; 3]) -> f64 {
    let [a, b, c] = triangle;
    let normal = (b - a).cross(&(c - a));
    let inside = [(a, b), (b, c), (c, a)]
        .iter()
        .all(|(from, to)| normal.cross(&(*to - *from)).dot(&(point - *from)) >= 0.0);
    if inside && normal.norm() > 0.0 {
        return (normal.normalize().dot(&(point - a))).abs();
    }
    let edges = [[*a, *b], [*b, *c], [*c, *a]];
    edges.iter().map(|edge| from_segment(point, edge)).fold(f64::INFINITY, f64::min)
}

fn from_segment(point: &Vector<3>, segment: &[Vector<3>; 2]) -> f64 {
    let [from, to] = segment;
    let along = to - from;
    let part = ((point - from).dot(&along) / along.norm_squared()).clamp(0.0, 1.0);
    (from + along * part - point).norm()
}

fn between_segments(one: &[Vector<3>; 2], other: &[Vector<3>; 2]) -> f64 {
    let ends = [
        from_segment(&one[0], other),
        from_segment(&one[1], other),
        from_segment(&other[0], one),
        from_segment(&other[1], one),
    ];
    let mut nearest = ends.into_iter().fold(f64::INFINITY, f64::min);
    let (along, across) = (one[1] - one[0], other[1] - other[0]);
    let normal = along.cross(&across);
    if normal.norm() > 1e-9 * along.norm() * across.norm() {
        let step = other[0] - one[0];
        let (at_one, at_other) =
            (step.cross(&across).dot(&normal), step.cross(&along).dot(&normal));
        let square = normal.norm_squared();
        if (0.0..=square).contains(&at_one) && (0.0..=square).contains(&at_other) {
            nearest = nearest.min(step.dot(&normal).abs() / normal.norm());
        }
    }
    nearest
}
