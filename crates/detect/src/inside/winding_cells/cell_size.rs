//! How large the cells should be.
//!
//! Small cells make points cheap and building dear. Of `N` triangles with the area `A` and the
//! perimeters `P` altogether, about `3/2 A/h^2` cells of the width `h` meet some, and these have
//! `N + P/h + 3/2 A/h^2` triangles between them; the width with the least sum of costs is taken.

use super::cell_grid::WindingCellGrid;
use carom_geometry::mesh::TriangleMesh;
use carom_geometry::{Aabb, Vector};
use rayon::prelude::*;

/// Nanoseconds for a cell, for a triangle in a cell, for a point, for a point near the surface and
/// there for each triangle. Measured once; only their ratios matter.
const CELL_NANOSECONDS: f64 = 5.0;
const ENTRY_NANOSECONDS: f64 = 20.0;
const POINT_NANOSECONDS: f64 = 10.0;
const NEAR_POINT_NANOSECONDS: f64 = 120.0;
const NEAR_TRIANGLE_NANOSECONDS: f64 = 8.0;

/// As if points were asked so many times: what is prepared is mostly used again.
const EXPECTED_REUSE: f64 = 4.0;

/// Bytes for each triangle that the grid of all may use at most ...
const MAX_GRID_BYTES_PER_TRIANGLE: f64 = 110.0;

/// ... and all grids together ...
const MAX_BYTES_PER_TRIANGLE: usize = 140;

/// ... beside so many for every surface.
const BASE_BYTES: usize = 16384;

/// So many triangles in a cell on the average at most.
const MAX_MEAN_TRIANGLES: f64 = 32.0;

/// Cells are at least so many units in the last place of the farthest coordinate wide ...
const MIN_WIDTH_IN_ROUNDINGS: f64 = 10_000.0;

/// ... and so wide at all, so that one over it is a number.
const MIN_WIDTH: f64 = 1e-290;

/// Entries and cells are numbered in 32 bits, boundary cells in 30; the estimates of how many there are
/// may be wrong by half.
const MAX_ENTRIES: f64 = 2e9;
const MAX_CELLS: f64 = 2e9;
const MAX_BOUNDARY_CELLS: f64 = 5e8;

/// So many triangles are measured to know all.
const SAMPLE_SIZE: usize = 2048;

/// So many triangles are taken by a thread at once.
const TRIANGLES_PER_TASK: usize = 1 << 14;

/// Multiples of it look random.
const HASH_MULTIPLIER: usize = 0x9e37_79b1;

/// The grid around a surface that makes building it and asking for so many points cheapest.
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

/// So many bytes all grids together may use.
pub(super) fn max_bytes(surface: &TriangleMesh) -> usize {
    BASE_BYTES + MAX_BYTES_PER_TRIANGLE * surface.triangles().len()
}

/// What a surface is like.
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
            // Anywhere among the next ones, as triangles may come in turns of large and small.
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

    /// Nanoseconds that building and so many points would take, all of them in the box; infinite if it
    /// takes too much memory or more cells or triangles in cells than can be numbered.
    fn cost(&self, width: f64, points: usize) -> f64 {
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

/// The smallest box around all triangles, by all threads.
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

/// Cells of about this width around a box, with room to spare on every side.
fn grid_around(bounds: &Aabb<3>, width: f64) -> WindingCellGrid {
    // Not a simple part of the width, so that faces of cells avoid round coordinates.
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
        // A surface of small triangles all over a box, which has memory for very many cells.
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
