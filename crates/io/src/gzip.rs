//! Files compressed by gzip, whatever their name.

use crate::memory;
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, ErrorKind, Read};

/// First bytes of a compressed file.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

pub(super) fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Reads at most `most` bytes, decompressed if they are compressed. An error if the decompressed bytes would fill more
/// than half of the memory: a few megabytes may become gigabytes.
pub(super) fn read_to_end(source: impl BufRead, most: u64) -> io::Result<Vec<u8>> {
    // What is parsed from the bytes needs room too.
    read_within(source, most, memory::available_bytes().map_or(u64::MAX - 1, |bytes| bytes / 2))
}

fn read_within(mut source: impl BufRead, most: u64, room: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if !is_compressed(source.fill_buf()?) {
        source.take(most).read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    let refuse = |kind, reason| io::Error::new(kind, reason);
    // Bounded while it is decompressed: a small file may hold any amount of zeros.
    let read = MultiGzDecoder::new(source).take(most.min(room + 1)).read_to_end(&mut bytes);
    read.map_err(|_| refuse(ErrorKind::InvalidData, "it is cut, or not all of it is gzip"))?;
    if bytes.len() as u64 > room {
        return Err(refuse(ErrorKind::InvalidInput, "the memory does not hold it decompressed"));
    }
    Ok(bytes)
}

/// Returns the file name without `.gz` at its end.
pub(super) fn uncompressed_name(path: &std::path::Path) -> std::path::PathBuf {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("gz") => path.with_extension(""),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    #[test]
    fn what_would_fill_the_memory_is_refused() {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&[b' '; 100_000]).unwrap();
        let packed = encoder.finish().unwrap();
        assert!(packed.len() < 1000);
        let read = |most, room| read_within(&packed[..], most, room).map(|bytes| bytes.len());
        assert_eq!(read(u64::MAX, 100_000).unwrap(), 100_000);
        assert_eq!(read(500, 1000).unwrap(), 500);
        let refused = read(u64::MAX, 99_999).unwrap_err().to_string();
        assert_eq!(refused, "the memory does not hold it decompressed");
        // What is not compressed is no larger than its file.
        assert_eq!(read_within(&[b'x'; 100][..], 200, 10).unwrap().len(), 100);
    }
}
