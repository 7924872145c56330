use super::*;
use crate::Error;
use carom_geometry::random::SplitMix64;
use carom_geometry::{Boundary, Vector};
use std::f64::consts::PI;

/// A body that flies along x toward another at rest.
fn collision(law: CompositeLaw, speed: f64, masses: [f64; 2], gap: f64) -> Simulation {
    let first =
        Body { velocity: [speed, 0., 0.].into(), ..Body::at_rest([0.0, 0.0, 0.0], 0.5, masses[0]) };
    let second = Body::at_rest([1.25 + gap, 0.0, 0.0], 0.75, masses[1]);
    Simulation::new(&[first, second], Settings::with_law(law)).unwrap()
}

/// Advances until the bodies have touched and separated again; returns how long they touched, and the largest
/// force on the second.
fn collide(simulation: &mut Simulation) -> [f64; 2] {
    let (mut touched, mut largest) = (0.0, 0.0_f64);
    let mass = simulation.body(1).mass;
    loop {
        let before = simulation.body(1).velocity;
        simulation.advance(1).unwrap();
        let force = (simulation.body(1).velocity - before) * mass / simulation.time_step();
        largest = largest.max(force.norm());
        match simulation.step_totals().contacts {
            0 if touched > 0.0 => return [touched, largest],
            0 => {}
            _ => touched += simulation.time_step(),
        }
    }
}

#[test]
fn as_much_of_the_speed_is_left_as_was_asked_for() {
    for law in [CompositeLaw::spring(1e5), CompositeLaw::hertz(1e6)] {
        for part in [1.0, 0.9, 0.5, 0.2] {
            for (speed, masses) in [(0.3, [1.0, 1.0]), (2.0, [0.4, 3.0])] {
                let law = CompositeLaw { damping: Damping::restitution(part), ..law };
                // A contact may begin anywhere within a step.
                let way = speed * collision(law, speed, masses, 1.0).time_step();
                for phase in 0..40 {
                    let gap = way * (f64::from(phase) + 0.5) / 40.0;
                    let mut simulation = collision(law, speed, masses, gap);
                    collide(&mut simulation);
                    simulation.advance(2).unwrap();
                    let [one, two] = [0, 1].map(|body| simulation.body(body).velocity.x);
                    let left = (two - one) / speed;
                    assert!((left - part).abs() < 1e-3, "{law:?} {speed} {phase}: {left}");
                    let momentum = masses[0] * one + masses[1] * two;
                    assert!((momentum - masses[0] * speed).abs() < 1e-12);
                }
            }
        }
    }
}

#[test]
fn an_elastic_collision_lasts_as_long_and_pushes_as_hard_as_hertz_says() {
    let (modulus, speed, masses) = (1e6, 0.5, [1.0, 2.0]);
    let law = CompositeLaw::hertz(modulus);
    let mut simulation = collision(law, speed, masses, 1e-6);
    let [lasted, largest] = collide(&mut simulation);
    let mass = 1.0 / (1.0 / masses[0] + 1.0 / masses[1]);
    let radius: f64 = 1.0 / (1.0 / 0.5 + 1.0 / 0.75);
    // K. Johnson, Contact Mechanics (1985), section 11.4.
    let deepest = (15.0 * mass * speed * speed / (16.0 * radius.sqrt() * modulus)).powf(0.4);
    let force = 4.0 / 3.0 * modulus * radius.sqrt() * deepest.powf(1.5);
    assert!((lasted / (2.943_274_8 * deepest / speed) - 1.0).abs() < 0.03, "{lasted}");
    assert!((largest / force - 1.0).abs() < 0.01, "{largest} {force}");
}

