//! The particles of the paper's tests.

use carom::Sphere;
use carom::scene::generate::{
    DEFAULT_SEED, DiameterDistribution, PaperCase, RandomParticles, RandomRegion,
    paper_case_particles,
};

/// A range of diameters (equation 4 of the paper).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DiameterTest {
    /// The paper's letter.
    pub name: &'static str,
    /// Smallest and largest diameter.
    pub diameters: [f64; 2],
}

/// All three.
pub const TESTS: [DiameterTest; 3] = [
    DiameterTest { name: "A", diameters: [0.05, 0.1] },
    DiameterTest { name: "B", diameters: [0.02, 0.05] },
    DiameterTest { name: "C", diameters: [0.005, 0.02] },
];

impl DiameterTest {
    /// This many random particles at the paper's density; the same on every call.
    pub fn particles<const D: usize>(self, count: usize) -> Vec<Sphere<D>> {
        let case: PaperCase =
            format!("{D}{}", self.name).parse().expect("carom has the paper's cases");
        paper_case_particles(case, count, DEFAULT_SEED)
            .expect("the published cases can be generated")
    }
}

/// Particles per unit of area or volume (section 3).
pub fn density(dimension: usize) -> f64 {
    if dimension == 2 { 100.0 } else { 1000.0 }
}

/// The side of the box of this many particles.
pub fn side(dimension: usize, count: usize) -> f64 {
    (count as f64 / density(dimension)).powf(1.0 / dimension as f64)
}

/// Discs with diameters uniform in a range in a square box.
///
/// The first two are moved into opposite corners: carom lays its cells over the centers, and so
/// they divide the whole box, as the paper's do.
pub fn discs(count: usize, [low, high]: [f64; 2], side: f64) -> Vec<Sphere<2>> {
    let random = RandomParticles {
        count,
        diameters: DiameterDistribution::Uniform { low, high },
        region: RandomRegion::Box([side, side]),
        periodic: false,
        seed: DEFAULT_SEED,
    };
    let mut discs = random.make().expect("the ranges of the tables can be generated").spheres;
    for (disc, corner) in discs.iter_mut().zip([0.0, side]) {
        disc.center.fill(corner);
    }
    discs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diameters_and_box_are_the_papers() {
        for test in TESTS {
            let discs = test.particles::<2>(10_000);
            let spheres = test.particles::<3>(1000);
            let [low, high] = test.diameters;
            let allowed = |radius: f64| (low..=high).contains(&(2.0 * radius));
            assert!(discs.iter().all(|disc| allowed(disc.radius)));
            assert!(spheres.iter().all(|sphere| allowed(sphere.radius)));
            assert!(discs.iter().all(|disc| disc.center.max() <= side(2, 10_000)));
            assert!(spheres.iter().all(|sphere| sphere.center.max() <= side(3, 1000)));
        }
        assert!((side(2, 10_000) - 10.0).abs() < 1e-12);
        assert!((side(3, 1000) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_discs_of_the_tables_span_their_box() {
        let discs = discs(100, [0.1, 2.0], 6.0);
        assert_eq!(discs.len(), 100);
        assert_eq!((discs[0].center.x, discs[1].center.y), (0.0, 6.0));
        assert!(discs.iter().all(|disc| (0.0..=6.0).contains(&disc.center.x)));
    }
}
