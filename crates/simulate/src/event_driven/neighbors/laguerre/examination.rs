//! Examinations: which certificates around a body may fail before the next examination, and when.

use super::LaguerreDelaunay;
use super::vertex_star::StarSimplex;
use super::vertices::TRAVEL;
use super::view::{CertificateStatus, LaguerreContext};
use crate::event_driven::hard_spheres::HardSpheres;
use carom_detect::laguerre::{INFINITE_VERTEX, MAX_CORNERS, SimplexFacet};
use carom_geometry::simd::F64_LANES;

impl<const D: usize> LaguerreDelaunay<D> {
    /// Returns the time of a body's next examination: after its horizon, but before it can travel so far that
    /// nearest images become ambiguous or it reaches a guard.
    pub(super) fn next_examination_time(
        &self,
        body: u32,
        bodies: &HardSpheres<D>,
        now: f64,
        part: f64,
    ) -> f64 {
        let mut ahead =
            part * f64::from(self.examinations[body as usize].horizon) * self.spacing_time;
        let period = self.vertices.period();
        let velocity = bodies.velocity_at(body, now);
        let acceleration = bodies.acceleration(body);
        for axis in (0..D).filter(|&axis| period[axis] > 0.0) {
            let room = bodies.images.half[axis] - 2.0 * bodies.radius_at(body, now);
            let travel = (TRAVEL * period[axis]).min(0.2 * room);
            // At the speed v + √(a d), the time d / speed is short enough: v t + a t² / 2 is at most d.
            let speed = velocity[axis].abs() + (acceleration[axis].abs() * travel).sqrt();
            ahead = ahead.min(travel / speed);
        }
        now + ahead.min(self.vertices.time_inside_guards(body, bodies, now))
    }

    /// Certifies the facets around a body until its next examination; returns false if an edge is too long for
    /// the period, so that the triangulation must be rebuilt.
    pub(super) fn examine_body(&mut self, body: u32, bodies: &HardSpheres<D>, now: f64) -> bool {
        self.vertices.track_sheet(body, bodies, now);
        let until = self.next_examination_time(body, bodies, now, 1.0);
        let examination = &mut self.examinations[body as usize];
        examination.until = until;
        // Makes all known failures of facets at this body stale: see `CertificateFailure::fingerprint`.
        examination.count = examination.count.wrapping_add(1);
        let vertices = self.vertices.of_body(body);
        let all_short = vertices.clone().all(|vertex| self.examine_vertex(vertex, bodies, now));
        if all_short || self.vertices.is_tight() {
            return all_short;
        }
        // An edge has outgrown the length below which images are unique. Telling images apart admits longer edges;
        // only if that fails too, all is rebuilt.
        self.vertices.become_tight();
        vertices.clone().all(|vertex| self.examine_vertex(vertex, bodies, now))
    }

    /// Certifies the facets at a vertex and those opposite to it; returns false if an edge has become so long
    /// that its nearest image is ambiguous.
    fn examine_vertex(&mut self, vertex: u32, bodies: &HardSpheres<D>, now: f64) -> bool {
        let LaguerreDelaunay { vertices, complex, examinations, view, star: fan, .. } = self;
        let context = LaguerreContext { vertices, bodies, examinations, now };
        fan.collect(view, &context, complex, vertex, self.incident_simplices[vertex as usize]);
        // The older of the two cached links is overwritten.
        self.links.swap(0, 1);
        let ring = &mut self.links[0];
        ring.bodies.clear();
        ring.bodies.extend(fan.link().iter().filter_map(|&other| vertices.body(other)));
        ring.vertex = Some(vertex);
        let short = view.viewed[..=fan.link().len()]
            .iter()
            .all(|seen| vertices.is_short(&seen.displacement()));
        // Every simplex of the star has one facet opposite to the vertex, and shares each of the other D with
        // one more simplex.
        self.work_counts.certificates_bounded +=
            (fan.star_simplices.len() + D * fan.star_simplices.len() / 2) as u64;
        self.bound_certificates(bodies, now);
        short
    }