/// A sphere of mass and gravity one on a floor, at its equilibrium overlap.
fn on_floor(law: CompositeLaw, stiffness: f64, gravity: [f64; 3]) -> (Body, Settings) {
    let depth = -gravity[2] / stiffness;
    let body = Body::at_rest([0.0, 0.0, 0.5 - depth], 0.5, 1.0);
    let settings = Settings {
        walls: vec![Wall::plane([0., 0., 1.], 0.0)],
        gravity: gravity.into(),
        ..Settings::with_law(law)
    };
    (body, settings)
}

fn rough(stiffness: f64, friction: f64) -> CompositeLaw {
    CompositeLaw {
        damping: Damping::restitution(0.3),
        tangential: TangentialForceLaw::Spring { stiffness: 2.0 / 7.0 * stiffness, damping: 0.5 },
        friction_coefficient: friction,
        ..CompositeLaw::spring(stiffness)
    }
}

#[test]
fn a_sphere_that_slides_comes_to_roll_when_and_as_fast_as_theory_says() {
    let (friction, speed) = (0.2, 1.0);
    let (mut body, settings) = on_floor(rough(1e6, friction), 1e6, [0., 0., -1.]);
    body.velocity.x = speed;
    let mut simulation = Simulation::new(&[body], settings).unwrap();
    let rolls_from = 2.0 * speed / (7.0 * friction);
    while simulation.now() < 0.95 * rolls_from {
        simulation.advance(100).unwrap();
    }
    let sliding = simulation.body(0);
    assert!((sliding.velocity.x - (speed - friction * simulation.now())).abs() < 1e-3);
    assert!(sliding.velocity.x - 0.5 * sliding.angular_velocity.y > 0.01);
    while simulation.now() < 1.05 * rolls_from {
        simulation.advance(100).unwrap();
    }
    let rolling = simulation.body(0);
    assert!((rolling.velocity.x - 5.0 / 7.0 * speed).abs() < 1e-3, "{rolling:?}");
    assert!((rolling.angular_velocity.y * 0.5 - rolling.velocity.x).abs() < 1e-3, "{rolling:?}");
    // The friction loss is what the sphere has lost: 2/7 of its energy.
    let friction_loss = simulation.energy().friction_loss;
    assert!((friction_loss - 0.5 * speed * speed * 2.0 / 7.0).abs() < 1e-3, "{friction_loss}");
}

#[test]
fn on_a_slope_a_sphere_rolls_or_slides_as_theory_says() {
    for (slope, friction) in [(0.2_f64, 0.5), (0.8, 0.1)] {
        let gravity = [slope.sin(), 0.0, -slope.cos()];
        let (body, settings) = on_floor(rough(1e6, friction), 1e6, gravity);
        let mut simulation = Simulation::new(&[body], settings).unwrap();
        while simulation.now() < 1.0 {
            simulation.advance(100).unwrap();
        }
        let rolls = slope.tan() < 3.5 * friction;
        let wanted = match rolls {
            true => 5.0 / 7.0 * slope.sin(),
            false => slope.sin() - friction * slope.cos(),
        };
        let found = simulation.body(0).velocity.x / simulation.now();
        assert!((found - wanted).abs() < 2e-3 * wanted, "{slope}: {found} {wanted}");
    }
}

#[test]
fn resistance_stops_a_rolling_sphere_when_theory_says() {
    let part = 0.05;
    let law = CompositeLaw { rolling: RollingResistance::Constant(part), ..rough(1e6, 0.5) };
    let (mut body, settings) = on_floor(law, 1e6, [0., 0., -1.]);
    body.velocity.x = 1.0;
    body.angular_velocity.y = 2.0;
    let mut simulation = Simulation::new(&[body], settings).unwrap();
    while simulation.body(0).velocity.x > 0.0 && simulation.now() < 100.0 {
        simulation.advance(100).unwrap();
    }
    // The torque part * r * m g slows a sphere with the inertia 7/5 m r^2 about the floor.
    let wanted = 7.0 / 5.0 / part;
    assert!((simulation.now() / wanted - 1.0).abs() < 0.01, "{}", simulation.now());
}

