//! Whether unequal sizes slow the distance sort down (section 4 of the paper: they do not).

use super::particles::discs;
use super::search_measurement;
use carom::BroadPhaseMethod;
use carom::detect::broad::DistanceSortOrigin;

/// Pair tests of the distance sort on discs of unequal and of equal sizes at the same places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dispersion {
    /// With the diameters of table 1.
    pub unequal_tests: u64,
    /// With all diameters equal to their mean.
    pub equal_tests: u64,
}

/// Counts both.
pub fn measure() -> Dispersion {
    let tests = |diameters: [f64; 2]| {
        let discs = discs(10_000, diameters, 10.0);
        search_measurement::count(
            &discs,
            BroadPhaseMethod::DistanceSort(DistanceSortOrigin::Corner),
        )
        .pair_tests
    };
    Dispersion { unequal_tests: tests([0.02, 1.0]), equal_tests: tests([0.51, 0.51]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_mean_size_counts() {
        let Dispersion { unequal_tests, equal_tests } = measure();
        let ratio = unequal_tests as f64 / equal_tests as f64;
        assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
    }
}
