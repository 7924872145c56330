//! What a contact does that has begun and goes on, as nearly all do: one, or four at once.

use super::lane_number::{LaneNumber, LaneVector};
use super::{Cohesion, ContactLaw, RollingResistance, normal::ElasticForce};

/// A contact that goes on. Vectors are of the first body relative to the second.
#[derive(Clone, Copy, Debug)]
pub(in crate::dem) struct LaneContactKinematics<N> {
    /// From the first to the second, of length one.
    pub normal: LaneVector<N>,
    /// The velocity of the first at the point of contact, half a step ago.
    pub velocity: LaneVector<N>,
    /// How much it has changed until now, by all forces.
    pub velocity_change: LaneVector<N>,
    /// How deep they are in each other.
    pub overlap: N,
    /// One over each mass, summed.
    pub inverse_mass: N,
    /// How fast the point of contact becomes across the normal by a push of one.
    pub inverse_effective_mass: N,
}

/// What it does to the first body, and what it cost.
#[derive(Clone, Copy, Debug)]
pub(in crate::dem) struct LaneContactForce<N> {
    /// Along the normal, that which presses.
    pub normal_force: N,
    /// Across the normal.
    pub tangential_force: LaneVector<N>,
    /// Energy lost in this step to damping along the normal, and across it.
    pub losses: [N; 2],
}

impl ContactLaw {
    /// Whether nothing resists rolling or holds: then [`Self::normal_and_friction_force`] is all that happens.
    pub(in crate::dem) fn has_only_normal_and_friction(&self) -> bool {
        self.rolling == RollingResistance::None && self.cohesion == Cohesion::None
    }

    /// The elastic force and the damping for a speed of one.
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

    /// What presses and rubs within a step, of bodies that come nearer so fast now; `tangential_displacement` is how far
    /// the first has been displaced across the normal, and is brought up to date.
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
            (&kinematics.normal, N::of(time_step), N::of(0.0), N::of(1.0));
        let normal_force = elastic.force + damping_coefficient * approach_speed;
        let mut losses = [damping_coefficient * approach_speed * approach_speed * time_step, zero];
        let mut tangential_force = LaneVector([zero; 3]);
        if let Some(spring) = self.tangential.spring(&elastic, damping_coefficient) {
            let normal_velocity = kinematics.velocity.dot(normal);
            let slip = kinematics.velocity.minus(&normal.times(normal_velocity));
            let stiffness_ratio =
                self.tangential.stiffness_ratio(kinematics.overlap, normal_velocity * time_step);
            let stored = tangential_displacement.dot(tangential_displacement) / stiffness_ratio;
            // The plane of contact turns with the bodies, and the memory with it. What has become
            // stiffer pushes as hard as before, so it is displaced less.
            let kept =
                tangential_displacement.minus(&normal.times(normal.dot(tangential_displacement)));
            let kept = kept.times(one / stiffness_ratio.max(one));
            // Energy that the spring lost by this; never negative.
            losses[1] = N::of(0.5) * spring.stiffness * (stored - kept.dot(&kept)).max(zero);
            // Positions moved with velocities of half a step ago, and so is the spring displaced: it
            // swings without loss or gain, as springs along normals do.
            *tangential_displacement = kept.plus(&slip.times(time_step));
            // Damping that is so strong that it would turn the slip round within a step only stops it.
            let damped = spring.damping_coefficient * time_step * kinematics.inverse_effective_mass;
            let rate = match damped.any_above(one) {
                true => spring.damping_coefficient / damped.max(one),
                false => spring.damping_coefficient,
            };
            let change = kinematics
                .velocity_change
                .minus(&normal.times(kinematics.velocity_change.dot(normal)));
            let change = change.times(one - damped.min(one));
            let slip_now = slip.plus(&change);
            let pull = tangential_displacement.times(-spring.stiffness);
            tangential_force = pull.minus(&slip_now.times(rate));
            let friction_limit = N::of(self.friction_coefficient) * normal_force.max(zero);
            // The spring by itself keeps to the limit too. Where damping holds it back, it would else
            // keep what it stored until the bodies part, and that would be lost unseen.
            let (square, bound) = (pull.dot(&pull), friction_limit * friction_limit);
            let size = tangential_force.dot(&tangential_force).max(square);
            let mut friction_loss = rate * slip_now.dot(&slip_now) * time_step;
            if size.any_above(bound) {
                // The spring gives way where it alone pulls harder than friction can, and damping has
                // what room is left. To put the whole limit into the spring would store what damping
                // has lost.
                let part = (friction_limit / (square + N::of(f64::MIN_POSITIVE)).sqrt()).min(one);
                let (held, pull) = (tangential_displacement.times(part), pull.times(part));
                let damping = slip_now.times(-rate);
                let (square, along) = (damping.dot(&damping), pull.dot(&damping));
                let room = (bound - pull.dot(&pull)).max(zero);
                let root = (along * along + square * room).sqrt();
                let damped = ((root - along) / (square + N::of(f64::MIN_POSITIVE))).min(one);
                let slid = pull.plus(&damping.times(damped));
                // How far the spring gave way in the step around now. It changed from what was kept to
                // what is held, by the force at the end of that; hence the square of the change.
                let gave_way = part.choose(N::of(1.0 - f64::EPSILON), zero, one);
                let sliding_displacement =
                    tangential_displacement.minus(&held).plus(&change.times(gave_way * time_step));
                let moved = held.minus(&kept);
                let relaxed = gave_way * N::of(0.5) * spring.stiffness * moved.dot(&moved);
                let friction =
                    (-pull.dot(&sliding_displacement)).max(zero) + relaxed + damped * friction_loss;
                friction_loss = size.choose(bound, friction, friction_loss);
                tangential_force = LaneVector::choose(size, bound, &slid, &tangential_force);
                *tangential_displacement =
                    LaneVector::choose(size, bound, &held, tangential_displacement);
            }
            losses[1] = losses[1] + friction_loss;
        }
        LaneContactForce { normal_force, tangential_force, losses }
    }
}

impl<N: LaneNumber> LaneContactKinematics<N> {
    /// How fast the bodies come nearer now: as half a step ago, and changed by all forces of the step
    /// before and by what has changed in this contact's own force since.
    ///
    /// The latter makes losses of a contact right to the third order in the step, and keeps strong
    /// damping from growing without bound.
    #[inline(always)]
    pub fn approach_speed(
        &self,
        (elastic, damping_coefficient): &(ElasticForce<N>, N),
        time_step: f64,
    ) -> N {
        let (time_step, one) = (N::of(time_step), N::of(1.0));
        let normal_velocity = self.velocity.dot(&self.normal);
        let velocity_per_force = time_step * self.inverse_mass;
        let overlap_change = (normal_velocity * time_step).min(self.overlap);
        let change = self.velocity_change.dot(&self.normal)
            * (one - (velocity_per_force * *damping_coefficient).min(one));
        normal_velocity + change
            - N::of(0.5) * velocity_per_force * elastic.stiffness * overlap_change
    }

    /// The same of a contact that has just begun: it had no part in the forces of the step before.
    pub fn initial_approach_speed(
        &self,
        (elastic, damping_coefficient): &(ElasticForce<N>, N),
        time_step: f64,
    ) -> N {
        let half = N::of(0.5 * time_step) * self.inverse_mass;
        let free = self.velocity.plus(&self.velocity_change).dot(&self.normal);
        (free - half * elastic.force) / (N::of(1.0) + half * *damping_coefficient)
    }
}
