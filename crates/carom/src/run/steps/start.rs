//! A scene in the words of the engine.

use super::laws::laws;
use super::pour::poured;
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Boundary, Sphere, Vector, in_space};
use carom_scene::SceneOf;
use carom_scene::scene::{Form, Side, WallMotion, WallSurface};
use carom_simulate::Error;
use carom_simulate::steps::{
    Body, Drive, Gravity, MeshSurface, SKIN, Settings, Shape, Surface, Wall, check_periods, choose,
};
use nalgebra::{Quaternion, UnitQuaternion};
use std::f64::consts::TAU;
use std::sync::Arc;

/// The settings of the time-stepped engine that a scene asks for.
pub fn settings<const D: usize>(scene: &SceneOf<D>) -> Result<Settings, Error> {
    let boundary = scene.region.boundary();
    let period = |axis: usize| (axis < D).then(|| boundary.period(axis)).flatten();
    let all = all_bodies(scene);
    let smallest = all.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min);
    let settings = Settings {
        flat: D == 2,
        boundary: Boundary::periodic([0, 1, 2].map(period)).expect("the size was checked"),
        walls: box_walls(scene)
            .into_iter()
            .chain(scene.walls.iter().map(|it| wall(scene, it)))
            .collect(),
        gravity: Gravity { acceleration: in_space(&scene.gravity), spin: scene.gravity_spin },
        materials: scene.materials.len() + D + 1,
        laws: laws(scene)?,
        shapes: shapes(scene)?,
        step: scene.step,
        skin: Some(scene.neighbours.skin.unwrap_or(SKIN) * 2.0 * smallest),
    };
    // Those to come may be lighter than those that are there.
    let choice = choose(&all, &settings);
    scene.step.map_or(Ok(()), |step| choice.check(step))?;
    check_periods(0, &all, &settings.boundary, settings.skin.unwrap_or(0.0))?;
    Ok(Settings { step: Some(scene.step.unwrap_or(choice.step)), ..settings })
}

/// The shapes of a scene for the time-stepped engine.
fn shapes<const D: usize>(scene: &SceneOf<D>) -> Result<Vec<Shape>, Error> {
    let shape = |shape: &carom_scene::scene::Shape| match &shape.form {
        Form::Convex(body) if D == 2 => {
            // A polygon is a prism, of which one end is enough.
            let end = body.vertices().iter().filter(|vertex| vertex.z > 0.0);
            let corners: Vec<Vector<2>> = end.map(|vertex| vertex.xy()).collect();
            Shape::polygon(&corners, shape.rounding)
        }
        Form::Convex(body) => Shape::convex(body, shape.rounding),
        Form::Mesh(mesh) => Shape::mesh(mesh),
        Form::Spheres(spheres) if D == 2 => {
            let disc =
                |sphere: &Sphere<3>| Sphere { center: sphere.center.xy(), radius: sphere.radius };
            Shape::flat_clump(&spheres.iter().map(disc).collect::<Vec<_>>())
        }
        Form::Spheres(spheres) => Shape::clump(spheres),
    };
    scene.shapes.iter().map(shape).collect()
}

/// The bodies of a scene for the time-stepped engine.
pub fn bodies<const D: usize>(scene: &SceneOf<D>) -> Vec<Body> {
    let start = |body: &carom_scene::scene::Body<D>| Body {
        position: in_space(&body.position),
        velocity: in_space(&body.velocity),
        spin: body.spin,
        radius: body.radius,
        mass: body.mass,
        material: body.material,
        shape: body.shape,
        orientation: quaternion(&body.orientation),
    };
    scene.bodies.iter().map(start).collect()
}

/// Of numbers w, x, y and z.
pub(super) fn quaternion(&[w, x, y, z]: &[f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
}

/// The bodies of a scene and those that will be poured, wherever they will come.
pub(super) fn all_bodies<const D: usize>(scene: &SceneOf<D>) -> Vec<Body> {
    let poured = (scene.pours.iter())
        .flat_map(|pour| (0..pour.radii.len()).map(|number| poured(pour, number)));
    bodies(scene).into_iter().chain(poured).collect()
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

/// What the walls of a run are called, in their order: sides of the box, then those of the scene.
pub(super) fn wall_names<const D: usize>(scene: &SceneOf<D>) -> Vec<String> {
    let mut names = Vec::new();
    for axis in 0..D {
        if matches!(scene.region.sides[axis], Side::Wall { .. }) {
            let (name, size) = (["x", "y", "z"][axis], scene.region.size[axis]);
            names.push(format!("the side of the box at {name} = 0"));
            names.push(format!("the side of the box at {name} = {size}"));
        }
    }
    names.extend(scene.walls.iter().enumerate().map(|(number, wall)| {
        let kind = match &wall.surface {
            WallSurface::Plane { .. } => "plane",
            WallSurface::Cylinder { .. } => "cylinder",
            WallSurface::Mesh(_) if D == 2 => "line",
            WallSurface::Mesh(_) => "mesh",
        };
        format!("the {kind} walls.{number}")
    }));
    names
}

/// A wall that is no side of the box.
fn wall<const D: usize>(scene: &SceneOf<D>, wall: &carom_scene::scene::Wall) -> Wall {
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
        drive: drive(&wall.motion),
        material: wall.material.unwrap_or((scene.materials.len() + D) as u32),
    }
}

/// The motion of a wall in the words of the engine.
pub fn drive(motion: &WallMotion) -> Drive {
    let WallMotion { velocity, amplitude, frequency, spin, center } = *motion;
    Drive { velocity, amplitude, frequency: TAU * frequency, spin, center }
}

/// The first coordinates of a vector.
pub(super) fn in_scene<const D: usize>(vector: &Vector<3>) -> Vector<D> {
    Vector::from_fn(|axis, _| vector[axis])
}
