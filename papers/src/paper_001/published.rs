//! The figures the paper prints.

/// A row of the table in section "Real simulations": 100,000 distances of two rotating particles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublishedQueryRow {
    /// How many faces a particle has.
    pub faces: usize,
    /// Faces, edges and corners together.
    pub features: usize,
    /// Queries that took one, two, three, and more iterations.
    pub iterations: [usize; 4],
    /// Time of a query on an IBM Power 2.
    pub microseconds: u32,
}

/// The table.
pub const TABLE: [PublishedQueryRow; 13] = [
    row(4, 14, [98290, 1430, 259, 20], 63),
    row(8, 26, [99803, 196, 0, 2], 83),
    row(20, 62, [99497, 465, 36, 2], 71),
    row(32, 98, [99703, 296, 0, 1], 69),
    row(40, 122, [99702, 222, 75, 1], 72),
    row(80, 242, [99164, 737, 97, 2], 76),
    row(100, 302, [99563, 292, 144, 1], 70),
    row(140, 422, [99486, 436, 77, 1], 63),
    row(160, 482, [99442, 549, 8, 1], 70),
    row(200, 602, [99361, 630, 8, 1], 78),
    row(400, 1202, [98907, 1057, 35, 1], 74),
    row(600, 1802, [98271, 1667, 57, 5], 78),
    row(920, 2762, [97661, 2217, 112, 10], 58),
];

const fn row(
    faces: usize,
    features: usize,
    iterations: [usize; 4],
    microseconds: u32,
) -> PublishedQueryRow {
    PublishedQueryRow { faces, features, iterations, microseconds }
}

impl PublishedQueryRow {
    /// The part of the queries that took one iteration.
    pub fn share_of_one(&self) -> f64 {
        self.iterations[0] as f64 / self.iterations.iter().sum::<usize>() as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_are_of_triangles_and_of_a_hundred_thousand_queries() {
        for row in TABLE {
            assert_eq!(row.features, row.faces + 3 * row.faces / 2 + row.faces / 2 + 2);
            assert!(row.iterations.iter().sum::<usize>().abs_diff(100_000) <= 1, "{row:?}");
        }
    }

    #[test]
    fn at_least_97_percent_take_one_iteration() {
        assert!(TABLE.iter().all(|row| row.share_of_one() > 0.97));
        assert!(TABLE.iter().any(|row| row.share_of_one() < 0.98));
    }
}
