//! Translates a scene into settings and bodies of the event-driven engine.

use carom_geometry::Vector;
use carom_scene::Scene;
use carom_scene::scene::ForceExpression;
use carom_simulate::Error;
use carom_simulate::event_driven::{BodyStart, FieldBody, ForceField, Settings};

/// The engine settings of a scene.
pub fn settings<const D: usize>(scene: &Scene<D>) -> Settings<D> {
    let field = scene.field.as_ref().map(|field| {
        let (stiffness, center) = field
            .trap
            .as_ref()
            .map_or((0.0, Vector::zeros()), |trap| (trap.stiffness, trap.center));
        ForceField::drag_and_trap(field.period, field.drag, stiffness, center)
    });
    let field = scene.forces.iter().cloned().fold(field, |sum, force| Some(with_force(sum, force)));
    Settings {
        gravity: scene.gravity,
        field,
        restitutions: scene.materials.iter().map(|material| material.restitution).collect(),
        contact_time: scene.contact_time,
        growth: scene.growth,
        thermostat: scene.thermostat,
        seed: scene.seed,
        structure: scene.neighbors.method,
        shell: scene.neighbors.shell,
        count_passages: follows_bodies(scene),
        ..Settings::new(scene.region)
    }
}

/// Adds a force or an acceleration, given as expressions, to a field. Both are evaluated at the shorter of their periods.
fn with_force<const D: usize>(
    field: Option<ForceField<D>>,
    force: ForceExpression<D>,
) -> ForceField<D> {
    let period = field.as_ref().map_or(f64::INFINITY, |field| field.period).min(force.period);
    let trap = field.as_ref().and_then(|field| field.trap.clone());
    let others = field.map(|field| field.acceleration);
    let acceleration = move |body: &FieldBody<D>| {
        let others = others.as_ref().map(|others| others(body));
        if force.material.is_some_and(|material| material != u32::from(body.material)) {
            return others.unwrap_or_else(Vector::zeros);
        }
        let FieldBody { position, velocity, time, mass, radius, .. } = *body;
        let value = force.value(&position, &velocity, time, mass, radius);
        let own = if force.is_acceleration { value } else { value / mass };
        others.map_or(own, |others| others + own)
    };
    // Whether an expression takes energy away is not known; the contact time is harmless where it does not.
    ForceField { trap, ..ForceField::of_bodies(period, acceleration) }
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

/// Whether the mean square displacement is measured now or in a later stage, for which passages are counted from the
/// start.
fn follows_bodies<const D: usize>(scene: &Scene<D>) -> bool {
    let mut scenes = scene.stages.iter().map(|stage| &stage.scene).chain([scene]);
    scenes.any(|scene| scene.observe.mean_square_displacement)
}
