//! Collision rate, mean free path and pressure of event-driven runs.

use super::{CumulativeObservables, Observable, Sample, ThermodynamicSnapshot, WindowAverages};
use crate::event_driven::Simulation;
use crate::quantity::{Quantity, so_far, window};
use crate::{BoundaryCondition, Region, Value, Values};

/// The quantities that this observable adds to logs and summaries.
pub(super) const QUANTITIES: &[Quantity] = &[
    so_far("mean_temperature", "energy", "Mean of the temperature over time; in summaries."),
    window("last_collision_rate", "1/time", "`collision_rate` of the last row; in summaries."),
    window("last_mean_free_path", "length", "`mean_free_path` of the last row; in summaries."),
    window("last_reduced_pressure", "", "`reduced_pressure` of the last row; in summaries."),
    window("last_pressure", "energy/volume", "`pressure` of the last row; in summaries."),
];

/// Integrals over time since the start of the run, by the trapezoidal rule between rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct TimeIntegrals {
    /// Integral of the temperature.
    temperature: f64,
    /// Integral of the mean speed of a body: its mean path.
    mean_speed: f64,
}

/// Collision rate, mean free path and pressure of an event-driven run: averages since the previous row in the log, and
/// over the whole run in the summary.
///
/// ```
/// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
/// use carom_simulate::observe::{CollisionAverages, Observable, Sample};
/// use carom_simulate::Region;
/// // Two discs that meet once in a time of 4: each has a quarter of a collision per time.
/// let bodies = [(2.0, 1.0), (5.0, -1.0)].map(|(x, v)| BodyStart::new([x, 5.0], [v, 0.0], 0.5));
/// let region = Region::periodic([10.0, 10.0]);
/// let mut averages = CollisionAverages::new(&region);
/// let mut simulation = Simulation::new(&bodies, Settings::new(region))?;
/// averages.sample(&Sample::at_start(&simulation));
/// simulation.advance(4.0, u64::MAX);
/// let row = averages.sample(&Sample::of(&simulation));
/// let columns = Observable::<2>::columns(&averages);
/// let rate = columns.iter().position(|column| column == "collision_rate");
/// assert_eq!(rate.map(|place| row[place].number()), Some(0.25));
/// # Ok::<(), carom_simulate::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CollisionAverages {
    has_walls: bool,
    /// State at the last row.
    window_start: Option<CumulativeObservables>,
    /// Integrals up to the last row.
    integrals: TimeIntegrals,
    /// Averages between the last two rows.
    last_window: Option<WindowAverages>,
}

impl CollisionAverages {
    /// Starts to average at the first row, which must be the start of the run.
    pub fn new<const D: usize>(region: &Region<D>) -> Self {
        let conditions = &region.boundary_conditions;
        CollisionAverages {
            has_walls: conditions.iter().any(|it| matches!(it, BoundaryCondition::Wall { .. })),
            window_start: None,
            integrals: TimeIntegrals::default(),
            last_window: None,
        }
    }

    /// Integrals of temperature and mean speed up to a moment, by the trapezoidal rule.
    fn integrals_until(&self, end: &CumulativeObservables) -> TimeIntegrals {
        let start = self.window_start.as_ref().unwrap_or(end);
        let half = 0.5 * (end.time - start.time);
        TimeIntegrals {
            temperature: self.integrals.temperature + half * (start.temperature + end.temperature),
            mean_speed: self.integrals.mean_speed + half * (start.mean_speed + end.mean_speed),
        }
    }
}

impl<const D: usize> Observable<D> for CollisionAverages {
    fn name(&self) -> &str {
        "collision_averages"
    }

    fn columns(&self) -> Vec<String> {
        let all =
            ["collision_rate", "mean_free_path", "reduced_pressure", "pressure", "wall_pressure"];
        all[..if self.has_walls { 5 } else { 4 }].iter().map(|&name| name.to_owned()).collect()
    }

    fn sample(&mut self, sample: &Sample<'_, D>) -> Vec<Value> {
        let Some(simulation) = sample.simulation::<Simulation<D>>() else { return Vec::new() };
        let now = CumulativeObservables::of(simulation);
        let start = self.window_start.unwrap_or(now);
        let window = WindowAverages::between(&start, &now, simulation);
        self.integrals = self.integrals_until(&now);
        self.window_start = Some(now);
        if !sample.is_start {
            self.last_window = Some(window);
        }
        let all = [
            window.collision_rate,
            window.mean_free_path,
            window.reduced_pressure,
            window.pressure,
            window.wall_pressure,
        ];
        all[..if self.has_walls { 5 } else { 4 }].iter().map(|&value| value.into()).collect()
    }

    fn summary(&self, sample: &Sample<'_, D>) -> Values {
        let mut values = Values::default();
        let Some(simulation) = sample.simulation::<Simulation<D>>() else { return values };
        let counters = simulation.counters();
        let snapshot = ThermodynamicSnapshot::of(simulation);
        let now = CumulativeObservables::with(simulation, &snapshot);
        let integrals = self.integrals_until(&now);
        let (count, time) = (simulation.count() as f64, simulation.now());
        let virial = counters.virial / D as f64;
        let collision_rate = 2.0 * counters.collisions as f64 / (count * time);
        let volume = simulation.settings().region.volume();
        values.push("mean_temperature", integrals.temperature / time);
        values.push("collision_rate", collision_rate);
        values.push("mean_free_path", integrals.mean_speed / time / collision_rate);
        values.push("reduced_pressure", 1.0 + virial / (count * integrals.temperature));
        values.push("pressure", (count * integrals.temperature + virial) / (time * volume));
        if let Some(window) = &self.last_window {
            values.push("last_collision_rate", window.collision_rate);
            values.push("last_mean_free_path", window.mean_free_path);
            values.push("last_reduced_pressure", window.reduced_pressure);
            values.push("last_pressure", window.pressure);
        }
        values
    }

    fn save(&self) -> Vec<f64> {
        let Some(start) = &self.window_start else { return Vec::new() };
        let mut saved = vec![
            start.time,
            start.collisions as f64,
            start.virial,
            start.wall_momentum,
            start.temperature,
            start.mean_speed,
            self.integrals.temperature,
            self.integrals.mean_speed,
        ];
        saved.extend(self.last_window.iter().flat_map(|window| {
            [
                window.collision_rate,
                window.mean_free_path,
                window.reduced_pressure,
                window.pressure,
                window.wall_pressure,
            ]
        }));
        saved
    }

    fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
        if saved.is_empty() {
            return Ok(());
        }
        let ([start @ .., temperature, mean_speed], rest) =
            saved.split_at_checked(8).ok_or("the averages of collisions are not complete")?
        else {
            return Err("the averages of collisions are not complete".to_owned());
        };
        self.window_start = Some(CumulativeObservables {
            time: start[0],
            collisions: start[1] as u64,
            virial: start[2],
            wall_momentum: start[3],
            temperature: start[4],
            mean_speed: start[5],
        });
        self.integrals = TimeIntegrals { temperature: *temperature, mean_speed: *mean_speed };
        self.last_window = match *rest {
            [] => None,
            [collision_rate, mean_free_path, reduced_pressure, pressure, wall_pressure] => {
                Some(WindowAverages {
                    collision_rate,
                    mean_free_path,
                    reduced_pressure,
                    pressure,
                    wall_pressure,
                })
            }
            _ => return Err("the averages of the last row are not complete".to_owned()),
        };
        Ok(())
    }
}
