//! The contact history of a simulation, for its continuation in another one.

use super::contact_law::LawHistory;
use super::neighbor_list::{ContactHistoryEntry, ContactHistoryTable};
use super::wall::WallHistoryEntry;
use crate::Error;
use carom_geometry::Vector;

/// Histories of all contacts of a simulation, by the numbers of its bodies; with the built-in law the tangential
/// displacements.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactHistory<H = Vector<3>> {
    /// Contacts of two bodies: both numbers, the smaller first, and the contact key, with the history of the first body
    /// relative to the second.
    pub pairs: Vec<([u32; 3], H)>,
    /// Contacts with walls: the numbers of the body, of the wall (lower 16 bits, with the sphere of a clump in
    /// the upper ones) and of its triangle, with the history of the body.
    pub walls: Vec<([u32; 3], H)>,
}

impl<H> Default for ContactHistory<H> {
    fn default() -> Self {
        ContactHistory { pairs: Vec::new(), walls: Vec::new() }
    }
}

impl<H: LawHistory> ContactHistory<H> {
    /// Returns the history sorted by key; errors if it names bodies or walls that do not exist.
    pub(super) fn to_table(
        &self,
        bodies: usize,
        walls: usize,
    ) -> Result<ContactHistoryTable<H>, Error> {
        let pair = |key: &[u32; 3]| key[0] < key[1] && (key[1] as usize) < bodies;
        let wall = |key: &[u32; 3]| {
            // The upper 16 bits are the sphere of a clump.
            (key[0] as usize) < bodies && usize::from(key[1] as u16) < walls
        };
        let finite = |history: &H| {
            let mut numbers = Vec::with_capacity(H::NUMBERS);
            history.save(&mut numbers);
            numbers.iter().all(|number| number.is_finite())
        };
        if !self.pairs.iter().all(|(key, history)| pair(key) && finite(history))
            || !self.walls.iter().all(|(key, history)| wall(key) && finite(history))
        {
            return Err(Error::Saved("its contacts are not those of its bodies".to_owned()));
        }
        let mut pairs: Vec<ContactHistoryEntry<H>> = (self.pairs.iter())
            .map(|&([first, second, contact_key], history)| ContactHistoryEntry {
                bodies: [first, second],
                contact_key,
                history,
            })
            .collect();
        let mut walls: Vec<WallHistoryEntry<H>> = (self.walls.iter())
            .map(|&(contact_key, history)| WallHistoryEntry { contact_key, history })
            .collect();
        pairs.sort_by_key(|one| (one.bodies, one.contact_key));
        walls.sort_by_key(|one| one.contact_key);
        Ok(ContactHistoryTable { pairs, walls })
    }
}
