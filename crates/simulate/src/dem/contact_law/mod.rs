//! Contact laws, composed of parts with one file each.
//!
//! The normal force is elastic ([`NormalForceLaw`]), damped ([`Damping`]) and may be cohesive
//! ([`Cohesion`]); tangentially a spring with contact history ([`TangentialForceLaw`]) slides at Coulomb's
//! limit; and rolling has a resistance of its own ([`RollingResistance`]).

mod cohesion;
mod damping;
mod lane_contact;
mod lane_vector;
mod normal;
mod rolling;
mod tangential;

pub use cohesion::Cohesion;
pub use damping::Damping;
pub use normal::NormalForceLaw;
pub use rolling::RollingResistance;
pub use tangential::TangentialForceLaw;

pub(super) use lane_contact::{LaneContactForce, LaneContactKinematics};
pub(super) use lane_vector::LaneVector;

use crate::dem::contact_losses::ContactLosses;
use carom_geometry::Vector;
use carom_geometry::simd::LaneNumber;
use normal::ElasticForce;

/// The contact law of two materials.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation, TangentialForceLaw, Wall};
/// let law = CompositeLaw {
///     tangential: TangentialForceLaw::Spring { stiffness: 1e5, damping: 0.0 },
///     friction_coefficient: 0.5,
///     ..CompositeLaw::spring(1e5)
/// };
/// let (walls, gravity) = (vec![Wall::plane([0.0, 0.0, 1.0], 0.0)], [0.0, 0.0, -10.0].into());
/// let settings = Settings { walls, gravity, ..Settings::with_law(law) };
/// // A ball that slides over a floor begins to roll; then it has 5/7 of its speed.
/// let start = Body::at_rest([0.0, 0.0, 0.5 - 1e-4], 0.5, 1.0);
/// let ball = Body { velocity: [1.0, 0.0, 0.0].into(), ..start };
/// let mut simulation = Simulation::new(&[ball], settings)?;
/// simulation.advance(1500)?;
/// assert!((simulation.body(0).velocity.x - 5.0 / 7.0).abs() < 0.01);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompositeLaw {
    /// Elastic normal force.
    pub normal: NormalForceLaw,
    /// Damping along the normal.
    pub damping: Damping,
    /// Tangential force, as long as the contact does not slide.
    pub tangential: TangentialForceLaw,
    /// Coulomb's friction coefficient: a contact slides where its tangential force would exceed this times its
    /// normal force.
    pub friction_coefficient: f64,
    /// Rolling resistance.
    pub rolling: RollingResistance,
    /// Cohesion.
    pub cohesion: Cohesion,
}

impl CompositeLaw {
    /// Makes a law of linear springs without friction or losses.
    pub fn spring(stiffness: f64) -> Self {
        CompositeLaw {
            normal: NormalForceLaw::Spring { stiffness },
            damping: Damping::None,
            tangential: TangentialForceLaw::None,
            friction_coefficient: 0.0,
            rolling: RollingResistance::None,
            cohesion: Cohesion::None,
        }
    }

    /// Makes Hertz's law for elastic spheres of a reduced modulus, without friction or losses.
    ///
    /// ```
    /// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// // 4/3 E √R d^(3/2) with the modulus 300, the reduced radius 1/4 and the overlap 0.04.
    /// let bodies = [0.0, 0.96].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
    /// let simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::hertz(300.0)))?;
    /// assert!((simulation.contacts()[0].normal_force - 400.0 * 0.5 * 0.008).abs() < 1e-9);
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn hertz(modulus: f64) -> Self {
        CompositeLaw { normal: NormalForceLaw::Hertz { modulus }, ..CompositeLaw::spring(0.0) }
    }
}

