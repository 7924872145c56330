use super::*;
use crate::mesh::polygon_normal;
use crate::test_points::{GeometrySampleRandom, lattice, prism};
use nalgebra::Rotation3;
use std::collections::HashMap;

/// Asserts that the mesh is closed, has the Euler characteristic of a sphere, is in order, and is convex to
/// within `tolerance` of the points.
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
    let mut random = GeometrySampleRandom::new(1);
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
    let mut random = GeometrySampleRandom::new(2);
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
    let mut random = GeometrySampleRandom::new(3);
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
fn of_equal_points_the_first_is_taken_and_signs_of_zero_do_not_count() {
    let mut points = vec![Vector::repeat(0.5)];
    points
        .extend(lattice(2, 1.0).iter().map(|point| point.map(|x| if x == 0.0 { -0.0 } else { x })));
    points.extend(lattice(3, 0.5));
    let mesh = hull(&points);
    assert_eq!(mesh.vertices.len(), 8);
    assert!(mesh.vertices.iter().flatten().all(|x| *x != 0.0 || x.is_sign_negative()));
}

#[test]
fn the_same_points_give_the_same_mesh() {
    let mut random = GeometrySampleRandom::new(5);
    let points: Vec<_> = (0..500).map(|_| random.on_sphere()).collect();
    assert_eq!(hull(&points), hull(&points));
    let mut reversed = points.clone();
    reversed.reverse();
    assert_eq!(hull(&points).faces.len(), hull(&reversed).faces.len());
}

#[test]
fn any_size_and_place_gives_the_same_faces() {
    let mut random = GeometrySampleRandom::new(6);
    let points: Vec<_> = (0..60).map(|_| random.in_cube()).collect();
    let expected = hull(&points).faces;
    for exponent in [-190, -100, -20, 20, 100, 198] {
        let scaled: Vec<_> = points.iter().map(|point| point * 2f64.powi(exponent)).collect();
        assert_eq!(hull(&scaled).faces, expected, "times 2^{exponent}");
    }
}

#[test]
fn slivers_have_valid_hulls_unless_they_are_as_thin_as_rounding() {
    let mut random = GeometrySampleRandom::new(7);
    for thickness in [1e-2, 1e-5, 1e-8, 1e-10, 1e-11] {
        for by in [[1.0, 1.0, thickness], [1.0, thickness, thickness]] {
            for count in [4, 8, 50, 500] {
                let turn = random.rotation();
                let mut point = || turn * random.in_cube().component_mul(&Vector::from(by));
                let points: Vec<_> = (0..count).map(|_| point()).collect();
                match convex_hull(&points) {
                    Ok(_) => drop(hull(&points)),
                    Err(HullError::Coplanar { .. } | HullError::Collinear { .. })
                        if thickness < 1e-10 => {}
                    Err(error) => panic!("{count} points in {by:?}: {error}"),
                }
            }
        }
    }
}

#[test]
fn noise_on_flat_faces_and_straight_edges_leaves_valid_hulls() {
    let mut random = GeometrySampleRandom::new(8);
    for exponent in 8..17 {
        let noise = 10f64.powi(-exponent);
        for points in [lattice(5, 0.25), prism(40), [lattice(2, 1.0), lattice(2, 1.0)].concat()] {
            let turn = random.rotation();
            let moved: Vec<_> =
                points.iter().map(|point| turn * point + random.in_cube() * noise).collect();
            hull(&moved);
        }
    }
}

#[test]
fn what_has_no_inside_is_refused_by_its_dimension() {
    let mut random = GeometrySampleRandom::new(9);
    for _ in 0..50 {
        let (turn, shift) = (random.rotation(), random.in_cube());
        let spread = |random: &mut GeometrySampleRandom, by: [f64; 3]| -> Vec<Vector<3>> {
            (0..40)
                .map(|_| turn * random.in_cube().component_mul(&Vector::from(by)) + shift)
                .collect()
        };
        let plane = convex_hull(&spread(&mut random, [1.0, 1.0, 0.0]));
        assert!(matches!(plane, Err(HullError::Coplanar { thickness }) if thickness < 1e-14));
        let line = convex_hull(&spread(&mut random, [1.0, 0.0, 0.0]));
        assert!(matches!(line, Err(HullError::Collinear { thickness }) if thickness < 1e-14));
        let point = convex_hull(&spread(&mut random, [1e-16, 0.0, 0.0]));
        assert!(matches!(point, Err(HullError::Coincident { extent }) if extent < 1e-15));
    }
}

#[test]
fn numbers_that_are_none_or_too_large_are_refused_with_their_point() {
    let mut points = lattice(2, 1.0);
    assert_eq!(convex_hull(&points[..3]), Err(HullError::TooFew { count: 3 }));
    points[5].y = 2e60;
    assert_eq!(convex_hull(&points), Err(HullError::TooLarge { point: 5, value: 2e60 }));
    points[2].z = f64::NEG_INFINITY;
    let error = convex_hull(&points).unwrap_err();
    assert_eq!(error, HullError::NotFinite { point: 2, value: f64::NEG_INFINITY });
    let text = "point 2 has the coordinate -inf; every coordinate must be a finite number";
    assert_eq!(error.to_string(), text);
}
