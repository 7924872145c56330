use super::*;
use crate::dem::{Body, CompositeLaw, Damping, Settings, Simulation, TangentialForceLaw};
use carom_geometry::mesh::TriangleMesh;
use nalgebra::Rotation3;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

pub(super) fn rough(friction: f64) -> CompositeLaw {
    CompositeLaw {
        damping: Damping::restitution(0.3),
        tangential: TangentialForceLaw::Spring { stiffness: 2.0 / 7.0 * 1e5, damping: 0.5 },
        friction_coefficient: friction,
        ..CompositeLaw::spring(1e5)
    }
}

pub(super) fn mesh(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> WallSurface {
    let vertices = vertices.iter().map(|&vertex| vertex.into()).collect();
    let mesh = TriangleMesh::new(vertices, triangles.to_vec()).unwrap();
    WallSurface::Mesh(Arc::new(MeshSurface::new(mesh)))
}

/// The plane z = 0 in unit squares of two triangles each, from -`half` to `half`.
pub(super) fn tiles(half: i32) -> WallSurface {
    let row = (2 * half + 1) as u32;
    let vertices: Vec<[f64; 3]> = (-half..=half)
        .flat_map(|y| (-half..=half).map(move |x| [f64::from(x), f64::from(y), 0.0]))
        .collect();
    let squares = (0..row - 1).flat_map(|y| (0..row - 1).map(move |x| y * row + x));
    let triangles: Vec<[u32; 3]> =
        squares.flat_map(|k| [[k, k + 1, k + row], [k + 1, k + row + 1, k + row]]).collect();
    mesh(&vertices, &triangles)
}

fn settings(walls: Vec<Wall>, gravity: [f64; 3]) -> Settings {
    Settings { walls, gravity: gravity.into(), ..Settings::with_law(rough(0.4)) }
}

#[test]
fn a_body_rolls_over_the_seams_of_a_mesh_as_over_a_plane() {
    let body = Body {
        velocity: [1.0, 0.37, 0.0].into(),
        ..Body::at_rest([-2.9, -1.1, 0.5 - 1e-5], 0.5, 1.0)
    };
    let [plane, tiled] = [Wall::plane([0., 0., 1.], 0.0), Wall::at_rest(tiles(4))].map(|wall| {
        let mut simulation = Simulation::new(&[body], settings(vec![wall], [0., 0., -1.])).unwrap();
        while simulation.now() < 6.0 {
            simulation.advance(100).unwrap();
        }
        simulation.body(0)
    });
    assert!(tiled.position.x > 1.0, "{tiled:?}");
    assert!((plane.position - tiled.position).norm() < 1e-6, "{plane:?} {tiled:?}");
    assert!((plane.angular_velocity - tiled.angular_velocity).norm() < 1e-6, "{plane:?} {tiled:?}");
}

#[test]
fn a_body_in_a_groove_is_held_by_both_its_sides() {
    // Two planes at 45 degrees, also as a mesh of two rectangles.
    let s = 0.5_f64.sqrt();
    let planes = vec![Wall::plane([s, 0., s], 0.0), Wall::plane([-s, 0., s], 0.0)];
    let corners =
        [[0., -3., 0.], [0., 3., 0.], [3., 3., 3.], [3., -3., 3.], [-3., 3., 3.], [-3., -3., 3.]];
    let triangles = [[0, 1, 2], [0, 2, 3], [0, 1, 4], [0, 4, 5]];
    let groove = vec![Wall::at_rest(mesh(&corners, &triangles))];
    let rest = [planes, groove].map(|walls| {
        let body = Body::at_rest([0.1, 0.0, 1.0], 0.5, 1.0);
        // With friction the sides could bear less than their share.
        let law = CompositeLaw { friction_coefficient: 0.0, ..rough(0.0) };
        let settings = Settings { contact_laws: vec![law], ..settings(walls, [0., 0., -1.]) };
        let mut simulation = Simulation::new(&[body], settings).unwrap();
        while simulation.now() < 20.0 {
            simulation.advance(100).unwrap();
        }
        assert_eq!(simulation.step_totals().wall_contacts, 2);
        simulation.body(0).position
    });
    assert!((rest[0] - rest[1]).norm() < 1e-6, "{rest:?}");
    let depth = s / 1e5;
    assert!((rest[0].z - (0.5 - depth) / s).abs() < 1e-6, "{rest:?}");
}

#[test]
fn a_body_at_the_bottom_of_a_drum_rolls_as_fast_as_the_drum() {
    let drum = Wall {
        surface: WallSurface::Cylinder {
            point: [0.; 3].into(),
            axis: [0., 1., 0.].into(),
            radius: 3.0,
        },
        motion: WallMotion { angular_velocity: [0., -0.5, 0.].into(), ..WallMotion::none() },
        material: None,
        name: None,
    };
    let body = Body::at_rest([0.0, 0.0, -2.5], 0.5, 1.0);
    let mut simulation = Simulation::new(&[body], settings(vec![drum], [0., 0., -1.])).unwrap();
    assert_eq!(simulation.searches(), 1);
    while simulation.now() < 60.0 {
        simulation.advance(100).unwrap();
    }
    let body = simulation.body(0);
    // It swings about the bottom, and its surface is as fast as that of the drum.
    assert!(
        (body.velocity.norm() * body.velocity.x.signum() - body.angular_velocity.y * 0.5 - 1.5)
            .abs()
            < 1e-2,
        "{body:?}"
    );
    assert!(body.position.x.abs() < 1.0, "{body:?}");
    let energy = simulation.energy();
    assert!(energy.external_work > 0.0 && (energy.total() - -2.5).abs() < 2e-3, "{energy:?}");
}

#[test]
fn a_piston_gives_the_energy_that_bodies_get() {
    // A body at rest is hit by a wall that moves at speed one: it flies off at 1 + e.
    let piston = Wall {
        motion: WallMotion { velocity: [1., 0., 0.].into(), ..WallMotion::none() },
        ..Wall::plane([1., 0., 0.], 0.0)
    };
    let body = Body::at_rest([0.6, 0., 0.], 0.5, 2.0);
    let mut simulation = Simulation::new(&[body], settings(vec![piston], [0.; 3])).unwrap();
    while simulation.now() < 0.5 {
        simulation.advance(10).unwrap();
    }
    let speed = simulation.body(0).velocity.x;
    assert!((speed - 1.3).abs() < 1e-3, "{speed}");
    let energy = simulation.energy();
    // Momentum 2 x 1.3 handed over at speed one.
    assert!((energy.external_work - 2.6).abs() < 5e-3, "{energy:?}");
    assert!(energy.total().abs() < 5e-3, "{energy:?}");
}

#[test]
fn a_wall_without_a_material_has_that_of_the_body_that_touches_it() {
    let body = |x: f64, material| Body { material, ..Body::at_rest([x, 0.0, 0.49], 0.5, 1.0) };
    let laws = [1e3, 2e3, 2e3, 4e3].map(CompositeLaw::spring).to_vec();
    let of_one_law = Settings::with_law(CompositeLaw::spring(0.0));
    for (material, expected) in [(None, [10.0, 40.0]), (Some(0), [10.0, 20.0])] {
        let walls = vec![Wall { material, ..Wall::plane([0., 0., 1.], 0.0) }];
        let settings =
            Settings { walls, material_count: 2, contact_laws: laws.clone(), ..of_one_law.clone() };
        let simulation = Simulation::new(&[body(0.0, 0), body(3.0, 1)], settings).unwrap();
        let contacts = simulation.contacts();
        for (contact, force) in contacts.iter().zip(expected) {
            assert!((contact.normal_force - force).abs() < 1e-9, "{material:?} {contact:?}");
        }
        assert_eq!(contacts.len(), 2);
    }
}

#[test]
fn a_wall_that_travels_and_turns_is_as_fast_as_where_it_is_by_now() {
    let motion = WallMotion {
        velocity: [1., 0., 0.].into(),
        angular_velocity: [0., 0., 2.].into(),
        ..WallMotion::none()
    };
    let walls = [Wall { motion, ..Wall::plane([1., 0., 0.], 0.0) }];
    let body = Vector::from([0.0, 3.0, 0.0]);
    let reach = |center: &Vector<3>| (body - center).norm();
    assert!((max_approach_speed(&walls, 0.0, reach) - 7.0).abs() < 1e-12);
    assert!((max_approach_speed(&walls, 4.0, reach) - 11.0).abs() < 1e-12);
    let speed = walls[0].at_time(4.0).velocity(&body).norm();
    assert!(speed > 7.0 && speed <= max_approach_speed(&walls, 4.0, reach), "{speed}");
}

#[test]
fn a_body_that_hops_back_to_a_tile_has_forgotten_it() {
    // It lands beside an edge of the mesh, crosses it in contact, and its angular velocity throws it back.
    let law = CompositeLaw {
        damping: Damping::restitution(0.9),
        tangential: TangentialForceLaw::Spring { stiffness: 300.0, damping: 0.5 },
        friction_coefficient: 0.4,
        ..CompositeLaw::spring(1e3)
    };
    let tiled = settings(vec![Wall::at_rest(tiles(4))], [0., 0., -9.81]);
    // The skin is so wide that no search between two hops clears the contact history.
    let settings = Settings { contact_laws: vec![law], skin: Some(3.0), ..tiled };
    let start = Body {
        velocity: [1.9, 0.0, -3.0].into(),
        angular_velocity: [0.0, -20.0, 0.0].into(),
        ..Body::at_rest([-0.04, -1.3, 0.55], 0.5, 1.0)
    };
    let mut uncut = Simulation::new(&[start], settings.clone()).unwrap();
    let mut cut = Simulation::new(&[start], settings.clone()).unwrap();
    let mut changed_at = Vec::new();
    let mut touched = false;
    while uncut.now() < 1.0 {
        uncut.advance(1).unwrap();
        cut = Simulation::resume(&cut.saved_state(), settings.clone()).unwrap();
        cut.advance(1).unwrap();
        assert!(cut.saved_state() == uncut.saved_state(), "at {}", uncut.now());
        let touches = uncut.step_totals().wall_contacts > 0;
        if touches != touched {
            changed_at.push(uncut.body(0).position.x);
        }
        touched = touches;
    }
    let [landed, left, landed_again, ..] = changed_at[..] else { panic!("{changed_at:?}") };
    assert!(landed < 0.0 && left > 0.0 && landed_again < -0.1, "{changed_at:?}");
}

#[test]
fn a_shaken_floor_is_where_it_is_meant_to_be() {
    let motion =
        WallMotion { amplitude: [0., 0., 0.1].into(), frequency: 1.0, ..WallMotion::none() };
    let wall = Wall { motion, ..Wall::plane([0., 0., 1.], 1.0) };
    let foot =
        |time: f64| wall.at_time(time).closest_point(&Vector::from([5.0, 5.0, 2.0])).unwrap();
    assert!((foot(0.0).distance - 1.0).abs() < 1e-12);
    assert!((foot(0.25).distance - 0.9).abs() < 1e-12);
    assert!((wall.at_time(0.5).velocity(&Vector::zeros()).z - -0.2 * PI).abs() < 1e-12);
    let turned = WallMotion { angular_velocity: [0., PI, 0.].into(), ..WallMotion::none() };
    let wall = Wall { motion: turned, ..Wall::plane([0., 0., 1.], 0.0) };
    let foot = wall.at_time(0.5).closest_point(&Vector::from([2.0, 0.0, 0.0])).unwrap();
    assert!((foot.distance - 2.0).abs() < 1e-12 && (foot.normal.x - 1.0).abs() < 1e-12);
}

/// A body that leaves a periodic box would enter behind the wall.
#[test]
fn a_wall_across_a_periodic_axis_is_refused() {
    let body = Body::at_rest([5.0, 5.0, 5.0], 0.5, 1.0);
    let refused = |periodic: [bool; 3], wall: Wall| {
        let periods = periodic.map(|periodic| periodic.then_some(10.0));
        let boundary = carom_geometry::Boundary::periodic(periods).unwrap();
        let settings = Settings { boundary, walls: vec![wall], ..Settings::with_law(rough(0.5)) };
        match Simulation::new(&[body], settings) {
            Ok(_) => None,
            Err(crate::Error::WallAcrossPeriod { axis, .. }) => Some(axis),
            Err(error) => panic!("{error}"),
        }
    };
    let flat = [true, true, false];
    assert_eq!(refused(flat, Wall::plane([0., 0., 1.], 0.0)), None);
    assert_eq!(refused(flat, Wall::plane([0., 1., 0.], 0.0)), Some('y'));
    assert_eq!(refused(flat, Wall::plane([0.6, 0., 0.8], 0.0)), Some('x'));
    let spinning = |angular_velocity: [f64; 3]| Wall {
        motion: WallMotion { angular_velocity: angular_velocity.into(), ..WallMotion::none() },
        ..Wall::plane([0., 0., 1.], 0.0)
    };
    assert_eq!(refused(flat, spinning([0., 0., 2.])), None);
    assert_eq!(refused(flat, spinning([2., 0., 0.])), Some('y'));
    // In an earlier stage it was turned, by a quarter or by a whole turn.
    let turned = |angle: f64, angular_velocity: [f64; 3]| {
        let mut wall = spinning(angular_velocity);
        let rotation = Rotation3::from_axis_angle(&Vector::x_axis(), angle).into_inner();
        wall.motion.initial = Pose { rotation, ..Pose::identity() };
        wall
    };
    assert_eq!(refused(flat, turned(0.75 * TAU, [0.0; 3])), Some('y'));
    assert_eq!(refused([true, false, true], turned(0.75 * TAU, [0.0; 3])), None);
    assert_eq!(refused([true, false, true], turned(0.75 * TAU, [0., 0., 2.])), Some('x'));
    assert_eq!(refused(flat, turned(TAU, [0.0; 3])), None);
    let drum = |axis: [f64; 3], radius: f64| {
        let (point, axis) = ([5.0; 3].into(), axis.into());
        Wall::at_rest(WallSurface::Cylinder { point, axis, radius })
    };
    assert_eq!(refused([false, false, true], drum([0., 0., 1.], 9.0)), None);
    assert_eq!(refused([false, true, true], drum([0., 0., 1.], 4.0)), None);
    assert_eq!(refused([false, true, true], drum([0., 0., 1.], 6.0)), Some('y'));
    assert_eq!(refused([false, false, true], drum([0., 0.6, 0.8], 4.0)), Some('z'));
}
