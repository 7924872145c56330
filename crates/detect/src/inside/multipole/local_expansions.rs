//! The local expansions of all leaves: equations 20, 24 and 25.

use super::moment_to_local::MomentToLocalConverter;
use super::moments::MultipoleMoments;
use super::solid_harmonics::coefficient_count;
use super::target_octree::{NONE, TargetOctree};

/// The local expansions of all leaves.
#[derive(Clone, Debug)]
pub struct LocalExpansions {
    /// The number of coefficients of each leaf.
    stride: usize,
    values: Vec<f64>,
}

impl LocalExpansions {
    /// Converts the moments of the far field, from coarse target boxes to fine ones.
    pub fn new(places: &TargetOctree, moments: &MultipoleMoments, degree: usize) -> Self {
        let converter = MomentToLocalConverter::new(places, moments, degree);
        let stride = coefficient_count(degree);
        let mut values = vec![0.0; stride * places.leaves.count()];
        let mut above = Vec::new();
        for (level, places) in places.levels.iter().enumerate() {
            let here = converter.convert_level(level, places, &above);
            for (place, local) in places.boxes.iter().zip(here.chunks(converter.stride)) {
                if place.leaf != NONE {
                    let first = place.leaf as usize * stride;
                    values[first..first + stride].copy_from_slice(&local[..stride]);
                }
            }
            above = here;
        }
        LocalExpansions { stride, values }
    }

    /// Returns the coefficients of a leaf.
    #[inline]
    pub fn leaf_coefficients(&self, leaf: u32) -> &[f64] {
        &self.values[leaf as usize * self.stride..(leaf as usize + 1) * self.stride]
    }

    pub fn bytes(&self) -> usize {
        size_of::<f64>() * self.values.capacity()
    }
}
