//! Contacts of pairs with at least one body that is no sphere: contact history and forces.

use super::body::BodyMotion;
use super::contact_law::{
    ContactForce, ContactKinematics, ContactLaw, LawHistory, advance_contact,
};
use super::contact_losses::ContactLosses;
use super::contact_point::{
    DemContactPoint, DemContactPoints, MAX_CONTACT_POINTS, PosedBody, find_contact_points,
};
use super::forces::{ForceContext, PairForce, StepTotals};
use super::rotation_state::RotationState;
use super::shape::{ContactShape, ShapeGeometry};
use carom_detect::narrow::ClosestFeatures;
use carom_geometry::Vector;

/// History of a pair with at least one body that is no sphere.
pub(super) struct ShapedPairHistory<'a, H> {
    pub warm_start: &'a mut ClosestFeatures,
    /// Whether they touched a step ago.
    pub was_touching: bool,
    /// History of their contact, if they touch in one point at most.
    pub single: &'a mut H,
    /// Histories of their contacts, if they may touch in several points.
    pub multi: Option<&'a mut MultiContactHistory<H>>,
}

impl<H: LawHistory> ShapedPairHistory<'_, H> {
    fn find(&self, key: u32) -> Option<H> {
        match &self.multi {
            Some(history) => history.find(key),
            None => self.was_touching.then_some(*self.single),
        }
    }
}

/// Histories of the contacts of a pair, by their keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct MultiContactHistory<H> {
    keys: [u32; MAX_CONTACT_POINTS],
    histories: [H; MAX_CONTACT_POINTS],
    count: usize,
}

impl<H: LawHistory> Default for MultiContactHistory<H> {
    fn default() -> Self {
        let (keys, histories) = ([0; MAX_CONTACT_POINTS], [H::at_start(); MAX_CONTACT_POINTS]);
        MultiContactHistory { keys, histories, count: 0 }
    }
}

impl<H: LawHistory> MultiContactHistory<H> {
    pub(super) fn find(&self, key: u32) -> Option<H> {
        let at = self.keys[..self.count].iter().position(|&held| held == key)?;
        Some(self.histories[at])
    }

    pub(super) fn push(&mut self, key: u32, history: H) {
        if self.count < MAX_CONTACT_POINTS {
            (self.keys[self.count], self.histories[self.count]) = (key, history);
            self.count += 1;
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, H)> {
        self.keys.into_iter().zip(self.histories).take(self.count)
    }
}

/// Restores the warm start of a pair from its saved words; empty for spheres, clumps and meshes.
pub(super) fn restore_warm_start(
    words: [u32; 8],
    shapes: [Option<&ContactShape>; 2],
) -> ClosestFeatures {
    match shapes.map(|shape| shape.map(ContactShape::geometry)) {
        [Some(ShapeGeometry::Convex(a)), Some(ShapeGeometry::Convex(b))] => {
            ClosestFeatures::from_words(words, &a.core, &b.core)
        }
        _ => ClosestFeatures::new(),
    }
}

/// Mobility of a body at a contact point.
#[derive(Clone, Copy)]
pub(super) struct ContactMobility<'a> {
    pub motion: &'a BodyMotion,
    pub rotation_state: &'a RotationState,
    /// Lever arm from the center of mass to the contact point.
    pub arm: Vector<3>,
}

impl ContactMobility<'_> {
    /// Returns the velocity of the contact point, half a step ago.
    pub(super) fn velocity(&self) -> Vector<3> {
        self.motion.velocity + self.motion.angular_velocity.cross(&self.arm)
    }

    /// Returns the predicted change of that velocity until now.
    pub(super) fn velocity_change(&self) -> Vector<3> {
        self.motion.velocity_change + self.motion.angular_velocity_change.cross(&self.arm)
    }

    /// Returns the inverse effective mass of the contact point in a direction `n`: `1 / m + (r x n) · I⁻¹ (r x n)`.
    pub(super) fn inverse_effective_mass(&self, direction: &Vector<3>) -> f64 {
        let moment = self.arm.cross(direction);
        let angular_velocity = match self.rotation_state.shape() {
            Some(_) => self.rotation_state.apply_inverse_inertia(&moment) * self.motion.mobility(),
            None => moment * self.motion.inverse_inertia,
        };
        self.motion.inverse_mass + moment.dot(&angular_velocity)
    }
}

