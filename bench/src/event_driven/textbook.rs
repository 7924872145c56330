//! The textbook of event-driven simulation: all future collisions in a binary heap, neighbors by
//! linked cells (Alder and Wainwright, J. Chem. Phys. 31, 459, 1959; Rapaport, J. Comput. Phys. 34,
//! 184, 1980, and "The Art of Molecular Dynamics Simulation", chapter 14).
//!
//! Cells are at least as wide as the largest sphere. A body is compared with those in its own cell
//! and the cells around it after each of its collisions, and with those in the cells that come into
//! reach when it crosses a face of its cell. Each body counts its collisions; an event that knows
//! another count is void and is thrown away when its time comes. A body is moved only at events of
//! its own. The box is periodic, collisions are elastic, sizes and masses may differ.

use carom::geometry::Vector;
use carom::simulate::event_driven::BodyStart;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Fewer cells along an axis would let a body see another through both sides of the box.
const FEWEST_CELLS: usize = 4;
/// The end of a list.
const NOBODY: u32 = u32::MAX;
/// Partners from here on are faces of the cell.
const FIRST_FACE: u32 = u32::MAX - 8;

/// Bodies, their cells and their events.
pub struct TextbookEvents<const D: usize> {
    bodies: Vec<MovingBody<D>>,
    cells: Cells<D>,
    events: BinaryHeap<Event>,
    now: f64,
    work: TextbookWork,
}

/// Counts of work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextbookWork {
    /// Collisions.
    pub collisions: u64,
    /// Pairs whose time of contact was computed.
    pub pair_tests: u64,
    /// Faces of cells that were crossed.
    pub crossings: u64,
    /// Pairs tested because of that.
    pub fresh_neighbors: u64,
    /// Events that were void when their time came.
    pub stale: u64,
}

/// A body at the time of its last own event.
#[derive(Clone, Copy, Debug)]
struct MovingBody<const D: usize> {
    position: Vector<D>,
    velocity: Vector<D>,
    clock: f64,
    radius: f64,
    mass: f64,
    collisions: u32,
}

/// Something that will happen unless one of its bodies collides before. The greatest event of a heap is the earliest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Event {
    /// The bits of its time, which are ordered as times are, since none is negative.
    time: Reverse<u64>,
    body: u32,
    /// Another body, or a face of the cell.
    partner: u32,
    /// Collisions of both when this was predicted.
    collisions: [u32; 2],
}

impl<const D: usize> TextbookEvents<D> {
    /// Everything predicted at time zero; nothing if the box is only a few bodies wide.
    pub fn new(bodies: &[BodyStart<D>], size: Vector<D>) -> Option<Self> {
        let widest = 2.0 * bodies.iter().map(|body| body.radius).fold(0.0, f64::max);
        let cells = Cells::new(bodies, size, widest)?;
        let bodies = bodies.iter().map(MovingBody::new).collect();
        let mut simulation = TextbookEvents {
            bodies,
            cells,
            events: BinaryHeap::new(),
            now: 0.0,
            work: TextbookWork::default(),
        };
        simulation.predict_all();
        Some(simulation)
    }

    /// Continues for this many collisions.
    pub fn advance(&mut self, collisions: u64) {
        let last = self.work.collisions + collisions;
        while self.work.collisions < last {
            let event = self.events.pop().expect("a moving body always has a face to cross");
            if !self.is_valid(&event) {
                self.work.stale += 1;
                continue;
            }
            self.now = f64::from_bits(event.time.0);
            if event.partner < FIRST_FACE {
                self.collide(event.body, event.partner);
            } else {
                self.cross(event.body, event.partner - FIRST_FACE);
            }
        }
    }

    /// The present time.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Counts of work.
    pub fn work(&self) -> TextbookWork {
        self.work
    }

    /// Returns position and velocity of a body now.
    #[cfg(test)]
    fn state(&self, body: usize) -> (Vector<D>, Vector<D>) {
        (self.bodies[body].position_at(self.now), self.bodies[body].velocity)
    }

    fn is_valid(&self, event: &Event) -> bool {
        let [own, other] = event.collisions;
        own == self.bodies[event.body as usize].collisions
            && (event.partner >= FIRST_FACE
                || other == self.bodies[event.partner as usize].collisions)
    }

