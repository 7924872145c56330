//! Particles as CSV.

use super::row_buffer::RowBuffer;
use carom_geometry::Sphere;
use std::io::{self, Write};

/// Writes particles as CSV `x,y,r` or `x,y,z,r`; [`parse_csv`](crate::parse_csv) gives back the same bits. The
/// boundary is not part of this format.
///
/// ```
/// use carom_geometry::Sphere;
/// let mut text = Vec::new();
/// carom_io::write_csv(&mut text, &[Sphere::new([1.0, 0.1], 0.5)])?;
/// assert_eq!(text, b"x,y,r\n1.0,0.1,0.5\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_csv<const D: usize>(
    out: &mut (impl Write + ?Sized),
    spheres: &[Sphere<D>],
) -> io::Result<()> {
    let mut rows = RowBuffer::new(out);
    for name in &["x,", "y,", "z,"][..D] {
        rows.text(name);
    }
    rows.text("r");
    rows.end_row()?;
    for sphere in spheres {
        rows.numbers(sphere.center.iter().copied().chain([sphere.radius]), ",");
        rows.end_row()?;
    }
    rows.finish()
}
