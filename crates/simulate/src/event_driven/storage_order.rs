//! The order in which bodies are stored: along a space-filling curve, so that neighbors in space are
//! neighbors in memory.

use super::hard_spheres::HardSpheres;
use carom_geometry::space_filling_curve::{CELLS_PER_AXIS, indices_by_key, morton_index};

/// Returns the bodies in Morton (Z) order of their positions.
pub fn morton_order<const D: usize>(bodies: &HardSpheres<D>, now: f64) -> Vec<u32> {
    indices_by_key(bodies.count(), |body| {
        let place = bodies.wrapped_position_at(body as u32, now);
        morton_index::<D>(std::array::from_fn(|axis| {
            let part = place[axis] / bodies.region.size[axis];
            (part.clamp(0.0, 1.0) * f64::from(CELLS_PER_AXIS - 1)) as u32
        }))
    })
}

/// Permutes an array: entry `k` becomes the old entry `order[k]`. An empty array stays empty.
pub fn reorder<T: Copy>(array: &mut Vec<T>, order: &[u32]) {
    if !array.is_empty() {
        *array = order.iter().map(|&old| array[old as usize]).collect();
    }
}
