//! Translates a scene into settings and bodies of the DEM engine.

use super::laws::laws;
use super::pour::poured_body;
use super::scene_law::SceneLaw;
use crate::run::engine_run::StageStart;
use crate::run::wall_names::{wall_column_names, wall_keys};
use carom_geometry::Vector;
use carom_scene::Scene;
use carom_scene::scene::{BoundaryCondition, ForceExpression, StageWalls};
use carom_simulate::dem::{
    Body, ContactLaw, DEFAULT_SKIN_RATIO, Gravity, Settings, check_periods, choose_time_step,
};
use carom_simulate::{Error, State, Wall, WallMotion, WallSurface};
use nalgebra::{Quaternion, UnitQuaternion};

/// The engine settings of a scene. Returns an error for mixed elasticities, an unstable time step or short periods.
pub fn settings<const D: usize>(scene: &Scene<D>) -> Result<Settings<D>, Error> {
    settings_with_law(scene, &SceneLaw::built_in())
}

/// The same with contact laws that are made from the materials of the scene.
fn settings_with_law<const D: usize, L: ContactLaw>(
    scene: &Scene<D>,
    scene_law: &SceneLaw<L>,
) -> Result<Settings<D, L>, Error> {
    let all = all_bodies(scene);
    let smallest = all.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min);
    let settings = Settings {
        boundary: scene.region.boundary()?,
        walls: box_walls(scene).chain(scene.walls.iter().cloned()).collect(),
        gravity: gravity(scene),
        material_count: scene.materials.len() + D,
        contact_laws: laws(scene, scene_law)?,
        shapes: scene.shapes.clone(),
        time_step: scene.step,
        skin: Some(scene.neighbors.skin.unwrap_or(DEFAULT_SKIN_RATIO) * 2.0 * smallest),
    };
    // Bodies to be poured may be lighter than those that are there, so they count for the time step.
    let choice = choose_time_step(&all, &settings);
    scene.step.map_or(Ok(()), |step| choice.check_stability(step))?;
    check_periods(0, &all, &settings.boundary, settings.skin.unwrap_or(0.0))?;
    Ok(Settings { time_step: Some(scene.step.unwrap_or(choice.time_step)), ..settings })
}

/// The gravity of a scene from its start on.
fn gravity<const D: usize>(scene: &Scene<D>) -> Gravity<D> {
    Gravity { angular_velocity: scene.gravity_angular_velocity, ..Gravity::from(scene.gravity) }
}

/// The engine settings of a scene in the last of the stages that have begun: walls and the direction of gravity continue from
/// where they are, and the time step is that of the stage that needs the shortest.
pub(super) fn staged_settings<const D: usize, L: ContactLaw>(
    scene: &Scene<D>,
    starts: &[StageStart],
    scene_law: &SceneLaw<L>,
) -> Result<Settings<D, L>, Error> {
    let mut settings = settings_with_law(scene, scene_law)?;
    if scene.stages.is_empty() {
        return Ok(settings);
    }
    // Later the time step stays as it is.
    let all = if starts.is_empty() { scene.stages.len() } else { 0 };
    for number in 0..all {
        let stage = Scene { stages: Vec::new(), ..scene.in_stage(number) };
        let step = settings_with_law(&stage, scene_law)?.time_step;
        settings.time_step = [settings.time_step, step].into_iter().flatten().reduce(f64::min);
    }
    let begun = &scene.stages[..starts.len().clamp(1, scene.stages.len())];
    let walls: Vec<_> = begun.iter().map(|stage| stage.scene.walls.as_slice()).collect();
    let times: Vec<f64> = starts.iter().map(|start| start.time).collect();
    let sides = settings.walls.len() - scene.walls.len();
    let names = wall_column_names(scene).split_off(sides);
    for (wall, name) in settings.walls[sides..].iter_mut().zip(names) {
        wall.motion = staged_motion(&walls, &times, &name);
    }
    let times = times.into_iter().chain(starts.is_empty().then_some(0.0));
    let gravities = begun.iter().map(|stage| gravity(&stage.scene)).zip(times);
    settings.gravity = Gravity::staged(&gravities.collect::<Vec<_>>());
    Ok(settings)
}

/// The motion of a wall through all stages that have begun; it stands still while it is not there.
fn staged_motion(stages: &[&[Wall]], starts: &[f64], name: &str) -> WallMotion {
    let of_stage = |walls: &[Wall]| {
        let place = wall_keys(walls).iter().position(|key| key == name);
        place.map_or(WallMotion::none(), |place| walls[place].motion)
    };
    let later = stages.iter().zip(starts).skip(1);
    let first = stages.first().map_or(WallMotion::none(), |walls| of_stage(walls));
    later.fold(first, |before, (walls, start)| of_stage(walls).continuing(&before, *start))
}

