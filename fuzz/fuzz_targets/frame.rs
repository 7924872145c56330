//! Any bytes as a frame of any format, or as the springs of one: no panic, no more memory than the bytes are worth, and
//! what is read has a number for every body.
#![no_main]

use carom_scene::files::{FrameFormat, parse_frame, parse_frame_springs};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let name = Path::new("file");
    let error = match FrameFormat::ALL.get(usize::from(first) % (FrameFormat::ALL.len() + 1)) {
        Some(&format) => match parse_frame(rest, name, format, &[]) {
            Ok(frame) => return frame.check().expect("what is read holds together"),
            Err(error) => error,
        },
        None => match parse_frame_springs(rest, name) {
            Ok(springs) => return assert_eq!(springs.ends.len(), springs.strains.len()),
            Err(error) => error,
        },
    };
    assert!(!error.to_string().contains(char::is_control), "{error:?}");
});
