//! The pressure of DEM runs.

use super::{Observable, Sample};
use crate::{ContactVirial, State, ThermalMotion, Value};

/// Pressure of a DEM run by the virial of contacts, wall contacts included, and thermal motion: the mean since the
/// previous row, in the first row the present value.
///
/// ```
/// use carom_simulate::dem::{Body, CompositeLaw, Settings, Simulation};
/// use carom_simulate::observe::{ContactPressure, Observable, Sample};
/// // Two spheres at rest overlap by 1/16: a force of 64 at a distance of 15/16 in a volume of 10.
/// let bodies = [0.0, 0.9375].map(|x| Body::at_rest([x, 0.0, 0.0], 0.5, 1.0));
/// let simulation = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1024.0)))?;
/// let pressure = ContactPressure::new(10.0).sample(&Sample::at_start(&simulation));
/// assert!((pressure[0].number() - 64.0 * 0.9375 / 30.0).abs() < 1e-12);
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPressure {
    /// Volume of the box.
    volume: f64,
    /// State at the last row.
    window_start: Option<VirialSnapshot>,
}

/// State at one end of the average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct VirialSnapshot {
    time: f64,
    /// Integral of the virial over time.
    virial: f64,
    /// Thermal part, `D N kT`.
    thermal: f64,
}

impl VirialSnapshot {
    fn of<const D: usize>(sample: &Sample<'_, D>, virial: &ContactVirial) -> Self {
        let State { time, masses, velocities, .. } = sample.state();
        let bodies = masses.iter().zip(velocities);
        let motion = ThermalMotion::of(bodies.map(|(&mass, &velocity)| (mass, velocity)));
        let thermal = (D * masses.len()) as f64 * motion.temperature;
        VirialSnapshot { time: *time, virial: virial.integral, thermal }
    }
}

impl ContactPressure {
    /// Starts to average at the first row, in a box of a volume (in 2D an area).
    pub fn new(volume: f64) -> Self {
        ContactPressure { volume, window_start: None }
    }
}

impl<const D: usize> Observable<D> for ContactPressure {
    fn name(&self) -> &str {
        "pressure"
    }

    fn columns(&self) -> Vec<String> {
        vec!["pressure".to_owned()]
    }

    fn sample(&mut self, sample: &Sample<'_, D>) -> Vec<Value> {
        let Some(virial) = sample.engine.contact_virial() else { return Vec::new() };
        let now = VirialSnapshot::of(sample, &virial);
        let start = self.window_start.replace(now).filter(|start| now.time > start.time);
        let sum = match start {
            Some(start) => {
                // The thermal part by the trapezoidal rule.
                let thermal = 0.5 * (now.thermal + start.thermal);
                thermal + (now.virial - start.virial) / (now.time - start.time)
            }
            None => now.thermal + virial.now,
        };
        vec![(sum / (D as f64 * self.volume)).into()]
    }

    fn save(&self) -> Vec<f64> {
        let numbers = |start: &VirialSnapshot| [start.time, start.virial, start.thermal];
        self.window_start.iter().flat_map(numbers).collect()
    }

    fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
        self.window_start = match *saved {
            [] => None,
            [time, virial, thermal] => Some(VirialSnapshot { time, virial, thermal }),
            _ => return Err("the start of the average of the pressure is not complete".to_owned()),
        };
        Ok(())
    }
}
