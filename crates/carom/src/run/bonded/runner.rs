use super::{Estimate, Row, Summary, frame, setup};
use crate::run::{
    Ending, Error, OutputInterval, OutputSchedule, Preflight, RunProgress, Runner, Sink, Timing,
};
use carom_io::{Checkpoint, Frame, LogValue};
use carom_scene::Scene;
use carom_scene::scene::{ColorQuantity, Region};
use carom_simulate::bonded::{Energy, Simulation};

/// A run of a scene of bonded particles: the simulation, its measurements, and its output schedule.
///
/// ```
/// use carom::run::bonded::Run;
/// use carom::run::{Runner, Ending};
/// use carom::scene::scene::AnyScene;
/// let text = "engine = 'bonded'\ndimension = 2\nuntil = 60\nbox.size = 40\nbox.boundary = 'open'\n\
///             materials.default.youngs_modulus = 1\n\
///             [[solids]]\ncircle = { center = [10, 20], radius = 6 }\nspacing = 1\n\
///             velocity = [0.1, 0]\n\
///             [[solids]]\ncircle = { center = [24, 20], radius = 6 }\nspacing = 1";
/// let AnyScene::TwoD(scene) = AnyScene::parse(text, "two.toml", "".as_ref(), &[])? else { panic!() };
/// let mut run = Run::new(&scene)?;
/// assert_eq!(run.run_to_end(&mut ())?, Ending::Time);
/// let row = run.row();
/// assert!(row.solids[1].velocity.x > 0.08 && row.fragments == 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<const D: usize> {
    pub(super) simulation: Simulation<D>,
    pub(super) region: Region<D>,
    pub(super) until: f64,
    /// Material of each solid, if the scene has several.
    pub(super) materials: Option<Vec<u32>>,
    pub(super) color: ColorQuantity,
    /// Whether frames have contacts.
    pub(super) writes_contacts: bool,
    pub(super) fingerprint: u64,
    /// Whether to verify the surfaces now and then.
    checks: bool,
    pub(super) measured: Measured,
    /// Energies at the last row, or when this process started or resumed the run.
    last_energy: Energy,
    /// Whether to continue where energy appears without a source.
    forces_energy: bool,
    /// Number of time steps when this process started or resumed the run.
    pub(super) steps_at_resume: u64,
}

/// Accumulated measurements; all of them go into a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    pub output_schedule: OutputSchedule,
    /// Number of rows so far, and index of the next one.
    pub rows: u64,
    /// Times of the frames so far.
    pub frame_times: Vec<f64>,
    /// Time of the last row.
    pub last_row_time: f64,
}

/// Times that differ by less than this fraction of a time step are equal but for rounding.
const ROUNDING: f64 = 1e-6;

/// Particle steps between two polls of signals and clocks.
const PARTICLE_STEPS_PER_POLL: u64 = 2_000_000;

impl<const D: usize> Run<D> {
    pub(super) fn of(scene: &Scene<D>, simulation: Simulation<D>, measured: Measured) -> Self {
        let materials = scene.solids.iter().map(|solid| solid.material).collect();
        Run {
            steps_at_resume: simulation.steps(),
            last_energy: simulation.energy(),
            forces_energy: false,
            simulation,
            region: scene.region,
            until: scene.limits.until.unwrap_or(0.0),
            materials: (scene.materials.len() > 1).then_some(materials),
            color: scene.output.color,
            writes_contacts: scene.output.contacts,
            fingerprint: scene.fingerprint(),
            checks: false,
            measured,
        }
    }

    /// The simulation in its current state.
    pub fn simulation(&self) -> &Simulation<D> {
        &self.simulation
    }

    /// The row that would be logged now.
    pub fn row(&self) -> Row<D> {
        Row::of(&self.simulation)
    }

    /// Whether a time is reached, but for rounding.
    fn is_past(&self, time: f64) -> bool {
        self.simulation.now() >= time - ROUNDING * self.simulation.time_step()
    }

    fn row_due(&self) -> f64 {
        match self.measured.output_schedule.log {
            OutputInterval::Time(interval) => self.measured.rows as f64 * interval,
            OutputInterval::Collisions(_) => f64::INFINITY,
        }
    }

    fn frame_due(&self) -> f64 {
        let next = self.measured.frame_times.len() as f64;
        match self.measured.output_schedule.frames {
            Some(interval) => next * interval,
            None if next == 0.0 => 0.0,
            None => f64::INFINITY,
        }
    }

    fn emit_row(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        if self.checks
            && self.measured.rows.is_multiple_of(10)
            && let Some(fault) = self.simulation.surface_fault()
        {
            return Err(Error::Structure { time: self.simulation.now(), fault });
        }
        let mut row = None;
        sink.measure(&mut || row = Some(self.row()));
        self.measured.last_row_time = self.simulation.now();
        let Some(row) = row else { return Ok(()) };
        sink.log(&row)?;
        self.check_energy_jump(&row)
    }

