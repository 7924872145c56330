//! The order in which spheres are inserted: in rounds, each eight times as large as the one before, and
//! along Hilbert's curve within a round.
//!
//! Rounds make the expected work independent of how the input is laid out (Amenta, Choi and Rote,
//! "Incremental constructions con BRIO", 2003); the curve keeps each sphere near the one before.

use carom_geometry::{Aabb, Sphere, Vector};

/// The spheres in the order of their insertion.
pub fn insertion_order<const D: usize>(spheres: &[Sphere<D>]) -> Vec<u32> {
    let bounds = spheres.iter().fold(Aabb::empty(), |all, sphere| all.including(&sphere.center));
    let longest = bounds.size().max();
    let scale = if longest > 0.0 { CELLS / longest } else { 0.0 };
    let key = |index: usize| {
        let place: Vector<D> = (spheres[index].center - bounds.low) * scale;
        let cell = std::array::from_fn(|axis| (place[axis] as u32).min(CELLS as u32 - 1));
        round_of(index as u32) << (64 - ROUND_BITS) | along_curve::<D>(cell)
    };
    let mut order: Vec<(u64, u32)> =
        (0..spheres.len()).map(|index| (key(index), index as u32)).collect();
    order.sort_unstable();
    order.into_iter().map(|(_, index)| index).collect()
}

const BITS: u32 = 20;
const CELLS: f64 = (1u32 << BITS) as f64;
const ROUND_BITS: u32 = 4;
const LAST_ROUND: u32 = 6;

/// The last round takes seven eighths of all, the one before seven eighths of the rest, and so on.
fn round_of(index: u32) -> u64 {
    let mixed = u64::from(index).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let eighths = (mixed >> 32).leading_zeros().saturating_sub(32) / 3;
    u64::from(LAST_ROUND.saturating_sub(eighths))
}

/// How far along Hilbert's curve a cell comes, by Skilling's transposition ("Programming the Hilbert
/// curve", 2004).
fn along_curve<const D: usize>(mut cell: [u32; D]) -> u64 {
    // Bits of coordinates cannot be foreseen, so nothing branches on them.
    let all_if = |set: u32| 0u32.wrapping_sub(u32::from(set != 0));
    for level in (1..BITS).rev() {
        let (bit, below) = (1u32 << level, (1u32 << level) - 1);
        for axis in 0..D {
            let inverts = all_if(cell[axis] & bit);
            let exchanged = (cell[0] ^ cell[axis]) & below & !inverts;
            cell[0] ^= exchanged ^ (below & inverts);
            cell[axis] ^= exchanged & all_if(axis as u32);
        }
    }
    for axis in 1..D {
        cell[axis] ^= cell[axis - 1];
    }
    let turned = (1..BITS).fold(0, |turned, level| {
        turned ^ (((1u32 << level) - 1) & all_if(cell[D - 1] & (1 << level)))
    });
    (0..D).fold(0, |key, axis| key | spread::<D>(cell[axis] ^ turned) << (D - 1 - axis))
}

/// The bits of a number with `D - 1` free places between them.
fn spread<const D: usize>(number: u32) -> u64 {
    let mut wide = u64::from(number);
    let steps: [(u32, u64); 5] = if D == 2 {
        [
            (16, 0x0000_ffff_0000_ffff),
            (8, 0x00ff_00ff_00ff_00ff),
            (4, 0x0f0f_0f0f_0f0f_0f0f),
            (2, 0x3333_3333_3333_3333),
            (1, 0x5555_5555_5555_5555),
        ]
    } else {
        [
            (32, 0x001f_0000_0000_ffff),
            (16, 0x001f_0000_ff00_00ff),
            (8, 0x100f_00f0_0f00_f00f),
            (4, 0x10c3_0c30_c30c_30c3),
            (2, 0x1249_2492_4924_9249),
        ]
    };
    for (shift, mask) in steps {
        wide = (wide | wide << shift) & mask;
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_steps_of_one<const D: usize>(side: u32) {
        let mut cells = vec![[0u32; D]];
        for axis in 0..D {
            cells = (0..side)
                .flat_map(|k| {
                    cells.iter().map(move |&cell| {
                        let mut cell = cell;
                        cell[axis] = k;
                        cell
                    })
                })
                .collect();
        }
        cells.sort_unstable_by_key(|&cell| along_curve::<D>(cell));
        for two in cells.windows(2) {
            let step: u32 = (0..D).map(|axis| two[0][axis].abs_diff(two[1][axis])).sum();
            assert_eq!(step, 1, "{two:?}");
        }
    }

    #[test]
    fn the_curve_goes_from_cell_to_adjacent_cell() {
        assert_steps_of_one::<2>(64);
        assert_steps_of_one::<3>(16);
    }

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
