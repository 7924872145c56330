//! Matrices that translate and convert expansions, each applied many times.

use crate::inside::lanes::LANES;

/// The number of sums of four rows that stay in registers: AVX2 has 16 registers, and 13 sums leave room for the
/// factor and the loaded rows.
const MAX_LANE_GROUPS: usize = 13;

/// A matrix by columns, each padded with zeros to a multiple of four rows.
#[derive(Clone, Debug)]
pub struct ExpansionMatrix {
    rows: usize,
    values: Vec<f64>,
}

/// Returns the next multiple of four.
pub const fn padded(rows: usize) -> usize {
    rows.next_multiple_of(LANES)
}

impl ExpansionMatrix {
    /// Returns a zero matrix.
    pub fn zero(rows: usize, columns: usize) -> Self {
        let rows = padded(rows);
        ExpansionMatrix { rows, values: vec![0.0; rows * columns] }
    }

    pub fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[column * self.rows + row] = value;
    }

    /// Runs [`ExpansionMatrix::multiply_add`], with AVX2 if `wide`.
    pub fn apply(&self, wide: bool, from: &[f64], to: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { apply_fused(self, from, to) };
        }
        self.multiply_add::<false>(from, to);
    }

    /// Adds the product with `from`, one value per column, to `to`, one value per row.
    #[inline(always)]
    pub fn multiply_add<const FUSED: bool>(&self, from: &[f64], to: &mut [f64]) {
        let lane_groups = self.rows / LANES;
        // Groups of equal size: a small last group would wait for the latency of its own few sums.
        let together = lane_groups.div_ceil(lane_groups.div_ceil(MAX_LANE_GROUPS));
        let mut first = 0;
        while first < lane_groups {
            let now = together.min(lane_groups - first);
            match now {
                1 => self.multiply_row_group::<FUSED, 1>(first, from, to),
                2 => self.multiply_row_group::<FUSED, 2>(first, from, to),
                3 => self.multiply_row_group::<FUSED, 3>(first, from, to),
                4 => self.multiply_row_group::<FUSED, 4>(first, from, to),
                5 => self.multiply_row_group::<FUSED, 5>(first, from, to),
                6 => self.multiply_row_group::<FUSED, 6>(first, from, to),
                7 => self.multiply_row_group::<FUSED, 7>(first, from, to),
                8 => self.multiply_row_group::<FUSED, 8>(first, from, to),
                9 => self.multiply_row_group::<FUSED, 9>(first, from, to),
                10 => self.multiply_row_group::<FUSED, 10>(first, from, to),
                11 => self.multiply_row_group::<FUSED, 11>(first, from, to),
                12 => self.multiply_row_group::<FUSED, 12>(first, from, to),
                _ => self.multiply_row_group::<FUSED, MAX_LANE_GROUPS>(first, from, to),
            }
            first += now;
        }
    }

    /// Multiplies four times `GROUPS` rows, whose sums stay in registers.
    #[inline(always)]
    fn multiply_row_group<const FUSED: bool, const GROUPS: usize>(
        &self,
        first: usize,
        from: &[f64],
        to: &mut [f64],
    ) {
        let mut sums = [[0.0; LANES]; GROUPS];
        for (column, &factor) in self.values.chunks_exact(self.rows).zip(from) {
            let (lane_groups, _) =
                column[LANES * first..LANES * (first + GROUPS)].as_chunks::<LANES>();
            for (sum, group) in sums.iter_mut().zip(lane_groups) {
                for lane in 0..LANES {
                    sum[lane] = if FUSED {
                        group[lane].mul_add(factor, sum[lane])
                    } else {
                        group[lane] * factor + sum[lane]
                    };
                }
            }
        }
        let (lane_groups, _) = to[LANES * first..LANES * (first + GROUPS)].as_chunks_mut::<LANES>();
        for (to, sum) in lane_groups.iter_mut().zip(&sums) {
            for lane in 0..LANES {
                to[lane] += sum[lane];
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn apply_fused(matrix: &ExpansionMatrix, from: &[f64], to: &mut [f64]) {
    matrix.multiply_add::<true>(from, to);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inside::lanes::has_avx2_and_fma;

    #[test]
    fn products_are_right_for_every_number_of_rows() {
        for rows in 1..300 {
            let mut matrix = ExpansionMatrix::zero(rows, 5);
            let entry = |row: usize, column: usize| ((row * 7 + column * 3) % 11) as f64 - 5.0;
            for (row, column) in (0..rows).flat_map(|row| (0..5).map(move |column| (row, column))) {
                matrix.set(row, column, entry(row, column));
            }
            let from = [1.0, -2.0, 3.0, 0.5, 4.0];
            let mut to = vec![1.0; padded(rows)];
            matrix.multiply_add::<false>(&from, &mut to);
            let mut widest = vec![1.0; padded(rows)];
            matrix.apply(has_avx2_and_fma(), &from, &mut widest);
            for row in 0..rows {
                let expected: f64 = (0..5).map(|column| entry(row, column) * from[column]).sum();
                assert_eq!(to[row], 1.0 + expected);
                assert_eq!(widest[row], 1.0 + expected);
            }
        }
    }
}
