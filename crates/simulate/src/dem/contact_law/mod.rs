//! What happens where two bodies touch, composed of parts: one file each.
//!
//! The force along the normal is elastic ([`NormalForceLaw`]), loses energy ([`Damping`]) and may hold
//! ([`Cohesion`]); across it a spring with a memory ([`TangentialForceLaw`]) slides at Coulomb's limit; and
//! rolling meets a resistance of its own ([`RollingResistance`]).

mod cohesion;
mod damping;
mod lane_contact;
mod lane_number;
mod normal;
mod rolling;
mod tangential;

pub use cohesion::Cohesion;
pub use damping::Damping;
pub use normal::NormalForceLaw;
pub use rolling::RollingResistance;
pub use tangential::TangentialForceLaw;

pub(super) use lane_contact::{LaneContactForce, LaneContactKinematics};
pub(super) use lane_number::{ContactF64x4, LANES, LaneNumber, LaneVector};

use carom_geometry::Vector;
use normal::ElasticForce;

/// How two materials touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactLaw {
    /// The elastic force along the normal.
    pub normal: NormalForceLaw,
    /// What is lost along the normal.
    pub damping: Damping,
    /// The force across the normal, as long as nothing slides.
    pub tangential: TangentialForceLaw,
    /// Coulomb's coefficient: bodies slide where the force across the normal would be larger than so
    /// much of that along it.
    pub friction_coefficient: f64,
    /// What resists rolling.
    pub rolling: RollingResistance,
    /// What holds bodies together.
    pub cohesion: Cohesion,
}

impl ContactLaw {
    /// Springs without friction or losses.
    pub fn spring(stiffness: f64) -> Self {
        ContactLaw {
            normal: NormalForceLaw::Spring { stiffness },
            damping: Damping::None,
            tangential: TangentialForceLaw::None,
            friction_coefficient: 0.0,
            rolling: RollingResistance::None,
            cohesion: Cohesion::None,
        }
    }

    /// Elastic spheres of a reduced modulus, without friction or losses.
    pub fn hertz(modulus: f64) -> Self {
        ContactLaw { normal: NormalForceLaw::Hertz { modulus }, ..ContactLaw::spring(0.0) }
    }
}

/// Two bodies that touch, or a body and a wall. Vectors are of the first relative to the second.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactKinematics {
    /// From the first to the second, of length one.
    pub normal: Vector<3>,
    /// How deep they are in each other; zero or less where they have just parted.
    pub overlap: f64,
    /// Whether they touched a step ago.
    pub was_touching: bool,
    /// The velocity of the first at the point of contact, half a step ago.
    pub velocity: Vector<3>,
    /// How much it has changed until now, by all forces.
    pub velocity_change: Vector<3>,
    /// How fast the first turns now.
    pub angular_velocity: Vector<3>,
    /// One over each mass, summed.
    pub inverse_mass: f64,
    /// One over each moment of inertia, summed.
    pub inverse_inertia: f64,
    /// How fast the point of contact becomes across the normal by a push of one: one over each mass and
    /// the square of each arm over its moment of inertia, summed.
    pub inverse_effective_mass: f64,
    /// Of both; infinite for a wall.
    pub radii: [f64; 2],
}

impl ContactKinematics {
    /// `r1 r2 / (r1 + r2)`, that of the first at a wall.
    #[inline(always)]
    fn reduced_radius(&self) -> f64 {
        reduced_radius(self.radii)
    }
}

/// `r1 r2 / (r1 + r2)`, the first if the second is infinite.
#[inline(always)]
pub(super) fn reduced_radius<N: LaneNumber>([first, second]: [N; 2]) -> N {
    first / (N::of(1.0) + first / second)
}

/// What a touch does to the first body, and what it cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct ContactForce {
    pub force: Vector<3>,
    /// The part of it across the normal, which turns both bodies.
    pub tangential_force: Vector<3>,
    /// The torque against rolling.
    pub rolling_torque: Vector<3>,
    /// Energy lost in this step to damping along the normal, and across it with friction and rolling.
    pub losses: [f64; 2],
    /// How hard both are pressed together, and how much of it damping adds for a speed of one.
    pub normal_force: f64,
    pub damping_coefficient: f64,
}

impl ContactLaw {
    /// What a touch does within a step; `tangential_displacement` is how far the first has been displaced across the
    /// normal, and is brought up to date.
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
            // What the spring across the normal still held is lost with it.
            let left = self.tangential.spring(&elastic, 0.0).map_or(0.0, |spring| spring.stiffness);
            let (tangential_force, losses) =
                (Vector::zeros(), [losses[0], 0.5 * left * tangential_displacement.norm_squared()]);
            *tangential_displacement = Vector::zeros();
            return ContactForce {
                force: -normal * normal_force,
                tangential_force,
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
            losses[1] -= rolling_torque.dot(&kinematics.angular_velocity) * time_step;
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

    /// Whether a contact had its part in the forces of the step before. Deeper than bodies come in a step, they touched
    /// before, or were put there.
    #[inline(always)]
    fn acted_in_last_step(&self, kinematics: &ContactKinematics, approach_distance: f64) -> bool {
        kinematics.was_touching | (kinematics.overlap > approach_distance)
    }

    /// Damping for a speed of one, on the average over the step around now; the bodies come so far in a
    /// step.
    ///
    /// A contact damps from the moment in which it begins to that in which it ends. A force acts from
    /// half a step before to half a step after; so what acts first acts for less than a step, or for
    /// more, and after the last one something is to be added or taken back.
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

    /// The force that presses two bodies together along the normal that are at rest; negative where they hold each other.
    pub(super) fn static_normal_force(&self, overlap: f64, radius: f64) -> f64 {
        self.normal.elastic_force(overlap, || radius).force - self.cohesion.force(|| radius)
    }

    /// The energy stored in a touch of this overlap and memory.
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
