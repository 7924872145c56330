use super::checksum::CHECKSUM_BYTES;
use super::*;
use crate::digest;
use proptest::prelude::*;

fn example() -> Checkpoint {
    let mut checkpoint = Checkpoint::new("event-driven", 3, 0x0123_4567_89ab_cdef);
    checkpoint.put_f64("positions", [0.1, -0.0, f64::NAN, f64::INFINITY, 5e-324]);
    checkpoint.put_u64("collisions", [u64::MAX, 7]);
    checkpoint.put_u32("neighbors", [1, 2, u32::MAX]);
    checkpoint.put_u32("flags", [3]);
    checkpoint.put_f64("empty", []);
    checkpoint
}

fn message(bytes: &[u8]) -> String {
    Checkpoint::decode(bytes, "run/checkpoint.bin").unwrap_err().to_string()
}

/// Returns the bytes with a valid checksum at the end, as only malice would write.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let before = bytes.len() - CHECKSUM_BYTES;
    let sum = checkpoint_checksum(&bytes[..before]);
    bytes[before..].copy_from_slice(&sum);
    bytes
}

#[test]
fn what_is_written_is_read_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.bin");
    let original = example();
    original.write(&path).unwrap();
    let mut read = Checkpoint::read(&path).unwrap();
    read.file = original.file.clone();
    assert_eq!(read, original);
    assert_eq!(read.count("positions"), Some(5));
    let positions = read.take_f64("positions", 5).unwrap();
    assert_eq!(positions[1].to_bits(), (-0.0f64).to_bits());
    assert_eq!(read.take_u32("neighbors", 3).unwrap(), [1, 2, u32::MAX]);
    assert_eq!(read.take_u32("flags", 1).unwrap(), [3]);
    assert_eq!(read.count("positions"), None, "a section is taken once");
}

#[test]
fn the_format_does_not_change_unnoticed() {
    assert_eq!(digest(&example().encode()), 7_768_459_961_019_043_190);
}

#[test]
fn every_changed_byte_is_refused() {
    let bytes = example().encode();
    for place in 0..bytes.len() {
        for change in 1..=255 {
            let mut changed = bytes.clone();
            changed[place] ^= change;
            let text = message(&changed);
            assert!(text.starts_with("run/checkpoint.bin "), "byte {place}: {text}");
        }
    }
}

#[test]
fn every_truncation_and_every_longer_file_is_refused() {
    let bytes = example().encode();
    for length in 1..bytes.len() {
        assert_eq!(
            message(&bytes[..length]),
            format!(
                "run/checkpoint.bin is cut short after {length} bytes; copy it again if it was \
                 copied, or start the run again from its scene"
            )
        );
    }
    assert!(message(&[bytes, vec![0]].concat()).contains("is damaged"));
}

#[test]
fn other_files_say_what_they_are() {
    assert_eq!(
        message(b""),
        "run/checkpoint.bin is empty and no checkpoint; start the run again from its scene"
    );
    assert_eq!(
        message(b"x,y,r\n"),
        "run/checkpoint.bin is not a checkpoint of carom; name the checkpoint.bin of a run"
    );
    let mut newer = example().encode();
    newer[8] = 8;
    assert_eq!(
        message(&sealed(newer)),
        "run/checkpoint.bin is a checkpoint of format 8, and this carom knows formats up to 7; \
         continue with the newer carom that wrote it"
    );
    let mut older = example().encode();
    older[8] = 6;
    assert_eq!(
        message(&sealed(older)),
        "run/checkpoint.bin is a checkpoint of format 6, and this carom reads format 7; continue with \
         the carom that wrote it, or start the run again from its scene"
    );
    let text = Checkpoint::read(Path::new("/nowhere/checkpoint.bin")).unwrap_err().to_string();
    assert_eq!(text, "/nowhere/checkpoint.bin cannot be read: there is no such file");
}

#[test]
fn absurd_lengths_behind_a_right_checksum_cost_no_memory() {
    let bytes = example().encode();
    let name = bytes.windows(9).position(|window| window == b"positions").unwrap();
    let places = [32, 48, name - 4, name + 10, name + 14];
    for (place, width) in places.into_iter().flat_map(|place| [(place, 4), (place, 8)]) {
        for fill in [0xff, 0x7f, 0x1f] {
            let mut changed = bytes.clone();
            changed[place..place + width].fill(fill);
            assert!(message(&sealed(changed)).contains("is damaged"), "{place} {width} {fill}");
        }
    }
}

#[test]
fn a_section_twice_under_one_name_is_refused() {
    let mut checkpoint = example();
    checkpoint.put_u32("flags", [5, 6]);
    assert_eq!(checkpoint.take_u32("flags", 2).unwrap(), [5, 6]);
    let again =
        checkpoint.arrays.iter().next().map(|(name, array)| (name.to_owned(), array.clone()));
    checkpoint.arrays = checkpoint.arrays.with_arrays(again);
    assert!(message(&checkpoint.encode()).contains("is damaged"));
}

#[test]
fn a_checkpoint_of_another_run_is_refused() {
    let mut checkpoint = Checkpoint::decode(&example().encode(), "old.bin").unwrap();
    let digest = checkpoint.scene_digest;
    assert!(checkpoint.expect("event-driven", 3, digest).is_ok());
    for (result, sentence) in [
        (
            checkpoint.expect("dem", 3, digest),
            "old.bin was written by the engine \"event-driven\", and the scene asks for \"dem\"; give \
             the scene it was made from",
        ),
        (
            checkpoint.expect("event-driven", 2, digest),
            "old.bin has 3 dimensions, and the scene has 2; give the scene it was made from",
        ),
        (
            checkpoint.expect("event-driven", 3, 1),
            "old.bin belongs to another scene; give the scene it was made from, or start this one \
             in a new folder",
        ),
        (
            checkpoint.take_f64("positions", 6).map(drop),
            "old.bin does not fit: it has 5 values of \"positions\" where 6 are needed; start \
             the run again",
        ),
        (
            checkpoint.take_u64("positions", 5).map(drop),
            "old.bin does not fit: it has values of type f64 in \"positions\" where u64 are \
             needed; start the run again",
        ),
        (
            checkpoint.take_f64("angular_velocities", 5).map(drop),
            "old.bin does not fit: it has no array \"angular_velocities\"; start the run again",
        ),
    ] {
        assert_eq!(result.unwrap_err().to_string(), sentence);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn bytes_changed_at_random_never_panic_nor_pass(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..9),
        seal in any::<bool>(),
    ) {
        let original = example().encode();
        let mut bytes = original.clone();
        for (index, byte) in changes {
            let place = index.index(bytes.len());
            bytes[place] = byte;
        }
        let bytes = if seal { sealed(bytes) } else { bytes };
        match Checkpoint::decode(&bytes, "file") {
            // The header is guarded by the last checksum alone.
            Ok(_) => prop_assert!(seal || bytes == original),
            Err(error) => prop_assert!(!error.to_string().contains(char::is_control)),
        }
    }
}
