//! The local expansions of all leaves: equations 20, 24 and 25.

use super::convert::Converter;
use super::harmonics::count;
use super::moments::Moments;
use super::places::{NONE, PlaceTree};

/// The expansions of all leaves.
#[derive(Clone, Debug)]
pub struct Expansions {
    /// So many numbers for each leaf.
    stride: usize,
    values: Vec<f64>,
}

impl Expansions {
    /// Converts the moments of what is far, from coarse places to fine ones.
    pub fn new(places: &PlaceTree, moments: &Moments, degree: usize) -> Self {
        let converter = Converter::new(places, moments, degree);
        let stride = count(degree);
        let mut values = vec![0.0; stride * places.leaves.count()];
        let mut above = Vec::new();
        for (level, places) in places.levels.iter().enumerate() {
            let here = converter.level(level, places, &above);
            for (place, local) in places.places.iter().zip(here.chunks(converter.stride)) {
                if place.leaf != NONE {
                    let first = place.leaf as usize * stride;
                    values[first..first + stride].copy_from_slice(&local[..stride]);
                }
            }
            above = here;
        }
        Expansions { stride, values }
    }

    /// The expansion of a leaf.
    #[inline]
    pub fn of(&self, leaf: u32) -> &[f64] {
        &self.values[leaf as usize * self.stride..(leaf as usize + 1) * self.stride]
    }

    pub fn bytes(&self) -> usize {
        size_of::<f64>() * self.values.capacity()
    }
}
