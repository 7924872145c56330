//! Linked lists of the spheres in each cell, for the broad phases by cells.

use super::{SphereSystem, TaskCandidates};
use crate::BodyPair;
use crate::narrow::may_touch;

/// Spheres by cell as linked lists: the first sphere of each cell, and for each sphere the next one.
#[derive(Debug, Default)]
pub(super) struct CellLists {
    head: Vec<u32>,
    next: Vec<u32>,
}

/// End of a list.
const NONE: u32 = u32::MAX;

impl CellLists {
    /// Removes all spheres and makes `cells` empty cells.
    pub fn reset(&mut self, cells: usize) {
        self.head.clear();
        self.head.resize(cells, NONE);
        self.next.clear();
    }

    pub fn cells(&self) -> usize {
        self.head.len()
    }

    pub fn add_cell(&mut self) {
        self.head.push(NONE);
    }

    /// Puts the next sphere, in the order of the input, at the head of the list of `cell`.
    pub fn push(&mut self, cell: usize) {
        let id = self.next.len() as u32;
        self.next.push(std::mem::replace(&mut self.head[cell], id));
    }

    fn list(&self, mut id: u32) -> impl Iterator<Item = u32> {
        std::iter::from_fn(move || {
            let current = id;
            (current != NONE).then(|| {
                id = self.next[current as usize];
                current
            })
        })
    }

    /// Compares the spheres of a cell with each other and with those of the given neighbor cells.
    #[inline(always)]
    pub fn search<const D: usize>(
        &self,
        system: &SphereSystem<'_, D>,
        cell: usize,
        neighbors: impl Iterator<Item = usize>,
        found: &mut TaskCandidates,
    ) {
        let first = self.head[cell];
        if first == NONE {
            return;
        }
        let spheres = system.spheres();
        let mut compare_with_list = |id: u32, list: u32| {
            for other in self.list(list) {
                found.tests += 1;
                if may_touch(&spheres[id as usize], &spheres[other as usize], system.boundary()) {
                    found.pairs.push(BodyPair::new(id, other));
                }
            }
        };
        // Within the cell each sphere meets only those behind it in the list, so each pair comes once.
        for id in self.list(first) {
            compare_with_list(id, self.next[id as usize]);
        }
        // Half of the neighboring cells: the other half finds this cell among its own.
        for others in neighbors.map(|neighbor| self.head[neighbor]).filter(|&id| id != NONE) {
            for id in self.list(first) {
                compare_with_list(id, others);
            }
        }
    }

    pub fn memory(&self) -> usize {
        4 * (self.head.capacity() + self.next.capacity())
    }

    /// Verifies that each of `count` spheres is in one list, that of the cell `cell_of` gives it.
    pub fn check(
        &self,
        count: usize,
        cell_of: impl Fn(usize) -> Option<usize>,
    ) -> Result<(), String> {
        let mut seen = 0;
        for (cell, &head) in self.head.iter().enumerate() {
            for id in self.list(head) {
                seen += 1;
                if cell_of(id as usize) != Some(cell) {
                    return Err(format!("sphere {id} is in cell {cell}, where it does not belong"));
                }
            }
        }
        match seen == count {
            true => Ok(()),
            false => Err(format!("{seen} of {count} spheres are in cells")),
        }
    }
}
