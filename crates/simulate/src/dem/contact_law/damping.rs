//! Damping along the normal.

use super::normal::ElasticForce;
use carom_geometry::math;
use carom_geometry::simd::LaneNumber;
use std::f64::consts::PI;

/// Damping of a contact along the normal: a force `c v` against the approach speed `v`.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Damping, Settings, Simulation};
/// // Two bodies of reduced mass 1 on a spring of frequency 100, damped at a rate of 20.
/// let law = CompositeLaw { damping: Damping::Rate(20.0), ..CompositeLaw::spring(1e4) };
/// let bodies = [
///     Body { velocity: [1.0, 0.0, 0.0].into(), ..Body::at_rest([0.0, 0.0, 0.0], 0.5, 2.0) },
///     Body::at_rest([1.01, 0.0, 0.0], 0.5, 2.0),
/// ];
/// let mut simulation = Simulation::new(&bodies, Settings::with_law(law))?;
/// simulation.advance(200)?;
/// // It loses exp(-rate / 2 · duration), with half a period of the damped oscillator.
/// let duration = std::f64::consts::PI / (1e4f64 - 10.0 * 10.0).sqrt();
/// let rebound = simulation.body(1).velocity.x - simulation.body(0).velocity.x;
/// assert!((rebound - (-10.0 * duration).exp()).abs() < 0.01);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Damping {
    /// No damping.
    None,
    /// The damping coefficient `c` is this rate (per time) times the reduced mass.
    Rate(f64),
    /// `c = 2 b sqrt(m k)` with the present stiffness `k` and the damping ratio `b`, so that the coefficient
    /// of restitution `e` is the same at every speed and mass.
    ///
    /// Exact for springs, with `b = -ln e / sqrt(pi^2 + ln^2 e)`, and with `sqrt(5/6) b` for Hertz's law
    /// (D. Antypov and J. Elliott, Europhysics Letters 94, 2011, for the force of Y. Tsuji, 1992), if the
    /// contact lasts until the overlap is zero, where the total force attracts at the end. With the default
    /// time step, this holds within a thousandth.
    Restitution(RestitutionFactors),
}

/// Factors that follow from a coefficient of restitution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RestitutionFactors {
    /// Factor for springs, `2 b`.
    spring: f64,
    /// Factor for the law of Hertz, `2 sqrt(5/6) b`.
    hertz: f64,
}

impl Damping {
    /// Makes damping for a coefficient of restitution from 0 to 1. With 0 the contact is critically damped, and
    /// separates slowly.
    pub fn restitution(coefficient: f64) -> Self {
        let log = math::ln(coefficient);
        let b = if coefficient > 0.0 { -log / math::hypot(PI, log) } else { 1.0 };
        Damping::Restitution(RestitutionFactors {
            spring: 2.0 * b,
            hertz: 2.0 * (5.0_f64 / 6.0).sqrt() * b,
        })
    }

    /// Returns the parameter with its name.
    pub(super) fn parameter(&self) -> (&'static str, f64) {
        match self {
            Damping::None => ("damping", 0.0),
            Damping::Rate(rate) => ("damping rate", *rate),
            Damping::Restitution(restitution) => {
                ("damping factor (from the coefficient of restitution)", restitution.spring)
            }
        }
    }

    /// Returns the exponent of the overlap with which the damping coefficient grows.
    #[inline(always)]
    pub(super) fn overlap_exponent<N: LaneNumber>(&self, elastic: &ElasticForce<N>) -> f64 {
        match (self, elastic.contact_radius) {
            (Damping::Restitution(_), Some(_)) => 0.25,
            _ => 0.0,
        }
    }

    /// Returns the damping coefficient, force per approach speed.
    #[inline(always)]
    pub(super) fn coefficient<N: LaneNumber>(
        &self,
        elastic: &ElasticForce<N>,
        inverse_mass: N,
    ) -> N {
        match self {
            Damping::None => N::splat(0.0),
            Damping::Rate(rate) => N::splat(*rate) / inverse_mass,
            Damping::Restitution(restitution) => {
                let is_hertz = elastic.contact_radius.is_some();
                let factor = if is_hertz { restitution.hertz } else { restitution.spring };
                N::splat(factor) * (elastic.stiffness / inverse_mass).sqrt()
            }
        }
    }
}
