//! Points in an order in which neighbours in space are mostly neighbours in memory.

use crate::{Aabb, Vector};

/// Points and their numbers in the input. Equal points are in the order of the input.
pub(super) struct Points {
    pub places: Vec<Vector<3>>,
    pub numbers: Vec<u32>,
}

impl Points {
    /// Along Morton's curve. Saves a third of the time where most points are corners, and costs some
    /// hundredths of a microsecond per point where few are.
    pub fn sorted(points: &[Vector<3>], bounds: &Aabb<3>) -> Self {
        let cells = Vector::repeat(f64::from((1u32 << 21) - 1)) / bounds.size().max();
        let code = |point: &Vector<3>| {
            let cell = (point - bounds.low).component_mul(&cells);
            spread(cell.x as u64) | spread(cell.y as u64) << 1 | spread(cell.z as u64) << 2
        };
        let mut order: Vec<(u64, u32)> = points.iter().map(code).zip(0..).collect();
        order.sort_unstable();
        Points {
            places: order.iter().map(|&(_, number)| points[number as usize]).collect(),
            numbers: order.iter().map(|&(_, number)| number).collect(),
        }
    }
}

/// Two empty bits behind each of 21 bits.
fn spread(cell: u64) -> u64 {
    let mut bits = cell & 0x1f_ffff;
    bits = (bits | bits << 32) & 0x001f_0000_0000_ffff;
    bits = (bits | bits << 16) & 0x001f_0000_ff00_00ff;
    bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f;
    bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}
