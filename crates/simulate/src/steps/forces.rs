//! What bodies do to each other in a step, block by block.

use super::body::{Bodies, Load, Motion};
use super::four::{FourContacts, FourTally};
use super::law::{ContactLaw, LANES, Response, Touch};
use super::meeting::Meeting;
use super::neighbours::{Block, Neighbours, Pair};
use super::row::Row;
use super::shape::Shape;
use super::shaped::{Held, Past};
use super::turn::Turn;
use super::wall::{self, PlacedWall, Touched, WallPair};
use carom_detect::narrow::ClosestFeatures;
use carom_geometry::Vector;
use carom_geometry::wide::{Job, run_widest};
use rayon::prelude::*;
use std::ops::Range;

/// What the contacts of a step amount to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Pairs of bodies that touch.
    pub contacts: u64,
    /// Bodies that touch walls, once for each wall.
    pub wall_contacts: u64,
    /// Energy lost in this step to damping along normals, and across them with friction and rolling.
    pub lost: [f64; 2],
    /// Energy given by moving walls in this step.
    pub driven: f64,
    /// The sum over pairs of the force times the distance of the centers, where they repel, and over
    /// contacts with walls of the force times the arm from the center.
    pub virial: f64,
    /// The deepest overlap in parts of the smaller radius.
    pub deepest: f64,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        self.contacts += other.contacts;
        self.wall_contacts += other.wall_contacts;
        (0..2).for_each(|kind| self.lost[kind] += other.lost[kind]);
        self.driven += other.driven;
        self.virial += other.virial;
        self.deepest = self.deepest.max(other.deepest);
    }

    #[inline(always)]
    pub(super) fn count(&mut self, lost: [f64; 2], overlap: f64, radius: f64) {
        self.lost[0] += lost[0];
        self.lost[1] += lost[1];
        if overlap > self.deepest * radius {
            self.deepest = overlap / radius;
        }
    }
}

/// Laws for every pair of materials.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Laws {
    /// So many materials there are.
    pub materials: usize,
    /// By the first material, then by the second.
    pub all: Vec<ContactLaw>,
}

impl Laws {
    #[inline(always)]
    pub(super) fn of(&self, first: u32, second: u32) -> &ContactLaw {
        &self.all[first as usize * self.materials + second as usize]
    }
}

/// Everything that does not change while forces are found.
pub(super) struct Scene<'a> {
    pub places: &'a [Row],
    pub motions: &'a [Motion],
    /// Empty if all bodies are spheres.
    pub turns: &'a [Turn],
    materials: &'a [u32],
    images: &'a [Vector<3>],
    laws: &'a Laws,
    pub shapes: &'a [Shape],
    walls: &'a [PlacedWall<'a>],
    pub step: f64,
}

/// Finds what acts on every body; `put_down` is room for what blocks put down for each other.
pub(super) fn find(
    bodies: &mut Bodies,
    neighbours: &mut Neighbours,
    put_down: &mut Vec<Load>,
    laws: &Laws,
    shapes: &[Shape],
    walls: &[PlacedWall],
    step: f64,
) -> Tally {
    put_down.resize(neighbours.outgoing(), Load::none());
    let Bodies { places, motions, loads, materials, turns, .. } = bodies;
    let Neighbours { blocks, ends, pairs, memories, tracked, held, wall_pairs, images, .. } =
        neighbours;
    let scene = Scene { places, motions, turns, materials, images, laws, shapes, walls, step };
    let (mut tracked, mut held) = (&mut tracked[..], &mut held[..]);
    let mut works = Vec::with_capacity(blocks.len());
    let (mut loads, mut pairs, mut memories, mut wall_pairs, mut outgoing) =
        (&mut loads[..], &mut pairs[..], &mut memories[..], &mut wall_pairs[..], &mut put_down[..]);
    for block in &*blocks {
        works.push(Work {
            scene: &scene,
            block,
            ends: &ends[block.bodies.clone()],
            loads: taken(&mut loads, block.bodies.len()),
            pairs: taken(&mut pairs, block.pairs.len()),
            memories: taken(&mut memories, block.pairs.len()),
            tracked: taken_if_any(&mut tracked, block.pairs.len()),
            held: taken_if_any(&mut held, block.pairs.len()),
            wall_pairs: taken(&mut wall_pairs, block.wall_pairs.len()),
            outgoing: taken(&mut outgoing, block.outgoing.len()),
        });
    }
    let tallies: Vec<Tally> = works.into_par_iter().map(run_widest).collect();
    let mut sum = Tally::default();
    tallies.iter().for_each(|tally| sum.add(tally));
    sum
}