    /// Bounds the certificates at a vertex, four simplices at a time, and solves those that might fail.
    fn bound_certificates(&mut self, bodies: &HardSpheres<D>, now: f64) {
        let wedges = std::mem::take(&mut self.star.star_simplices);
        for four in wedges.chunks(F64_LANES) {
            // Unused lanes repeat the last simplex; the loop below ignores them.
            let all = std::array::from_fn(|lane| &four[lane.min(four.len() - 1)]);
            let doubtful = self.possibly_failing(all, bodies, now);
            // Most groups of four have no doubtful facet, and end here.
            let any = doubtful.iter().fold(0, |any, bits| any | bits);
            for (lane, wedge) in four.iter().enumerate().filter(|(lane, _)| any >> lane & 1 == 1) {
                let mut wanted = [false; MAX_CORNERS];
                for which in 0..=D {
                    wanted[wedge.opposite::<D>(which)] = doubtful[which] >> lane & 1 == 1;
                }
                self.solve_certificates(wedge.simplex, wedge.corner, &wanted, bodies, now);
            }
        }
        self.star.star_simplices = wedges;
    }

    #[inline]
    fn possibly_failing(
        &self,
        wedges: [&StarSimplex; F64_LANES],
        bodies: &HardSpheres<D>,
        now: f64,
    ) -> [u8; MAX_CORNERS] {
        match bodies.avx2 {
            Some(avx2) => avx2.run(|| self.view.possibly_failing::<true>(wedges, now)),
            None => self.view.possibly_failing::<false>(wedges, now),
        }
    }

    fn set_view_origin(&mut self, vertex: u32, bodies: &HardSpheres<D>, now: f64) {
        let (vertices, examinations) = (&self.vertices, &self.examinations[..]);
        self.view.begin(&LaguerreContext { vertices, bodies, examinations, now }, vertex);
    }

    /// Certifies the wanted facets of a simplex, with its first vertex as the origin of the view.
    pub(super) fn certify_facets(
        &mut self,
        simplex: u32,
        wanted: &[bool; MAX_CORNERS],
        bodies: &HardSpheres<D>,
        now: f64,
    ) {
        let first = self.complex.simplex(simplex).vertices[0];
        if first != INFINITE_VERTEX {
            self.set_view_origin(first, bodies, now);
            self.work_counts.certificates_bounded +=
                wanted[..=D].iter().filter(|&&wanted| wanted).count() as u64;
            self.solve_certificates(simplex, 0, wanted, bodies, now);
        }
    }

    /// Computes when the wanted certificates of a simplex fail, and queues those that do before the next
    /// examination; `corner` is the origin of the view.
    fn solve_certificates(
        &mut self,
        simplex: u32,
        corner: usize,
        wanted: &[bool; MAX_CORNERS],
        bodies: &HardSpheres<D>,
        now: f64,
    ) {
        let LaguerreDelaunay {
            vertices,
            complex,
            examinations,
            failures,
            work_counts: work,
            view,
            ..
        } = self;
        let corners = complex.simplex(simplex);
        if corners.vertices[..=D].contains(&INFINITE_VERTEX) {
            return;
        }
        let context = LaguerreContext { vertices, bodies, examinations, now };
        let moving = view.moving_simplex(&context, corners, corner);
        // Before `valid_from` the triangulation is that of the future, and its certificates may be negative.
        let from = (self.valid_from - now).max(0.0);
        for k in (0..=D).filter(|&k| wanted[k]) {
            let facet = SimplexFacet::new(simplex, k);
            let beyond = complex.apex(corners.mirror_facets[k]);
            if beyond == INFINITE_VERTEX {
                continue;
            }
            match view.certify(&context, &moving, k, beyond, from) {
                CertificateStatus::Safe => {}
                CertificateStatus::Holds => work.certificates_solved += 1,
                CertificateStatus::Fails { after, fingerprint } => {
                    work.certificates_solved += 1;
                    failures.push(now + after, facet, fingerprint);
                }
            }
        }
    }
}
