use super::row_buffer::RowBuffer;
use carom_detect::inside::Side;
use std::io::{self, Write};

/// Writes the sides of points as CSV `id,side`, with a column `distance` if there are distances.
///
/// ```
/// use carom_detect::inside::Side;
/// let mut text = Vec::new();
/// carom_scene::files::write_sides(&mut text, &[Side::Inside, Side::Surface], Some(&[-0.5, 0.0]))?;
/// assert_eq!(text, b"id,side,distance\n0,inside,-0.5\n1,surface,0.0\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_sides(
    out: &mut (impl Write + ?Sized),
    sides: &[Side],
    distances: Option<&[f64]>,
) -> io::Result<()> {
    let mut rows = RowBuffer::new(out);
    rows.text(if distances.is_some() { "id,side,distance" } else { "id,side" });
    rows.end_row()?;
    for (id, side) in sides.iter().enumerate() {
        rows.integer(id as u32);
        rows.text(",");
        rows.text(side.name());
        if let Some(distances) = distances {
            rows.text(",");
            rows.number(distances[id]);
        }
        rows.end_row()?;
    }
    rows.finish()
}
