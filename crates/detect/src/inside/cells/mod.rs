//! Cells that carry their answer.
//!
//! The winding number is constant where there is no surface, so a cell without triangles carries
//! it, and most points cost one look into a table. A cell with triangles carries a reference: a
//! point with a known winding number. A point in such a cell counts the crossings of the segment to
//! that reference, against the few triangles of this cell only, exactly (`crossing.rs`).
//!
//! A grid covers the surface; a cell of it with many triangles is divided again, so that detail may
//! be as uneven as it likes. Triangles belong to every cell that they come closer to than a margin
//! which is wider than any rounding of a coordinate into a cell's number: a point taken for a
//! neighbour cell's by rounding is still answered right.
//!
//! Cost: building visits every triangle once per cell it meets, some hundred nanoseconds a
//! triangle; a point takes 10 ns in an empty cell, a few hundred in one with triangles.

// To do: a long sliver is put into every cell that its plane cuts within its box, which takes much
// memory for bundles of them; cells are divided by how many triangles the fullest part would get, so
// that detail concentrated in one part is not divided further, and nothing bounds the entries
// altogether (sums are of 32 bits); margins of deep grids should not halve from grid to grid.
mod bin;
mod grid;
mod label;
mod size;

use super::crossing::crossings;
use super::side::each_side;
use super::wide::{Job, run_widest};
use super::{InsideTest, Rule, Side};
use bin::Bins;
use carom_geometry::Vector;
use carom_geometry::mesh::TriangleMesh;
use grid::Grid;
use label::{Known, Labelling};

/// A surface in cells that carry their answer where no surface is, and few triangles elsewhere.
#[derive(Clone, Debug)]
pub struct Cells {
    rule: Rule,
    surface: TriangleMesh,
    /// The grid of all, then grids within cells.
    grids: Vec<Grid>,
    /// What is in each cell of each grid.
    contents: Vec<Content>,
    /// All cells with triangles; after those of each grid, one where the triangles end.
    boundary: Vec<BoundaryCell>,
    /// The triangles of all boundary cells.
    entries: Vec<u32>,
}

/// What is in a cell: no surface, and a winding number; triangles, and the number of a boundary cell;
/// or the number of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Content(u32);

impl Content {
    const BOUNDARY: u32 = 1 << 31;
    const DIVIDED: u32 = 1 << 30;
    /// The winding number 0; there are fewer triangles than 2^29 round any place.
    const ZERO: u32 = 1 << 29;

    fn empty(winding: i32) -> Self {
        Content(Self::ZERO.wrapping_add_signed(winding))
    }

    fn boundary(number: u32) -> Self {
        Content(number | Self::BOUNDARY)
    }

    fn divided(grid: u32) -> Self {
        Content(grid | Self::DIVIDED)
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.0 < Self::DIVIDED
    }

    #[inline]
    fn is_divided(self) -> bool {
        self.0 & (Self::DIVIDED | Self::BOUNDARY) == Self::DIVIDED
    }

    /// The winding number of an empty cell.
    #[inline]
    fn winding(self) -> i32 {
        self.0.wrapping_sub(Self::ZERO) as i32
    }

    /// The number of a boundary cell or of a grid.
    #[inline]
    fn number(self) -> usize {
        (self.0 & !(Self::BOUNDARY | Self::DIVIDED)) as usize
    }
}

/// A cell with triangles.
#[derive(Clone, Copy, Debug)]
struct BoundaryCell {
    /// A point in or at the cell, off the surface.
    reference: Vector<3>,
    /// Its winding number.
    winding: i32,
    /// Its first entry; the last is before the first of the next cell.
    first: u32,
}

/// A cell is divided if it has more triangles than this ...
const MANY: usize = 128;

/// ... into so many along each axis ...
const DIVISIONS: u32 = 4;

/// ... unless the triangles meet at one place, so that one part would have nearly all of them.
const NEARLY_ALL: f64 = 0.8;

/// So many points near the surface are looked up together.
const NEAR_AT_ONCE: usize = 16;

