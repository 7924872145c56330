//! The kinetic Laguerre Delaunay triangulation: the first structure of Gavrilova and Rokne (2002).
//!
//! Bodies are neighbors if their Laguerre cells (power diagram) share a facet. For spheres that do not
//! overlap no cell is ever empty, and two that touch are neighbors, whatever their sizes. While bodies
//! move, a facet whose certificate fails is flipped: in 2D two triangles become the two others of four
//! points, in 3D two tetrahedra become three or three become two.
//!
//! Certificates are not solved eagerly. Every body has a time at which it is *examined* again, and an
//! examination bounds the certificates of the facets around the body only until the next examination of
//! any of the bodies concerned. Few can fail by then; only for these the failure time is computed and kept
//! in a heap. The flip event belongs to the first body, whichever facet it is for.
//!
//! Cost: about 15 neighbors per body in 3D and 6 in 2D, at any ratio of sizes; a deflection bounds about
//! 63 certificates in 3D and 12 in 2D. Flips depend on how far bodies travel, not on how often they
//! collide: about ten per body in the time a body needs for its diameter, at any density. For equal
//! spheres at a packing fraction of 0.49 that is 0.42 flips, 150 bounds and 5 roots per collision.
//! Certificates are bounded four at a time, and most of the time goes into the traversal around a body and
//! into waiting for memory. In mixtures of 1:10 roots take over (50 per collision), since a large body
//! that is deflected moves the horizon of hundreds of facets.
//!
//! The predicates that confirm a flip are exact. Certificates are rounded, and a flip comes late by their
//! error. Two bodies are neighbors long before they touch, so that does no harm.

mod certificate;
mod check;
mod examination;
mod failure_heap;
mod flip_configuration;
mod flips;
mod trajectory_lanes;
mod vertex_star;
mod vertices;
mod view;

use super::{
    AffectedBodies, HardSpheres, KineticAllPairs, KineticNeighborStructure, PrefetchStage,
    UpcomingEvent,
};
use crate::event_driven::huge_pages::advise_huge_pages;
use crate::event_driven::prefetch::prefetch;
use carom_detect::laguerre::{INFINITE_VERTEX, SimplexFacet, SimplicialComplex, VisitedIndexSet};
use carom_geometry::math;
use failure_heap::FailureHeap;
use std::sync::{Mutex, PoisonError};
use vertex_star::LaguerreVertexStar;
use vertices::LaguerreVertices;
use view::{Examination, LaguerreContext, LaguerreVertexView};

/// The kinetic triangulation; see the module.
#[derive(Debug)]
pub struct LaguerreDelaunay<const D: usize> {
    vertices: LaguerreVertices<D>,
    /// Used instead of all else for a handful of bodies in a periodic box.
    all_pairs: Option<KineticAllPairs<D>>,
    complex: SimplicialComplex<D>,
    /// One incident simplex of each vertex.
    incident_simplices: Vec<u32>,
    examinations: Vec<Examination>,
    failures: FailureHeap,
    /// Time for which the triangulation was built, slightly after the start.
    valid_from: f64,
    /// Number of flips when the simplices were last reordered.
    flips_in_order: u64,
    /// Typical time in which a body travels the distance to the next one.
    spacing_time: f64,
    work_counts: LaguerreWorkCounts,
    /// Behind a lock, so that simulations can be shared among threads; it is taken on the slow path only.
    scratch: Mutex<LaguerreScratch>,
    view: LaguerreVertexView<D>,
    star: LaguerreVertexStar,
    /// Cached neighbors of the two vertices examined last, until something flips: both bodies of a
    /// collision are examined and then predicted.
    links: [LaguerreVertexLink; 2],
}

/// The link of a vertex: its neighbors.
#[derive(Debug, Default)]
struct LaguerreVertexLink {
    vertex: Option<u32>,
    bodies: Vec<u32>,
}

impl LaguerreVertexLink {
    fn invalidate(&mut self) {
        self.vertex = None;
    }
}

/// Counts of work over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LaguerreWorkCounts {
    flips: u64,
    certificates_bounded: u64,
    certificates_solved: u64,
    reexaminations: u64,
    flips_refused: u64,
    rebuilds: u64,
}

#[derive(Debug, Default)]
struct LaguerreScratch {
    simplices: VisitedIndexSet,
    star: Vec<u32>,
    bodies: VisitedIndexSet,
}

impl LaguerreScratch {
    /// Returns the bytes held.
    fn memory(&self) -> usize {
        self.simplices.memory() + self.star.capacity() * 4 + self.bodies.memory()
    }
}

impl<const D: usize> LaguerreDelaunay<D> {
    pub fn new() -> Self {
        LaguerreDelaunay {
            vertices: LaguerreVertices::new(),
            all_pairs: None,
            complex: SimplicialComplex::default(),
            incident_simplices: Vec::new(),
            examinations: Vec::new(),
            failures: FailureHeap::default(),
            valid_from: 0.0,
            flips_in_order: 0,
            spacing_time: 1.0,
            work_counts: LaguerreWorkCounts::default(),
            scratch: Mutex::default(),
            view: LaguerreVertexView::new(),
            star: LaguerreVertexStar::default(),
            links: Default::default(),
        }
    }

