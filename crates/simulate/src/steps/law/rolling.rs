//! What resists rolling.

use super::Touch;
use carom_geometry::Vector;

/// A torque against turning relative to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rolling {
    /// None.
    None,
    /// So much of the force along the normal, times the reduced radius.
    Constant(f64),
}

/// At most this part of a relative turn is stopped within a step, so that a body does not tremble.
const STOPPED: f64 = 0.1;

#[inline(always)]
pub(super) fn torque(part: f64, touch: &Touch, pressing: f64, step: f64) -> Vector<3> {
    let spin = touch.spin.norm();
    let most = STOPPED * spin / (touch.agility * step);
    let torque = (part * touch.radius() * pressing).min(most);
    if spin > 0.0 { touch.spin * (-torque / spin) } else { Vector::zeros() }
}
