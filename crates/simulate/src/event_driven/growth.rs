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

#[cfg(test)]
mod tests {
    use super::LubachevskyStillingerGrowth;
    use crate::ThermalMotion;
    use crate::event_driven::{BodyStart, Region, Settings, Simulation, Thermostat};

    fn temperature(simulation: &Simulation<2>) -> f64 {
        let bodies = 0..simulation.count();
        let motion = bodies.map(|body| (simulation.mass(body), simulation.velocity(body)));
        ThermalMotion::of(motion).temperature
    }

    /// The temperatures before growth, at its end, and under the settings that follow.
    fn around_growth(thermostat: Option<Thermostat>, next_rate: Option<f64>) -> [f64; 3] {
        let place = |k: i32| [f64::from(k % 4) * 2.5 + 1.25, f64::from(k / 4) * 2.5 + 1.25];
        let velocity = |k: i32| [f64::from(k * 7 % 5 - 2), f64::from(k * 3 % 7 - 3)];
        let bodies: Vec<_> = (0..16).map(|k| BodyStart::new(place(k), velocity(k), 0.4)).collect();
        let growth = |rate| LubachevskyStillingerGrowth { rate, until: None };
        let settings = Settings {
            growth: Some(growth(1.0)),
            thermostat,
            ..Settings::new(Region::periodic([10.0; 2]))
        };
        let mut simulation = Simulation::new(&bodies, settings.clone()).unwrap();
        let start = temperature(&simulation);
        simulation.advance(1.2, u64::MAX);
        let end = temperature(&simulation);
        let radius = simulation.radius(0);
        let next = Settings { growth: next_rate.map(growth), ..settings };
        simulation.change_settings(next).unwrap();
        assert_eq!((simulation.radius(0), simulation.is_growing()), (radius, next_rate.is_some()));
        [start, end, temperature(&simulation)]
    }

    #[test]
    fn growth_that_new_settings_end_leaves_the_temperature_of_its_start() {
        for next_rate in [None, Some(0.1)] {
            let [start, end, after] = around_growth(None, next_rate);
            assert!(
                end > 1.2 * start && (after / start - 1.0).abs() < 1e-12,
                "{start} {end} {after}"
            );
        }
    }

    #[test]
    fn a_thermostat_alone_sets_the_temperature_of_growth() {
        let thermostat = Thermostat::Rescale { temperature: 1.0, interval: 0.5 };
        let [_, end, after] = around_growth(Some(thermostat), None);
        assert!(end > 1.0 && after == end, "{end} {after}");
    }
}
