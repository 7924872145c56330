//! Four sphere contacts at once, in vector registers.
//!
//! Nearly all contacts of a dense bed persist from step to step; these are computed four at a time if they
//! have the same law. Each lane does the operations of the scalar version in the same order, so that a
//! contact has the same bits in either.

use super::body::{BodyMotion, PositionRadius};
use super::contact_law::{
    CompositeLaw, LaneContactForce, LaneContactKinematics, LaneVector, reduced_radius,
};
use super::contact_losses::ContactLosses;
use super::forces::{PairForce, StepTotals};
use carom_geometry::Vector;
use carom_geometry::simd::{F64_LANES, F64x4, LaneNumber};

/// Four bodies, transposed into lanes.
struct BodyLanes {
    position: LaneVector<F64x4<false>>,
    radius: F64x4<false>,
    velocity: LaneVector<F64x4<false>>,
    angular_velocity: LaneVector<F64x4<false>>,
    velocity_change: LaneVector<F64x4<false>>,
    angular_velocity_change: LaneVector<F64x4<false>>,
    inverse_mass: F64x4<false>,
    inverse_inertia: F64x4<false>,
}

/// Transposes four vectors into lanes.
#[inline(always)]
fn gather_vectors(all: [&Vector<3>; F64_LANES]) -> LaneVector<F64x4<false>> {
    LaneVector(std::array::from_fn(|axis| F64x4(all.map(|vector| vector[axis]))))
}

impl BodyLanes {
    #[inline(always)]
    fn new(positions: [&PositionRadius; F64_LANES], motions: [&BodyMotion; F64_LANES]) -> Self {
        BodyLanes {
            position: gather_vectors(positions.map(|place| &place.position)),
            radius: F64x4(positions.map(|place| place.radius)),
            velocity: gather_vectors(motions.map(|motion| &motion.velocity)),
            angular_velocity: gather_vectors(motions.map(|motion| &motion.angular_velocity)),
            velocity_change: gather_vectors(motions.map(|motion| &motion.velocity_change)),
            angular_velocity_change: gather_vectors(
                motions.map(|motion| &motion.angular_velocity_change),
            ),
            inverse_mass: F64x4(motions.map(|motion| motion.inverse_mass)),
            inverse_inertia: F64x4(motions.map(|motion| motion.inverse_inertia)),
        }
    }
}

/// Sums over contacts, for each lane by itself.
#[derive(Default)]
pub(super) struct LaneStepTotals {
    contacts: u64,
    losses: ContactLosses<F64x4<false>>,
    virial: F64x4<false>,
    max_relative_overlap: F64x4<false>,
}

impl LaneStepTotals {
    /// Adds all lanes to the totals, in their order, so that sums are reproducible.
    pub(super) fn add_to(&self, totals: &mut StepTotals) {
        totals.contacts += self.contacts;
        for lane in 0..F64_LANES {
            totals.losses.damping_loss += self.losses.damping_loss.0[lane];
            totals.losses.friction_loss += self.losses.friction_loss.0[lane];
            totals.virial += self.virial.0[lane];
            totals.max_relative_overlap =
                totals.max_relative_overlap.max(self.max_relative_overlap.0[lane]);
        }
    }
}

/// Forces on the first body of each contact, and torques on both.
pub(super) struct LanePairForces {
    force: LaneVector<F64x4<false>>,
    torque: LaneVector<F64x4<false>>,
    other_torque: LaneVector<F64x4<false>>,
}

impl LanePairForces {
    /// Returns forces and torques of one lane, a pair that still touches.
    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> PairForce {
        let vector =
            |arrow: &LaneVector<F64x4<false>>| Vector::from(arrow.0.map(|along| along.0[lane]));
        PairForce {
            force: vector(&self.force),
            torque: vector(&self.torque),
            other_torque: vector(&self.other_torque),
            is_touching: true,
        }
    }
}

/// The bodies of four contacts: positions, velocities and image shifts.
pub(super) struct ContactLanes<'a> {
    pub positions: [[&'a PositionRadius; F64_LANES]; 2],
    pub motions: [[&'a BodyMotion; F64_LANES]; 2],
    pub image_shifts: [&'a Vector<3>; F64_LANES],
}

impl ContactLanes<'_> {
    /// Returns the forces of four persisting contacts and updates their tangential displacements. The bodies
    /// must have touched a step ago and touch now.
    #[inline(always)]
    pub(super) fn contact_forces(
        &self,
        law: &CompositeLaw,
        tangential_displacements: [&mut Vector<3>; F64_LANES],
        time_step: f64,
        totals: &mut LaneStepTotals,
    ) -> LanePairForces {
        let one = BodyLanes::new(self.positions[0], self.motions[0]);
        let two = BodyLanes::new(self.positions[1], self.motions[1]);
        let separation = two.position.minus(&one.position).plus(&gather_vectors(self.image_shifts));
        let distance = separation.dot(&separation).sqrt();
        // Coinciding centers have no normal; the smallest number turns 0 / 0 into zero.
        let normal =
            separation.times(F64x4::splat(1.0) / (distance + F64x4::splat(f64::MIN_POSITIVE)));
        let overlap = one.radius + two.radius - distance;
        // Lever arms from each center to the middle of the overlap; their sum is the distance.
        let half = F64x4::splat(0.5) * overlap;
        let (arm, other_arm) = (one.radius - half, two.radius - half);
        let rotation = one.angular_velocity.times(arm).plus(&two.angular_velocity.times(other_arm));
        let rotation_change = one
            .angular_velocity_change
            .times(arm)
            .plus(&two.angular_velocity_change.times(other_arm));
        let inverse_mass = one.inverse_mass + two.inverse_mass;
        let kinematics = LaneContactKinematics {
            normal,
            velocity: one.velocity.minus(&two.velocity).plus(&rotation.cross(&normal)),
            velocity_change: (one.velocity_change.minus(&two.velocity_change))
                .plus(&rotation_change.cross(&normal)),
            overlap,
            inverse_mass,
            friction_coefficient: F64x4::splat(law.friction_coefficient),
            inverse_effective_mass: inverse_mass
                + arm * arm * one.inverse_inertia
                + other_arm * other_arm * two.inverse_inertia,
        };
        let radius = || reduced_radius([one.radius, two.radius]);
        let mut tangential_displacement =
            gather_vectors(tangential_displacements.each_ref().map(|displacement| &**displacement));
        let elastic = law.elastic_and_damping(overlap, inverse_mass, radius);
        let approach_speed = kinematics.approach_speed(&elastic, time_step);
        let LaneContactForce { normal_force, tangential_force, losses } = law
            .normal_and_friction_force(
                &kinematics,
                elastic,
                approach_speed,
                &mut tangential_displacement,
                time_step,
            );
        for (lane, old) in tangential_displacements.into_iter().enumerate() {
            *old = Vector::from(tangential_displacement.0.map(|along| along.0[lane]));
        }
        let force = tangential_force.minus(&normal.times(normal_force));
        // All four touch, and did a step ago: no lane is masked.
        totals.contacts += F64_LANES as u64;
        totals.losses += losses;
        totals.virial = totals.virial - force.dot(&separation);
        // A selection per lane; a branch would have to go both ways.
        let smaller = one.radius.choose(two.radius, two.radius, one.radius);
        totals.max_relative_overlap = totals.max_relative_overlap.max(overlap / smaller);
        // The normal force has no torque: the contact point lies on the line of centers.
        let torque_per_arm = normal.cross(&tangential_force);
        LanePairForces {
            force,
            torque: torque_per_arm.times(arm),
            other_torque: torque_per_arm.times(other_arm),
        }
    }
}
