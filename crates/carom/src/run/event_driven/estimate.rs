use super::{ChosenStructure, Run};
use crate::run::output_schedule::growth_duration;
use crate::run::{OutputInterval, OutputSchedule};
use carom_scene::Scene;
use carom_scene::scene::BoundaryCondition;
use carom_simulate::event_driven::Simulation;
use carom_simulate::observe::{ExternalPotential, ThermodynamicSnapshot};

/// What an event-driven scene will do, as far as can be known without running it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Packing fraction.
    pub packing_fraction: f64,
    /// Temperature at the start.
    pub temperature: f64,
    /// Neighbor structure and why it was chosen.
    pub structure: ChosenStructure,
    /// Memory of bodies, event calendar and structure at the start, in bytes.
    pub memory: usize,
    /// Contact time: collisions of a body nearer in time count as one lasting contact; zero if there is no such rule.
    pub contact_time: f64,
    /// Collisions of all bodies per time in a fluid of this density and temperature, by Enskog's theory; none if
    /// nothing moves or the density is above that of a fluid.
    pub collisions_per_time: Option<f64>,
    /// `PV / NkT` of a fluid of equal bodies at this density (Carnahan and Starling in space, Henderson in the plane);
    /// none where it does not apply.
    pub reduced_pressure: Option<f64>,
    /// When rows and frames are due.
    pub output_schedule: OutputSchedule,
    /// Number of log rows, about; none if not known.
    pub rows: Option<f64>,
    /// Number of frames, about; none if not known.
    pub frames: Option<f64>,
    /// Warnings about what may not be intended, in sentences.
    pub warnings: Vec<String>,
}

impl Estimate {
    /// Estimates a run from its start.
    pub fn of<const D: usize>(scene: &Scene<D>, run: &Run<D>) -> Self {
        let simulation = run.simulation();
        let snapshot = ThermodynamicSnapshot::of(simulation, &ExternalPotential::default());
        let (fraction, temperature) = (snapshot.packing_fraction, snapshot.temperature);
        let fluid = fraction < if D == 2 { 0.69 } else { 0.49 } && temperature > 0.0;
        let alike = scene.bodies.iter().all(|body| body.radius == scene.bodies[0].radius);
        let free = scene.gravity.norm() == 0.0 && scene.field.is_none() && scene.growth.is_none();
        let lossless = scene.materials.iter().all(|material| material.restitution.is_elastic());
        let collisions_per_time =
            fluid.then(|| enskog_collision_rate(scene, fraction, temperature));
        let output_schedule = run.measured.output_schedule;
        let time = expected_duration(scene, collisions_per_time);
        let rows = match output_schedule.log {
            OutputInterval::Time(interval) => time.map(|time| time / interval),
            OutputInterval::Collisions(count) => {
                scene.limits.collisions.map(|most| most as f64 / count as f64)
            }
        };
        let frames = output_schedule.frames.zip(time).map(|(interval, time)| time / interval);
        let mut warnings = warnings(scene, snapshot.kinetic_energy);
        warnings.extend(count_warning("rows of the log", rows, 1e8, "output.log_interval"));
        warnings.extend(count_warning("frames", frames, 1e6, "output.interval"));
        Estimate {
            packing_fraction: fraction,
            temperature,
            structure: ChosenStructure::of(simulation),
            memory: simulation.memory().total(),
            contact_time: simulation.contact_time(),
            collisions_per_time,
            reduced_pressure: (fluid && alike && free && lossless)
                .then(|| reduced_pressure(D, fraction)),
            output_schedule,
            rows,
            frames,
            warnings,
        }
    }

    /// The reason why the scene should not be run, if there is one.
    pub fn refusal(&self) -> Option<String> {
        self.too_many_frames().or_else(|| self.too_many_rows())
    }

    fn too_many_rows(&self) -> Option<String> {
        let OutputInterval::Time(interval) = self.output_schedule.log else { return None };
        let rows = self.rows.filter(|&rows| rows > MOST_ROWS)?;
        Some(format!(
            "output.log_interval is {interval:?}, which would give about {rows:.1e} rows of the log; at most \
             1e9 are written: take a longer interval"
        ))
    }

    fn too_many_frames(&self) -> Option<String> {
        let (frames, interval) = (self.frames?, self.output_schedule.frames?);
        (frames > MOST_FRAMES).then(|| {
            format!(
                "output.interval is {interval:?}, which would give about {frames:.1e} frames; at most \
                 1e7 are written: take a longer interval"
            )
        })
    }
}

const MOST_FRAMES: f64 = 1e7;
/// Largest number of log rows: some hundred gigabytes.
const MOST_ROWS: f64 = 1e9;

