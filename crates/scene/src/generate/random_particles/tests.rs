use super::*;
use crate::generate::{DEFAULT_SEED, PaperCase, paper_case_particles};
use std::f64::consts::PI;

fn settings<const D: usize>(
    sizes: DiameterDistribution,
    room: RandomRegion<D>,
) -> RandomParticles<D> {
    RandomParticles {
        count: 1000,
        diameters: sizes,
        region: room,
        periodic: false,
        seed: DEFAULT_SEED,
    }
}

#[test]
fn the_published_cases_are_special_cases() {
    let sizes = DiameterDistribution::Uniform { low: 0.02, high: 0.05 };
    let set = settings::<3>(sizes, RandomRegion::NumberDensity(1000.0)).make().unwrap();
    assert_eq!(set.spheres, paper_case_particles(PaperCase::ThreeB, 1000, DEFAULT_SEED).unwrap());
    let sizes = DiameterDistribution::LogNormal { median: 0.1, sigma: 1.0, low: 0.01, high: 1.0 };
    let set = settings::<3>(sizes, RandomRegion::PackingFraction(0.5)).make().unwrap();
    assert_eq!(
        set.spheres,
        paper_case_particles(PaperCase::LogNormal, 1000, DEFAULT_SEED).unwrap()
    );
}

#[test]
fn a_box_is_filled_and_may_be_periodic() {
    let sizes = DiameterDistribution::Uniform { low: 0.1, high: 0.1 };
    let mut particles = settings(sizes, RandomRegion::Box([3.0, 0.5]));
    particles.periodic = true;
    let set = particles.make().unwrap();
    assert_eq!((set.boundary.period(0), set.boundary.period(1)), (Some(3.0), Some(0.5)));
    let high = set.spheres.iter().map(|s| s.center).reduce(|a, b| a.sup(&b)).unwrap();
    assert!((2.9..3.0).contains(&high.x) && (0.49..0.5).contains(&high.y));
    assert!(set.spheres.iter().all(|sphere| sphere.radius == 0.05));
}

#[test]
fn the_covered_fraction_is_kept() {
    let sizes = DiameterDistribution::Uniform { low: 0.1, high: 0.4 };
    let set = RandomParticles {
        periodic: true,
        ..settings::<2>(sizes, RandomRegion::PackingFraction(0.7))
    }
    .make()
    .unwrap();
    let covered: f64 = set.spheres.iter().map(|s| PI * s.radius * s.radius).sum();
    let side = set.boundary.period(0).unwrap();
    assert!((covered / (side * side) - 0.7).abs() < 1e-12);
}

#[test]
fn no_particles_are_well() {
    let sizes = DiameterDistribution::Uniform { low: 0.1, high: 0.4 };
    let none =
        RandomParticles { count: 0, ..settings::<3>(sizes, RandomRegion::NumberDensity(1.0)) };
    assert!(none.make().unwrap().spheres.is_empty());
}

#[test]
fn senseless_settings_are_refused_in_a_sentence() {
    let sizes = DiameterDistribution::Uniform { low: 0.1, high: 0.2 };
    let refused =
        |sizes, room: RandomRegion<2>| settings(sizes, room).make().unwrap_err().to_string();
    assert_eq!(
        refused(sizes, RandomRegion::NumberDensity(0.0)),
        "density is 0; it must be finite and greater than zero"
    );
    assert_eq!(
        refused(sizes, RandomRegion::Box([1.0, f64::NAN])),
        "box edge is NaN; it must be finite and greater than zero"
    );
    assert_eq!(
        refused(sizes, RandomRegion::PackingFraction(-1.0)),
        "covered fraction is -1; it must be finite and greater than zero"
    );
    assert_eq!(
        refused(
            DiameterDistribution::Uniform { low: 0.3, high: 0.2 },
            RandomRegion::NumberDensity(1.0)
        ),
        "highest diameter is 0.2; it must be finite and not below the lowest"
    );
    assert_eq!(
        refused(
            DiameterDistribution::Uniform { low: -0.3, high: 0.2 },
            RandomRegion::NumberDensity(1.0)
        ),
        "lowest diameter is -0.3; it must be finite and not negative"
    );
    assert_eq!(
        refused(
            DiameterDistribution::Uniform { low: 0.0, high: 0.0 },
            RandomRegion::PackingFraction(0.5)
        ),
        "side of the box is 0; it must be greater than zero; change the sizes, the density or \
         the fraction"
    );
    let far = DiameterDistribution::LogNormal { median: 1.0, sigma: 0.1, low: 50.0, high: 60.0 };
    assert_eq!(
        refused(far, RandomRegion::NumberDensity(1.0)),
        "median diameter is 1; almost no diameter falls between the lowest and the highest"
    );
    let flat =
        DiameterDistribution::LogNormal { median: 1.0, sigma: f64::INFINITY, low: 0.0, high: 1.0 };
    assert_eq!(
        refused(flat, RandomRegion::NumberDensity(1.0)),
        "sigma is inf; it must be finite and not negative"
    );
}

#[test]
fn a_periodic_box_needs_a_length() {
    let sizes = DiameterDistribution::Uniform { low: 0.1, high: 0.2 };
    let particles =
        RandomParticles { periodic: true, ..settings(sizes, RandomRegion::Box([1.0, 1e-200])) };
    let message = particles.make().unwrap_err().to_string();
    assert!(message.ends_with("a periodic box must have edges between 1e-100 and 1e100"));
}
