//! The order in which bodies are stored: along a space-filling curve, so that neighbors in space are
//! neighbors in memory.

use super::hard_spheres::HardSpheres;

/// Returns the bodies in Morton (Z) order of their positions.
pub fn morton_order<const D: usize>(bodies: &HardSpheres<D>, now: f64) -> Vec<u32> {
    let key = |body: u32| {
        let place = bodies.wrapped_position_at(body, now);
        let mut columns = [0u64; D];
        for axis in 0..D {
            let part = place[axis] / bodies.region.size[axis];
            columns[axis] = (part.clamp(0.0, 1.0) * ((1u64 << BITS) - 1) as f64) as u64;
        }
        let bit = |key: u64, bit: u32| columns.iter().fold(key, |key, c| key << 1 | (c >> bit & 1));
        (0..BITS).rev().fold(0, bit)
    };
    let mut order: Vec<(u64, u32)> = (0..bodies.count() as u32).map(|b| (key(b), b)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, body)| body).collect()
}

/// Number of bits per axis in a Morton key.
const BITS: u32 = 20;

/// Permutes an array: entry `k` becomes the old entry `order[k]`. An empty array stays empty.
pub fn reorder<T: Copy>(array: &mut Vec<T>, order: &[u32]) {
    if !array.is_empty() {
        *array = order.iter().map(|&old| array[old as usize]).collect();
    }
}
