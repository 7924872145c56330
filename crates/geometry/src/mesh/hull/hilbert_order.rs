//! Points sorted along the Hilbert curve, so that neighbors in space are mostly neighbors in memory.

use crate::space_filling_curve::{CELLS_PER_AXIS, hilbert_index, indices_by_key};
use crate::{Aabb, Vector};

/// Points and their indices in the input. Equal points are in the order of the input.
pub(super) struct IndexedHullPoints {
    pub positions: Vec<Vector<3>>,
    pub input_indices: Vec<u32>,
}

impl IndexedHullPoints {
    /// Sorts points along the Hilbert curve.
    pub fn along_hilbert_curve(points: &[Vector<3>], bounds: &Aabb<3>) -> Self {
        let scale = f64::from(CELLS_PER_AXIS - 1) / bounds.size().max();
        let code = |point: &Vector<3>| {
            let place = (point - bounds.low) * scale;
            hilbert_index::<3>([place.x as u32, place.y as u32, place.z as u32])
        };
        let input_indices = indices_by_key(points.len(), |index| code(&points[index]));
        let positions = input_indices.iter().map(|&index| points[index as usize]).collect();
        IndexedHullPoints { positions, input_indices }
    }
}
