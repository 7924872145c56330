//! What contacts remember, for bodies that go on in another simulation.

use super::neighbor_list::{ContactHistoryEntry, ContactHistoryTable};
use super::wall::WallHistoryEntry;
use crate::Error;
use carom_geometry::Vector;

/// What contacts remember of an earlier simulation, by the numbers that its bodies have now.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactHistory {
    /// Contacts of bodies by their numbers, the smaller first, and the number of the contact, with how far each was
    /// displaced across its normal: the first body relative to the second.
    pub pairs: Vec<([u32; 3], Vector<3>)>,
    /// Bodies that touch walls: the numbers of the body, of the wall (with that of the sphere of a clump above its
    /// lower 16 bits) and of its triangle, with the same.
    pub walls: Vec<([u32; 3], Vector<3>)>,
}

impl ContactHistory {
    /// All of it in order; an error if it names more bodies or walls.
    pub(super) fn to_table(
        &self,
        bodies: usize,
        walls: usize,
    ) -> Result<ContactHistoryTable, Error> {
        let pair = |key: &[u32; 3]| key[0] < key[1] && (key[1] as usize) < bodies;
        let wall = |key: &[u32; 3]| {
            // Above the number of the wall stands that of a sphere of a clump.
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