#[test]
fn adhesion_holds_as_much_as_it_says() {
    let work = 0.3;
    let law = CompositeLaw {
        cohesion: Cohesion::Dmt { work_of_adhesion: work },
        damping: Damping::restitution(0.1),
        ..CompositeLaw::spring(1e4)
    };
    let strongest = 2.0 * PI * work * 0.5;
    for (pull, holds) in [(0.95, true), (1.05, false)] {
        let (body, settings) = on_floor(law, 1e4, [0.0, 0.0, pull * strongest]);
        let body = Body { position: [0.0, 0.0, 0.499_99].into(), ..body };
        let mut simulation = Simulation::new(&[body], settings).unwrap();
        while simulation.now() < 1.0 {
            simulation.advance(100).unwrap();
        }
        assert_eq!(simulation.step_totals().wall_contacts == 1, holds, "{pull}");
    }
}

/// Many bodies of several sizes and two materials in a periodic box, fast and close.
fn crowd(count: usize) -> (Vec<Body>, Settings) {
    let mut random = SplitMix64::new(5);
    let mut next = || 2.0 * random.uniform() - 1.0;
    let per_axis = (count as f64).cbrt().ceil() as usize;
    let bodies = (0..count).map(|number| {
        let place = [0, 1, 2].map(|axis| number / per_axis.pow(axis) % per_axis);
        let radius = 0.4 + 0.1 * next();
        let position = place.map(|k| 0.9 * (k as f64 + 0.5));
        Body {
            velocity: Vector::from_fn(|_, _| next()),
            angular_velocity: Vector::from_fn(|_, _| next()),
            material: (number % 2) as u32,
            ..Body::at_rest(position, radius, radius.powi(3))
        }
    });
    let (soft, hard) = (rough(2e4, 0.4), CompositeLaw { ..CompositeLaw::hertz(1e5) });
    let hard = CompositeLaw {
        tangential: TangentialForceLaw::Mindlin { modulus: 5e4, damping: 1.0 },
        damping: Damping::restitution(0.7),
        friction_coefficient: 0.3,
        ..hard
    };
    let size = Some(0.9 * per_axis as f64);
    let settings = Settings {
        boundary: Boundary::periodic([size; 3]).unwrap(),
        material_count: 2,
        contact_laws: vec![soft, hard, hard, hard],
        ..Settings::with_law(soft)
    };
    (bodies.collect(), settings)
}

fn bits(simulation: &Simulation) -> Vec<u64> {
    (0..simulation.body_count())
        .map(|number| simulation.body(number))
        .flat_map(|body| [body.position, body.velocity, body.angular_velocity])
        .flat_map(|vector| [vector.x, vector.y, vector.z].map(f64::to_bits))
        .collect()
}

#[test]
fn threads_and_pauses_do_not_change_a_bit() {
    // More than one block, so that bodies of different blocks touch.
    let (bodies, settings) = crowd(5000);
    let run = |threads: usize, pause: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
            for _ in 0..600 / pause {
                simulation.advance(pause).unwrap();
            }
            assert_eq!(simulation.steps(), 600);
            assert!(simulation.step_totals().contacts > 100 && simulation.searches() > 2);
            bits(&simulation)
        })
    };
    let one = run(1, 600);
    assert!(run(3, 600) == one);
    assert!(run(2, 25) == one);
}

#[test]
fn threads_do_not_change_what_force_functions_do() {
    // More bodies than one task has.
    let (bodies, settings) = crowd(10_000);
    let run = |pool: Option<usize>| {
        let steps = || {
            let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
            simulation.add_force_and_torque(|state, forces, torques| {
                let (velocities, turns) = (&state.velocities, &state.angular_velocities);
                for ((force, velocity), turn) in forces.iter_mut().zip(velocities).zip(turns) {
                    *force -= 0.3 * velocity + 0.1 * turn;
                }
                for (torque, turn) in torques.iter_mut().zip(turns) {
                    *torque -= 0.01 * turn;
                }
            });
            simulation.advance(60).unwrap();
            (bits(&simulation), simulation.energy().external_work.to_bits())
        };
        match pool {
            None => steps(),
            Some(threads) => {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(steps)
            }
        }
    };
    let alone = run(None);
    assert!(f64::from_bits(alone.1) < 0.0, "drag takes energy");
    assert!(run(Some(1)) == alone && run(Some(3)) == alone);
}