    /// Builds the triangulation of a moment slightly ahead: at the present, bodies on a lattice are degenerate
    /// and have many triangulations, of which only one will be valid when they move.
    fn build(&mut self, bodies: &HardSpheres<D>, now: f64) {
        let (length, speed) = self.typical_scales(bodies, now);
        let instant = if speed > 0.0 { START_OFFSET * length / speed } else { 0.0 };
        self.valid_from = now + instant;
        self.all_pairs = None;
        let Some(complex) = self.vertices.start(bodies, self.valid_from) else {
            let mut everyone = KineticAllPairs::new();
            everyone.start(bodies, now);
            self.all_pairs = Some(everyone);
            return;
        };
        self.complex = complex;
        self.failures.clear();
        self.reorder_simplices();
        self.spacing_time = if speed > 0.0 { length / speed } else { 1.0 };
        let unknown = Examination { until: now, count: 0, horizon: INITIAL_HORIZON };
        self.examinations.resize(self.vertices.bodies as usize, unknown);
        for body in 0..self.vertices.bodies {
            // Examinations are spread over time, so that not all come due at once.
            let part = 0.5 + 0.5 * f64::from(body.wrapping_mul(0x9e37_79b9)) / f64::from(u32::MAX);
            let until = self.next_examination_time(body, bodies, now, part);
            self.examinations[body as usize].until = until;
        }
        for number in 0..self.complex.slot_count() as u32 {
            let across = self.complex.simplex(number).mirror_facets;
            // A facet belongs to two simplices; the one with the smaller number certifies it.
            let wanted = std::array::from_fn(|k| SimplexFacet::new(number, k) < across[k]);
            self.certify_facets(number, &wanted, bodies, now);
        }
    }

    /// Reorders simplices so that those near each other in space are near each other in memory.
    fn reorder_simplices(&mut self) {
        let new = self.complex.reorder_by_least_vertex();
        self.failures.renumber(&new);
        self.flips_in_order = self.work_counts.flips;
        self.links.iter_mut().for_each(LaguerreVertexLink::invalidate);
        self.incident_simplices.clear();
        self.incident_simplices.resize(self.vertices.count(), u32::MAX);
        for number in 0..self.complex.slot_count() as u32 {
            self.set_incident_simplex(number);
        }
    }

    /// Returns a typical distance between bodies and their typical speed.
    fn typical_scales(&self, bodies: &HardSpheres<D>, now: f64) -> (f64, f64) {
        let count = bodies.count() as f64;
        let all = || 0..bodies.count() as u32;
        let length = math::powf(bodies.region.volume() / count, 1.0 / D as f64);
        let squares: f64 = all().map(|body| bodies.velocity_at(body, now).norm_squared()).sum();
        // √(a l) is, but for a factor, the speed after a fall through one spacing: bodies at rest under gravity
        // have a time scale too.
        let acceleration = all().map(|body| bodies.acceleration(body).norm()).fold(0.0, f64::max);
        let widest = all().map(|body| bodies.radius_at(body, now)).fold(0.0, f64::max);
        let widening = widest * bodies.growth.rate / bodies.growth.at(now);
        (length, (squares / count).sqrt() + (acceleration * length).sqrt() + widening)
    }

    fn set_incident_simplex(&mut self, simplex: u32) {
        for vertex in self.complex.simplex(simplex).vertices.into_iter().take(D + 1) {
            if vertex != INFINITE_VERTEX {
                self.incident_simplices[vertex as usize] = simplex;
            }
        }
    }

    /// Rebuilds everything in the middle of a run.
    fn rebuild(&mut self, bodies: &HardSpheres<D>, now: f64, touched: &mut AffectedBodies) {
        self.work_counts.rebuilds += 1;
        self.build(bodies, now);
        let mut found = Vec::new();
        for body in 0..self.vertices.bodies {
            touched.rescheduled.push(body);
            let later = |&&other: &&u32| other > body;
            let others = self.neighbors(body, &mut found).iter().filter(later);
            // Which pairs were neighbors before is lost, so all count as new, each once.
            touched.new_pairs.extend(others.map(|&other| [body, other]));
        }
    }

    fn context<'a>(&'a self, bodies: &'a HardSpheres<D>, now: f64) -> LaguerreContext<'a, D> {
        LaguerreContext { vertices: &self.vertices, bodies, examinations: &self.examinations, now }
    }

    fn reschedule_flips(&mut self, touched: &mut AffectedBodies) {
        if self.failures.has_earlier_failure() {
            touched.rescheduled.push(FLIP_EVENT_BODY);
        }
    }
}

/// The body whose events carry the flips.
const FLIP_EVENT_BODY: u32 = 0;
/// Initial examination horizon, in units of the spacing time.
const INITIAL_HORIZON: f32 = 0.05;
/// Time offset at which the triangulation is built, in units of the spacing time.
const START_OFFSET: f64 = 1e-7;

