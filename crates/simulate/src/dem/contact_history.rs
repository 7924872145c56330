//! Contact history, for bodies that continue in another simulation.

use super::neighbor_list::{ContactHistoryEntry, ContactHistoryTable};
use super::wall::WallHistoryEntry;
use crate::Error;
use carom_geometry::Vector;

/// Tangential displacements of the contacts of an earlier simulation, by the present numbers of its bodies.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactHistory {
    /// Contacts of two bodies: both numbers, the smaller first, and the contact key, with the tangential
    /// displacement of the first body relative to the second.
    pub pairs: Vec<([u32; 3], Vector<3>)>,
    /// Contacts with walls: the numbers of the body, of the wall (lower 16 bits, with the sphere of a clump in
    /// the upper ones) and of its triangle, with the tangential displacement of the body.
    pub walls: Vec<([u32; 3], Vector<3>)>,
}

impl ContactHistory {
    /// Returns the history sorted by key; errors if it names bodies or walls that do not exist.
    pub(super) fn to_table(
        &self,
        bodies: usize,
        walls: usize,
    ) -> Result<ContactHistoryTable, Error> {
        let pair = |key: &[u32; 3]| key[0] < key[1] && (key[1] as usize) < bodies;
        let wall = |key: &[u32; 3]| {
            // The upper 16 bits are the sphere of a clump.
            (key[0] as usize) < bodies && usize::from(key[1] as u16) < walls
        };
        let finite = |memory: &Vector<3>| memory.iter().all(|number| number.is_finite());
        if !self.pairs.iter().all(|(key, memory)| pair(key) && finite(memory))
            || !self.walls.iter().all(|(key, memory)| wall(key) && finite(memory))
        {
            return Err(Error::Saved("its contacts are not those of its bodies".to_owned()));
        }
        let mut pairs: Vec<ContactHistoryEntry> = (self.pairs.iter())
            .map(|&([first, second, contact_key], tangential_displacement)| ContactHistoryEntry {
                bodies: [first, second],
                contact_key,
                tangential_displacement,
            })
            .collect();
        let mut walls: Vec<WallHistoryEntry> = self
            .walls
            .iter()
            .map(|&(contact_key, tangential_displacement)| WallHistoryEntry {
                contact_key,
                tangential_displacement,
            })
            .collect();
        pairs.sort_by_key(|one| (one.bodies, one.contact_key));
        walls.sort_by_key(|one| one.contact_key);
        Ok(ContactHistoryTable { pairs, walls })
    }
}