/// The walls that a scene has at a time, with their motions through all stages until then.
pub fn walls_at(stages: &[StageWalls], time: f64) -> Vec<(&Wall, WallMotion)> {
    let begun = stages.partition_point(|stage| stage.start <= time).max(1).min(stages.len());
    let starts: Vec<f64> = stages[..begun].iter().map(|stage| stage.start).collect();
    let all: Vec<&[Wall]> = stages[..begun].iter().map(|stage| stage.walls.as_slice()).collect();
    let walls = all.last().map_or(&[][..], |walls| walls);
    let keys = wall_keys(walls).into_iter();
    walls.iter().zip(keys).map(|(wall, key)| (wall, staged_motion(&all, &starts, &key))).collect()
}

/// The forces that the scene gives as expressions.
pub(super) fn forces<const D: usize>(
    scene: &Scene<D>,
) -> impl Iterator<Item = impl Fn(&State<D>, &mut [Vector<D>]) + Send + Sync + use<D>> {
    scene.forces.clone().into_iter().map(|expression| {
        move |state: &State<D>, forces: &mut [Vector<D>]| {
            for (body, force) in forces.iter_mut().enumerate() {
                if expression.material.is_some_and(|material| material != state.materials[body]) {
                    continue;
                }
                let mass = state.masses[body];
                let value = expression.value(
                    &state.positions[body],
                    &state.velocities[body],
                    state.time,
                    mass,
                    state.radii[body],
                );
                *force += if expression.is_acceleration { value * mass } else { value };
            }
        }
    })
}

/// The error that names the first force of a scene that is not finite on some body, if one is not.
pub(super) fn infinite_force<const D: usize>(
    forces: &[ForceExpression<D>],
    state: &State<D>,
) -> Option<crate::run::Error> {
    for (number, expression) in forces.iter().enumerate() {
        for (body, id) in state.ids.iter().enumerate() {
            if expression.material.is_some_and(|material| material != state.materials[body]) {
                continue;
            }
            let (position, velocity) = (&state.positions[body], &state.velocities[body]);
            let (mass, radius) = (state.masses[body], state.radii[body]);
            let force = expression.value(position, velocity, state.time, mass, radius);
            if let Some(axis) = (0..D).find(|&axis| !force[axis].is_finite()) {
                let key = if expression.is_acceleration { "acceleration" } else { "force" };
                return Some(crate::run::Error::InfiniteForce {
                    key: format!("forces.{number}.{key}.{axis}"),
                    value: force[axis],
                    body: *id,
                    time: state.time,
                });
            }
        }
    }
    None
}

/// The bodies of a scene at the start.
pub fn bodies<const D: usize>(scene: &Scene<D>) -> Vec<Body<D>> {
    let start = |body: &carom_scene::scene::Body<D>| Body {
        position: body.position,
        velocity: body.velocity,
        angular_velocity: body.angular_velocity,
        radius: body.radius,
        mass: body.mass,
        material: body.material,
        shape: body.shape,
        orientation: quaternion(&body.orientation),
    };
    scene.bodies.iter().map(start).collect()
}

/// The quaternion with components w, x, y and z.
pub(super) fn quaternion(&[w, x, y, z]: &[f64; 4]) -> UnitQuaternion<f64> {
    UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
}

/// The bodies of a scene and those to be poured, at placeholder positions.
pub(super) fn all_bodies<const D: usize>(scene: &Scene<D>) -> Vec<Body<D>> {
    let poured = (scene.pours.iter())
        .flat_map(|pour| (0..pour.radii.len()).map(|number| poured_body(pour, number)));
    bodies(scene).into_iter().chain(poured).collect()
}

/// The sides of the box that are walls. Each axis has a material of its own, after those of the scene.
fn box_walls<const D: usize>(scene: &Scene<D>) -> impl Iterator<Item = Wall> {
    (0..D).flat_map(|axis| {
        let material = Some((scene.materials.len() + axis) as u32);
        let of_material = move |wall| Wall { material, ..wall };
        scene.region.walls(axis).into_iter().flatten().map(of_material)
    })
}

/// Names of all walls in their order: sides of the box, then those of the scene.
pub(super) fn wall_names<const D: usize>(scene: &Scene<D>) -> Vec<String> {
    let mut names = Vec::new();
    for axis in 0..D {
        if matches!(scene.region.boundary_conditions[axis], BoundaryCondition::Wall { .. }) {
            let (name, size) = (["x", "y", "z"][axis], scene.region.size[axis]);
            names.push(format!("the side of the box at {name} = 0"));
            names.push(format!("the side of the box at {name} = {size}"));
        }
    }
    names.extend(scene.walls.iter().enumerate().map(|(number, wall)| {
        let kind = match &wall.surface {
            WallSurface::Mesh(_) if D == 2 => "line",
            surface => surface.kind(),
        };
        format!("the {kind} walls.{number}")
    }));
    names
}
