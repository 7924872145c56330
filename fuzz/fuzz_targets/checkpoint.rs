//! Any bytes as a checkpoint, as they are and with the last checksum made right: no panic, no
//! memory beyond the file's, and what is read writes the same bytes.
#![no_main]

use carom_scene::files::{Checkpoint, digest};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let mut sealed = bytes.to_vec();
    if let Some(before) = sealed.len().checked_sub(8) {
        let sum = digest(&sealed[..before]).to_le_bytes();
        sealed[before..].copy_from_slice(&sum);
        check(&sealed);
    }
});

fn check(bytes: &[u8]) {
    match Checkpoint::decode(bytes, "file") {
        Err(error) => assert!(!error.to_string().contains(char::is_control), "{error:?}"),
        Ok(checkpoint) => assert_eq!(checkpoint.encode(), bytes),
    }
}
