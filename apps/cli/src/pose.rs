//! Poses of bodies in options.

use crate::failure::CommandFailure;
use crate::numbers;
use carom::geometry::{Pose, Vector};

/// Parses a position and a unit quaternion, or only a position.
pub fn pose(option: &str, text: Option<&str>) -> Result<Pose, CommandFailure> {
    let Some(text) = text else { return Ok(Pose::identity()) };
    let is_place = text.split(',').count() == 3;
    let numbers: [f64; 7] = if is_place {
        let [x, y, z] = numbers::list(option, text, "x,y,z")?;
        [x, y, z, 1.0, 0.0, 0.0, 0.0]
    } else {
        numbers::list(option, text, "x,y,z,qw,qx,qy,qz, or three: x,y,z")?
    };
    let [x, y, z, quaternion @ ..] = numbers;
    if let Some(far) = [x, y, z]
        .into_iter()
        .find(|place| !(-LARGEST_COORDINATE..=LARGEST_COORDINATE).contains(place))
    {
        return Err(CommandFailure::input(format!(
            "{option} is {text:?}; {far:e} is out of range, a coordinate must be between -{LARGEST_COORDINATE:e} and \
             {LARGEST_COORDINATE:e}"
        )));
    }
    Pose::new(Vector::from([x, y, z]), quaternion).ok_or_else(|| {
        let length = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
        CommandFailure::input(format!(
            "{option} is {text:?}; its quaternion qw,qx,qy,qz has length {length:?}, it must be 1"
        ))
    })
}

/// Largest coordinate, so that squares of distances are finite.
const LARGEST_COORDINATE: f64 = 1e60;
