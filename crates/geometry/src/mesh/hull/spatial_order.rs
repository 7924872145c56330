//! Points in an order in which neighbours in space are mostly neighbours in memory.

use crate::space_curve::{CELLS, hilbert};
use crate::{Aabb, Vector};

/// Points and their numbers in the input. Equal points are in the order of the input.
pub(super) struct Points {
    pub places: Vec<Vector<3>>,
    pub numbers: Vec<u32>,
}

impl Points {
    /// Along Hilbert's curve.
    pub fn sorted(points: &[Vector<3>], bounds: &Aabb<3>) -> Self {
        let scale = f64::from(CELLS - 1) / bounds.size().max();
        let code = |point: &Vector<3>| {
            let place = (point - bounds.low) * scale;
            hilbert::<3>([place.x as u32, place.y as u32, place.z as u32])
        };
        let mut order: Vec<(u64, u32)> = points.iter().map(code).zip(0..).collect();
        order.sort_unstable();
        Points {
            places: order.iter().map(|&(_, number)| points[number as usize]).collect(),
            numbers: order.iter().map(|&(_, number)| number).collect(),
        }
    }
}