    fn predict_all(&mut self) {
        for body in 0..self.bodies.len() as u32 {
            for cell in self.cells.around(body) {
                // Each pair once: of two bodies the later one predicts.
                self.predict_with(body, cell, |other| other < body);
            }
            self.predict_crossing(body);
        }
    }

    fn collide(&mut self, a: u32, b: u32) {
        self.work.collisions += 1;
        self.bring_to_now(a);
        self.bring_to_now(b);
        let [first, second] = [self.bodies[a as usize], self.bodies[b as usize]];
        let normal = self.cells.nearest(second.position - first.position).normalize();
        let approach = (second.velocity - first.velocity).dot(&normal);
        let momentum = 2.0 * approach * first.mass * second.mass / (first.mass + second.mass);
        self.deflect(a, normal * (momentum / first.mass));
        self.deflect(b, normal * (-momentum / second.mass));
        for (body, partner) in [(a, b), (b, a)] {
            self.predict_crossing(body);
            for cell in self.cells.around(body) {
                // They have just met and part, so they are not each other's next.
                self.predict_with(body, cell, |other| other != body && other != partner);
            }
        }
    }

    fn deflect(&mut self, body: u32, change: Vector<D>) {
        let body = &mut self.bodies[body as usize];
        body.velocity += change;
        body.collisions = body.collisions.wrapping_add(1);
    }

    fn cross(&mut self, body: u32, face: u32) {
        self.work.crossings += 1;
        self.bring_to_now(body);
        let (axis, up) = (face as usize / 2, face % 2 == 1);
        let round = self.cells.step(body, axis, up);
        self.bodies[body as usize].position[axis] += round;
        self.predict_crossing(body);
        let before = self.work.pair_tests;
        for cell in self.cells.ahead(body, axis, up) {
            self.predict_with(body, cell, |_| true);
        }
        self.work.fresh_neighbors += self.work.pair_tests - before;
    }

    fn bring_to_now(&mut self, body: u32) {
        let body = &mut self.bodies[body as usize];
        body.position = body.position_at(self.now);
        body.clock = self.now;
    }

    fn predict_crossing(&mut self, body: u32) {
        let moving = &self.bodies[body as usize];
        let place = self.cells.places[body as usize];
        let mut first = (f64::INFINITY, NOBODY);
        for axis in 0..D {
            let speed = moving.velocity[axis];
            let up = speed > 0.0;
            let face = (place[axis] + u32::from(up)) as f64 * self.cells.width[axis];
            // Rounding may have put it a little beyond the face already.
            let wait = ((face - moving.position[axis]) / speed).max(0.0);
            if speed != 0.0 && wait < first.0 {
                first = (wait, FIRST_FACE + 2 * axis as u32 + u32::from(up));
            }
        }
        let (wait, partner) = first;
        if partner != NOBODY {
            let collisions = [moving.collisions, 0];
            let time = Reverse((self.now + wait).to_bits());
            self.events.push(Event { time, body, partner, collisions });
        }
    }

    /// Predicts collisions with those of a cell that are wanted.
    #[inline(always)]
    fn predict_with(&mut self, body: u32, cell: usize, wanted: impl Fn(u32) -> bool) {
        let own = self.bodies[body as usize];
        let mut other = self.cells.heads[cell];
        while other != NOBODY {
            if wanted(other) {
                self.work.pair_tests += 1;
                let partner = &self.bodies[other as usize];
                if let Some(wait) = self.time_to_contact(&own, partner) {
                    self.events.push(Event {
                        time: Reverse((self.now + wait).to_bits()),
                        body,
                        partner: other,
                        collisions: [own.collisions, partner.collisions],
                    });
                }
            }
            other = self.cells.next[other as usize];
        }
    }

