//! Contact laws: the forces of two bodies, or of a body and a wall, that touch.
//!
//! | want | take |
//! |---|---|
//! | springs or Hertz's law with damping, friction, rolling resistance, cohesion | [`CompositeLaw`] |
//! | a law of your own | implement [`ContactLaw`] for a type of your program |
//!
//! A law is called in the innermost loop and is dispatched statically: simulations are generic over it.

mod cohesion;
mod composite;
mod contact_force;
mod damping;
mod kinematics;
mod lane_contact;
mod lane_vector;
mod law_history;
mod normal;
mod rolling;
mod tangential;

pub use cohesion::Cohesion;
pub use composite::CompositeLaw;
pub use contact_force::ContactForce;
pub use damping::Damping;
pub use kinematics::ContactKinematics;
pub use law_history::LawHistory;
pub use normal::NormalForceLaw;
pub use rolling::RollingResistance;
pub use tangential::TangentialForceLaw;

pub(super) use kinematics::reduced_radius;
pub(super) use lane_contact::{LaneContactForce, LaneContactKinematics};
pub(super) use lane_vector::LaneVector;

use super::contact_losses::ContactLosses;
use super::forces::{ForceStep, StepTotals};

/// The contact law of two materials: built in ([`CompositeLaw`]), or a type of your own program.
///
/// Two methods are needed, the force and the stored energy; everything that a simulation does with a law follows from
/// them. In two dimensions vectors have a third component of zero, but for angular velocities and torques, of which only
/// the third counts.
///
/// The law is called with contacts of spheres, of the spheres of clumps, and of the patches in which faces touch, with
/// each other and with walls. Mark [`contact_force`](Self::contact_force) with `#[inline(always)]`, so that it is compiled
/// into the loop over contacts, for the registers that the processor has.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_simulate::dem::{
///     Body, ContactForce, ContactKinematics, ContactLaw, ContactLosses, Settings, Simulation,
/// };
///
/// /// A spring whose force grows with the square of the overlap, with a dashpot.
/// #[derive(Clone)]
/// struct Foam {
///     stiffening: f64,
///     damping: f64,
/// }
///
/// impl ContactLaw for Foam {
///     // It keeps nothing of a contact from step to step.
///     type History = ();
///
///     #[inline(always)]
///     fn contact_force(&self, contact: &ContactKinematics, _: &mut (), time_step: f64) -> ContactForce {
///         let speed = contact.approach_speed();
///         let damping_loss = self.damping * speed.powi(2) * time_step;
///         ContactForce {
///             normal_force: self.stiffening * contact.overlap.powi(2) + self.damping * speed,
///             losses: ContactLosses { damping_loss, ..ContactLosses::default() },
///             ..ContactForce::default()
///         }
///     }
///
///     fn stored_energy(&self, overlap: f64, _reduced_radius: f64, _: &()) -> f64 {
///         self.stiffening * overlap.powi(3) / 3.0
///     }
/// }
///
/// let law = Foam { stiffening: 1e5, damping: 10.0 };
/// let bodies = [
///     Body { velocity: [1.0, 0.0].into(), ..Body::at_rest([0.0, 0.0], 0.5, 1.0) },
///     Body::at_rest([1.01, 0.0], 0.5, 1.0),
/// ];
/// let mut simulation = Simulation::new(&bodies, Settings::with_law(law))?;
/// while simulation.now() < 0.2 {
///     simulation.advance(10)?;
/// }
/// let energy = simulation.energy();
/// assert!(energy.damping_loss > 0.05, "{energy:?}");
/// assert!((energy.total() - 0.5).abs() < 1e-3, "{energy:?}");
/// # Ok::<(), carom_simulate::Error>(())
/// ```
pub trait ContactLaw: Clone + Send + Sync + 'static {
    /// History of a contact, from one time step to the next: a tangential displacement ([`Vector<3>`]), numbers
    /// (`[f64; N]`), both (a pair of them) or nothing (`()`).
    ///
    /// It is kept when neighbors are searched, bodies move to a periodic image, and a state is saved and resumed.
    ///
    /// [`Vector<3>`]: carom_geometry::Vector
    type History: LawHistory;

    /// Returns the force of a contact in a time step, and updates its history.
    ///
    /// The force is that of the moment at the end of the step; a tangential spring is displaced by the
    /// [`slip`](ContactKinematics::slip) of the step. What it takes out of the bodies' motion has to be stored or lost, or
    /// else the energy balance does not close. A force that is not finite ends the run with an error.
    ///
    /// ```
    /// use carom_geometry::Vector;
    /// use carom_simulate::dem::{ContactForce, ContactKinematics, ContactLaw};
    ///
    /// /// Springs along and across the normal, with Coulomb's limit.
    /// #[derive(Clone)]
    /// struct Slider {
    ///     stiffness: f64,
    ///     friction_coefficient: f64,
    /// }
    ///
    /// impl ContactLaw for Slider {
    ///     type History = Vector<3>;
    ///
    ///     #[inline(always)]
    ///     fn contact_force(
    ///         &self,
    ///         contact: &ContactKinematics,
    ///         displacement: &mut Vector<3>,
    ///         time_step: f64,
    ///     ) -> ContactForce {
    ///         let normal_force = self.stiffness * contact.overlap;
    ///         let friction_limit = contact.friction_limit(self.friction_coefficient, normal_force);
    ///         // The contact plane rotates with the bodies.
    ///         *displacement -= contact.normal * contact.normal.dot(displacement);
    ///         *displacement += contact.slip(time_step);
    ///         let pull = self.stiffness * displacement.norm();
    ///         let mut force = ContactForce { normal_force, friction_limit, ..ContactForce::default() };
    ///         if pull > friction_limit {
    ///             let slid = (pull - friction_limit) / self.stiffness;
    ///             force.losses.friction_loss = friction_limit * slid;
    ///             *displacement *= friction_limit / pull;
    ///         }
    ///         force.tangential_force = *displacement * -self.stiffness;
    ///         force
    ///     }
    ///
    ///     fn stored_energy(&self, overlap: f64, _reduced_radius: f64, displacement: &Vector<3>) -> f64 {
    ///         0.5 * self.stiffness * (overlap.powi(2) + displacement.norm_squared())
    ///     }
    /// }
    ///
    /// let law = Slider { stiffness: 1e3, friction_coefficient: 0.5 };
    /// let sliding = [0.0, 2.0, 0.0].into();
    /// let contact = ContactKinematics { velocity: sliding, ..ContactKinematics::at_rest(0.01, 0.25) };
    /// let mut displacement = Vector::zeros();
    /// // It sticks, and then it slides.
    /// for (time_step, force) in [(1e-3, -2.0), (1e-2, -5.0)] {
    ///     let found = law.contact_force(&contact, &mut displacement, time_step).tangential_force;
    ///     assert!((found.y - force).abs() < 1e-9 && (displacement.y + found.y / 1e3).abs() < 1e-12);
    /// }
    /// ```
    fn contact_force(
        &self,
        contact: &ContactKinematics,
        history: &mut Self::History,
        time_step: f64,
    ) -> ContactForce;

    /// Returns the energy that a contact stores.
    ///
    /// ```
    /// use carom_simulate::dem::{CompositeLaw, ContactLaw};
    /// let law = CompositeLaw::spring(1000.0);
    /// assert_eq!(law.stored_energy(0.5, 1.0, &[0.0; 3].into()), 125.0);
    /// ```
    fn stored_energy(&self, overlap: f64, reduced_radius: f64, history: &Self::History) -> f64;

    /// Returns the force and the losses of a contact in the step in which it has ended, with an overlap of zero or less;
    /// its history begins again from nothing. By default there is no force, and the energy that is still stored is lost to friction.
    ///
    /// ```
    /// use carom_geometry::Vector;
    /// use carom_simulate::dem::{CompositeLaw, ContactKinematics, ContactLaw, TangentialForceLaw};
    /// let tangential = TangentialForceLaw::Spring { stiffness: 100.0, damping: 0.0 };
    /// let law = CompositeLaw { tangential, friction_coefficient: 1.0, ..CompositeLaw::spring(1000.0) };
    /// let contact = ContactKinematics::at_rest(-0.01, 0.25);
    /// let ended = law.end_contact(&contact, &Vector::from([0.0, 0.5, 0.0]), 1e-3);
    /// assert_eq!((ended.normal_force, ended.losses.friction_loss), (0.0, 12.5));
    /// ```
    fn end_contact(
        &self,
        contact: &ContactKinematics,
        history: &Self::History,
        _time_step: f64,
    ) -> ContactForce {
        let friction_loss = self.stored_energy(0.0, contact.reduced_radius(), history);
        let losses = ContactLosses { friction_loss, ..ContactLosses::default() };
        ContactForce { losses, ..ContactForce::default() }
    }

    /// Returns the normal force of a contact at rest, negative where bodies attract: pressures inside bodies are made of
    /// it. By default it is that of [`contact_force`](Self::contact_force) without motion.
    ///
    /// ```
    /// use carom_simulate::dem::{Cohesion, CompositeLaw, ContactLaw};
    /// let cohesion = Cohesion::Dmt { work_of_adhesion: 1.0 };
    /// let law = CompositeLaw { cohesion, ..CompositeLaw::spring(1000.0) };
    /// let pull = 2.0 * std::f64::consts::PI * 0.25;
    /// assert_eq!(law.static_normal_force(0.5, 0.25, &[0.0; 3].into()), 500.0 - pull);
    /// ```
    fn static_normal_force(
        &self,
        overlap: f64,
        reduced_radius: f64,
        history: &Self::History,
    ) -> f64 {
        let contact = ContactKinematics::at_rest(overlap, reduced_radius);
        self.contact_force(&contact, &mut history.clone(), f64::MIN_POSITIVE).normal_force
    }

    /// Returns the stiffness by which the time step is chosen: a collision of the reduced mass `m` lasts `π √(m / k)`. Of
    /// a law whose stiffness changes, that of the stiffest moment is wanted. By default it is the slope of
    /// [`static_normal_force`](Self::static_normal_force) at an overlap of a twentieth of the reduced radius.
    ///
    /// ```
    /// use carom_simulate::dem::{CompositeLaw, ContactLaw};
    /// assert_eq!(CompositeLaw::spring(1000.0).stiffness(0.25), 1000.0);
    /// ```
    fn stiffness(&self, reduced_radius: f64) -> f64 {
        let overlap = REFERENCE_OVERLAP * reduced_radius;
        let force = |part: f64| {
            self.static_normal_force(overlap * part, reduced_radius, &Self::History::at_start())
        };
        // A central difference: second order, and right for any law that is smooth there.
        (force(1.0 + DIFFERENCE) - force(1.0 - DIFFERENCE)) / (2.0 * DIFFERENCE * overlap)
    }

    /// Refuses parameters that cannot be used, with the clause of a sentence that names the parameter, its value and the
    /// rule; it ends the message "the contact law of materials 0 and 1 cannot be used: ". By default all are accepted.
    ///
    /// ```
    /// use carom_simulate::dem::{CompositeLaw, ContactLaw};
    /// let reason = CompositeLaw::spring(-1.0).check().unwrap_err();
    /// assert_eq!(reason, "its stiffness is -1; it must be finite and not negative");
    /// ```
    fn check(&self) -> Result<(), String> {
        Ok(())
    }

    /// Returns a composed law that gives the same forces between spheres, if there is one: their contacts are then
    /// computed four at a time. By default there is none, and the law is called contact by contact.
    ///
    /// The history must have a tangential displacement, which the composed law updates.
    ///
    /// ```
    /// use carom_simulate::dem::{CompositeLaw, ContactLaw};
    /// let law = CompositeLaw::spring(1000.0);
    /// assert_eq!(law.as_composite(), Some(&law));
    /// ```
    fn as_composite(&self) -> Option<&CompositeLaw> {
        None
    }

    /// Computes the forces of a time step; called once per step. The built-in law has its own copy, so that it is compiled
    /// with this crate instead of with every crate that runs simulations.
    #[doc(hidden)]
    fn compute_forces(step: ForceStep<'_, Self>) -> StepTotals {
        step.compute()
    }
}

/// Overlap at which the stiffness of a law is taken, in units of the reduced radius.
const REFERENCE_OVERLAP: f64 = 0.05;

/// Relative difference of the overlap by which the slope of a force is found. The error of the slope is its square, and
/// the rounding of the force over it.
const DIFFERENCE: f64 = 1e-5;

/// Returns the force of a contact in a time step and updates its history, which begins again from nothing where the contact has ended.
#[inline(always)]
pub(super) fn advance_contact<L: ContactLaw>(
    law: &L,
    contact: &ContactKinematics,
    history: &mut L::History,
    time_step: f64,
) -> ContactForce {
    if contact.overlap <= 0.0 {
        let ended = law.end_contact(contact, history, time_step);
        // The next contact of the pair is a new one.
        *history = L::History::at_start();
        return ended;
    }
    law.contact_force(contact, history, time_step)
}
