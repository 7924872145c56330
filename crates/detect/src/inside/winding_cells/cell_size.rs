//! The cell width, by a model of the cost.
//!
//! Small cells make points cheap and building expensive. Of `N` triangles with the total area `A` and the total
//! perimeter `P`, about `3/2 A/h^2` cells of the width `h` meet some, and have `N + P/h + 3/2 A/h^2` entries
//! altogether; the width with the least total cost is taken.

use super::cell_grid::WindingCellGrid;
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Aabb, Vector};
use rayon::prelude::*;

/// Nanoseconds per cell, per triangle in a cell, per point, per point near the surface and there per triangle.
/// Measured once; only their ratios matter.
const CELL_NANOSECONDS: f64 = 5.0;
const ENTRY_NANOSECONDS: f64 = 20.0;
const POINT_NANOSECONDS: f64 = 10.0;
const NEAR_POINT_NANOSECONDS: f64 = 120.0;
const NEAR_TRIANGLE_NANOSECONDS: f64 = 8.0;

/// The number of times that points are assumed to be queried: a prepared surface is mostly used again.
const EXPECTED_REUSE: f64 = 4.0;

/// The largest number of bytes per triangle of the root grid ...
const MAX_GRID_BYTES_PER_TRIANGLE: f64 = 110.0;

/// ... and of all grids together ...
const MAX_BYTES_PER_TRIANGLE: usize = 140;

/// ... besides this many for every surface.
const BASE_BYTES: usize = 16384;

/// The largest mean number of triangles in a cell.
const MAX_MEAN_TRIANGLES: f64 = 32.0;

/// The least cell width in units in the last place of the farthest coordinate ...
const MIN_WIDTH_IN_ROUNDINGS: f64 = 10_000.0;

/// ... and the least at all, so that its inverse is finite.
const MIN_WIDTH: f64 = 1e-290;

/// Entries and cells are numbered in 32 bits, boundary cells in 30; the estimates of their numbers may be wrong by
/// half.
const MAX_ENTRIES: f64 = 2e9;
const MAX_CELLS: f64 = 2e9;
const MAX_BOUNDARY_CELLS: f64 = 5e8;

/// The number of triangles sampled to measure a surface.
const SAMPLE_SIZE: usize = 2048;

/// The number of triangles in one task of a thread.
const TRIANGLES_PER_TASK: usize = 1 << 14;

/// A multiplier whose multiples look random.
const HASH_MULTIPLIER: usize = 0x9e37_79b1;

/// Returns the grid around a surface for which building and `points` points are cheapest.
pub(super) fn cheapest_grid(surface: &TriangleMesh, points: usize) -> WindingCellGrid {
    let figures = SurfaceMeasures::of_surface(surface);
    // Far from the origin, cells must not become so narrow that rounding moves points out of them.
    let farthest = figures.bounds.low.amax().max(figures.bounds.high.amax());
    let narrowest = (MIN_WIDTH_IN_ROUNDINGS * f64::EPSILON * farthest).max(MIN_WIDTH);
    let widest = (figures.size.max() / 2.0).max(narrowest);
    let widths = (0..).map(|k| (widest * 0.84_f64.powi(k)).max(narrowest)).take(60);
    let best = widths.fold((f64::INFINITY, widest), |best, width| {
        let cost = figures.cost(width, points);
        if cost < best.0 { (cost, width) } else { best }
    });
    grid_around(&figures.bounds, best.1)
}

/// Returns the largest number of bytes of all grids together.
pub(super) fn max_bytes(surface: &TriangleMesh) -> usize {
    BASE_BYTES + MAX_BYTES_PER_TRIANGLE * surface.triangles().len()
}

/// Measures of a surface, estimated from a sample of its triangles.
struct SurfaceMeasures {
    triangles: f64,
    area: f64,
    perimeters: f64,
    bounds: Aabb<3>,
    size: Vector<3>,
}

