//! The dynamic Laguerre Delaunay triangulation: the first structure of Gavrilova and Rokne (2002).
//!
//! Bodies are neighbours if their Laguerre cells share a facet. For spheres that do not overlap no cell
//! is ever empty, and two that touch are neighbours, whatever their sizes. While bodies move, a facet
//! whose certificate fails is flipped: in the plane two triangles become the two others of four
//! points, in space two tetrahedra become three or three become two.
//!
//! What is not done: certificates are not solved eagerly. Every body has a time at which it is
//! *examined* again, and an examination bounds the certificates of the facets around the body only
//! until the next examination of any of the bodies concerned. Few can fail by then, and only for these
//! the time is computed and kept in a heap of its own; the event belongs to the first body, whichever
//! facet it is for.
//!
//! Cost: about 15 neighbours a body in space and 6 in the plane, at any ratio of sizes; a deflection
//! bounds about 63 certificates in space and 12 in the plane. Flips depend on how far bodies travel,
//! not on how often they collide: about ten a body in the time a body needs for its diameter, at any
//! density. Of equal spheres at a packing fraction of 0.49 that is 0.42 flips, 150 bounds and 5 roots a
//! collision; certificates are bounded four at a time, and most of the time goes into the walk around a
//! body and into waiting for memory. In mixtures of 1:10 roots take over (50 a collision), since a large
//! body that is deflected moves the horizon of hundreds of facets.
//!
//! Exact are the tests that confirm a flip; certificates are rounded, and a flip comes late by what
//! they may be wrong. Two bodies are neighbours long before they touch, so that does no harm.

mod certificate;
mod check;
mod examine;
mod fan;
mod five;
mod flips;
mod fours;
mod heap;
mod vertices;
mod view;

use super::{AllPairs, Bodies, Coming, FetchStage, KineticNeighbours, Touched};
use crate::events::fetch::fetch;
use crate::events::pages::ask_for_large_pages;
use carom_detect::laguerre::{Complex, Facet, OUTSIDE, SeenNumbers};
use carom_geometry::math;
use fan::Fan;
use heap::FailureHeap;
use std::cell::RefCell;
use vertices::Vertices;
use view::{Examination, Scene, View};

/// See the module.
#[derive(Debug)]
pub struct LaguerreDelaunay<const D: usize> {
    vertices: Vertices<D>,
    /// Instead of all else, for a handful of bodies in a periodic box.
    everyone: Option<AllPairs<D>>,
    complex: Complex<D>,
    /// Of each vertex one simplex.
    incident: Vec<u32>,
    examinations: Vec<Examination>,
    failures: FailureHeap,
    /// The triangulation is that of this time, if it is still to come.
    begun: f64,
    /// How many flips there were when the simplices were last in order.
    flips_in_order: u64,
    /// In which a body typically gets as far as the next one is.
    span: f64,
    work: Work,
    scratch: RefCell<Scratch>,
    view: View<D>,
    fan: Fan,
    /// The neighbours of the vertices that were examined last, until something flips: two bodies
    /// collide, both are examined and both are predicted.
    rings: [Ring; 2],
}

/// The neighbours of a vertex.
#[derive(Debug, Default)]
struct Ring {
    of: Option<u32>,
    bodies: Vec<u32>,
}

impl Ring {
    fn forget(&mut self) {
        self.of = None;
    }
}

/// Work counted over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Work {
    flips: u64,
    bounds: u64,
    roots: u64,
    renewals: u64,
    refusals: u64,
    rebuilds: u64,
}

#[derive(Debug, Default)]
struct Scratch {
    simplices: SeenNumbers,
    star: Vec<u32>,
    bodies: SeenNumbers,
}

impl Scratch {
    /// Bytes held.
    fn memory(&self) -> usize {
        self.simplices.memory() + self.star.capacity() * 4 + self.bodies.memory()
    }
}

impl<const D: usize> LaguerreDelaunay<D> {
    pub fn new() -> Self {
        LaguerreDelaunay {
            vertices: Vertices::new(),
            everyone: None,
            complex: Complex::default(),
            incident: Vec::new(),
            examinations: Vec::new(),
            failures: FailureHeap::default(),
            begun: 0.0,
            flips_in_order: 0,
            span: 1.0,
            work: Work::default(),
            scratch: RefCell::default(),
            view: View::new(),
            fan: Fan::default(),
            rings: Default::default(),
        }
    }

