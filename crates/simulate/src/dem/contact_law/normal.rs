//! The elastic force along the normal.

use super::lane_number::LaneNumber;

/// How the repulsion grows with the overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NormalForceLaw {
    /// In proportion: `k d`. A collision lasts equally long at every speed.
    Spring {
        /// Force for an overlap of one.
        stiffness: f64,
    },
    /// As for elastic spheres: `4/3 E sqrt(R) d^(3/2)` (H. Hertz, 1881).
    Hertz {
        /// The reduced modulus `E`: one over it is `(1 - n^2) / Y`, summed over both materials with
        /// Young's moduli `Y` and Poisson's ratios `n`.
        modulus: f64,
    },
}

/// An elastic force, and what goes with it.
#[derive(Clone, Copy, Debug)]
pub(in crate::dem) struct ElasticForce<N> {
    pub force: N,
    /// How much the force grows with the overlap.
    pub stiffness: N,
    pub energy: N,
    /// The radius of the touching area, `sqrt(R d)`, if that is known.
    pub contact_radius: Option<N>,
}

impl NormalForceLaw {
    #[inline(always)]
    pub(super) fn elastic_force<N: LaneNumber>(
        &self,
        overlap: N,
        radius: impl Fn() -> N,
    ) -> ElasticForce<N> {
        match *self {
            NormalForceLaw::Spring { stiffness } => {
                let stiffness = N::of(stiffness);
                let force = stiffness * overlap;
                let energy = N::of(0.5) * force * overlap;
                ElasticForce { force, stiffness, energy, contact_radius: None }
            }
            NormalForceLaw::Hertz { modulus } => {
                let contact_radius = (radius() * overlap).sqrt();
                let stiffness = contact_radius * N::of(2.0 * modulus);
                let force = stiffness * overlap * N::of(2.0 / 3.0);
                let energy = force * overlap * N::of(0.4);
                ElasticForce { force, stiffness, energy, contact_radius: Some(contact_radius) }
            }
        }
    }
}
