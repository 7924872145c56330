//! The Verlet neighbor list: pairs that may touch until the next search, with their contact history.
//!
//! Bodies are stored along a Hilbert curve, in blocks. A pair belongs to the body that comes first, and so
//! to its block. Its force on a body of another block is deferred: it goes into a slot that the other block
//! applies later, always in the same order. So blocks may be distributed over any number of threads, and
//! sums are the same to the bit.

use super::body::{BodyArrays, PositionRadius};
use super::contact_law::LawHistory;
use super::shape::ContactShape;
use super::shaped_contact::MultiContactHistory;
use super::wall::{self, PosedWall, WallHistoryEntry, WallPair};
use carom_detect::narrow::ClosestFeatures;
use carom_detect::{BroadPhaseMethod, Contact, ContactSearch};
use carom_geometry::space_filling_curve::{CELLS_PER_AXIS, hilbert_index, indices_by_key};
use carom_geometry::{Aabb, Boundary, Sphere, Vector};
use std::ops::Range;

/// Number of bodies in a block.
pub(super) const BLOCK_SIZE: usize = 2048;

/// The second body of a pair that may touch; the first follows from the index of the pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NeighborPair {
    pub other: u32,
    /// Index of the image shift to be added to its position.
    pub image: u16,
    pub is_touching: bool,
}

/// A deferred force: the body it acts on, and the slot of the buffer it is in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DeferredForce {
    pub body: u32,
    pub slot: u32,
}

/// A block of bodies and the index ranges that belong to it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct BodyBlock {
    pub bodies: Range<usize>,
    pub pairs: Range<usize>,
    pub wall_pairs: Range<usize>,
    /// Slots for the forces of its pairs on other blocks.
    pub deferred_slots: Range<usize>,
    /// Forces of other blocks on its bodies, in the order in which they are applied.
    pub deferred_forces: Vec<DeferredForce>,
}

/// All pairs that may touch as long as no body moves by more than half the skin.
pub(super) struct VerletNeighborList<H> {
    pub blocks: Vec<BodyBlock>,
    /// End of the pairs of each body; they begin where those of the previous body end.
    pub pair_ends: Vec<u32>,
    /// The pairs, by the first body, then by the second.
    pub pairs: Vec<NeighborPair>,
    /// History of every pair, of the first body relative to the second. Apart from the pairs, because the scan for
    /// contacts does not read it.
    pub histories: Vec<H>,
    /// Closest features of every pair, which warm-start the narrow phase; empty if all bodies are spheres.
    pub warm_starts: Vec<ClosestFeatures>,
    /// Histories of all contacts of every pair, if there are clumps, which touch in several points. Otherwise it is
    /// empty and the history is in `histories`, also for pairs with a shape.
    pub multi_contact_histories: Vec<MultiContactHistory<H>>,
    pub wall_pairs: Vec<WallPair<H>>,
    /// Displacements to periodic images.
    pub image_shifts: Vec<Vector<3>>,
    /// Positions of bodies at the last search, in storage order.
    pub positions_at_search: Vec<Vector<3>>,
}

/// History of a contact, by the numbers of the bodies, the smaller first, relative to the second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ContactHistoryEntry<H> {
    pub bodies: [u32; 2],
    /// Distinguishes it from other contacts of the same bodies.
    pub contact_key: u32,
    pub history: H,
}

/// The history of all contacts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ContactHistoryTable<H> {
    /// Contacts of two bodies, ascending.
    pub pairs: Vec<ContactHistoryEntry<H>>,
    /// Contacts with walls, ascending.
    pub walls: Vec<WallHistoryEntry<H>>,
}

impl<H> Default for ContactHistoryTable<H> {
    fn default() -> Self {
        ContactHistoryTable { pairs: Vec::new(), walls: Vec::new() }
    }
}

impl<H> ContactHistoryTable<H> {
    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty() && self.walls.is_empty()
    }
}

/// Histories of all pairs, in their order.
pub(super) struct HistorySnapshot<H> {
    histories: Vec<H>,
    multi_contact_histories: Vec<MultiContactHistory<H>>,
    wall_histories: Vec<H>,
}

impl<H: LawHistory> VerletNeighborList<H> {
    pub(super) fn new() -> Self {
        VerletNeighborList {
            blocks: Vec::new(),
            pair_ends: Vec::new(),
            pairs: Vec::new(),
            histories: Vec::new(),
            warm_starts: Vec::new(),
            multi_contact_histories: Vec::new(),
            wall_pairs: Vec::new(),
            image_shifts: Vec::new(),
            positions_at_search: Vec::new(),
        }
    }

