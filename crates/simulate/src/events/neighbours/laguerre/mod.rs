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
//! density. Of equal spheres at a packing fraction of 0.49 that is 0.42 flips, 147 bounds and 5 roots a
//! collision, and half of the time goes into the bounds; four facets at once in wide registers would
//! be the next thing to try. In mixtures of 1:10 roots take over (80 a collision), since a large body
//! that is deflected moves the horizon of hundreds of facets.
//!
//! Exact are the tests that confirm a flip; certificates are rounded, and a flip comes late by what
//! they may be wrong. Two bodies are neighbours long before they touch, so that does no harm.

mod certificate;
mod five;
mod heap;
mod vertices;
mod view;

use super::{AllPairs, Bodies, KineticNeighbours, Touched};
use crate::events::fetch::fetch;
use carom_detect::laguerre::{CORNERS, Complex, Facet, OUTSIDE, SeenNumbers, Simplex};
use certificate::{Arithmetic, Fused, Separate};
use five::Five;
use heap::{Failure, FailureHeap};
use std::cell::RefCell;
use vertices::{TRAVEL, Vertices};
use view::{Examination, Scene, Verdict, View};

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
    pace: Pace,
    work: Work,
    scratch: RefCell<Scratch>,
    star: Vec<u32>,
    view: View<D>,
    /// The neighbours of the vertex that was examined last, until something flips.
    ring: Vec<u32>,
    ring_of: u32,
    outer: Vec<u32>,
}

/// How long to look ahead.
#[derive(Debug, Default)]
struct Pace {
    look_ahead: f64,
    since: f64,
    examinations: u64,
    redirections: u64,
}

impl Pace {
    /// One of so many bodies is examined. Every few examinations per body the time between them is
    /// chosen anew, by how often bodies were deflected.
    fn note(&mut self, reason: Reason, bodies: u64, now: f64) {
        self.examinations += 1;
        self.redirections += u64::from(reason == Reason::Deflected);
        if self.examinations >= 4 * bodies && now > self.since {
            let each = self.redirections as f64 / bodies as f64;
            let wanted = LOOK_AHEAD * (now - self.since) / each;
            let look_ahead = wanted.clamp(0.5 * self.look_ahead, 2.0 * self.look_ahead);
            *self = Pace { look_ahead, since: now, ..Pace::default() };
        }
    }
}

