//! What geometry lets expect of uniform random particles, the sides of the box disregarded.

use super::particles::{DiameterTest, density, side};
use std::f64::consts::PI;

/// Expected contacts per particle of a test: half the particles expected within reach,
/// `(N/V) (pi/2) E[(ri+rj)^2]` in the plane and `(N/V) (2/3) pi E[(ri+rj)^3]` in space.
pub fn contacts_per_particle(test: DiameterTest, dimension: usize) -> f64 {
    let [low, high] = test.diameters();
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

/// From where the distance sort looks at the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginPlacement {
    /// From a corner.
    Corner,
    /// From the center.
    Center,
    /// From far away along the diagonal.
    FarDiagonal,
    /// From far away along an axis.
    FarAxis,
}

impl OriginPlacement {
    /// The place in words.
    pub fn words(self) -> &'static str {
        match self {
            OriginPlacement::Corner => "corner (the paper's)",
            OriginPlacement::Center => "center",
            OriginPlacement::FarDiagonal => "far along the diagonal",
            OriginPlacement::FarAxis => "far along an axis",
        }
    }
}

/// Expected pair tests of the distance sort, `N^2 E[d] / L` times the [`shell_crowding`].
pub fn distance_sort_tests(
    test: DiameterTest,
    dimension: usize,
    count: usize,
    view: OriginPlacement,
) -> f64 {
    let [low, high] = test.diameters();
    let mean_diameter = (low + high) / 2.0;
    let count_squared = (count as f64).powi(2);
    count_squared * mean_diameter / side(dimension, count) * shell_crowding(view, dimension)
}

/// The integral of the squared density of distances from a corner of the unit square, over which the arc of radius `R`
/// lies in the angle `pi/2 - 2 acos(1/R)`; and of the unit cube, which is cut into layers of such arcs.
const CORNER_CROWDING: [f64; 2] = [0.987137669775, 1.020981064307];

/// The integral of the squared density of distances in a unit box: how crowded the shells are in
/// which the distance sort compares. One, if all shells are equally full.
pub fn shell_crowding(view: OriginPlacement, dimension: usize) -> f64 {
    let corner = CORNER_CROWDING[dimension - 2];
    match (view, dimension) {
        (OriginPlacement::Corner, _) => corner,
        // Eight half cubes (four half squares) seen from their corners: distances half as long,
        // twice as dense.
        (OriginPlacement::Center, _) => 2.0 * corner,
        // The sum of two or three coordinates, divided by the root of two or three.
        (OriginPlacement::FarDiagonal, 2) => 2f64.sqrt() * 2.0 / 3.0,
        (OriginPlacement::FarDiagonal, _) => 3f64.sqrt() * 11.0 / 20.0,
        (OriginPlacement::FarAxis, _) => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_ratios_are_those_of_the_formulas() {
        let expected = [
            (DiameterTest::A, 2, 0.8999),
            (DiameterTest::B, 2, 0.1983),
            (DiameterTest::C, 2, 0.02602),
            (DiameterTest::A, 3, 0.9327),
            (DiameterTest::B, 3, 0.0980),
            (DiameterTest::C, 3, 0.00483),
        ];
        for (test, dimension, ratio) in expected {
            let found = contacts_per_particle(test, dimension);
            assert!((found / ratio - 1.0).abs() < 3e-3, "{test} {dimension}D: {found}");
        }
    }

    #[test]
    fn mean_powers_agree_with_a_sum_over_pairs_of_diameters() {
        let [low, high] = DiameterTest::C.diameters();
        let mut sums = [0.0; 2];
        for i in 0..200 {
            for j in 0..200 {
                let diameter = |k: usize| low + (high - low) * (k as f64 + 0.5) / 200.0;
                let reach = (diameter(i) + diameter(j)) / 2.0;
                sums[0] += reach.powi(2) / 4e4 * 100.0 * PI / 2.0;
                sums[1] += reach.powi(3) / 4e4 * 1000.0 * PI * 2.0 / 3.0;
            }
        }
        assert!((contacts_per_particle(DiameterTest::C, 2) / sums[0] - 1.0).abs() < 1e-4);
        assert!((contacts_per_particle(DiameterTest::C, 3) / sums[1] - 1.0).abs() < 1e-4);
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
            let exact = shell_crowding(OriginPlacement::Corner, dimension);
            assert!((crowding / exact - 1.0).abs() < 5e-3, "{crowding} {exact}");
        }
    }
}
