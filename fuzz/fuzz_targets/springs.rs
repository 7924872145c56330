//! Any bytes as the springs of a frame: what must hold is in `carom_attack::reader`.
#![no_main]

use carom_attack::reader::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| if let Err(sentence) = Reader::Springs.check(bytes) {
    panic!("{sentence}");
});
