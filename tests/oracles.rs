//! One and two bodies with known analytic motion, and the messages of refusals.

#![allow(clippy::unwrap_used)]

use carom::geometry::Vector;
use carom::simulate::Error;
use carom::simulate::event_driven::{
    BodyStart, BoundaryCondition, ForceField, GrowthTarget, LubachevskyStillingerGrowth,
    NeighborStructure, Region, Restitution, Settings, Simulation, Thermostat,
};

/// Runs two bodies of radius one in a wide plane until long after they have collided.
fn after_collision(a: BodyStart<2>, b: BodyStart<2>, restitution: Restitution) -> Simulation<2> {
    let mut settings = Settings::new(Region::walled([1000.0, 1000.0]));
    settings.restitutions = vec![restitution];
    let mut simulation = Simulation::new(&[a, b], settings).unwrap();
    simulation.advance(10.0, u64::MAX);
    simulation
}

fn body(position: [f64; 2], velocity: [f64; 2], mass: f64) -> BodyStart<2> {
    BodyStart { mass, ..BodyStart::new(position, velocity, 1.0) }
}

#[track_caller]
fn assert_near<const D: usize>(found: Vector<D>, expected: [f64; D], tolerance: f64) {
    let miss = (found - Vector::from(expected)).norm();
    assert!(miss <= tolerance, "{found:?} misses {expected:?} by {miss:e}");
}

#[test]
fn equal_masses_swap_head_on() {
    let (a, b) = (body([100.0, 100.0], [2.0, 0.0], 1.0), body([110.0, 100.0], [-1.0, 0.0], 1.0));
    let simulation = after_collision(a, b, Restitution::Constant(1.0));
    assert_eq!(simulation.counters().collisions, 1);
    assert_eq!(simulation.velocity(0), Vector::from([-1.0, 0.0]));
    assert_eq!(simulation.velocity(1), Vector::from([2.0, 0.0]));
    // They meet after 8/3, at 105 1/3 and 107 1/3.
    let (left, met) = (10.0 - 8.0 / 3.0, 100.0 + 16.0 / 3.0);
    assert_near(simulation.position(0), [met - left, 100.0], 1e-12);
    assert_near(simulation.position(1), [met + 2.0 + 2.0 * left, 100.0], 1e-12);
}

#[test]
fn restitution_turns_the_relative_speed_into_minus_e_of_it() {
    for e in [0.0, 0.3, 0.9] {
        let (a, b) =
            (body([100.0, 100.0], [2.0, 0.0], 1.0), body([110.0, 100.0], [-1.0, 0.0], 1.0));
        let simulation = after_collision(a, b, Restitution::Constant(e));
        let relative = simulation.velocity(1).x - simulation.velocity(0).x;
        assert!((relative - 3.0 * e).abs() < 1e-14, "{relative} for e {e}");
        let sum = simulation.velocity(1).x + simulation.velocity(0).x;
        assert!((sum - 1.0).abs() < 1e-14, "momentum {sum} for e {e}");
    }
}

#[test]
fn unequal_masses_share_momentum_and_energy() {
    let (a, b) = (body([100.0, 100.0], [2.0, 0.0], 3.0), body([110.0, 100.0], [-2.0, 0.0], 1.0));
    let simulation = after_collision(a, b, Restitution::Constant(1.0));
    // v1 = ((m1 - m2) u1 + 2 m2 u2) / (m1 + m2) and so on.
    assert_near(simulation.velocity(0), [0.0, 0.0], 1e-15);
    assert_near(simulation.velocity(1), [4.0, 0.0], 1e-15);
}

#[test]
fn a_light_body_bounces_off_a_heavy_one() {
    let (a, b) = (body([100.0, 100.0], [2.0, 0.0], 1e-9), body([110.0, 100.0], [-1.0, 0.0], 1e9));
    let simulation = after_collision(a, b, Restitution::Constant(1.0));
    assert_near(simulation.velocity(0), [-4.0, 0.0], 1e-14);
    assert_near(simulation.velocity(1), [-1.0, 0.0], 1e-14);
}

