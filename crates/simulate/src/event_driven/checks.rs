//! Checks of settings and bodies: every number is checked once, on entry, and trusted inside.

use super::body::BodyStart;
use super::schedule::MAX_BODIES;
use super::settings::Settings;
use crate::Error;
use crate::error::axis_name;
use crate::event_driven::{GrowthTarget, Thermostat};
use crate::{BoundaryCondition, Restitution};
use carom_detect::{BroadPhaseMethod, ContactSearch};
use carom_geometry::Sphere;

/// Refuses settings that are not finite or out of range.
pub fn settings<const D: usize>(settings: &Settings<D>) -> Result<(), Error> {
    let positive = "it must be finite and greater than zero";
    for axis in 0..D {
        let size = settings.region.size[axis];
        let sensible = (1e-100..=1e100).contains(&size);
        require(sensible, "box size", size, "it must be between 1e-100 and 1e100")?;
        if let BoundaryCondition::Wall { restitution: Some(restitution) } =
            settings.region.boundary_conditions[axis]
        {
            let possible = (0.0..=1.0).contains(&restitution);
            require(possible, "wall restitution", restitution, "it must be from 0 to 1")?;
        }
        let gravity = settings.gravity[axis];
        require(gravity.is_finite(), "gravity", gravity, "it must be finite")?;
    }
    settings.restitutions.iter().try_for_each(Restitution::check)?;
    if let Some(time) = settings.contact_time {
        require(
            time >= 0.0 && time.is_finite(),
            "contact time",
            time,
            "it must be finite and not negative",
        )?;
    }
    if let Some(field) = &settings.field {
        require(is_positive(field.period), "field period", field.period, positive)?;
    }
    if let Some(shell) = settings.shell {
        require(is_positive(shell), "shell", shell, positive)?;
    }
    if let Some(growth) = &settings.growth {
        require(is_positive(growth.rate), "growth rate", growth.rate, positive)?;
        match growth.until {
            Some(GrowthTarget::PackingFraction(value)) => {
                require(is_positive(value), "packing fraction to reach", value, positive)?;
            }
            Some(GrowthTarget::Pressure(value)) => {
                require(is_positive(value), "pressure to reach", value, positive)?;
            }
            None => {}
        }
    }
    let (temperature, what, value) = match settings.thermostat {
        None => return Ok(()),
        Some(Thermostat::Rescale { temperature, interval }) => {
            (temperature, "thermostat interval", interval)
        }
        Some(Thermostat::Kicks { temperature, rate }) => (temperature, "thermostat rate", rate),
    };
    require(is_positive(temperature), "thermostat temperature", temperature, positive)?;
    require(is_positive(value), what, value, positive)?;
    Ok(())
}

/// Refuses bodies with unusable numbers, outside the box, too wide for a period, or overlapping.
pub fn bodies<const D: usize>(
    bodies: &[BodyStart<D>],
    settings: &Settings<D>,
) -> Result<(), Error> {
    let allowed = !bodies.is_empty() && bodies.len() <= MAX_BODIES;
    require(allowed, "number of bodies", bodies.len(), "it must be from 1 to 2147483647")?;
    let materials = settings.restitutions.len();
    for (number, body) in bodies.iter().enumerate() {
        numbers(number, body, materials)?;
        inside(number, body, settings)?;
    }
    periods(bodies, settings)?;
    scales(bodies, settings)?;
    overlaps(bodies, settings)
}

fn numbers<const D: usize>(
    number: usize,
    body: &BodyStart<D>,
    materials: usize,
) -> Result<(), Error> {
    let refuse = |what, value: f64, rule| {
        Err(Error::Body { body: number, what, value: value.to_string(), rule })
    };
    let positive = "it must be finite and greater than zero";
    if !is_positive(body.radius) {
        return refuse("radius", body.radius, positive);
    }
    if !is_positive(body.mass) {
        return refuse("mass", body.mass, positive);
    }
    if usize::from(body.material) >= materials {
        return refuse("material", f64::from(body.material), "there is no material of this number");
    }
    for axis in 0..D {
        if !body.position[axis].is_finite() {
            return refuse("a coordinate", body.position[axis], "it must be finite");
        }
        if !body.velocity[axis].is_finite() {
            return refuse("a velocity", body.velocity[axis], "it must be finite");
        }
    }
    Ok(())
}