impl<const D: usize> KineticNeighborStructure<D> for LaguerreDelaunay<D> {
    fn start(&mut self, bodies: &HardSpheres<D>, now: f64) {
        self.build(bodies, now);
    }

    fn next_change(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) -> f64 {
        if let Some(everyone) = &mut self.all_pairs {
            return everyone.next_change(body, bodies, now);
        }
        let examined = self.examinations[body as usize].until;
        // The event loop knows events of bodies only, so flips are events of one of them.
        if body == FLIP_EVENT_BODY { examined.min(self.failures.announce()) } else { examined }
    }

    fn apply_change(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        now: f64,
        fresh: &mut Vec<u32>,
        touched: &mut AffectedBodies,
    ) {
        if let Some(everyone) = &mut self.all_pairs {
            return everyone.apply_change(body, bodies, now, fresh, touched);
        }
        if body == FLIP_EVENT_BODY && !self.flip_due_facets(bodies, now, touched) {
            return self.rebuild(bodies, now, touched);
        }
        if self.examinations[body as usize].until <= now {
            self.work_counts.reexaminations += 1;
            self.examinations[body as usize].was_due();
            if self.vertices.has_left(body, bodies, now) {
                return self.rebuild(bodies, now, touched);
            }
            if !self.examine_body(body, bodies, now) {
                return self.rebuild(bodies, now, touched);
            }
            if self.vertices.has_copies() {
                // Another image of a neighbor may be the nearest by now, so all pairs are tested again.
                let mut found = Vec::new();
                fresh.extend_from_slice(self.neighbors(body, &mut found));
            }
        }
        self.reschedule_flips(touched);
    }

    fn update_deflected(
        &mut self,
        body: u32,
        bodies: &HardSpheres<D>,
        now: f64,
        touched: &mut AffectedBodies,
    ) {
        if self.all_pairs.is_some() {
            return;
        }
        self.examinations[body as usize].was_deflected();
        if !self.examine_body(body, bodies, now) {
            return self.rebuild(bodies, now, touched);
        }
        self.reschedule_flips(touched);
    }

    fn neighbors<'a>(&'a self, body: u32, found: &'a mut Vec<u32>) -> &'a [u32] {
        if let Some(everyone) = &self.all_pairs {
            return everyone.neighbors(body, found);
        }
        if let Some(ring) = self.links.iter().find(|ring| ring.vertex == Some(body))
            // With copies several vertices of the link may be one body, which the star below lists once.
            && !self.vertices.has_copies()
        {
            return &ring.bodies;
        }
        // A poisoned lock does no harm: scratch is cleared before each use.
        let mut scratch = self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let LaguerreScratch { simplices, star, bodies } = &mut *scratch;
        self.complex.star(body, self.incident_simplices[body as usize], simplices, star);
        found.clear();
        bodies.clear();
        bodies.insert(body);
        for &simplex in &*star {
            let vertices = self.complex.simplex(simplex).vertices;
            let others = vertices.into_iter().take(D + 1).filter_map(|v| self.vertices.body(v));
            found.extend(others.filter(|&other| bodies.insert(other).1));
        }
        found
    }

    fn prefetch(&self, body: u32, _: &HardSpheres<D>, stage: PrefetchStage, _: UpcomingEvent) {
        let Some(&first) = self.incident_simplices.get(body as usize) else { return };
        match stage {
            PrefetchStage::Body => {
                prefetch(&self.incident_simplices, body as usize);
                prefetch(&self.examinations, body as usize);
            }
            PrefetchStage::List => prefetch(self.complex.slots(), first as usize),
            PrefetchStage::Neighbors => {
                for across in self.complex.simplex(first).mirror_facets {
                    prefetch(self.complex.slots(), across.simplex() as usize);
                }
            }
        }
    }

    fn advise_huge_pages(&self) {
        advise_huge_pages(self.complex.slots());
        advise_huge_pages(&self.incident_simplices);
        advise_huge_pages(&self.examinations);
    }

    fn check(&self, bodies: &HardSpheres<D>, now: f64) -> Result<(), String> {
        match &self.all_pairs {
            Some(everyone) => everyone.check(bodies, now),
            None => self.check_triangulation(bodies, now),
        }
    }

    fn statistics(&self) -> Vec<(&'static str, u64)> {
        let LaguerreWorkCounts {
            flips,
            certificates_bounded: bounds,
            certificates_solved: roots,
            reexaminations: renewals,
            flips_refused: refusals,
            rebuilds,
        } = self.work_counts;
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
        self.links.iter().map(|ring| ring.bodies.capacity() * 4).sum::<usize>()
            + self.all_pairs.as_ref().map_or(0, |everyone| everyone.memory())
            + self.vertices.memory()
            + self.complex.memory()
            + self.incident_simplices.capacity() * 4
            + self.examinations.capacity() * size_of::<Examination>()
            + self.failures.memory()
            + self.view.memory()
            + self.star.memory()
            + self.scratch.lock().unwrap_or_else(PoisonError::into_inner).memory()
    }
}
