//! The force across the normal.

use super::lane_number::LaneNumber;
use super::normal::ElasticForce;

/// How a contact resists being displaced across the normal, as long as it does not slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TangentialForceLaw {
    /// Not at all.
    None,
    /// By a spring that remembers how far it was displaced.
    Spring {
        /// Force for a displacement of one.
        stiffness: f64,
        /// Its damping, in parts of that along the normal.
        damping: f64,
    },
    /// Under the law of Hertz, by a spring as stiff as the touching area is wide: `8 G sqrt(R d)` (R. Mindlin, 1949).
    ///
    /// While the area grows the force is kept, for its new parts were not displaced; while it shrinks the
    /// displacement is, for its lost parts take their share of the force along. Both lose energy, which counts
    /// as rubbed; a spring that kept its displacement throughout would gain some.
    Mindlin {
        /// The reduced shear modulus `G`: one over it is `(2 - n) / S`, summed over both materials with
        /// shear moduli `S` and Poisson's ratios `n`.
        modulus: f64,
        /// Its damping, in parts of that along the normal.
        damping: f64,
    },
}

/// The spring of a moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct TangentialSpring<N> {
    pub stiffness: N,
    /// Force for a speed of one.
    pub damping_coefficient: N,
}

impl TangentialForceLaw {
    #[inline(always)]
    pub(super) fn spring<N: LaneNumber>(
        &self,
        elastic: &ElasticForce<N>,
        normal_damping: N,
    ) -> Option<TangentialSpring<N>> {
        match *self {
            TangentialForceLaw::None => None,
            TangentialForceLaw::Spring { stiffness, damping } => Some(TangentialSpring {
                stiffness: N::of(stiffness),
                damping_coefficient: normal_damping * N::of(damping),
            }),
            TangentialForceLaw::Mindlin { modulus, damping } => {
                let stiffness = elastic.contact_radius? * N::of(8.0 * modulus);
                Some(TangentialSpring {
                    stiffness,
                    damping_coefficient: normal_damping * N::of(damping),
                })
            }
        }
    }
    /// How many times as stiff the spring is as a step ago, when the bodies were so much less deep in each other;
    /// infinite if they did not touch.
    #[inline(always)]
    pub(super) fn stiffness_ratio<N: LaneNumber>(&self, overlap: N, overlap_change: N) -> N {
        match self {
            TangentialForceLaw::None | TangentialForceLaw::Spring { .. } => N::of(1.0),
            TangentialForceLaw::Mindlin { .. } => {
                (overlap / (overlap - overlap_change).max(N::of(0.0))).sqrt()
            }
        }
    }
}
