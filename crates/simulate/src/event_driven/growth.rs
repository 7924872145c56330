//! Lubachevsky-Stillinger growth of all radii.

/// Growth of all radii by one factor `1 + rate t` (Lubachevsky and Stillinger, 1990).
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