    /// Returns an error if more energy appeared since the last row than there was or was exchanged.
    fn check_energy_jump(&mut self, row: &Row<D>) -> Result<(), Error> {
        let before = std::mem::replace(&mut self.last_energy, row.energy);
        let gained = row.energy.total() - before.total();
        let known = row.energy.known_energy_since(&before);
        if gained <= known || self.forces_energy {
            return Ok(());
        }
        let speed = |solid: &usize| row.solids[*solid].velocity.norm_squared();
        let fastest = (0..row.solids.len()).max_by(|a, b| speed(a).total_cmp(&speed(b)));
        let body = format!("solid {}", fastest.unwrap_or(0));
        let contact = match row.contacts {
            0 => "touches nothing now".to_owned(),
            contacts => format!("is in a collision with {contacts} particles in contact"),
        };
        Err(carom_simulate::Error::EnergyJump { body, time: row.time, contact, gained, known }
            .into())
    }

    /// Returns an error if most springs of a solid break in the first time step, which nobody intends.
    fn check_first_step(&self) -> Result<(), Error> {
        let bodies = self.simulation.bodies();
        for (number, body) in bodies.iter().enumerate() {
            let springs = body.spring_count();
            if 2 * body.broken_springs() > springs {
                let (what, rule) = (
                    "the number of springs that broke in the first step",
                    "a limit that breaks everything at once is too low: raise it",
                );
                let value = format!("{} of {springs} in solid {number}", body.broken_springs());
                return Err(carom_simulate::Error::Setting { what, value, rule }.into());
            }
        }
        Ok(())
    }
}

impl<const D: usize> Runner<D> for Run<D> {
    type Row = Row<D>;
    type Summary = Summary;

    fn new(scene: &Scene<D>) -> Result<Self, Error> {
        let simulation = setup::simulation(scene)?;
        let pace = OutputSchedule::for_time_steps(scene, simulation.time_step())?;
        let measured = Measured {
            output_schedule: pace,
            rows: 0,
            frame_times: Vec::new(),
            last_row_time: f64::NAN,
        };
        Ok(Run::of(scene, simulation, measured))
    }

    fn resume(scene: &Scene<D>, checkpoint: Checkpoint) -> Result<Self, Error> {
        Run::of_checkpoint(scene, checkpoint)
    }

    fn checkpoint(&self) -> Checkpoint {
        self.to_checkpoint()
    }

    fn columns(scene: &Scene<D>) -> Vec<String> {
        Row::<D>::columns(scene)
    }

    fn values(row: &Row<D>, _: &Scene<D>) -> Vec<LogValue> {
        row.values()
    }

    fn output_schedule(&self) -> OutputSchedule {
        self.measured.output_schedule
    }

    fn rows(&self) -> u64 {
        self.measured.rows
    }

    fn frame_times(&self) -> &[f64] {
        &self.measured.frame_times
    }

    fn frame(&self) -> Frame<D> {
        frame::of(self)
    }

    fn progress(&self) -> RunProgress {
        let part = (self.simulation.now() / self.until).min(1.0);
        let (time, count) = (self.simulation.now(), self.simulation.steps());
        RunProgress { time, count, counted: "steps", part }
    }

    fn summary(&self, ending: Ending, timing: Timing) -> Summary {
        Summary::of(self, ending, timing)
    }

    fn summary_json(summary: &Summary) -> serde_json::Value {
        summary.json()
    }

    fn radial_distribution(&self) -> Option<Vec<[f64; 2]>> {
        None
    }

    fn preflight(&self, scene: &Scene<D>) -> Preflight {
        let estimate = Estimate::of(scene, self);
        Preflight { refusal: estimate.refusal(), warnings: estimate.warnings }
    }

    fn check_structure(&mut self) {
        self.checks = true;
    }

    fn force_energy(&mut self) {
        self.forces_energy = true;
    }

    fn is_over(&mut self) -> Option<Ending> {
        self.is_past(self.until).then_some(Ending::Time)
    }

    fn advance(&mut self) -> Result<(), Error> {
        let due = self.row_due().min(self.frame_due()).min(self.until);
        let count: usize =
            self.simulation.bodies().iter().map(|body| body.grid().slot_count()).sum();
        let mut steps = (PARTICLE_STEPS_PER_POLL / count.max(1) as u64).max(1);
        while steps > 0 && !self.is_past(due) {
            self.simulation.advance(1)?;
            if self.simulation.steps() == 1 {
                self.check_first_step()?;
            }
            steps -= 1;
        }
        Ok(self.simulation.check_positions()?)
    }

    fn emit_due_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        if self.is_past(self.row_due()) {
            self.emit_row(sink)?;
            self.measured.rows += 1;
        }
        if self.is_past(self.frame_due()) {
            sink.frame(&|| self.frame())?;
            self.measured.frame_times.push(self.simulation.now());
        }
        Ok(())
    }

    fn emit_final_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let now = self.simulation.now();
        if self.measured.last_row_time != now || self.measured.rows == 0 {
            self.emit_row(sink)?;
        }
        if self.measured.frame_times.last() != Some(&now) {
            sink.frame(&|| self.frame())?;
        }
        Ok(())
    }
}
