use super::ContactShape;
use crate::dem::{
    Body, BodyContacts, CompositeLaw, Damping, Settings, Shape, Simulation, TangentialForceLaw,
    Wall,
};
use carom_geometry::mesh::{TriangleMesh, octahedron_sphere};
use carom_geometry::shape::ConvexPolyhedron;
use carom_geometry::{Sphere, Vector, embed_in_3d};
use nalgebra::UnitQuaternion;

fn cuboid(edges: [f64; 3]) -> ConvexPolyhedron {
    let corner = |k: usize| Vector::from_fn(|axis, _| edges[axis] * ((k >> axis & 1) as f64 - 0.5));
    ConvexPolyhedron::hull(&(0..8).map(corner).collect::<Vec<_>>()).unwrap()
}

pub(in crate::dem) fn cube() -> Shape {
    Shape::convex(&cuboid([1.0; 3]), None).unwrap()
}

fn rough(stiffness: f64) -> CompositeLaw {
    CompositeLaw {
        damping: Damping::restitution(0.5),
        tangential: TangentialForceLaw::Spring { stiffness: 2.0 / 7.0 * stiffness, damping: 0.5 },
        friction_coefficient: 0.5,
        ..CompositeLaw::spring(stiffness)
    }
}

fn angular_momentum(simulation: &Simulation) -> Vector<3> {
    let saved = simulation.saved_state();
    let all = saved.bodies.iter().zip(&saved.rotation_states);
    all.map(|(body, turn)| {
        turn.angular_momentum + body.position.cross(&(body.velocity * body.mass))
    })
    .sum()
}

#[test]
fn a_rotating_box_turns_over_and_keeps_energy_and_momentum() {
    let shape = Shape::convex(&cuboid([3.0, 2.0, 1.0]), None).unwrap();
    let angular_velocity = Vector::from([1e-3, 1.0, 0.0]);
    let body = Body { angular_velocity, ..Body::shaped([0.0; 3], 0, &shape, 2.0) };
    let settings = Settings {
        shapes: vec![shape],
        time_step: Some(0.01),
        ..Settings::with_law(CompositeLaw::spring(1.0))
    };
    let mut simulation = Simulation::new(&[body], settings).unwrap();
    let (energy, momentum) = (simulation.energy().rotational_energy, angular_momentum(&simulation));
    let mut turned_over = [false; 2];
    for _ in 0..20_000 {
        simulation.advance(1).unwrap();
        let own = simulation.body(0);
        let about_middle = (own.orientation.inverse() * own.angular_velocity).y;
        turned_over[usize::from(about_middle > 0.0)] |= about_middle.abs() > 0.9;
        assert!((simulation.energy().rotational_energy / energy - 1.0).abs() < 1e-4);
    }
    assert_eq!(turned_over, [true; 2], "Dzhanibekov's flips");
    assert!((angular_momentum(&simulation) - momentum).norm() < 1e-14);
    assert!((simulation.body(0).orientation.coords.norm() - 1.0).abs() < 1e-14);
}

/// A frame is written from these numbers, sign of zero included.
#[test]
fn a_moment_before_the_first_step_is_resumed_to_the_bit() {
    let shape = Shape::convex(&cuboid([3.0, 2.0, 1.0]), None).unwrap();
    let turned = |k: usize| Body {
        orientation: UnitQuaternion::from_euler_angles(k as f64, 2.0 * k as f64, -0.7 * k as f64),
        ..Body::shaped([5.0 * k as f64, 0.0, 0.0], 0, &shape, 2.0)
    };
    let bodies: Vec<Body> = (0..20).map(turned).collect();
    let settings =
        Settings { shapes: vec![shape.clone()], ..Settings::with_law(CompositeLaw::spring(1.0)) };
    let fresh = Simulation::new(&bodies, settings.clone()).unwrap();
    let resumed = Simulation::resume(&fresh.saved_state(), settings).unwrap();
    for number in 0..bodies.len() {
        let bits = |it: &Simulation| it.body(number).angular_velocity.map(f64::to_bits);
        assert_eq!(bits(&fresh), bits(&resumed), "body {number}");
    }
}

