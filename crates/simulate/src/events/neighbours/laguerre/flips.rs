//! Flips of the facets whose certificates have failed.

use super::five::Five;
use super::heap::Failure;
use super::view::{Scene, Verdict};
use super::{LaguerreDelaunay, Ring};
use crate::events::bodies::Bodies;
use crate::events::neighbours::Touched;
use carom_detect::laguerre::{CORNERS, Facet, OUTSIDE, Simplex};

/// What became of a flip.
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

impl<const D: usize> LaguerreDelaunay<D> {
    /// Flips all facets whose certificates have failed; false if that cannot be done.
    pub(super) fn flip_all_due(
        &mut self,
        bodies: &Bodies<D>,
        now: f64,
        touched: &mut Touched,
    ) -> bool {
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
            let wait = f64::from(1 << doublings) * RETRY * self.span;
            self.failures.try_again(&failure, now + wait.max(after));
        }
        self.tidy();
        true
    }

    /// Simplices that were made by flips lie where there was room.
    fn tidy(&mut self) {
        let since = self.work.flips - self.flips_in_order;
        if since > TIDY_AFTER * self.complex.count() as u64 {
            self.put_in_order();
        }
    }

    /// In how long a facet fails, if it does while it matters.
    fn fails_after(&mut self, facet: Facet, bodies: &Bodies<D>, now: f64) -> Option<f64> {
        let simplex = self.complex.simplex(facet.simplex());
        let (vertices, examinations) = (&self.vertices, &self.examinations[..]);
        let scene = Scene { vertices, bodies, examinations, now };
        self.view.begin(&scene, simplex.vertices[0]);
        let moving = self.view.simplex(&scene, simplex, 0);
        let beyond = self.complex.apex(simplex.across[facet.corner()]);
        match self.view.certify(&scene, &moving, facet.corner(), beyond, 0.0) {
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
        let scene = self.scene(bodies, now);
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
        let joining = five.joining_step(facet.corner());
        if !self.vertices.is_short(&joining) {
            self.vertices.become_tight();
            if !self.vertices.is_short(&joining) {
                return Outcome::TooLong;
            }
        }
        let outward = std::array::from_fn(|corner| corner <= D && five.is_outward(corner));
        let Some(flip) = self.complex.flip(facet, &outward) else { return Outcome::Stuck };
        self.work.flips += 1;
        self.rings.iter_mut().for_each(Ring::forget);
        for &made in flip.made() {
            self.note_incident(made);
        }
        for &made in flip.made() {
            self.certify_alone(made, &[true; CORNERS], bodies, now);
        }
        let joined = flip.joined.map(|pair| pair.map(|vertex| self.vertices.body(vertex)));
        // On several sheets two copies of one body may be joined; a body does not meet itself.
        if let Some([Some(one), Some(other)]) = joined
            && one != other
        {
            touched.joined.push([one, other]);
        }
        Outcome::Flipped
    }
}

/// The simplices are put in order again after so many flips of each.
const TIDY_AFTER: u64 = 1;
/// A flip that could not be made is first tried again after this part of the time in which a body gets as
/// far as the next one is.
const RETRY: f64 = 1e-10;
/// If others do not make way for it in so many attempts, all is built anew.
const MOST_ATTEMPTS: u32 = 20;
