//! Which bodies may touch until the next search, and what each contact remembers.
//!
//! Bodies lie in memory along a space curve, in blocks. A pair belongs to the body that comes first,
//! and so to its block. What it does to a body of another block is put down for that block, which
//! takes it up later, always in the same order: so blocks may be gone through by any number of
//! threads, and sums are the same to the bit.

use super::body::Bodies;
use super::row::Row;
use super::shape::Shape;
use super::shaped::Held;
use super::wall::{self, PlacedWall, WallPair, WallRemembered};
use carom_detect::narrow::ClosestFeatures;
use carom_detect::{ContactSearch, Method};
use carom_geometry::space_curve::{CELLS, hilbert};
use carom_geometry::{Aabb, Boundary, Sphere, Vector};
use std::ops::Range;

/// So many bodies make a block.
pub(super) const BLOCK: usize = 2048;

/// The second body of a pair that may touch; the first is known from where the pair is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pair {
    pub other: u32,
    /// Which whole periods are to be added to its position.
    pub image: u16,
    pub touches: bool,
}

/// What a pair puts down for another block is at this place of all that is put down.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Incoming {
    pub body: u32,
    pub slot: u32,
}

/// The bodies of a block, and where what belongs to them is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    pub bodies: Range<usize>,
    pub pairs: Range<usize>,
    pub wall_pairs: Range<usize>,
    /// What its pairs put down for other blocks.
    pub outgoing: Range<usize>,
    /// What others put down for it, in the order in which it is taken up.
    pub incoming: Vec<Incoming>,
}

/// All pairs that may touch while no body moves more than half the skin.
pub(super) struct Neighbours {
    pub blocks: Vec<Block>,
    /// Where the pairs of each body end; they begin where those of the body before end.
    pub ends: Vec<u32>,
    /// By the first body, then by the second.
    pub pairs: Vec<Pair>,
    /// Of every pair, how far the contact was displaced across its normal: the first body relative to
    /// the second.
    pub memories: Vec<Vector<3>>,
    /// Of every pair the closest features, if there are bodies with shapes, else empty.
    pub tracked: Vec<ClosestFeatures>,
    /// Of every pair what its contacts remember, if there are clumps, which touch in many points. Else it
    /// is empty and all that there is to remember is in `memories`, for a pair with a shape too.
    pub held: Vec<Held>,
    pub wall_pairs: Vec<WallPair>,
    /// Displacements by whole periods.
    pub images: Vec<Vector<3>>,
    /// Where bodies were at the search, in space order.
    pub searched_at: Vec<Vector<3>>,
}

/// What a contact remembers, by the numbers of the bodies, the smaller first and relative to the
/// second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Remembered {
    pub bodies: [u32; 2],
    /// Tells it from other contacts of the same bodies.
    pub key: u32,
    pub memory: Vector<3>,
}

/// All that contacts remember.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Memories {
    /// Of pairs, ascending.
    pub pairs: Vec<Remembered>,
    /// Of bodies and walls, ascending.
    pub walls: Vec<WallRemembered>,
}

/// What pairs remember, in their order.
pub(super) struct Kept {
    memories: Vec<Vector<3>>,
    held: Vec<Held>,
    walls: Vec<Vector<3>>,
}

impl Neighbours {
    pub(super) fn new() -> Self {
        Neighbours {
            blocks: Vec::new(),
            ends: Vec::new(),
            pairs: Vec::new(),
            memories: Vec::new(),
            tracked: Vec::new(),
            held: Vec::new(),
            wall_pairs: Vec::new(),
            images: Vec::new(),
            searched_at: Vec::new(),
        }
    }

    /// What contacts remember, by the numbers of bodies.
    pub(super) fn memories(&self, bodies: &Bodies) -> Memories {
        let mut memories = Memories::default();
        for first in 0..bodies.len() {
            let id = bodies.ids[first];
            let pairs =
                self.of_body(first).map(|number| (&self.pairs[number], &self.memories[number]));
            if !self.held.is_empty() {
                for number in self.of_body(first) {
                    let other = self.pairs[number].other as usize;
                    if [first, other].iter().any(|&body| bodies.turns[body].shape().is_some()) {
                        self.shaped_memories(bodies, first, number, &mut memories.pairs);
                    }
                }
            }
            let is_single =
                |body: usize| self.held.is_empty() || bodies.turns[body].shape().is_none();
            let single = |pair: &Pair| is_single(first) && is_single(pair.other as usize);
            for (pair, memory) in pairs.filter(|(pair, _)| pair.touches && single(pair)) {
                let other = bodies.ids[pair.other as usize];
                let memory = if id < other { *memory } else { -*memory };
                let bodies = [id.min(other), id.max(other)];
                memories.pairs.push(Remembered { bodies, key: 0, memory });
            }
        }
        memories.walls = wall::remembered(&self.wall_pairs, &bodies.ids);
        memories.pairs.sort_unstable_by_key(|one| (one.bodies, one.key));
        memories
    }