#[test]
fn the_moments_of_inertia_are_those_of_the_body() {
    let principal_inertia = |body: &ConvexPolyhedron| {
        let shape = Shape::convex(body, None).unwrap();
        ContactShape::prepare::<3>(&shape).unwrap().principal_inertia()
    };
    let expected = [5.0, 10.0, 13.0].map(|sum| sum / 12.0);
    let mut inertia: Vec<f64> =
        principal_inertia(&cuboid([3.0, 2.0, 1.0])).iter().copied().collect();
    inertia.sort_by(f64::total_cmp);
    assert!(inertia.iter().zip(expected).all(|(is, should)| (is - should).abs() < 1e-12));
    // Turned, its principal axes are found again.
    let turn = UnitQuaternion::from_euler_angles(0.3, -0.8, 1.1);
    let corners: Vec<_> =
        cuboid([3.0, 2.0, 1.0]).vertices().iter().map(|corner| turn * corner).collect();
    let turned = ConvexPolyhedron::hull(&corners).unwrap();
    let mut inertia: Vec<f64> = principal_inertia(&turned).iter().copied().collect();
    inertia.sort_by(f64::total_cmp);
    assert!(inertia.iter().zip(expected).all(|(is, should)| (is - should).abs() < 1e-9));
}

#[test]
fn stacked_cubes_stand_still() {
    let shape = cube();
    let stiffness = 1e5;
    let bodies: Vec<Body> = (0..3)
        .map(|k| {
            Body::shaped([0.05 * f64::from(k), 0.0, 0.5 + 1.0001 * f64::from(k)], 0, &shape, 1.0)
        })
        .collect();
    let settings = Settings {
        shapes: vec![shape],
        gravity: [0.0, 0.0, -9.81].into(),
        walls: vec![Wall::plane([0.0, 0.0, 1.0], 0.0)],
        ..Settings::with_law(rough(stiffness))
    };
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    let steps = (4.0 / simulation.time_step()) as u64;
    simulation.advance(steps).unwrap();
    for (number, start) in bodies.iter().enumerate() {
        let body = simulation.body(number);
        assert!(
            body.velocity.norm() < 1e-4 && body.angular_velocity.norm() < 1e-4,
            "{number} {body:?}"
        );
        assert!((body.position - start.position).norm() < 2e-3, "{number} {body:?}");
        assert!(body.orientation.angle() < 1e-3, "{number} {body:?}");
    }
}

/// Bodies of every kind that fall into a box upon each other.
pub(in crate::dem) fn mixture() -> (Vec<Body>, Settings) {
    let corners = [[1., 1., 1.], [1., -1., -1.], [-1., 1., -1.], [-1., -1., 1.]].map(Vector::from);
    let tetrahedron = ConvexPolyhedron::hull(&corners.map(|corner| corner * 0.5)).unwrap();
    let dumbbell = [Sphere::new([0.0, 0.0, 0.0], 0.3), Sphere::new([0.5, 0.0, 0.0], 0.4)];
    let shapes = vec![
        cube(),
        Shape::convex(&tetrahedron, Some(0.02)).unwrap(),
        Shape::clump(&dumbbell).unwrap(),
        Shape::mesh(&scaled(&octahedron_sphere(2), 0.6)).unwrap(),
    ];
    let mut bodies = Vec::new();
    for k in 0..48u32 {
        let place = [k % 4, k / 4 % 4, k / 16].map(|n| 0.9 + 1.9 * f64::from(n));
        let kind = k % 5;
        let body = match shapes.get(kind as usize) {
            Some(shape) => Body::shaped(place, kind, shape, 1.0),
            None => Body::at_rest(place, 0.5, 0.7),
        };
        let turned = 0.4 * f64::from(k);
        let velocity = Vector::from([turned.sin(), turned.cos(), -3.0]);
        let orientation = UnitQuaternion::from_euler_angles(turned, 0.3, 2.0 * turned);
        bodies.push(Body { velocity, orientation, ..body });
    }
    let side = 7.6;
    let walls = (0..3).flat_map(|axis| {
        let normal: Vector<3> = Vector::ith(axis, 1.0);
        [Wall::plane(normal, 0.0), Wall::plane(-normal, -side)]
    });
    let settings = Settings {
        shapes,
        gravity: [0.0, 0.0, -9.81].into(),
        walls: walls.collect(),
        ..Settings::with_law(rough(2e4))
    };
    (bodies, settings)
}

fn scaled(mesh: &TriangleMesh, factor: f64) -> TriangleMesh {
    let vertices = mesh.vertices().iter().map(|vertex| vertex * factor).collect();
    TriangleMesh::new(vertices, mesh.triangles().to_vec()).unwrap()
}

