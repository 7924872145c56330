//! Which triangles each cell of a grid has.

use super::grid::Grid;
use carom_geometry::Vector;
use carom_geometry::mesh::TriangleMesh;
use rayon::prelude::*;

/// The triangles of every cell of a grid.
#[derive(Debug)]
pub(super) struct Bins {
    /// Where the triangles of each cell end; they begin where those of the cell before end.
    ends: Vec<u32>,
    /// The triangles of all cells, one cell after the other.
    pub(super) triangles: Vec<u32>,
}

impl Bins {
    /// Every cell gets the triangles that come closer to it than the grid's margin, perhaps some
    /// more.
    pub(super) fn of(surface: &TriangleMesh, triangles: &[u32], grid: &Grid) -> Self {
        let rows: Vec<Row> =
            triangles.par_chunks(AT_ONCE).map(|some| Row::of(surface, some, grid)).collect();
        let mut ends = vec![0; grid.len()];
        // Every thread has some of the cells and takes what is for them out of all rows.
        let cells_each = ends.len().div_ceil(threads_for(rows.len()));
        ends.par_chunks_mut(cells_each).enumerate().for_each(|(part, counts)| {
            let first = part * cells_each;
            for &cell in rows.iter().flat_map(|row| &row.cells) {
                if let Some(count) = counts.get_mut((cell as usize).wrapping_sub(first)) {
                    *count += 1;
                }
            }
        });
        let mut sum = 0;
        for end in &mut ends {
            let count = *end;
            *end = sum;
            sum += count;
        }
        let mut dealt = vec![0; sum as usize];
        deal(&rows, &mut ends, cells_each, &mut dealt);
        Bins { ends, triangles: dealt }
    }

    /// The triangles of a cell, ascending.
    #[inline]
    pub(super) fn of_cell(&self, cell: usize) -> &[u32] {
        let first = if cell == 0 { 0 } else { self.ends[cell - 1] };
        &self.triangles[first as usize..self.ends[cell] as usize]
    }

    /// Where the triangles of a cell end.
    #[inline]
    pub(super) fn end(&self, cell: usize) -> u32 {
        self.ends[cell]
    }
}

/// Some triangles, and the cells that each of them meets.
struct Row {
    cells: Vec<u32>,
    /// Each triangle, and where its cells end.
    triangles: Vec<(u32, u32)>,
}

/// So many triangles make a row.
const AT_ONCE: usize = 1 << 14;

/// More threads than this would look through the rows in vain.
const MOST_THREADS: usize = 8;

fn threads_for(rows: usize) -> usize {
    rayon::current_num_threads().min(rows).clamp(1, MOST_THREADS)
}

impl Row {
    fn of(surface: &TriangleMesh, triangles: &[u32], grid: &Grid) -> Self {
        let mut row = Row {
            cells: Vec::with_capacity(4 * triangles.len()),
            triangles: Vec::with_capacity(triangles.len()),
        };
        for &triangle in triangles {
            let corners = surface.corners(triangle as usize);
            cells_met(corners, grid, |cell| row.cells.push(cell as u32));
            row.triangles.push((triangle, row.cells.len() as u32));
        }
        row
    }
}

/// Puts each triangle to its cells. `next` is where each cell's triangles begin, and in the end
/// where they end.
fn deal(rows: &[Row], next: &mut [u32], cells_each: usize, dealt: &mut [u32]) {
    let starts: Vec<u32> = next.iter().copied().step_by(cells_each).collect();
    let mut rest = dealt;
    let mut parts = Vec::new();
    for (part, next) in next.chunks_mut(cells_each).enumerate() {
        let end = starts.get(part + 1).map_or(rest.len(), |end| (end - starts[part]) as usize);
        let (own, others) = rest.split_at_mut(end);
        rest = others;
        parts.push((part * cells_each, starts[part], next, own));
    }
    parts.into_par_iter().for_each(|(first_cell, start, next, own)| {
        for row in rows {
            let mut first = 0;
            for &(triangle, end) in &row.triangles {
                for &cell in &row.cells[first..end as usize] {
                    if let Some(place) = next.get_mut((cell as usize).wrapping_sub(first_cell)) {
                        own[(*place - start) as usize] = triangle;
                        *place += 1;
                    }
                }
                first = end as usize;
            }
        }
    });
}

/// So much may rounding change the distance of a cell from a triangle's plane, in products of
/// lengths.
const ROUNDING: f64 = 1e-14;

/// Calls `visit` with every cell that comes closer to the triangle than the margin: those in the box
/// around it that its plane cuts.
#[inline]
fn cells_met([a, b, c]: [&Vector<3>; 3], grid: &Grid, mut visit: impl FnMut(usize)) {
    let (low, high) = (a.inf(b).inf(c), a.sup(b).sup(c));
    let ranges: [(u32, u32); 3] =
        std::array::from_fn(|axis| grid.range(axis, low[axis], high[axis]));
    if ranges.iter().all(|(from, to)| from == to) {
        return visit(grid.number(ranges.map(|(from, _)| from)));
    }
    let normal = (b - a).cross(&(c - a));
    let half = grid.width() * 0.5 + grid.margin;
    let longest = (high - low).max();
    let farthest = longest + grid.width().max();
    let reach = normal.abs().dot(&half) + ROUNDING * longest * longest * farthest;
    let [(x0, x1), (y0, y1), (z0, z1)] = ranges;
    let step = normal.x * grid.width().x;
    for z in z0..=z1 {
        for y in y0..=y1 {
            let center = grid.corner([x0, y, z]) + grid.width() * 0.5;
            let height = normal.dot(&(center - a));
            let first = grid.number([x0, y, z]);
            for x in 0..=x1 - x0 {
                if (height + step * f64::from(x)).abs() <= reach {
                    visit(first + x as usize);
                }
            }
        }
    }
}
