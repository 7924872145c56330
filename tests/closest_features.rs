//! Closest features of convex polyhedra (GJK and EPA) against all pairs of features, and against themselves.

use carom::detect::narrow::closest_features::lowest_vertex_over_plane;
use carom::detect::narrow::{
    ClosestFeatures, ClosestPoints, ClosestToPoint, ContactManifold, PolyhedronFeature,
};
use carom::geometry::{Pose, Vector};
use carom::scene::generate::SplitMix64;
use carom_tests::polyhedra::{
    PosedPolyhedron, hull, random_rotation, rotation_about, shapes, signed_distance, speck,
};

/// All shapes have a size of about one.
const EXACT: f64 = 1e-12;

fn close(found: &ClosestPoints, wanted: f64, what: &str) {
    let error = (found.distance - wanted).abs();
    assert!(error <= EXACT, "{what}: {} instead of {wanted}, off by {error:e}", found.distance);
}

/// Checks that an answer is consistent: the points are as far apart as it says, along its normal.
fn consistent(found: &ClosestPoints, what: &str) {
    let step = found.on_b - found.on_a;
    assert!((found.normal.norm() - 1.0).abs() < 1e-12, "{what}: normal {:?}", found.normal);
    let error = (step - found.normal * found.distance).norm();
    assert!(error < 1e-10, "{what}: the points are {step:?} apart, not {found:?}");
}

fn both_ways(a: &PosedPolyhedron<'_>, b: &PosedPolyhedron<'_>, what: &str) -> ClosestPoints {
    let found = ClosestFeatures::new().query(a.shape, &a.pose, b.shape, &b.pose);
    let back = ClosestFeatures::new().query(b.shape, &b.pose, a.shape, &a.pose);
    assert_eq!(found.distance.to_bits(), back.distance.to_bits(), "{what}: exchanged");
    // Two copies in one place cannot be distinguished.
    if a.pose != b.pose {
        assert_eq!((found.normal, found.on_a), (-back.normal, back.on_b), "{what}: exchanged");
    }
    consistent(&found, what);
    found
}

