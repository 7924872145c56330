//! Bonded particles behind the interface by which a run advances any engine.

use super::{checkpoint, frame, setup};
use crate::run::engine_run::{EngineRun, NextOutput, StageStart, observables};
use crate::run::wall_names::wall_column_names;
use crate::run::{Ending, Error, Estimate};
use carom_io::{Checkpoint, Frame};
use carom_scene::Scene;
use carom_scene::scene::{ColorQuantity, Limits, Region};
use carom_simulate::bonded::{Energy, Simulation, SolidMotion};
use carom_simulate::observe::{Observable, WallLoads};
use carom_simulate::{Engine, Values};
use serde_json::{Map, Value, json};
use std::time::Duration;

/// A simulation of bonded particles in a run of a scene.
pub(in crate::run) struct BondedRun<const D: usize> {
    pub(super) simulation: Simulation<D>,
    pub(super) region: Region<D>,
    until: f64,
    /// Material of each solid, if the scene has several.
    pub(super) materials: Option<Vec<u32>>,
    pub(super) color: ColorQuantity,
    /// Whether frames have contacts.
    pub(super) writes_contacts: bool,
    /// Names of the walls in columns.
    wall_names: Vec<String>,
    /// Energies at the last row, or when this process started or resumed the run.
    last_energy: Energy,
    /// Whether to continue where energy appears without a source.
    forces_energy: bool,
    /// Whether the program may have changed the simulation since it advanced.
    is_changed: bool,
    /// Number of springs of each solid that were broken when this process started or resumed the run.
    broken_at_start: Vec<u64>,
    /// Number of time steps when this process started or resumed the run.
    steps_at_resume: u64,
}

/// Times that differ by less than this fraction of a time step are equal but for rounding.
const ROUNDING: f64 = 1e-6;

/// Particle steps between two polls of signals and clocks.
const PARTICLE_STEPS_PER_POLL: u64 = 600_000;

impl<const D: usize> BondedRun<D> {
    pub(in crate::run) fn new(scene: &Scene<D>) -> Result<Self, Error> {
        let mut simulation = setup::simulation(scene)?;
        for source in &scene.run_sources {
            checkpoint::continue_from(&mut simulation, source)?;
        }
        release(scene, 0, &mut simulation)?;
        check_followed(scene, &simulation)?;
        Ok(BondedRun::of(scene, simulation, scene.limits))
    }

    pub(super) fn of(scene: &Scene<D>, simulation: Simulation<D>, limits: Limits) -> Self {
        let materials = scene.solids.iter().map(|solid| solid.material).collect();
        BondedRun {
            steps_at_resume: simulation.steps(),
            broken_at_start: simulation.bodies().iter().map(|body| body.broken_springs()).collect(),
            last_energy: simulation.energy(),
            forces_energy: false,
            is_changed: false,
            simulation,
            region: scene.region,
            until: limits.until.unwrap_or(0.0),
            materials: (scene.materials.len() > 1).then_some(materials),
            color: scene.output.color,
            writes_contacts: scene.output.contacts,
            wall_names: wall_column_names(scene),
        }
    }

    /// Returns an error if most springs of a solid break in the first time step, which nobody intends.
    fn check_first_step(&self) -> Result<(), Error> {
        let bodies = self.simulation.bodies();
        for (number, body) in bodies.iter().enumerate() {
            let springs = body.spring_count();
            let before = self.broken_at_start.get(number).copied().unwrap_or(0);
            if 2 * (body.broken_springs() - before) > springs {
                let (what, rule) = (
                    "the number of springs that broke in the first step",
                    "a limit that breaks everything at once is too low: raise it",
                );
                let broken = body.broken_springs() - before;
                let value = format!("{broken} of {springs} in solid {number}");
                return Err(carom_simulate::Error::Setting { what, value, rule }.into());
            }
        }
        Ok(())
    }
}

/// Returns an error if a particle is to be followed that no solid has; how many there are is known only when the solids
/// are filled.
fn check_followed<const D: usize>(
    scene: &Scene<D>,
    simulation: &Simulation<D>,
) -> Result<(), Error> {
    let count = Engine::body_count(simulation);
    let stages = scene.stages.iter().map(|stage| &stage.scene.observe);
    let mut followed =
        stages.chain([&scene.observe]).flat_map(|observe| observe.bodies.iter().copied());
    match followed.find(|&particle| particle as usize >= count) {
        Some(particle) => Err(carom_simulate::Error::Setting {
            what: "observe.bodies",
            value: format!("{particle}, and the solids have {count} particles"),
            rule: "it must be the number of a particle, from zero through all solids",
        }
        .into()),
        None => Ok(()),
    }
}

/// The energies of a row of the log. To compute them again costs as much as the row: a twentieth of a run.
fn energy_of_row(row: &Values) -> Energy {
    let number = |name| row.number(name).unwrap_or(0.0);
    Energy {
        kinetic_energy: number("kinetic_energy"),
        bond_energy: number("bond_energy"),
        fracture_loss: number("fracture_loss"),
        plastic_loss: number("plastic_loss"),
        damping_loss: number("damping_loss"),
        constraint_loss: number("constraint_loss"),
        contact_energy: number("contact_energy"),
        friction_loss: number("friction_loss"),
        potential_energy: number("potential_energy"),
        external_work: number("external_work"),
    }
}

/// Lets the particles go that a stage of the scene releases when it begins.
fn release<const D: usize>(
    scene: &Scene<D>,
    stage: usize,
    simulation: &mut Simulation<D>,
) -> Result<(), Error> {
    let solids = scene.stages.get(stage).map_or(&[][..], |stage| stage.release.as_slice());
    Ok(solids.iter().try_for_each(|&solid| simulation.release(solid as usize))?)
}