/// The first of some, which are taken away.
pub(super) fn taken<'a, T>(some: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    some.split_off_mut(..count).expect("blocks share out what there is")
}

/// The first of some that are there for all pairs or for none.
fn taken_if_any<'a, T>(some: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    if some.is_empty() { &mut [] } else { taken(some, count) }
}

/// A block and what belongs to it.
struct Work<'a> {
    scene: &'a Scene<'a>,
    block: &'a Block,
    ends: &'a [u32],
    loads: &'a mut [Load],
    pairs: &'a mut [Pair],
    memories: &'a mut [Vector<3>],
    /// Empty if all bodies are spheres.
    tracked: &'a mut [ClosestFeatures],
    /// Empty if no bodies touch in many points.
    held: &'a mut [Held],
    wall_pairs: &'a mut [WallPair],
    outgoing: &'a mut [Load],
}

/// Two bodies that touch.
#[derive(Clone, Copy, Default)]
struct Found {
    /// The first body and the pair, counted from the first of the block.
    body: u32,
    pair: u32,
    /// Where to put what is for another block.
    outgoing: u32,
}

/// How far a block has been looked through.
#[derive(Clone, Copy, Default)]
struct Looked {
    pair: usize,
    outgoing: usize,
}

/// So many bodies are looked at before what was found is dealt with: it stays in the nearest cache.
const AT_ONCE: usize = 64;

impl Job for Work<'_> {
    type Output = Tally;
    #[inline(always)]
    fn run(mut self) -> Tally {
        let mut tally = Tally::default();
        self.loads.fill(Load::none());
        self.outgoing.fill(Load::none());
        let mut fours = FourTally::default();
        let mut all = [Vec::new(), Vec::new()];
        let mut looked = Looked::default();
        for bodies in (0..self.ends.len()).step_by(AT_ONCE) {
            let until = (bodies + AT_ONCE).min(self.ends.len());
            let counts = self.look(bodies..until, &mut looked, &mut all);
            let (lasting, rest) = all[0][..counts[0]].as_chunks();
            for found in lasting {
                match self.law_of_all(found) {
                    Some(law) => self.touch_four(law, found, &mut fours),
                    None => found.iter().for_each(|found| self.touch(found, &mut tally)),
                }
            }
            for found in rest.iter().chain(&all[1][..counts[1]]) {
                self.touch(found, &mut tally);
            }
        }
        fours.add_to(&mut tally);
        let first = self.block.bodies.start;
        wall::touch(&self.scene.touched(), first, self.wall_pairs, self.loads, &mut tally);
        tally
    }
}

impl<'a> Work<'a> {
    /// Finds which pairs of some bodies touch as they did a step ago, and which have just met or parted,
    /// and returns how many. Whether one does cannot be foreseen, so nothing branches on it.
    #[inline(always)]
    fn look(
        &self,
        bodies: Range<usize>,
        looked: &mut Looked,
        all: &mut [Vec<Found>; 2],
    ) -> [usize; 2] {
        let last = self.ends[bodies.end - 1] as usize - self.block.pairs.start;
        let room = last - looked.pair + 1;
        all.iter_mut().filter(|all| all.len() < room).for_each(|all| {
            all.resize(room, Found::default());
        });
        let [lasting, changed] = all;
        let (lasting, changed) = (&mut lasting[..room], &mut changed[..room]);
        let (places, images) = (self.scene.places, self.scene.images);
        let mut counts = [0; 2];
        for local in bodies {
            let here = &places[self.block.bodies.start + local];
            let end = self.ends[local] as usize - self.block.pairs.start;
            let pairs = &self.pairs[looked.pair..end];
            for (pair, number) in pairs.iter().zip(looked.pair..) {
                let there = &places[pair.other as usize];
                let way = there.vector - here.vector + images[usize::from(pair.image)];
                let reach = there.fourth + here.fourth;
                let touches = way.norm_squared() < reach * reach;
                let outgoing = looked.outgoing as u32;
                let found = Found { body: local as u32, pair: number as u32, outgoing };
                lasting[counts[0]] = found;
                counts[0] += usize::from(touches & pair.touches);
                // What has just parted is dealt with once more.
                changed[counts[1]] = found;
                counts[1] += usize::from(touches ^ pair.touches);
                looked.outgoing += usize::from(pair.other as usize >= self.block.bodies.end);
            }
            looked.pair = end;
        }
        counts
    }