#[test]
fn a_saved_run_continues_to_the_bit() {
    let (bodies, settings) = crowd(3000);
    let floor = Wall {
        motion: WallMotion { velocity: [0., 0., 0.02].into(), ..WallMotion::none() },
        ..Wall::plane([0., 0., 1.], 0.0)
    };
    let size = settings.boundary.period(0);
    let boundary = Boundary::periodic([size, size, None]).unwrap();
    let gravity = [0., 0., -1.].into();
    let settings = Settings { walls: vec![floor], gravity, boundary, ..settings };
    let mut uncut = Simulation::new(&bodies, settings.clone()).unwrap();
    let mut cut = Simulation::new(&bodies, settings.clone()).unwrap();
    for steps in [1, 70, 300, 129, 100] {
        uncut.advance(steps).unwrap();
        let saved = cut.saved_state();
        cut = Simulation::resume(&saved, settings.clone()).unwrap();
        assert_eq!(cut.saved_state(), saved);
        cut.advance(steps).unwrap();
        assert!(cut.saved_state() == uncut.saved_state());
    }
    assert!(uncut.searches() > 2 && uncut.step_totals().wall_contacts > 10);
    let mut wrong = uncut.saved_state();
    wrong.order[0] = wrong.order[1];
    assert!(matches!(Simulation::resume(&wrong, settings), Err(Error::Saved(_))));
}

#[test]
fn momentum_and_energy_are_kept() {
    let (mut bodies, mut settings) = crowd(1000);
    settings.boundary = Boundary::open();
    // Toward each other, and not too fast.
    for body in &mut bodies {
        body.velocity -= (body.position - Vector::repeat(5.0)) * 0.2;
    }
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    let momenta = |simulation: &Simulation| {
        let all = (0..simulation.body_count()).map(|number| simulation.body(number));
        all.fold([Vector::zeros(); 2], |[linear, angular]: [Vector<3>; 2], body| {
            let inertia = 0.4 * body.mass * body.radius * body.radius;
            let momentum = body.velocity * body.mass;
            [
                linear + momentum,
                angular + body.position.cross(&momentum) + body.angular_velocity * inertia,
            ]
        })
    };
    let before = momenta(&simulation);
    let energy = simulation.energy().total();
    simulation.advance(4000).unwrap();
    let after = momenta(&simulation);
    for (before, after) in before.iter().zip(&after) {
        assert!((before - after).norm() < 1e-9, "{before} {after}");
    }
    let now = simulation.energy();
    assert!(
        now.damping_loss > 0.05 * energy && now.friction_loss > 0.01 * energy,
        "{now:?} {energy}"
    );
    assert!((now.total() / energy - 1.0).abs() < 5e-3, "{now:?} of {energy}");
}

#[test]
fn an_elastic_gas_keeps_its_energy() {
    let (bodies, settings) = crowd(216);
    let laws = vec![CompositeLaw::spring(2e4); 4];
    let mut simulation =
        Simulation::new(&bodies, Settings { contact_laws: laws, ..settings }).unwrap();
    let energy = simulation.energy().total();
    simulation.advance(100_000).unwrap();
    let now = simulation.energy();
    assert!((now.total() / energy - 1.0).abs() < 1e-3, "{now:?} of {energy}");
}

