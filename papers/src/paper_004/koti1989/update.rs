//! The thesis's time integration, and its test whether two particles have crossed.

use carom::geometry::Vector;

/// Equations (2.2) and (2.3): position and velocity after a time under a constant acceleration.
///
/// For particles on springs this explicit step is unstable, however short: the energy of an oscillation of
/// frequency ω grows by 1 + (ωt)²/2 + (ωt)⁴/16 … in each step, for the force is that of the step's beginning.
pub fn update(
    position: &Vector<3>,
    velocity: &Vector<3>,
    acceleration: &Vector<3>,
    time: f64,
) -> (Vector<3>, Vector<3>) {
    let displacement = velocity * time + acceleration * (0.5 * time * time);
    (position + displacement, velocity + acceleration * time)
}

/// Whether two particles have crossed, judged by their separation before and after a step: the signs of both dx and dy
/// have changed. Head-on along an axis dy keeps its sign, or is zero, and the crossing is missed.
pub fn has_crossed(before: &Vector<3>, after: &Vector<3>) -> bool {
    let changed = |axis: usize| before[axis] * after[axis] < 0.0;
    changed(0) && changed(1)
}
