//! What is lost along the normal.

use super::lane_number::LaneNumber;
use super::normal::ElasticForce;
use carom_geometry::math;
use std::f64::consts::PI;

/// How a contact loses energy along the normal: a force `c v` against the speed of approach `v`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// Nothing is lost.
    None,
    /// `c` is this rate times the reduced mass.
    Rate(f64),
    /// `c = 2 b sqrt(m k)` with the stiffness `k` of the moment, so that this part of the speed of
    /// approach is left at every speed and mass.
    ///
    /// Exact for springs, with `b = -ln e / sqrt(pi^2 + ln^2 e)`, and with `sqrt(5/6) b` for the law of
    /// Hertz (D. Antypov and J. Elliott, Europhysics Letters 94, 2011, for the force of Y. Tsuji,
    /// 1992), if the contact lasts until the bodies part, pulling at the end.
    /// With the step that is chosen by default, this holds within a thousandth.
    Restitution(RestitutionFactors),
}

/// What follows from the part of the speed of approach that is to be left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestitutionFactors {
    /// `2 b` for springs, `2 sqrt(5/6) b` for the law of Hertz.
    factors: [f64; 2],
}

impl Damping {
    /// Such that this part of the speed of approach is left, from 0 to 1. With nothing left the contact
    /// is damped as much as can be without swinging, and parts slowly.
    pub fn restitution(coefficient: f64) -> Self {
        let log = math::ln(coefficient);
        let b = if coefficient > 0.0 { -log / math::hypot(PI, log) } else { 1.0 };
        Damping::Restitution(RestitutionFactors {
            factors: [2.0 * b, 2.0 * (5.0_f64 / 6.0).sqrt() * b],
        })
    }

    /// With which power of the overlap the force for a speed of one grows.
    #[inline(always)]
    pub(super) fn overlap_exponent<N: LaneNumber>(&self, elastic: &ElasticForce<N>) -> f64 {
        match (self, elastic.contact_radius) {
            (Damping::Restitution(_), Some(_)) => 0.25,
            _ => 0.0,
        }
    }

    /// Force for a speed of one.
    #[inline(always)]
    pub(super) fn coefficient<N: LaneNumber>(
        &self,
        elastic: &ElasticForce<N>,
        inverse_mass: N,
    ) -> N {
        match self {
            Damping::None => N::of(0.0),
            Damping::Rate(rate) => N::of(*rate) / inverse_mass,
            Damping::Restitution(restitution) => {
                let factor = restitution.factors[usize::from(elastic.contact_radius.is_some())];
                N::of(factor) * (elastic.stiffness / inverse_mass).sqrt()
            }
        }
    }
}
