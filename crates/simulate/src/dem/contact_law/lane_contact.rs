//! Normal and friction force of a contact, for one or for four at once.

use super::lane_vector::LaneVector;
use super::normal::ElasticForce;
use super::{Cohesion, CompositeLaw, RollingResistance};
use crate::dem::contact_losses::ContactLosses;
use carom_geometry::simd::LaneNumber;

/// Kinematics of a contact in lanes. Vectors are of the first body relative to the second.
#[derive(Clone, Copy, Debug)]
pub(in crate::dem) struct LaneContactKinematics<N> {
    /// Unit normal, from the first to the second.
    pub normal: LaneVector<N>,
    /// Relative velocity at the contact point, half a step ago.
    pub velocity: LaneVector<N>,
    /// Predicted change of that velocity until now, by all forces.
    pub velocity_change: LaneVector<N>,
    /// Overlap (penetration depth).
    pub overlap: N,
    /// Sum of the inverse masses.
    pub inverse_mass: N,
    /// Inverse effective mass of the contact point in tangential direction.
    pub inverse_effective_mass: N,
    /// Friction coefficient, times the growth of the overlap per approach.
    pub friction_coefficient: N,
}

/// Force of a contact on the first body, and energy lost.
#[derive(Clone, Copy, Debug)]
pub(in crate::dem) struct LaneContactForce<N> {
    /// Normal force, positive for repulsion.
    pub normal_force: N,
    /// Tangential force.
    pub tangential_force: LaneVector<N>,
    /// Energy lost in this step.
    pub losses: ContactLosses<N>,
}

impl CompositeLaw {
    /// Returns whether there is neither rolling resistance nor cohesion, so that
    /// [`Self::normal_and_friction_force`] is the complete law.
    pub(in crate::dem) fn has_only_normal_and_friction(&self) -> bool {
        self.rolling == RollingResistance::None && self.cohesion == Cohesion::None
    }

    /// Returns the elastic force and the damping coefficient.
    #[inline(always)]
    pub(in crate::dem) fn elastic_and_damping<N: LaneNumber>(
        &self,
        overlap: N,
        inverse_mass: N,
        radius: impl Fn() -> N,
    ) -> (ElasticForce<N>, N) {
        let elastic = self.normal.elastic_force(overlap, radius);
        (elastic, self.damping.coefficient(&elastic, inverse_mass))
    }

