//! The checksum that guards a checkpoint against damage, not against malice: CRC-32.

/// The number of bytes of a checksum.
pub(super) const CHECKSUM_BYTES: usize = 4;

/// Returns the CRC-32 (the polynomial of gzip and PNG) of some bytes, as it stands behind them in a checkpoint.
///
/// ```
/// use carom_io::checkpoint_checksum;
/// assert_eq!(checkpoint_checksum(b"123456789"), 0xcbf4_3926_u32.to_le_bytes());
/// ```
pub fn checkpoint_checksum(bytes: &[u8]) -> [u8; CHECKSUM_BYTES] {
    crc32fast::hash(bytes).to_le_bytes()
}