/// Returns a tangential direction: that of the slip, if there is one.
pub(super) fn tangential_direction(normal: &Vector<3>, velocity: &Vector<3>) -> Vector<3> {
    let slip = velocity - normal * normal.dot(velocity);
    let any = || normal.cross(&Vector::ith(normal.iamin(), 1.0)).normalize();
    slip.try_normalize(0.0).unwrap_or_else(any)
}

impl<L: ContactLaw> ForceContext<'_, L> {
    /// Returns a body in its present pose, shifted to its periodic image.
    fn posed_body(&self, body: usize, shift: &Vector<3>) -> PosedBody<'_> {
        let rotation_state = &self.rotation_states[body];
        let position = &self.positions[body];
        PosedBody {
            shape: rotation_state.shape().map(|number| &self.shapes[number]),
            pose: rotation_state.pose(position.position + shift),
            radius: position.radius,
        }
    }

    /// Returns the sum of the contact forces of two bodies, and updates their history.
    pub(super) fn shaped_pair_force(
        &self,
        [first, other]: [usize; 2],
        image: &Vector<3>,
        history: ShapedPairHistory<L::History>,
        totals: &mut StepTotals,
    ) -> PairForce {
        let bodies = [self.posed_body(first, &Vector::zeros()), self.posed_body(other, image)];
        let mut sum = PairForce::default();
        let mut multi = history.multi.is_some().then(MultiContactHistory::default);
        for contact_point in find_contact_points(&bodies[0], &bodies[1], history.warm_start).iter()
        {
            let before = history.find(contact_point.contact_key);
            if contact_point.overlap <= 0.0 && before.is_none() {
                continue;
            }
            let mut held = before.unwrap_or_else(L::History::at_start);
            let mobilities = [(first, 0), (other, 1)].map(|(body, which)| ContactMobility {
                motion: &self.motions[body],
                rotation_state: &self.rotation_states[body],
                arm: contact_point.position - bodies[which].pose.position,
            });
            let kinematics = contact_kinematics(contact_point, mobilities, before.is_some());
            let law = self.law(first, other);
            let PatchContactForce { force, torque, losses } =
                patch_contact_force(law, contact_point, &kinematics, &mut held, self.time_step);
            if contact_point.overlap > 0.0 {
                match &mut multi {
                    Some(multi) => multi.push(contact_point.contact_key, held),
                    None => *history.single = held,
                }
                totals.contacts += 1;
            }
            let separation = bodies[1].pose.position - bodies[0].pose.position;
            totals.virial -= force.dot(&separation);
            totals.add_contact(
                losses,
                contact_point.overlap,
                contact_point.radii[0].min(contact_point.radii[1]),
            );
            sum.force += force;
            sum.torque += mobilities[0].arm.cross(&force) + torque;
            sum.other_torque -= mobilities[1].arm.cross(&force) + torque;
            sum.is_touching |= contact_point.overlap > 0.0;
        }
        if let (Some(before), Some(multi)) = (history.multi, multi) {
            *before = multi;
        }
        sum
    }

    /// Returns the contact points of two bodies; also one with a negative overlap where they nearly touch.
    pub(super) fn contact_points(
        &self,
        [first, other]: [usize; 2],
        image: &Vector<3>,
        mut warm_start: ClosestFeatures,
    ) -> DemContactPoints {
        let bodies = [self.posed_body(first, &Vector::zeros()), self.posed_body(other, image)];
        find_contact_points(&bodies[0], &bodies[1], &mut warm_start)
    }

    /// Returns the penetration depth of two bodies.
    pub(super) fn max_overlap(&self, bodies: [usize; 2], image: &Vector<3>) -> f64 {
        let contact_points = self.contact_points(bodies, image, ClosestFeatures::new());
        contact_points.iter().map(|contact| contact.overlap).fold(0.0, f64::max)
    }
}

/// Force and torque of a contact patch on the first body, and energy lost.
pub(super) struct PatchContactForce {
    pub force: Vector<3>,
    pub torque: Vector<3>,
    pub losses: ContactLosses,
}

