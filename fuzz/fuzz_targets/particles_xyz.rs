//! Any bytes as extended XYZ: no panic, only usable numbers, and writing then reading gives the
//! same particles in the same box.
#![no_main]

use carom_scene::files::{parse_xyz, write_xyz};
use carom_scene::{ParticleSet, Particles};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match parse_xyz(bytes, "file") {
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error:?}"),
        Ok(Particles::Discs(set)) => assert_eq!(read_again(&set), Particles::Discs(set)),
        Ok(Particles::Spheres(set)) => assert_eq!(read_again(&set), Particles::Spheres(set)),
    }
});

fn read_again<const D: usize>(set: &ParticleSet<D>) -> Particles {
    for sphere in &set.spheres {
        assert!(sphere.center.iter().all(|coordinate| coordinate.is_finite()));
        assert!(sphere.radius.is_finite() && sphere.radius >= 0.0);
    }
    let mut text = Vec::new();
    write_xyz(&mut text, set).expect("memory takes every byte");
    parse_xyz(&text, "again").expect("what was written can be read")
}
