//! The workloads on which broad phases are compared.
//!
//! Spheres or discs at uniform random positions in the box `[0, L]^D`, overlaps allowed. Cases 2A to 3C are the tests
//! A, B and C of Leszczynski and Ciesielski, "Effective algorithm for detection of a collision between spherical
//! particles"; P2 is that of its table 1, and the others stress unequal sizes further.

use super::{SplitMix64, ball_volume, check_count};
use crate::Error;
use carom_geometry::{Sphere, Vector, math};
use carom_io::{ParticleSet, Particles, excerpt};
use std::fmt;
use std::str::FromStr;

/// A named workload; `d` is the diameter, `N` the number of particles, `L` the side of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PaperCase {
    /// `2A`: discs, `d` uniform in `[0.05, 0.1]`, `N = 100 L^2`.
    TwoA,
    /// `2B`: discs, `d` uniform in `[0.02, 0.05]`, `N = 100 L^2`.
    TwoB,
    /// `2C`: discs, `d` uniform in `[0.005, 0.02]`, `N = 100 L^2`.
    TwoC,
    /// `3A`: spheres, `d` uniform in `[0.05, 0.1]`, `N = 1000 L^3`.
    ThreeA,
    /// `3B`: spheres, `d` uniform in `[0.02, 0.05]`, `N = 1000 L^3`.
    ThreeB,
    /// `3C`: spheres, `d` uniform in `[0.005, 0.02]`, `N = 1000 L^3`.
    ThreeC,
    /// `P2`: discs, `d` uniform in `[0.02, 1]`, `N = 100 L^2`.
    PolydisperseTwo,
    /// `P3`: spheres, `d` uniform in `[0.02, 1]`, `N = 1000 L^3`.
    PolydisperseThree,
    /// `LN`: spheres, `d = 0.1 exp(normal)` redrawn until in `[0.01, 1]`, half the volume covered.
    LogNormal,
    /// `BIG`: as `3B`, but particle `N/2` sits at the center with `d = 0.45 L`.
    Big,
}

impl PaperCase {
    /// Every case.
    pub const ALL: [PaperCase; 10] = [
        PaperCase::TwoA,
        PaperCase::TwoB,
        PaperCase::TwoC,
        PaperCase::ThreeA,
        PaperCase::ThreeB,
        PaperCase::ThreeC,
        PaperCase::PolydisperseTwo,
        PaperCase::PolydisperseThree,
        PaperCase::LogNormal,
        PaperCase::Big,
    ];

    /// Returns the short name, such as `2A`.
    pub fn name(self) -> &'static str {
        match self {
            PaperCase::TwoA => "2A",
            PaperCase::TwoB => "2B",
            PaperCase::TwoC => "2C",
            PaperCase::ThreeA => "3A",
            PaperCase::ThreeB => "3B",
            PaperCase::ThreeC => "3C",
            PaperCase::PolydisperseTwo => "P2",
            PaperCase::PolydisperseThree => "P3",
            PaperCase::LogNormal => "LN",
            PaperCase::Big => "BIG",
        }
    }

    /// Returns 2 or 3.
    pub fn dimension(self) -> usize {
        match self {
            PaperCase::TwoA | PaperCase::TwoB | PaperCase::TwoC | PaperCase::PolydisperseTwo => 2,
            _ => 3,
        }
    }

    /// Returns the particles in the dimension of the case.
    pub fn particles(self, count: usize, seed: u64) -> Result<Particles, Error> {
        if self.dimension() == 2 {
            Ok(Particles::Discs(ParticleSet::open(paper_case_particles(self, count, seed)?)))
        } else {
            Ok(Particles::Spheres(ParticleSet::open(paper_case_particles(self, count, seed)?)))
        }
    }

    /// Returns the range of diameters.
    fn diameters(self) -> (f64, f64) {
        match self {
            PaperCase::TwoA | PaperCase::ThreeA => (0.05, 0.1),
            PaperCase::TwoB | PaperCase::ThreeB | PaperCase::Big => (0.02, 0.05),
            PaperCase::TwoC | PaperCase::ThreeC => (0.005, 0.02),
            PaperCase::PolydisperseTwo | PaperCase::PolydisperseThree => (0.02, 1.0),
            PaperCase::LogNormal => (0.01, 1.0),
        }
    }

    fn diameter(self, random: &mut SplitMix64) -> f64 {
        let (low, high) = self.diameters();
        if self != PaperCase::LogNormal {
            return low + (high - low) * random.uniform();
        }
        loop {
            let diameter = 0.1 * math::exp(random.normal());
            if (low..=high).contains(&diameter) {
                return diameter;
            }
        }
    }

    /// Returns the side of the box.
    fn side(self, diameters: &[f64]) -> f64 {
        let count = diameters.len() as f64;
        if self == PaperCase::LogNormal {
            let covered: f64 = diameters.iter().map(|&d| ball_volume::<3>(d)).sum();
            return math::cbrt(covered / 0.5);
        }
        if self.dimension() == 2 { (count / 100.0).sqrt() } else { math::cbrt(count / 1000.0) }
    }
}