    /// Returns the contact history by the numbers of bodies.
    pub(super) fn contact_history(&self, bodies: &BodyArrays) -> ContactHistoryTable<H> {
        let mut history = ContactHistoryTable::default();
        for first in 0..bodies.len() {
            let id = bodies.ids[first];
            let pairs = self
                .pairs_of_body(first)
                .map(|number| (&self.pairs[number], self.histories[number]));
            if !self.multi_contact_histories.is_empty() {
                for number in self.pairs_of_body(first) {
                    let other = self.pairs[number].other as usize;
                    if [first, other]
                        .iter()
                        .any(|&body| bodies.rotation_states[body].shape().is_some())
                    {
                        self.push_shaped_history(bodies, first, number, &mut history.pairs);
                    }
                }
            }
            let is_single = |body: usize| {
                self.multi_contact_histories.is_empty()
                    || bodies.rotation_states[body].shape().is_none()
            };
            let single = |pair: &NeighborPair| is_single(first) && is_single(pair.other as usize);
            for (pair, held) in pairs.filter(|(pair, _)| pair.is_touching && single(pair)) {
                let other = bodies.ids[pair.other as usize];
                history.pairs.push(ContactHistoryEntry {
                    bodies: [id.min(other), id.max(other)],
                    contact_key: 0,
                    history: if id < other { held } else { held.exchanged() },
                });
            }
        }
        history.walls = wall::wall_history(&self.wall_pairs, &bodies.ids);
        history.pairs.sort_unstable_by_key(|one| (one.bodies, one.contact_key));
        history
    }

    /// Returns the present histories, to be [restored](Self::restore_histories) before the next search.
    pub(super) fn history_snapshot(&self) -> HistorySnapshot<H> {
        HistorySnapshot {
            histories: self.histories.clone(),
            multi_contact_histories: self.multi_contact_histories.clone(),
            wall_histories: self.wall_pairs.iter().map(|pair| pair.history).collect(),
        }
    }

    /// Restores the histories of pairs that touch; those of ended contacts stay empty.
    pub(super) fn restore_histories(&mut self, snapshot: &HistorySnapshot<H>) {
        let touching = (0..self.pairs.len()).filter(|&number| self.pairs[number].is_touching);
        for number in touching {
            self.histories[number] = snapshot.histories[number];
            if let Some(&held) = snapshot.multi_contact_histories.get(number) {
                self.multi_contact_histories[number] = held;
            }
        }
        let walls = self.wall_pairs.iter_mut().zip(&snapshot.wall_histories);
        walls.filter(|(pair, _)| pair.is_touching).for_each(|(pair, held)| pair.history = *held);
    }

    /// Appends the contact history of a pair with a shape.
    fn push_shaped_history(
        &self,
        bodies: &BodyArrays,
        first: usize,
        number: usize,
        all: &mut Vec<ContactHistoryEntry<H>>,
    ) {
        let ids = [bodies.ids[first], bodies.ids[self.pairs[number].other as usize]];
        for (contact_key, history) in self.multi_contact_histories[number].iter() {
            all.push(ordered_by_id(ContactHistoryEntry { bodies: ids, contact_key, history }));
        }
    }

    /// Returns the history of a contact of a pair that touches.
    pub(super) fn history(&self, number: usize, key: u32) -> H {
        match self.multi_contact_histories.get(number) {
            Some(history) => history.find(key).unwrap_or_else(H::at_start),
            None => self.histories[number],
        }
    }

    /// Returns all pairs: their bodies, and the index of the pair.
    pub(super) fn each_pair(&self) -> impl Iterator<Item = ([usize; 2], usize)> {
        let of_body = move |first: usize| {
            self.pairs_of_body(first)
                .map(move |number| ([first, self.pairs[number].other as usize], number))
        };
        (0..self.pair_ends.len()).flat_map(of_body)
    }

    /// Returns the indices of the pairs of a body.
    fn pairs_of_body(&self, body: usize) -> Range<usize> {
        let first = if body == 0 { 0 } else { self.pair_ends[body - 1] };
        first as usize..self.pair_ends[body] as usize
    }

    /// Wraps bodies into the periodic box, sorts them along the Hilbert curve and rebuilds the list.
    pub(super) fn rebuild(
        &mut self,
        bodies: &mut BodyArrays,
        boundary: &Boundary<3>,
        shapes: &[ContactShape],
        walls: &[PosedWall],
        skin: f64,
        history: &ContactHistoryTable<H>,
    ) -> Result<(), carom_detect::Error> {
        bodies.wrap_all(boundary);
        // Neighbors in space become neighbors in memory, which also keeps most pairs within one block.
        bodies.reorder(&hilbert_order(bodies));
        self.find_pairs(bodies, boundary, shapes, walls, skin, history)
    }