    /// The law of all these contacts, if there is one that only presses, and all bodies are spheres.
    #[inline(always)]
    fn law_of_all(&self, all: &[Found; LANES]) -> Option<&'a ContactLaw> {
        if !self.tracked.is_empty() {
            return None;
        }
        let laws = all.map(|found| {
            let other = self.pairs[found.pair as usize].other as usize;
            self.scene.law(self.block.bodies.start + found.body as usize, other)
        });
        let same = laws.iter().all(|law| std::ptr::eq(*law, laws[0]));
        (same && laws[0].only_presses()).then_some(laws[0])
    }

    /// What four contacts do that go on.
    #[inline(always)]
    fn touch_four(&mut self, law: &ContactLaw, all: &[Found; LANES], tally: &mut FourTally) {
        let start = self.block.bodies.start;
        let scene = self.scene;
        let pairs = all.map(|found| self.pairs[found.pair as usize]);
        let bodies =
            [all.map(|found| start + found.body as usize), pairs.map(|pair| pair.other as usize)];
        let contacts = FourContacts {
            places: bodies.map(|bodies| bodies.map(|body| &scene.places[body])),
            motions: bodies.map(|bodies| bodies.map(|body| &scene.motions[body])),
            images: pairs.map(|pair| &scene.images[usize::from(pair.image)]),
        };
        let memories = self
            .memories
            .get_disjoint_mut(all.map(|found| found.pair as usize))
            .expect("each pair is found once");
        let pushed = contacts.push(law, memories, scene.step, tally);
        for (lane, found) in all.iter().enumerate() {
            let [force, torque, other_torque] = pushed.lane(lane);
            let pushed = Pushed { force, torque, other_torque, touches: true };
            self.load(found, bodies[1][lane], &pushed);
        }
    }

    #[inline(always)]
    fn touch(&mut self, found: &Found, tally: &mut Tally) {
        let start = self.block.bodies.start;
        let pair = &mut self.pairs[found.pair as usize];
        let (local, other) = (found.body as usize, pair.other as usize);
        let image = &self.scene.images[usize::from(pair.image)];
        let memory = &mut self.memories[found.pair as usize];
        let bodies = [start + local, other];
        let pushed = match self.tracked.get_mut(found.pair as usize) {
            Some(tracked) if self.scene.is_shaped(bodies) => {
                let many = self.held.get_mut(found.pair as usize);
                let past = Past { tracked, touched: pair.touches, memory, many };
                self.scene.touch_shaped(bodies, image, past, tally)
            }
            _ => self.scene.touch(bodies, image, pair.touches, memory, tally),
        };
        pair.touches = pushed.touches;
        self.load(found, other, &pushed);
    }

    /// Adds a push to what acts on both bodies.
    #[inline(always)]
    fn load(&mut self, found: &Found, other: usize, pushed: &Pushed) {
        let start = self.block.bodies.start;
        let load = &mut self.loads[found.body as usize];
        load.force += pushed.force;
        load.torque += pushed.torque;
        let load = match other < self.block.bodies.end {
            true => &mut self.loads[other - start],
            false => &mut self.outgoing[found.outgoing as usize],
        };
        load.force -= pushed.force;
        load.torque += pushed.other_torque;
    }
}

/// What a contact does: the force on the first body, the torques on both, and whether it lasts.
#[derive(Default)]
pub(super) struct Pushed {
    pub force: Vector<3>,
    pub torque: Vector<3>,
    pub other_torque: Vector<3>,
    pub touches: bool,
}

