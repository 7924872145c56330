//! What a contact law returns.

use crate::dem::contact_losses::ContactLosses;
use carom_geometry::Vector;

/// Force of a contact on its first body, and energy lost. The default is no force.
///
/// ```
/// use carom_simulate::dem::ContactForce;
/// let force = ContactForce { normal_force: 3.0, ..ContactForce::default() };
/// // Repulsion pushes the first body back from the second.
/// assert_eq!(force.on_first(&[1.0, 0.0, 0.0].into()).x, -3.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactForce {
    /// Normal force, positive for repulsion, with everything that acts along the normal: elastic force, damping,
    /// cohesion.
    pub normal_force: f64,
    /// Tangential force on the first body; the second gets the opposite, and both the torques about their centers.
    pub tangential_force: Vector<3>,
    /// Torque of rolling resistance on the first body; the second gets the opposite.
    pub rolling_torque: Vector<3>,
    /// Energy lost in this step.
    pub losses: ContactLosses,
    /// Damping coefficient, the part of the normal force per approach speed. Where faces touch, they damp rocking by it,
    /// and that loss is counted beside `losses`.
    pub damping_coefficient: f64,
    /// Largest tangential force that friction can hold, see
    /// [`ContactKinematics::friction_limit`](super::ContactKinematics::friction_limit). Where faces touch, they oppose
    /// twisting about the normal by it, and that loss is counted beside `losses`.
    pub friction_limit: f64,
}

impl ContactForce {
    /// Returns the whole force on the first body of a contact with this normal.
    #[inline(always)]
    pub fn on_first(&self, normal: &Vector<3>) -> Vector<3> {
        self.tangential_force - normal * self.normal_force
    }
}