#[test]
fn an_oblique_collision_turns_the_normal_part_only() {
    // At contact the centers are (1, sqrt 3) apart: the normal is at 60 degrees.
    let offset = 3f64.sqrt();
    let (a, b) =
        (body([100.0, 100.0], [1.0, 0.0], 1.0), body([105.0, 100.0 + offset], [0.0; 2], 1.0));
    let simulation = after_collision(a, b, Restitution::Constant(0.5));
    // The normal component of the approach is 1/2; each changes by (1 + e)/2 of it along (1/2, sqrt(3)/2).
    let change = 0.375;
    assert_near(simulation.velocity(0), [1.0 - change * 0.5, -change * 0.5 * offset], 1e-14);
    assert_near(simulation.velocity(1), [change * 0.5, change * 0.5 * offset], 1e-14);
}

#[test]
fn a_grazing_body_is_hit_and_a_passing_one_is_not() {
    for (offset, meets) in [(2.0 - 1e-9, true), (2.0 + 1e-9, false)] {
        let a = body([100.0, 100.0], [1.0, 0.0], 1.0);
        let b = body([105.0, 100.0 + offset], [0.0; 2], 1.0);
        let simulation = after_collision(a, b, Restitution::Constant(1.0));
        assert_eq!(simulation.counters().collisions, u64::from(meets), "offset {offset}");
        // The normal is nearly perpendicular: its component along the motion is sqrt(1 - (offset/2)^2).
        let along = (1.0 - 0.25 * offset * offset).max(0.0).sqrt();
        let expected = [along * along, along * 0.5 * offset];
        assert_near(simulation.velocity(1), expected, 1e-9);
    }
}

#[test]
fn velocity_dependent_restitution_falls_with_speed() {
    let law = Restitution::Speed { at_rest: 1.0, at_speed: 0.8, speed: 1.0, exponent: 0.2 };
    for speed in [0.1f64, 1.0, 32.0] {
        let (a, b) = (body([400.0, 100.0], [speed, 0.0], 1.0), body([402.5, 100.0], [0.0; 2], 1.0));
        let simulation = after_collision(a, b, law);
        let e = 1.0 - 0.2 * speed.powf(0.2);
        let relative = simulation.velocity(1).x - simulation.velocity(0).x;
        assert!((relative - e * speed).abs() < 1e-13, "{relative} at {speed}");
    }
    // So fast that nothing is left.
    let (a, b) = (body([400.0, 100.0], [1e5, 0.0], 1.0), body([402.5, 100.0], [0.0; 2], 1.0));
    let mut settings = Settings::new(Region::walled([1000.0, 1000.0]));
    settings.restitutions = vec![law];
    let mut simulation = Simulation::new(&[a, b], settings).unwrap();
    simulation.advance(1e-4, 1);
    assert_near(simulation.velocity(1), [5e4, 0.0], 1e-9);
}

#[test]
fn the_softer_of_two_materials_decides() {
    let e = |value| Restitution::Constant(value);
    for (first, second, expected) in [(0, 0, 1.0), (0, 1, 0.5), (1, 0, 0.5), (1, 1, 0.5)] {
        let mut settings = Settings::new(Region::walled([100.0, 100.0]));
        settings.restitutions = vec![e(1.0), e(0.5)];
        let bodies = [
            BodyStart { material: first, ..body([10.0, 50.0], [1.0, 0.0], 1.0) },
            BodyStart { material: second, ..body([15.0, 50.0], [0.0; 2], 1.0) },
        ];
        let mut simulation = Simulation::new(&bodies, settings).unwrap();
        simulation.advance(5.0, u64::MAX);
        let relative = simulation.velocity(1).x - simulation.velocity(0).x;
        assert_eq!(relative, expected, "materials {first} and {second}");
    }
}

#[test]
fn a_wall_mirrors_and_takes_its_part() {
    for e in [1.0, 0.5, 0.0] {
        let mut settings = Settings::new(Region::walled([10.0, 10.0]));
        settings.region.boundary_conditions[0] = BoundaryCondition::Wall { restitution: Some(e) };
        let mut simulation =
            Simulation::new(&[body([5.0, 5.0], [2.0, 0.25], 3.0)], settings).unwrap();
        simulation.advance(3.0, u64::MAX);
        assert_near(simulation.velocity(0), [-2.0 * e, 0.25], 0.0);
        // It touches the wall at 9 after 2.
        assert_near(simulation.position(0), [9.0 - 2.0 * e, 5.75], 1e-15);
        let counters = simulation.counters();
        assert_eq!(counters.wall_collisions, 1);
        assert_eq!(counters.wall_momentum, 3.0 * 2.0 * (1.0 + e));
        assert_eq!(counters.dissipated, 0.5 * 3.0 * 4.0 * (1.0 - e * e));
    }
}