/// Returns the particles of a case: all diameters are drawn first, then the positions one by one.
///
/// Figures are published for the seed [`DEFAULT_SEED`](super::DEFAULT_SEED). An error if `D` is not the dimension of
/// the case; [`PaperCase::particles`] chooses it.
///
/// ```
/// use carom_scene::generate::{DEFAULT_SEED, PaperCase, paper_case_particles};
/// let spheres = paper_case_particles::<3>(PaperCase::ThreeB, 1000, DEFAULT_SEED)?;
/// assert!(spheres.iter().all(|sphere| sphere.center.max() <= 1.0));
/// # Ok::<(), carom_scene::Error>(())
/// ```
pub fn paper_case_particles<const D: usize>(
    case: PaperCase,
    count: usize,
    seed: u64,
) -> Result<Vec<Sphere<D>>, Error> {
    if case.dimension() != D {
        return Err(Error::Dimension { what: case.name(), is: case.dimension(), asked: D });
    }
    check_count(count)?;
    let mut random = SplitMix64::new(seed);
    let diameters: Vec<f64> = (0..count).map(|_| case.diameter(&mut random)).collect();
    let side = case.side(&diameters);
    let place = |diameter: f64| Sphere {
        center: Vector::from_fn(|_, _| side * random.uniform()),
        radius: 0.5 * diameter,
    };
    let mut spheres: Vec<_> = diameters.into_iter().map(place).collect();
    if case == PaperCase::Big
        && let Some(sphere) = spheres.get_mut(count / 2)
    {
        *sphere = Sphere { center: Vector::repeat(0.5 * side), radius: 0.5 * (0.45 * side) };
    }
    Ok(spheres)
}

impl fmt::Display for PaperCase {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for PaperCase {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let named = |case: &PaperCase| case.name().eq_ignore_ascii_case(text);
        PaperCase::ALL.into_iter().find(named).ok_or_else(|| {
            let rule = "the cases are 2A, 2B, 2C, 3A, 3B, 3C, P2, P3, LN and BIG";
            super::setting("case", format!("\"{}\"", excerpt::value(text.as_bytes())), rule)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::DEFAULT_SEED;

    fn largest_coordinate<const D: usize>(spheres: &[Sphere<D>]) -> f64 {
        spheres.iter().map(|sphere| sphere.center.max()).fold(0.0, f64::max)
    }

    #[test]
    fn names_are_read_in_any_case_and_unknown_ones_listed() {
        for case in PaperCase::ALL {
            assert_eq!(case.name().to_lowercase().parse::<PaperCase>().unwrap(), case);
        }
        assert_eq!(
            "4A".parse::<PaperCase>().unwrap_err().to_string(),
            "case is \"4A\"; the cases are 2A, 2B, 2C, 3A, 3B, 3C, P2, P3, LN and BIG"
        );
    }

    #[test]
    fn the_wrong_dimension_is_refused() {
        assert_eq!(
            paper_case_particles::<3>(PaperCase::TwoA, 10, 1).unwrap_err().to_string(),
            "2A has 2 dimensions, but 3 were asked for"
        );
    }

    #[test]
    fn the_first_discs_are_frozen() {
        let discs = paper_case_particles::<2>(PaperCase::TwoA, 3, DEFAULT_SEED).unwrap();
        let frozen = [
            [0.03050449902658949, 0.08779422866103757, 0.028326991716535684],
            [0.058376095522127094, 0.021243986797740786, 0.03012041583404148],
            [0.07473081713267503, 0.08310136119179021, 0.027988564575227887],
        ];
        assert_eq!(discs, frozen.map(|[x, y, r]| Sphere::new([x, y], r)));
    }

    #[test]
    fn the_first_spheres_are_frozen() {
        // A thousand spheres have a box of side 1, whatever cube root the machine takes.
        let spheres = paper_case_particles::<3>(PaperCase::ThreeB, 1000, DEFAULT_SEED).unwrap();
        let frozen = [
            [0.731466870567643, 0.6677201218809256, 0.3119483735076769, 0.01199619502992141],
            [0.47322401232463396, 0.15701267779639083, 0.855322100772709, 0.013072249500424887],
        ];
        assert_eq!(spheres[..2], frozen.map(|[x, y, z, r]| Sphere::new([x, y, z], r)));
    }

    #[test]
    fn boxes_have_the_published_sides() {
        let discs =
            paper_case_particles::<2>(PaperCase::PolydisperseTwo, 10_000, DEFAULT_SEED).unwrap();
        let spheres =
            paper_case_particles::<3>(PaperCase::ThreeC, 1_000_000, DEFAULT_SEED).unwrap();
        for largest in [largest_coordinate(&discs), largest_coordinate(&spheres)] {
            assert!((9.99..10.0).contains(&largest), "{largest}");
        }
    }

    #[test]
    fn the_log_normal_box_has_the_published_side() {
        let mut random = SplitMix64::new(DEFAULT_SEED);
        let case = PaperCase::LogNormal;
        let diameters: Vec<f64> = (0..100_000).map(|_| case.diameter(&mut random)).collect();
        let side = case.side(&diameters);
        assert!((side - 13.26045).abs() < 1e-5, "{side}");
        let spheres = paper_case_particles::<3>(case, 100_000, DEFAULT_SEED).unwrap();
        assert!(spheres.iter().all(|sphere| (0.005..=0.5).contains(&sphere.radius)));
        assert!((13.25..side).contains(&largest_coordinate(&spheres)));
    }

    #[test]
    fn the_big_sphere_sits_in_the_middle() {
        let spheres = paper_case_particles::<3>(PaperCase::Big, 100_000, DEFAULT_SEED).unwrap();
        let side = 100f64.cbrt();
        let big = spheres[50_000];
        assert!((big.radius - 0.225 * side).abs() < 1e-12);
        assert!((big.center - Vector::repeat(side / 2.0)).norm() < 1e-12);
        assert!(paper_case_particles::<3>(PaperCase::Big, 0, 1).unwrap().is_empty());
    }
}
