//! Translates a scene into settings and bodies of the event-driven engine.

use carom_geometry::Vector;
use carom_scene::Scene;
use carom_scene::scene::NeighborMethod;
use carom_simulate::Error;
use carom_simulate::event_driven::{BodyStart, ForceField, NeighborStructure, Settings};

/// The engine settings of a scene.
pub fn settings<const D: usize>(scene: &Scene<D>) -> Settings<D> {
    let field = scene.field.as_ref().map(|field| {
        let (stiffness, center) = field
            .trap
            .as_ref()
            .map_or((0.0, Vector::zeros()), |trap| (trap.stiffness, trap.center));
        ForceField::drag_and_trap(field.period, field.drag, stiffness, center)
    });
    Settings {
        gravity: scene.gravity,
        field,
        restitutions: scene.materials.iter().map(|material| material.restitution).collect(),
        contact_time: scene.contact_time,
        growth: scene.growth,
        thermostat: scene.thermostat,
        seed: scene.seed,
        structure: structure(scene.neighbors.method),
        shell: scene.neighbors.shell,
        count_passages: scene.observe.mean_square_displacement,
        ..Settings::new(scene.region)
    }
}

fn structure(method: NeighborMethod) -> NeighborStructure {
    match method {
        NeighborMethod::AllPairs => NeighborStructure::AllPairs,
        NeighborMethod::CellGrid => NeighborStructure::CellGrid,
        NeighborMethod::CellTree => NeighborStructure::CellTree,
        NeighborMethod::SegmentTrees => NeighborStructure::SegmentTrees,
        NeighborMethod::NeighborLists => NeighborStructure::NeighborLists,
        NeighborMethod::LaguerreDelaunay => NeighborStructure::Laguerre,
        NeighborMethod::Auto => NeighborStructure::Auto,
    }
}

/// The bodies of a scene for the engine.
pub fn bodies<const D: usize>(scene: &Scene<D>) -> Result<Vec<BodyStart<D>>, Error> {
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
