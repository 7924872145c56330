//! Contacts per particle of tests A, B and C (section 3 of the paper).

use super::particles::{DiameterTest, TESTS};
use super::{search_measurement, theory};
use crate::Settings;
use crate::records::{Record, Records, record};
use carom::BroadPhaseMethod;

/// The numbers of particles looked at.
pub fn counts(settings: &Settings) -> &'static [usize] {
    if settings.quick { &[1000, 10_000] } else { &[1000, 10_000, 100_000, 1_000_000] }
}

/// Contacts per hundred particles of all tests, counted with each number of particles, expected without the sides of
/// the box, and printed; for which number of particles the paper does not say.
pub fn measure(counts: &[usize]) -> Records {
    let printed = Records::parse(include_str!("../../data/002_contacts.csv"));
    let mut ratios = Records::default();
    for (number, printed) in printed.into_iter().enumerate() {
        let test = TESTS[number % 3];
        ratios.extend(counts.iter().map(|&count| {
            let counted = if printed.number("dimension") == 2.0 {
                counted::<2>(test, count)
            } else {
                counted::<3>(test, count)
            };
            printed.clone().and(counted)
        }));
    }
    ratios
}

fn counted<const D: usize>(test: DiameterTest, count: usize) -> Record {
    let found = search_measurement::count(&test.particles::<D>(count), BroadPhaseMethod::Auto);
    let contacts = found.number("contacts");
    record! {
        "particles": count, "contacts": contacts,
        "measured percent": 100.0 * contacts / count as f64,
        "expected percent": 100.0 * theory::contacts_per_particle(test, D),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_particles_have_the_known_contacts() {
        let ratios = measure(&[10_000]);
        let contacts = |dimension: usize, test: &str| {
            ratios.of("dimension", dimension).of("test", test).number("contacts")
        };
        assert_eq!([contacts(2, "A"), contacts(2, "B"), contacts(2, "C")], [9007.0, 1943.0, 246.0]);
        assert_eq!(contacts(3, "B"), 921.0);
    }

    #[test]
    fn large_systems_come_close_to_the_expectation() {
        for ratio in measure(&[100_000]).iter() {
            // Four times the spread of a count, and a twentieth for the sides of the box.
            let spread = 4.0 / ratio.number("contacts").sqrt() + 0.05;
            let apart = ratio.number("measured percent") / ratio.number("expected percent") - 1.0;
            assert!(apart.abs() < spread, "{ratio:?}");
        }
    }
}
