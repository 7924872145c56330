//! The fast multipole method against the direct sum.

use super::*;
use crate::inside::DoubleLayer;
use crate::inside::samples::{cube, points_in_box};
use carom_geometry::mesh::octahedron_sphere as sphere;
use std::f64::consts::PI;

fn options(accuracy: MultipoleAccuracy, depth: OctreeDepth, separation: f64) -> MultipoleOptions {
    MultipoleOptions { accuracy, depth, separation, domain: None }
}

fn prepared(mesh: &TriangleMesh, options: &MultipoleOptions) -> Multipole {
    Multipole::new(mesh, FillRule::Winding, options).unwrap()
}

/// The largest error at some points.
fn error(surface: &Multipole, direct: &DoubleLayer, points: &[Vector<3>]) -> f64 {
    let errors = points
        .iter()
        .map(|point| (surface.winding_number(point) - direct.winding_number(point)).abs());
    errors.fold(0.0, f64::max)
}

/// The upper half of a sphere, whose winding number is nowhere an integer.
fn hemisphere(refinements: u32) -> TriangleMesh {
    let whole = sphere(refinements);
    let above = |triangle: &&[u32; 3]| {
        triangle.iter().all(|&corner| whole.vertices()[corner as usize][2] >= -1e-12)
    };
    let upper = whole.triangles().iter().filter(above).copied().collect();
    TriangleMesh::new(whole.vertices().to_vec(), upper).unwrap()
}

/// The number of levels below a node.
fn depth(surface: &Multipole, node: usize) -> usize {
    let children = surface.leaves.nodes[node].children;
    if children == NONE {
        return 0;
    }
    1 + (0..8).map(|octant| depth(surface, children as usize + octant)).max().unwrap()
}

/// Equation 27, with the radius of the finest target boxes.
fn equation_27(surface: &Multipole, area: f64, separation: f64) -> f64 {
    let (p, d) = (surface.degree() as i32, separation);
    let finest = surface.clusters.root.edge_on_level(depth(surface, 0));
    let radius = cluster_tree::HALF_DIAGONAL * finest
        / surface.panels.scaled_point(&Vector::repeat(1.0)).unwrap()[0];
    let series = f64::from(p) + 1.0 + d / (d - 1.0);
    area * (1.0 + PI) / ((d - 1.0) * radius * radius) * series / d.powi(p + 2)
}

#[test]
fn errors_are_below_the_bound_and_the_bound_below_equation_27() {
    let closed = sphere(4);
    let open = hemisphere(4);
    let points = points_in_box(1.0, 400);
    for (mesh, area) in [(&closed, 4.0 * PI), (&open, 2.0 * PI)] {
        let direct = DoubleLayer::new(mesh, FillRule::Winding);
        for depth in [
            OctreeDepth::Triangles,
            OctreeDepth::TrianglesAndPoints(100_000),
            OctreeDepth::Levels(3),
        ] {
            let mut last = f64::INFINITY;
            for degree in 2..=12 {
                let surface =
                    prepared(mesh, &options(MultipoleAccuracy::Degree(degree), depth, 2.0));
                let (error, bound) = (error(&surface, &direct, &points), surface.error_bound());
                assert!(error > 1e-13, "something is far: degree {degree}");
                assert!(error <= bound, "degree {degree} {depth:?}: {error} above {bound}");
                let in_paper = equation_27(&surface, area, 2.0);
                assert!(bound < in_paper, "degree {degree}: {bound} above {in_paper}");
                assert!(bound < last, "degree {degree} is no better: {bound} after {last}");
                last = bound;
            }
        }
    }
}

#[test]
fn errors_fall_with_the_degree_to_rounding() {
    let mesh = hemisphere(3);
    let direct = DoubleLayer::new(&mesh, FillRule::Winding);
    let points = points_in_box(1.0, 300);
    let of = |degree| {
        let options = options(MultipoleAccuracy::Degree(degree), OctreeDepth::Levels(3), 3.0);
        error(&prepared(&mesh, &options), &direct, &points)
    };
    let errors = [2, 4, 8, 16].map(of);
    assert!(errors[0] > 1e-5, "{errors:?}");
    assert!(errors.windows(2).all(|two| two[1] < two[0] / 10.0), "{errors:?}");
    assert!(errors[3] < 1e-10, "{errors:?}");
}

#[test]
fn a_wanted_error_is_kept_with_the_lowest_degree() {
    let mesh = sphere(4);
    let direct = DoubleLayer::new(&mesh, FillRule::Winding);
    for wanted in [0.3, 0.05, 1e-2] {
        let mut options = options(MultipoleAccuracy::Error(wanted), OctreeDepth::Levels(3), 2.0);
        let surface = prepared(&mesh, &options);
        assert!(surface.error_bound() <= wanted + 1e-11);
        assert!(error(&surface, &direct, &points_in_box(1.0, 300)) <= wanted);
        options.accuracy = MultipoleAccuracy::Degree(surface.degree() - 1);
        assert!(prepared(&mesh, &options).error_bound() > wanted);
    }
}

