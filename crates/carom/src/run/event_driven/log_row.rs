use carom_io::LogValue;
use carom_scene::Scene;
use carom_scene::scene::BoundaryCondition;
use carom_simulate::observe::{ThermodynamicSnapshot, WindowAverages};

/// One row of the log.
///
/// Nothing in it depends on the neighbor structure or on where the run was cut, so that the logs of cut and uncut runs
/// are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row<const D: usize> {
    /// Simulated time.
    pub time: f64,
    /// Number of collisions of two bodies so far.
    pub collisions: u64,
    /// Number of collisions with walls so far.
    pub wall_collisions: u64,
    /// Energy lost in collisions so far.
    pub dissipated: f64,
    /// Smallest gap at a collision so far, in units of the smaller radius.
    pub smallest_gap: f64,
    /// Sums over all bodies at this time.
    pub snapshot: ThermodynamicSnapshot<D>,
    /// Rates since the previous row.
    pub window: WindowAverages,
    /// Mean square displacement since the start, if the scene asks for it.
    pub mean_square_displacement: Option<f64>,
}

impl<const D: usize> Row<D> {
    /// Names of the columns of `log.csv` for a scene.
    pub fn columns(scene: &Scene<D>) -> Vec<&'static str> {
        let momenta = ["momentum_x", "momentum_y", "momentum_z"];
        let mut names = vec![
            "time",
            "collisions",
            "kinetic_energy",
            "potential_energy",
            "temperature",
            "granular_temperature",
            "collision_rate",
            "mean_free_path",
            "reduced_pressure",
            "pressure",
            "packing_fraction",
            "velocity_moment",
            "dissipated",
            "smallest_gap",
        ];
        names.extend_from_slice(&momenta[..D]);
        if has_walls(scene) {
            names.extend(["wall_collisions", "wall_pressure"]);
        }
        if scene.observe.mean_square_displacement {
            names.push("mean_square_displacement");
        }
        names
    }

    /// The values of these columns.
    pub fn values(&self, scene: &Scene<D>) -> Vec<LogValue> {
        let Row { snapshot, window, .. } = self;
        let mut values: Vec<LogValue> = vec![
            self.time.into(),
            self.collisions.into(),
            snapshot.kinetic_energy.into(),
            snapshot.potential_energy.into(),
            snapshot.temperature.into(),
            snapshot.granular_temperature.into(),
            window.collision_rate.into(),
            window.mean_free_path.into(),
            window.reduced_pressure.into(),
            window.pressure.into(),
            snapshot.packing_fraction.into(),
            snapshot.velocity_moment.into(),
            self.dissipated.into(),
            self.smallest_gap.into(),
        ];
        values.extend(snapshot.momentum.iter().map(|&part| LogValue::from(part)));
        if has_walls(scene) {
            values.extend([
                LogValue::from(self.wall_collisions),
                LogValue::from(window.wall_pressure),
            ]);
        }
        values.extend(self.mean_square_displacement.map(LogValue::from));
        values
    }
}

fn has_walls<const D: usize>(scene: &Scene<D>) -> bool {
    scene
        .region
        .boundary_conditions
        .iter()
        .any(|side| matches!(side, BoundaryCondition::Wall { .. }))
}
