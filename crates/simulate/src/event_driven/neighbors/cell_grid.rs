//! Kinetic cell list with all cells in an array: the regular spatial subdivision of Gavrilova and Rokne, section 3.2.

use super::kinetic_cells::{CellStore, KineticCells, NONE};
use crate::event_driven::huge_pages::advise_huge_pages;
use crate::event_driven::prefetch::prefetch;

/// An array of all cells.
#[derive(Debug, Default)]
pub struct CellArray {
    blocks: Vec<CellBlock>,
}

/// Adjacent cells in one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct CellBlock([u32; CELLS_PER_BLOCK as usize]);

const CELLS_PER_BLOCK: u32 = 16;

impl CellStore for CellArray {
    const DIRECT: bool = true;
    fn clear(&mut self, cells: usize) {
        self.blocks.clear();
        let blocks = cells.div_ceil(CELLS_PER_BLOCK as usize);
        self.blocks.resize(blocks, CellBlock([NONE; CELLS_PER_BLOCK as usize]));
    }
    #[inline]
    fn first(&self, cell: u32) -> u32 {
        self.blocks[(cell / CELLS_PER_BLOCK) as usize].0[(cell % CELLS_PER_BLOCK) as usize]
    }
    #[inline]
    fn set_first(&mut self, cell: u32, body: u32) {
        let block = &mut self.blocks[(cell / CELLS_PER_BLOCK) as usize];
        block.0[(cell % CELLS_PER_BLOCK) as usize] = body;
    }
    #[inline]
    fn prefetch(&self, cell: u32) {
        prefetch(&self.blocks, (cell / CELLS_PER_BLOCK) as usize);
    }
    fn advise_huge_pages(&self) {
        advise_huge_pages(&self.blocks);
    }
    fn max_cells(bodies: usize) -> usize {
        (CELLS_PER_BODY * bodies + MIN_CELLS).min(u32::MAX as usize)
    }
    fn check(&self) -> Result<(), String> {
        Ok(())
    }
    fn memory(&self) -> usize {
        self.blocks.capacity() * size_of::<CellBlock>()
    }
}

/// Largest number of cells per body: empty cells cost memory, and a body in a wide box crosses many of
/// them to no purpose.
const CELLS_PER_BODY: usize = 16;
/// Number of cells that is always allowed, so that every box may have the minimum on each axis.
const MIN_CELLS: usize = 1000;

/// Kinetic cell list with all cells in an array.
pub type KineticCellGrid<const D: usize> = KineticCells<D, CellArray>;
