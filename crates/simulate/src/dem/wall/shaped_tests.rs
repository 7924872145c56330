use super::tests::{mesh, rough, tiles};
use super::{Wall, WallMotion, WallSurface};
use crate::dem::shape::tests::{cube, mixture, run_all_ways};
use crate::dem::{Body, CompositeLaw, Settings, Shape, Simulation};
use carom_geometry::shape::ConvexPolyhedron;
use carom_geometry::{Sphere, Vector};
use nalgebra::UnitQuaternion;

fn on<const D: usize>(wall: Wall, shape: &Shape) -> Settings<D> {
    let shapes = vec![shape.clone()];
    let down = Vector::<D>::from_fn(|axis, _| if axis + 1 == D { -9.81 } else { 0.0 });
    let gravity = down.into();
    Settings { walls: vec![wall], shapes, gravity, ..Settings::with_law(rough(0.4)) }
}

fn run<const D: usize>(bodies: &[Body<D>], settings: &Settings<D>, until: f64) -> Simulation<D> {
    let mut simulation = Simulation::new(bodies, settings.clone()).unwrap();
    while simulation.now() < until {
        simulation.advance(100).unwrap();
    }
    simulation
}

fn icosahedron() -> Shape {
    let golden = 0.5 * (1.0 + 5f64.sqrt());
    let mut corners = Vec::new();
    for axis in 0..3 {
        for (one, two) in [(1., golden), (-1., golden), (1., -golden), (-1., -golden)] {
            let mut corner = Vector::zeros();
            (corner[axis], corner[(axis + 1) % 3]) = (0.25 * one, 0.25 * two);
            corners.push(corner);
        }
    }
    Shape::convex(&ConvexPolyhedron::hull(&corners).unwrap(), None).unwrap()
}

#[test]
fn a_cube_slides_over_seams_as_over_one_triangle_and_over_a_plane() {
    let shape = cube();
    let start = Body::shaped([-2.9, -1.1, 0.5 - 5e-5], 0, &shape, 1.0);
    let body = Body { velocity: [5.0, 1.37, 0.0].into(), ..start };
    let whole = mesh(&[[-90., -90., 0.], [90., -90., 0.], [0., 90., 0.]], &[[0, 1, 2]]);
    let walls =
        [tiles(4), whole, WallSurface::Plane { point: Vector::zeros(), normal: Vector::z() }];
    let [tiled, whole, plane] = walls.map(|surface| {
        let end = run(&[body], &on(Wall::at_rest(surface), &shape), 2.5);
        let energy = end.energy();
        assert!(energy.kinetic_energy + energy.rotational_energy < 1e-9, "{energy:?}");
        (end.body(0), energy)
    });
    // It comes to rest after v^2 / (2 mu g), 3.4 lengths and so over several seams.
    assert!(tiled.0.position.x > 0.2, "{tiled:?}");
    assert!((tiled.0.position - whole.0.position).norm() < 1e-6, "{tiled:?} {whole:?}");
    assert!((tiled.0.position - plane.0.position).norm() < 5e-3, "{tiled:?} {plane:?}");
    let turned = tiled.0.orientation.angle_to(&plane.0.orientation);
    assert!(turned < 5e-3, "{turned} {tiled:?} {plane:?}");
    assert!(
        (tiled.1.friction_loss / plane.1.friction_loss - 1.0).abs() < 1e-2,
        "{tiled:?} {plane:?}"
    );
}

#[test]
fn a_cube_stands_still_on_triangles_and_on_their_rim() {
    let shape = cube();
    // In the middle of squares, on a corner of six triangles, and over the rim by less than a half.
    for (x, y) in [(0.5, 0.4), (0.0, 0.0), (0.3, 1.7), (1.8, 1.7)] {
        let body = Body::shaped([x, y, 0.501], 0, &shape, 1.0);
        let end = run(&[body], &on(Wall::at_rest(tiles(2)), &shape), 3.0);
        let (energy, rest) = (end.energy(), end.body(0));
        assert!(energy.kinetic_energy + energy.rotational_energy < 1e-12, "{x} {y} {energy:?}");
        assert!((rest.position - body.position).norm() < 2e-3, "{x} {y} {rest:?}");
    }
    // By more than a half it topples and falls.
    let body = Body::shaped([2.1, 0.4, 0.501], 0, &shape, 1.0);
    let end = run(&[body], &on(Wall::at_rest(tiles(2)), &shape), 3.0);
    assert!(end.body(0).position.z < -1.0, "{:?}", end.body(0));
}

#[test]
fn dice_do_not_fall_through_edges_and_corners() {
    let shape = icosahedron();
    let orientation = |k: u32| {
        let k = f64::from(k);
        UnitQuaternion::from_euler_angles(1.3 * k, 0.7 * k * k, 2.1 * k)
    };
    // On a corner of six triangles, and on the point of a pit.
    let pit = mesh(
        &[[0., 0., 0.], [3., 3., 3.], [-3., 3., 3.], [-3., -3., 3.], [3., -3., 3.]],
        &[[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]],
    );
    for (surface, radius) in [(tiles(2), 0.3), (pit, 0.3)] {
        for k in 0..6 {
            let start = Body::shaped([0.01, 0.02, 1.0], 0, &shape, 1.0);
            let body = Body { orientation: orientation(k), ..start };
            let end = run(&[body], &on(Wall::at_rest(surface.clone()), &shape), 3.0);
            let place = end.body(0).position;
            assert!(place.z > radius, "{k} {place}");
            let energy = end.energy();
            assert!(energy.kinetic_energy + energy.rotational_energy < 1e-3, "{k} {energy:?}");
            let drift = (energy.total() - 9.81).abs() / 9.81;
            assert!(drift < 0.01, "{k} {drift} {energy:?}");
        }
    }
}

