//! The elastic force along the normal.

use super::number::Number;

/// How the repulsion grows with the overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Normal {
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
pub(in crate::steps) struct Elastic<N> {
    pub force: N,
    /// How much the force grows with the overlap.
    pub stiffness: N,
    pub energy: N,
    /// The radius of the touching area, `sqrt(R d)`, if that is known.
    pub reach: Option<N>,
}

impl Normal {
    #[inline(always)]
    pub(super) fn force<N: Number>(&self, overlap: N, radius: impl Fn() -> N) -> Elastic<N> {
        match *self {
            Normal::Spring { stiffness } => {
                let stiffness = N::of(stiffness);
                let force = stiffness * overlap;
                let energy = N::of(0.5) * force * overlap;
                Elastic { force, stiffness, energy, reach: None }
            }
            Normal::Hertz { modulus } => {
                let reach = (radius() * overlap).sqrt();
                let stiffness = reach * N::of(2.0 * modulus);
                let force = stiffness * overlap * N::of(2.0 / 3.0);
                let energy = force * overlap * N::of(0.4);
                Elastic { force, stiffness, energy, reach: Some(reach) }
            }
        }
    }
}