/// Why a body is examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    Deflected,
    Due,
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
    seen: SeenNumbers,
    star: Vec<u32>,
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
            pace: Pace::default(),
            work: Work::default(),
            scratch: RefCell::default(),
            star: Vec::new(),
            view: View::new(),
            ring: Vec::new(),
            ring_of: OUTSIDE,
            outer: Vec::new(),
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
        self.ring_of = OUTSIDE;
        self.incident.clear();
        self.incident.resize(self.vertices.count(), u32::MAX);
        for number in 0..self.complex.end() as u32 {
            self.note_incident(number);
        }
        if self.pace.look_ahead == 0.0 {
            self.pace.look_ahead = if speed > 0.0 { 0.05 * length / speed } else { 1.0 };
        }
        self.pace = Pace { look_ahead: self.pace.look_ahead, since: now, ..Pace::default() };
        self.examinations.clear();
        for body in 0..self.vertices.bodies {
            // Not all at once.
            let part = 0.5 + 0.5 * f64::from(body.wrapping_mul(0x9e37_79b9)) / f64::from(u32::MAX);
            let until = self.look_ahead(body, bodies, now, part);
            self.examinations.push(Examination { until, count: 0 });
        }
        self.failures.clear();
        for number in 0..self.complex.end() as u32 {
            let across = self.complex.simplex(number).across;
            let wanted = std::array::from_fn(|k| Facet::new(number, k) < across[k]);
            self.certify_alone(number, &wanted, bodies, now);
        }
    }

    /// A typical distance between bodies and their typical speed.
    fn scales(&self, bodies: &Bodies<D>, now: f64) -> (f64, f64) {
        let count = bodies.count() as f64;
        let all = || 0..bodies.count() as u32;
        let length = (bodies.region.volume() / count).powf(1.0 / D as f64);
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

    /// When a body is to be examined again: before it can be far from where it is.
    fn look_ahead(&self, body: u32, bodies: &Bodies<D>, now: f64, part: f64) -> f64 {
        let mut ahead = part * self.pace.look_ahead;
        let period = self.vertices.period();
        let velocity = bodies.velocity_at(body, now);
        let pull = bodies.acceleration(body);
        for axis in (0..D).filter(|&axis| period[axis] > 0.0) {
            let room = bodies.images.half[axis] - 2.0 * bodies.radius_at(body, now);
            let travel = (TRAVEL * period[axis]).min(0.2 * room);
            let speed = velocity[axis].abs() + (pull[axis].abs() * travel).sqrt();
            ahead = ahead.min(travel / speed);
        }
        now + ahead.min(self.vertices.stays_for(body, bodies, now))
    }

    /// Certifies the facets around a body until it is examined again; false if the bodies are too far
    /// apart for one period.
    fn examine_body(&mut self, body: u32, bodies: &Bodies<D>, now: f64) -> bool {
        self.vertices.follow(body, bodies, now);
        let until = self.look_ahead(body, bodies, now, 1.0);
        let examination = &mut self.examinations[body as usize];
        examination.until = until;
        examination.count = examination.count.wrapping_add(1);
        self.vertices.of_body(body).all(|vertex| self.examine(vertex, bodies, now))
    }

    /// Certifies the facets at a vertex, and those across from it; false if an edge has become so long
    /// that its nearest image is in doubt.
    fn examine(&mut self, vertex: u32, bodies: &Bodies<D>, now: f64) -> bool {
        #[cfg(target_arch = "x86_64")]
        if bodies.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { self.examine_fused(vertex, bodies, now) };
        }
        self.examine_by::<Separate>(vertex, bodies, now)
    }

    /// With wide registers and fused operations, which make a run a sixth faster.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,fma")]
    fn examine_fused(&mut self, vertex: u32, bodies: &Bodies<D>, now: f64) -> bool {
        self.examine_by::<Fused>(vertex, bodies, now)
    }

    #[inline(always)]
    fn examine_by<A: Arithmetic>(&mut self, vertex: u32, bodies: &Bodies<D>, now: f64) -> bool {
        let mut star = std::mem::take(&mut self.star);
        let seen = &mut self.scratch.get_mut().seen;
        self.complex.star(vertex, self.incident[vertex as usize], seen, &mut star);
        self.fetch_around(vertex, &star, bodies);
        self.look_from::<A>(vertex, bodies, now);
        self.note_ring::<A>(vertex, &star, bodies, now);
        let mut short = true;
        for &simplex in &star {
            let Simplex { vertices, across } = self.complex.simplex(simplex);
            let corner = (0..=D).find(|&k| vertices[k] == vertex).expect(HAS_VERTEX);
            // A facet at the vertex is met from both sides, the one across from it once.
            let wanted = std::array::from_fn(|k| k == corner || Facet::new(simplex, k) < across[k]);
            short &= self.certify::<A>(simplex, corner, &wanted, bodies, now);
        }
        self.star = star;
        short
    }

    /// Asks memory for the bodies across from a vertex, before each is waited for in turn.
    fn fetch_around(&mut self, vertex: u32, star: &[u32], bodies: &Bodies<D>) {
        self.outer.clear();
        for &simplex in star {
            let Simplex { vertices, across } = self.complex.simplex(simplex);
            let corner = (0..=D).find(|&k| vertices[k] == vertex).expect(HAS_VERTEX);
            self.outer.push(self.complex.apex(across[corner]));
            self.outer.push(vertices[(corner + 1) % (D + 1)]);
        }
        for &vertex in &self.outer {
            if let Some(body) = self.vertices.body(vertex) {
                fetch(&bodies.records, body as usize);
                fetch(&self.examinations, body as usize);
            }
        }
    }

    /// Looks at all neighbours of a vertex and remembers them; they are asked for next.
    #[inline(always)]
    fn note_ring<A: Arithmetic>(
        &mut self,
        vertex: u32,
        star: &[u32],
        bodies: &Bodies<D>,
        now: f64,
    ) {
        let (vertices, examinations) = (&self.vertices, &self.examinations[..]);
        let scene = Scene { vertices, bodies, examinations, now };
        for &simplex in star {
            let corners = self.complex.simplex(simplex).vertices;
            for other in corners.into_iter().take(D + 1).filter(|&other| other != OUTSIDE) {
                self.view.near::<A>(&scene, other);
            }
        }
        self.ring.clear();
        self.ring.extend(self.view.ring().filter_map(|other| vertices.body(other)));
        self.ring_of = vertex;
    }

    #[inline(always)]
    fn look_from<A: Arithmetic>(&mut self, vertex: u32, bodies: &Bodies<D>, now: f64) {
        let (vertices, examinations) = (&self.vertices, &self.examinations[..]);
        self.view.begin::<A>(&Scene { vertices, bodies, examinations, now }, vertex);
    }

    /// Certifies some facets of a simplex that is looked at from none of its corners.
    fn certify_alone(
        &mut self,
        simplex: u32,
        wanted: &[bool; CORNERS],
        bodies: &Bodies<D>,
        now: f64,
    ) {
        let first = self.complex.simplex(simplex).vertices[0];
        if first != OUTSIDE {
            self.look_from::<Separate>(first, bodies, now);
            self.certify::<Separate>(simplex, 0, wanted, bodies, now);
        }
    }

    /// Bounds the certificates of some facets of a simplex, one corner of which is looked from, and
    /// computes when those fail that might; false if the simplex is too long for its period.
    #[inline(always)]
    fn certify<A: Arithmetic>(
        &mut self,
        simplex: u32,
        corner: usize,
        wanted: &[bool; CORNERS],
        bodies: &Bodies<D>,
        now: f64,
    ) -> bool {
        let LaguerreDelaunay { vertices, complex, examinations, failures, work, view, .. } = self;
        let corners = complex.simplex(simplex);
        if corners.vertices[..=D].contains(&OUTSIDE) {
            return true;
        }
        let scene = Scene { vertices, bodies, examinations, now };
        let moving = view.simplex::<A>(&scene, corners, corner);
        let from = (self.begun - now).max(0.0);
        for k in (0..=D).filter(|&k| wanted[k]) {
            let facet = Facet::new(simplex, k);
            let beyond = complex.apex(corners.across[k]);
            if beyond == OUTSIDE {
                continue;
            }
            work.bounds += 1;
            match view.certify::<A>(&scene, &moving, k, beyond, from) {
                Verdict::Safe => {}
                Verdict::Holds => work.roots += 1,
                Verdict::Fails { after, fingerprint } => {
                    work.roots += 1;
                    failures.expect(now + after, facet, fingerprint);
                }
            }
        }
        view.is_short(&scene, &moving)
    }

    /// Flips all facets whose certificates have failed; false if that cannot be done.
    fn flip_all_due(&mut self, bodies: &Bodies<D>, now: f64, touched: &mut Touched) -> bool {
        while let Some(failure) = self.failures.take_due(now) {
            if !self.still_counts(&failure, bodies, now) {
                continue;
            }
            let outcome = self.flip(failure.facet, bodies, now, touched);
            if outcome == Outcome::Flipped {
                continue;
            }
            // It may have been flipped before it was due, as another facet of the same vertices.
            let Some(after) = self.fails_after(failure.facet, bodies, now) else { continue };
            self.work.refusals += 1;
            if outcome == Outcome::TooLong
                || (outcome == Outcome::Stuck && failure.attempts >= MOST_ATTEMPTS)
            {
                return false;
            }
            // Twice as long at each attempt, so that it stays short beside what has passed.
            let doublings = failure.attempts.min(MOST_ATTEMPTS);
            let wait = f64::from(1 << doublings) * RETRY * self.pace.look_ahead;
            self.failures.try_again(&failure, now + wait.max(after));
        }
        true
    }

    /// In how long a facet fails, if it does while it matters.
    fn fails_after(&mut self, facet: Facet, bodies: &Bodies<D>, now: f64) -> Option<f64> {
        let simplex = self.complex.simplex(facet.simplex());
        let (vertices, examinations) = (&self.vertices, &self.examinations[..]);
        let scene = Scene { vertices, bodies, examinations, now };
        self.view.begin::<Separate>(&scene, simplex.vertices[0]);
        let moving = self.view.simplex::<Separate>(&scene, simplex, 0);
        let beyond = self.complex.apex(simplex.across[facet.corner()]);
        match self.view.certify::<Separate>(&scene, &moving, facet.corner(), beyond, 0.0) {
            Verdict::Fails { after, .. } => Some(after),
            Verdict::Safe | Verdict::Holds => None,
        }
    }

    fn still_counts(&self, failure: &Failure, bodies: &Bodies<D>, now: f64) -> bool {
        let Simplex { vertices, across } = self.complex.simplex(failure.facet.simplex());
        if vertices[..=D].contains(&OUTSIDE) {
            return false;
        }
        let (vertices, beyond) =
            (&vertices[..=D], self.complex.apex(across[failure.facet.corner()]));
        let (all, examinations) = (&self.vertices, &self.examinations[..]);
        let scene = Scene { vertices: all, bodies, examinations, now };
        let fingerprints = vertices.iter().map(|&vertex| scene.fingerprint(vertex));
        failure.fingerprint == fingerprints.fold(scene.fingerprint(beyond), u64::wrapping_add)
    }

    fn flip(
        &mut self,
        facet: Facet,
        bodies: &Bodies<D>,
        now: f64,
        touched: &mut Touched,
    ) -> Outcome {
        let simplex = *self.complex.simplex(facet.simplex());
        let beyond = self.complex.apex(simplex.across[facet.corner()]);
        let five = Five::at(&self.vertices, &simplex, facet.corner(), beyond, bodies, now);
        if !five.is_conflict() {
            return Outcome::Refused;
        }
        if !self.vertices.is_short(&five.joining_step(facet.corner())) {
            return Outcome::TooLong;
        }
        let outward = std::array::from_fn(|corner| corner <= D && five.is_outward(corner));
        let Some(flip) = self.complex.flip(facet, &outward) else { return Outcome::Stuck };
        self.work.flips += 1;
        self.ring_of = OUTSIDE;
        for &made in flip.made() {
            self.note_incident(made);
        }
        for &made in flip.made() {
            self.certify_alone(made, &[true; CORNERS], bodies, now);
        }
        let joined = flip.joined.map(|pair| pair.map(|vertex| self.vertices.body(vertex)));
        if let Some([Some(one), Some(other)]) = joined {
            touched.joined.push([one, other]);
        }
        Outcome::Flipped
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

    fn announce(&mut self, touched: &mut Touched) {
        if self.failures.has_new_first() {
            touched.rescheduled.push(CARRIER);
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Flipped,
    /// By the exact test the facet may still stay.
    Refused,
    /// Others must be flipped before it.
    Stuck,
    /// The new edge would be too long for the period.
    TooLong,
}

const HAS_VERTEX: &str = "every simplex of a star has its vertex";
/// The body whose events the flips are.
const CARRIER: u32 = 0;
/// How far ahead of the present the triangulation begins, in travelled distances between bodies.
const INSTANT: f64 = 1e-7;
/// A flip that could not be made is first tried again after this part of the time between examinations.
const RETRY: f64 = 1e-9;
/// If others do not make way for it in so many attempts, all is built anew.
const MOST_ATTEMPTS: u32 = 20;
/// A body is examined again after this many times the mean time between its deflections.
const LOOK_AHEAD: f64 = 2.0;

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
            self.pace.note(Reason::Due, u64::from(self.vertices.bodies), now);
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
        self.pace.note(Reason::Deflected, u64::from(self.vertices.bodies), now);
        if !self.examine_body(body, bodies, now) {
            return self.rebuild(bodies, now, touched);
        }
        self.announce(touched);
    }

    fn neighbours<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32] {
        if let Some(everyone) = &self.everyone {
            return everyone.neighbours(body, found);
        }
        if body == self.ring_of && !self.vertices.is_repeated() {
            return &self.ring;
        }
        let Scratch { seen, star } = &mut *self.scratch.borrow_mut();
        self.complex.star(body, self.incident[body as usize], seen, star);
        found.clear();
        for &simplex in &*star {
            let vertices = self.complex.simplex(simplex).vertices;
            let others = vertices.into_iter().take(D + 1).filter_map(|v| self.vertices.body(v));
            for other in others.filter(|&other| other != body) {
                if !found.contains(&other) {
                    found.push(other);
                }
            }
        }
        found
    }

    fn check(&self, bodies: &Bodies<D>, now: f64) -> Result<(), String> {
        if let Some(everyone) = &self.everyone {
            return everyone.check(bodies, now);
        }
        self.complex.check()?;
        if now < self.begun {
            // Still that of an instant ahead, or to be flipped then.
            return Ok(());
        }
        let (vertices, examinations) = (&self.vertices, &self.examinations[..]);
        let scene = Scene { vertices, bodies, examinations, now };
        let mut view = View::new();
        for (number, simplex) in self.complex.inner() {
            for corner in 0..=D {
                let beyond = self.complex.apex(simplex.across[corner]);
                if beyond == OUTSIDE {
                    continue;
                }
                let five = Five::at(&self.vertices, simplex, corner, beyond, bodies, now);
                if five.is_conflict() {
                    view.begin::<Separate>(&scene, simplex.vertices[0]);
                    let moving = view.simplex::<Separate>(&scene, simplex, 0);
                    if view.has_failed(&scene, &moving, corner, beyond) {
                        return Err(format!(
                            "vertex {beyond} is inside the sphere of simplex {number} {:?}",
                            simplex.vertices
                        ));
                    }
                }
            }
        }
        let is_vertex = |&body: &u32| {
            let simplex = self.incident[body as usize];
            self.complex.simplex(simplex).corner_of(body).is_some()
        };
        match (0..self.vertices.bodies).find(|body| !is_vertex(body)) {
            Some(body) => Err(format!("body {body} is no vertex of its simplex")),
            None => Ok(()),
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
        let lists = [&self.star, &self.ring, &self.outer];
        lists.iter().map(|list| list.capacity() * 4).sum::<usize>()
            + self.everyone.as_ref().map_or(0, |everyone| everyone.memory())
            + self.vertices.memory()
            + self.complex.memory()
            + self.incident.capacity() * 4
            + self.examinations.capacity() * size_of::<Examination>()
            + self.failures.memory()
            + self.view.memory()
            + self.scratch.borrow().seen.memory()
    }
}
