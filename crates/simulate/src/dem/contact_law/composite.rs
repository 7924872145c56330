//! The built-in contact law, composed of parts with one file each.

use super::normal::ElasticForce;
use super::{
    Cohesion, ContactForce, ContactKinematics, ContactLaw, Damping, LaneContactForce,
    LaneContactKinematics, LaneVector, NormalForceLaw, REFERENCE_OVERLAP, RollingResistance,
    TangentialForceLaw, rolling,
};
use crate::dem::contact_losses::ContactLosses;
use crate::dem::forces::{ForceStep, StepTotals};
use carom_geometry::Vector;

/// The built-in contact law of two materials, composed of parts: linear spring-dashpot or Hertz-Mindlin, with friction,
/// rolling resistance and cohesion.
///
/// The normal force is elastic ([`NormalForceLaw`]), damped ([`Damping`]) and may be cohesive ([`Cohesion`]); tangentially
/// a spring with contact history ([`TangentialForceLaw`]) slides at Coulomb's limit; and rolling has a resistance of its
/// own ([`RollingResistance`]).
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
#[doc(alias = "spring-dashpot")]
#[doc(alias = "Hertz-Mindlin")]
#[doc(alias = "contact model")]
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

/// The normal and friction force of a step, and what it is made of.
struct StepForce {
    force: LaneContactForce<f64>,
    elastic: ElasticForce<f64>,
    damping_coefficient: f64,
    tangential_displacement: Vector<3>,
}

impl ContactLaw for CompositeLaw {
    /// The tangential displacement.
    type History = Vector<3>;

    #[inline(always)]
    fn contact_force(
        &self,
        contact: &ContactKinematics,
        tangential_displacement: &mut Vector<3>,
        time_step: f64,
    ) -> ContactForce {
        let step = self.step_force(contact, tangential_displacement, time_step);
        *tangential_displacement = step.tangential_displacement;
        let LaneContactForce { normal_force, tangential_force, mut losses } = step.force;
        let mut rolling_torque = Vector::zeros();
        if let RollingResistance::Constant(coefficient) = self.rolling {
            rolling_torque =
                // Attraction does not resist rolling.
                rolling::rolling_torque(coefficient, contact, normal_force.max(0.0), time_step);
            losses.friction_loss -= rolling_torque.dot(&contact.angular_velocity) * time_step;
        }
        ContactForce {
            // Friction is limited by the repulsion alone; in the DMT model cohesion acts outside of the contact
            // area.
            normal_force: normal_force - self.cohesion.force(|| contact.reduced_radius()),
            tangential_force: Vector::from(tangential_force.0),
            rolling_torque,
            losses,
            damping_coefficient: step.damping_coefficient,
            friction_limit: contact.friction_limit(self.friction_coefficient, normal_force),
        }
    }

    /// Adds the damping of the last part of a step, and loses the energy that the tangential spring still holds.
    fn end_contact(
        &self,
        contact: &ContactKinematics,
        tangential_displacement: &Vector<3>,
        time_step: f64,
    ) -> ContactForce {
        let StepForce { force, elastic, damping_coefficient, .. } =
            self.step_force(contact, tangential_displacement, time_step);
        let left = self.tangential.spring(&elastic, 0.0).map_or(0.0, |spring| spring.stiffness);
        // The tangential spring vanishes with the contact; what it holds counts as friction loss.
        let friction_loss = 0.5 * left * tangential_displacement.norm_squared();
        ContactForce {
            normal_force: force.normal_force,
            losses: ContactLosses { friction_loss, ..force.losses },
            damping_coefficient,
            ..ContactForce::default()
        }
    }

    fn static_normal_force(&self, overlap: f64, reduced_radius: f64, _: &Vector<3>) -> f64 {
        self.normal.elastic_force(overlap, || reduced_radius).force
            - self.cohesion.force(|| reduced_radius)
    }

    fn stored_energy(
        &self,
        overlap: f64,
        reduced_radius: f64,
        tangential_displacement: &Vector<3>,
    ) -> f64 {
        let elastic = self.normal.elastic_force(overlap, || reduced_radius);
        let spring = self.tangential.spring(&elastic, 0.0).map_or(0.0, |spring| spring.stiffness);
        let cohesive_energy = self.cohesion.force(|| reduced_radius) * overlap;
        elastic.energy + 0.5 * spring * tangential_displacement.norm_squared() - cohesive_energy
    }

    fn stiffness(&self, reduced_radius: f64) -> f64 {
        match self.normal {
            NormalForceLaw::Spring { stiffness } => stiffness,
            NormalForceLaw::Hertz { modulus } => {
                2.0 * modulus * reduced_radius * REFERENCE_OVERLAP.sqrt()
            }
        }
    }

    fn check(&self) -> Result<(), String> {
        let parameters = [
            self.normal.parameter(),
            self.tangential.parameters()[0],
            self.tangential.parameters()[1],
            ("friction coefficient", self.friction_coefficient),
            self.damping.parameter(),
            self.rolling.parameter(),
            self.cohesion.parameter(),
        ];
        match parameters.iter().find(|(_, value)| !(value.is_finite() && *value >= 0.0)) {
            Some((name, value)) => {
                Err(format!("its {name} is {value}; it must be finite and not negative"))
            }
            None => Ok(()),
        }
    }

    #[inline(always)]
    fn as_composite(&self) -> Option<&CompositeLaw> {
        Some(self)
    }

    fn compute_forces(step: ForceStep<'_, Self>) -> StepTotals {
        step.compute()
    }
}

impl CompositeLaw {
    /// Returns normal and friction force of a contact in a time step, also of one that has just ended.
    #[inline(always)]
    fn step_force(
        &self,
        contact: &ContactKinematics,
        tangential_displacement: &Vector<3>,
        time_step: f64,
    ) -> StepForce {
        let approach_distance = contact.velocity.dot(&contact.normal).abs() * time_step;
        let elastic =
            self.normal.elastic_force(contact.overlap.max(0.0), || contact.reduced_radius());
        let damping_coefficient = self.step_averaged_damping(contact, &elastic, approach_distance);
        let to_lane_vector = |vector: &Vector<3>| LaneVector([vector.x, vector.y, vector.z]);
        let lane_kinematics = LaneContactKinematics {
            normal: to_lane_vector(&contact.normal),
            velocity: to_lane_vector(&contact.velocity),
            velocity_change: to_lane_vector(&contact.velocity_change),
            overlap: contact.overlap.max(0.0),
            inverse_mass: contact.inverse_mass,
            inverse_effective_mass: contact.inverse_effective_mass,
            friction_coefficient: self.friction_coefficient * contact.overlap_rate,
        };
        let approach_speed = match self.acted_in_last_step(contact, approach_distance) {
            true => lane_kinematics.approach_speed(&(elastic, damping_coefficient), time_step),
            false => {
                lane_kinematics.initial_approach_speed(&(elastic, damping_coefficient), time_step)
            }
        };
        let mut displaced = to_lane_vector(tangential_displacement);
        let force = self.normal_and_friction_force(
            &lane_kinematics,
            (elastic, damping_coefficient),
            approach_speed,
            &mut displaced,
            time_step,
        );
        let tangential_displacement = Vector::from(displaced.0);
        StepForce { force, elastic, damping_coefficient, tangential_displacement }
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
}
