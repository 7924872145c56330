//! The rotation per step that the paper's table lets expect.
//!
//! The paper states neither by how much its particles turn between two queries nor how far apart they are,
//! but both decide how often the closest features change. At the gap of [`GAP`](super::pair_table::GAP)
//! the rotation is found from what is printed: at least 97 % of the queries take one iteration, whatever
//! the number of faces.

use super::pair_table::{printed, share_of_one};

/// The part of queries that must take one iteration.
pub const SHARE: f64 = 0.97;
/// Rotations are multiples of this.
const UNIT: f64 = 0.005;
/// The largest rotation looked at, in units.
const MOST: u32 = 400;

/// The largest rotation per step in degrees at which for every number of faces at least [`SHARE`] of this
/// many queries take one iteration.
pub fn largest(queries: usize) -> f64 {
    let (mut fits, mut exceeds) = (1, MOST);
    while exceeds - fits > 1 {
        let middle = fits.midpoint(exceeds);
        if fits_everywhere(degrees(middle), queries) {
            fits = middle;
        } else {
            exceeds = middle;
        }
    }
    degrees(fits)
}

/// Free of the noise in the last digits.
fn degrees(units: u32) -> f64 {
    (f64::from(units) * UNIT * 1e3).round() / 1e3
}

/// Those with many faces are looked at first: they are the first to fail.
fn fits_everywhere(degrees: f64, queries: usize) -> bool {
    let faces = printed().into_iter().rev().map(|row| row.number("faces") as usize);
    faces.into_iter().all(|faces| share_of_one(faces, degrees, queries) >= SHARE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_found_between_fitting_and_exceeding() {
        let largest = largest(500);
        assert!(fits_everywhere(largest, 500), "{largest}");
        assert!(!fits_everywhere(largest + UNIT, 500), "{largest}");
    }
}