/// Bodies after a number of steps, which must have the same bits on two threads and when saved on the way.
pub(in crate::dem) fn run_all_ways(bodies: &[Body], settings: &Settings, steps: u64) -> Simulation {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = Simulation::new(bodies, settings.clone()).unwrap();
            simulation.advance(steps).unwrap();
            simulation
        })
    };
    let (one, two) = (run(1), run(2));
    assert!(one.saved_state() == two.saved_state(), "threads");
    let mut cut = Simulation::new(bodies, settings.clone()).unwrap();
    cut.advance(1777).unwrap();
    let mut cut = Simulation::resume(&cut.saved_state(), settings.clone()).unwrap();
    cut.advance(steps - 1777).unwrap();
    assert!(one.saved_state() == cut.saved_state(), "cut");
    one
}

#[test]
fn bodies_of_every_kind_keep_to_the_box_and_to_the_bits() {
    let (bodies, settings) = mixture();
    let one = run_all_ways(&bodies, &settings, 3000);
    assert!(one.step_totals().contacts + one.step_totals().wall_contacts > 20);
    for number in 0..bodies.len() {
        let place = one.body(number).position;
        assert!(place.iter().all(|&x| x > 0.1 && x < 7.5), "{number} {place}");
    }
}

#[test]
fn the_ledger_of_bodies_with_shapes_closes() {
    let (bodies, settings) = mixture();
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    let before = simulation.energy();
    simulation.advance(6000).unwrap();
    let after = simulation.energy();
    let scale = before.kinetic_energy + before.potential_energy;
    assert!(after.damping_loss > 0.1 * scale, "{after:?}");
    let drift = (after.total() - before.total()).abs() / scale;
    assert!(drift < 0.02, "{drift} {before:?} {after:?}");
}

#[test]
fn two_that_collide_keep_momentum_and_angular_momentum() {
    let shape = cube();
    let orientation = UnitQuaternion::from_euler_angles(0.5, 0.4, 0.3);
    let bodies = [
        Body { velocity: [1.0, 0.0, 0.0].into(), ..Body::shaped([0.0; 3], 0, &shape, 1.0) },
        Body { orientation, ..Body::shaped([1.5, 0.3, -0.2], 0, &shape, 2.0) },
    ];
    let settings = Settings { shapes: vec![shape], ..Settings::with_law(rough(1e4)) };
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    let before = angular_momentum(&simulation);
    let mut touched = false;
    while simulation.now() < 1.5 {
        simulation.advance(10).unwrap();
        touched |= simulation.step_totals().contacts > 0;
    }
    assert!(touched && simulation.body(1).angular_velocity.norm() > 0.1);
    let momentum: Vector<3> = (0..2).map(|k| simulation.body(k)).map(|b| b.velocity * b.mass).sum();
    assert!((momentum - Vector::from([1.0, 0.0, 0.0])).norm() < 1e-13);
    let change = angular_momentum(&simulation) - before;
    // A rounding of one in every step, of momenta and arms of about one.
    let rounding = simulation.steps() as f64 * f64::EPSILON;
    assert!(change.norm() < rounding, "{change} {rounding}");
}

#[test]
fn a_clump_of_one_sphere_is_a_sphere() {
    let law = rough(1e4);
    let ball = Shape::clump(&[Sphere::new([0.0, 0.0, 0.0], 0.5)]).unwrap();
    let gravity = [1.0, 0.0, -9.81].into();
    let walls = vec![Wall::plane([0.0, 0.0, 1.0], 0.0)];
    let plain = Settings { gravity, walls, time_step: Some(1e-4), ..Settings::with_law(law) };
    let shaped = Settings { shapes: vec![ball.clone()], ..plain.clone() };
    let start = [0.0, 0.0, 0.6];
    let mut sphere = Simulation::new(&[Body::at_rest(start, 0.5, 1.0)], plain).unwrap();
    let mut clump = Simulation::new(&[Body::shaped(start, 0, &ball, 1.0)], shaped).unwrap();
    for _ in 0..20 {
        sphere.advance(500).unwrap();
        clump.advance(500).unwrap();
        let [one, two] = [sphere.body(0), clump.body(0)];
        // Inertia is summed over columns.
        assert!((one.position - two.position).norm() < 1e-3, "{one:?} {two:?}");
        assert!(
            (one.angular_velocity - two.angular_velocity).norm()
                < 1e-3 * (1.0 + one.angular_velocity.norm()),
            "{one:?} {two:?}"
        );
    }
}

