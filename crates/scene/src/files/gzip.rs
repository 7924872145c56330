//! Files compressed by gzip, whatever they are called.

use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, Read};

/// What a file begins with that is compressed.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

pub(super) fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// What is to be read, decompressed if it is compressed, and no more than so many bytes of it.
pub(super) fn read_to_end(mut source: impl BufRead, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if is_packed(source.fill_buf()?) {
        let read = MultiGzDecoder::new(source).take(most).read_to_end(&mut bytes);
        read.map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no whole gzip file"))?;
    } else {
        source.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The name of what a file of this name holds: without `.gz` at its end.
pub(super) fn plain_name(path: &std::path::Path) -> std::path::PathBuf {
    match path.extension() {
        Some(extension) if extension.eq_ignore_ascii_case("gz") => path.with_extension(""),
        _ => path.to_owned(),
    }
}
