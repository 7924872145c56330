//! The tangential force.

use super::normal::ElasticForce;
use carom_geometry::simd::LaneNumber;

/// The tangential force of a contact as long as it does not slide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TangentialForceLaw {
    /// No tangential force.
    None,
    /// A linear spring on the tangential displacement (P. Cundall and O. Strack, 1979).
    Spring {
        /// Tangential stiffness, force per length.
        stiffness: f64,
        /// Tangential damping coefficient, in units of the normal one.
        damping: f64,
    },
    /// For Hertz's law, a spring whose stiffness grows with the contact radius: `8 G sqrt(R d)` (R. Mindlin,
    /// 1949).
    ///
    /// While the contact area grows the force is kept, because its new parts were not displaced; while it
    /// shrinks the displacement is kept, because its lost parts take their share of the force along. Both lose
    /// energy, which counts as friction loss; a spring that kept its displacement throughout would gain energy.
    Mindlin {
        /// Reduced shear modulus `G`: `1 / G` is the sum over both materials of `(2 - n) / S`, with shear modulus
        /// `S` and Poisson's ratio `n`.
        modulus: f64,
        /// Tangential damping coefficient, in units of the normal one.
        damping: f64,
    },
}

/// The tangential spring at one moment.
#[derive(Clone, Copy, Debug)]
pub(super) struct TangentialSpring<N> {
    pub stiffness: N,
    /// Damping coefficient, force per slip speed.
    pub damping_coefficient: N,
}

impl TangentialForceLaw {
    /// Returns the parameters with their names.
    pub(super) fn parameters(&self) -> [(&'static str, f64); 2] {
        let (name, stiffness, damping) = match *self {
            TangentialForceLaw::None => ("tangential stiffness", 0.0, 0.0),
            TangentialForceLaw::Spring { stiffness, damping } => {
                ("tangential stiffness", stiffness, damping)
            }
            TangentialForceLaw::Mindlin { modulus, damping } => {
                ("reduced shear modulus", modulus, damping)
            }
        };
        [(name, stiffness), ("tangential damping", damping)]
    }

    #[inline(always)]
    pub(super) fn spring<N: LaneNumber>(
        &self,
        elastic: &ElasticForce<N>,
        normal_damping: N,
    ) -> Option<TangentialSpring<N>> {
        match *self {
            TangentialForceLaw::None => None,
            TangentialForceLaw::Spring { stiffness, damping } => Some(TangentialSpring {
                stiffness: N::splat(stiffness),
                damping_coefficient: normal_damping * N::splat(damping),
            }),
            TangentialForceLaw::Mindlin { modulus, damping } => {
                let stiffness = elastic.contact_radius? * N::splat(8.0 * modulus);
                Some(TangentialSpring {
                    stiffness,
                    damping_coefficient: normal_damping * N::splat(damping),
                })
            }
        }
    }

    /// Returns the ratio of the stiffness to that of a step ago, when the overlap was less by `overlap_change`;
    /// infinite if the bodies did not touch then.
    #[inline(always)]
    pub(super) fn stiffness_ratio<N: LaneNumber>(&self, overlap: N, overlap_change: N) -> N {
        match self {
            TangentialForceLaw::None | TangentialForceLaw::Spring { .. } => N::splat(1.0),
            TangentialForceLaw::Mindlin { .. } => {
                // Mindlin's stiffness grows as the contact radius √(R d).
                (overlap / (overlap - overlap_change).max(N::splat(0.0))).sqrt()
            }
        }
    }
}
