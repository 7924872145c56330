//! Expected counts of work for uniform random particles, by geometry and without the faces of the box.

use super::particles::{DiameterTest, density, side};
use std::f64::consts::{PI, SQRT_2};

/// Expected contacts per particle of a test: half the particles expected within reach,
/// `(N/V) (pi/2) E[(ri+rj)^2]` in the plane and `(N/V) (2/3) pi E[(ri+rj)^3]` in space.
pub fn contacts_per_particle(test: DiameterTest, dimension: usize) -> f64 {
    let [low, high] = test.diameters;
    // The sum of two radii has the mean of one diameter and half its variance, and is spread
    // evenly around its mean.
    let (mean, variance) = ((low + high) / 2.0, (high - low).powi(2) / 24.0);
    let half_volume = match dimension {
        2 => PI / 2.0 * (mean.powi(2) + variance),
        _ => 2.0 / 3.0 * PI * (mean.powi(3) + 3.0 * mean * variance),
    };
    density(dimension) * half_volume
}

/// The power of the number of particles with which the tests of the distance sort grow: the
/// particles in a shell as wide as a diameter, for each of all.
pub fn distance_sort_exponent(dimension: f64) -> f64 {
    2.0 - 1.0 / dimension
}

/// Position of the origin of the distance sort relative to the box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OriginPlacement {
    /// The place in words.
    pub words: &'static str,
    /// The integral of the squared density of distances in the unit square and in the unit cube: how crowded the shells
    /// are in which the distance sort compares. One, if all shells are equally full.
    pub crowding: [f64; 2],
}

/// The paper's. An arc of radius `R` lies in the square over the angle `pi/2 - 2 acos(1/R)`; the cube is cut into layers
/// of such arcs.
pub const CORNER: OriginPlacement =
    OriginPlacement { words: "corner (the paper's)", crowding: [0.987137669775, 1.020981064307] };

/// All that are tried. From the center the box is eight half cubes (four half squares) seen from their corners: distances
/// half as long, twice as dense. Along the diagonal a distance is the sum of the coordinates over the root of their number.
pub const PLACEMENTS: [OriginPlacement; 4] = [
    CORNER,
    OriginPlacement {
        words: "center",
        crowding: [2.0 * CORNER.crowding[0], 2.0 * CORNER.crowding[1]],
    },
    OriginPlacement {
        words: "far along the diagonal",
        crowding: [SQRT_2 * 2.0 / 3.0, 1.7320508075688772 * 11.0 / 20.0],
    },
    OriginPlacement { words: "far along an axis", crowding: [1.0, 1.0] },
];

/// Expected pair tests of the distance sort, `N^2 E[d] / L` times the crowding of the shells.
pub fn distance_sort_tests(
    test: DiameterTest,
    dimension: usize,
    count: usize,
    view: OriginPlacement,
) -> f64 {
    let mean_diameter = test.diameters.iter().sum::<f64>() / 2.0;
    let per_crowding = (count as f64).powi(2) * mean_diameter / side(dimension, count);
    per_crowding * view.crowding[dimension - 2]
}

#[cfg(test)]
mod tests {
    use super::super::particles::TESTS;
    use super::*;

    #[test]
    fn contact_ratios_are_those_of_the_formulas() {
        let expected = [[0.8999, 0.1983, 0.02602], [0.9327, 0.0980, 0.00483]];
        for (dimension, ratios) in [2, 3].into_iter().zip(expected) {
            for (test, ratio) in TESTS.into_iter().zip(ratios) {
                let found = contacts_per_particle(test, dimension);
                assert!((found / ratio - 1.0).abs() < 3e-3, "{} {dimension}D: {found}", test.name);
            }
        }
    }

    #[test]
    fn mean_powers_agree_with_a_sum_over_pairs_of_diameters() {
        let [low, high] = TESTS[2].diameters;
        let mut sums = [0.0; 2];
        for i in 0..200 {
            for j in 0..200 {
                let diameter = |k: usize| low + (high - low) * (k as f64 + 0.5) / 200.0;
                let reach = (diameter(i) + diameter(j)) / 2.0;
                sums[0] += reach.powi(2) / 4e4 * 100.0 * PI / 2.0;
                sums[1] += reach.powi(3) / 4e4 * 1000.0 * PI * 2.0 / 3.0;
            }
        }
        assert!((contacts_per_particle(TESTS[2], 2) / sums[0] - 1.0).abs() < 1e-4);
        assert!((contacts_per_particle(TESTS[2], 3) / sums[1] - 1.0).abs() < 1e-4);
    }

    #[test]
    fn the_crowding_of_a_corner_is_that_of_random_points() {
        let mut random = carom::scene::generate::SplitMix64::new(1);
        for dimension in [2, 3] {
            let width = (dimension as f64).sqrt() / 50.0;
            let mut shells = [0.0; 50];
            for _ in 0..200_000 {
                let squares = (0..dimension).map(|_| random.uniform().powi(2)).sum::<f64>();
                shells[(squares.sqrt() / width) as usize] += 1.0 / 200_000.0;
            }
            let crowding = shells.map(|part| part * part / width).iter().sum::<f64>();
            let exact = CORNER.crowding[dimension - 2];
            assert!((crowding / exact - 1.0).abs() < 5e-3, "{crowding} {exact}");
        }
    }
}
