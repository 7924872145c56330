//! Refuses a search for contacts whose result would not fit into memory.

use carom_detect::Contact;
use carom_detect::narrow::overlap;
use carom_geometry::{Boundary, Sphere};
use carom_io::memory;

/// Memory per contact of the result alone; methods may keep candidates beside it.
const BYTES_PER_CONTACT: f64 = size_of::<Contact>() as f64;
/// Number of spheres whose contacts are counted.
const SAMPLES: usize = 16;
/// Least number of other spheres that each sample is tested against; all, if there are fewer.
const OTHERS: usize = 1 << 14;
/// Largest stride through the other spheres: at least every 64th is tested.
const LONGEST_STRIDE: usize = 64;
/// Less than this, in bytes, is not checked: asking the system for its memory takes as long as searching a thousand spheres.
const FEW_BYTES: f64 = 32e6;
/// Number of spheres whose pairs, even all of them, take less than that.
const FEW: usize = 1000;

/// Refuses spheres that overlap so much that memory would not hold their contacts; costs about a hundredth of the
/// search.
///
/// The number per sphere is the median over a sample: unlike the mean, it is not raised by a few giants.
pub fn check_contact_memory<const D: usize>(
    spheres: &[Sphere<D>],
    boundary: &Boundary<D>,
) -> Result<(), carom_io::Error> {
    if spheres.len() <= FEW {
        return Ok(());
    }
    let stride = (spheres.len() / OTHERS).clamp(1, LONGEST_STRIDE);
    let touches = |one: usize, other: usize| {
        one != other && overlap(&spheres[one], &spheres[other], boundary) >= 0.0
    };
    let count = |one: usize| {
        let others = (0..spheres.len()).step_by(stride);
        stride * others.filter(|&other| touches(one, other)).count()
    };
    let mut counts: Vec<usize> =
        (0..spheres.len()).step_by(spheres.len() / SAMPLES).map(count).collect();
    counts.sort_unstable();
    let contacts = 0.5 * counts[counts.len() / 2] as f64 * spheres.len() as f64;
    match contacts * BYTES_PER_CONTACT {
        bytes if bytes <= FEW_BYTES => Ok(()),
        bytes => memory::check(format!("about {contacts:.1e} contacts"), bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spheres_in_one_place_are_too_many_and_a_row_is_not() {
        let at = |places: fn(usize) -> f64| {
            let sphere = |k| Sphere::new([places(k), 0.0, 0.0], 0.5);
            check_contact_memory(&(0..5_000_000).map(sphere).collect::<Vec<_>>(), &Boundary::open())
        };
        assert!(at(|k| k as f64).is_ok());
        let refusal = at(|_| 0.0).unwrap_err().to_string();
        assert!(refusal.starts_with("about 1.2e13 contacts need about 200 TB"), "{refusal}");
    }
}
