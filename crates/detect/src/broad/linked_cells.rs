//! Linked cells, the cell list of the textbooks (Allen and Tildesley), and the linked cell method (LCM)
//! that paper 002 compares with.
//!
//! Each cell of a regular lattice holds the head of a linked list of its spheres. Fast for spheres of
//! similar size that fill their box. The memory grows with the box; a single large sphere makes all
//! cells large, and the cost grows with the square of the spheres per cell.

use super::cell_lattice::{CellLattice, minimum_cell_width};
use super::cell_lists::CellLists;
use super::cell_width::cell_width;
use super::{BroadPhase, Candidates, SphereSystem};

/// Width of the cells of a cell list.
///
/// ```
/// use carom_detect::{BroadPhaseMethod, ContactSearch, broad::CellSize};
/// use carom_geometry::{Boundary, Sphere};
/// let row: Vec<_> = (0..99).map(|k| Sphere::new([f64::from(k), 0.0], 0.6)).collect();
/// for size in [CellSize::LargestDiameter, CellSize::MeanNumber(5.0)] {
///     let mut search = ContactSearch::new(BroadPhaseMethod::LinkedCells(size));
///     assert_eq!(search.find(&row, &Boundary::open())?.len(), 98);
/// }
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum CellSize {
    /// The diameter of the largest sphere or more, so that only adjacent cells are searched.
    #[default]
    LargestDiameter,
    /// The width with which a cell holds this number of spheres on average (paper 002: LCM 1, LCM 5, LCM 10). If cells are
    /// narrower than the largest diameter, several layers of neighboring cells are searched.
    MeanNumber(f64),
}

/// The cell list as a broad phase; see the [module](self).
#[derive(Debug, Default)]
pub struct LinkedCells<const D: usize> {
    size: CellSize,
    lattice: Option<CellLattice<D>>,
    offsets: Vec<[i64; D]>,
    lists: CellLists,
}

/// More cells than this per sphere would cost more memory than they save time.
const MAX_CELLS_PER_SPHERE: f64 = 32.0;

impl<const D: usize> LinkedCells<D> {
    /// Makes an empty structure with cells of the given size.
    pub fn new(size: CellSize) -> Self {
        LinkedCells { size, ..Default::default() }
    }

    fn width(&self, system: &SphereSystem<'_, D>) -> f64 {
        let count = system.spheres().len() as f64;
        let most_cells = count * MAX_CELLS_PER_SPHERE;
        let reach = minimum_cell_width(system);
        match self.size {
            CellSize::LargestDiameter => reach.max(width_for_cell_count(system, most_cells)),
            CellSize::MeanNumber(mean) => {
                let width = width_for_cell_count(system, most_cells.min(count / mean));
                // Cells slightly narrower than the largest diameter would need two layers of neighbors
                // along each axis instead of one.
                if width < reach && reach < 1.1 * width { reach } else { width }
            }
        }
    }

    fn build(&mut self, system: &SphereSystem<'_, D>) -> CellLattice<D> {
        let lattice = CellLattice::new(system, self.width(system));
        lattice.half_stencil(&mut self.offsets);
        self.lists.reset(lattice.cells.iter().product::<i64>() as usize);
        // In the order of the input: the lists number spheres by the order of insertion.
        for sphere in system.spheres() {
            self.lists.push(cell_index(&lattice, &lattice.cell(sphere, system.boundary())));
        }
        *self.lattice.insert(lattice)
    }
}

impl<const D: usize> BroadPhase<D> for LinkedCells<D> {
    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        if system.spheres().is_empty() {
            self.lattice = None;
            return candidates.collect(0, |_, _| ());
        }
        let lattice = self.build(system);
        candidates.collect(self.lists.cells(), |range, found| {
            for cell in range {
                let place = cell_coordinates(&lattice, cell);
                let neighbors = self.offsets.iter().filter_map(|offset| {
                    lattice.neighbor(&place, offset).map(|cell| cell_index(&lattice, &cell))
                });
                self.lists.search(system, cell, neighbors, found);
            }
        });
    }

    fn memory(&self) -> usize {
        self.lists.memory()
    }

    /// Verifies that every sphere is in the list of its own cell and in no other.
    fn check(&self, system: &SphereSystem<'_, D>) -> Result<(), String> {
        let Some(lattice) = &self.lattice else { return Ok(()) };
        self.lists.check(system.spheres().len(), |id| {
            Some(cell_index(lattice, &lattice.cell(&system.spheres()[id], system.boundary())))
        })
    }

    fn describe(&self) -> String {
        let Some(lattice) = &self.lattice else { return "no cells".into() };
        let cells: Vec<_> = lattice.cells.iter().map(i64::to_string).collect();
        format!("cells {}", cells.join("x"))
    }
}

/// Returns the width of cubic cells of which about `cells` fill the region: a whole number of them along
/// its longest side, so that a mean of 204 among 10000 discs means 7x7 cells.
fn width_for_cell_count<const D: usize>(system: &SphereSystem<'_, D>, cells: f64) -> f64 {
    let size = system.region().size();
    let width = cell_width(size.as_slice(), cells);
    if width > 0.0 { size.max() / (size.max() / width).round() } else { 1.0 }
}

fn cell_index<const D: usize>(lattice: &CellLattice<D>, cell: &[i64; D]) -> usize {
    (0..D).rev().fold(0, |number, axis| number * lattice.cells[axis] as usize + cell[axis] as usize)
}

fn cell_coordinates<const D: usize>(lattice: &CellLattice<D>, mut number: usize) -> [i64; D] {
    std::array::from_fn(|axis| {
        let cells = lattice.cells[axis] as usize;
        let coordinate = number % cells;
        number /= cells;
        coordinate as i64
    })
}