impl SurfaceMeasures {
    fn of_surface(surface: &TriangleMesh) -> Self {
        let count = surface.triangles().len();
        let every = count.div_ceil(SAMPLE_SIZE);
        let (mut area, mut perimeters, mut measured) = (0.0, 0.0, 0.0);
        for first in (0..count).step_by(every) {
            // Anywhere among the next ones, as large and small triangles may alternate.
            let triangle =
                (first + first.wrapping_mul(HASH_MULTIPLIER) / 256 % every).min(count - 1);
            let [a, b, c] = surface.corners(triangle);
            area += 0.5 * (b - a).cross(&(c - a)).norm();
            perimeters += (b - a).norm() + (c - b).norm() + (a - c).norm();
            measured += 1.0;
        }
        let triangles = count as f64;
        let all = triangles / measured;
        let bounds = bounds(surface);
        SurfaceMeasures {
            triangles,
            area: all * area,
            perimeters: all * perimeters,
            bounds,
            size: bounds.size(),
        }
    }

    /// Returns the estimated nanoseconds for building and for this many points in the box; infinite if it takes too
    /// much memory, or more cells or entries than can be numbered.
    fn cost(&self, width: f64, points: usize) -> f64 {
        // A triangle of area A and perimeter p overlaps about 1 + p / w + 1.5 A / w² cells of width w.
        let cells: f64 = self.size.iter().map(|size| size / width + 1.0).product();
        let boundary = (1.5 * self.area / (width * width) + 1.0).min(cells);
        let entries = self.triangles
            + self.perimeters / width
            + (1.5 * self.area / (width * width)).min(self.triangles * cells);
        let bytes = 4.0 * cells + 12.0 * boundary + 4.0 * entries;
        let too_many = bytes > MAX_GRID_BYTES_PER_TRIANGLE * self.triangles + BASE_BYTES as f64
            || entries > MAX_ENTRIES
            || cells > MAX_CELLS
            || boundary > MAX_BOUNDARY_CELLS;
        if too_many {
            return f64::INFINITY;
        }
        let here = entries / boundary;
        let crowd = (here / MAX_MEAN_TRIANGLES).max(1.0);
        let near = boundary / cells;
        crowd * (CELL_NANOSECONDS * cells + ENTRY_NANOSECONDS * entries)
            + EXPECTED_REUSE
                * points as f64
                * (POINT_NANOSECONDS
                    + near * (NEAR_POINT_NANOSECONDS + NEAR_TRIANGLE_NANOSECONDS * here))
    }
}

/// Returns the bounding box of all triangles, by all threads.
fn bounds(surface: &TriangleMesh) -> Aabb<3> {
    let of_some = |triangles: &[[u32; 3]]| {
        let corners =
            triangles.iter().flatten().map(|&corner| &surface.vertices()[corner as usize]);
        corners.fold(Aabb::empty(), |bounds, corner| bounds.including(corner))
    };
    let parts = surface.triangles().par_chunks(TRIANGLES_PER_TASK).map(of_some);
    let both = |a: Aabb<3>, b: Aabb<3>| a.including(&b.low).including(&b.high);
    parts.reduce_with(both).unwrap_or_else(|| surface.bounds())
}

/// Returns a grid of about this cell width around a box, with room to spare on every side.
fn grid_around(bounds: &Aabb<3>, width: f64) -> WindingCellGrid {
    // Not a simple fraction of the width, so that faces of cells avoid round coordinates.
    let low = bounds.low - Vector::repeat(0.37 * width);
    let size = bounds.size() + Vector::repeat(0.78 * width);
    let counts = size.map(|size| (size / width).ceil().max(1.0));
    let widths = size.component_div(&counts);
    WindingCellGrid::new(low, widths, std::array::from_fn(|axis| counts[axis] as u32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_cells_than_can_be_numbered_are_never_cheap() {
        // A surface of small triangles spread over a box, which has memory for very many cells.
        let bounds = Aabb { low: Vector::zeros(), high: Vector::repeat(1.0) };
        let mut figures = SurfaceMeasures {
            triangles: 1.9e9,
            area: 0.1,
            perimeters: 0.1,
            bounds,
            size: bounds.size(),
        };
        assert!(figures.cost(1e-3, 1000).is_finite());
        assert!(figures.cost(0.9e-3, 1000).is_finite());
        assert_eq!(figures.cost(0.5e-3, 1000), f64::INFINITY);
        (figures.triangles, figures.area) = (1e9, 490.0);
        assert!(figures.cost(1.3e-3, 1000).is_finite());
        assert_eq!(figures.cost(1.2e-3, 1000), f64::INFINITY);
    }
}
