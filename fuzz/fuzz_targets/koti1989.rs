//! Any bytes as a data file of paper 004: what must hold is in `carom_attack::reader`.
#![no_main]

use carom_attack::reader::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| if let Err(sentence) = Reader::Koti1989.check(bytes) {
    panic!("{sentence}");
});