/// Kinematics of a contact of two bodies, or of a body and a wall. Vectors are of the first relative to the
/// second.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactKinematics {
    /// Unit normal, from the first to the second.
    pub normal: Vector<3>,
    /// Overlap (penetration depth); zero or less where the contact has just ended.
    pub overlap: f64,
    /// Whether they touched a step ago.
    pub was_touching: bool,
    /// Relative velocity at the contact point, half a step ago.
    pub velocity: Vector<3>,
    /// Predicted change of that velocity until now, by all forces.
    pub velocity_change: Vector<3>,
    /// Relative angular velocity now.
    pub angular_velocity: Vector<3>,
    /// Sum of the inverse masses.
    pub inverse_mass: f64,
    /// Sum of the inverse moments of inertia.
    pub inverse_inertia: f64,
    /// Inverse effective mass of the contact point in tangential direction: the sum over both bodies of
    /// `1 / m + arm² / I`.
    pub inverse_effective_mass: f64,
    /// Radii of curvature of both; infinite for a wall.
    pub radii: [f64; 2],
}

impl ContactKinematics {
    /// Returns the predicted relative velocity at the contact point now.
    pub(super) fn current_velocity(&self) -> Vector<3> {
        self.velocity + self.velocity_change
    }

    /// Returns the reduced radius `r1 r2 / (r1 + r2)`, that of the first at a wall.
    #[inline(always)]
    fn reduced_radius(&self) -> f64 {
        reduced_radius(self.radii)
    }
}

/// Returns the reduced radius `r1 r2 / (r1 + r2)`, the first if the second is infinite.
#[inline(always)]
pub(super) fn reduced_radius<N: LaneNumber>([first, second]: [N; 2]) -> N {
    first / (N::splat(1.0) + first / second)
}

/// Force of a contact on the first body, and energy lost.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactForce {
    pub force: Vector<3>,
    /// Tangential part of the force, which rotates both bodies.
    pub tangential_force: Vector<3>,
    /// Torque of the rolling resistance on the first body.
    pub rolling_torque: Vector<3>,
    /// Energy lost in this step.
    pub losses: ContactLosses,
    /// Normal force without cohesion, and the damping coefficient, its part per approach speed.
    pub normal_force: f64,
    pub damping_coefficient: f64,
}

impl CompositeLaw {
    /// Returns the force of a contact in a time step and updates its tangential displacement, that of the first
    /// body relative to the second.
    #[inline(always)]
    pub(super) fn contact_force(
        &self,
        kinematics: &ContactKinematics,
        tangential_displacement: &mut Vector<3>,
        time_step: f64,
    ) -> ContactForce {
        let normal = kinematics.normal;
        let approach_distance = kinematics.velocity.dot(&normal).abs() * time_step;
        let elastic =
            self.normal.elastic_force(kinematics.overlap.max(0.0), || kinematics.reduced_radius());
        let damping_coefficient =
            self.step_averaged_damping(kinematics, &elastic, approach_distance);
        let to_lane_vector = |vector: &Vector<3>| LaneVector([vector.x, vector.y, vector.z]);
        let lane_kinematics = LaneContactKinematics {
            normal: to_lane_vector(&normal),
            velocity: to_lane_vector(&kinematics.velocity),
            velocity_change: to_lane_vector(&kinematics.velocity_change),
            overlap: kinematics.overlap.max(0.0),
            inverse_mass: kinematics.inverse_mass,
            inverse_effective_mass: kinematics.inverse_effective_mass,
        };
        let approach_speed = match self.acted_in_last_step(kinematics, approach_distance) {
            true => lane_kinematics.approach_speed(&(elastic, damping_coefficient), time_step),
            false => {
                lane_kinematics.initial_approach_speed(&(elastic, damping_coefficient), time_step)
            }
        };
        let mut displaced = to_lane_vector(tangential_displacement);
        let lane_force = self.normal_and_friction_force(
            &lane_kinematics,
            (elastic, damping_coefficient),
            approach_speed,
            &mut displaced,
            time_step,
        );
        let LaneContactForce { normal_force, mut losses, .. } = lane_force;
        let mut rolling_torque = Vector::zeros();
        if kinematics.overlap <= 0.0 {
            // The contact has ended: the energy that its tangential spring still held is lost.
            let left = self.tangential.spring(&elastic, 0.0).map_or(0.0, |spring| spring.stiffness);
            losses.friction_loss = 0.5 * left * tangential_displacement.norm_squared();
            *tangential_displacement = Vector::zeros();
            return ContactForce {
                force: -normal * normal_force,
                tangential_force: Vector::zeros(),
                rolling_torque,
                losses,
                normal_force,
                damping_coefficient,
            };
        }
        *tangential_displacement = Vector::from(displaced.0);
        let tangential_force = Vector::from(lane_force.tangential_force.0);
        if let RollingResistance::Constant(coefficient) = self.rolling {
            rolling_torque =
                rolling::rolling_torque(coefficient, kinematics, normal_force.max(0.0), time_step);
            losses.friction_loss -= rolling_torque.dot(&kinematics.angular_velocity) * time_step;
        }
        let cohesive_force = self.cohesion.force(|| kinematics.reduced_radius());
        let force = tangential_force - normal * (normal_force - cohesive_force);
        ContactForce {
            force,
            tangential_force,
            rolling_torque,
            losses,
            normal_force,
            damping_coefficient,
        }
    }

