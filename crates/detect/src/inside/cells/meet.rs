//! Which cells of a grid a triangle meets.
//!
//! Small triangles take those cells of the box around them that their plane cuts. Large ones, which
//! may be long and thin and lie askew, are held against every cell by all directions along which two
//! such bodies can be apart (Akenine-Möller, Journal of Graphics Tools 6, 2001): along each, the
//! middles of the cells that meet lie between two bounds, so whole rows are cut to length at once.

use super::grid::Grid;
use carom_geometry::Vector;

/// A triangle is large if the box around it has more cells than this.
const FEW_CELLS: usize = 16;

/// So much may rounding change a product of a direction and a distance.
const ROUNDING: f64 = 1e-14;

/// So much of a cell may rounding change where a row is cut.
const CUT: f64 = 1e-6;

/// Is told which cells are met.
pub(super) trait Met {
    /// A layer begins; they come in ascending order.
    fn layer(&mut self, layer: u32);
    /// A cell of the layer.
    fn cell(&mut self, cell: usize);
}

/// Tells every cell that comes closer to the triangle than the margin, perhaps some more.
#[inline]
pub(super) fn cells_met(corners: [&Vector<3>; 3], grid: &Grid, met: &mut impl Met) {
    let [a, b, c] = corners;
    let (low, high) = (a.inf(b).inf(c), a.sup(b).sup(c));
    let ranges: [(u32, u32); 3] =
        std::array::from_fn(|axis| grid.range(axis, low[axis], high[axis]));
    let [x, y, z] = ranges;
    let cells: usize = ranges.iter().map(|(from, to)| (to - from + 1) as usize).product();
    if cells == 1 {
        met.layer(z.0);
        return met.cell(grid.number([x.0, y.0, z.0]));
    }
    if cells > FEW_CELLS {
        return cells_met_by_large(corners, grid, ranges, met);
    }
    let normal = (b - a).cross(&(c - a));
    let half = grid.width() * 0.5 + grid.margin;
    let longest = (high - low).max();
    let rounding = ROUNDING * longest * longest * (longest + grid.width().max());
    // Products of three small lengths may have lost all their digits.
    let reach = normal.abs().dot(&half) + rounding + f64::MIN_POSITIVE;
    let step = normal.x * grid.width().x;
    for z in z.0..=z.1 {
        met.layer(z);
        for y in y.0..=y.1 {
            let height = normal.dot(&(grid.middle([x.0, y, z]) - a));
            let first = grid.number([x.0, y, z]);
            for x in 0..=x.1 - x.0 {
                if (height + step * f64::from(x)).abs() <= reach {
                    met.cell(first + x as usize);
                }
            }
        }
    }
}

#[cold]
fn cells_met_by_large(
    corners: [&Vector<3>; 3],
    grid: &Grid,
    [x, y, z]: [(u32, u32); 3],
    met: &mut impl Met,
) {
    let [a, b, c] = corners;
    let edges = [b - a, c - b, a - c];
    let normal = (b - a).cross(&(c - a));
    let past_x = edges.map(|edge| Slab::across([0.0, edge.z, -edge.y].into(), corners, grid));
    let past_y = edges.map(|edge| Slab::across([-edge.z, 0.0, edge.x].into(), corners, grid));
    let past_z = edges.map(|edge| Slab::across([edge.y, -edge.x, 0.0].into(), corners, grid));
    let plane = [Slab::across(normal, corners, grid)];
    for z in z.0..=z.1 {
        met.layer(z);
        let from = grid.middle([x.0, y.0, z]) - a;
        let slabs = past_x.iter().map(|slab| (slab, slab.step(1, grid)));
        let Some(rows) = cut(&from, slabs, y.1 - y.0) else { continue };
        for y in y.0 + rows.0..=y.0 + rows.1 {
            let from = grid.middle([x.0, y, z]) - a;
            let slabs = past_y.iter().chain(&past_z).chain(&plane);
            let slabs = slabs.map(|slab| (slab, slab.step(0, grid)));
            let Some(row) = cut(&from, slabs, x.1 - x.0) else { continue };
            let first = grid.number([x.0, y, z]);
            (row.0..=row.1).for_each(|x| met.cell(first + x as usize));
        }
    }
}

/// All places whose product with a direction lies between two bounds, counted from the triangle's
/// first corner: the middles of the cells that are not apart from the triangle along it.
struct Slab {
    direction: Vector<3>,
    low: f64,
    high: f64,
}

impl Slab {
    fn across(direction: Vector<3>, [a, b, c]: [&Vector<3>; 3], grid: &Grid) -> Self {
        let (ab, ac) = (b - a, c - a);
        let half = grid.width() * 0.5 + grid.margin;
        let longest = ab.abs().sup(&ac.abs()) + grid.width();
        let size = direction.abs();
        let reach = size.dot(&half) + ROUNDING * size.dot(&longest) + f64::MIN_POSITIVE;
        let (to_b, to_c) = (direction.dot(&ab), direction.dot(&ac));
        Slab {
            direction,
            low: to_b.min(to_c).min(0.0) - reach,
            high: to_b.max(to_c).max(0.0) + reach,
        }
    }

    /// How much the product grows from a cell to the next on an axis.
    fn step(&self, axis: usize, grid: &Grid) -> f64 {
        self.direction[axis] * grid.width()[axis]
    }
}

/// From which to which of the cells from one on all of these slabs have them, each with how much the
/// product grows from a cell to the next; none if there are none.
#[inline]
fn cut<'a>(
    from: &Vector<3>,
    slabs: impl Iterator<Item = (&'a Slab, f64)>,
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
            least = least.max(one.min(other) - CUT);
            most = most.min(one.max(other) + CUT);
        }
    }
    let (least, most) = (least.ceil(), most.floor());
    (least <= most).then_some((least as u32, most as u32))
}
