//! Lubachevsky-Stillinger growth of all radii.

/// Growth of all radii by one factor `1 + rate t` (Lubachevsky and Stillinger, 1990).
///
/// ```
/// use carom_simulate::event_driven::{
///     BodyStart, GrowthTarget, LubachevskyStillingerGrowth, Region, Settings, Simulation,
/// };
/// let until = Some(GrowthTarget::PackingFraction(0.05));
/// let growth = LubachevskyStillingerGrowth { rate: 0.25, until };
/// let settings = Settings { growth: Some(growth), ..Settings::new(Region::periodic([20.0, 20.0])) };
/// let bodies = [5.0, 15.0].map(|x| BodyStart::new([x, 10.0], [0.0, 0.5], 1.0));
/// let mut simulation = Simulation::new(&bodies, settings)?;
/// simulation.advance(2.0, u64::MAX);
/// assert!((simulation.radius(0) - 1.5).abs() < 1e-12);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LubachevskyStillingerGrowth {
    /// Growth rate of the factor, in 1 / time.
    pub rate: f64,
    /// Target of the growth; `None` if only time or collisions end the run.
    pub until: Option<GrowthTarget>,
}

/// The target at which growth, and with it the run, ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GrowthTarget {
    /// The packing fraction reaches this value.
    PackingFraction(f64),
    /// The reduced pressure `PV / NkT` reaches this value.
    Pressure(f64),
}