#[test]
fn usual_settings_err_by_less_than_a_thousandth_on_spheres() {
    for mesh in [sphere(4), sphere(5)] {
        let direct = DoubleLayer::new(&mesh, FillRule::Winding);
        for points in [8000, 64_000] {
            let depth = OctreeDepth::TrianglesAndPoints(points);
            let surface = prepared(&mesh, &MultipoleOptions { depth, ..Default::default() });
            let error = error(&surface, &direct, &points_in_box(1.0, 2000));
            assert!(error < 1e-3, "{} triangles: {error}", mesh.triangles().len());
        }
    }
}

#[test]
fn points_near_the_surface_and_out_of_the_domain_keep_the_bound() {
    for mesh in [sphere(4), hemisphere(4)] {
        let direct = DoubleLayer::new(&mesh, FillRule::Winding);
        let surface =
            prepared(&mesh, &options(MultipoleAccuracy::Degree(5), OctreeDepth::Levels(3), 2.0));
        let bound = surface.error_bound();
        let near: Vec<_> = points_in_box(1.0, 300)
            .iter()
            .flat_map(|point| {
                [0.99, 0.999_999, 1.000_001, 1.01].map(|size| point.normalize() * size)
            })
            .collect();
        assert!(error(&surface, &direct, &near) <= bound);
        for half in [1.2, 3.0, 100.0, 1e8, 1e40] {
            let outside = points_in_box(half, 300);
            let error = error(&surface, &direct, &outside);
            assert!(error <= bound, "{half}: {error} above {bound}");
        }
    }
}

#[test]
fn a_domain_may_be_larger_or_smaller_than_the_surface_or_elsewhere() {
    let mesh = hemisphere(4);
    let direct = DoubleLayer::new(&mesh, FillRule::Winding);
    let domains = [(-3.0, 3.0), (-0.2, 0.3), (0.5, 2.0), (4.0, 5.0)];
    for (low, high) in domains {
        let domain = Some(Aabb { low: Vector::repeat(low), high: Vector::repeat(high) });
        let base = options(MultipoleAccuracy::Degree(6), OctreeDepth::Levels(4), 2.0);
        let surface = prepared(&mesh, &MultipoleOptions { domain, ..base });
        let error = error(&surface, &direct, &points_in_box(5.0, 1000));
        assert!(error <= surface.error_bound(), "{low} to {high}: {error}");
        assert!(surface.error_bound() < 0.1, "{}", surface.error_bound());
    }
}

#[test]
fn large_triangles_among_small_ones_keep_the_bound() {
    // A cube of twelve triangles around a fine sphere of a fifth of its size, near a corner.
    let (cube, ball) = (cube(), sphere(4));
    let shift = cube.vertices().len() as u32;
    let mut vertices = cube.vertices().to_vec();
    vertices.extend(ball.vertices().iter().map(|vertex| vertex * 0.1 + Vector::repeat(0.15)));
    let mut triangles = cube.triangles().to_vec();
    triangles.extend(ball.triangles().iter().map(|triangle| triangle.map(|corner| corner + shift)));
    let mesh = TriangleMesh::new(vertices, triangles).unwrap();
    let direct = DoubleLayer::new(&mesh, FillRule::Winding);
    let surface =
        prepared(&mesh, &options(MultipoleAccuracy::Degree(4), OctreeDepth::Levels(6), 1.8));
    let inside: Vec<_> =
        points_in_box(0.5, 2000).iter().map(|point| point + Vector::repeat(0.5)).collect();
    let error = error(&surface, &direct, &inside);
    assert!(error > 1e-12 && error <= surface.error_bound(), "{error}");
    assert!(surface.error_bound() < 1.0, "{}", surface.error_bound());
}

#[test]
fn sides_are_those_of_the_sphere_and_of_the_direct_sum() {
    let mesh = sphere(5);
    let points = points_in_box(1.2, 3000);
    for rule in [FillRule::EvenOdd, FillRule::Nonzero, FillRule::Winding] {
        let surface = Multipole::new(&mesh, rule, &MultipoleOptions::default()).unwrap();
        let direct = DoubleLayer::new(&mesh, rule);
        let sides = surface.classify_all(&points);
        assert_eq!(sides, direct.classify_all(&points));
        for (point, side) in points.iter().zip(&sides) {
            // The triangles are less than one part in a thousand below the sphere.
            if (point.norm() - 1.0).abs() > 1e-3 {
                assert_eq!(*side == Containment::Inside, point.norm() < 1.0, "{point:?}");
            }
        }
        for vertex in mesh.vertices().iter().step_by(50) {
            assert_eq!(surface.classify(vertex), Containment::Surface);
            assert_eq!(surface.classify(&(vertex * 0.999_999)), Containment::Inside);
            assert_eq!(surface.classify(&(vertex * 1.000_001)), Containment::Outside);
        }
    }
}