#[test]
fn squares_stand_on_each_other_in_the_plane() {
    let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(Vector::from);
    let square = Shape::polygon(&corners, None).unwrap();
    assert!((square.volume - 1.0).abs() < 1e-12 && square.radius < 0.71);
    let prepared = ContactShape::prepare::<2>(&square).unwrap();
    assert!((prepared.principal_inertia().z - 1.0 / 6.0).abs() < 1e-12);
    let bodies: Vec<Body<2>> = (0..3)
        .map(|k| Body::shaped([0.1 * f64::from(k), 0.5 + 1.0001 * f64::from(k)], 0, &square, 1.0))
        .collect();
    let settings = Settings {
        shapes: vec![square],
        gravity: [0.0, -9.81].into(),
        walls: vec![Wall::plane([0.0, 1.0, 0.0], 0.0)],
        ..Settings::with_law(rough(1e5))
    };
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    simulation.advance((3.0 / simulation.time_step()) as u64).unwrap();
    for (number, start) in bodies.iter().enumerate() {
        let body = simulation.body(number);
        assert_eq!((body.angular_velocity.x, body.angular_velocity.y), (0.0, 0.0));
        assert!(
            body.velocity.norm() < 1e-4 && body.angular_velocity.norm() < 1e-4,
            "{number} {body:?}"
        );
        assert!((body.position - start.position).norm() < 2e-3, "{number} {body:?}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let shape = cube();
    let settings = Settings { shapes: vec![shape.clone()], ..Settings::with_law(rough(1e4)) };
    let bodies =
        [Body::shaped([0.0; 3], 0, &shape, 1.0), Body::shaped([0.5, 0., 0.], 0, &shape, 1.0)];
    let error = Simulation::new(&bodies, settings.clone()).err().unwrap().to_string();
    assert!(error.starts_with("bodies 0 and 1 overlap by 0."), "{error}");
    let wrong = Body { shape: Some(1), ..bodies[0] };
    let error = Simulation::new(&[wrong], settings.clone()).err().unwrap().to_string();
    assert_eq!(error, "body 0 has shape 1; there is no shape of this number");
    let shapes = vec![Shape::convex(&cuboid([1.0; 3]), Some(0.5)).unwrap()];
    let error = Simulation::new(&bodies[..1], Settings { shapes, ..settings }).err().unwrap();
    assert!(error.to_string().starts_with("the rounding of a shape is 0.5"), "{error}");
    let flat = octahedron_sphere(0);
    let corners = flat.vertices().iter().map(|at| Vector::from([at.x, at.y, 0.0])).collect();
    let flat = TriangleMesh::new(corners, flat.triangles().to_vec()).unwrap();
    let error = Shape::mesh(&flat).err().unwrap().to_string();
    assert_eq!(error, "a shape cannot be used: its volume is 0.0");
}

fn hexagon() -> Shape {
    let corner = |k: u32| {
        let angle = std::f64::consts::FRAC_PI_3 * f64::from(k);
        Vector::from([0.5 * angle.cos(), 0.5 * angle.sin()])
    };
    Shape::polygon(&(0..6).map(corner).collect::<Vec<_>>(), None).unwrap()
}

#[test]
fn turned_hexagons_stay_in_their_plane_and_continue_from_a_save() {
    let shape = hexagon();
    let bodies: Vec<Body<2>> = (0..12)
        .map(|k| {
            let turned = UnitQuaternion::from_euler_angles(0.0, 0.0, 0.37 * f64::from(k) + 0.1);
            let place = [0.7 + 1.05 * f64::from(k % 3), 0.7 + 1.05 * f64::from(k / 3)];
            let velocity = [0.3 - 0.1 * f64::from(k % 5), -1.0].into();
            Body { velocity, orientation: turned, ..Body::shaped(place, 0, &shape, 1.0) }
        })
        .collect();
    let settings = Settings {
        shapes: vec![shape],
        gravity: [0.0, -9.81].into(),
        walls: vec![
            Wall::plane([0.0, 1.0, 0.0], 0.0),
            Wall::plane([1.0, 0.0, 0.0], 0.0),
            Wall::plane([-1.0, 0.0, 0.0], -3.6),
        ],
        ..Settings::with_law(rough(1e4))
    };
    let mut uncut = Simulation::new(&bodies, settings.clone()).unwrap();
    let mut touched = 0;
    for _ in 0..20 {
        uncut.advance(200).unwrap();
        touched += uncut.step_totals().contacts;
        for number in 0..bodies.len() {
            let Body { position, velocity, angular_velocity, .. } = uncut.stored_body(number);
            assert_eq!(
                (position.z, velocity.z, angular_velocity.x, angular_velocity.y),
                (0.0, 0.0, 0.0, 0.0)
            );
        }
        let mut cut = Simulation::resume(&uncut.saved_state(), settings.clone()).unwrap();
        cut.advance(10).unwrap();
        uncut.advance(10).unwrap();
        assert!(cut.saved_state() == uncut.saved_state());
    }
    assert!(touched > 50, "{touched}");
}

#[test]
fn a_plate_of_nine_spheres_lands_on_the_last_one() {
    let place = |k: u32| [f64::from(k % 3) - 1.0, f64::from(k / 3) - 1.0, 0.0];
    let spheres: Vec<_> = (0..9).map(|k| Sphere::new(place(k), 0.6)).collect();
    let shapes =
        vec![Shape::clump(&spheres).unwrap(), Shape::convex(&cuboid([9.0; 3]), None).unwrap()];
    // The corner of the last sphere is the lowest.
    let tip = UnitQuaternion::from_axis_angle(
        &nalgebra::Unit::new_normalize([1.0, -1.0, 0.0].into()),
        -0.2,
    );
    let lowest = (0..9).min_by(|&a, &b| {
        (tip * Vector::from(place(a))).z.total_cmp(&(tip * Vector::from(place(b))).z)
    });
    assert_eq!(lowest, Some(8));
    let plate = Body {
        velocity: [0.0, 0.0, -1.0].into(),
        orientation: tip,
        ..Body::shaped([0.0, 0.0, 4.5 + 0.6 + 0.3], 0, &shapes[0], 1.0)
    };
    let block = Body::shaped([0.0; 3], 1, &shapes[1], 1e6);
    let settings = Settings { shapes, ..Settings::with_law(rough(1e5)) };
    let mut simulation = Simulation::new(&[plate, block], settings).unwrap();
    let mut deepest = 0.0_f64;
    while simulation.now() < 1.0 {
        simulation.advance(1).unwrap();
        deepest = deepest.max(simulation.step_totals().max_relative_overlap);
        let own = simulation.body(0);
        let corner = own.position + own.orientation * Vector::from(place(8));
        assert!(corner.z > 5.05, "{corner}");
    }
    assert!(deepest > 0.001 && deepest < 0.1, "{deepest}");
}

#[test]
fn a_body_that_hops_forgets_the_floor_that_it_left() {
    // A tilted and rough floor: the tangential displacement of one contact is not kept for the next landing.
    let ball = Shape::mesh(&scaled(&octahedron_sphere(2), 0.5)).unwrap();
    let settings = Settings {
        shapes: vec![ball.clone()],
        gravity: [3.0, 0.0, -9.81].into(),
        walls: vec![Wall::plane([0.0, 0.0, 1.0], 0.0)],
        // So wide that no search between two hops clears the contact history.
        skin: Some(20.0),
        ..Settings::with_law(CompositeLaw { damping: Damping::None, ..rough(1e4) })
    };
    let start =
        Body { velocity: [1.0, 0.5, -1.0].into(), ..Body::shaped([0.0, 0.0, 0.6], 0, &ball, 1.0) };
    let mut uncut = Simulation::new(&[start], settings.clone()).unwrap();
    let mut cut = Simulation::new(&[start], settings.clone()).unwrap();
    let (mut landings, mut touched) = (0, 0);
    while landings < 4 {
        uncut.advance(1).unwrap();
        cut = Simulation::resume(&cut.saved_state(), settings.clone()).unwrap();
        cut.advance(1).unwrap();
        let touches = uncut.step_totals().wall_contacts;
        landings += u64::from(touches > touched);
        touched = touches;
        assert!(cut.saved_state() == uncut.saved_state(), "at {}", uncut.now());
    }
}

#[test]
fn a_shape_deep_in_a_wall_is_refused() {
    let dumbbell = [Sphere::new([0.0, 0.0, 0.0], 0.3), Sphere::new([0.5, 0.0, 0.0], 0.3)];
    let shapes = vec![
        cube(),
        Shape::clump(&dumbbell).unwrap(),
        Shape::mesh(&scaled(&octahedron_sphere(2), 0.6)).unwrap(),
    ];
    let walls = vec![Wall::plane([1.0, 0.0, 0.0], -9.0), Wall::plane([0.0, 0.0, 1.0], 0.0)];
    let settings = Settings { shapes: shapes.clone(), walls, ..Settings::with_law(rough(1e4)) };
    for (kind, shape) in (0..).zip(&shapes) {
        let away = Body::shaped([3.0, 0.0, 5.0], kind, shape, 1.0);
        let deep = Body::shaped([0.0, 0.0, 0.1], kind, shape, 1.0);
        let error = Simulation::new(&[away, deep], settings.clone()).err().unwrap().to_string();
        assert!(error.starts_with("body 1 penetrates wall 1 by "), "{error}");
        let above = Body::shaped([0.0, 0.0, 0.7], kind, shape, 1.0);
        assert!(Simulation::new(&[away, above], settings.clone()).is_ok());
    }
}

/// Returns the relative change of the energy of two bodies by a collision without friction or losses.
fn gained(shape: &Shape, bodies: [Body; 2], stiffness: f64) -> f64 {
    let settings = Settings {
        shapes: vec![shape.clone()],
        ..Settings::with_law(CompositeLaw::spring(stiffness))
    };
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    let before = simulation.energy().total();
    while simulation.now() < 2.0 {
        simulation.advance(10).unwrap();
    }
    assert!((simulation.body(0).velocity - bodies[0].velocity).norm() > 1e-3, "they did not meet");
    simulation.energy().total() / before - 1.0
}

/// One collision with edges that cross at a small angle, where the normal turns fast, and random ones.
#[test]
fn impacts_of_edges_and_corners_neither_gain_nor_lose() {
    let shape = cube();
    let body = |place: [f64; 3], way: f64, angular_velocity: Vector<3>, turn: Vector<3>| Body {
        velocity: [way, 0.0, 0.0].into(),
        angular_velocity,
        orientation: UnitQuaternion::from_scaled_axis(turn),
        ..Body::shaped(place, 0, &shape, 1.0)
    };
    let turned = Vector::from([0.0, 2.0 * 0.6_f64.asin(), 0.0]);
    let crossed = [
        body([-2.5, 0.0, 0.0], 1.5, [0.0, 0.6, 0.2].into(), Vector::zeros()),
        body([2.5, 0.8, 0.0], -1.5, [0.5, 0.0, -0.4].into(), turned),
    ];
    let change = gained(&shape, crossed, 1e5);
    assert!(change.abs() < 5e-3, "{change}");
    let mut random = carom_geometry::random::SplitMix64::keyed(3, &[]);
    let mut any = || Vector::from([0, 1, 2].map(|_| 2.0 * random.uniform() - 1.0));
    for case in 0..30 {
        let aside = any() * 0.4;
        let bodies = [
            body([-1.2, 0.0, 0.0], 1.5, any(), any() * 3.0),
            body([1.2, aside.y, aside.z], -1.5, any(), any() * 3.0),
        ];
        let change = gained(&shape, bodies, 1e5);
        assert!(change.abs() < 5e-3, "{case} {change}");
    }
}

/// In a stack of three bodies of height, volume and mass one, the mean pressure in each is that of all above and half
/// its own weight, along one of the axes.
#[test]
fn the_pressure_in_a_stack_is_that_of_the_weight() {
    let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]].map(Vector::from);
    assert_pressures_in_a_stack::<2>(Shape::polygon(&corners, None).unwrap());
    assert_pressures_in_a_stack::<3>(cube());
}

fn assert_pressures_in_a_stack<const D: usize>(shape: Shape) {
    let up = Vector::<D>::from_fn(|axis, _| if axis + 1 == D { 1.0 } else { 0.0 });
    let place = |k: u32| up * (0.4999 + 0.9999 * f64::from(k));
    let bodies: Vec<Body<D>> = (0..3).map(|k| Body::shaped(place(k), 0, &shape, 1.0)).collect();
    let settings = Settings {
        shapes: vec![shape],
        gravity: (up * -9.81).into(),
        walls: vec![Wall::plane(embed_in_3d(&up), 0.0)],
        ..Settings::with_law(rough(1e5))
    };
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    simulation.advance((1.0 / simulation.time_step()) as u64).unwrap();
    let BodyContacts { pressures, contacts, clusters } = simulation.body_contacts();
    for (pressure, above) in pressures.iter().zip([2.0, 1.0, 0.0]) {
        let expected = (above + 0.5) * 9.81 / D as f64;
        assert!((pressure / expected - 1.0).abs() < 1e-3, "{pressures:?} {expected}");
    }
    assert_eq!((contacts, clusters), (vec![1, 2, 1], vec![0; 3]));
}
