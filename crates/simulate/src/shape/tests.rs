use super::*;

fn box_of(edges: [f64; 3], corner: [f64; 3]) -> ShapeRepresentation {
    let corners = (0..8).map(|bits: usize| {
        Vector::from_fn(|axis, _| corner[axis] + edges[axis] * (bits >> axis & 1) as f64)
    });
    ShapeRepresentation::Convex(Arc::new(
        ConvexPolyhedron::hull(&corners.collect::<Vec<_>>()).unwrap(),
    ))
}

fn shape(form: ShapeRepresentation) -> Shape {
    Shape::centered::<3>("one".to_owned(), form, None).unwrap()
}

#[test]
fn a_shape_lies_about_its_center_of_mass() {
    let brick = shape(box_of([1.0, 2.0, 4.0], [7.0, -3.0, 0.5]));
    assert!((brick.volume - 8.0).abs() < 1e-12);
    assert!((brick.radius - 0.5 * 21f64.sqrt()).abs() < 1e-12);
    let bounds = brick.bounds(&Pose::identity());
    assert!((bounds.low + bounds.high).norm() < 1e-12, "{bounds:?}");
    assert!((bounds.high - Vector::from([0.5, 1.0, 2.0])).norm() < 1e-12);
    assert!((brick.inertia[(0, 0)] - 8.0 * 20.0 / 12.0).abs() < 1e-11);
}

#[test]
fn one_that_lies_there_keeps_its_bits() {
    let form = box_of([0.3, 0.7, 0.1], [-0.15, -0.35, -0.05]);
    assert_eq!(shape(form.clone()).representation, form);
}

#[test]
fn bounds_follow_the_pose_and_are_those_of_the_shape() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turned = Pose::new(Vector::from([1.0, 2.0, 3.0]), [half, 0.0, 0.0, half]).unwrap();
    let ShapeRepresentation::Convex(brick) = box_of([1.0, 2.0, 4.0], [-0.5, -1.0, -2.0]) else {
        unreachable!()
    };
    let mesh = TriangleMesh::from_polygons(&brick.mesh()).unwrap();
    let expected = Aabb { low: Vector::from([0.0, 1.5, 1.0]), high: Vector::from([2.0, 2.5, 5.0]) };
    for form in [ShapeRepresentation::Convex(brick), ShapeRepresentation::Mesh(Arc::new(mesh))] {
        let bounds = shape(form).bounds(&turned);
        assert!((bounds.low - expected.low).norm() < 1e-12, "{bounds:?}");
        assert!((bounds.high - expected.high).norm() < 1e-12, "{bounds:?}");
    }
    let pair = vec![Sphere::new([1.0, 0.0, 0.0], 0.5), Sphere::new([-1.0, 0.0, 0.0], 0.5)];
    let bounds = shape(ShapeRepresentation::Spheres(pair)).bounds(&turned);
    assert!((bounds.low - Vector::from([0.5, 0.5, 2.5])).norm() < 1e-12, "{bounds:?}");
}
