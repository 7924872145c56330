//! The elastic force along the normal.

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
pub(super) struct Elastic {
    pub force: f64,
    /// How much the force grows with the overlap.
    pub stiffness: f64,
    pub energy: f64,
    /// The radius of the touching area, `sqrt(R d)`, if that is known.
    pub reach: Option<f64>,
}

impl Normal {
    #[inline(always)]
    pub(super) fn force(&self, overlap: f64, radius: impl Fn() -> f64) -> Elastic {
        match *self {
            Normal::Spring { stiffness } => {
                let force = stiffness * overlap;
                let energy = 0.5 * force * overlap;
                Elastic { force, stiffness, energy, reach: None }
            }
            Normal::Hertz { modulus } => {
                let reach = (radius() * overlap).sqrt();
                let stiffness = reach * (2.0 * modulus);
                let force = stiffness * overlap * (2.0 / 3.0);
                Elastic { force, stiffness, energy: force * overlap * 0.4, reach: Some(reach) }
            }
        }
    }
}
