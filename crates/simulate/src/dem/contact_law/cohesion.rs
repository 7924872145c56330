//! Cohesion of bodies in contact.

use std::f64::consts::PI;

/// An attraction while bodies touch.
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
    #[inline(always)]
    pub(super) fn force(&self, radius: impl Fn() -> f64) -> f64 {
        match *self {
            Cohesion::None => 0.0,
            Cohesion::Dmt { work_of_adhesion } => 2.0 * PI * work_of_adhesion * radius(),
        }
    }
}
