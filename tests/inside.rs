//! Inside or outside: every exact method against big integers, and against each other.

#![allow(clippy::unwrap_used)]

use carom::detect::inside::{Containment, FillRule, InsideTest, RayCrossing, WindingCells};
use carom::geometry::Vector;
use carom::geometry::mesh::{TriangleMesh, octahedron_sphere};
use carom::scene::generate::{Foam, SplitMix64};
use carom_tests::exact_inside::ExactMesh;

/// Every exact method: a new one adds a line. Cells of several sizes, as for few and many points.
fn methods(mesh: &TriangleMesh, rule: FillRule) -> Vec<(&'static str, Box<dyn InsideTest>)> {
    vec![
        ("cells for few", Box::new(WindingCells::new(mesh.clone(), rule, 1))),
        ("cells", Box::new(WindingCells::new(mesh.clone(), rule, 10_000))),
        ("cells for many", Box::new(WindingCells::new(mesh.clone(), rule, 100_000_000))),
        ("ray", Box::new(RayCrossing::new(mesh, rule))),
        ("plain ray", Box::new(RayCrossing::brute_force(mesh.clone(), rule))),
    ]
}

/// The containment of a point by the exact count.
fn side(winding: Option<i32>, rule: FillRule) -> Containment {
    winding.map_or(Containment::Surface, |winding| rule.containment(winding))
}

/// All methods and fill rules, all points, both forms of the query.
fn agree(name: &str, mesh: &TriangleMesh, points: &[Vector<3>]) {
    let exact = ExactMesh::new(mesh);
    let windings: Vec<_> = (1..).zip(points).map(|(k, point)| exact.winding(point, k)).collect();
    for rule in [FillRule::EvenOdd, FillRule::Winding, FillRule::Nonzero] {
        for (method, test) in methods(mesh, rule) {
            let found = test.classify_all(points);
            for (k, (point, winding)) in points.iter().zip(&windings).enumerate() {
                let expected = side(*winding, rule);
                let alone = test.classify(point);
                assert!(
                    found[k] == expected && alone == expected,
                    "{name}, {method}, {rule:?}: {point:?} is {expected:?}, not {:?} or {alone:?}",
                    found[k]
                );
            }
        }
    }
}

/// Corners, points on edges and faces as near as numbers come, and close to them on both sides.
fn hard_points(mesh: &TriangleMesh, count: usize, seed: u64) -> Vec<Vector<3>> {
    let mut random = SplitMix64::new(seed);
    let mut next = || random.uniform();
    let mut points = Vec::new();
    while points.len() < count {
        let triangle = (next() * mesh.triangles().len() as f64) as usize;
        let [a, b, c] = mesh.corners(triangle);
        let normal = (b - a).cross(&(c - a)).try_normalize(0.0).unwrap_or_else(Vector::x);
        let (u, v) = (next(), next());
        let on = [
            *a,
            (a + b) / 2.0,
            a + (b - a) * u,
            a + (b - a) * (u / 2.0) + (c - a) * (v / 2.0),
            (a + b + c) / 3.0,
        ];
        let size = (b - a).norm();
        points.extend(on);
        for place in on {
            let exponent = -3.0 - 12.0 * next();
            let off = size * 10f64.powf(exponent);
            points.extend([place + normal * off, place - normal * off, place * (1.0 + off)]);
        }
    }
    points
}

fn random_points(mesh: &TriangleMesh, count: usize, seed: u64) -> Vec<Vector<3>> {
    let mut random = SplitMix64::new(seed);
    let mut next = || random.uniform();
    let bounds = mesh.bounds();
    let size = bounds.size().map(|size| size * 1.2);
    let low = bounds.low - bounds.size() * 0.1;
    (0..count).map(|_| low + size.component_mul(&Vector::from([next(), next(), next()]))).collect()
}

/// A grid whose lines run through the corners of a box of whole coordinates.
fn aligned_points(mesh: &TriangleMesh, per_axis: u32) -> Vec<Vector<3>> {
    let bounds = mesh.bounds();
    let at = |k: u32, axis: usize| {
        bounds.low[axis] + bounds.size()[axis] * (f64::from(k) / f64::from(per_axis - 1))
    };
    let mut points = Vec::new();
    for x in 0..per_axis {
        for y in 0..per_axis {
            for z in 0..per_axis {
                points.push(Vector::from([at(x, 0), at(y, 1), at(z, 2)]));
            }
        }
    }
    points
}

/// The cube from -1 to 1, its sides cut along diagonals.
fn cube() -> TriangleMesh {
    let corner = |k: usize| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 1.0 } else { -1.0 });
    let quads =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    TriangleMesh::new((0..8).map(corner).map(Vector::from).collect(), triangles).unwrap()
}