#[test]
fn bodies_meet_across_the_seam() {
    for structure in NeighborStructure::ALL {
        let mut settings = Settings::new(Region::periodic([20.0, 20.0]));
        settings.structure = structure;
        settings.count_passages = true;
        let bodies = [body([2.0, 5.0], [-3.0, 0.0], 1.0), body([17.0, 5.0], [0.0; 2], 1.0)];
        let mut simulation = Simulation::new(&bodies, settings).unwrap();
        simulation.advance(2.0, u64::MAX);
        // Five apart through the seam, three of it free: they touch after 1, at -1 = 19 and 17.
        assert_eq!(simulation.counters().collisions, 1, "{structure:?}");
        assert_eq!(simulation.counters().passages, 1, "{structure:?}");
        assert_near(simulation.position(0), [19.0, 5.0], 1e-14);
        assert_near(simulation.unwrapped_position(0), [-1.0, 5.0], 1e-14);
        assert_near(simulation.position(1), [14.0, 5.0], 1e-14);
        simulation.advance(20.0, u64::MAX);
        // The other way round the box 16 are free, so they meet again every 16/3.
        assert_eq!(simulation.counters().collisions, 4, "{structure:?}");
        assert_near(
            simulation.unwrapped_position(0) + simulation.unwrapped_position(1),
            [-41.0, 10.0],
            1e-12,
        );
    }
}

#[test]
fn a_thrown_ball_flies_a_parabola() {
    let mut settings = Settings::new(Region::walled([100.0, 100.0, 100.0]));
    settings.gravity = [0.5, 0.0, -2.0].into();
    let ball = BodyStart::new([50.0, 50.0, 50.0], [1.0, 2.0, 3.0], 1.0);
    let mut simulation = Simulation::new(&[ball], settings).unwrap();
    for step in 1..=40 {
        let t = 0.2 * f64::from(step);
        simulation.advance(t, u64::MAX);
        let expected = [50.0 + t + 0.25 * t * t, 50.0 + 2.0 * t, 50.0 + 3.0 * t - t * t];
        assert_near(simulation.position(0), expected, 1e-13);
        assert_near(simulation.velocity(0), [1.0 + 0.5 * t, 2.0, 3.0 - 2.0 * t], 1e-13);
    }
    assert_eq!(simulation.counters().wall_collisions, 0);
}

/// Errors at field periods, each half of the one before, must fall like their squares: on average over three halvings,
/// since the phase of a collision within a period is random.
#[track_caller]
fn assert_second_order(error: impl Fn(f64) -> f64, tolerance: f64) {
    let errors = [0.04, 0.02, 0.01, 0.005].map(error);
    let order = (errors[0] / errors[3]).log2() / 3.0;
    println!("order {order:.3}: {errors:?}");
    assert!((order - 2.0).abs() < tolerance, "order {order} of {errors:?}");
    assert!(errors[3] < 1e-4, "{errors:?}");
}

fn open_plane(field: ForceField<2>) -> Settings<2> {
    let mut settings = Settings::new(Region::walled([20.0, 20.0]));
    settings.region.boundary_conditions = [BoundaryCondition::Open; 2];
    settings.field = Some(field);
    settings
}

#[test]
fn a_trap_makes_an_oscillator_to_second_order() {
    assert_second_order(
        |period| {
            let settings =
                open_plane(ForceField::drag_and_trap(period, 0.0, 4.0, [10.0, 10.0].into()));
            let start = body([12.0, 10.0], [0.0, 1.0], 1.0);
            let mut simulation = Simulation::new(&[start], settings).unwrap();
            let mut worst = 0.0f64;
            for step in 1..=50 {
                let t = 0.1 * f64::from(step);
                simulation.advance(t, u64::MAX);
                let phase: f64 = 2.0 * t;
                let expected = Vector::from([10.0 + 2.0 * phase.cos(), 10.0 + 0.5 * phase.sin()]);
                worst = worst.max((simulation.position(0) - expected).norm());
            }
            worst
        },
        0.1,
    );
}

#[test]
fn drag_slows_exponentially_to_second_order() {
    assert_second_order(
        |period| {
            let settings = open_plane(ForceField::drag_and_trap(period, 1.5, 0.0, [0.0; 2].into()));
            let mut simulation =
                Simulation::new(&[body([5.0, 5.0], [3.0, -1.0], 1.0)], settings).unwrap();
            let mut worst = 0.0f64;
            for step in 1..=20 {
                let t = 0.2 * f64::from(step);
                simulation.advance(t, u64::MAX);
                let expected = Vector::from([3.0, -1.0]) * (-1.5 * t).exp();
                worst = worst.max((simulation.velocity(0) - expected).norm());
            }
            worst
        },
        0.1,
    );
}