/// Largest fraction of the relative angular velocity about the normal that is stopped within a step; twisting
/// friction would otherwise overshoot and make a body at rest tremble.
const MAX_STOPPED_FRACTION: f64 = 0.1;

/// Applies a contact law to a contact patch.
///
/// The mean depth of a patch grows at `overlap_rate` times the approach speed. The normal force is scaled
/// by that rate, so that it does exactly the work that the law stores.
///
/// A patch also damps rocking, as its parts approach at different speeds, and opposes twisting about the
/// normal by friction at the root mean square distance of its parts.
pub(super) fn patch_contact_force<L: ContactLaw>(
    law: &L,
    contact_point: &DemContactPoint,
    kinematics: &ContactKinematics,
    history: &mut L::History,
    time_step: f64,
) -> PatchContactForce {
    let (normal, overlap_rate) = (&contact_point.normal, contact_point.overlap_rate);
    let closing_speed = kinematics.velocity.dot(normal);
    let closing_change = kinematics.velocity_change.dot(normal);
    let scaled = ContactKinematics {
        velocity: kinematics.velocity + normal * (closing_speed * (overlap_rate - 1.0)),
        velocity_change: kinematics.velocity_change
            + normal * (closing_change * (overlap_rate - 1.0)),
        inverse_mass: kinematics.inverse_mass * overlap_rate * overlap_rate,
        overlap_rate,
        ..*kinematics
    };
    let contact_force = advance_contact(law, &scaled, history, time_step);
    let ContactForce { tangential_force, .. } = contact_force;
    let mut patch_force = PatchContactForce {
        force: tangential_force
            + (contact_force.on_first(normal) - tangential_force) * overlap_rate,
        torque: contact_force.rolling_torque,
        losses: contact_force.losses,
    };
    if contact_point.overlap <= 0.0 || contact_point.patch_covariance.trace() <= 0.0 {
        return patch_force;
    }
    // Rocking: the gradient of the approach speed over the patch; its damping torque is the second
    // moment of the patch times that gradient times the damping coefficient.
    let rocking = normal.cross(&kinematics.angular_velocity);
    let rocking_torque =
        contact_point.patch_covariance * rocking * contact_force.damping_coefficient;
    patch_force.torque -= rocking_torque.cross(normal);
    patch_force.losses.damping_loss += rocking_torque.dot(&rocking) * time_step;
    let torsion_rate = kinematics.angular_velocity.dot(normal);
    let max_torque = contact_force.friction_limit * contact_point.patch_covariance.trace().sqrt();
    let stopping_torque =
        MAX_STOPPED_FRACTION * torsion_rate.abs() / (kinematics.inverse_inertia * time_step);
    // Explicit in time: a larger torque would reverse the rotation within the step.
    let torsion_torque = max_torque.min(stopping_torque).copysign(torsion_rate);
    patch_force.torque -= normal * torsion_torque;
    patch_force.losses.friction_loss += torsion_torque * torsion_rate * time_step;
    patch_force
}

/// Returns the kinematics of a contact point of two bodies.
pub(super) fn contact_kinematics(
    contact_point: &DemContactPoint,
    [one, two]: [ContactMobility; 2],
    was_touching: bool,
) -> ContactKinematics {
    let velocity = one.velocity() - two.velocity();
    let slip = tangential_direction(&contact_point.normal, &velocity);
    ContactKinematics {
        normal: contact_point.normal,
        overlap: contact_point.overlap,
        was_touching,
        velocity,
        velocity_change: one.velocity_change() - two.velocity_change(),
        angular_velocity: one.motion.current_angular_velocity()
            - two.motion.current_angular_velocity(),
        inverse_mass: one.inverse_effective_mass(&contact_point.normal)
            + two.inverse_effective_mass(&contact_point.normal),
        inverse_inertia: one.motion.inverse_inertia + two.motion.inverse_inertia,
        inverse_effective_mass: one.inverse_effective_mass(&slip)
            + two.inverse_effective_mass(&slip),
        radii: contact_point.radii,
        overlap_rate: 1.0,
    }
}
