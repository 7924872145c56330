//! Examinations: which certificates around a body may fail before the next one, and when they do.

use super::LaguerreDelaunay;
use super::fan::Wedge;
use super::fours::LANES;
use super::vertices::TRAVEL;
use super::view::{Scene, Verdict, View};
use crate::events::bodies::Bodies;
use carom_detect::laguerre::{CORNERS, Facet, OUTSIDE};

impl<const D: usize> LaguerreDelaunay<D> {
    /// When a body is to be examined again: before it can be far from where it is.
    pub(super) fn look_ahead(&self, body: u32, bodies: &Bodies<D>, now: f64, part: f64) -> f64 {
        let mut ahead = part * f64::from(self.examinations[body as usize].ahead) * self.span;
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
        let LaguerreDelaunay { vertices, complex, examinations, view, fan, .. } = self;
        let scene = Scene { vertices, bodies, examinations, now };
        fan.open(view, &scene, complex, vertex, self.incident[vertex as usize]);
        self.rings.swap(0, 1);
        let ring = &mut self.rings[0];
        ring.bodies.clear();
        ring.bodies.extend(fan.ring().iter().filter_map(|&other| vertices.body(other)));
        ring.of = Some(vertex);
        let short =
            view.seen[..=fan.ring().len()].iter().all(|seen| vertices.is_short(&seen.step()));
        // Every simplex has a facet across from the vertex, and shares each of its others with one more.
        self.work.bounds += (fan.wedges.len() + D * fan.wedges.len() / 2) as u64;
        self.bound_all(bodies, now);
        short
    }

    /// Bounds the certificates at a vertex, and computes when those fail that might.
    fn bound_all(&mut self, bodies: &Bodies<D>, now: f64) {
        let wedges = std::mem::take(&mut self.fan.wedges);
        for four in wedges.chunks(LANES) {
            let all = std::array::from_fn(|lane| &four[lane.min(four.len() - 1)]);
            let doubtful = self.doubtful(all, bodies, now);
            let any = doubtful.iter().fold(0, |any, bits| any | bits);
            for (lane, wedge) in four.iter().enumerate().filter(|(lane, _)| any >> lane & 1 == 1) {
                let mut wanted = [false; CORNERS];
                for which in 0..=D {
                    wanted[wedge.opposite::<D>(which)] = doubtful[which] >> lane & 1 == 1;
                }
                self.solve(wedge.simplex, wedge.corner, &wanted, bodies, now);
            }
        }
        self.fan.wedges = wedges;
    }

    #[inline]
    fn doubtful(&self, wedges: [&Wedge; LANES], bodies: &Bodies<D>, now: f64) -> [u8; CORNERS] {
        #[cfg(target_arch = "x86_64")]
        if bodies.wide {
            #[allow(unsafe_code)]
            // SAFETY: `wide` is set only where the processor has these instructions.
            return unsafe { doubtful_fused(&self.view, wedges, now) };
        }
        self.view.doubtful::<false>(wedges, now)
    }

    fn look_from(&mut self, vertex: u32, bodies: &Bodies<D>, now: f64) {
        let (vertices, examinations) = (&self.vertices, &self.examinations[..]);
        self.view.begin(&Scene { vertices, bodies, examinations, now }, vertex);
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
            self.look_from(first, bodies, now);
            self.work.bounds += wanted[..=D].iter().filter(|&&wanted| wanted).count() as u64;
            self.solve(simplex, 0, wanted, bodies, now);
        }
    }

    /// Computes when some certificates of a simplex fail, one corner of which is looked from, unless
    /// they cannot while it matters.
    fn solve(
        &mut self,
        simplex: u32,
        corner: usize,
        wanted: &[bool; CORNERS],
        bodies: &Bodies<D>,
        now: f64,
    ) {
        let LaguerreDelaunay { vertices, complex, examinations, failures, work, view, .. } = self;
        let corners = complex.simplex(simplex);
        if corners.vertices[..=D].contains(&OUTSIDE) {
            return;
        }
        let scene = Scene { vertices, bodies, examinations, now };
        let moving = view.simplex(&scene, corners, corner);
        let from = (self.begun - now).max(0.0);
        for k in (0..=D).filter(|&k| wanted[k]) {
            let facet = Facet::new(simplex, k);
            let beyond = complex.apex(corners.across[k]);
            if beyond == OUTSIDE {
                continue;
            }
            match view.certify(&scene, &moving, k, beyond, from) {
                Verdict::Safe => {}
                Verdict::Holds => work.roots += 1,
                Verdict::Fails { after, fingerprint } => {
                    work.roots += 1;
                    failures.expect(now + after, facet, fingerprint);
                }
            }
        }
    }
}

/// With wide registers and fused operations.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn doubtful_fused<const D: usize>(
    view: &View<D>,
    wedges: [&Wedge; LANES],
    now: f64,
) -> [u8; CORNERS] {
    view.doubtful::<true>(wedges, now)
}
