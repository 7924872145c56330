use super::start::in_scene;
use carom_geometry::Vector;
use carom_scene::files::LogValue;
use carom_scene::scene::Observe;
use carom_simulate::steps::{Energy, Simulation};

/// What is logged at one moment. Nothing in it depends on where the run was cut.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<const D: usize> {
    /// Simulated time.
    pub time: f64,
    /// Steps so far.
    pub steps: u64,
    /// Energies of now, and what was lost and given so far.
    pub energy: Energy,
    /// `kT`: twice the energy of motion per axis and body, the motion of the whole included.
    pub temperature: f64,
    /// By the virial of contacts and the motion, mean since the row before; at the first row of now.
    pub pressure: f64,
    /// Pairs that touch.
    pub contacts: u64,
    /// Bodies that touch walls, once for each wall.
    pub wall_contacts: u64,
    /// The deepest overlap, in parts of the smaller radius.
    pub deepest: f64,
    /// Sum of `m v`.
    pub momentum: Vector<D>,
    /// The centre of mass.
    pub center: Vector<D>,
    /// Bodies in each of the regions that the scene observes.
    pub regions: Vec<u64>,
    /// Where the bodies are that the scene observes.
    pub observed: Vec<Vector<D>>,
}

impl<const D: usize> Row<D> {
    /// Names of the columns of `log.csv`.
    pub(super) fn columns(observe: &Observe) -> Vec<String> {
        let momenta = ["momentum_x", "momentum_y", "momentum_z"];
        let center = ["center_x", "center_y", "center_z"];
        let mut names = vec![
            "time",
            "steps",
            "kinetic_energy",
            "rotational_energy",
            "potential_energy",
            "elastic_energy",
            "damped",
            "rubbed",
            "driven",
            "temperature",
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
        names
    }

    /// The values of these columns.
    pub(super) fn values(&self) -> Vec<LogValue> {
        let energy = &self.energy;
        let mut values: Vec<LogValue> = vec![
            self.time.into(),
            self.steps.into(),
            energy.moving.into(),
            energy.turning.into(),
            energy.height.into(),
            energy.stored.into(),
            energy.damped.into(),
            energy.rubbed.into(),
            energy.driven.into(),
            self.temperature.into(),
            self.pressure.into(),
            self.contacts.into(),
            self.wall_contacts.into(),
            self.deepest.into(),
        ];
        values.extend(self.momentum.iter().map(|&part| LogValue::from(part)));
        values.extend(self.center.iter().map(|&part| LogValue::from(part)));
        values.extend(self.regions.iter().map(|&count| LogValue::from(count)));
        values.extend(self.observed.iter().flatten().map(|&part| LogValue::from(part)));
        values
    }

    /// Of a simulation; `before` is where the mean of the pressure begins.
    pub(super) fn of(
        simulation: &Simulation,
        before: &Mark,
        volume: f64,
        observe: &Observe,
    ) -> Self {
        let (mut momentum, mut center, mut mass) = (Vector::zeros(), Vector::zeros(), 0.0);
        let mut regions = vec![0; observe.regions.len()];
        for number in 0..simulation.count() {
            let body = simulation.body(number);
            momentum += body.velocity * body.mass;
            center += body.position * body.mass;
            mass += body.mass;
            let inside = simulation.settings().boundary.wrap(body.position);
            for (count, region) in regions.iter_mut().zip(&observe.regions) {
                *count += u64::from(region.bounds.contains(&inside));
            }
        }
        let observed = |&number: &u32| in_scene(&simulation.body(number as usize).position);
        let (energy, tally) = (simulation.energy(), simulation.tally());
        let (now, degrees) = (Mark::with(simulation, &energy), D as f64);
        Row {
            time: simulation.now(),
            steps: simulation.steps(),
            energy,
            temperature: 2.0 * energy.moving / (degrees * simulation.count().max(1) as f64),
            pressure: now.pressure_since(before, tally.virial) / (degrees * volume),
            contacts: tally.contacts,
            wall_contacts: tally.wall_contacts,
            deepest: tally.deepest,
            momentum: in_scene(&momentum),
            center: in_scene(&(center / mass.max(f64::MIN_POSITIVE))),
            regions,
            observed: observe.bodies.iter().map(observed).collect(),
        }
    }
}

/// What a mean of the pressure needs of its ends.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Mark {
    pub time: f64,
    pub virial: f64,
    pub moving: f64,
}

impl Mark {
    pub(super) fn of(simulation: &Simulation) -> Self {
        Mark::with(simulation, &simulation.energy())
    }

    fn with(simulation: &Simulation, energy: &Energy) -> Self {
        Mark { time: simulation.now(), virial: simulation.virial(), moving: energy.moving }
    }

    /// Pressure times volume times the number of axes; the energy of motion by the trapezoidal rule.
    fn pressure_since(&self, before: &Mark, virial: f64) -> f64 {
        let time = self.time - before.time;
        if time > 0.0 {
            self.moving + before.moving + (self.virial - before.virial) / time
        } else {
            2.0 * self.moving + virial
        }
    }
}