#[test]
fn contacts_remember_through_searches() {
    // On a slope a sphere is held by friction and rolling resistance; one that flies by makes the
    // search be repeated, which must not let it slip.
    let slope = 0.1_f64;
    let law = CompositeLaw { rolling: RollingResistance::Constant(0.3), ..rough(1e5, 0.5) };
    let (body, settings) = on_floor(law, 1e5, [slope.sin(), 0.0, -slope.cos()]);
    let fast = Body { velocity: [0., 50., 0.].into(), ..Body::at_rest([0., 9., 90.], 0.5, 1.0) };
    let [alone, passed] = [&[body][..], &[body, fast]].map(|bodies| {
        let mut simulation = Simulation::new(bodies, settings.clone()).unwrap();
        simulation.advance(4000).unwrap();
        (simulation.searches(), simulation.body(0).position)
    });
    assert!(alone.0 == 1 && passed.0 > 100, "{alone:?} {passed:?}");
    assert!((alone.1 - passed.1).norm() < 1e-12, "{alone:?} {passed:?}");
}

#[test]
fn discs_stay_in_their_plane() {
    let law = rough(1e4, 0.5);
    let mut settings = Settings::with_law(law);
    settings.gravity = [0., -1.].into();
    settings.walls = vec![
        Wall::plane([0., 1., 0.], 0.0),
        Wall::plane([1., 0., 0.], 0.0),
        Wall::plane([-1., 0., 0.], -4.0),
    ];
    let bodies: Vec<Body<2>> = (0..20)
        .map(|k| {
            let x = 0.6 + f64::from(k % 3) + 0.01 * f64::from(k);
            Body::at_rest([x, 0.6 + f64::from(k)], 0.5, 1.0)
        })
        .collect();
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    while simulation.now() < 40.0 {
        simulation.advance(1000).unwrap();
    }
    for number in 0..simulation.body_count() {
        let body = simulation.stored_body(number);
        assert_eq!((body.position.z, body.velocity.z), (0.0, 0.0));
        assert_eq!((body.angular_velocity.x, body.angular_velocity.y), (0.0, 0.0));
        assert!(body.position.y > 0.49 && (0.49..3.51).contains(&body.position.x));
    }
    assert!(simulation.energy().kinetic_energy < 0.1);
}

#[test]
fn what_cannot_be_is_refused_and_what_is_lost_is_named() {
    let law = CompositeLaw::spring(1e4);
    let refused = |body: Body, settings: Settings| {
        Simulation::new(&[body], settings).err().unwrap().to_string()
    };
    let body = Body::at_rest([0., 0., 0.], 0.5, 1.0);
    let said = refused(Body { mass: -1.0, ..body }, Settings::with_law(law));
    assert_eq!(said, "body 0 has mass -1; it must be finite and greater than zero");
    let said = refused(body, Settings { time_step: Some(f64::NAN), ..Settings::with_law(law) });
    assert_eq!(said, "the time step is NaN; it must be finite and greater than zero");
    let said = refused(Body { material: 1, ..body }, Settings::with_law(law));
    assert!(said.contains("there is no material"), "{said}");
    let gravity = [0.0, f64::NAN, 0.0].into();
    let said = refused(body, Settings { gravity, ..Settings::with_law(law) });
    assert_eq!(said, "gravity is NaN; it must be finite");
    let disc = Body::at_rest([0.0, 9.0], 0.5, 1.0);
    for (wall, is_in_plane) in [
        (Wall::plane([0.0, 1.0, 0.0], 0.0), true),
        (Wall::plane([0.0, 0.6, 0.8], 0.0), false),
        (Wall::plane([0.0, 0.0, 1.0], 0.0), false),
    ] {
        let settings = Settings { walls: vec![wall], ..Settings::with_law(law) };
        let said = Simulation::new(&[disc], settings).err().map(|error| error.to_string());
        assert!(said.as_ref().is_none_or(|said| said.contains("wall 0; in 2D")), "{said:?}");
        assert_eq!(said.is_none(), is_in_plane);
    }
    let mut simulation = Simulation::new(&[body], Settings::with_law(law)).unwrap();
    for cutoff in [0.0, f64::NAN, 1e101] {
        let error = simulation.add_pair_force(cutoff, |_, _| Default::default()).unwrap_err();
        assert!(error.to_string().contains("greater than zero and at most 1e100"), "{error}");
    }

    let bodies = [body, Body::at_rest([0.9, 0.0, 0.0], 0.5, 1.0)];
    let settings = Settings { time_step: Some(1.0), ..Settings::with_law(law) };
    let said = Simulation::new(&bodies, settings).err().unwrap().to_string();
    assert!(said.contains("to be stable"), "{said}");
    let floor = Settings { walls: vec![Wall::plane([0., 0., 1.], 0.2)], ..Settings::with_law(law) };
    let said = refused(body, floor);
    assert!(said.starts_with("body 0 penetrates wall 0 by 0.7 at the start"), "{said}");
    let settings = Settings { gravity: [1e200, 0., 0.].into(), ..Settings::with_law(law) };
    let mut simulation = Simulation::new(&bodies, settings).unwrap();
    let error = simulation.advance(1_000_000).unwrap_err();
    let message = error.to_string();
    assert!(matches!(error, Error::LostBody { body: 0, .. }), "{message}");
    assert!(message.contains("after a contact with body 1 while"), "{message}");
}