#[test]
fn doubtful_points_of_an_open_surface_are_decided_by_the_direct_sum() {
    let mesh = hemisphere(4);
    let surface = Multipole::new(
        &mesh,
        FillRule::Winding,
        &options(MultipoleAccuracy::Degree(2), OctreeDepth::Levels(3), 1.5),
    );
    let surface = surface.unwrap();
    let direct = DoubleLayer::new(&mesh, FillRule::Winding);
    // The winding number is one half on the plane of the rim.
    let points: Vec<_> = points_in_box(1.0, 500)
        .iter()
        .map(|point| Vector::from([point[0], point[1], point[2] * 1e-3]))
        .collect();
    assert_eq!(surface.classify_all(&points), direct.classify_all(&points));
}

#[test]
fn many_points_at_once_have_the_sides_of_each_alone() {
    let mesh = hemisphere(5);
    let options =
        options(MultipoleAccuracy::Error(0.2), OctreeDepth::TrianglesAndPoints(5000), 1.5);
    let surface = prepared(&mesh, &options);
    let mut points = points_in_box(1.3, 5000);
    points.extend(mesh.vertices().iter().take(50));
    points[7][0] = f64::NAN;
    let alone: Vec<Containment> = points.iter().map(|point| surface.classify(point)).collect();
    assert_eq!(surface.classify_all(&points), alone);
    assert!(alone.contains(&Containment::Inside) && alone.contains(&Containment::Surface));
}

#[test]
fn the_same_bits_for_one_and_two_threads() {
    let mesh = sphere(5);
    let points = points_in_box(1.0, 500);
    let options = MultipoleOptions::default();
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let surface = pool.install(|| prepared(&mesh, &options));
        points.iter().map(|point| surface.winding_number(point).to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(with_threads(1), with_threads(2));
}

#[test]
fn unusable_options_are_refused() {
    let mesh = sphere(2);
    let refused = |options: MultipoleOptions| {
        Multipole::new(&mesh, FillRule::EvenOdd, &options).map(|_| ()).unwrap_err().to_string()
    };
    let good = MultipoleOptions::default();
    let with = |accuracy| refused(MultipoleOptions { accuracy, ..good });
    assert_eq!(with(MultipoleAccuracy::Degree(0)), "the degree is 0; it must be from 1 to 16");
    assert_eq!(with(MultipoleAccuracy::Degree(17)), "the degree is 17; it must be from 1 to 16");
    assert_eq!(
        with(MultipoleAccuracy::Error(f64::NAN)),
        "the wanted error is NaN; it must be greater than zero"
    );
    let separation = refused(MultipoleOptions { separation: 1.0, ..good });
    assert_eq!(separation, "the separation is 1.0; it must be more than 1 and at most 4");
    let domain = Aabb { low: Vector::repeat(1.0), high: Vector::repeat(0.0) };
    assert_eq!(
        refused(MultipoleOptions { domain: Some(domain), ..good }),
        "the domain is not a box: [1.0, 1.0, 1.0] to [0.0, 0.0, 0.0] must be finite and its low corner \
         below its high one"
    );
    let fine = MultipoleOptions {
        accuracy: MultipoleAccuracy::Error(1e-9),
        depth: OctreeDepth::Levels(4),
        ..good
    };
    let surface = Multipole::new(&sphere(4), FillRule::EvenOdd, &fine);
    assert!(matches!(surface, Err(MultipoleError::UnreachableError { .. })));
}

#[test]
fn points_that_are_not_finite_are_outside() {
    let surface = prepared(&sphere(3), &MultipoleOptions::default());
    for point in [[f64::NAN, 0.0, 0.0], [0.0, f64::INFINITY, 0.0], [1e300, 1e300, 1e300]] {
        let point = Vector::from(point);
        assert_eq!(surface.classify(&point), Containment::Outside);
        assert_eq!(surface.winding_number(&point), 0.0);
    }
}

#[test]
fn sides_are_right_for_very_small_and_large_bodies() {
    let unit = sphere(3);
    let points = points_in_box(1.3, 500);
    for size in [1e-305, 1e-300, 1e-100, 1e60] {
        let vertices = unit.vertices().iter().map(|vertex| vertex * size).collect();
        let mesh = TriangleMesh::new(vertices, unit.triangles().to_vec()).unwrap();
        let points: Vec<_> = points.iter().map(|point| point * size).collect();
        let expected =
            crate::inside::RayCrossing::new(&mesh, FillRule::Winding).classify_all(&points);
        let surface = prepared(&mesh, &MultipoleOptions::default());
        assert!(surface.classify_all(&points) == expected, "{size:e}");
    }
}

/// Small enough for an interpreter such as Miri, with a far field on two levels.
#[test]
fn a_small_surface_has_a_far_field_within_the_bound() {
    let mesh = sphere(if cfg!(miri) { 1 } else { 3 });
    let surface =
        prepared(&mesh, &options(MultipoleAccuracy::Degree(3), OctreeDepth::Levels(3), 1.5));
    let direct = DoubleLayer::new(&mesh, FillRule::Winding);
    let points = points_in_box(1.0, 5);
    let found = error(&surface, &direct, &points);
    assert!(found > 0.0 && found <= surface.error_bound(), "{found}");
}