    /// Rebuilds the list; positions and order of bodies stay as they are.
    pub(super) fn find_pairs(
        &mut self,
        bodies: &BodyArrays,
        boundary: &Boundary<3>,
        shapes: &[ContactShape],
        walls: &[PosedWall],
        skin: f64,
        history: &ContactHistoryTable<H>,
    ) -> Result<(), carom_detect::Error> {
        self.positions_at_search.clear();
        self.positions_at_search.extend(bodies.positions.iter().map(|place| place.position));
        // Searches are rare, so what only they need is freed: this memory is not held during steps.
        // Half of the skin on each body, so that pairs with gaps up to the skin are found.
        let wider = |place: &PositionRadius| Sphere::new(place.position, place.radius + 0.5 * skin);
        let spheres: Vec<Sphere<3>> = bodies.positions.iter().map(wider).collect();
        self.image_shifts.clear();
        self.image_shifts.push(Vector::zeros());
        self.image_shifts.extend(boundary.image_shifts());
        let history_by_body = HistoryByFirstBody::new(&history.pairs, bodies.len());
        let (pairs, pair_ends, image_shifts) =
            (&mut self.pairs, &mut self.pair_ends, &self.image_shifts);
        let (histories, warm_starts, multi_contact_histories) =
            (&mut self.histories, &mut self.warm_starts, &mut self.multi_contact_histories);
        let has_clumps = shapes.iter().any(ContactShape::is_clump);
        warm_starts.clear();
        multi_contact_histories.clear();
        pairs.clear();
        histories.clear();
        pair_ends.clear();
        visit_contacts(&spheres, boundary, &mut |contact| {
            let (first, other) = (contact.pair.first() as usize, contact.pair.second() as usize);
            // Pairs come ascending by their first body; bodies without pairs are filled in here.
            pair_ends.resize(first, pairs.len() as u32);
            let separation = bodies.positions[other].position - bodies.positions[first].position;
            let shift = boundary.image_shift(separation);
            let image = image_shifts.iter().position(|image| *image == shift).unwrap_or(0) as u16;
            let ids = [bodies.ids[first], bodies.ids[other]];
            let found = history_by_body.single([ids[0].min(ids[1]), ids[0].max(ids[1])]);
            let held = found.unwrap_or_else(H::at_start);
            // Histories are kept relative to the smaller number, but storage order follows the Hilbert curve.
            histories.push(if ids[0] < ids[1] { held } else { held.exchanged() });
            pairs.push(NeighborPair {
                other: contact.pair.second(),
                image,
                is_touching: found.is_some(),
            });
            if !bodies.rotation_states.is_empty() {
                warm_starts.push(ClosestFeatures::new());
            }
            if has_clumps {
                multi_contact_histories.push(history_by_body.multi_contact_history(ids));
            }
        })?;
        pair_ends.resize(bodies.len(), pairs.len() as u32);
        shrink_to_slack(pairs);
        shrink_to_slack(histories);
        shrink_to_slack(warm_starts);
        shrink_to_slack(multi_contact_histories);
        wall::find_wall_pairs(bodies, shapes, walls, skin, &history.walls, &mut self.wall_pairs);
        self.build_blocks(bodies.len());
        Ok(())
    }

    /// Divides bodies and pairs into blocks and assigns the slots of deferred forces.
    fn build_blocks(&mut self, count: usize) {
        self.blocks.clear();
        self.blocks.resize(count.div_ceil(BLOCK_SIZE), BodyBlock::default());
        let (mut deferred, mut wall_pair) = (0, 0);
        for number in 0..self.blocks.len() {
            let bodies = BLOCK_SIZE * number..(BLOCK_SIZE * (number + 1)).min(count);
            let pairs =
                self.pairs_of_body(bodies.start).start..self.pairs_of_body(bodies.end - 1).end;
            let first = deferred;
            for pair in &self.pairs[pairs.clone()] {
                let other = pair.other as usize;
                // The second body of a pair is stored after the first: if not in this block, then in a later one.
                if other >= bodies.end {
                    let deferred_force = DeferredForce { body: pair.other, slot: deferred as u32 };
                    self.blocks[other / BLOCK_SIZE].deferred_forces.push(deferred_force);
                    deferred += 1;
                }
            }
            let wall_pairs = wall::pairs_of_bodies(&self.wall_pairs, wall_pair, bodies.end);
            wall_pair = wall_pairs.end;
            let block = &mut self.blocks[number];
            (block.bodies, block.pairs) = (bodies, pairs);
            block.wall_pairs = wall_pairs;
            block.deferred_slots = first..deferred;
        }
    }