    /// Builds the triangulation of a moment just ahead: at the present, bodies on a lattice could have
    /// many triangulations, of which only one will be right when they move.
    fn build(&mut self, bodies: &Bodies<D>, now: f64) {
        let (length, speed) = self.scales(bodies, now);
        let instant = if speed > 0.0 { INSTANT * length / speed } else { 0.0 };
        self.begun = now + instant;
        self.everyone = None;
        let Some(complex) = self.vertices.start(bodies, self.begun) else {
            let mut everyone = AllPairs::new();
            everyone.start(bodies, now);
            self.everyone = Some(everyone);
            return;
        };
        self.complex = complex;
        self.failures.clear();
        self.put_in_order();
        self.span = if speed > 0.0 { length / speed } else { 1.0 };
        let unknown = Examination { until: now, count: 0, ahead: FIRST_LOOK };
        self.examinations.resize(self.vertices.bodies as usize, unknown);
        for body in 0..self.vertices.bodies {
            // Not all at once.
            let part = 0.5 + 0.5 * f64::from(body.wrapping_mul(0x9e37_79b9)) / f64::from(u32::MAX);
            let until = self.look_ahead(body, bodies, now, part);
            self.examinations[body as usize].until = until;
        }
        for number in 0..self.complex.end() as u32 {
            let across = self.complex.simplex(number).across;
            let wanted = std::array::from_fn(|k| Facet::new(number, k) < across[k]);
            self.certify_alone(number, &wanted, bodies, now);
        }
    }

    /// Puts simplices that are near each other in space together in memory.
    fn put_in_order(&mut self) {
        let new = self.complex.put_in_order();
        self.failures.renumber(&new);
        self.flips_in_order = self.work.flips;
        self.rings.iter_mut().for_each(Ring::forget);
        self.incident.clear();
        self.incident.resize(self.vertices.count(), u32::MAX);
        for number in 0..self.complex.end() as u32 {
            self.note_incident(number);
        }
    }

    /// A typical distance between bodies and their typical speed.
    fn scales(&self, bodies: &Bodies<D>, now: f64) -> (f64, f64) {
        let count = bodies.count() as f64;
        let all = || 0..bodies.count() as u32;
        let length = math::powf(bodies.region.volume() / count, 1.0 / D as f64);
        let squares: f64 = all().map(|body| bodies.velocity_at(body, now).norm_squared()).sum();
        let pull = all().map(|body| bodies.acceleration(body).norm()).fold(0.0, f64::max);
        let widest = all().map(|body| bodies.radius_at(body, now)).fold(0.0, f64::max);
        let widening = widest * bodies.growth.rate / bodies.growth.at(now);
        (length, (squares / count).sqrt() + (pull * length).sqrt() + widening)
    }

    fn note_incident(&mut self, simplex: u32) {
        for vertex in self.complex.simplex(simplex).vertices.into_iter().take(D + 1) {
            if vertex != OUTSIDE {
                self.incident[vertex as usize] = simplex;
            }
        }
    }

    /// Makes everything anew in the middle of a run.
    fn rebuild(&mut self, bodies: &Bodies<D>, now: f64, touched: &mut Touched) {
        self.work.rebuilds += 1;
        self.build(bodies, now);
        let mut found = Vec::new();
        for body in 0..self.vertices.bodies {
            touched.rescheduled.push(body);
            let later = |&&other: &&u32| other > body;
            let others = self.neighbours(body, &mut found).iter().filter(later);
            touched.joined.extend(others.map(|&other| [body, other]));
        }
    }

    fn scene<'a>(&'a self, bodies: &'a Bodies<D>, now: f64) -> Scene<'a, D> {
        Scene { vertices: &self.vertices, bodies, examinations: &self.examinations, now }
    }

    fn announce(&mut self, touched: &mut Touched) {
        if self.failures.has_new_first() {
            touched.rescheduled.push(CARRIER);
        }
    }
}

/// The body whose events the flips are.
const CARRIER: u32 = 0;
/// How far is looked ahead at first, in times in which a body gets as far as the next one is.
const FIRST_LOOK: f32 = 0.05;
/// How far ahead of the present the triangulation begins, in travelled distances between bodies.
const INSTANT: f64 = 1e-7;

impl<const D: usize> KineticNeighbours<D> for LaguerreDelaunay<D> {
    fn start(&mut self, bodies: &Bodies<D>, now: f64) {
        self.build(bodies, now);
    }