/// A ring with a round section.
fn torus(around: u32, across: u32) -> TriangleMesh {
    let angle = |k: u32, of: u32| std::f64::consts::TAU * f64::from(k) / f64::from(of);
    let mut vertices = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let ((sin, cos), (height, out)) =
                (angle(i, around).sin_cos(), angle(j, across).sin_cos());
            let radius = 1.0 + 0.4 * out;
            vertices.push(Vector::from([radius * cos, radius * sin, 0.4 * height]));
        }
    }
    let at = |i: u32, j: u32| (i % around) * across + j % across;
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

fn joined(meshes: &[TriangleMesh]) -> TriangleMesh {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for mesh in meshes {
        let first = vertices.len() as u32;
        vertices.extend_from_slice(mesh.vertices());
        triangles.extend(mesh.triangles().iter().map(|t| t.map(|corner| corner + first)));
    }
    TriangleMesh::new(vertices, triangles).unwrap()
}

fn moved(mesh: &TriangleMesh, scale: f64, by: [f64; 3]) -> TriangleMesh {
    let vertices = mesh.vertices().iter().map(|v| v * scale + Vector::from(by)).collect();
    TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
}

fn turned_inside_out(mesh: &TriangleMesh) -> TriangleMesh {
    let triangles = mesh.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
    TriangleMesh::new(mesh.vertices().to_vec(), triangles).unwrap()
}

#[test]
fn corners_edges_and_faces_are_on_the_surface_and_all_else_is_not() {
    for (name, mesh) in [
        ("cube", cube()),
        ("octahedron", octahedron_sphere(0)),
        ("sphere", octahedron_sphere(3)),
        ("torus", torus(24, 12)),
    ] {
        agree(name, &mesh, &hard_points(&mesh, 1500, 1));
        agree(name, &mesh, &random_points(&mesh, 1500, 2));
        agree(name, &mesh, &aligned_points(&mesh, 11));
    }
}

#[test]
fn grids_through_the_corners_of_cells_and_triangles_are_answered_right() {
    let cube = cube();
    let points = aligned_points(&cube, 33);
    for (method, test) in methods(&cube, FillRule::EvenOdd) {
        let sides = test.classify_all(&points);
        for (point, side) in points.iter().zip(sides) {
            let farthest = point.amax();
            let expected = if farthest < 1.0 { Containment::Inside } else { Containment::Surface };
            assert_eq!(side, expected, "{method} at {point:?}");
        }
    }
    let octahedron = octahedron_sphere(0);
    for (method, test) in methods(&octahedron, FillRule::EvenOdd) {
        for (point, side) in points.iter().zip(test.classify_all(&points)) {
            // Multiples of 1/16: the sum is exact.
            let expected = match point.abs().sum().partial_cmp(&1.0).unwrap() {
                std::cmp::Ordering::Less => Containment::Inside,
                std::cmp::Ordering::Equal => Containment::Surface,
                std::cmp::Ordering::Greater => Containment::Outside,
            };
            assert_eq!(side, expected, "{method} at {point:?}");
        }
    }
}

#[test]
fn far_from_the_origin_and_at_any_scale_nothing_is_wrong() {
    for (scale, by) in [
        (1.0, [1e8, -1e8, 3e8]),
        (1e-7, [1e8, 0.0, 1.0]),
        (1e-30, [0.0; 3]),
        (1e30, [1e30, 0.0, 0.0]),
        (1.0, [0.0, 1e15, 0.0]),
    ] {
        let mesh = moved(&octahedron_sphere(2), scale, by);
        agree("far sphere", &mesh, &hard_points(&mesh, 400, 3));
        agree("far sphere", &mesh, &random_points(&mesh, 400, 4));
    }
}

#[test]
fn bodies_of_a_few_units_in_the_last_place_are_distinguished() {
    for size in [2.0, 4.0, 64.0] {
        let mesh = moved(&cube(), size, [1e16, 1e16, -1e16]);
        agree("cube of rounding", &mesh, &hard_points(&mesh, 100, 18));
        agree("cube of rounding", &mesh, &aligned_points(&mesh, 5));
    }
}

#[test]
fn shells_within_shells_and_overlaps_follow_the_rules() {
    let sphere = octahedron_sphere(2);
    let hollow = joined(&[sphere.clone(), turned_inside_out(&moved(&sphere, 0.6, [0.0; 3]))]);
    agree("hollow", &hollow, &random_points(&hollow, 1000, 5));
    agree("hollow", &hollow, &hard_points(&hollow, 500, 6));
    let overlapping = joined(&[sphere.clone(), moved(&sphere, 0.9, [0.5, 0.0, 0.0])]);
    agree("overlapping", &overlapping, &random_points(&overlapping, 1000, 7));
    let twice = joined(&[sphere.clone(), sphere.clone(), turned_inside_out(&sphere)]);
    agree("three times", &twice, &hard_points(&twice, 500, 8));
    let inside_out = turned_inside_out(&sphere);
    agree("inside out", &inside_out, &random_points(&inside_out, 500, 9));
}