    /// Returns the time at which `own`, whose record is at the present, collides with `other`.
    #[inline(always)]
    fn time_to_contact(&self, own: &MovingBody<D>, other: &MovingBody<D>) -> Option<f64> {
        let step = self.cells.nearest(other.position_at(self.now) - own.position);
        let velocity = other.velocity - own.velocity;
        let approach = -step.dot(&velocity);
        if approach <= 0.0 {
            return None;
        }
        let reach = own.radius + other.radius;
        let gap = step.norm_squared() - reach * reach;
        let discriminant = approach * approach - velocity.norm_squared() * gap;
        // The smaller root, in the form that does not subtract like numbers.
        (discriminant >= 0.0).then(|| (gap / (approach + discriminant.sqrt())).max(0.0))
    }
}

impl<const D: usize> MovingBody<D> {
    fn new(body: &BodyStart<D>) -> Self {
        let BodyStart { position, velocity, radius, mass, .. } = *body;
        MovingBody { position, velocity, clock: 0.0, radius, mass, collisions: 0 }
    }

    #[inline(always)]
    fn position_at(&self, time: f64) -> Vector<D> {
        self.position + self.velocity * (time - self.clock)
    }
}

/// Which bodies are in which cell, as doubly linked lists.
struct Cells<const D: usize> {
    size: Vector<D>,
    width: Vector<D>,
    /// Along each axis.
    counts: [u32; D],
    /// The first body of every cell.
    heads: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    /// Cell of each body.
    places: Vec<[u32; D]>,
}

impl<const D: usize> Cells<D> {
    fn new(bodies: &[BodyStart<D>], size: Vector<D>, widest: f64) -> Option<Self> {
        let counts: [u32; D] = std::array::from_fn(|axis| (size[axis] / widest) as u32);
        if counts.iter().any(|&count| (count as usize) < FEWEST_CELLS) {
            return None;
        }
        let cells = counts.iter().map(|&count| count as usize).product();
        let mut lists = Cells {
            size,
            width: Vector::from_fn(|axis, _| size[axis] / f64::from(counts[axis])),
            counts,
            heads: vec![NOBODY; cells],
            next: vec![NOBODY; bodies.len()],
            previous: vec![NOBODY; bodies.len()],
            places: Vec::with_capacity(bodies.len()),
        };
        for (index, body) in bodies.iter().enumerate() {
            let along = |axis: usize| (body.position[axis] / lists.width[axis]) as u32;
            let place = std::array::from_fn(|axis| along(axis).min(counts[axis] - 1));
            lists.places.push(place);
            lists.link(index as u32);
        }
        Some(lists)
    }

    /// The nearest image of a step.
    #[inline(always)]
    fn nearest(&self, mut step: Vector<D>) -> Vector<D> {
        for axis in 0..D {
            let size = self.size[axis];
            if step[axis] > 0.5 * size {
                step[axis] -= size;
            } else if step[axis] < -0.5 * size {
                step[axis] += size;
            }
        }
        step
    }

    fn cell(&self, place: [u32; D]) -> usize {
        (0..D).rev().fold(0, |cell, axis| cell * self.counts[axis] as usize + place[axis] as usize)
    }

    fn link(&mut self, body: u32) {
        let cell = self.cell(self.places[body as usize]);
        let first = std::mem::replace(&mut self.heads[cell], body);
        self.next[body as usize] = first;
        self.previous[body as usize] = NOBODY;
        if first != NOBODY {
            self.previous[first as usize] = body;
        }
    }

    fn unlink(&mut self, body: u32) {
        let (next, previous) = (self.next[body as usize], self.previous[body as usize]);
        if next != NOBODY {
            self.previous[next as usize] = previous;
        }
        if previous != NOBODY {
            self.next[previous as usize] = next;
        } else {
            let cell = self.cell(self.places[body as usize]);
            self.heads[cell] = next;
        }
    }

    /// Puts a body into the next cell along an axis; returns what to add to its coordinate.
    fn step(&mut self, body: u32, axis: usize, up: bool) -> f64 {
        self.unlink(body);
        let (place, count) = (&mut self.places[body as usize][axis], self.counts[axis]);
        let (moved, round) = match (up, *place) {
            (true, last) if last == count - 1 => (0, -self.size[axis]),
            (false, 0) => (count - 1, self.size[axis]),
            (true, place) => (place + 1, 0.0),
            (false, place) => (place - 1, 0.0),
        };
        *place = moved;
        self.link(body);
        round
    }

