//! Buffered writing of the binary arrays of frames.

use std::io::{self, Write};

const CAPACITY: usize = 1 << 16;

/// A buffer of little-endian numbers: few large writes instead of many small ones.
pub(crate) struct ByteBuffer<'a, W: Write + ?Sized> {
    out: &'a mut W,
    bytes: Vec<u8>,
}

impl<'a, W: Write + ?Sized> ByteBuffer<'a, W> {
    pub(crate) fn new(out: &'a mut W) -> Self {
        ByteBuffer { out, bytes: Vec::with_capacity(CAPACITY + 1024) }
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() < CAPACITY { Ok(()) } else { self.flush_buffer() }
    }

    /// Writes the last bytes and flushes.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush_buffer()?;
        self.out.flush()
    }

    fn flush_buffer(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }
}