#[test]
fn one_contact_alone_comes_out_as_one_of_four() {
    // A rolling resistance of zero is the same law, but it is computed contact by contact.
    let (bodies, settings) = crowd(1000);
    let [four, one] = [RollingResistance::None, RollingResistance::Constant(0.0)].map(|rolling| {
        let laws =
            settings.contact_laws.iter().map(|law| CompositeLaw { rolling, ..*law }).collect();
        let settings = Settings { contact_laws: laws, ..settings.clone() };
        let mut simulation = Simulation::new(&bodies, settings).unwrap();
        simulation.advance(300).unwrap();
        simulation
    });
    assert!(four.step_totals().contacts > 100);
    assert!(bits(&four) == bits(&one));
}

#[test]
fn a_moment_knows_its_step_its_skin_and_its_contacts() {
    let (bodies, settings) = crowd(100);
    let settings = Settings { time_step: None, skin: None, ..settings };
    let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
    simulation.advance(200).unwrap();
    // Smaller and lighter than all others: it would have led to a shorter time step and a thinner skin.
    let light = Body::at_rest([-0.2, -0.2, -0.2], 0.01, 1e-4);
    simulation.insert(&[light]).unwrap();
    let resumed = Simulation::resume(&simulation.saved_state(), settings).unwrap();
    assert_eq!([resumed.time_step(), resumed.skin()], [simulation.time_step(), simulation.skin()]);
    assert!(
        simulation.step_totals().contacts > 0
            && simulation.step_totals().max_relative_overlap > 0.0
    );
    assert_eq!(resumed.step_totals(), simulation.step_totals());
}

#[test]
fn what_is_too_wide_for_the_box_is_refused_by_its_number() {
    let boundary = Boundary::periodic([None, Some(2.2), None]).unwrap();
    let settings = Settings { boundary, ..Settings::with_law(CompositeLaw::spring(1e4)) };
    let [narrow, wide] = [0.4, 0.5].map(|radius| Body::at_rest([0.0, 1.0, 0.0], radius, 1.0));
    let wide = Body { position: [5.0, 1.0, 0.0].into(), ..wide };
    // Alone it would fit; the skin is what does not.
    let error = Simulation::new(&[narrow, wide], settings.clone()).err().unwrap().to_string();
    assert_eq!(
        error,
        "body 1 has diameter 1.0 and the skin is 0.12; both together must be at most half of every \
         period of the box"
    );
    let mut simulation = Simulation::new(&[narrow], settings).unwrap();
    let error = simulation.insert(&[wide]).unwrap_err().to_string();
    assert!(error.starts_with("body 1 has diameter 1.0 and the skin is 0.12"), "{error}");
}

