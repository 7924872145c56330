//! Laguerre cells as CSV.

use super::row_buffer::RowBuffer;
use carom_detect::laguerre::LaguerreCellMeasures;
use std::io::{self, Write};

/// Writes Laguerre cells as CSV `id,neighbors,volume`, `area` instead of `volume` in 2D.
///
/// The number of neighbors is that of the cell's facets. A hidden sphere has none and no volume, `0,0.0`; where a cell
/// is unbounded the last column is empty.
///
/// ```
/// use carom_detect::laguerre::LaguerreCellMeasures;
/// let mut text = Vec::new();
/// let cells = [
///     LaguerreCellMeasures { volume: 0.5, facet_count: 6 },
///     LaguerreCellMeasures { volume: f64::INFINITY, facet_count: 3 },
/// ];
/// carom_io::write_laguerre_cells::<2>(&mut text, &cells)?;
/// assert_eq!(text, b"id,neighbors,area\n0,6,0.5\n1,3,\n");
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_laguerre_cells<const D: usize>(
    out: &mut (impl Write + ?Sized),
    cells: &[LaguerreCellMeasures],
) -> io::Result<()> {
    let mut rows = RowBuffer::new(out);
    rows.text(if D == 2 { "id,neighbors,area" } else { "id,neighbors,volume" });
    rows.end_row()?;
    for (id, cell) in (0..).zip(cells) {
        rows.integer(id);
        rows.text(",");
        rows.integer(cell.facet_count as u32);
        rows.text(",");
        if cell.volume.is_finite() {
            rows.number(cell.volume);
        }
        rows.end_row()?;
    }
    rows.finish()
}