/// Collisions of all bodies per time in a dilute gas at the current temperature.
pub(super) fn dilute_gas_collision_rate<const D: usize>(
    scene: &Scene<D>,
    simulation: &Simulation<D>,
) -> f64 {
    let temperature =
        ThermodynamicSnapshot::of(simulation, &ExternalPotential::default()).temperature;
    if temperature > 0.0 { enskog_collision_rate(scene, 0.0, temperature) } else { 0.0 }
}

/// Expected simulated time of a scene, if it can be known.
fn expected_duration<const D: usize>(
    scene: &Scene<D>,
    collisions_per_time: Option<f64>,
) -> Option<f64> {
    let collisions = scene.limits.collisions.map(|collisions| collisions as f64);
    let by_collisions = collisions.zip(collisions_per_time).map(|(count, rate)| count / rate);
    let ends = [scene.limits.until, growth_duration(scene), by_collisions];
    ends.into_iter().flatten().reduce(f64::min)
}

/// A warning if `count` is larger than `most`.
fn count_warning(what: &str, count: Option<f64>, most: f64, key: &str) -> Option<String> {
    let count = count.filter(|&count| count > most)?;
    Some(format!("about {count:.1e} {what} will be written; is {key} meant to be that short?"))
}

/// Collision rate by Enskog's theory: number density times cross-section times mean relative speed, times the pair
/// correlation function at contact, for half of the bodies. For unequal bodies means are taken.
fn enskog_collision_rate<const D: usize>(scene: &Scene<D>, fraction: f64, temperature: f64) -> f64 {
    use std::f64::consts::PI;
    let count = scene.bodies.len() as f64;
    let mean = |of: &dyn Fn(&carom_scene::scene::Body<D>) -> f64| {
        scene.bodies.iter().map(of).sum::<f64>() / count
    };
    let (radius, square) = (mean(&|body| body.radius), mean(&|body| body.radius * body.radius));
    let inverse_reduced_mass = 2.0 * mean(&|body| 1.0 / body.mass);
    let (section, speed, contact) = if D == 2 {
        let speed = (0.5 * PI * temperature * inverse_reduced_mass).sqrt();
        (4.0 * radius, speed, (1.0 - 7.0 / 16.0 * fraction) / (1.0 - fraction).powi(2))
    } else {
        let section = PI * 2.0 * (square + radius * radius);
        let speed = (8.0 / PI * temperature * inverse_reduced_mass).sqrt();
        (section, speed, (1.0 - 0.5 * fraction) / (1.0 - fraction).powi(3))
    };
    0.5 * count * count / scene.region.volume() * section * speed * contact
}

fn reduced_pressure(dimension: usize, f: f64) -> f64 {
    match dimension {
        2 => (1.0 + f * f / 8.0) / (1.0 - f).powi(2),
        _ => (1.0 + f + f * f - f * f * f) / (1.0 - f).powi(3),
    }
}

fn warnings<const D: usize>(scene: &Scene<D>, kinetic_energy: f64) -> Vec<String> {
    let mut warnings = scene.warnings();
    let forced = scene.gravity.norm() > 0.0 || scene.field.is_some();
    for axis in (0..D).filter(|&axis| scene.gravity[axis] != 0.0) {
        let name = ["x", "y", "z"][axis];
        match scene.region.boundary_conditions[axis] {
            BoundaryCondition::Periodic => warnings.push(format!(
                "gravity acts along the periodic axis {name}: bodies fall for ever, faster and faster"
            )),
            BoundaryCondition::Open => warnings.push(format!(
                "gravity acts along the open axis {name}: bodies fall out of sight"
            )),
            BoundaryCondition::Wall { .. } => {}
        }
    }
    if kinetic_energy == 0.0 && !forced && scene.growth.is_none() && scene.thermostat.is_none() {
        warnings.push("no body moves and nothing acts on them: nothing will happen".to_owned());
    }
    let open = scene.region.boundary_conditions.iter().all(|side| *side == BoundaryCondition::Open);
    let held = scene.field.as_ref().is_some_and(|field| field.trap.is_some());
    if open && !held && scene.limits.until.is_none() {
        warnings.push(
            "all axes are open and the run has no end in time: bodies may fly apart before the \
             collisions are reached, and the run then ends at rest"
                .to_owned(),
        );
    }
    let all_periodic =
        scene.region.boundary_conditions.iter().all(|side| *side == BoundaryCondition::Periodic);
    if scene.observe.radial_distribution.is_some() && !all_periodic {
        warnings.push(
            "the radial distribution is compared with a box without ends; beside walls it falls \
             short of one"
                .to_owned(),
        );
    }
    warnings
}
