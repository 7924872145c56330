//! Ids of bodies, which stay the same when other bodies are inserted or removed.

use crate::state::refill;
use crate::{Error, SavedArrays};
use std::ops::Range;

/// The ids of all bodies by their numbers, ascending: given in the order of insertion, and never twice.
///
/// Bodies are numbered without gaps, so that arrays need none; the ids say which body has which number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BodyIds {
    /// Id of each body; those that were never removed are not stored while no body was.
    ids: Option<Vec<u32>>,
    /// Id of the next body to be inserted.
    next: u32,
}

impl BodyIds {
    /// Gives ids to the bodies of a start.
    pub(crate) fn new(count: usize) -> Self {
        BodyIds { ids: None, next: count as u32 }
    }

    /// Takes ids from a saved state; none where no body was removed.
    pub(crate) fn restore(ids: Vec<u32>, next: u32, count: usize) -> Result<Self, Error> {
        if ids.is_empty() && next as usize == count {
            return Ok(BodyIds::new(count));
        }
        let is_ascending = ids.windows(2).all(|pair| pair[0] < pair[1]);
        if ids.len() != count || !is_ascending || ids.last().is_some_and(|&last| last >= next) {
            return Err(Error::Saved("its ids of bodies are not ascending".to_owned()));
        }
        Ok(BodyIds { ids: Some(ids), next })
    }

    /// Returns the ids to save, none where no body was removed, and the next one.
    pub(crate) fn saved(&self) -> (Vec<u32>, u32) {
        (self.ids.clone().unwrap_or_default(), self.next)
    }

    /// Stores what [`saved`](Self::saved) returned of a number of bodies; nothing where no body was removed.
    pub(crate) fn put_saved(arrays: &mut SavedArrays, ids: &[u32], next: u32, count: usize) {
        if !ids.is_empty() || next as usize != count {
            arrays.put_u32("body_ids", [ids, &[next]].concat());
        }
    }

    /// Takes what [`put_saved`](Self::put_saved) has stored.
    pub(crate) fn take_saved(
        arrays: &mut SavedArrays,
        count: usize,
    ) -> Result<(Vec<u32>, u32), Error> {
        if arrays.get("body_ids").is_none() {
            return Ok((Vec::new(), count as u32));
        }
        let mut ids = arrays.take_u32("body_ids", count + 1)?;
        let next = ids.pop().unwrap_or_default();
        Ok((ids, next))
    }

    /// Returns the id of the body with a number.
    pub(crate) fn id(&self, number: u32) -> u32 {
        self.ids.as_ref().map_or(number, |ids| ids[number as usize])
    }

    /// Returns the ids of all bodies, by their numbers.
    pub(crate) fn all(&self) -> Vec<u32> {
        self.ids.clone().unwrap_or_else(|| (0..self.next).collect())
    }

    /// Replaces the ids in an array by those of all bodies, in the memory that it has.
    pub(crate) fn write(&self, array: &mut Vec<u32>) {
        match &self.ids {
            Some(ids) => refill(array, ids.iter().copied()),
            None => refill(array, 0..self.next),
        }
    }

    /// Returns the number of the body with an id; errors if there is none.
    pub(crate) fn number(&self, id: u32) -> Result<u32, Error> {
        let number = match &self.ids {
            None => Some(id).filter(|&id| id < self.next),
            Some(ids) => ids.binary_search(&id).ok().map(|number| number as u32),
        };
        number.ok_or_else(|| Error::Setting {
            what: "the id of a body",
            value: id.to_string(),
            rule: "there is no body with this id",
        })
    }

    /// Gives ids to bodies that are inserted at the end.
    pub(crate) fn insert(&mut self, count: usize) -> Range<u32> {
        let new = self.next..self.next + count as u32;
        self.next = new.end;
        if let Some(ids) = &mut self.ids {
            ids.extend(new.clone());
        }
        new
    }

    /// Returns for each number whether its body is not among those with these ids. Errors if one does not exist or is
    /// named twice.
    pub(crate) fn kept(&self, removed: &[u32]) -> Result<Vec<bool>, Error> {
        let count = self.ids.as_ref().map_or(self.next as usize, Vec::len);
        let mut kept = vec![true; count];
        for &id in removed {
            let number = self.number(id)? as usize;
            if !std::mem::replace(&mut kept[number], false) {
                let rule = "a body can be removed only once";
                let value = id.to_string();
                return Err(Error::Setting { what: "the id of a body", value, rule });
            }
        }
        Ok(kept)
    }

    /// Removes the ids of bodies that are not kept.
    pub(crate) fn retain(&mut self, kept: &[bool]) {
        let ids = self.all();
        self.ids = Some(retained(&ids, kept));
    }
}

/// Returns the entries that are kept.
pub(crate) fn retained<T: Clone>(all: &[T], kept: &[bool]) -> Vec<T> {
    all.iter().zip(kept).filter(|(_, kept)| **kept).map(|(one, _)| one.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_stay_with_their_bodies() {
        let mut ids = BodyIds::new(4);
        let kept = ids.kept(&[1, 2]).unwrap();
        ids.retain(&kept);
        assert_eq!(ids.insert(2), 4..6);
        assert_eq!(ids.all(), [0, 3, 4, 5]);
        assert_eq!((ids.number(3).unwrap(), ids.id(3)), (1, 5));
        let (saved, next) = ids.saved();
        assert_eq!(BodyIds::restore(saved, next, 4).unwrap(), ids);
    }

    #[test]
    fn unknown_and_repeated_ids_are_refused() {
        let mut ids = BodyIds::new(3);
        let sentence = ids.kept(&[7]).unwrap_err().to_string();
        assert_eq!(sentence, "the id of a body is 7; there is no body with this id");
        assert!(ids.kept(&[1, 1]).unwrap_err().to_string().contains("only once"));
        let kept = ids.kept(&[1]).unwrap();
        ids.retain(&kept);
        assert!(ids.number(1).is_err(), "it is not given again");
        for (wrong, next) in [(vec![2, 0], 3), (vec![0], 3), (vec![0, 9], 3), (vec![], 9)] {
            assert!(BodyIds::restore(wrong, next, 2).is_err());
        }
    }
}
