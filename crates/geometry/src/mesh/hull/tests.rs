use super::*;
use crate::mesh::polygon_normal;
use nalgebra::Rotation3;
use std::collections::HashMap;

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn centered(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn in_cube(&mut self) -> Vector<3> {
        Vector::from_fn(|_, _| self.centered())
    }

    pub fn in_ball(&mut self) -> Vector<3> {
        loop {
            let point = self.in_cube();
            if point.norm_squared() <= 1.0 {
                return point;
            }
        }
    }

    pub fn on_sphere(&mut self) -> Vector<3> {
        self.in_ball().normalize()
    }

    pub fn rotation(&mut self) -> Rotation3<f64> {
        Rotation3::new(self.in_ball() * 3.0)
    }
}

/// Closed, of Euler's number, in order, and convex to within `tolerance` of the points.
fn check(mesh: &PolygonMesh, points: &[Vector<3>], tolerance: f64) {
    let mut edges: HashMap<(u32, u32), usize> = HashMap::new();
    for face in &mesh.faces {
        assert!(face.len() >= 3);
        assert_eq!(face.iter().min(), face.first());
        for k in 0..face.len() {
            *edges.entry((face[k], face[(k + 1) % face.len()])).or_default() += 1;
        }
    }
    for (&(from, to), &count) in &edges {
        assert_eq!(count, 1, "edge from {from} to {to}");
        assert!(edges.contains_key(&(to, from)), "edge from {from} to {to} is open");
    }
    assert_eq!(mesh.vertices.len() + mesh.faces.len(), edges.len() / 2 + 2);
    assert!(mesh.faces.is_sorted());
    for face in &mesh.faces {
        let normal = polygon_normal(&mesh.vertices, face).normalize();
        let base = mesh.vertices[face[0] as usize];
        for point in points {
            let height = normal.dot(&(point - base));
            assert!(height <= tolerance, "a point is {height:e} above {face:?}");
        }
        for &vertex in face {
            let height = normal.dot(&(mesh.vertices[vertex as usize] - base));
            assert!(height >= -tolerance, "a corner is {height:e} below {face:?}");
        }
    }
    let mut rest = points.iter();
    for vertex in &mesh.vertices {
        assert!(rest.any(|point| point == vertex), "vertices are in the order of the points");
    }
}

fn hull(points: &[Vector<3>]) -> PolygonMesh {
    let mesh = convex_hull(points).unwrap();
    let size = points.iter().map(|point| point.amax()).fold(0.0, f64::max);
    check(&mesh, points, 4e-12 * size);
    mesh
}

fn lattice(count: usize, spacing: f64) -> Vec<Vector<3>> {
    let place = |i: usize| {
        Vector::from([i % count, i / count % count, i / count / count].map(|k| k as f64 * spacing))
    };
    (0..count.pow(3)).map(place).collect()
}

fn prism(corners: usize) -> Vec<Vector<3>> {
    let angle = |k: usize| std::f64::consts::TAU * k as f64 / corners as f64;
    let corner = |k: usize, z: f64| Vector::from([angle(k).cos(), angle(k).sin(), z]);
    (0..2 * corners).map(|k| corner(k / 2, (k % 2) as f64)).collect()
}

#[test]
fn a_rotated_rounded_cube_has_six_squares() {
    let mut random = Random(1);
    for count in [2, 3, 6] {
        for _ in 0..100 {
            let (turn, shift) = (random.rotation(), random.in_cube() * 10.0);
            let points: Vec<_> =
                lattice(count, 0.1).iter().map(|point| turn * point + shift).collect();
            let mesh = hull(&points);
            assert_eq!((mesh.vertices.len(), mesh.faces.len()), (8, 6));
        }
    }
}

#[test]
fn a_prism_has_two_faces_more_than_its_base_has_edges() {
    let mut random = Random(2);
    for corners in [3, 4, 5, 100, 1000] {
        let points = prism(corners);
        for turn in [Rotation3::identity(), random.rotation(), random.rotation()] {
            let turned: Vec<_> = points.iter().map(|point| turn * point).collect();
            let mesh = hull(&turned);
            assert_eq!((mesh.vertices.len(), mesh.faces.len()), (2 * corners, corners + 2));
        }
    }
}

#[test]
fn random_points_are_below_all_faces() {
    let mut random = Random(3);
    for count in [4, 5, 6, 8, 10, 30, 100, 1000] {
        for _ in 0..(3000 / count).min(100) {
            let cube: Vec<_> = (0..count).map(|_| random.in_cube()).collect();
            hull(&cube);
            let sphere: Vec<_> = (0..count).map(|_| random.on_sphere()).collect();
            let mesh = hull(&sphere);
            assert_eq!(mesh.vertices.len(), count);
        }
    }
}

#[test]
#[ignore]
fn timing() {
    let mut random = Random(4);
    for count in [10_000, 100_000, 1_000_000] {
        let ball: Vec<_> = (0..count).map(|_| random.in_ball()).collect();
        let sphere: Vec<_> = (0..count).map(|_| random.on_sphere()).collect();
        let side = (count as f64).cbrt().round() as usize;
        let lattice = lattice(side, 0.1);
        let turn = random.rotation();
        let turned: Vec<_> = lattice.iter().map(|point| turn * point).collect();
        for (name, points) in
            [("ball", ball), ("sphere", sphere), ("lattice", lattice), ("turned", turned)]
        {
            let start = std::time::Instant::now();
            let bounds = checked_bounds(&points).unwrap();
            let tolerance = Tolerance::within(&bounds);
            let first = start::four_apart(&points, &bounds, tolerance).unwrap();
            let surface = quickhull::surface(&points, &bounds, first);
            let hull = start.elapsed();
            let mesh = outline::polygons(&surface, tolerance);
            let mesh = mesh.without_unused_vertices();
            println!(
                "{name} {count}: quickhull {hull:?} all {:?}, {} triangles, {} faces {} vertices",
                start.elapsed(),
                surface.corners.len(),
                mesh.faces.len(),
                mesh.vertices.len()
            );
        }
    }
}
