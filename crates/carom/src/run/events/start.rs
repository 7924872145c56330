//! A scene in the words of the engine.

use carom_geometry::Vector;
use carom_scene::SceneOf;
use carom_scene::scene::NeighbourMethod;
use carom_simulate::Error;
use carom_simulate::events::{BodyStart, Field, Settings, Structure};

/// The settings of the event-driven engine that a scene asks for.
pub fn settings<const D: usize>(scene: &SceneOf<D>) -> Settings<D> {
    let field = scene.field.as_ref().map(|field| {
        let (stiffness, center) = field
            .trap
            .as_ref()
            .map_or((0.0, Vector::zeros()), |trap| (trap.stiffness, trap.center));
        Field::drag_and_trap(field.period, field.drag, stiffness, center)
    });
    Settings {
        gravity: scene.gravity,
        field,
        restitutions: scene.materials.iter().map(|material| material.restitution).collect(),
        contact_time: scene.contact_time,
        growth: scene.growth,
        thermostat: scene.thermostat,
        seed: scene.seed,
        structure: structure(scene.neighbours.method),
        shell: scene.neighbours.shell,
        count_passages: scene.observe.mean_square_displacement,
        ..Settings::new(scene.region)
    }
}

fn structure(method: NeighbourMethod) -> Structure {
    match method {
        NeighbourMethod::AllPairs => Structure::AllPairs,
        NeighbourMethod::CellGrid => Structure::CellGrid,
        NeighbourMethod::CellTree => Structure::CellTree,
        NeighbourMethod::SegmentTrees => Structure::SegmentTrees,
        NeighbourMethod::Shells => Structure::Shells,
        NeighbourMethod::LaguerreDelaunay => Structure::Laguerre,
        NeighbourMethod::Auto => Structure::Auto,
    }
}

/// The bodies of a scene for the event-driven engine.
pub fn bodies<const D: usize>(scene: &SceneOf<D>) -> Result<Vec<BodyStart<D>>, Error> {
    let start = |body: &carom_scene::scene::Body<D>| {
        let material = u16::try_from(body.material).map_err(|_| Error::Setting {
            what: "the number of materials",
            value: scene.materials.len().to_string(),
            rule: "it must be at most 65536",
        })?;
        Ok(BodyStart {
            position: body.position,
            velocity: body.velocity,
            radius: body.radius,
            mass: body.mass,
            material,
        })
    };
    scene.bodies.iter().map(start).collect()
}
