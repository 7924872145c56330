//! Checks of settings and bodies at the start.

use super::body::Body;
use super::contact_law::ContactLaw;
use super::simulation::Settings;
use super::time_step;
use super::wall::PosedWall;
use crate::Error;
use carom_geometry::Boundary;

/// Refuses bodies and settings that are not finite, out of range or inconsistent.
pub(super) fn check_settings<const D: usize, L: ContactLaw>(
    bodies: &[Body],
    settings: &Settings<D, L>,
) -> Result<(), Error> {
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
    positive("the time step", settings.time_step)?;
    positive("the skin", settings.skin)?;
    if bodies.is_empty() && (settings.time_step.is_none() || settings.skin.is_none()) {
        return Err(Error::Setting {
            what: "the number of bodies",
            value: "0".to_owned(),
            rule: "without any the time step and the skin cannot be chosen, so they must be given",
        });
    }
    let pairs = settings.material_count.checked_mul(settings.material_count);
    if Some(settings.contact_laws.len()) != pairs {
        return Err(Error::Setting {
            what: "the number of laws",
            value: settings.contact_laws.len().to_string(),
            rule: "there must be one for each pair of materials",
        });
    }
    check_laws(bodies, settings)?;
    let (acceleration, angular_velocity) =
        (settings.gravity.acceleration, settings.gravity.angular_velocity);
    if let Some(value) =
        acceleration.iter().chain(&angular_velocity).find(|value| !value.is_finite())
    {
        let (what, rule) = ("gravity", "it must be finite");
        return Err(Error::Setting { what, value: value.to_string(), rule });
    }
    let boundary = settings.boundary.embedded();
    let periods = [0, 1, 2].map(|axis| boundary.period(axis));
    for (wall, placed) in settings.walls.iter().enumerate() {
        placed.check(wall)?;
        if D == 2 && !placed.is_in_plane() {
            let (what, value) = ("a direction of a wall", format!("that of wall {wall}"));
            let rule =
                "in 2D, normals lie in the plane, and cylinders and rotations are about its normal";
            return Err(Error::Setting { what, value, rule });
        }
        if placed.material.is_some_and(|material| material as usize >= settings.material_count) {
            let (what, value) = ("the material of a wall", format!("that of wall {wall}"));
            let rule = "there is no material of this number";
            return Err(Error::Setting { what, value, rule });
        }
        if let Some(axis) = placed.crossed_period(&periods) {
            return Err(Error::WallAcrossPeriod { wall, axis: ['x', 'y', 'z'][axis] });
        }
    }
    Ok(())
}

/// Refuses contact laws with parameters that cannot be used, or without a usable stiffness.
fn check_laws<const D: usize, L: ContactLaw>(
    bodies: &[Body],
    settings: &Settings<D, L>,
) -> Result<(), Error> {
    let smallest = bodies.iter().map(|body| body.radius).reduce(f64::min);
    for (number, law) in settings.contact_laws.iter().enumerate() {
        let materials = [number / settings.material_count, number % settings.material_count];
        let refused =
            |reason| Error::ContactLaw { materials: materials.map(|it| it as u32), reason };
        law.check().map_err(refused)?;
        // A law of a program's own is tried once here, rather than failing in the middle of a run.
        let stiffness = smallest.map_or(0.0, |radius| law.stiffness(radius));
        if !(stiffness.is_finite() && stiffness >= 0.0) {
            let rule = "it must be finite and not negative";
            return Err(refused(format!("its stiffness is {stiffness}; {rule}")));
        }
    }
    Ok(())
}

/// Refuses bodies that, with the skin, could touch two images of one other body through a periodic box;
/// `first` is the number of the first of them.
///
/// ```
/// use carom_geometry::Boundary;
/// use carom_simulate::dem::{Body, check_periods};
/// let boundary = Boundary::periodic([Some(10.0), None])?;
/// let body = |radius: f64| Body::at_rest([0.0, 0.0], radius, 1.0);
/// assert!(check_periods(0, &[body(2.0)], &boundary, 0.5).is_ok());
/// assert!(check_periods(0, &[body(2.0), body(2.5)], &boundary, 0.5).is_err());
/// # Ok::<(), carom_geometry::BoundaryError>(())
/// ```
pub fn check_periods<const D: usize>(
    first: usize,
    bodies: &[Body<D>],
    boundary: &Boundary<D>,
    skin: f64,
) -> Result<(), Error> {
    let shortest = (0..D).filter_map(|axis| boundary.period(axis)).fold(f64::INFINITY, f64::min);
    match bodies.iter().position(|body| 2.0 * body.radius + skin > 0.5 * shortest) {
        Some(number) => Err(Error::Body {
            body: first + number,
            what: "diameter",
            value: format!("{:?} and the skin is {skin:?}", 2.0 * bodies[number].radius),
            rule: "both together must be at most half of every period of the box",
        }),
        None => Ok(()),
    }
}

/// Largest penetration depth at the start, in units of the radius; of a body with a shape its equivalent radius.
pub(super) const MAX_INITIAL_OVERLAP: f64 = 0.2;

/// Refuses a time step with which no dense packing is stable, and bodies behind walls.
pub(super) fn check_start<const D: usize, L: ContactLaw>(
    bodies: &[Body],
    settings: &Settings<D, L>,
    walls: &[PosedWall],
) -> Result<(), Error> {
    let choice = time_step::choose_time_step(bodies, settings);
    match settings.time_step {
        Some(time_step) => choice.check_stability(time_step)?,
        None if choice.time_step.is_finite() => {}
        None => {
            return Err(Error::Setting {
                what: "the time step",
                value: choice.time_step.to_string(),
                rule: "contact laws without stiffness give none, so it must be given",
            });
        }
    }
    for (number, body) in bodies.iter().enumerate() {
        for (wall, placed) in walls.iter().enumerate() {
            // The bounding sphere of a body with a shape may reach through; only its center is checked.
            let reach =
                if body.shape.is_some() { 0.0 } else { (1.0 - MAX_INITIAL_OVERLAP) * body.radius };
            let distance = placed.distance(&body.position, reach);
            if let Some(distance) = distance.filter(|&distance| distance < reach) {
                let overlap = body.radius - distance;
                return Err(Error::WallOverlap { body: number, wall, overlap });
            }
        }
    }
    Ok(())
}

/// Refuses a body with unusable numbers, or with a shape or material that does not exist.
pub(super) fn check_body<const D: usize, L>(
    number: usize,
    body: &Body,
    settings: &Settings<D, L>,
) -> Result<(), Error> {
    let refused = |what, value: f64, rule| {
        Err(Error::Body { body: number, what, value: value.to_string(), rule })
    };
    for (what, value) in [("radius", body.radius), ("mass", body.mass)] {
        if !(value.is_finite() && value > 0.0) {
            return refused(what, value, "it must be finite and greater than zero");
        }
    }
    let vectors = [
        ("coordinate", body.position),
        ("velocity", body.velocity),
        ("angular velocity", body.angular_velocity),
    ];
    for (what, vector) in vectors {
        if let Some(&value) = vector.iter().find(|value| !value.is_finite()) {
            return refused(what, value, "it must be finite");
        }
    }
    if let Some(shape) = body.shape.filter(|&shape| shape as usize >= settings.shapes.len()) {
        return refused("shape", f64::from(shape), "there is no shape of this number");
    }
    if !body.orientation.coords.iter().all(|number| number.is_finite()) {
        return refused("an orientation of", f64::NAN, "it must be finite");
    }
    if body.material as usize >= settings.material_count {
        let value = f64::from(body.material);
        return refused("material", value, "there is no material of this number");
    }
    Ok(())
}
