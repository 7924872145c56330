//! What walls bear, in the log.

use super::{Observable, Sample};
use crate::quantity::{AXES, Quantity, now};
use crate::{Engine, Value, Values, WallLoad};
use carom_geometry::Vector;

/// The quantities that this observable adds to logs and summaries.
pub(super) const QUANTITIES: &[Quantity] = &[
    now(
        "wall_NAME_force_AXIS",
        "force",
        "Force of all contacts on a wall, with `observe.wall_loads`; NAME is `x_low`, `x_high` … for the sides of the \
         box, the name of the wall, or its number among those without a name, from zero. In an event-driven run this and \
         the next three are of collisions since the row before: the mean force is the momentum given over the time.",
    ),
    now(
        "wall_NAME_torque_AXIS",
        "force · length",
        "Torque of these forces about the center of the wall's motion (event-driven: the origin), without that of \
         rolling resistance; in 2D about z only.",
    ),
    now(
        "wall_NAME_power",
        "energy/time",
        "Work that the wall does on bodies per time; event-driven: kinetic energy that they gain there, less than zero \
         where collisions take some.",
    ),
    now(
        "wall_NAME_contacts",
        "",
        "Contacts of the wall; event-driven: collisions with it since the row before.",
    ),
];

/// Force, torque, power and number of contacts of every wall, in columns `NAME_force_x` and so on: the mean since
/// the previous row in an event-driven run, at the present in others.
#[derive(Clone, Debug, PartialEq)]
pub struct WallLoads {
    /// Names of the walls, in the order of the engine, such as `wall_x_low`.
    walls: Vec<String>,
    /// Time of the last row and what collisions had given to each wall by then; none before the first row, and in a run
    /// whose contacts last.
    last_row: Option<(f64, Vec<WallLoad>)>,
    /// Means between the last two rows.
    last_means: Vec<WallLoad>,
}

/// Numbers of a load when it is saved.
const NUMBERS: usize = 8;

/// The axes of torques: in 2D only that across the plane.
fn torque_axes(dimension: usize) -> std::ops::Range<usize> {
    if dimension == 2 { 2..3 } else { 0..3 }
}

impl WallLoads {
    /// Measures walls, whose names stand in the order of the engine; those that the engine does not have bear no load.
    ///
    /// ```
    /// use carom_simulate::Region;
    /// use carom_simulate::event_driven::{BodyStart, Settings, Simulation};
    /// use carom_simulate::observe::{Observable, Sample, WallLoads};
    /// // A disc that hits one of two walls every 2 time units and passes a momentum of 2 on.
    /// let bodies = [BodyStart::new([2.0, 2.0], [1.0, 0.0], 1.0)];
    /// let mut simulation = Simulation::new(&bodies, Settings::new(Region::walled([4.0, 4.0])))?;
    /// let mut loads = WallLoads::new(["left", "right"].map(str::to_owned).to_vec());
    /// loads.sample(&Sample::at_start(&simulation));
    /// simulation.advance(8.0, u64::MAX);
    /// let row = loads.sample(&Sample::of(&simulation));
    /// assert_eq!(Observable::<2>::columns(&loads)[5], "right_force_x");
    /// assert_eq!((row[0], row[5]), ((-0.5).into(), 0.5.into()));
    /// # Ok::<(), carom_simulate::Error>(())
    /// ```
    pub fn new(walls: Vec<String>) -> Self {
        WallLoads { walls, last_row: None, last_means: Vec::new() }
    }

    fn values<const D: usize>(&self, mut loads: Vec<WallLoad>) -> Vec<Value> {
        loads.resize(self.walls.len(), WallLoad::default());
        let mut values = Vec::new();
        for load in &loads {
            values.extend(load.force.iter().take(D).map(|&part| Value::from(part)));
            values.extend(torque_axes(D).map(|axis| Value::from(load.torque[axis])));
            values.extend([Value::from(load.power), Value::from(load.contacts)]);
        }
        values
    }

    /// Returns the means since the last row, which ends now.
    fn means_since_last_row<const D: usize>(
        &mut self,
        engine: &dyn Engine<D>,
        impulses: Vec<WallLoad>,
    ) -> Vec<WallLoad> {
        let now = engine.time();
        let (time, before) = self.last_row.take().unwrap_or_else(|| (now, impulses.clone()));
        let pairs = before.iter().zip(&impulses);
        let means = pairs.map(|(one, two)| WallLoad::mean_between(one, two, now - time)).collect();
        self.last_row = Some((now, impulses));
        means
    }
}

impl<const D: usize> Observable<D> for WallLoads {
    fn name(&self) -> &str {
        "wall_loads"
    }

    fn columns(&self) -> Vec<String> {
        let mut columns = Vec::new();
        for wall in &self.walls {
            columns.extend(AXES[..D].iter().map(|axis| format!("{wall}_force_{axis}")));
            columns.extend(AXES[torque_axes(D)].iter().map(|axis| format!("{wall}_torque_{axis}")));
            columns.extend(["power", "contacts"].map(|what| format!("{wall}_{what}")));
        }
        columns
    }

    fn sample(&mut self, sample: &Sample<'_, D>) -> Vec<Value> {
        let Some(impulses) = sample.engine.wall_impulses() else {
            return self.values::<D>(sample.engine.wall_loads());
        };
        let means = self.means_since_last_row(sample.engine, impulses);
        if !sample.is_start {
            self.last_means.clone_from(&means);
        }
        self.values::<D>(means)
    }

    fn summary(&self, sample: &Sample<'_, D>) -> Values {
        let loads = match sample.engine.wall_impulses() {
            Some(_) => self.last_means.clone(),
            None => sample.engine.wall_loads(),
        };
        Observable::<D>::columns(self).into_iter().zip(self.values::<D>(loads)).collect()
    }

    fn save(&self) -> Vec<f64> {
        let Some((time, impulses)) = &self.last_row else { return Vec::new() };
        let loads = impulses.iter().chain(&self.last_means);
        [*time, impulses.len() as f64].into_iter().chain(loads.flat_map(numbers)).collect()
    }

    fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
        let [time, walls, loads @ ..] = saved else { return Ok(()) };
        let (time, walls, loads) = (*time, *walls as usize, loads.chunks_exact(NUMBERS));
        let is_whole = loads.remainder().is_empty();
        let mut impulses: Vec<WallLoad> = loads.map(load).collect();
        if !is_whole || impulses.len() < walls {
            return Err("the loads on walls at the last row are not complete".to_owned());
        }
        self.last_means = impulses.split_off(walls);
        self.last_row = Some((time, impulses));
        Ok(())
    }
}

fn numbers(load: &WallLoad) -> [f64; NUMBERS] {
    let WallLoad { contacts, force, torque, power } = load;
    // A count beyond 2^53 would be rounded; no run has as many collisions.
    let contacts = *contacts as f64;
    [contacts, force.x, force.y, force.z, torque.x, torque.y, torque.z, *power]
}

fn load(numbers: &[f64]) -> WallLoad {
    WallLoad {
        contacts: numbers[0] as u64,
        force: Vector::from_column_slice(&numbers[1..4]),
        torque: Vector::from_column_slice(&numbers[4..7]),
        power: numbers[7],
    }
}