#[test]
fn agree_with_all_pairs_of_features_apart_touching_and_deep() {
    assert_agreement(64);
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn agree_with_all_pairs_of_features_in_many_poses() {
    assert_agreement(400);
}

/// Forty-nine pairs, two queries both ways each.
fn assert_agreement(cases_a_pair: usize) {
    let shapes = shapes();
    let random = &mut SplitMix64::new(7);
    for round in 0..cases_a_pair {
        for (name_a, a) in &shapes {
            for (name_b, b) in &shapes {
                let a = PosedPolyhedron { shape: a, pose: random_rotation(random) };
                let mut b = PosedPolyhedron { shape: b, pose: random_rotation(random) };
                b.pose.position =
                    random_rotation(random).rotation.column(1) * (2.0 * random.uniform());
                let what = format!("{name_a} and {name_b}, round {round}");
                let wanted = signed_distance(&a, &b);
                let found = both_ways(&a, &b, &what);
                close(&found, wanted, &what);
                // Just apart, touching, and just penetrating.
                let gap = [1e-3, 1e-6, 1e-9, 1e-12, 0.0, -1e-9, -1e-6, -1e-3][round % 8];
                b.pose.position += found.normal * (gap - found.distance);
                let what = format!("{what}, gap {gap:e}");
                close(&both_ways(&a, &b, &what), signed_distance(&a, &b), &what);
            }
        }
    }
}

#[test]
fn a_tracked_query_answers_as_a_fresh_one() {
    let random = &mut SplitMix64::new(3);
    for (name, shape) in &shapes() {
        let mut query = ClosestFeatures::new();
        let [start_a, start_b, axis_a, axis_b] =
            std::array::from_fn(|_| random_rotation(random).rotation);
        for step in 0..4000 {
            let angle = 0.02 * f64::from(step);
            let a = Pose {
                rotation: rotation_about(&axis_a.column(0).into(), angle).rotation * start_a,
                ..Pose::identity()
            };
            let mut b = Pose {
                rotation: rotation_about(&axis_b.column(0).into(), angle).rotation * start_b,
                ..Pose::identity()
            };
            let swing = (0.15 * angle).sin();
            b.position = Vector::from([1.2 * swing, 0.4 * swing, 0.2]);
            let tracked = query.query(shape, &a, shape, &b);
            let fresh = ClosestFeatures::new().query(shape, &a, shape, &b);
            close(&tracked, fresh.distance, &format!("{name}, step {step}"));
            consistent(&tracked, name);
        }
    }
}

#[test]
fn parallel_faces_identical_copies_and_shared_vertices_are_no_special_case() {
    let random = &mut SplitMix64::new(5);
    for (name, shape) in &shapes() {
        for round in 0..200 {
            let a = PosedPolyhedron { shape, pose: random_rotation(random) };
            // The same place; moved along a face's normal; a vertex put on a vertex.
            let step = match round % 3 {
                0 => Vector::zeros(),
                1 => {
                    shape.face(round as u32 % shape.face_count() as u32).normal
                        * (0.01 * round as f64)
                }
                _ => {
                    let vertices = shape.vertices();
                    vertices[round % vertices.len()] - vertices[(round / 3) % vertices.len()]
                }
            };
            let b = PosedPolyhedron {
                shape,
                pose: Pose { position: a.pose.transform_point(&step), ..a.pose },
            };
            let what = format!("{name}, round {round}");
            close(&both_ways(&a, &b, &what), signed_distance(&a, &b), &what);
        }
    }
}

/// Rounding misleads GJK where the Minkowski difference of the bodies has hardly any width.
#[test]
fn thin_bodies_that_are_parallel_but_for_next_to_nothing_are_as_far_apart_as_all_features_say() {
    let random = &mut SplitMix64::new(25);
    let shapes = shapes();
    let thin = || shapes.iter().filter(|(name, _)| ["plate", "needle"].contains(name));
    for round in 0..5000 {
        for ((name_a, a), (name_b, b)) in thin().flat_map(|a| thin().map(move |b| (a, b))) {
            let step = 10f64.powi(-7 - round % 7);
            let a = PosedPolyhedron { shape: a, pose: random_rotation(random) };
            let turn = rotation_about(&random_rotation(random).rotation.column(0).into(), step);
            let position = a.pose.position + random_rotation(random).rotation.column(1) * step;
            let pose = Pose { rotation: a.pose.rotation * turn.rotation, position };
            let mut b = PosedPolyhedron { shape: b, pose };
            let found = ClosestFeatures::new().query(a.shape, &a.pose, b.shape, &b.pose);
            let what = format!("{name_a} and {name_b}, round {round}");
            close(&found, signed_distance(&a, &b), &what);
            let gap = [1e-9, 1e-11, 1e-12, 0.0, -1e-9][round as usize % 5];
            b.pose.position += found.normal * (gap - found.distance);
            let found = ClosestFeatures::new().query(a.shape, &a.pose, b.shape, &b.pose);
            close(&found, signed_distance(&a, &b), &format!("{what}, gap {gap:e}"));
        }
    }
}

#[test]
fn copies_of_a_needle_along_a_diagonal_have_a_depth() {
    // Its tips are the farthest along all three axes.
    let corners =
        [[1., 1., 1.], [-1., -1., -1.], [0.02, -0.02, 0.], [0., 0.02, -0.02], [-0.02, 0., 0.02]];
    let shape = &hull(&corners.map(Vector::from));
    let random = &mut SplitMix64::new(6);
    for round in 0..50 {
        let pose = if round == 0 { Pose::identity() } else { random_rotation(random) };
        let (a, b) = (PosedPolyhedron { shape, pose }, PosedPolyhedron { shape, pose });
        let what = format!("round {round}");
        let found = both_ways(&a, &b, &what);
        assert!((found.normal.norm() - 1.0).abs() < 1e-12, "{what}: {found:?}");
        close(&found, signed_distance(&a, &b), &what);
    }
}

#[test]
fn features_are_those_that_are_nearest() {
    let cube = &shapes()[0].1;
    let at = |x: f64, y: f64, z: f64| Pose::at(Vector::from([x, y, z]));
    let ask = |pose: &Pose| {
        let found = ClosestFeatures::new().query(cube, &Pose::identity(), cube, pose);
        (found.feature_a(cube), found.feature_b(cube))
    };
    assert!(matches!(
        ask(&at(2.0, 2.0, 2.0)),
        (PolyhedronFeature::Vertex(_), PolyhedronFeature::Vertex(_))
    ));
    assert!(matches!(
        ask(&at(2.0, 2.0, 0.1)),
        (PolyhedronFeature::Edge(_) | PolyhedronFeature::Vertex(_), _)
    ));
    let rotation = rotation_about(&Vector::from([1.0, 0.9, 0.0]), 0.6).rotation;
    let tilted = Pose { rotation, ..at(0.0, 0.0, 3.0) };
    let (on_a, on_b) = ask(&tilted);
    assert!(
        matches!(on_a, PolyhedronFeature::Face(_)) && matches!(on_b, PolyhedronFeature::Vertex(_)),
        "{on_a:?} {on_b:?}"
    );
}

#[test]
fn a_cube_on_a_cube_touches_in_four_points_and_an_edge_in_two() {
    let cube = &shapes()[0].1;
    let ground = Pose::identity();
    let manifold = |pose: &Pose| {
        let found = ClosestFeatures::new().query(cube, &ground, cube, pose);
        ContactManifold::between(cube, &ground, cube, pose, &found, 1e-6)
    };
    let flat = manifold(&Pose::at(Vector::from([0.2, 0.1, 1.0 - 1e-3])));
    assert_eq!(flat.points().len(), 4);
    assert!(flat.points().iter().all(|point| (point.distance + 1e-3).abs() < 1e-12));
    let edge = rotation_about(&Vector::x(), std::f64::consts::FRAC_PI_4);
    let height = 0.5 + 0.5f64.sqrt() - 1e-3;
    let on_edge = Pose { rotation: edge.rotation, position: [0.0, 0.0, height].into() };
    assert_eq!(manifold(&on_edge).points().len(), 2);
    assert!(manifold(&Pose::at(Vector::from([0.0, 0.0, 2.0]))).points().is_empty());
}

#[test]
fn parallel_edges_touch_in_the_ends_of_what_they_have_in_common() {
    let cube = &shapes()[0].1;
    // Both have an edge along x at their top and bottom; the second is half an edge farther.
    let tilted = rotation_about(&Vector::x(), std::f64::consts::FRAC_PI_4);
    let height = 2.0 * 0.5f64.sqrt() + 1e-3;
    let above = Pose { rotation: tilted.rotation, position: [0.5, 0.0, height].into() };
    let found = ClosestFeatures::new().query(cube, &tilted, cube, &above);
    assert!((found.distance - 1e-3).abs() < 1e-12, "{found:?}");
    let manifold = ContactManifold::between(cube, &tilted, cube, &above, &found, 2e-3);
    let mut places: Vec<f64> = manifold.points().iter().map(|point| point.position.x).collect();
    places.sort_by(f64::total_cmp);
    assert_eq!(places.len(), 2, "{manifold:?}");
    assert!(places[0].abs() < 1e-12 && (places[1] - 0.5).abs() < 1e-12, "{places:?}");
    assert!(manifold.points().iter().all(|point| (point.distance - 1e-3).abs() < 1e-12));
    // Rotated a little, they cross in one point.
    let turn = rotation_about(&Vector::z(), 0.01).rotation;
    let crossed = Pose { rotation: turn * above.rotation, ..above };
    let found = ClosestFeatures::new().query(cube, &tilted, cube, &crossed);
    let manifold = ContactManifold::between(cube, &tilted, cube, &crossed, &found, 2e-3);
    assert_eq!(manifold.points().len(), 1, "{manifold:?}");
}

#[test]
fn points_of_contact_are_the_same_whichever_body_is_called_the_first() {
    let random = &mut SplitMix64::new(13);
    let shapes = shapes();
    for (name_a, a) in &shapes {
        for (name_b, b) in &shapes {
            for round in 0..20 {
                let pose_a = random_rotation(random);
                // Every other time a face lies on a face.
                let pose_b = if round % 2 == 0 { random_rotation(random) } else { pose_a };
                let shift = pose_a.rotation.column(2) * (0.9 * random.uniform());
                let pose_b = Pose { position: pose_a.position + shift, ..pose_b };
                let there = ClosestFeatures::new().query(a, &pose_a, b, &pose_b);
                let back = ClosestFeatures::new().query(b, &pose_b, a, &pose_a);
                let there = ContactManifold::between(a, &pose_a, b, &pose_b, &there, 1.0);
                let back = ContactManifold::between(b, &pose_b, a, &pose_a, &back, 1.0);
                assert_eq!(there.points(), back.points(), "{name_a} and {name_b}, round {round}");
                assert_eq!(there.normal, -back.normal, "{name_a} and {name_b}, round {round}");
            }
        }
    }
}

#[test]
fn points_and_planes_are_as_far_as_the_nearest_face_edge_or_vertex() {
    let random = &mut SplitMix64::new(11);
    for (name, shape) in &shapes() {
        let mut query = ClosestToPoint::new();
        for _ in 0..500 {
            let pose = random_rotation(random);
            let point = pose.transform_point(
                &(random_rotation(random).rotation.column(0) * (1.5 * random.uniform())),
            );
            let found = query.query(shape, &pose, &point);
            let tiny = hull(&speck(1e-9));
            let speck = PosedPolyhedron { shape: &tiny, pose: Pose::at(point) };
            let wanted = signed_distance(&PosedPolyhedron { shape, pose }, &speck);
            assert!((found.distance - wanted).abs() < 3e-9, "{name}: {found:?}, not {wanted}");
            let normal: Vector<3> = random_rotation(random).rotation.column(2).into();
            let (height, _) = lowest_vertex_over_plane(shape, &pose, &normal, 0.25);
            let heights = shape
                .vertices()
                .iter()
                .map(|vertex| normal.dot(&pose.transform_point(vertex)) - 0.25);
            assert!((height - heights.fold(f64::INFINITY, f64::min)).abs() < 1e-14, "{name}");
        }
    }
}
