//! The angle of repose.

use crate::dem::{
    Body, CompositeLaw, Damping, MeshSurface, RollingResistance, Settings, Simulation,
    TangentialForceLaw, Wall, WallSurface,
};
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Boundary, Vector};
use std::sync::Arc;

/// Grains of diameter and mass one, gravity one: from a wall at x = 0 to the end of the floor.
const LENGTH: f64 = 20.0;
const WIDTH: f64 = 5.0;
const LAYERS: u32 = 14;

fn settings(rolling: f64) -> Settings {
    let stiffness = 2e3;
    // Grooves as wide as grains: on a smooth floor the lowest ones would roll away below the others.
    let corner = |k: u32| {
        let (ridge, y) = (k / 2, if k.is_multiple_of(2) { -9.0 } else { 14.0 });
        Vector::from([0.5 * f64::from(ridge), y, -0.3 * f64::from(ridge % 2)])
    };
    let count = (LENGTH / 0.5) as u32;
    let strip = |k: u32| [[2 * k, 2 * k + 1, 2 * k + 2], [2 * k + 1, 2 * k + 3, 2 * k + 2]];
    let corners = (0..2 * count + 2).map(corner).collect();
    let floor = TriangleMesh::new(corners, (0..count).flat_map(strip).collect()).unwrap();
    Settings {
        boundary: Boundary::periodic([None, Some(WIDTH), None]).unwrap(),
        gravity: [0.0, 0.0, -1.0].into(),
        walls: vec![
            Wall::plane([1.0, 0.0, 0.0], 0.0),
            // What falls off the floor is caught so far below that it does not pile up to it.
            Wall::plane([0.0, 0.0, 1.0], -9.0),
            Wall::at_rest(WallSurface::Mesh(Arc::new(MeshSurface::new(floor)))),
            Wall::plane([-1.0, 0.0, 0.0], -LENGTH),
        ],
        ..Settings::with_law(CompositeLaw {
            damping: Damping::restitution(0.3),
            tangential: TangentialForceLaw::Spring {
                stiffness: 2.0 / 7.0 * stiffness,
                damping: 0.5,
            },
            friction_coefficient: 0.5,
            rolling: RollingResistance::Constant(rolling),
            ..CompositeLaw::spring(stiffness)
        })
    }
}

/// Returns the angle of repose in degrees: a bed settles behind a wall, the wall is removed, and the slope is
/// measured at `end`, when nothing flows any more.
fn angle_of_repose(rolling: f64, end: f64) -> f64 {
    let count = [LENGTH, WIDTH].map(|length| (length / 1.05) as u32);
    let mut bodies = Vec::new();
    for k in 0..count[0] * count[1] * LAYERS {
        let grid = [k % count[0], k / count[0] % count[1], k / count[0] / count[1]];
        // Off the lattice, by numbers that look random.
        let off = [0.618, 0.414, 0.732].map(|part| 0.04 * (f64::from(k) * part).fract());
        let place: [f64; 3] =
            std::array::from_fn(|axis| 0.51 + 1.05 * f64::from(grid[axis]) + off[axis]);
        bodies.push(Body::at_rest(place, 0.5, 1.0));
    }
    let mut held = Simulation::new(&bodies, settings(rolling)).unwrap();
    while held.now() < 15.0 {
        held.advance(100).unwrap();
    }
    let bodies: Vec<Body> = (0..held.body_count()).map(|number| held.body(number)).collect();
    let mut settings = settings(rolling);
    settings.walls.pop();
    let mut free = Simulation::new(&bodies, settings).unwrap();
    while free.now() < end {
        free.advance(100).unwrap();
    }
    // Of what is left on the floor; what has fallen off may roll on for long.
    let left: Vec<Body> = (0..free.body_count()).map(|number| free.body(number)).collect();
    let left: Vec<&Body> =
        left.iter().filter(|body| body.position.z > 0.0 && body.position.x < LENGTH).collect();
    let energy = left.iter().map(|body| 0.5 * body.velocity.norm_squared()).sum::<f64>();
    let energy = energy / left.len() as f64;
    let angle = slope(&free).atan().to_degrees();
    println!("rolling {rolling}: {angle:.1} degrees, {} left, {energy:e} each", left.len());
    assert!(energy < 1e-2, "it still flows: {energy}");
    angle
}

/// The slope of the highest grains of columns between a fifth and four fifths of the height at the wall.
fn slope(simulation: &Simulation) -> f64 {
    let mut highest = vec![[0.0_f64; WIDTH as usize]; LENGTH as usize];
    for number in 0..simulation.body_count() {
        let place = simulation.body(number).position;
        let column = highest.get_mut(place.x as usize).filter(|_| place.z > 0.0 && place.x > 0.0);
        if let Some(column) = column {
            let row = &mut column[place.y.rem_euclid(WIDTH) as usize];
            *row = row.max(place.z);
        }
    }
    let mean = |column: &[f64; WIDTH as usize]| column.iter().sum::<f64>() / WIDTH;
    let heights: Vec<f64> = highest.iter().map(mean).collect();
    let top = heights.iter().copied().fold(0.0, f64::max);
    let flank = |(_, height): &(usize, &f64)| (0.2 * top..0.8 * top).contains(*height);
    let points: Vec<[f64; 2]> =
        heights.iter().enumerate().filter(flank).map(|(x, z)| [x as f64, *z]).collect();
    assert!(points.len() >= 6, "{heights:?}");
    let middle =
        [0, 1].map(|axis| points.iter().map(|p| p[axis]).sum::<f64>() / points.len() as f64);
    let along: f64 = points.iter().map(|p| (p[0] - middle[0]).powi(2)).sum();
    let across: f64 = points.iter().map(|p| (p[0] - middle[0]) * (p[1] - middle[1])).sum();
    -across / along
}

/// Spheres of equal size with a friction of 0.5 that roll freely come to rest on slopes of 19 to 21
/// degrees where the layer is thick, and on slopes some degrees steeper where it is ten grains, as here
/// (L. Silbert and others, Physical Review E 64, 2001); glass beads in experiments at 22 to 26. The slope of a
/// dozen columns is known to two degrees: so 17 to 28. With rolling friction heaps are steeper.
///
/// Found: 25.0 degrees without rolling friction, the same from time 25 to 125, and 27 to 28 with 0.1; from a
/// bed that had settled for less, 27 and 30. Rolling friction is a torque that vanishes with the angular
/// velocity, so that heaps creep: that with 0.4 came down from 39 to 34 degrees within a time of 75.
#[test]
#[ignore = "takes half a minute: cargo xtask test --all"]
fn the_angle_of_repose_is_that_of_spheres() {
    let free = angle_of_repose(0.0, 25.0);
    assert!((17.0..28.0).contains(&free), "{free}");
}

#[test]
#[ignore = "takes a minute: cargo xtask test --all"]
fn the_angle_of_repose_grows_with_rolling_friction() {
    let [free, little, much] = [0.0, 0.1, 0.4].map(|rolling| angle_of_repose(rolling, 50.0));
    assert!((17.0..28.0).contains(&free), "{free}");
    assert!(free + 1.0 < little && little + 1.0 < much, "{free} {little} {much}");
}
