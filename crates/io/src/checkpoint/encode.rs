//! Checkpoints as bytes: header, sections and checksums.

use super::array::{CheckpointArrayType, append, byte_count};
use super::checksum::{CHECKSUM_BYTES, checkpoint_checksum};
use super::{Checkpoint, MAGIC, VERSION};
use carom_simulate::SavedArray;

/// Offset of the file's length.
const LENGTH_AT: usize = 16;

impl Checkpoint {
    /// Returns the bytes of the file; [`decode`](Self::decode) gives back the same.
    pub fn encode(&self) -> Vec<u8> {
        let numbers = self.arrays.iter().map(|(_, array)| byte_count(array));
        let mut bytes = Vec::with_capacity(numbers.sum::<usize>() + 4096);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&(self.arrays.dimension as u32).to_le_bytes());
        // Room for the length, which is known at the end.
        bytes.extend_from_slice(&[0; 8]);
        bytes.extend_from_slice(&self.scene_digest.to_le_bytes());
        put_text(&mut bytes, &self.arrays.engine);
        put_text(&mut bytes, &self.writer);
        bytes.extend_from_slice(&(self.arrays.iter().len() as u32).to_le_bytes());
        for (name, array) in self.arrays.iter() {
            put_section(&mut bytes, name, array);
        }
        let length = (bytes.len() + CHECKSUM_BYTES) as u64;
        bytes[LENGTH_AT..LENGTH_AT + 8].copy_from_slice(&length.to_le_bytes());
        put_checksum(&mut bytes, 0);
        bytes
    }
}

fn put_section(bytes: &mut Vec<u8>, name: &str, array: &SavedArray) {
    let start = bytes.len();
    put_text(bytes, name);
    bytes.push(CheckpointArrayType::of(array) as u8);
    bytes.extend_from_slice(&(array.len() as u64).to_le_bytes());
    append(array, bytes);
    put_checksum(bytes, start);
}

fn put_text(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}

/// Appends the checksum of everything from `start`.
fn put_checksum(bytes: &mut Vec<u8>, start: usize) {
    let sum = checkpoint_checksum(&bytes[start..]);
    bytes.extend_from_slice(&sum);
}