    /// What pairs remember now, to be [put back](Self::put_back) before the next search.
    pub(super) fn kept(&self) -> Kept {
        Kept {
            memories: self.memories.clone(),
            held: self.held.clone(),
            walls: self.wall_pairs.iter().map(|pair| pair.memory).collect(),
        }
    }

    /// Of pairs that touch; those that have parted have forgotten.
    pub(super) fn put_back(&mut self, kept: &Kept) {
        let touching = (0..self.pairs.len()).filter(|&number| self.pairs[number].touches);
        for number in touching {
            self.memories[number] = kept.memories[number];
            if let Some(&held) = kept.held.get(number) {
                self.held[number] = held;
            }
        }
        let walls = self.wall_pairs.iter_mut().zip(&kept.walls);
        walls.filter(|(pair, _)| pair.touches).for_each(|(pair, memory)| pair.memory = *memory);
    }

    /// What the contacts of two bodies remember of which one has a shape.
    fn shaped_memories(
        &self,
        bodies: &Bodies,
        first: usize,
        number: usize,
        all: &mut Vec<Remembered>,
    ) {
        let ids = [bodies.ids[first], bodies.ids[self.pairs[number].other as usize]];
        for (key, memory) in self.held[number].iter() {
            all.push(by_numbers(Remembered { bodies: ids, key, memory }));
        }
    }

    /// What a contact of a pair that touches remembers.
    pub(super) fn memory(&self, number: usize, key: u32) -> Vector<3> {
        match self.held.get(number) {
            Some(held) => held.find(key).unwrap_or_else(Vector::zeros),
            None => self.memories[number],
        }
    }

    /// All pairs: their bodies, and the number of the pair.
    pub(super) fn each_pair(&self) -> impl Iterator<Item = ([usize; 2], usize)> {
        let of_body = move |first: usize| {
            self.of_body(first)
                .map(move |number| ([first, self.pairs[number].other as usize], number))
        };
        (0..self.ends.len()).flat_map(of_body)
    }

    /// The pairs of a body.
    fn of_body(&self, body: usize) -> Range<usize> {
        let first = if body == 0 { 0 } else { self.ends[body - 1] };
        first as usize..self.ends[body] as usize
    }

    /// Puts bodies in space order, in the box where it is periodic, and finds all pairs anew.
    pub(super) fn search(
        &mut self,
        bodies: &mut Bodies,
        boundary: &Boundary<3>,
        shapes: &[Shape],
        walls: &[PlacedWall],
        skin: f64,
        memories: &Memories,
    ) -> Result<(), carom_detect::Error> {
        for place in &mut bodies.places {
            place.vector = boundary.wrap(place.vector);
        }
        bodies.reorder(&space_order(bodies));
        self.find(bodies, boundary, shapes, walls, skin, memories)
    }

    /// Finds all pairs anew; the bodies stay where they are.
    pub(super) fn find(
        &mut self,
        bodies: &Bodies,
        boundary: &Boundary<3>,
        shapes: &[Shape],
        walls: &[PlacedWall],
        skin: f64,
        memories: &Memories,
    ) -> Result<(), carom_detect::Error> {
        self.searched_at.clear();
        self.searched_at.extend(bodies.places.iter().map(|place| place.vector));
        // Searches are rare: what only they need is given back, and steps have less to keep in caches.
        let wider = |place: &Row| Sphere::new(place.vector, place.fourth + 0.5 * skin);
        let spheres: Vec<Sphere<3>> = bodies.places.iter().map(wider).collect();
        self.images.clear();
        self.images.push(Vector::zeros());
        self.images.extend(boundary.image_shifts());
        let remembered = ByFirst::of(&memories.pairs, bodies.len());
        let (pairs, ends, images) = (&mut self.pairs, &mut self.ends, &self.images);
        let (kept, tracked, held) = (&mut self.memories, &mut self.tracked, &mut self.held);
        let has_clumps = shapes.iter().any(Shape::is_clump);
        tracked.clear();
        held.clear();
        pairs.clear();
        kept.clear();
        ends.clear();
        ContactSearch::new(Method::Auto).visit(&spheres, boundary, |contact| {
            let (first, other) = (contact.pair.first() as usize, contact.pair.second() as usize);
            ends.resize(first, pairs.len() as u32);
            let step = bodies.places[other].vector - bodies.places[first].vector;
            let shift = boundary.image_shift(step);
            let image = images.iter().position(|image| *image == shift).unwrap_or(0) as u16;
            let ids = [bodies.ids[first], bodies.ids[other]];
            let found = remembered.find([ids[0].min(ids[1]), ids[0].max(ids[1])]);
            let memory = found.unwrap_or_else(Vector::zeros);
            kept.push(if ids[0] < ids[1] { memory } else { -memory });
            pairs.push(Pair { other: contact.pair.second(), image, touches: found.is_some() });
            if !bodies.turns.is_empty() {
                tracked.push(ClosestFeatures::new());
            }
            if has_clumps {
                held.push(remembered.held(ids));
            }
        })?;
        ends.resize(bodies.len(), pairs.len() as u32);
        give_back(pairs);
        give_back(kept);
        give_back(tracked);
        give_back(held);
        wall::find(bodies, shapes, walls, skin, &memories.walls, &mut self.wall_pairs);
        self.make_blocks(bodies.len());
        Ok(())
    }

