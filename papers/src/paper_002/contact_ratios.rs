//! Contacts per particle of tests A, B and C (section 3 of the paper).

use super::particles::DiameterTest;
use super::published::{CONTACT_PERCENT_2D, CONTACT_PERCENT_3D};
use super::{search_measurement, theory};
use crate::Settings;
use carom::BroadPhaseMethod;

/// The contacts of one test, counted, expected and printed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactRatio {
    /// 2 or 3.
    pub dimension: usize,
    /// Which diameters.
    pub test: DiameterTest,
    /// How many particles.
    pub count: usize,
    /// How many contacts.
    pub contacts: usize,
    /// Contacts per hundred particles.
    pub measured_percent: f64,
    /// The same as expected without the sides of the box.
    pub expected_percent: f64,
    /// The same as printed; for which number of particles the paper does not say.
    pub printed_percent: f64,
}

/// The numbers of particles looked at.
pub fn counts(settings: &Settings) -> &'static [usize] {
    if settings.quick { &[1000, 10_000] } else { &[1000, 10_000, 100_000, 1_000_000] }
}

/// Counts the contacts of all tests in both dimensions, for each number of particles.
pub fn measure(counts: &[usize]) -> Vec<ContactRatio> {
    let mut ratios = Vec::new();
    for (test, printed) in DiameterTest::ALL.into_iter().zip(CONTACT_PERCENT_2D) {
        ratios.extend(counts.iter().map(|&count| ratio::<2>(test, count, printed)));
    }
    for (test, printed) in DiameterTest::ALL.into_iter().zip(CONTACT_PERCENT_3D) {
        ratios.extend(counts.iter().map(|&count| ratio::<3>(test, count, printed)));
    }
    ratios
}

fn ratio<const D: usize>(test: DiameterTest, count: usize, printed_percent: f64) -> ContactRatio {
    let contacts =
        search_measurement::count(&test.particles::<D>(count), BroadPhaseMethod::Auto).contacts;
    ContactRatio {
        dimension: D,
        test,
        count,
        contacts,
        measured_percent: 100.0 * contacts as f64 / count as f64,
        expected_percent: 100.0 * theory::contacts_per_particle(test, D),
        printed_percent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_particles_have_the_known_contacts() {
        let ratios = measure(&[10_000]);
        let contacts = |dimension: usize, test: DiameterTest| {
            let found = ratios.iter().find(|r| r.dimension == dimension && r.test == test);
            found.unwrap().contacts
        };
        assert_eq!(contacts(2, DiameterTest::A), 9007);
        assert_eq!(contacts(2, DiameterTest::B), 1943);
        assert_eq!(contacts(2, DiameterTest::C), 246);
        assert_eq!(contacts(3, DiameterTest::B), 921);
    }

    #[test]
    fn large_systems_come_close_to_the_expectation() {
        for ratio in measure(&[100_000]) {
            // Four times the spread of a count, and a twentieth for the sides of the box.
            let spread = 4.0 / (ratio.contacts as f64).sqrt() + 0.05;
            let apart = (ratio.measured_percent / ratio.expected_percent - 1.0).abs();
            assert!(apart < spread, "{ratio:?}");
        }
    }
}
