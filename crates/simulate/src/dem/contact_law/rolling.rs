//! Rolling resistance.

use super::ContactKinematics;
use carom_geometry::Vector;

/// A torque against the relative rotation of two bodies.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, RollingResistance, Settings, Simulation, Wall};
/// let law = CompositeLaw { rolling: RollingResistance::Constant(0.1), ..CompositeLaw::spring(1e5) };
/// let (walls, gravity) = (vec![Wall::plane([0.0, 0.0, 1.0], 0.0)], [0.0, 0.0, -10.0].into());
/// let settings = Settings { walls, gravity, ..Settings::with_law(law) };
/// let start = Body::at_rest([0.0, 0.0, 0.5 - 1e-4], 0.5, 1.0);
/// let ball = Body { angular_velocity: [0.0, 10.0, 0.0].into(), ..start };
/// let mut simulation = Simulation::new(&[ball], settings)?;
/// simulation.advance(1500)?;
/// // The torque 0.1 m g r against the moment of inertia 2/5 m r².
/// let slower = 0.1 * 10.0 / (0.4 * 0.5) * simulation.now();
/// assert!((simulation.body(0).angular_velocity.y - (10.0 - slower)).abs() < 0.01);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RollingResistance {
    /// No resistance.
    None,
    /// Constant directional torque: this coefficient times normal force times reduced radius.
    Constant(f64),
}

impl RollingResistance {
    /// Returns the parameter with its name.
    pub(super) fn parameter(&self) -> (&'static str, f64) {
        match *self {
            RollingResistance::None => ("rolling resistance", 0.0),
            RollingResistance::Constant(coefficient) => ("rolling resistance", coefficient),
        }
    }
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
