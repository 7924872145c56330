use super::setup::wall_column_names;
use carom_geometry::{Vector, embed_in_3d};
use carom_io::LogValue;
use carom_scene::Scene;
use carom_scene::scene::Observables;
use carom_simulate::dem::{Energy, Simulation};
use carom_simulate::{ThermalMotion, WallLoad};

/// One row of the log. Nothing in it depends on where the run was cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<const D: usize> {
    /// Simulated time.
    pub time: f64,
    /// Number of time steps so far.
    pub steps: u64,
    /// Energies at this time, and losses and external work so far.
    pub energy: Energy,
    /// Temperatures of the motion relative to the mean velocity.
    pub thermal: ThermalMotion<D>,
    /// Pressure by the virial of contacts, wall contacts included, and thermal motion: the mean since the previous row;
    /// in the first row the current value.
    pub pressure: f64,
    /// Number of pairs in contact.
    pub contacts: u64,
    /// Number of contacts between bodies and walls, one per body and wall.
    pub wall_contacts: u64,
    /// Largest overlap over the smaller radius.
    pub deepest_overlap: f64,
    /// Momentum, Σ m v.
    pub momentum: Vector<D>,
    /// Center of mass.
    pub center: Vector<D>,
    /// Number of bodies in each observed region.
    pub regions: Vec<u64>,
    /// Positions of the observed bodies; not a number once they have left.
    pub observed: Vec<Vector<D>>,
    /// Number of bodies that have left at each outlet.
    pub outlets: Vec<u64>,
    /// Load on each wall, if the scene asks for them.
    pub wall_loads: Vec<WallLoad>,
}

impl<const D: usize> Row<D> {
    /// Names of the columns of `log.csv`.
    pub(super) fn columns(scene: &Scene<D>) -> Vec<String> {
        let observe = &scene.observe;
        let momenta = ["momentum_x", "momentum_y", "momentum_z"];
        let center = ["center_x", "center_y", "center_z"];
        let mut names = vec![
            "time",
            "steps",
            "kinetic_energy",
            "rotational_energy",
            "potential_energy",
            "contact_energy",
            "damping_loss",
            "friction_loss",
            "external_work",
            "temperature",
            "granular_temperature",
            "pressure",
            "contacts",
            "wall_contacts",
            "deepest_overlap",
        ];
        names.extend_from_slice(&momenta[..D]);
        names.extend_from_slice(&center[..D]);
        let mut names: Vec<String> = names.into_iter().map(str::to_owned).collect();
        names.extend(observe.regions.iter().map(|region| format!("in_{}", region.name)));
        for body in &observe.bodies {
            names.extend(["x", "y", "z"][..D].iter().map(|axis| format!("body_{body}_{axis}")));
        }
        names.extend(scene.outlets.iter().map(|outlet| format!("outlet_{}", outlet.name)));
        if observe.wall_loads {
            for wall in wall_column_names(scene) {
                names
                    .extend(["x", "y", "z"][..D].iter().map(|axis| format!("{wall}_force_{axis}")));
                let torques = if D == 2 { &["z"][..] } else { &["x", "y", "z"] };
                names.extend(torques.iter().map(|axis| format!("{wall}_torque_{axis}")));
                names.extend(["power", "contacts"].map(|what| format!("{wall}_{what}")));
            }
        }
        names
    }

