//! Any bytes as particles and a frame in extended XYZ: what must hold is in `carom_attack::reader`.
#![no_main]

use carom_attack::reader::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| if let Err(sentence) = Reader::Xyz.check(bytes) {
    panic!("{sentence}");
});
