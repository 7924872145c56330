//! Any bytes as CSV: no panic, only usable numbers, and writing then reading gives the same.
#![no_main]

use carom_geometry::Sphere;
use carom_scene::files::{parse_csv, write_csv};
use carom_scene::{ParticleSet, Particles};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match parse_csv(bytes, "file") {
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error:?}"),
        Ok(Particles::Discs(set)) => {
            let again = read_again(&set.spheres);
            assert_eq!(again, Particles::Discs(ParticleSet::open(set.spheres)));
        }
        Ok(Particles::Spheres(set)) => {
            let again = read_again(&set.spheres);
            assert_eq!(again, Particles::Spheres(ParticleSet::open(set.spheres)));
        }
    }
});

fn read_again<const D: usize>(spheres: &[Sphere<D>]) -> Particles {
    for sphere in spheres {
        assert!(sphere.center.iter().all(|coordinate| coordinate.is_finite()));
        assert!(sphere.radius.is_finite() && sphere.radius >= 0.0);
    }
    let mut text = Vec::new();
    write_csv(&mut text, spheres).expect("memory takes every byte");
    parse_csv(&text, "again").expect("what was written can be read")
}
