//! The figures the paper prints, and those it tells in words.

/// A time of table 2: the evaluation part of the fast multipole method, on a 2.8 GHz PC of 2006.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PublishedTime {
    /// Points along each axis of the grid.
    pub per_axis: usize,
    /// Triangles of the sphere.
    pub triangles: usize,
    /// Seconds as printed, such as `< 1`.
    pub text: &'static str,
    /// Seconds, where the paper prints more than a bound.
    pub seconds: Option<f64>,
}

/// Table 2.
pub const TABLE_2: [PublishedTime; 12] = [
    bound(10, 8192, "< 1"),
    printed(10, 32768, "≈ 1", 1.0),
    bound(10, 131_072, "< 1"),
    printed(20, 8192, "≈ 1", 1.0),
    printed(20, 32768, "5", 5.0),
    printed(20, 131_072, "3", 3.0),
    printed(40, 8192, "10", 10.0),
    printed(40, 32768, "40", 40.0),
    printed(40, 131_072, "24", 24.0),
    printed(80, 8192, "83", 83.0),
    printed(80, 32768, "329", 329.0),
    printed(80, 131_072, "202", 202.0),
];

const fn printed(
    per_axis: usize,
    triangles: usize,
    text: &'static str,
    seconds: f64,
) -> PublishedTime {
    PublishedTime { per_axis, triangles, text, seconds: Some(seconds) }
}

const fn bound(per_axis: usize, triangles: usize, text: &'static str) -> PublishedTime {
    PublishedTime { per_axis, triangles, text, seconds: None }
}

/// Triangles of the three foams (section 3.2).
pub const FOAMS: [usize; 3] = [28_952, 120_868, 494_124];

/// Between which numbers of triangles the pre-chosen multipole method overtakes ray crossing on
/// spheres: points along each axis, the last sphere where ray crossing is better and the next
/// (section 4: "the five coarsest" for the smallest grid, "the three smallest" for the largest).
pub const CROSSOVERS: [(usize, [usize; 2]); 2] = [(10, [2048, 8192]), (80, [128, 512])];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_times_grow_with_the_points() {
        for triangles in [8192, 32768, 131_072] {
            let times: Vec<f64> = TABLE_2
                .iter()
                .filter(|printed| printed.triangles == triangles)
                .filter_map(|printed| printed.seconds)
                .collect();
            assert!(times.len() >= 3 && times.is_sorted(), "{triangles}: {times:?}");
        }
    }
}