/// Two bodies released at rest on both sides of a trap collide in the middle again and again: each is `A cos(w t)` from
/// the middle until it reaches its radius, mirrored there.
#[test]
fn two_bodies_in_a_trap_meet_to_second_order() {
    let (amplitude, frequency): (f64, f64) = (3.0, 2.0);
    let collision_time = (1.0 / amplitude).acos() / frequency;
    assert_second_order(
        |period| {
            let center = Vector::from([10.0, 10.0]);
            let settings =
                open_plane(ForceField::drag_and_trap(period, 0.0, frequency.powi(2), center));
            let bodies = [
                body([10.0 - amplitude, 10.0], [0.0; 2], 1.0),
                body([10.0 + amplitude, 10.0], [0.0; 2], 1.0),
            ];
            let mut simulation = Simulation::new(&bodies, settings).unwrap();
            let mut worst = 0.0f64;
            for step in 1..=40 {
                let t = 0.1 * f64::from(step);
                simulation.advance(t, u64::MAX);
                // Time since the last turning point, which lie two collision_time times apart.
                let nearest = (t / (2.0 * collision_time)).round() * 2.0 * collision_time;
                let expected = amplitude * (frequency * (t - nearest)).cos();
                worst = worst.max((simulation.position(1).x - 10.0 - expected).abs());
                let sum = simulation.position(0).x + simulation.position(1).x;
                assert!((sum - 20.0).abs() < 1e-9, "off the middle by {sum}");
            }
            let collisions = ((4.0 / collision_time + 1.0) / 2.0) as u64;
            assert_eq!(simulation.counters().collisions, collisions);
            worst
        },
        0.4,
    );
}

/// A field that changes with time and place, against a fine Runge-Kutta integration.
#[test]
fn any_field_is_followed_to_second_order() {
    let acts = |x: Vector<2>, v: Vector<2>, t: f64| {
        Vector::from([(x.y + t).sin() - 0.1 * v.x, x.x.cos() + 0.2 * v.x])
    };
    let integrate = |until: f64| {
        let (mut x, mut v) = (Vector::from([5.0, 5.0]), Vector::from([0.5, 0.0]));
        let steps = 10_000;
        let h = until / f64::from(steps);
        for step in 0..steps {
            let t = h * f64::from(step);
            let a1 = acts(x, v, t);
            let (x2, v2) = (x + v * (0.5 * h), v + a1 * (0.5 * h));
            let a2 = acts(x2, v2, t + 0.5 * h);
            let (x3, v3) = (x + v2 * (0.5 * h), v + a2 * (0.5 * h));
            let a3 = acts(x3, v3, t + 0.5 * h);
            let (x4, v4) = (x + v3 * h, v + a3 * h);
            let a4 = acts(x4, v4, t + h);
            x += (v + v2 * 2.0 + v3 * 2.0 + v4) * (h / 6.0);
            v += (a1 + a2 * 2.0 + a3 * 2.0 + a4) * (h / 6.0);
        }
        x
    };
    let expected = integrate(5.0);
    assert_second_order(
        |period| {
            let field = ForceField { dissipative: false, ..ForceField::new(period, acts) };
            let start = body([5.0, 5.0], [0.5, 0.0], 1.0);
            let mut simulation = Simulation::new(&[start], open_plane(field)).unwrap();
            simulation.advance(5.0, u64::MAX);
            (simulation.position(0) - expected).norm()
        },
        0.1,
    );
}

fn refusal(bodies: &[BodyStart<2>], change: impl FnOnce(&mut Settings<2>)) -> String {
    let mut settings = Settings::new(Region::walled([10.0, 10.0]));
    change(&mut settings);
    let error: Error = Simulation::new(bodies, settings).err().expect("this start is not possible");
    error.to_string()
}

fn nothing(_: &mut Settings<2>) {}