/// The walls of the mixture as one closed mesh, with `along` squares along each side.
fn mesh_box(side: f64, along: u32) -> Wall {
    let (mut vertices, mut triangles) = (Vec::<[f64; 3]>::new(), Vec::new());
    let mut number = |vertex: [f64; 3]| {
        let found = vertices.iter().position(|other| *other == vertex);
        found.unwrap_or_else(|| {
            vertices.push(vertex);
            vertices.len() - 1
        }) as u32
    };
    let step = |k: u32| side * f64::from(k) / f64::from(along);
    for axis in 0..3 {
        for end in [0.0, side] {
            for (k, l) in (0..along).flat_map(|k| (0..along).map(move |l| (k, l))) {
                let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(more_k, more_l)| {
                    let mut vertex = [end; 3];
                    vertex[(axis + 1) % 3] = step(k + more_k);
                    vertex[(axis + 2) % 3] = step(l + more_l);
                    number(vertex)
                });
                triangles.extend([[a, b, c], [a, c, d]]);
            }
        }
    }
    Wall::at_rest(mesh(&vertices, &triangles))
}

#[test]
fn bodies_of_every_kind_keep_to_a_box_of_triangles_and_to_the_bits() {
    let (bodies, settings) = mixture();
    let settings = Settings { walls: vec![mesh_box(7.6, 5)], ..settings };
    let one = run_all_ways(&bodies, &settings, 6000);
    assert!(one.step_totals().wall_contacts > 10, "{:?}", one.step_totals());
    for number in 0..bodies.len() {
        let place = one.body(number).position;
        assert!(place.iter().all(|&x| x > 0.1 && x < 7.5), "{number} {place}");
    }
    let before = Simulation::new(&bodies, settings.clone()).unwrap().energy();
    let (after, scale) = (one.energy(), before.kinetic_energy + before.potential_energy);
    // As with planes.
    let drift = (after.total() - before.total()).abs() / scale;
    assert!(after.damping_loss > 0.1 * scale && drift < 0.02, "{drift} {before:?} {after:?}");
}

#[test]
fn a_clump_of_one_sphere_on_triangles_is_a_sphere() {
    let ball = Shape::clump(&[Sphere::new([0.0, 0.0, 0.0], 0.5)]).unwrap();
    let shaped = Settings {
        time_step: Some(1e-4),
        gravity: [1.0, 0.3, -9.81].into(),
        ..on(Wall::at_rest(tiles(4)), &ball)
    };
    let plain = Settings { shapes: Vec::new(), ..shaped.clone() };
    let start = [-2.2, 0.1, 0.6];
    let sphere = run(&[Body::at_rest(start, 0.5, 1.0)], &plain, 2.0).body(0);
    let clump = run(&[Body::shaped(start, 0, &ball, 1.0)], &shaped, 2.0).body(0);
    // Inertia is summed over columns.
    assert!((sphere.position - clump.position).norm() < 1e-3, "{sphere:?} {clump:?}");
    assert!(
        (sphere.angular_velocity - clump.angular_velocity).norm() < 3e-3,
        "{sphere:?} {clump:?}"
    );
}

#[test]
fn a_piston_of_triangles_hits_a_cube_as_hard_as_it_should() {
    let shape = cube();
    let turned = mesh(&[[0., -9., -9.], [0., 9., -9.], [0., 0., 9.]], &[[0, 1, 2]]);
    let piston = Wall {
        motion: WallMotion { velocity: [1., 0., 0.].into(), ..WallMotion::none() },
        ..Wall::at_rest(turned)
    };
    let settings = Settings { gravity: [0.; 3].into(), ..on(piston, &shape) };
    let end = run(&[Body::shaped([0.6, 0., 0.], 0, &shape, 2.0)], &settings, 0.5);
    let speed = end.body(0).velocity.x;
    assert!((speed - 1.3).abs() < 2e-3, "{speed}");
    let energy = end.energy();
    assert!((energy.external_work - 2.6).abs() < 1e-2 && energy.total().abs() < 1e-2, "{energy:?}");
}

#[test]
fn squares_stand_on_lines_of_the_plane() {
    let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(Vector::from);
    let square = Shape::polygon(&corners, None).unwrap();
    let points: Vec<[f64; 3]> = (0..9).map(|k| [f64::from(k) - 4.0, 0.0, 0.0]).collect();
    let line = mesh(&points, &(1..9).map(|k| [k - 1, k, k]).collect::<Vec<_>>());
    let bodies: Vec<Body<2>> = (0..3)
        .map(|k| {
            let place = [0.1 * f64::from(k), 0.5 + 1.0001 * f64::from(k)];
            Body::shaped(place, 0, &square, 1.0)
        })
        .collect();
    let fast = Body { velocity: [2.0, 0.0].into(), ..bodies[0] };
    let law = CompositeLaw { friction_coefficient: 0.4, ..rough(0.4) };
    let settings = Settings { contact_laws: vec![law], ..on(Wall::at_rest(line), &square) };
    let end = run(&bodies, &settings, 3.0);
    for (number, start) in bodies.iter().enumerate() {
        let body = end.body(number);
        assert_eq!((body.angular_velocity.x, body.angular_velocity.y), (0.0, 0.0));
        assert!(
            body.velocity.norm() < 1e-4 && body.angular_velocity.norm() < 1e-4,
            "{number} {body:?}"
        );
        assert!((body.position - start.position).norm() < 2e-3, "{number} {body:?}");
    }
    // It slides by v^2 / (2 mu g), and over the ends of segments.
    let slid = run(&[fast], &settings, 2.0).body(0);
    assert!((slid.position.x - 4.0 / (2.0 * 0.4 * 9.81)).abs() < 5e-3, "{slid:?}");
}