    fn make_blocks(&mut self, count: usize) {
        self.blocks.clear();
        self.blocks.resize(count.div_ceil(BLOCK), Block::default());
        let (mut outgoing, mut wall_pair) = (0, 0);
        for number in 0..self.blocks.len() {
            let bodies = BLOCK * number..(BLOCK * (number + 1)).min(count);
            let pairs = self.of_body(bodies.start).start..self.of_body(bodies.end - 1).end;
            let first = outgoing;
            for pair in &self.pairs[pairs.clone()] {
                let other = pair.other as usize;
                if other >= bodies.end {
                    let incoming = Incoming { body: pair.other, slot: outgoing as u32 };
                    self.blocks[other / BLOCK].incoming.push(incoming);
                    outgoing += 1;
                }
            }
            let wall_pairs = wall::of_bodies(&self.wall_pairs, wall_pair, bodies.end);
            wall_pair = wall_pairs.end;
            let block = &mut self.blocks[number];
            (block.bodies, block.pairs) = (bodies, pairs);
            block.wall_pairs = wall_pairs;
            block.outgoing = first..outgoing;
        }
    }

    /// How many loads are put down for other blocks in a step.
    pub(super) fn outgoing(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.outgoing.end)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let incoming: usize = self.blocks.iter().map(|block| size_of_val(&*block.incoming)).sum();
        incoming
            + size_of_val(&*self.ends)
            + self.pairs.capacity() * size_of::<Pair>()
            + self.memories.capacity() * size_of::<Vector<3>>()
            + self.tracked.capacity() * size_of::<ClosestFeatures>()
            + self.held.capacity() * size_of::<Held>()
            + self.wall_pairs.capacity() * size_of::<WallPair>()
            + self.searched_at.capacity() * size_of::<Vector<3>>()
    }
}

/// Gives back what a list has grown too far, but for a little by which it may grow at the next search.
fn give_back<T>(list: &mut Vec<T>) {
    let enough = list.len() + list.len() / 16;
    if list.capacity() > enough + list.len() / 16 {
        list.shrink_to(enough);
    }
}

/// As seen by the other body. The first half of a key is for the first body, the second for the second.
fn exchanged(one: Remembered) -> Remembered {
    let [first, second] = one.bodies;
    Remembered { bodies: [second, first], key: one.key.rotate_left(16), memory: -one.memory }
}

/// As seen by the body with the smaller number.
fn by_numbers(one: Remembered) -> Remembered {
    if one.bodies[0] < one.bodies[1] { one } else { exchanged(one) }
}

/// Memories found by the first of their numbers.
struct ByFirst<'a> {
    all: &'a [Remembered],
    starts: Vec<u32>,
}

impl<'a> ByFirst<'a> {
    fn of(all: &'a [Remembered], count: usize) -> Self {
        let mut starts = vec![0; count + 1];
        all.iter().for_each(|one| starts[one.bodies[0] as usize + 1] += 1);
        (0..count).for_each(|body| starts[body + 1] += starts[body]);
        ByFirst { all, starts }
    }

    fn find(&self, bodies: [u32; 2]) -> Option<Vector<3>> {
        self.found(bodies).next().map(|one| one.memory)
    }

    /// What the contacts of two bodies remember, one of which has a shape.
    fn held(&self, ids: [u32; 2]) -> Held {
        let mut held = Held::default();
        for one in self.found([ids[0].min(ids[1]), ids[0].max(ids[1])]) {
            let one = if ids[0] < ids[1] { *one } else { exchanged(*one) };
            held.push(one.key, one.memory);
        }
        held
    }

    fn found(&self, bodies: [u32; 2]) -> impl Iterator<Item = &Remembered> {
        let first = bodies[0] as usize;
        let range = self.starts[first] as usize..self.starts[first + 1] as usize;
        self.all[range].iter().filter(move |one| one.bodies == bodies)
    }
}

/// Which body comes where along a space curve.
fn space_order(bodies: &Bodies) -> Vec<u32> {
    let bounds =
        (bodies.places.iter()).fold(Aabb::empty(), |bounds, place| bounds.including(&place.vector));
    let width = bounds.size().max().max(f64::MIN_POSITIVE);
    let per_width = f64::from(CELLS - 1) / width;
    let key = |center: &Vector<3>| {
        let cell = (center - bounds.low) * per_width;
        hilbert([0, 1, 2].map(|axis| (cell[axis] as u32).min(CELLS - 1)))
    };
    let mut keyed: Vec<(u64, u32)> =
        bodies.places.iter().map(|place| key(&place.vector)).zip(0..).collect();
    keyed.sort_unstable();
    keyed.into_iter().map(|(_, index)| index).collect()
}