    /// Returns normal and friction force of a contact for its present approach speed, and updates its
    /// tangential displacement, that of the first body relative to the second.
    #[inline(always)]
    pub(in crate::dem) fn normal_and_friction_force<N: LaneNumber>(
        &self,
        kinematics: &LaneContactKinematics<N>,
        (elastic, damping_coefficient): (ElasticForce<N>, N),
        approach_speed: N,
        tangential_displacement: &mut LaneVector<N>,
        time_step: f64,
    ) -> LaneContactForce<N> {
        let (normal, time_step, zero, one) =
            (&kinematics.normal, N::splat(time_step), N::splat(0.0), N::splat(1.0));
        let normal_force = elastic.force + damping_coefficient * approach_speed;
        let mut losses = ContactLosses {
            damping_loss: damping_coefficient * approach_speed * approach_speed * time_step,
            friction_loss: zero,
        };
        let mut tangential_force = LaneVector([zero; 3]);
        if let Some(spring) = self.tangential.spring(&elastic, damping_coefficient) {
            let normal_velocity = kinematics.velocity.dot(normal);
            let slip = kinematics.velocity.minus(&normal.times(normal_velocity));
            let stiffness_ratio =
                self.tangential.stiffness_ratio(kinematics.overlap, normal_velocity * time_step);
            let stored = tangential_displacement.dot(tangential_displacement) / stiffness_ratio;
            // The contact plane rotates with the bodies, so the displacement is projected onto it. A
            // spring that has become stiffer keeps its force, so its displacement shrinks.
            let kept =
                tangential_displacement.minus(&normal.times(normal.dot(tangential_displacement)));
            let kept = kept.times(one / stiffness_ratio.max(one));
            // Energy that the spring lost by this; never negative.
            losses.friction_loss =
                N::splat(0.5) * spring.stiffness * (stored - kept.dot(&kept)).max(zero);
            // Positions moved with the velocities of half a step ago, and so does the spring: then it
            // oscillates without loss or gain (leapfrog), like the normal springs.
            *tangential_displacement = kept.plus(&slip.times(time_step));
            // Explicit damping with c dt / m > 1 would reverse the slip within a step and grow without
            // bound; it is limited so that it only stops the slip.
            let damped = spring.damping_coefficient * time_step * kinematics.inverse_effective_mass;
            let rate = match damped.any_above(one) {
                true => spring.damping_coefficient / damped.max(one),
                false => spring.damping_coefficient,
            };
            // Present slip, by the prediction of `BodyMotion`, of which the part that this damping will
            // remove is left out.
            let change = kinematics
                .velocity_change
                .minus(&normal.times(kinematics.velocity_change.dot(normal)));
            let change = change.times(one - damped.min(one));
            let slip_now = slip.plus(&change);
            let spring_force = tangential_displacement.times(-spring.stiffness);
            tangential_force = spring_force.minus(&slip_now.times(rate));
            let friction_limit = kinematics.friction_coefficient * normal_force.max(zero);
            // Coulomb's limit holds for the spring alone too, not only for spring plus damping. Where
            // damping opposes the spring, it could otherwise store more than friction can hold, and that
            // energy would vanish unaccounted when the contact ends.
            let (square, bound) =
                (spring_force.dot(&spring_force), friction_limit * friction_limit);
            let size = tangential_force.dot(&tangential_force).max(square);
            let mut friction_loss = rate * slip_now.dot(&slip_now) * time_step;
            // Skipped if none of the lanes slides.
            if size.any_above(bound) {
                // The spring is cut back where it alone exceeds the limit, and damping gets what is left
                // of it. Putting the whole limit into the spring would store energy that damping has lost.
                let part =
                    (friction_limit / (square + N::splat(f64::MIN_POSITIVE)).sqrt()).min(one);
                let (held, spring_force) =
                    (tangential_displacement.times(part), spring_force.times(part));
                let damping = slip_now.times(-rate);
                // The part s of the damping with |spring_force + s damping| = limit, a root of a quadratic.
                let (square, along) = (damping.dot(&damping), spring_force.dot(&damping));
                let room = (bound - spring_force.dot(&spring_force)).max(zero);
                let root = (along * along + square * room).sqrt();
                let damped = ((root - along) / (square + N::splat(f64::MIN_POSITIVE))).min(one);
                let slid = spring_force.plus(&damping.times(damped));
                // Sliding distance of the spring in the step around now. Its energy changed from `kept` to
                // `held` at the force of the end; half the stiffness times the squared change corrects for
                // that.
                let gave_way = part.choose(N::splat(1.0 - f64::EPSILON), zero, one);
                let sliding_displacement =
                    tangential_displacement.minus(&held).plus(&change.times(gave_way * time_step));
                let moved = held.minus(&kept);
                let relaxed = gave_way * N::splat(0.5) * spring.stiffness * moved.dot(&moved);
                let friction = (-spring_force.dot(&sliding_displacement)).max(zero)
                    + relaxed
                    + damped * friction_loss;
                friction_loss = size.choose(bound, friction, friction_loss);
                tangential_force = LaneVector::choose(size, bound, &slid, &tangential_force);
                *tangential_displacement =
                    LaneVector::choose(size, bound, &held, tangential_displacement);
            }
            losses.friction_loss = losses.friction_loss + friction_loss;
        }
        LaneContactForce { normal_force, tangential_force, losses }
    }
}

impl<N: LaneNumber> LaneContactKinematics<N> {
    /// Returns the present approach speed of a contact that acted in the previous step: that of half a step ago,
    /// changed by all forces of the previous step and by the change of this contact's own force since.
    ///
    /// The latter makes the losses of a contact correct to third order in the time step, and keeps strong
    /// damping stable.
    #[inline(always)]
    pub fn approach_speed(
        &self,
        (elastic, damping_coefficient): &(ElasticForce<N>, N),
        time_step: f64,
    ) -> N {
        let (time_step, one) = (N::splat(time_step), N::splat(1.0));
        let normal_velocity = self.velocity.dot(&self.normal);
        let velocity_per_force = time_step * self.inverse_mass;
        let overlap_change = (normal_velocity * time_step).min(self.overlap);
        let change = self.velocity_change.dot(&self.normal)
            * (one - (velocity_per_force * *damping_coefficient).min(one));
        normal_velocity + change
            - N::splat(0.5) * velocity_per_force * elastic.stiffness * overlap_change
    }

    /// Returns the present approach speed of a contact that has just begun, which had no part in the forces of
    /// the previous step.
    pub fn initial_approach_speed(
        &self,
        (elastic, damping_coefficient): &(ElasticForce<N>, N),
        time_step: f64,
    ) -> N {
        let half = N::splat(0.5 * time_step) * self.inverse_mass;
        let free = self.velocity.plus(&self.velocity_change).dot(&self.normal);
        (free - half * elastic.force) / (N::splat(1.0) + half * *damping_coefficient)
    }
}
