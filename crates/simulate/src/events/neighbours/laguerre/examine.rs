//! Examinations: which certificates around a body may fail before the next one, and when they do.

use super::LaguerreDelaunay;
use super::certificate::{Arithmetic, Fused, Separate};
use super::vertices::TRAVEL;
use super::view::{Scene, Verdict};
use crate::events::bodies::Bodies;
use crate::events::fetch::fetch;
use carom_detect::laguerre::{CORNERS, Facet, OUTSIDE, Simplex};

impl<const D: usize> LaguerreDelaunay<D> {
    /// When a body is to be examined again: before it can be far from where it is.
    pub(super) fn look_ahead(&self, body: u32, bodies: &Bodies<D>, now: f64, part: f64) -> f64 {
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
    pub(super) fn examine_body(&mut self, body: u32, bodies: &Bodies<D>, now: f64) -> bool {
        self.vertices.follow(body, bodies, now);
        let until = self.look_ahead(body, bodies, now, 1.0);
        let examination = &mut self.examinations[body as usize];
        examination.until = until;
        examination.count = examination.count.wrapping_add(1);
        let vertices = self.vertices.of_body(body);
        let all_short = vertices.clone().all(|vertex| self.examine(vertex, bodies, now));
        if all_short || self.vertices.is_tight() {
            return all_short;
        }
        self.vertices.become_tight();
        vertices.clone().all(|vertex| self.examine(vertex, bodies, now))
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
    pub(super) fn certify_alone(
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
}

const HAS_VERTEX: &str = "every simplex of a star has its vertex";
