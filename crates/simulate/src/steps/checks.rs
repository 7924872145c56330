//! What is refused at the start.

use super::body::Body;
use super::simulation::Settings;
use crate::Error;

pub(super) fn check(bodies: &[Body], settings: &Settings) -> Result<(), Error> {
    for (number, body) in bodies.iter().enumerate() {
        check_body(number, body, settings)?;
    }
    let positive = |what, value: Option<f64>| match value {
        Some(value) if !(value.is_finite() && value > 0.0) => Err(Error::Setting {
            what,
            value: value.to_string(),
            rule: "it must be finite and greater than zero",
        }),
        _ => Ok(()),
    };
    positive("the step", settings.step)?;
    positive("the skin", settings.skin)?;
    if settings.laws.len() != settings.materials * settings.materials {
        return Err(Error::Setting {
            what: "the number of laws",
            value: settings.laws.len().to_string(),
            rule: "there must be one for each material with each",
        });
    }
    Ok(())
}

fn check_body(number: usize, body: &Body, settings: &Settings) -> Result<(), Error> {
    let refused = |what, value: f64, rule| {
        Err(Error::Body { body: number, what, value: value.to_string(), rule })
    };
    for (what, value) in [("radius", body.radius), ("mass", body.mass)] {
        if !(value.is_finite() && value > 0.0) {
            return refused(what, value, "it must be finite and greater than zero");
        }
    }
    let vectors = [("coordinate", body.position), ("velocity", body.velocity), ("spin", body.spin)];
    for (what, vector) in vectors {
        if let Some(&value) = vector.iter().find(|value| !value.is_finite()) {
            return refused(what, value, "it must be finite");
        }
    }
    if settings.flat && (body.position.z != 0.0 || body.velocity.z != 0.0) {
        let value = if body.position.z == 0.0 { body.velocity.z } else { body.position.z };
        return refused("third coordinate", value, "in the plane it must be zero");
    }
    if body.material as usize >= settings.materials {
        let value = f64::from(body.material);
        return refused("material", value, "there is no material of this number");
    }
    Ok(())
}
