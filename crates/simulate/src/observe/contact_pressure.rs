use super::{Observable, Sample};
use crate::dem::Simulation;
use crate::{ThermalMotion, Value};

/// Pressure of a DEM run by the virial of contacts, wall contacts included, and thermal motion: the mean since the
/// previous row, in the first row the present value.
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
    fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        let bodies = (0..simulation.body_count()).map(|number| simulation.body(number));
        let motion = ThermalMotion::of(bodies.map(|body| (body.mass, body.velocity)));
        let thermal = (D * simulation.body_count()) as f64 * motion.temperature;
        VirialSnapshot { time: simulation.now(), virial: simulation.virial_integral(), thermal }
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
        let Some(simulation) = sample.simulation::<Simulation<D>>() else { return Vec::new() };
        let now = VirialSnapshot::of(simulation);
        let start = self.window_start.replace(now).filter(|start| now.time > start.time);
        let sum = match start {
            Some(start) => {
                // The thermal part by the trapezoidal rule.
                let thermal = 0.5 * (now.thermal + start.thermal);
                thermal + (now.virial - start.virial) / (now.time - start.time)
            }
            None => now.thermal + simulation.step_totals().virial,
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