#[test]
fn without_bodies_there_is_no_step_to_choose() {
    let law = CompositeLaw::spring(1e4);
    let error = Simulation::<3>::new(&[], Settings::with_law(law)).err().unwrap().to_string();
    assert!(error.contains("without any the time step and the skin cannot be chosen"), "{error}");
    let settings = Settings { time_step: Some(1e-3), skin: Some(0.1), ..Settings::with_law(law) };
    let mut simulation = Simulation::new(&[], settings).unwrap();
    simulation.advance(10).unwrap();
    simulation.insert(&[Body::at_rest([0.0; 3], 0.5, 1.0)]).unwrap();
    assert_eq!(simulation.body_count(), 1);
}

#[test]
fn the_step_is_that_of_the_body_that_feels_lightest() {
    let points = (0..8).map(|k| Vector::from([k & 1, k >> 1 & 1, k >> 2].map(f64::from)));
    let cube = carom_geometry::shape::ConvexPolyhedron::hull(&points.collect::<Vec<_>>()).unwrap();
    let shape = Shape::convex(&cube, None).unwrap();
    let settings: Settings =
        Settings { shapes: vec![shape.clone()], ..Settings::with_law(CompositeLaw::spring(1e4)) };
    // At its corners a cube of mass one has an effective mass of a quarter.
    let cube = Body::shaped([0.0; 3], 0, &shape, 1.0);
    let ball = Body::at_rest([5.0, 0.0, 0.0], 0.5, 0.5);
    let both = choose_time_step(&[ball, cube], &settings).time_step;
    assert_eq!(both, choose_time_step(&[cube], &settings).time_step);
    assert!(both < choose_time_step(&[ball], &settings).time_step);
}

#[test]
fn bodies_that_come_in_change_neither_the_ledger_nor_what_is_there() {
    let (bodies, settings) = crowd(200);
    let (gravity, boundary) = ([0., 0., -1.].into(), Boundary::open());
    let settings = Settings { gravity, boundary, ..settings };
    let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
    simulation.advance(300).unwrap();
    let before = simulation.saved_state();
    let total = simulation.energy().total();
    let highest = before.bodies.iter().map(|body| body.position.z).fold(0.0, f64::max);
    let new = Body {
        velocity: [0., 0., -3.].into(),
        angular_velocity: [1., 0., 0.].into(),
        ..Body::at_rest([1., 2., highest + 1.5], 0.4, 2.0)
    };
    simulation
        .insert(&[new, Body { position: new.position + Vector::from([2., 0., 0.]), ..new }])
        .unwrap();
    assert_eq!((simulation.body_count(), simulation.body(200)), (202, new));
    let after = simulation.saved_state();
    assert_eq!((&after.contact_keys, &after.histories), (&before.contact_keys, &before.histories));
    let now = simulation.energy().total();
    assert!((now - total).abs() < 1e-9 * total.abs(), "{now} {total}");
    // A state saved with them continues to the bit.
    let mut resumed = Simulation::resume(&after, settings).unwrap();
    simulation.advance(400).unwrap();
    resumed.advance(400).unwrap();
    assert!(simulation.saved_state() == resumed.saved_state());
    let wrong = simulation.insert(&[Body { mass: 0.0, ..new }]).unwrap_err().to_string();
    assert!(wrong.starts_with("body 202 has mass 0"), "{wrong}");
}