    /// The values of these columns.
    pub(super) fn values(&self) -> Vec<LogValue> {
        let energy = &self.energy;
        let mut values: Vec<LogValue> = vec![
            self.time.into(),
            self.steps.into(),
            energy.kinetic_energy.into(),
            energy.rotational_energy.into(),
            energy.potential_energy.into(),
            energy.contact_energy.into(),
            energy.damping_loss.into(),
            energy.friction_loss.into(),
            energy.external_work.into(),
            self.thermal.temperature.into(),
            self.thermal.granular_temperature.into(),
            self.pressure.into(),
            self.contacts.into(),
            self.wall_contacts.into(),
            self.deepest_overlap.into(),
        ];
        values.extend(self.momentum.iter().map(|&part| LogValue::from(part)));
        values.extend(self.center.iter().map(|&part| LogValue::from(part)));
        values.extend(self.regions.iter().map(|&count| LogValue::from(count)));
        values.extend(self.observed.iter().flatten().map(|&part| LogValue::from(part)));
        values.extend(self.outlets.iter().map(|&count| LogValue::from(count)));
        for load in &self.wall_loads {
            values.extend(load.force.iter().take(D).map(|&part| LogValue::from(part)));
            let torque = load.torque.iter().skip(if D == 2 { 2 } else { 0 });
            values.extend(torque.map(|&part| LogValue::from(part)));
            values.extend([LogValue::from(load.power), LogValue::from(load.contacts)]);
        }
        values
    }

    /// Measures a simulation; `before` is the start of the pressure average.
    pub(super) fn of(
        simulation: &Simulation<D>,
        before: &VirialSnapshot,
        volume: f64,
        observe: &Observables,
    ) -> Self {
        let (mut momentum, mut center, mut mass) = (Vector::zeros(), Vector::zeros(), 0.0);
        let mut regions = vec![0; observe.regions.len()];
        for number in 0..simulation.body_count() {
            let body = simulation.body(number);
            momentum += body.velocity * body.mass;
            center += body.position * body.mass;
            mass += body.mass;
            let inside = simulation.settings().boundary.wrap(body.position);
            for (count, region) in regions.iter_mut().zip(&observe.regions) {
                *count += u64::from(region.bounds.contains(&embed_in_3d(&inside)));
            }
        }
        let observed = |&id: &u32| match simulation.number_of(id) {
            Some(number) => simulation.body(number).position,
            None => Vector::repeat(f64::NAN),
        };
        let (energy, tally) = (simulation.energy(), simulation.step_totals());
        let thermal = thermal_motion(simulation);
        let (now, degrees) = (VirialSnapshot::with(simulation, &thermal), D as f64);
        Row {
            time: simulation.now(),
            steps: simulation.steps(),
            energy,
            thermal,
            pressure: now.pressure_since(before, tally.virial) / (degrees * volume),
            contacts: tally.contacts,
            wall_contacts: tally.wall_contacts,
            deepest_overlap: tally.max_relative_overlap,
            momentum,
            center: center / mass.max(f64::MIN_POSITIVE),
            regions,
            observed: observe.bodies.iter().map(observed).collect(),
            outlets: Vec::new(),
            wall_loads: if observe.wall_loads { simulation.wall_loads() } else { Vec::new() },
        }
    }
}

/// Motion of bodies relative to their mean velocity, in the dimension of the scene.
fn thermal_motion<const D: usize>(simulation: &Simulation<D>) -> ThermalMotion<D> {
    let bodies = (0..simulation.body_count()).map(|number| simulation.body(number));
    ThermalMotion::of(bodies.map(|body| (body.mass, body.velocity)))
}

/// State at one end of a pressure average.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct VirialSnapshot {
    pub time: f64,
    pub virial: f64,
    /// Thermal part, `D N kT`.
    pub thermal: f64,
}

impl VirialSnapshot {
    pub(super) fn of<const D: usize>(simulation: &Simulation<D>) -> Self {
        VirialSnapshot::with(simulation, &thermal_motion(simulation))
    }

    fn with<const D: usize>(simulation: &Simulation<D>, motion: &ThermalMotion<D>) -> Self {
        let thermal = (D * simulation.body_count()) as f64 * motion.temperature;
        VirialSnapshot { time: simulation.now(), virial: simulation.virial_integral(), thermal }
    }

    /// Pressure times volume times the dimension; the thermal part by the trapezoidal rule.
    fn pressure_since(&self, before: &VirialSnapshot, virial: f64) -> f64 {
        let time = self.time - before.time;
        if time > 0.0 {
            0.5 * (self.thermal + before.thermal) + (self.virial - before.virial) / time
        } else {
            self.thermal + virial
        }
    }
}