#[test]
fn a_start_that_is_not_possible_is_refused_in_one_sentence() {
    let good = body([5.0, 5.0], [0.0; 2], 1.0);
    let with = |change: fn(&mut BodyStart<2>)| {
        let mut bodies = [body([2.0, 2.0], [0.0; 2], 1.0), good];
        change(&mut bodies[1]);
        refusal(&bodies, nothing)
    };
    assert_eq!(
        with(|body| body.position = [3.5, 2.0].into()),
        "bodies 0 and 1 overlap by 0.5 at the start; an event-driven run needs a start without overlap"
    );
    assert_eq!(
        with(|body| body.position.y = 9.5),
        "body 1 with radius 1 is at 9.5 on axis y, outside the box from 0 to 10; move it inside or make the box larger"
    );
    let positive = "it must be finite and greater than zero";
    assert_eq!(with(|body| body.radius = 0.0), format!("body 1 has radius 0; {positive}"));
    assert_eq!(with(|body| body.radius = f64::NAN), format!("body 1 has radius NaN; {positive}"));
    assert_eq!(with(|body| body.mass = -2.0), format!("body 1 has mass -2; {positive}"));
    assert_eq!(
        with(|body| body.velocity.x = f64::INFINITY),
        "body 1 has a velocity inf; it must be finite"
    );
    assert_eq!(
        with(|body| body.position.x = f64::NAN),
        "body 1 has a coordinate NaN; it must be finite"
    );
    assert_eq!(
        with(|body| body.material = 1),
        "body 1 has material 1; there is no material of this number"
    );
    assert_eq!(refusal(&[], nothing), "number of bodies is 0; it must be from 1 to 2147483647");
}

#[test]
fn a_setting_that_is_not_possible_is_refused_in_one_sentence() {
    let with = |change: fn(&mut Settings<2>)| refusal(&[body([5.0; 2], [0.0; 2], 1.0)], change);
    let positive = "it must be finite and greater than zero";
    for e in [1.5, -0.1, f64::NAN] {
        assert_eq!(
            refusal(&[body([5.0; 2], [0.0; 2], 1.0)], |settings| {
                settings.restitutions = vec![Restitution::Constant(e)];
            }),
            format!("restitution is {e}; it must be from 0 to 1")
        );
    }
    assert_eq!(
        with(|settings| settings.region.boundary_conditions[1] =
            BoundaryCondition::Wall { restitution: Some(2.0) }),
        "wall restitution is 2; it must be from 0 to 1"
    );
    assert_eq!(
        with(|settings| settings.region = Region::periodic([10.0, 3.0])),
        "body 0 with radius 1 is at 5 on axis y, outside the box from 0 to 3; move it inside or make the box larger"
    );
    assert_eq!(
        refusal(&[body([2.0; 2], [0.0; 2], 1.0)], |settings| {
            settings.region = Region::periodic([10.0, 4.0]);
        }),
        "the period 4 of axis y is too short for bodies of diameter 2; it must be more than twice the diameter"
    );
    assert_eq!(
        with(|settings| {
            settings.region = Region::periodic([9.0, 9.0]);
            settings.structure = NeighborStructure::CellGrid;
        }),
        "the box is 9 long on axis x, too short for the cell-grid with bodies 2 wide; it needs five cells along a periodic axis, so choose neighbor-lists or auto"
    );
    assert_eq!(
        with(|settings| settings.region.size.y = f64::NAN),
        "box size is NaN; it must be between 1e-100 and 1e100"
    );
    assert_eq!(
        with(|settings| settings.gravity.y = f64::NEG_INFINITY),
        "gravity is -inf; it must be finite"
    );
    assert_eq!(
        with(|settings| settings.contact_time = Some(-1.0)),
        "contact time is -1; it must be finite and not negative"
    );
    assert_eq!(
        with(|settings| settings.field =
            Some(ForceField::drag_and_trap(0.0, 1.0, 0.0, [0.0; 2].into()))),
        format!("field period is 0; {positive}")
    );
    assert_eq!(
        with(|settings| {
            settings.growth = Some(LubachevskyStillingerGrowth {
                rate: 0.1,
                until: Some(GrowthTarget::PackingFraction(0.01)),
            });
        }),
        "packing fraction to reach is 0.01; radii only grow, so it must be larger than that of the start"
    );
    assert_eq!(
        with(|settings| {
            settings.growth = Some(LubachevskyStillingerGrowth {
                rate: 0.0,
                until: Some(GrowthTarget::Pressure(10.0)),
            });
        }),
        format!("growth rate is 0; {positive}")
    );
    assert_eq!(
        with(|settings| {
            settings.thermostat = Some(Thermostat::Kicks { temperature: -1.0, rate: 1.0 });
        }),
        format!("thermostat temperature is -1; {positive}")
    );
}
