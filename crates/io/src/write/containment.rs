//! Answers of inside tests as CSV.

use super::row_buffer::RowBuffer;
use carom_detect::inside::Containment;
use carom_geometry::Vector;
use std::io::{self, Write};

/// Writes the containment of points as CSV `id,side`, with columns `x`, `y` and `z` before the side if points are given
/// and `distance` after it if distances are. Points are written in batches, so that not all need to be in memory.
///
/// ```
/// use carom_detect::inside::Containment;
/// use carom_geometry::Vector;
/// use carom_io::{ContainmentCsvColumns, ContainmentCsvWriter};
/// let mut text = Vec::new();
/// let mut writer = ContainmentCsvWriter::new(&mut text, ContainmentCsvColumns { points: true, distances: true })?;
/// writer.write(&[Containment::Inside], &[Vector::from([0.5, 1.0, 2.0])], &[-0.5])?;
/// writer.write(&[Containment::Surface], &[Vector::zeros()], &[0.0])?;
/// writer.finish()?;
/// let rows = "id,x,y,z,side,distance\n0,0.5,1.0,2.0,inside,-0.5\n1,0.0,0.0,0.0,surface,0.0\n";
/// assert_eq!(text, rows.as_bytes());
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct ContainmentCsvWriter<'a, W: Write + ?Sized> {
    rows: RowBuffer<'a, W>,
    columns: ContainmentCsvColumns,
    next: u32,
}

/// Columns of points besides their containment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ContainmentCsvColumns {
    /// Whether their positions are written.
    pub points: bool,
    /// Whether their signed distances from the surface are written.
    pub distances: bool,
}

impl<'a, W: Write + ?Sized> ContainmentCsvWriter<'a, W> {
    /// Writes the header.
    pub fn new(out: &'a mut W, columns: ContainmentCsvColumns) -> io::Result<Self> {
        let mut rows = RowBuffer::new(out);
        rows.text(if columns.points { "id,x,y,z,side" } else { "id,side" });
        rows.text(if columns.distances { ",distance" } else { "" });
        rows.end_row()?;
        Ok(ContainmentCsvWriter { rows, columns, next: 0 })
    }

    /// Writes the next points; slices without a column may be empty.
    pub fn write(
        &mut self,
        sides: &[Containment],
        points: &[Vector<3>],
        distances: &[f64],
    ) -> io::Result<()> {
        for (k, side) in sides.iter().enumerate() {
            self.rows.integer(self.next);
            self.rows.text(",");
            if self.columns.points {
                self.rows.numbers(points[k].iter().copied(), ",");
                self.rows.text(",");
            }
            self.rows.text(side.name());
            if self.columns.distances {
                self.rows.text(",");
                self.rows.number(distances[k]);
            }
            self.rows.end_row()?;
            self.next += 1;
        }
        Ok(())
    }

    /// Writes what is left in the buffer.
    pub fn finish(self) -> io::Result<()> {
        self.rows.finish()
    }
}
