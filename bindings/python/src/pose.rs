//! The argument `pose`: where a body is and how it is turned.

use crate::arrays;
use crate::errors;
use carom::geometry::{Pose, Vector};
use numpy::PyUntypedArrayMethods;
use pyo3::prelude::*;

/// Largest coordinate, as on the command line: squares of distances are finite.
const LARGEST_COORDINATE: f64 = 1e60;

/// Returns the pose that an argument stands for: a position; a position and a unit quaternion x, y, z, qw, qx, qy, qz;
/// a matrix of four rows and columns; None for no motion.
pub fn pose(name: &str, value: Option<&Bound<'_, PyAny>>) -> PyResult<Pose> {
    let Some(value) = value else { return Ok(Pose::identity()) };
    let wrong = |rule: &str| errors::INPUT.with(value.py(), format!("{name} {rule}"));
    if let Ok(matrix) = arrays::rows(name, "each axis", value) {
        let &[4, 4] = matrix.shape() else {
            return Err(wrong("has two axes; such a pose is a matrix of four rows and columns"));
        };
        let read = arrays::read2(&matrix)?;
        return from_matrix(read.as_slice().unwrap_or_default()).ok_or_else(|| {
            wrong("is a matrix of something else than a motion: a rotation, a position, and a last row of 0, 0, 0, 1")
        });
    }
    let numbers = arrays::row(name, value)?;
    let read = arrays::read1(&numbers)?;
    from_numbers(read.as_slice().unwrap_or_default()).map_err(|rule| wrong(&rule))
}

/// Returns the pose of three or seven numbers, or the rule that they break.
pub fn from_numbers(numbers: &[f64]) -> Result<Pose, String> {
    let (position, quaternion) = match *numbers {
        [x, y, z] => ([x, y, z], [1.0, 0.0, 0.0, 0.0]),
        [x, y, z, qw, qx, qy, qz] => ([x, y, z], [qw, qx, qy, qz]),
        _ => {
            let count = numbers.len();
            return Err(format!(
                "has {count} numbers; it must be x, y, z, or x, y, z, qw, qx, qy, qz"
            ));
        }
    };
    check_position(&position)?;
    Pose::new(position.into(), quaternion).ok_or_else(|| {
        let length = quaternion.iter().map(|part| part * part).sum::<f64>().sqrt();
        format!("has a quaternion qw, qx, qy, qz of length {length:?}, it must be 1")
    })
}

fn check_position(position: &[f64; 3]) -> Result<(), String> {
    let allowed = -LARGEST_COORDINATE..=LARGEST_COORDINATE;
    match position.iter().find(|place| !allowed.contains(place)) {
        None => Ok(()),
        Some(place) => Err(format!(
            "has a coordinate {place:e}; it must be between -{LARGEST_COORDINATE:e} and {LARGEST_COORDINATE:e}"
        )),
    }
}

fn from_matrix(numbers: &[f64]) -> Option<Pose> {
    let &[xx, xy, xz, x, yx, yy, yz, y, zx, zy, zz, z, 0.0, 0.0, 0.0, 1.0] = numbers else {
        return None;
    };
    check_position(&[x, y, z]).ok()?;
    let columns = [[xx, yx, zx], [xy, yy, zy], [xz, yz, zz]].map(Vector::from);
    Pose::from_columns(columns, Vector::from([x, y, z]))
}