    /// The cell of a body and those around it.
    fn around(&self, body: u32) -> impl Iterator<Item = usize> + use<D> {
        self.block(body, [[-1, 0, 1].as_slice(); D])
    }

    /// The layer of cells that a body has before it on an axis.
    fn ahead(&self, body: u32, axis: usize, up: bool) -> impl Iterator<Item = usize> + use<D> {
        let mut offsets = [[-1, 0, 1].as_slice(); D];
        offsets[axis] = if up { &[1] } else { &[-1] };
        self.block(body, offsets)
    }

    /// The cells at all combinations of these offsets from that of a body.
    fn block(
        &self,
        body: u32,
        offsets: [&'static [i32]; D],
    ) -> impl Iterator<Item = usize> + use<D> {
        let place = self.places[body as usize];
        let mut cells = [0; 27];
        let mut count = 1;
        for axis in (0..D).rev() {
            let mut longer = [0; 27];
            let mut filled = 0;
            for &start in &cells[..count] {
                for offset in offsets[axis] {
                    let along = self.counts[axis] as i32;
                    let moved = (place[axis] as i32 + offset + along) % along;
                    longer[filled] = start * along as usize + moved as usize;
                    filled += 1;
                }
            }
            (cells, count) = (longer, filled);
        }
        cells.into_iter().take(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;
    use crate::event_driven::start;
    use crate::event_driven::system::FluidRun;
    use carom::simulate::event_driven::Simulation;

    fn both<const D: usize>(system: &str) -> (TextbookEvents<D>, Simulation<D>) {
        let start = start::bodies::<D>(&FluidRun::of(&cases::tiny(system))).unwrap();
        let settings = start.settings();
        let textbook = TextbookEvents::new(&start.bodies, start.size).expect("the box is wide");
        (textbook, Simulation::new(&start.bodies, settings).unwrap())
    }

    /// Longer than a few hundred collisions no two programs agree: rounding grows exponentially.
    fn assert_same_collisions<const D: usize>(system: &str) {
        let (mut textbook, mut carom) = both::<D>(system);
        for collision in 0..300 {
            textbook.advance(1);
            carom.advance(f64::INFINITY, 1);
            let apart = (textbook.now() - carom.now()).abs();
            assert!(apart < 1e-8, "collision {collision} of {system}: {apart} apart");
        }
        for body in 0..carom.count() {
            let (position, velocity) = textbook.state(body);
            let step = textbook.cells.nearest(position - carom.position(body));
            assert!(step.norm() < 1e-6, "body {body} of {system}");
            assert!((velocity - carom.velocity(body)).norm() < 1e-6, "body {body} of {system}");
        }
    }

    #[test]
    fn it_makes_the_collisions_that_carom_makes() {
        assert_same_collisions::<3>("mono-0.1");
        assert_same_collisions::<3>("mono-0.49");
        assert_same_collisions::<3>("binary-1:5");
        assert_same_collisions::<2>("discs-0.7");
    }

    #[test]
    fn it_keeps_energy_and_lets_no_body_through_another() {
        let (mut textbook, _) = both::<3>("mono-0.3");
        let energy = |textbook: &TextbookEvents<3>| -> f64 {
            textbook.bodies.iter().map(|body| 0.5 * body.velocity.norm_squared()).sum()
        };
        let before = energy(&textbook);
        textbook.advance(20_000);
        assert!((energy(&textbook) / before - 1.0).abs() < 1e-10);
        for a in 0..500 {
            for b in 0..a {
                let step = textbook.state(a).0 - textbook.state(b).0;
                let distance = textbook.cells.nearest(step).norm();
                assert!(distance > 1.0 - 1e-9, "{a} and {b} are {distance} apart");
            }
        }
    }

    #[test]
    fn a_box_of_three_cells_is_too_narrow() {
        let body = BodyStart::new([0.0, 0.0, 0.0], [0.0, 0.0, 0.0], 0.5);
        assert!(TextbookEvents::new(&[body], Vector::repeat(3.9)).is_none());
        assert!(TextbookEvents::new(&[body], Vector::repeat(4.1)).is_some());
    }
}
