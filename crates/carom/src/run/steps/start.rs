//! A scene in the words of the engine.

use super::laws::laws;
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Boundary, Vector};
use carom_scene::scene::{Side, WallMotion, WallSurface};
use carom_scene::{SceneOf, Shaped};
use carom_simulate::Error;
use carom_simulate::steps::{Body, Drive, MeshSurface, Settings, Surface, Wall};
use std::f64::consts::TAU;
use std::sync::Arc;

/// The settings of the time-stepped engine that a scene asks for.
pub fn settings<const D: usize>(scene: &SceneOf<D>) -> Result<Settings, Error> {
    let boundary = scene.region.boundary();
    let period = |axis: usize| (axis < D).then(|| boundary.period(axis)).flatten();
    let smallest = scene.bodies.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min);
    Ok(Settings {
        flat: D == 2,
        boundary: Boundary::periodic([0, 1, 2].map(period)).expect("the size was checked"),
        walls: box_walls(scene)
            .into_iter()
            .chain(scene.walls.iter().map(|it| wall(scene, it)))
            .collect(),
        gravity: in_space(&scene.gravity),
        materials: scene.materials.len() + D + 1,
        laws: laws(scene)?,
        step: scene.step,
        skin: scene.neighbours.skin.map(|skin| skin * 2.0 * smallest),
    })
}

/// The bodies of a scene for the time-stepped engine.
pub fn bodies<const D: usize>(scene: &SceneOf<D>) -> Vec<Body> {
    let start = |body: &carom_scene::scene::Body<D>| Body {
        position: in_space(&body.position),
        velocity: in_space(&body.velocity),
        spin: Vector::zeros(),
        radius: body.radius,
        mass: body.mass,
        material: body.material,
    };
    scene.bodies.iter().map(start).collect()
}

/// The shapes of the bodies as they are turned at the start, if some have one.
pub(super) fn shaped<const D: usize>(scene: &SceneOf<D>) -> Option<Shaped> {
    let bodies = &scene.bodies;
    bodies.iter().any(|body| body.shape.is_some()).then(|| Shaped {
        list: scene.shapes.clone(),
        of_body: bodies.iter().map(|body| body.shape).collect(),
        orientations: bodies.iter().map(|body| body.orientation).collect(),
    })
}

/// The sides of the box at which bodies bounce.
fn box_walls<const D: usize>(scene: &SceneOf<D>) -> Vec<Wall> {
    let mut walls = Vec::new();
    for axis in 0..D {
        if !matches!(scene.region.sides[axis], Side::Wall { .. }) {
            continue;
        }
        let material = (scene.materials.len() + axis) as u32;
        for (sign, offset) in [(1.0, 0.0), (-1.0, -scene.region.size[axis])] {
            let mut normal = Vector::zeros();
            normal[axis] = sign;
            walls.push(Wall { material, ..Wall::plane(normal, offset) });
        }
    }
    walls
}

/// A wall that is no side of the box.
fn wall<const D: usize>(scene: &SceneOf<D>, wall: &carom_scene::scene::Wall) -> Wall {
    let WallMotion { velocity, amplitude, frequency, spin, center } = wall.motion;
    Wall {
        surface: match &wall.surface {
            WallSurface::Plane { point, normal } => {
                Surface::Plane { normal: *normal, offset: normal.dot(point) }
            }
            WallSurface::Cylinder { point, axis, radius } => {
                Surface::Cylinder { point: *point, axis: *axis, radius: *radius }
            }
            WallSurface::Mesh(mesh) => {
                Surface::Mesh(Arc::new(MeshSurface::new(TriangleMesh::clone(mesh))))
            }
        },
        drive: Drive { velocity, amplitude, frequency: TAU * frequency, spin, center },
        material: wall.material.unwrap_or((scene.materials.len() + D) as u32),
    }
}

/// A vector of the plane with a third coordinate of zero.
pub(super) fn in_space<const D: usize>(vector: &Vector<D>) -> Vector<3> {
    Vector::from_fn(|axis, _| if axis < D { vector[axis] } else { 0.0 })
}

/// The first coordinates of a vector.
pub(super) fn in_scene<const D: usize>(vector: &Vector<3>) -> Vector<D> {
    Vector::from_fn(|axis, _| vector[axis])
}
