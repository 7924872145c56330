//! Cohesion of bodies in contact.

use std::f64::consts::PI;

/// An attraction while bodies touch.
///
/// ```
/// use carom_simulate::dem::{Body, Cohesion, CompositeLaw, Settings, Simulation};
/// // Spheres that barely touch hold each other by 2 π w R, here with the reduced radius 1/4.
/// let cohesion = Cohesion::Dmt { work_of_adhesion: 3.0 };
/// let law = CompositeLaw { cohesion, ..CompositeLaw::spring(1e4) };
/// let bodies = [0.0, 1.0 - 1e-12].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
/// let simulation = Simulation::new(&bodies, Settings::with_law(law))?;
/// let pull = 2.0 * std::f64::consts::PI * 3.0 * 0.25;
/// assert!((simulation.contacts()[0].normal_force + pull).abs() < 1e-6);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cohesion {
    /// No attraction.
    None,
    /// DMT adhesion: a force `2 pi w R` at every overlap, for stiff bodies with the work of adhesion `w` and
    /// the reduced radius `R` (B. Derjaguin, V. Muller and Y. Toporov, 1975).
    Dmt {
        /// Work of adhesion `w`, energy per area.
        work_of_adhesion: f64,
    },
}

impl Cohesion {
    /// Returns the parameter with its name.
    pub(super) fn parameter(&self) -> (&'static str, f64) {
        match *self {
            Cohesion::None => ("work of adhesion", 0.0),
            Cohesion::Dmt { work_of_adhesion } => ("work of adhesion", work_of_adhesion),
        }
    }

    #[inline(always)]
    pub(super) fn force(&self, radius: impl Fn() -> f64) -> f64 {
        match *self {
            Cohesion::None => 0.0,
            Cohesion::Dmt { work_of_adhesion } => 2.0 * PI * work_of_adhesion * radius(),
        }
    }
}
