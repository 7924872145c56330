use super::row_buffer::RowBuffer;
use carom_detect::inside::Side;
use std::io::{self, Write};

/// Writes the sides of points as CSV `id,side`, with a column `distance` if there are distances: some
/// points after the other, so that not all need to be at hand at once.
///
/// ```
/// use carom_detect::inside::Side;
/// use carom_scene::files::SidesWriter;
/// let mut text = Vec::new();
/// let mut writer = SidesWriter::with_distances(&mut text)?;
/// writer.write(&[Side::Inside], Some(&[-0.5]))?;
/// writer.write(&[Side::Surface], Some(&[0.0]))?;
/// writer.finish()?;
/// assert_eq!(text, b"id,side,distance\n0,inside,-0.5\n1,surface,0.0\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct SidesWriter<'a, W: Write + ?Sized> {
    rows: RowBuffer<'a, W>,
    next: u32,
}

impl<'a, W: Write + ?Sized> SidesWriter<'a, W> {
    /// Writes the header of sides alone.
    pub fn new(out: &'a mut W) -> io::Result<Self> {
        Self::with_header(out, "id,side")
    }

    /// Writes the header of sides and distances.
    pub fn with_distances(out: &'a mut W) -> io::Result<Self> {
        Self::with_header(out, "id,side,distance")
    }

    fn with_header(out: &'a mut W, header: &str) -> io::Result<Self> {
        let mut rows = RowBuffer::new(out);
        rows.text(header);
        rows.end_row()?;
        Ok(SidesWriter { rows, next: 0 })
    }

    /// Writes the next points; with as many distances, if the header has them.
    pub fn write(&mut self, sides: &[Side], distances: Option<&[f64]>) -> io::Result<()> {
        for (k, side) in sides.iter().enumerate() {
            self.rows.integer(self.next);
            self.rows.text(",");
            self.rows.text(side.name());
            if let Some(distances) = distances {
                self.rows.text(",");
                self.rows.number(distances[k]);
            }
            self.rows.end_row()?;
            self.next += 1;
        }
        Ok(())
    }

    /// Hands on what is left.
    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}
