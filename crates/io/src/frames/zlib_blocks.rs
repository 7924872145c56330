//! Arrays of VTK files compressed block by block with zlib.
//!
//! Little-endian 64-bit numbers: the number of blocks, their length, the length of the last (zero if as long as the
//! others), the compressed length of each; then the blocks.

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{self, Read, Write};

/// Uncompressed length of a block, in bytes.
const BLOCK: usize = 1 << 18;

/// Largest compression ratio of zlib.
pub(super) const LARGEST_RATIO: usize = 1032;

/// Compresses the bytes.
pub(super) fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let blocks = bytes.chunks(BLOCK).map(|block| {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(block)?;
        encoder.finish()
    });
    let blocks: Vec<Vec<u8>> = blocks.collect::<io::Result<_>>()?;
    let numbers = [blocks.len(), BLOCK, bytes.len() % BLOCK].into_iter();
    let numbers = numbers.chain(blocks.iter().map(Vec::len));
    let mut packed: Vec<u8> = numbers.flat_map(|number| (number as u64).to_le_bytes()).collect();
    blocks.iter().for_each(|block| packed.extend_from_slice(block));
    Ok(packed)
}

/// Decompresses the array that begins with these bytes and has `wanted` bytes; `None` if it has not.
pub(super) fn decompress(bytes: &[u8], wanted: usize) -> Option<Vec<u8>> {
    let (numbers, rest) = bytes
        .as_chunks::<8>()
        .0
        .split_first_chunk::<3>()
        .map(|(three, _)| (three.map(u64::from_le_bytes), &bytes[24..]))?;
    let [count, length, last] = numbers.map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    let whole = if last == 0 { count } else { count.checked_sub(1)? };
    if whole.checked_mul(length)?.checked_add(last)? != wanted {
        return None;
    }
    let sizes = rest.get(..count.checked_mul(8)?)?;
    let mut blocks = &rest[sizes.len()..];
    let mut values = Vec::new();
    for (number, size) in sizes.as_chunks::<8>().0.iter().enumerate() {
        let size = usize::try_from(u64::from_le_bytes(*size)).ok()?;
        let block = blocks.get(..size)?;
        blocks = &blocks[size..];
        let expected = if number < whole { length } else { last };
        let before = values.len();
        // One more than expected, so that a block that is too long is noticed.
        let mut decoder = ZlibDecoder::new(block).take(expected as u64 + 1);
        decoder.read_to_end(&mut values).ok()?;
        if values.len() - before != expected {
            return None;
        }
    }
    Some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_to_the_byte() {
        for length in [0, 1, 8, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let bytes: Vec<u8> = (0..length).map(|k| (k * k / 7) as u8).collect();
            let mut packed = compress(&bytes).unwrap();
            packed.extend_from_slice(b"what follows");
            assert_eq!(decompress(&packed, length), Some(bytes), "{length}");
            assert_eq!(decompress(&packed, length + 8), None);
        }
    }

    #[test]
    fn blocks_that_are_cut_or_too_long_are_no_array() {
        let whole = compress(&[7; 1000]).unwrap();
        for end in 0..whole.len() {
            assert_eq!(decompress(&whole[..end], 1000), None, "{end}");
        }
        let mut longer = whole.clone();
        longer[16..24].copy_from_slice(&992u64.to_le_bytes());
        assert_eq!(decompress(&longer, 992), None);
        let huge = [u64::MAX, 1, 0].map(u64::to_le_bytes).concat();
        assert_eq!(decompress(&huge, 8), None);
    }
}