impl<const D: usize> EngineRun<D> for BondedRun<D> {
    fn engine(&self) -> &dyn Engine<D> {
        &self.simulation
    }

    fn engine_mut(&mut self) -> &mut dyn Engine<D> {
        self.is_changed = true;
        &mut self.simulation
    }

    fn counted(&self) -> (&'static str, u64) {
        ("steps", self.simulation.steps())
    }

    fn time_step(&self) -> Option<f64> {
        Some(self.simulation.time_step())
    }

    fn has_reached(&self, time: f64) -> bool {
        self.simulation.now() >= time - ROUNDING * self.simulation.time_step()
    }

    fn advance(&mut self, due: &NextOutput) -> Result<(), Error> {
        if std::mem::take(&mut self.is_changed) {
            // What the program brings in has a source.
            self.last_energy = self.simulation.energy();
        }
        let next = due.time.min(self.until);
        let count: usize =
            self.simulation.bodies().iter().map(|body| body.grid().slot_count()).sum();
        let mut steps = (PARTICLE_STEPS_PER_POLL / count.max(1) as u64).max(1);
        while steps > 0 && !self.has_reached(next) && self.simulation.steps() < due.count {
            self.simulation.advance(1)?;
            if self.simulation.steps() == 1 {
                self.check_first_step()?;
            }
            steps -= 1;
        }
        Ok(self.simulation.check_positions()?)
    }

    fn set_limits(&mut self, limits: Limits) {
        self.until = limits.until.unwrap_or(f64::INFINITY);
    }

    fn ending(&mut self) -> Option<Ending> {
        self.has_reached(self.until).then_some(Ending::Time)
    }

    fn part(&self) -> f64 {
        (self.simulation.now() / self.until).min(1.0)
    }

    fn observables(&self, scene: &Scene<D>) -> Vec<Box<dyn Observable<D>>> {
        let mut all = observables(scene);
        if scene.observe.wall_loads {
            all.push(Box::new(WallLoads::new(wall_column_names(scene))));
        }
        all
    }

    fn wall_names(&self) -> Vec<String> {
        self.wall_names.clone()
    }

    fn frame(&self) -> Frame<D> {
        frame::of(self)
    }

    fn summarize(&self, _: Ending, running: Duration, summary: &mut Map<String, Value>) {
        let simulation = &self.simulation;
        let bodies = simulation.bodies();
        let springs: u64 = bodies.iter().map(|body| body.spring_count()).sum();
        let steps = simulation.steps() - self.steps_at_resume;
        let solid = |solid: &SolidMotion<D>| {
            json!({
                "mass": solid.mass,
                "center": solid.center.as_slice(),
                "velocity": solid.velocity.as_slice(),
                "fragments": solid.fragments,
                "largest_fragment": solid.largest_fragment,
                "broken_springs": solid.broken_springs,
            })
        };
        summary.insert("particles".into(), simulation.body_count().into());
        summary.insert("springs".into(), springs.into());
        summary.insert("step".into(), simulation.time_step().into());
        summary.insert("shortest_step".into(), simulation.shortest_time_step().into());
        summary.insert("total_energy".into(), simulation.energy().total().into());
        let solids: Vec<Value> = simulation.solids().iter().map(solid).collect();
        summary.insert("solids".into(), solids.into());
        // As if waves had reached all springs from the start.
        let per_second = steps as f64 * springs as f64 / running.as_secs_f64();
        summary.insert("work".into(), json!({ "steps": steps, "springs_per_second": per_second }));
        let bytes: usize = bodies.iter().map(|body| body.bytes()).sum();
        summary.insert("memory".into(), json!({ "total": bytes }));
    }

    fn estimate(&self, scene: &Scene<D>, estimate: &mut Estimate) {
        super::estimate::estimate(scene, &self.simulation, estimate);
    }

    fn save(&self, checkpoint: &mut Checkpoint) {
        self.put_into(checkpoint);
    }

    fn enter_stage(&mut self, scene: &Scene<D>, starts: &[StageStart]) -> Result<(), Error> {
        self.simulation.change_gravity(scene.gravity)?;
        release(scene, starts.len().saturating_sub(1), &mut self.simulation)?;
        self.last_energy = self.simulation.energy();
        let limits = StageStart::limits_of_last(starts, scene);
        self.until = limits.until.unwrap_or(0.0);
        Ok(())
    }

    /// Returns an error if more energy appeared since the last row than there was or was exchanged.
    fn check_row(&mut self, row: &Values) -> Result<(), Error> {
        let energy = energy_of_row(row);
        let before = std::mem::replace(&mut self.last_energy, energy);
        let gained = energy.total() - before.total();
        let known = energy.known_energy_since(&before);
        if gained <= known || self.forces_energy {
            return Ok(());
        }
        let solids = self.simulation.solids();
        let speed = |solid: &usize| solids[*solid].velocity.norm_squared();
        let fastest = (0..solids.len()).max_by(|a, b| speed(a).total_cmp(&speed(b)));
        let body = format!("solid {}", fastest.unwrap_or(0));
        let contact = match self.simulation.contact_totals().contacts {
            0 => "touches nothing now".to_owned(),
            contacts => format!("is in a collision with {contacts} particles in contact"),
        };
        let time = self.simulation.now();
        Err(carom_simulate::Error::EnergyJump { body, time, contact, gained, known }.into())
    }

    fn allow_energy_gain(&mut self) {
        self.forces_energy = true;
    }
}