    fn next_change(&mut self, body: u32, bodies: &Bodies<D>, now: f64) -> f64 {
        if let Some(everyone) = &mut self.everyone {
            return everyone.next_change(body, bodies, now);
        }
        let examined = self.examinations[body as usize].until;
        if body == CARRIER { examined.min(self.failures.announce()) } else { examined }
    }

    fn change(
        &mut self,
        body: u32,
        bodies: &Bodies<D>,
        now: f64,
        fresh: &mut Vec<u32>,
        touched: &mut Touched,
    ) {
        if let Some(everyone) = &mut self.everyone {
            return everyone.change(body, bodies, now, fresh, touched);
        }
        if body == CARRIER && !self.flip_all_due(bodies, now, touched) {
            return self.rebuild(bodies, now, touched);
        }
        if self.examinations[body as usize].until <= now {
            self.work.renewals += 1;
            self.examinations[body as usize].was_due();
            if self.vertices.has_left(body, bodies, now) {
                return self.rebuild(bodies, now, touched);
            }
            if !self.examine_body(body, bodies, now) {
                return self.rebuild(bodies, now, touched);
            }
            if self.vertices.is_repeated() {
                // Another image of a neighbour may be the nearest by now.
                let mut found = Vec::new();
                fresh.extend_from_slice(self.neighbours(body, &mut found));
            }
        }
        self.announce(touched);
    }

    fn redirect(&mut self, body: u32, bodies: &Bodies<D>, now: f64, touched: &mut Touched) {
        if self.everyone.is_some() {
            return;
        }
        self.examinations[body as usize].was_deflected();
        if !self.examine_body(body, bodies, now) {
            return self.rebuild(bodies, now, touched);
        }
        self.announce(touched);
    }

    fn neighbours<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32] {
        if let Some(everyone) = &self.everyone {
            return everyone.neighbours(body, found);
        }
        if let Some(ring) = self.rings.iter().find(|ring| ring.of == Some(body))
            && !self.vertices.is_repeated()
        {
            return &ring.bodies;
        }
        let Scratch { simplices, star, bodies } = &mut *self.scratch.borrow_mut();
        self.complex.star(body, self.incident[body as usize], simplices, star);
        found.clear();
        bodies.begin();
        bodies.see(body);
        for &simplex in &*star {
            let vertices = self.complex.simplex(simplex).vertices;
            let others = vertices.into_iter().take(D + 1).filter_map(|v| self.vertices.body(v));
            found.extend(others.filter(|&other| bodies.see(other).1));
        }
        found
    }

    fn fetch(&self, body: u32, _: &Bodies<D>, stage: FetchStage, _: Coming) {
        let Some(&first) = self.incident.get(body as usize) else { return };
        match stage {
            FetchStage::Body => {
                fetch(&self.incident, body as usize);
                fetch(&self.examinations, body as usize);
            }
            FetchStage::List => fetch(self.complex.all(), first as usize),
            FetchStage::Neighbours => {
                for across in self.complex.simplex(first).across {
                    fetch(self.complex.all(), across.simplex() as usize);
                }
            }
        }
    }

    fn ask_for_large_pages(&self) {
        ask_for_large_pages(self.complex.all());
        ask_for_large_pages(&self.incident);
        ask_for_large_pages(&self.examinations);
    }

    fn check(&self, bodies: &Bodies<D>, now: f64) -> Result<(), String> {
        match &self.everyone {
            Some(everyone) => everyone.check(bodies, now),
            None => self.check_triangulation(bodies, now),
        }
    }

    fn statistics(&self) -> Vec<(&'static str, u64)> {
        let Work { flips, bounds, roots, renewals, refusals, rebuilds } = self.work;
        vec![
            ("flips", flips),
            ("certificates bounded", bounds),
            ("certificates solved", roots),
            ("bodies examined again", renewals),
            ("flips refused", refusals),
            ("rebuilds", rebuilds),
        ]
    }

    fn memory(&self) -> usize {
        self.rings.iter().map(|ring| ring.bodies.capacity() * 4).sum::<usize>()
            + self.everyone.as_ref().map_or(0, |everyone| everyone.memory())
            + self.vertices.memory()
            + self.complex.memory()
            + self.incident.capacity() * 4
            + self.examinations.capacity() * size_of::<Examination>()
            + self.failures.memory()
            + self.view.memory()
            + self.fan.memory()
            + self.scratch.borrow().memory()
    }
}
