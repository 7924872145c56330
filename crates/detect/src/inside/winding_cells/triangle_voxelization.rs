//! Voxelization: the cells of a grid that a triangle meets.
//!
//! Small triangles take those cells of their bounding box that their plane cuts. Large ones, which may be long, thin
//! and oblique, are tested against every cell along all separating axes (Akenine-Möller, Journal of Graphics Tools
//! 6, 2001): along each, the centers of the overlapped cells lie between two bounds, so whole rows are clipped at
//! once.

use super::cell_grid::WindingCellGrid;
use carom_geometry::Vector;

/// A triangle is large if its bounding box has more cells than this.
const MAX_CELLS_OF_SMALL_TRIANGLE: usize = 16;

/// The relative rounding error of a product of a direction and a distance.
const ROUNDING: f64 = 1e-14;

/// The rounding error of the end of a row, in cells.
const ROW_TOLERANCE: f64 = 1e-6;

/// Receives the cells that a triangle meets.
pub(super) trait CellVisitor {
    /// A layer begins; layers come in ascending order.
    fn begin_layer(&mut self, layer: u32);
    /// Receives a cell of the layer.
    fn visit_cell(&mut self, cell: usize);
}

/// Visits every cell that comes closer to the triangle than the margin, perhaps some more.
#[inline]
pub(super) fn visit_overlapped_cells(
    corners: [&Vector<3>; 3],
    grid: &WindingCellGrid,
    met: &mut impl CellVisitor,
) {
    let [a, b, c] = corners;
    let (low, high) = (a.inf(b).inf(c), a.sup(b).sup(c));
    let ranges: [(u32, u32); 3] =
        std::array::from_fn(|axis| grid.cell_range(axis, low[axis], high[axis]));
    let [x, y, z] = ranges;
    let cells: usize = ranges.iter().map(|(from, to)| (to - from + 1) as usize).product();
    // Most triangles of a fine mesh lie in one cell.
    if cells == 1 {
        met.begin_layer(z.0);
        return met.visit_cell(grid.cell_index([x.0, y.0, z.0]));
    }
    if cells > MAX_CELLS_OF_SMALL_TRIANGLE {
        return visit_cells_of_large_triangle(corners, grid, ranges, met);
    }
    let normal = (b - a).cross(&(c - a));
    let half = grid.cell_width() * 0.5 + grid.margin;
    let longest = (high - low).max();
    let rounding = ROUNDING * longest * longest * (longest + grid.cell_width().max());
    // Products of three small lengths may underflow and lose all their digits.
    let reach = normal.abs().dot(&half) + rounding + f64::MIN_POSITIVE;
    let step = normal.x * grid.cell_width().x;
    for z in z.0..=z.1 {
        met.begin_layer(z);
        for y in y.0..=y.1 {
            let height = normal.dot(&(grid.cell_center([x.0, y, z]) - a));
            let first = grid.cell_index([x.0, y, z]);
            for x in 0..=x.1 - x.0 {
                // Only the triangle's plane is tested: for a few cells the bounding box does the rest, and a cell
                // too many does no harm.
                if (height + step * f64::from(x)).abs() <= reach {
                    met.visit_cell(first + x as usize);
                }
            }
        }
    }
}

#[cold]
fn visit_cells_of_large_triangle(
    corners: [&Vector<3>; 3],
    grid: &WindingCellGrid,
    [x, y, z]: [(u32, u32); 3],
    met: &mut impl CellVisitor,
) {
    let [a, b, c] = corners;
    let edges = [b - a, c - b, a - c];
    let normal = (b - a).cross(&(c - a));
    // Separating axes of a box and a triangle (T. Akenine-Möller, 2001), solved for the range of cells in a row.
    let past_x = edges
        .map(|edge| SeparatingSlab::along_direction([0.0, edge.z, -edge.y].into(), corners, grid));
    let past_y = edges
        .map(|edge| SeparatingSlab::along_direction([-edge.z, 0.0, edge.x].into(), corners, grid));
    let past_z = edges
        .map(|edge| SeparatingSlab::along_direction([edge.y, -edge.x, 0.0].into(), corners, grid));
    let plane = [SeparatingSlab::along_direction(normal, corners, grid)];
    for z in z.0..=z.1 {
        met.begin_layer(z);
        let from = grid.cell_center([x.0, y.0, z]) - a;
        let slabs = past_x.iter().map(|slab| (slab, slab.product_step(1, grid)));
        let Some(rows) = clip_row(&from, slabs, y.1 - y.0) else { continue };
        for y in y.0 + rows.0..=y.0 + rows.1 {
            let from = grid.cell_center([x.0, y, z]) - a;
            let slabs = past_y.iter().chain(&past_z).chain(&plane);
            let slabs = slabs.map(|slab| (slab, slab.product_step(0, grid)));
            let Some(row) = clip_row(&from, slabs, x.1 - x.0) else { continue };
            let first = grid.cell_index([x.0, y, z]);
            (row.0..=row.1).for_each(|x| met.visit_cell(first + x as usize));
        }
    }
}

/// All points whose product with a direction lies between two bounds, relative to the triangle's first corner: the
/// centers of the cells that are not separated from the triangle along it.
struct SeparatingSlab {
    direction: Vector<3>,
    low: f64,
    high: f64,
}

impl SeparatingSlab {
    fn along_direction(
        direction: Vector<3>,
        [a, b, c]: [&Vector<3>; 3],
        grid: &WindingCellGrid,
    ) -> Self {
        let (ab, ac) = (b - a, c - a);
        let half = grid.cell_width() * 0.5 + grid.margin;
        let longest = ab.abs().sup(&ac.abs()) + grid.cell_width();
        let size = direction.abs();
        let reach = size.dot(&half) + ROUNDING * size.dot(&longest) + f64::MIN_POSITIVE;
        let (to_b, to_c) = (direction.dot(&ab), direction.dot(&ac));
        SeparatingSlab {
            direction,
            low: to_b.min(to_c).min(0.0) - reach,
            high: to_b.max(to_c).max(0.0) + reach,
        }
    }

    /// Returns the increase of the product from a cell to the next on an axis.
    fn product_step(&self, axis: usize, grid: &WindingCellGrid) -> f64 {
        self.direction[axis] * grid.cell_width()[axis]
    }
}

/// Returns the first and the last cell of a row that lie in all of these slabs, each given with the increase of its
/// product from a cell to the next; `None` if there are none.
#[inline]
fn clip_row<'a>(
    from: &Vector<3>,
    slabs: impl Iterator<Item = (&'a SeparatingSlab, f64)>,
    last: u32,
) -> Option<(u32, u32)> {
    let (mut least, mut most) = (0.0_f64, f64::from(last));
    for (slab, step) in slabs {
        let start = slab.direction.dot(from);
        if step == 0.0 {
            if start < slab.low || slab.high < start {
                return None;
            }
        } else {
            let [one, other] = [slab.low, slab.high].map(|bound| (bound - start) / step);
            least = least.max(one.min(other) - ROW_TOLERANCE);
            most = most.min(one.max(other) + ROW_TOLERANCE);
        }
    }
    let (least, most) = (least.ceil(), most.floor());
    (least <= most).then_some((least as u32, most as u32))
}
