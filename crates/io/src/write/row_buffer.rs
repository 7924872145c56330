//! Buffered writing of rows of numbers, with the shortest digits that read back.

use std::io::{self, Write};

const CAPACITY: usize = 1 << 16;

/// A buffer of rows of text: few large writes instead of many small ones.
pub(crate) struct RowBuffer<'a, W: Write + ?Sized> {
    out: &'a mut W,
    bytes: Vec<u8>,
}

impl<'a, W: Write + ?Sized> RowBuffer<'a, W> {
    pub(crate) fn new(out: &'a mut W) -> Self {
        RowBuffer { out, bytes: Vec::with_capacity(CAPACITY + 1024) }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn integer(&mut self, number: u32) {
        self.text(itoa::Buffer::new().format(number));
    }

    pub(crate) fn integer_u64(&mut self, number: u64) {
        self.text(itoa::Buffer::new().format(number));
    }

    /// Appends the shortest decimal number that reads back as the same bits.
    pub(crate) fn number(&mut self, number: f64) {
        self.text(zmij::Buffer::new().format(number));
    }

    /// Appends numbers with a separator between each two.
    pub(crate) fn numbers(&mut self, numbers: impl IntoIterator<Item = f64>, separator: &str) {
        for (index, number) in numbers.into_iter().enumerate() {
            if index > 0 {
                self.text(separator);
            }
            self.number(number);
        }
    }

    pub(crate) fn end_row(&mut self) -> io::Result<()> {
        self.bytes.push(b'\n');
        if self.bytes.len() < CAPACITY { Ok(()) } else { self.flush_buffer() }
    }

    /// Writes the last rows and flushes.
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
