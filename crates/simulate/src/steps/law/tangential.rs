//! The force across the normal.

use super::normal::Elastic;
use super::number::Number;

/// How a contact resists being displaced across the normal, as long as it does not slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tangential {
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
pub(super) struct Spring<N> {
    pub stiffness: N,
    /// Force for a speed of one.
    pub rate: N,
}

impl Tangential {
    #[inline(always)]
    pub(super) fn spring<N: Number>(&self, elastic: &Elastic<N>, rate: N) -> Option<Spring<N>> {
        match *self {
            Tangential::None => None,
            Tangential::Spring { stiffness, damping } => {
                Some(Spring { stiffness: N::of(stiffness), rate: rate * N::of(damping) })
            }
            Tangential::Mindlin { modulus, damping } => {
                let stiffness = elastic.reach? * N::of(8.0 * modulus);
                Some(Spring { stiffness, rate: rate * N::of(damping) })
            }
        }
    }
    /// How many times as stiff the spring is as a step ago, when the bodies were so much less deep in each other;
    /// infinite if they did not touch.
    #[inline(always)]
    pub(super) fn stiffened<N: Number>(&self, overlap: N, deeper: N) -> N {
        match self {
            Tangential::None | Tangential::Spring { .. } => N::of(1.0),
            Tangential::Mindlin { .. } => (overlap / (overlap - deeper).max(N::of(0.0))).sqrt(),
        }
    }
}
