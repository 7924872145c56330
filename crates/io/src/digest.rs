//! A digest that identifies bytes: the first 64 bits of their SHA-256.

use sha2::{Digest, Sha256};

/// Returns the digest of some bytes, the same on every machine; it identifies a scene by its text.
///
/// Written with sixteen hexadecimal digits it is what `sha256sum` begins with.
///
/// ```
/// use carom_io::digest;
/// assert_eq!(digest(b"until = 3"), digest(b"until = 3"));
/// assert_ne!(digest(b"until = 3"), digest(b"until = 4"));
/// ```
pub fn digest(bytes: &[u8]) -> u64 {
    let first = Sha256::digest(bytes);
    first.iter().take(8).fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_what_sha256sum_begins_with() {
        assert_eq!(digest(b"abc"), 0xba78_16bf_8f01_cfea);
        assert_eq!(digest(b""), 0xe3b0_c442_98fc_1c14);
    }
}