#[test]
fn triangles_without_area_change_nothing() {
    // Each edge of the cube's sides gets a corner in its middle, which only a triangle without area uses.
    let cube = cube();
    let mut vertices = cube.vertices().to_vec();
    let mut triangles = cube.triangles().to_vec();
    for &[a, b, _] in cube.triangles() {
        vertices.push((cube.vertices()[a as usize] + cube.vertices()[b as usize]) / 2.0);
        let middle = vertices.len() as u32 - 1;
        triangles.extend([[a, middle, b], [a, b, middle], [a, a, b], [middle; 3]]);
    }
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    agree("cube with slivers", &mesh, &aligned_points(&mesh, 9));
    agree("cube with slivers", &mesh, &random_points(&mesh, 500, 10));
    agree("cube with slivers", &mesh, &hard_points(&mesh, 500, 11));
}

#[test]
fn a_surface_along_the_faces_of_cells_is_labeled_right() {
    // Stairs and slabs on a lattice of halves, quarters and eighths: whatever the grid, the surface runs along many of
    // its planes.
    let boxes: Vec<TriangleMesh> = (0..12)
        .map(|k| {
            let k = f64::from(k);
            moved(&cube(), 0.125, [0.25 * k, 0.25 * (k % 3.0), 0.5 * (k % 2.0)])
        })
        .collect();
    let mesh = joined(&boxes);
    agree("boxes", &mesh, &aligned_points(&mesh, 25)[..4000]);
    agree("boxes", &mesh, &random_points(&mesh, 1000, 12));
}

#[test]
fn detail_may_be_as_uneven_as_it_likes() {
    let sphere = octahedron_sphere(4);
    let uneven = joined(&[
        cube(),
        moved(&sphere, 1e-4, [3.0, 0.0, 0.0]),
        moved(&sphere, 1e-9, [0.0, 3.0, 0.0]),
    ]);
    agree("uneven", &uneven, &random_points(&uneven, 100, 13));
    for (scale, by) in [(1e-4, [3.0, 0.0, 0.0]), (1e-9, [0.0, 3.0, 0.0])] {
        let there = moved(&sphere, scale, by);
        agree("uneven", &uneven, &random_points(&there, 100, 14));
    }
}

#[test]
fn random_points_get_one_answer_from_all() {
    assert_one_answer(150_000);
}

#[test]
#[ignore = "takes ten seconds: cargo xtask test --all"]
fn a_million_random_points_get_one_answer_from_all() {
    assert_one_answer(1_000_000);
}

fn assert_one_answer(count: usize) {
    let mesh = Foam { triangles: 30_000, cells: 3, seed: 5 }.make().unwrap();
    let points = random_points(&mesh, count, 15);
    let cells =
        WindingCells::new(mesh.clone(), FillRule::EvenOdd, points.len()).classify_all(&points);
    let ray = RayCrossing::new(&mesh, FillRule::EvenOdd).classify_all(&points);
    assert!(cells == ray);
    assert!(cells.iter().filter(|side| **side == Containment::Inside).count() > count / 10);
    agree("foam", &mesh, &points[..100]);
    agree("foam", &mesh, &hard_points(&mesh, 100, 16));
}

#[test]
fn points_that_are_nowhere_are_outside() {
    for (_, test) in methods(&cube(), FillRule::EvenOdd) {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300] {
            assert_eq!(test.classify(&Vector::from([0.0, bad, 0.0])), Containment::Outside);
        }
    }
}

#[test]
fn open_and_crooked_surfaces_are_right_away_from_their_faults() {
    let sphere = octahedron_sphere(4);
    let far_from_surface: Vec<_> = random_points(&sphere, 20_000, 17)
        .into_iter()
        .filter(|point| (point.norm() - 1.0).abs() > 0.01)
        .collect();
    let expected: Vec<Containment> = far_from_surface
        .iter()
        .map(|point| if point.norm() < 1.0 { Containment::Inside } else { Containment::Outside })
        .collect();
    let with = |change: &dyn Fn(usize, [u32; 3]) -> Vec<[u32; 3]>| {
        let triangles = sphere.triangles().iter().enumerate().flat_map(|(k, t)| change(k, *t));
        TriangleMesh::new(sphere.vertices().to_vec(), triangles.collect()).unwrap()
    };
    let flipped = with(&|k, [a, b, c]| vec![if k % 100 == 7 { [a, c, b] } else { [a, b, c] }]);
    let all_flipped = turned_inside_out(&sphere);
    for (mesh, rule) in [
        (&flipped, FillRule::EvenOdd),
        (&all_flipped, FillRule::EvenOdd),
        (&all_flipped, FillRule::Nonzero),
    ] {
        for (method, test) in methods(mesh, rule) {
            assert!(test.classify_all(&far_from_surface) == expected, "{method} by {rule:?}");
        }
    }
}
