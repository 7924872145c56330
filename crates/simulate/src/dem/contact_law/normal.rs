//! The elastic normal force.

use carom_geometry::simd::LaneNumber;

/// The elastic normal force as a function of the overlap `d`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NormalForceLaw {
    /// Linear spring: `k d`. A collision lasts equally long at every speed.
    Spring {
        /// Stiffness `k`, force per length.
        stiffness: f64,
    },
    /// Elastic spheres: `4/3 E sqrt(R) d^(3/2)` with the reduced radius `R` (H. Hertz, 1881).
    Hertz {
        /// Reduced modulus `E`: `1 / E` is the sum over both materials of `(1 - n^2) / Y`, with Young's modulus
        /// `Y` and Poisson's ratio `n`.
        modulus: f64,
    },
}

/// An elastic normal force with its stiffness and energy.
#[derive(Clone, Copy, Debug)]
pub(in crate::dem) struct ElasticForce<N> {
    pub force: N,
    /// Tangent stiffness, the derivative of the force by the overlap.
    pub stiffness: N,
    pub energy: N,
    /// Radius of the contact area, `sqrt(R d)`; none for springs.
    pub contact_radius: Option<N>,
}

impl NormalForceLaw {
    /// Returns the parameter with its name.
    pub(super) fn parameter(&self) -> (&'static str, f64) {
        match *self {
            NormalForceLaw::Spring { stiffness } => ("stiffness", stiffness),
            NormalForceLaw::Hertz { modulus } => ("reduced modulus", modulus),
        }
    }

    #[inline(always)]
    pub(super) fn elastic_force<N: LaneNumber>(
        &self,
        overlap: N,
        radius: impl Fn() -> N,
    ) -> ElasticForce<N> {
        match *self {
            NormalForceLaw::Spring { stiffness } => {
                let stiffness = N::splat(stiffness);
                let force = stiffness * overlap;
                let energy = N::splat(0.5) * force * overlap;
                ElasticForce { force, stiffness, energy, contact_radius: None }
            }
            NormalForceLaw::Hertz { modulus } => {
                // Hertz (1882): F = 4/3 E* √R d^(3/2); its derivative is 2 E* √(R d), its integral 2/5 F d.
                let contact_radius = (radius() * overlap).sqrt();
                let stiffness = contact_radius * N::splat(2.0 * modulus);
                let force = stiffness * overlap * N::splat(2.0 / 3.0);
                let energy = force * overlap * N::splat(0.4);
                ElasticForce { force, stiffness, energy, contact_radius: Some(contact_radius) }
            }
        }
    }
}
