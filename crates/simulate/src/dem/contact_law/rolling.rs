//! Rolling resistance.

use super::ContactKinematics;
use carom_geometry::Vector;

/// A torque against the relative rotation of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RollingResistance {
    /// No resistance.
    None,
    /// Constant directional torque: this coefficient times normal force times reduced radius.
    Constant(f64),
}

/// Largest fraction of the relative angular velocity that is stopped within a step; a constant torque would
/// otherwise overshoot and make a body at rest tremble.
const MAX_STOPPED_FRACTION: f64 = 0.1;

#[inline(always)]
pub(super) fn rolling_torque(
    coefficient: f64,
    kinematics: &ContactKinematics,
    normal_force: f64,
    time_step: f64,
) -> Vector<3> {
    let angular_speed = kinematics.angular_velocity.norm();
    let max_torque =
        MAX_STOPPED_FRACTION * angular_speed / (kinematics.inverse_inertia * time_step);
    let torque = (coefficient * kinematics.reduced_radius() * normal_force).min(max_torque);
    if angular_speed > 0.0 {
        kinematics.angular_velocity * (-torque / angular_speed)
    } else {
        Vector::zeros()
    }
}
