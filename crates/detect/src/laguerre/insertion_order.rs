//! The order of insertion: random rounds, each eight times as large as the one before, and along the
//! Hilbert curve within a round.
//!
//! Rounds make the expected work independent of the order of the input (Amenta, Choi and Rote,
//! "Incremental constructions con BRIO", 2003); the curve keeps each sphere near the one before, so that
//! walks are short and memory stays in the cache.

use carom_geometry::space_filling_curve::{CELLS_PER_AXIS, hilbert_index, indices_by_key};
use carom_geometry::{Aabb, Sphere, Vector};

/// Returns the indices of the spheres in the order of their insertion.
pub fn insertion_order<const D: usize>(spheres: &[Sphere<D>]) -> Vec<u32> {
    let bounds = spheres.iter().fold(Aabb::empty(), |all, sphere| all.including(&sphere.center));
    let longest = bounds.size().max();
    let scale = if longest > 0.0 { f64::from(CELLS_PER_AXIS) / longest } else { 0.0 };
    indices_by_key(spheres.len(), |index| {
        let place: Vector<D> = (spheres[index].center - bounds.low) * scale;
        let cell = std::array::from_fn(|axis| (place[axis] as u32).min(CELLS_PER_AXIS - 1));
        round_of(index as u32) << (64 - ROUND_BITS) | hilbert_index::<D>(cell)
    })
}

const ROUND_BITS: u32 = 4;
const LAST_ROUND: u32 = 6;

/// Returns the round of a sphere: the last takes seven eighths of all, the one before seven eighths of the
/// rest, and so on. A hash of the index takes the place of random numbers, so that results repeat.
fn round_of(index: u32) -> u64 {
    let mixed = u64::from(index).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let eighths = (mixed >> 32).leading_zeros().saturating_sub(32) / 3;
    u64::from(LAST_ROUND.saturating_sub(eighths))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sphere_has_its_turn_and_early_rounds_are_small() {
        let spheres: Vec<Sphere<2>> =
            (0..4096).map(|k| Sphere::new([f64::from(k % 64), f64::from(k / 64)], 0.0)).collect();
        let mut order = insertion_order(&spheres);
        order.sort_unstable();
        assert!(order.iter().enumerate().all(|(k, &index)| k == index as usize));
        let last = (0..4096).filter(|&index| round_of(index) == u64::from(LAST_ROUND)).count();
        assert!((3400..3800).contains(&last), "{last} in the last round");
    }
}
