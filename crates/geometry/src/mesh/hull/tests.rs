use super::*;
use crate::mesh::polygon_normal;
use crate::samples::{Random, lattice, prism};
use nalgebra::Rotation3;
use std::collections::HashMap;

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
            let surface =
                triangulated(&Points::sorted(&points, &bounds), &bounds, tolerance).unwrap();
            let hull = start.elapsed();
            let mesh = used_part(&points, outline::polygons(&surface, tolerance));
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
