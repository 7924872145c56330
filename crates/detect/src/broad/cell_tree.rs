//! Cell tree: the non-empty cells of a regular lattice in a balanced ordered tree, the "regular
//! spatial tree" of Gavrilova and Rokne (paper 000, section 3.3).
//!
//! Cells are as wide as the largest sphere. Only occupied ones take memory, so take it for a box that is
//! mostly empty or holds clumps; in return each lookup of a cell takes O(log N) comparisons.

use super::avl_tree::AvlTree;
use super::cell_lattice::{CellLattice, minimum_cell_width};
use super::cell_lists::CellLists;
use super::{BroadPhase, Candidates, SphereSystem};

/// The tree of occupied cells as a broad phase; see the [module](self).
///
/// ```
/// use carom_detect::{BodyPair, ContactSearch, broad::CellTree};
/// use carom_geometry::{Boundary, Sphere};
/// // Two pairs, a million radii apart: only occupied cells take memory.
/// let spheres = [0.0, 1.5, 1e6, 1e6 + 1.5].map(|x| Sphere::new([x, x, x], 1.5));
/// let mut search = ContactSearch::with(CellTree::new());
/// let contacts = search.find(&spheres, &Boundary::open())?;
/// let pairs: Vec<BodyPair> = contacts.iter().map(|contact| contact.pair).collect();
/// assert_eq!(pairs, [BodyPair::new(0, 1), BodyPair::new(2, 3)]);
/// # Ok::<(), carom_detect::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct CellTree<const D: usize> {
    lattice: Option<CellLattice<D>>,
    offsets: Vec<[i64; D]>,
    tree: AvlTree<[i64; D]>,
    /// The spheres of each cell, by the cell's slot in the tree.
    lists: CellLists,
}

impl<const D: usize> CellTree<D> {
    /// Makes an empty structure; buffers grow with the first search.
    pub fn new() -> Self {
        Self::default()
    }

    fn build(&mut self, system: &SphereSystem<'_, D>) -> CellLattice<D> {
        let lattice = CellLattice::new(system, minimum_cell_width(system));
        lattice.half_stencil(&mut self.offsets);
        self.tree.clear();
        self.lists.reset(0);
        for sphere in system.spheres() {
            let place = self.tree.insert(lattice.cell(sphere, system.boundary())) as usize;
            // Nothing is removed between two builds, so a new cell always takes the next slot.
            if place == self.lists.cells() {
                self.lists.add_cell();
            }
            self.lists.push(place);
        }
        *self.lattice.insert(lattice)
    }
}

impl<const D: usize> BroadPhase<D> for CellTree<D> {
    fn find_candidates(&mut self, system: &SphereSystem<'_, D>, candidates: &mut Candidates) {
        if system.spheres().is_empty() {
            self.lattice = None;
            return candidates.collect(0, |_, _| ());
        }
        let lattice = self.build(system);
        candidates.collect(self.tree.len(), |range, found| {
            for place in range {
                let cell = self.tree.key(place as u32);
                let neighbors = self.offsets.iter().filter_map(|offset| {
                    let neighbor = lattice.neighbor(cell, offset)?;
                    self.tree.find(&neighbor).map(|place| place as usize)
                });
                self.lists.search(system, place, neighbors, found);
            }
        });
    }

    fn memory(&self) -> usize {
        self.lists.memory() + self.tree.memory()
    }

    /// Verifies that the tree is ordered and balanced and every sphere is in the list of its cell.
    fn check(&self, system: &SphereSystem<'_, D>) -> Result<(), String> {
        let Some(lattice) = &self.lattice else { return Ok(()) };
        self.tree.check()?;
        self.lists.check(system.spheres().len(), |id| {
            let cell = lattice.cell(&system.spheres()[id], system.boundary());
            self.tree.find(&cell).map(|place| place as usize)
        })
    }

    fn describe(&self) -> String {
        format!("{} occupied cells, tree of height {}", self.tree.len(), self.tree.height())
    }
}
