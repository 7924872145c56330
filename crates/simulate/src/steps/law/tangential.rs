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
    /// Its displacement is kept while it stiffens, so that impacts that hardly slide gain energy across the
    /// normal; to be right, the displacement must shrink as the stiffness grows.
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
}
