//! Space-filling curves through all cells of a grid: orders in which neighbors in space are mostly neighbors
//! in the order, for locality in memory.
//!
//! The Hilbert curve goes from cell to adjacent cell. The Morton (Z) curve jumps, but its index is cheaper, and
//! a prefix of its bits is the index of the enclosing cell of a coarser grid.
//!
//! To sort bodies for locality take [`hilbert_index`]; for trees of cells [`morton_index`]; [`indices_by_key`] sorts by
//! either.

const BITS: u32 = 20;
/// Number of cells along each axis; cells are numbered from zero.
pub const CELLS_PER_AXIS: u32 = 1 << BITS;

/// Returns the position of a 2D or 3D cell along the Hilbert curve, by Skilling's transpose algorithm
/// ("Programming the Hilbert curve", 2004).
pub fn hilbert_index<const D: usize>(mut cell: [u32; D]) -> u64 {
    // Bits of coordinates cannot be predicted, so masks take the place of branches.
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
    // Gray encoding.
    for axis in 1..D {
        cell[axis] ^= cell[axis - 1];
    }
    let turned = (1..BITS).fold(0, |turned, level| {
        turned ^ (((1u32 << level) - 1) & all_if(cell[D - 1] & (1 << level)))
    });
    morton_index::<D>(cell.map(|coordinate| coordinate ^ turned))
}

/// Returns the position of a 2D or 3D cell along the Morton curve: the bits of its coordinates interleaved, coarse
/// ones first, and of equal ones that of the first axis first.
///
/// ```
/// use carom_geometry::space_filling_curve::morton_index;
/// assert_eq!(morton_index([0b10, 0b11]), 0b11_01);
/// ```
#[inline]
pub fn morton_index<const D: usize>(cell: [u32; D]) -> u64 {
    (0..D).fold(0, |key, axis| key | spread_bits::<D>(cell[axis]) << (D - 1 - axis))
}

/// Returns the indices below `count` in ascending order of their keys; equal keys in ascending order of the indices.
///
/// ```
/// use carom_geometry::space_filling_curve::{hilbert_index, indices_by_key};
/// let cells = [[1, 1], [1, 0], [0, 0]];
/// let order = indices_by_key(cells.len(), |index| hilbert_index(cells[index]));
/// assert_eq!(order[0], 2);
/// ```
pub fn indices_by_key(count: usize, key: impl Fn(usize) -> u64) -> Vec<u32> {
    let mut keyed: Vec<(u64, u32)> = (0..count).map(key).zip(0..).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, index)| index).collect()
}

/// Returns the bits of a number with `D - 1` zero bits between them; in 3D those above bit 20 are dropped.
#[inline]
fn spread_bits<const D: usize>(number: u32) -> u64 {
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
        cells.sort_unstable_by_key(|&cell| hilbert_index::<D>(cell));
        for two in cells.windows(2) {
            let step: u32 = (0..D).map(|axis| two[0][axis].abs_diff(two[1][axis])).sum();
            assert_eq!(step, 1, "{two:?}");
        }
    }

    #[test]
    fn a_morton_index_interleaves_bits_of_every_height() {
        let by_bits = |cell: &[u32]| {
            let bits = (0..BITS).rev().flat_map(|bit| cell.iter().map(move |c| c >> bit & 1));
            bits.fold(0, |key, bit| key << 1 | u64::from(bit))
        };
        let mut random = crate::random::SplitMix64::new(1);
        for _ in 0..1000 {
            let cell = [(); 3].map(|()| (random.bits() % u64::from(CELLS_PER_AXIS)) as u32);
            assert_eq!(morton_index(cell), by_bits(&cell));
            assert_eq!(morton_index([cell[0], cell[1]]), by_bits(&cell[..2]));
        }
    }

    #[test]
    fn the_hilbert_curve_goes_from_cell_to_adjacent_cell() {
        assert_steps_of_one::<2>(64);
        assert_steps_of_one::<3>(16);
    }
}
