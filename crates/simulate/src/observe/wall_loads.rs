//! What walls bear, in the log.

use super::{Observable, Sample};
use crate::quantity::AXES;
use crate::{Value, Values, WallLoad};

/// Force, torque, power and number of contacts of every wall of a DEM run, in columns `NAME_force_x` and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WallLoads {
    /// Names of the walls, in the order of the settings, such as `wall_x_low`.
    pub walls: Vec<String>,
}

/// The axes of torques: in 2D only that across the plane.
fn torque_axes(dimension: usize) -> std::ops::Range<usize> {
    if dimension == 2 { 2..3 } else { 0..3 }
}

impl WallLoads {
    fn loads<const D: usize>(&self, sample: &Sample<'_, D>) -> Vec<Value> {
        let mut loads = sample.engine.wall_loads();
        loads.resize(self.walls.len(), WallLoad::default());
        let mut values = Vec::new();
        for load in &loads {
            values.extend(load.force.iter().take(D).map(|&part| Value::from(part)));
            values.extend(torque_axes(D).map(|axis| Value::from(load.torque[axis])));
            values.extend([Value::from(load.power), Value::from(load.contacts)]);
        }
        values
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
        self.loads(sample)
    }

    fn summary(&self, sample: &Sample<'_, D>) -> Values {
        Observable::<D>::columns(self).into_iter().zip(self.loads(sample)).collect()
    }
}
