//! A 64-bit checksum, eight bytes at a time.
//!
//! Like FNV-1a, but over words, and with the upper half folded down after each so that no byte stays in its place.
//! Every step is invertible, so a change within one word always shows; it guards against damage, not against malice.

const START: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns the checksum of some bytes, the same on every machine; it identifies a scene by its text.
///
/// ```
/// use carom_scene::files::digest;
/// assert_eq!(digest(b"until = 3"), digest(b"until = 3"));
/// assert_ne!(digest(b"until = 3"), digest(b"until = 4"));
/// ```
pub fn digest(bytes: &[u8]) -> u64 {
    let (words, tail) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..tail.len()].copy_from_slice(tail);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    // The length distinguishes trailing zeros from nothing.
    words.chain([bytes.len() as u64]).fold(START, |sum, word| {
        let mixed = (sum ^ word).wrapping_mul(PRIME);
        mixed ^ (mixed >> 32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_never_changes_between_versions() {
        assert_eq!(digest(b"carom, a checksum"), 12_046_344_707_987_542_966);
    }

    #[test]
    fn zeros_at_the_end_count() {
        let sums: Vec<u64> = (0..20).map(|length| digest(&vec![0; length])).collect();
        assert!((0..20).all(|i| (0..i).all(|j| sums[i] != sums[j])));
    }

    #[test]
    fn every_bit_and_every_swap_shows() {
        let bytes: Vec<u8> = (0..37).map(|index| index * 7).collect();
        let sum = digest(&bytes);
        for bit in 0..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(digest(&changed), sum);
        }
        let mut swapped = bytes.clone();
        swapped.swap(7, 15);
        assert_ne!(digest(&swapped), sum);
    }
}