#[test]
fn gravity_that_turns_does_work_that_is_counted() {
    // Free flight has a closed form.
    let gravity =
        Gravity { angular_velocity: [0., 0., 0.7].into(), ..Gravity::from([0., -2., 0.]) };
    let settings = Settings {
        gravity,
        time_step: Some(1e-3),
        ..Settings::with_law(CompositeLaw::spring(1e4))
    };
    let start = Body { velocity: [1., 0.5, 0.].into(), ..Body::at_rest([3., 4., 0.], 0.5, 1.5) };
    let mut simulation = Simulation::new(&[start], settings.clone()).unwrap();
    let total = simulation.energy().total();
    simulation.advance(4000).unwrap();
    let (turn, time) = (0.7_f64, simulation.now());
    let angle = turn * time;
    // g(t) = 2 (sin, -cos)(0.7 t), integrated once and twice.
    let velocity =
        Vector::from([1.0 + 2.0 / turn * (1.0 - angle.cos()), 0.5 - 2.0 / turn * angle.sin(), 0.0]);
    let body = simulation.body(0);
    assert!((body.velocity - velocity).norm() < 1e-5, "{} {velocity}", body.velocity);
    let energy = simulation.energy();
    assert!(energy.external_work.abs() > 5.0, "{energy:?}");
    assert!((energy.total() / total - 1.0).abs() < 1e-10, "{energy:?} {total}");
    let still =
        Settings { gravity: Gravity { angular_velocity: Vector::zeros(), ..gravity }, ..settings };
    let mut still = Simulation::new(&[start], still).unwrap();
    still.advance(4000).unwrap();
    assert_eq!(still.energy().external_work, 0.0);
    assert!((still.body(0).velocity.y - (0.5 - 2.0 * time)).abs() < 1e-9);
}

/// A body that is put into a wall in the middle of a run, as by wrapping through a periodic face.
#[test]
fn energy_out_of_nothing_ends_a_run_with_the_body_and_the_wall() {
    let bodies: Vec<Body> = (0..20)
        .map(|k| {
            let position = [1.0 + 1.5 * f64::from(k % 5), 2.0 + 1.5 * f64::from(k / 5), 2.0];
            let velocity = [0.1, 0.05 * f64::from(k % 3), -0.1].into();
            Body { velocity, ..Body::at_rest(position, 0.5, 1.0) }
        })
        .collect();
    let walls = vec![Wall::plane([1., 0., 0.], -9.0), Wall::plane([0., 0., 1.], 0.0)];
    let settings = Settings { walls, ..Settings::with_law(rough(1e4, 0.3)) };
    let run = |force: bool| {
        let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
        simulation.allow_energy_gain(force);
        simulation.advance(1000).unwrap();
        let mut saved = simulation.saved_state();
        let index = saved.order.iter().position(|&number| number == 7).unwrap();
        saved.bodies[index].position.z = 0.1;
        // As if it had come there since the energy balance was last computed.
        let before = simulation.energy_guard;
        let mut simulation = Simulation::resume(&saved, settings.clone()).unwrap();
        simulation.energy_guard = before;
        simulation.advance(1000)
    };
    match run(false) {
        Err(Error::EnergyJump { body, contact, gained, known, .. }) => {
            assert_eq!((&body[..], &contact[..]), ("body 7", "is in wall 1"));
            assert!(gained > 100.0 * known, "{gained} {known}");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(run(true), Ok(()));
}

/// Damping that takes more energy than there was accelerates bodies: that loss does not explain their speed.
#[test]
fn a_loss_out_of_nothing_excuses_no_gain() {
    let moving = |speed: f64| {
        let body = Body { velocity: [speed, 0.0, 0.0].into(), ..Body::at_rest([0.0; 3], 0.5, 1.0) };
        Simulation::new(&[body], Settings::with_law(rough(1e4, 0.3))).unwrap()
    };
    let mut simulation = moving(100.0);
    simulation.energy_guard = moving(1.0).energy_guard;
    simulation.losses.damping_loss = 1e6;
    match simulation.advance(1) {
        Err(Error::EnergyJump { gained, known, .. }) => assert!(gained > 1e5 && known < 1.0),
        other => panic!("{other:?}"),
    }
}