    /// Returns whether a contact acted in the previous step. Bodies that overlap by more than they approach in a
    /// step touched before, or were placed so.
    #[inline(always)]
    fn acted_in_last_step(&self, kinematics: &ContactKinematics, approach_distance: f64) -> bool {
        kinematics.was_touching | (kinematics.overlap > approach_distance)
    }

    /// Returns the damping coefficient, averaged over the step around now; `approach_distance` is how far the
    /// bodies approach in a step.
    ///
    /// A contact damps from the moment it begins to the moment it ends. The force of a step stands for half a
    /// step before to half a step after; so the first one stands for less or more than a step, and after the
    /// last one something is added or taken back. Without this the coefficient of restitution would depend on
    /// the moment within a step at which a contact begins.
    #[inline(always)]
    fn step_averaged_damping(
        &self,
        kinematics: &ContactKinematics,
        elastic: &ElasticForce<f64>,
        approach_distance: f64,
    ) -> f64 {
        let approach_distance = approach_distance + f64::MIN_POSITIVE;
        if self.acted_in_last_step(kinematics, approach_distance) & (kinematics.overlap > 0.0) {
            return self.damping.coefficient(elastic, kinematics.inverse_mass);
        }
        let growth = self.damping.overlap_exponent(elastic);
        let (overlap, part) = if kinematics.overlap > 0.0 {
            let since = kinematics.overlap / approach_distance + 0.5;
            (since * approach_distance, since / (1.0 + growth))
        } else {
            let since = (kinematics.overlap / approach_distance).max(-1.0) + 1.0;
            (since * approach_distance, since / (1.0 + growth) - 0.5)
        };
        let then = self.normal.elastic_force(overlap, || kinematics.reduced_radius());
        part * self.damping.coefficient(&then, kinematics.inverse_mass)
    }

    /// Returns the normal force of a contact at rest, cohesion included; negative where the bodies attract.
    pub(super) fn static_normal_force(&self, overlap: f64, radius: f64) -> f64 {
        self.normal.elastic_force(overlap, || radius).force - self.cohesion.force(|| radius)
    }

    /// Returns the energy stored in a contact of an overlap and a tangential displacement.
    pub(super) fn stored_energy(
        &self,
        overlap: f64,
        radius: f64,
        tangential_displacement: &Vector<3>,
    ) -> f64 {
        let elastic = self.normal.elastic_force(overlap, || radius);
        let spring = self.tangential.spring(&elastic, 0.0).map_or(0.0, |spring| spring.stiffness);
        let cohesive_energy = self.cohesion.force(|| radius) * overlap;
        elastic.energy + 0.5 * spring * tangential_displacement.norm_squared() - cohesive_energy
    }
}
