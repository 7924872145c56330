//! The kinetic cell list whose occupied cells are in a tree.

use super::kinetic_cells::{CellStore, KineticCells, NONE};
use carom_detect::broad::AvlTree;

/// The occupied cells alone, in a balanced tree ordered by their indices: the lexicographic order of
/// their coordinates, the last axis first.
///
/// The regular spatial tree of Gavrilova and Rokne, section 3.3. Memory grows with the number of bodies
/// and not with the volume of the box; each lookup of a cell costs log N steps instead of one.
#[derive(Debug, Default)]
pub struct OccupiedCells {
    cells: AvlTree<u32>,
    /// First body of the cell at each node of the tree.
    firsts: Vec<u32>,
}

/// Kinetic cell list with the occupied cells in a balanced tree.
pub type KineticCellTree<const D: usize> = KineticCells<D, OccupiedCells>;

impl CellStore for OccupiedCells {
    const DIRECT: bool = false;

    fn clear(&mut self, _cells: usize) {
        self.cells.clear();
        self.firsts.clear();
    }

    #[inline]
    fn first(&self, cell: u32) -> u32 {
        self.cells.find(&cell).map_or(NONE, |place| self.firsts[place as usize])
    }

    fn set_first(&mut self, cell: u32, body: u32) {
        if body == NONE {
            self.cells.remove(&cell);
            return;
        }
        let place = self.cells.insert(cell) as usize;
        if place == self.firsts.len() {
            self.firsts.push(body);
        }
        self.firsts[place] = body;
    }

    /// Empty cells cost nothing; only their indices must fit into 32 bits.
    fn max_cells(_bodies: usize) -> usize {
        u32::MAX as usize
    }

    fn check(&self) -> Result<(), String> {
        self.cells.check()
    }

    fn memory(&self) -> usize {
        self.cells.memory() + self.firsts.capacity() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_occupied_cells_are_kept() {
        let mut store = OccupiedCells::default();
        store.clear(4_000_000_000);
        for round in 0..3 {
            for body in 0..100 {
                assert_eq!(store.first(body * 39_999_999), NONE);
                store.set_first(body * 39_999_999, body + round);
            }
            assert_eq!(store.first(7 * 39_999_999), 7 + round);
            assert_eq!(store.first(8), NONE);
            store.check().unwrap();
            (0..100).for_each(|body| store.set_first(body * 39_999_999, NONE));
        }
        assert!(store.cells.is_empty());
        assert_eq!(store.firsts.len(), 100);
    }
}