fn inside<const D: usize>(
    number: usize,
    body: &BodyStart<D>,
    settings: &Settings<D>,
) -> Result<(), Error> {
    for axis in 0..D {
        let (x, size) = (body.position[axis], settings.region.size[axis]);
        let inset = match settings.region.boundary_conditions[axis] {
            BoundaryCondition::Open => continue,
            BoundaryCondition::Periodic => 0.0,
            // Coordinates from files are rounded: bodies may be a trace too near to a wall.
            BoundaryCondition::Wall { .. } => body.radius * (1.0 - OVERLAP_TOLERANCE),
        };
        if x < inset || x > size - inset {
            let (axis, radius) = (axis_name(axis), body.radius);
            return Err(Error::OutsideBox { body: number, radius, coordinate: x, axis, size });
        }
    }
    Ok(())
}

fn periods<const D: usize>(bodies: &[BodyStart<D>], settings: &Settings<D>) -> Result<(), Error> {
    let widest = 2.0 * bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
    for axis in 0..D {
        let size = settings.region.size[axis];
        if settings.region.boundary_conditions[axis] == BoundaryCondition::Periodic
            && size <= 2.0 * widest
        {
            return Err(Error::ShortPeriod { axis: axis_name(axis), size, widest });
        }
    }
    Ok(())
}

/// Refuses scales that double precision cannot resolve: radii tiny beside the box, contact times long
/// beside free fall.
fn scales<const D: usize>(bodies: &[BodyStart<D>], settings: &Settings<D>) -> Result<(), Error> {
    let closed =
        |&axis: &usize| settings.region.boundary_conditions[axis] != BoundaryCondition::Open;
    let longest = (0..D).filter(closed).map(|axis| settings.region.size[axis]).fold(0.0, f64::max);
    for (number, body) in bodies.iter().enumerate() {
        if body.radius < MIN_RELATIVE_RADIUS * longest {
            let value = body.radius.to_string();
            let rule = "it must be at least a ten millionth of the longest side of the box, or where \
                        bodies touch is lost in rounding";
            return Err(Error::Body { body: number, what: "radius", value, rule });
        }
    }
    let gravity = settings.gravity.norm();
    if let Some(time) = settings.contact_time
        && gravity > 0.0
    {
        let narrowest = 2.0 * bodies.iter().map(|body| body.radius).fold(f64::INFINITY, f64::min);
        let sensible = time * time * gravity <= 0.01 * narrowest;
        let rule = "under gravity it must be at most a tenth of the time sqrt(d / g), in which the \
                    smallest body falls half its diameter, or bodies at rest are thrown about";
        require(sensible, "contact time", time, rule)?;
    }
    Ok(())
}

/// Smallest radius, in units of the longest side of the box.
const MIN_RELATIVE_RADIUS: f64 = 1e-7;

/// Overlaps below this fraction of the smaller radius count as rounding.
const OVERLAP_TOLERANCE: f64 = 1e-9;

fn overlaps<const D: usize>(bodies: &[BodyStart<D>], settings: &Settings<D>) -> Result<(), Error> {
    let spheres: Vec<Sphere<D>> =
        bodies.iter().map(|body| Sphere { center: body.position, radius: body.radius }).collect();
    let refused = |error: String| Error::Setting {
        what: "the start",
        value: error,
        rule: "bodies must be such that contacts can be searched for",
    };
    let boundary = settings.region.boundary()?;
    let mut search = ContactSearch::new(BroadPhaseMethod::Auto);
    let contacts = search.find(&spheres, &boundary).map_err(|error| refused(error.to_string()))?;
    let deep = contacts.iter().find(|contact| {
        let (a, b) = (contact.pair.first() as usize, contact.pair.second() as usize);
        contact.overlap > OVERLAP_TOLERANCE * bodies[a].radius.min(bodies[b].radius)
    });
    match deep {
        None => Ok(()),
        Some(contact) => Err(Error::Overlap {
            first: contact.pair.first(),
            second: contact.pair.second(),
            overlap: contact.overlap,
        }),
    }
}

fn is_positive(value: f64) -> bool {
    value > 0.0 && value.is_finite()
}

fn require(
    holds: bool,
    what: &'static str,
    value: impl ToString,
    rule: &'static str,
) -> Result<(), Error> {
    if holds { Ok(()) } else { Err(Error::Setting { what, value: value.to_string(), rule }) }
}
