use super::row_buffer::RowBuffer;
use carom_detect::laguerre::CellFigures;
use std::io::{self, Write};

/// Writes Laguerre cells as CSV `id,neighbours,volume`, `area` instead of `volume` in the plane.
///
/// The number of neighbours is that of the cell's facets. A hidden sphere has none and no volume,
/// `0,0.0`; where a cell is unbounded there is nothing in the last column.
///
/// ```
/// use carom_detect::laguerre::CellFigures;
/// let mut text = Vec::new();
/// let cells = [CellFigures { volume: 0.5, facets: 6 }, CellFigures { volume: f64::INFINITY, facets: 3 }];
/// carom_scene::files::write_cells::<2>(&mut text, &cells)?;
/// assert_eq!(text, b"id,neighbours,area\n0,6,0.5\n1,3,\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_cells<const D: usize>(
    out: &mut (impl Write + ?Sized),
    cells: &[CellFigures],
) -> io::Result<()> {
    let mut rows = RowBuffer::new(out);
    rows.text(if D == 2 { "id,neighbours,area" } else { "id,neighbours,volume" });
    rows.end_row()?;
    for (id, cell) in (0..).zip(cells) {
        rows.integer(id);
        rows.text(",");
        rows.integer(cell.facets as u32);
        rows.text(",");
        if cell.volume.is_finite() {
            rows.number(cell.volume);
        }
        rows.end_row()?;
    }
    rows.finish()
}