    /// Returns the number of deferred forces in a step.
    pub(super) fn deferred_count(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.deferred_slots.end)
    }

    /// Returns the bytes held.
    pub(super) fn bytes(&self) -> usize {
        let incoming: usize =
            self.blocks.iter().map(|block| size_of_val(&*block.deferred_forces)).sum();
        incoming
            + size_of_val(&*self.pair_ends)
            + self.pairs.capacity() * size_of::<NeighborPair>()
            + self.histories.capacity() * size_of::<H>()
            + self.warm_starts.capacity() * size_of::<ClosestFeatures>()
            + self.multi_contact_histories.capacity() * size_of::<MultiContactHistory<H>>()
            + self.wall_pairs.capacity() * size_of::<WallPair<H>>()
            + self.positions_at_search.capacity() * size_of::<Vector<3>>()
    }
}

/// Visits all contacts of spheres. Not generic, so that the search is compiled with this crate.
fn visit_contacts(
    spheres: &[Sphere<3>],
    boundary: &Boundary<3>,
    visit: &mut dyn FnMut(Contact),
) -> Result<(), carom_detect::Error> {
    ContactSearch::new(BroadPhaseMethod::Auto).visit(spheres, boundary, visit)
}

/// Frees excess capacity of a list, but for a little by which it may grow at the next search.
fn shrink_to_slack<T>(list: &mut Vec<T>) {
    let enough = list.len() + list.len() / 16;
    if list.capacity() > enough + list.len() / 16 {
        list.shrink_to(enough);
    }
}

/// Returns an entry as seen by the other body. The lower half of a key is for the first body, the upper one
/// for the second.
fn swapped<H: LawHistory>(one: ContactHistoryEntry<H>) -> ContactHistoryEntry<H> {
    let [first, second] = one.bodies;
    ContactHistoryEntry {
        bodies: [second, first],
        contact_key: one.contact_key.rotate_left(16),
        history: one.history.exchanged(),
    }
}

/// Returns an entry as seen by the body with the smaller number.
fn ordered_by_id<H: LawHistory>(one: ContactHistoryEntry<H>) -> ContactHistoryEntry<H> {
    if one.bodies[0] < one.bodies[1] { one } else { swapped(one) }
}

/// An index of the contact history by the first body.
struct HistoryByFirstBody<'a, H> {
    entries: &'a [ContactHistoryEntry<H>],
    starts: Vec<u32>,
}

impl<'a, H: LawHistory> HistoryByFirstBody<'a, H> {
    fn new(entries: &'a [ContactHistoryEntry<H>], count: usize) -> Self {
        let mut starts = vec![0; count + 1];
        entries.iter().for_each(|one| starts[one.bodies[0] as usize + 1] += 1);
        (0..count).for_each(|body| starts[body + 1] += starts[body]);
        HistoryByFirstBody { entries, starts }
    }

    /// Returns the history of two bodies that touch in one point.
    fn single(&self, bodies: [u32; 2]) -> Option<H> {
        self.entries_of(bodies).next().map(|one| one.history)
    }

    /// Returns the contact history of two bodies, one of which has a shape.
    fn multi_contact_history(&self, ids: [u32; 2]) -> MultiContactHistory<H> {
        let mut history = MultiContactHistory::default();
        for one in self.entries_of([ids[0].min(ids[1]), ids[0].max(ids[1])]) {
            let one = if ids[0] < ids[1] { *one } else { swapped(*one) };
            history.push(one.contact_key, one.history);
        }
        history
    }

    fn entries_of(&self, bodies: [u32; 2]) -> impl Iterator<Item = &ContactHistoryEntry<H>> {
        let first = bodies[0] as usize;
        let range = self.starts[first] as usize..self.starts[first + 1] as usize;
        self.entries[range].iter().filter(move |one| one.bodies == bodies)
    }
}

/// Returns the order of bodies along a Hilbert curve.
fn hilbert_order(bodies: &BodyArrays) -> Vec<u32> {
    let bounds = (bodies.positions.iter())
        .fold(Aabb::empty(), |bounds, place| bounds.including(&place.position));
    let width = bounds.size().max().max(f64::MIN_POSITIVE);
    let per_width = f64::from(CELLS_PER_AXIS - 1) / width;
    indices_by_key(bodies.positions.len(), |body| {
        let cell = (bodies.positions[body].position - bounds.low) * per_width;
        hilbert_index([0, 1, 2].map(|axis| (cell[axis] as u32).min(CELLS_PER_AXIS - 1)))
    })
}