impl<'a> Scene<'a> {
    #[inline(always)]
    fn touch(
        &self,
        [first, other]: [usize; 2],
        image: &Vector<3>,
        touched: bool,
        memory: &mut Vector<3>,
        tally: &mut Tally,
    ) -> Pushed {
        let (here, there) = (&self.places[first], &self.places[other]);
        let way = there.vector - here.vector + image;
        let (radius, other_radius) = (here.fourth, there.fourth);
        let distance = way.norm();
        // Bodies at one place have no direction; the smallest number makes it zero.
        let normal = way * (1.0 / (distance + f64::MIN_POSITIVE));
        let overlap = radius + other_radius - distance;
        let touches = overlap > 0.0;
        let (one, two) = (&self.motions[first], &self.motions[other]);
        // From each centre to the middle of the overlap; both together are the distance.
        let (arm, other_arm) = (radius - 0.5 * overlap, other_radius - 0.5 * overlap);
        let turning = one.spin.vector * arm + two.spin.vector * other_arm;
        let turning_change = one.spin_change.vector * arm + two.spin_change.vector * other_arm;
        let touch = Touch {
            normal,
            overlap,
            touched,
            velocity: one.velocity.vector - two.velocity.vector + turning.cross(&normal),
            change: one.velocity_change.vector - two.velocity_change.vector
                + turning_change.cross(&normal),
            spin: one.spin_now() - two.spin_now(),
            lightness: one.lightness() + two.lightness(),
            agility: one.agility() + two.agility(),
            give: one.lightness()
                + two.lightness()
                + arm * arm * one.agility()
                + other_arm * other_arm * two.agility(),
            radii: [radius, other_radius],
        };
        let Response { force, across, rolling, lost, .. } =
            self.law(first, other).respond(&touch, memory, self.step);
        tally.contacts += u64::from(touches);
        tally.virial -= force.dot(&way);
        tally.count(lost, overlap, radius.min(other_radius));
        let turn = normal.cross(&across);
        Pushed {
            force,
            torque: turn * arm + rolling,
            other_torque: turn * other_arm - rolling,
            touches,
        }
    }

    /// Calls `visit` with every point in which two bodies touch: the bodies, which whole periods are to be added to the
    /// place of the second, and what the contact remembers.
    pub(super) fn each_contact(
        &self,
        neighbours: &Neighbours,
        mut visit: impl FnMut([usize; 2], &Vector<3>, &Meeting, &Vector<3>),
    ) {
        for (bodies, number) in neighbours.each_pair() {
            let Pair { image, touches, .. } = neighbours.pairs[number];
            let image = &neighbours.images[usize::from(image)];
            match neighbours.tracked.get(number) {
                _ if !touches => {}
                Some(&tracked) if self.is_shaped(bodies) => {
                    let meetings = self.meetings(bodies, image, tracked);
                    for meeting in meetings.iter().filter(|meeting| meeting.overlap > 0.0) {
                        visit(bodies, image, meeting, &neighbours.memory(number, meeting.key));
                    }
                }
                _ => {
                    let [here, there] = bodies.map(|body| &self.places[body]);
                    let way = there.vector - here.vector + image;
                    let (radii, distance) = ([here.fourth, there.fourth], way.norm());
                    let normal = way * (1.0 / (distance + f64::MIN_POSITIVE));
                    let overlap = radii[0] + radii[1] - distance;
                    let position = here.vector + normal * (radii[0] - 0.5 * overlap);
                    let meeting = Meeting::in_a_point(normal, overlap, position, radii);
                    visit(bodies, image, &meeting, &neighbours.memories[number]);
                }
            }
        }
    }

    /// Whether one of two bodies at least is no sphere.
    #[inline(always)]
    pub(super) fn is_shaped(&self, bodies: [usize; 2]) -> bool {
        bodies.into_iter().any(|body| self.turns[body].shape().is_some())
    }

    #[inline(always)]
    pub(super) fn law(&self, first: usize, other: usize) -> &'a ContactLaw {
        match self.laws.materials {
            1 => &self.laws.all[0],
            _ => self.laws.of(self.materials[first], self.materials[other]),
        }
    }

    pub(super) fn touched(&self) -> Touched<'_> {
        let Scene { places, motions, turns, materials, laws, shapes, walls, step, .. } = *self;
        Touched { places, motions, turns, materials, laws, shapes, walls, step }
    }
}

/// Bodies, walls and laws at one moment, for figures.
pub(super) fn scene<'a>(
    bodies: &'a Bodies,
    neighbours: &'a Neighbours,
    laws: &'a Laws,
    shapes: &'a [Shape],
    walls: &'a [PlacedWall<'a>],
) -> Scene<'a> {
    let Bodies { places, motions, materials, turns, .. } = bodies;
    Scene {
        places,
        motions,
        turns,
        materials,
        images: &neighbours.images,
        laws,
        shapes,
        walls,
        step: 0.0,
    }
}