impl Cells {
    /// Prepares a surface for about so many points.
    ///
    /// ```
    /// use carom_detect::inside::{Cells, InsideTest, Rule, Side};
    /// use carom_geometry::{Vector, mesh::{TriangleMesh, convex_hull}};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(Vector::from);
    /// let mesh = TriangleMesh::from_polygons(&convex_hull(&corners)?)?;
    /// let cells = Cells::new(mesh, Rule::Parity, 1000);
    /// assert_eq!(cells.side(&Vector::from([0.1, 0.2, 0.3])), Side::Inside);
    /// assert_eq!(cells.side(&Vector::from([0.5, 0.5, 0.0])), Side::Surface);
    /// assert_eq!(cells.side(&Vector::from([0.5, 0.5, 1e-15])), Side::Outside);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(surface: TriangleMesh, rule: Rule, points: usize) -> Self {
        let grid = size::grid(&surface, points);
        Self::with_grid(surface, rule, grid)
    }

    fn with_grid(surface: TriangleMesh, rule: Rule, grid: Grid) -> Self {
        let mut cells = Cells {
            rule,
            surface,
            grids: Vec::new(),
            contents: Vec::new(),
            boundary: Vec::new(),
            entries: Vec::new(),
        };
        let all: Vec<u32> = (0..cells.surface.triangles().len() as u32).collect();
        let bins = Bins::of(&cells.surface, &all, &grid);
        // Nothing of the surface comes near the lowest corner of the grid around it.
        cells.add(grid, bins, Known { place: grid.low(), winding: 0 });
        cells.divide();
        cells.boundary.shrink_to_fit();
        cells.entries.shrink_to_fit();
        cells
    }

    /// Adds a grid, from what is known of its lowest cell.
    fn add(&mut self, mut grid: Grid, bins: Bins, start: Known) {
        grid.first = self.contents.len();
        let first_entry = self.entries.len() as u32;
        let contents = Labelling {
            surface: &self.surface,
            grid: &grid,
            bins: &bins,
            boundary: &mut self.boundary,
            first_entry,
        }
        .contents(start);
        let end = first_entry + bins.triangles.len() as u32;
        self.boundary.push(BoundaryCell { reference: Vector::zeros(), winding: 0, first: end });
        if self.grids.is_empty() {
            (self.contents, self.entries) = (contents, bins.triangles);
        } else {
            self.contents.extend(contents);
            self.entries.extend(bins.triangles);
        }
        self.grids.push(grid);
    }

    /// Divides cells with many triangles, also those that come of it.
    fn divide(&mut self) {
        let mut number = 0;
        while let Some(&grid) = self.grids.get(number) {
            let contents = grid.first..grid.first + grid.len();
            for (place, cell) in contents.enumerate() {
                let content = self.contents[cell];
                if !content.is_empty() && self.entries_of(content.number()).len() > MANY {
                    self.divide_cell(&grid, place);
                }
            }
            number += 1;
        }
    }

    fn divide_cell(&mut self, grid: &Grid, cell: usize) {
        let content = &mut self.contents[grid.first + cell];
        let BoundaryCell { reference, winding, .. } = self.boundary[content.number()];
        let Some(parts) = grid.within(cell, DIVISIONS) else { return };
        let triangles = self.entries_of(self.contents[grid.first + cell].number()).to_vec();
        let bins = Bins::of(&self.surface, &triangles, &parts);
        let most = (0..parts.len()).map(|part| bins.of_cell(part).len()).max().unwrap_or(0);
        if most as f64 >= NEARLY_ALL * triangles.len() as f64 {
            return;
        }
        let from = Known { place: reference, winding };
        let start = label::start_of(&self.surface, &parts, &triangles, from);
        self.contents[grid.first + cell] = Content::divided(self.grids.len() as u32);
        self.add(parts, bins, start);
    }

    #[inline]
    fn entries_of(&self, boundary: usize) -> &[u32] {
        let [first, end] = [boundary, boundary + 1].map(|k| self.boundary[k].first as usize);
        &self.entries[first..end]
    }

    /// What is in the cell of a point, after all divisions; never divided.
    #[inline(always)]
    fn content(&self, point: &Vector<3>) -> Content {
        let Some(cell) = self.grids[0].cell(point) else { return Content::empty(0) };
        let mut content = self.contents[cell];
        while content.is_divided() {
            let grid = &self.grids[content.number()];
            content = self.contents[grid.first + grid.nearest_cell(point)];
        }
        content
    }

    #[inline(always)]
    fn some_sides(&self, points: &[Vector<3>], sides: &mut [Side]) {
        let mut near = Vec::new();
        for (k, (point, side)) in points.iter().zip(&mut *sides).enumerate() {
            let content = self.content(point);
            if content.is_empty() {
                *side = self.rule.side(content.winding());
            } else {
                near.push((content.number() as u64) << 32 | k as u64);
            }
        }
        // Boundary cells lie in memory as in space; points in random order would fetch each anew.
        near.sort_unstable();
        let mut corners = Vec::new();
        for block in near.chunks(NEAR_AT_ONCE) {
            self.near_sides(block, points, sides, &mut corners);
        }
    }

    /// The sides of points near the surface, each given by its boundary cell and its own number.
    ///
    /// What is needed of memory is looked up step by step for all of them, so that the waits for it
    /// overlap.
    #[inline(always)]
    fn near_sides(
        &self,
        near: &[u64],
        points: &[Vector<3>],
        sides: &mut [Side],
        corners: &mut Vec<[u32; 3]>,
    ) {
        let number = |one: &u64| (one >> 32) as usize;
        corners.clear();
        for one in near {
            let triangles = self.surface.triangles();
            corners.extend(self.entries_of(number(one)).iter().map(|&t| triangles[t as usize]));
        }
        let mut rest = &corners[..];
        for one in near {
            let cell = &self.boundary[number(one)];
            let count = self.boundary[number(one) + 1].first - cell.first;
            let (here, after) = rest.split_at(count as usize);
            rest = after;
            let k = *one as u32 as usize;
            sides[k] = self.side_by_crossings(&points[k], cell, here);
        }
    }

    #[inline(always)]
    fn side_by_crossings(
        &self,
        point: &Vector<3>,
        cell: &BoundaryCell,
        triangles: &[[u32; 3]],
    ) -> Side {
        match crossings(point, &cell.reference, self.surface.vertices(), triangles) {
            Some(sum) => self.rule.side(cell.winding + sum),
            None => Side::Surface,
        }
    }
}

struct Sides<'a>(&'a Cells, &'a [Vector<3>], &'a mut [Side]);

impl Job for Sides<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        self.0.some_sides(self.1, self.2);
    }
}

impl InsideTest for Cells {
    fn side(&self, point: &Vector<3>) -> Side {
        let mut side = [Side::Outside];
        run_widest(Sides(self, &[*point], &mut side));
        side[0]
    }

    fn sides(&self, points: &[Vector<3>]) -> Vec<Side> {
        each_side(points, |points, sides| run_widest(Sides(self, points, sides)))
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.grids)
            + size_of_val(&*self.contents)
            + size_of_val(&*self.boundary)
            + size_of_val(&*self.entries)
    }
}
