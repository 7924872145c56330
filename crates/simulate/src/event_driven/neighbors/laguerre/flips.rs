//! Flips of the facets whose certificates have failed.

use super::failure_heap::CertificateFailure;
use super::flip_configuration::FlipConfiguration;
use super::view::{CertificateStatus, LaguerreContext};
use super::{LaguerreDelaunay, LaguerreVertexLink};
use crate::event_driven::hard_spheres::HardSpheres;
use crate::event_driven::neighbors::AffectedBodies;
use carom_detect::laguerre::{DelaunaySimplex, INFINITE_VERTEX, MAX_CORNERS, SimplexFacet};

/// The outcome of an attempted flip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlipOutcome {
    Flipped,
    /// The facet is still valid, by the exact predicate.
    Refused,
    /// Other facets must be flipped before it: its configuration is not convex.
    Stuck,
    /// The new edge would be too long for the period.
    TooLong,
}

impl<const D: usize> LaguerreDelaunay<D> {
    /// Flips all facets whose certificates have failed; returns false if the triangulation must be rebuilt.
    pub(super) fn flip_due_facets(
        &mut self,
        bodies: &HardSpheres<D>,
        now: f64,
        touched: &mut AffectedBodies,
    ) -> bool {
        while let Some(failure) = self.failures.pop_due(now) {
            if !self.is_current(&failure, bodies, now) {
                continue;
            }
            let outcome = self.flip(failure.facet, bodies, now, touched);
            if outcome == FlipOutcome::Flipped {
                continue;
            }
            // It may have been flipped already, as another facet of the same vertices.
            let Some(after) = self.time_to_failure(failure.facet, bodies, now) else { continue };
            self.work_counts.flips_refused += 1;
            if outcome == FlipOutcome::TooLong
                || (outcome == FlipOutcome::Stuck && failure.attempts >= MAX_ATTEMPTS)
            {
                return false;
            }
            // Exponential backoff: the first delays are next to nothing, and a flip that waits for others is
            // not retried at every one of them.
            let doublings = failure.attempts.min(MAX_ATTEMPTS);
            let wait = f64::from(1 << doublings) * RETRY_DELAY * self.spacing_time;
            self.failures.retry(&failure, now + wait.max(after));
        }
        self.reorder_after_flips();
        true
    }

    /// Reorders simplices after many flips, which store new simplices wherever a slot is free.
    fn reorder_after_flips(&mut self) {
        let since = self.work_counts.flips - self.flips_in_order;
        if since > FLIPS_PER_REORDERING * self.complex.count() as u64 {
            self.reorder_simplices();
        }
    }

    /// Returns after what time a facet fails, if it does before the next examination.
    fn time_to_failure(
        &mut self,
        facet: SimplexFacet,
        bodies: &HardSpheres<D>,
        now: f64,
    ) -> Option<f64> {
        let simplex = self.complex.simplex(facet.simplex());
        let (vertices, examinations) = (&self.vertices, &self.examinations[..]);
        let context = LaguerreContext { vertices, bodies, examinations, now };
        self.view.begin(&context, simplex.vertices[0]);
        let moving = self.view.moving_simplex(&context, simplex, 0);
        let beyond = self.complex.apex(simplex.mirror_facets[facet.corner()]);
        match self.view.certify(&context, &moving, facet.corner(), beyond, 0.0) {
            CertificateStatus::Fails { after, .. } => Some(after),
            CertificateStatus::Safe | CertificateStatus::Holds => None,
        }
    }

    /// Returns whether a failure still describes its facet: the same vertices, none examined since.
    fn is_current(&self, failure: &CertificateFailure, bodies: &HardSpheres<D>, now: f64) -> bool {
        let DelaunaySimplex { vertices, mirror_facets: across } =
            self.complex.simplex(failure.facet.simplex());
        if vertices[..=D].contains(&INFINITE_VERTEX) {
            return false;
        }
        let (vertices, beyond) =
            (&vertices[..=D], self.complex.apex(across[failure.facet.corner()]));
        let context = self.context(bodies, now);
        let fingerprints = vertices.iter().map(|&vertex| context.fingerprint(vertex));
        failure.fingerprint == fingerprints.fold(context.fingerprint(beyond), u64::wrapping_add)
    }

    fn flip(
        &mut self,
        facet: SimplexFacet,
        bodies: &HardSpheres<D>,
        now: f64,
        touched: &mut AffectedBodies,
    ) -> FlipOutcome {
        let simplex = *self.complex.simplex(facet.simplex());
        let beyond = self.complex.apex(simplex.mirror_facets[facet.corner()]);
        let five =
            FlipConfiguration::at(&self.vertices, &simplex, facet.corner(), beyond, bodies, now);
        if !five.is_conflict() {
            return FlipOutcome::Refused;
        }
        let joining = five.new_edge_vector(facet.corner());
        if !self.vertices.is_short(&joining) {
            self.vertices.become_tight();
            if !self.vertices.is_short(&joining) {
                return FlipOutcome::TooLong;
            }
        }
        let outward =
            std::array::from_fn(|corner| corner <= D && five.is_positively_oriented(corner));
        let Some(flip) = self.complex.flip(facet, &outward) else { return FlipOutcome::Stuck };
        self.work_counts.flips += 1;
        self.links.iter_mut().for_each(LaguerreVertexLink::invalidate);
        for &made in flip.new_simplices() {
            self.set_incident_simplex(made);
        }
        for &made in flip.new_simplices() {
            self.certify_facets(made, &[true; MAX_CORNERS], bodies, now);
        }
        let joined = flip.new_edge.map(|pair| pair.map(|vertex| self.vertices.body(vertex)));
        // On several sheets two copies of one body may be joined; a body does not collide with itself.
        if let Some([Some(one), Some(other)]) = joined
            && one != other
        {
            touched.new_pairs.push([one, other]);
        }
        FlipOutcome::Flipped
    }
}

/// Number of flips per simplex after which simplices are reordered in memory.
const FLIPS_PER_REORDERING: u64 = 1;
/// First delay after which a refused flip is tried again, in units of the spacing time.
const RETRY_DELAY: f64 = 1e-10;
/// Number of attempts after which a flip that is still blocked by others leads to a rebuild.
const MAX_ATTEMPTS: u32 = 20;
