//! Any bytes as a data file of paper 004: no panic, messages of one line, and only scenes that keep every rule.
#![no_main]

use carom_scene::files::parse_koti1989;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| match parse_koti1989(bytes, "file") {
    Err(error) => assert!(!error.to_string().contains(char::is_control), "{error:?}"),
    Ok(scene) => assert_eq!(scene.broken_field(), None),
});
