use super::contact_history::contact_history;
use super::log_row::VirialSnapshot;
use super::outlet::OutletState;
use super::pour::PourState;
use super::setup;
use super::{Estimate, Row, Summary};
use crate::run::{
    Ending, Error, OutputInterval, OutputSchedule, Preflight, RunProgress, Runner, Sink, Timing,
};
use carom_geometry::Vector;
use carom_io::{AxisExtent, Checkpoint, Frame, FrameContact, FrameShapes, LogValue};
use carom_scene::Scene;
use carom_scene::scene::{BoundaryCondition, ColorQuantity, Observables, Region, Shape};
use carom_simulate::dem::{Body, BodyContacts, Simulation, Warning};

/// A time-stepped (DEM) run of a scene: the simulation, its measurements, and its output schedule.
///
/// ```
/// use carom::run::dem::Run;
/// use carom::run::{Runner, Ending};
/// use carom::scene::scene::AnyScene;
/// let text = "engine = 'dem'\ndimension = 2\nuntil = 2.0\nstep = 0.001\nbox.size = 9\n\
///             [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
/// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
/// let mut run = Run::new(&scene)?;
/// assert_eq!(run.run_to_end(&mut ())?, Ending::Time);
/// assert!((run.simulation().body(0).position.x - 7.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<const D: usize> {
    pub(super) simulation: Simulation<D>,
    pub(super) region: Region<D>,
    until: f64,
    pub(super) observe: Observables,
    /// Whether the scene has several materials.
    mixed: bool,
    /// Quantity that colors pictures.
    color: ColorQuantity,
    /// Whether frames have contacts.
    writes_contacts: bool,
    pub(super) pour_state: PourState<D>,
    pub(super) outlet_state: OutletState<D>,
    /// Shapes of the scene.
    shapes: Vec<Shape>,
    pub(super) fingerprint: u64,
    /// Whether to verify now and then that the neighbor list misses no contact.
    checks: bool,
    pub(super) measured: Measured,
    /// Number of time steps when this process started or resumed the run.
    pub(super) steps_at_resume: u64,
    /// Number of neighbor searches at that time.
    pub(super) searches_at_resume: u64,
    /// Names of the walls.
    wall_names: Vec<String>,
    /// Kinds of warnings that were reported.
    reported_warnings: Vec<&'static str>,
}

/// Accumulated measurements; all of them go into a checkpoint.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measured {
    pub output_schedule: OutputSchedule,
    /// Number of rows so far, and index of the next one.
    pub rows: u64,
    /// Times of the frames so far.
    pub frame_times: Vec<f64>,
    /// State at the last row.
    pub window_start: VirialSnapshot,
}

/// How many bodies have come and gone; part of a checkpoint.
pub(super) struct BodyFlowCounts {
    /// Bodies of each pour that have been inserted.
    pub poured: Vec<u64>,
    /// Bodies that have left at each outlet.
    pub left: Vec<u64>,
}

/// Times that differ by less than this fraction of a time step are equal but for rounding.
const ROUNDING: f64 = 1e-6;

/// Body steps between two polls of signals and clocks: some tens of milliseconds.
const BODY_STEPS_PER_POLL: u64 = 300_000;

impl<const D: usize> Run<D> {
    pub(super) fn of(
        scene: &Scene<D>,
        simulation: Simulation<D>,
        measured: Measured,
        counts: BodyFlowCounts,
    ) -> Self {
        Run {
            steps_at_resume: simulation.steps(),
            searches_at_resume: simulation.searches(),
            simulation,
            region: scene.region,
            observe: scene.observe.clone(),
            until: scene.limits.until.unwrap_or(0.0),
            mixed: scene.materials.len() > 1,
            color: scene.output.color,
            writes_contacts: scene.output.contacts,
            pour_state: PourState::new(scene, counts.poured),
            outlet_state: OutletState::new(scene, counts.left),
            shapes: scene.shapes.clone(),
            fingerprint: scene.fingerprint(),
            checks: false,
            measured,
            wall_names: setup::wall_names(scene),
            reported_warnings: Vec::new(),
        }
    }

    /// The simulation in its current state.
    pub fn simulation(&self) -> &Simulation<D> {
        &self.simulation
    }

    /// The row that would be logged now.
    pub fn row(&self) -> Row<D> {
        let before = &self.measured.window_start;
        let mut row = Row::of(&self.simulation, before, self.region.volume(), &self.observe);
        row.outlets.clone_from(&self.outlet_state.left);
        row
    }

    /// Shapes and orientations of bodies, if the scene has shapes.
    fn frame_shapes(&self, bodies: &[Body<D>]) -> Option<FrameShapes> {
        let orientation = |body: &Body<D>| {
            let [x, y, z, w] = body.orientation.coords.into();
            [w, x, y, z]
        };
        (!self.shapes.is_empty()).then(|| FrameShapes {
            list: self.shapes.clone(),
            shape_of_body: bodies.iter().map(|body| body.shape).collect(),
            orientations: bodies.iter().map(orientation).collect(),
        })
    }

    /// The contacts of a frame, in the frame of their first bodies.
    fn frame_contacts(&self) -> Vec<FrameContact<D>> {
        let simulation = &self.simulation;
        let (state, boundary) = (simulation.state(), &simulation.settings().boundary);
        let contacts = simulation.contacts();
        contacts.iter().filter_map(|contact| FrameContact::of(contact, &state, boundary)).collect()
    }

    /// A position as it is written: on periodic axes inside the box, from where other runs may start.
    fn wrapped_into_box(&self, place: &Vector<D>) -> Vector<D> {
        let wrapped = self.simulation.settings().boundary.wrap(*place);
        Vector::from_fn(|axis, _| match self.region.boundary_conditions[axis] {
            // A coordinate just below zero may be rounded up to the whole size.
            BoundaryCondition::Periodic if wrapped[axis] >= self.region.size[axis] => 0.0,
            BoundaryCondition::Periodic => wrapped[axis],
            _ => place[axis],
        })
    }

    /// The first time step at or after a time.
    fn step_at(&self, time: f64) -> u64 {
        (time / self.simulation.time_step() - ROUNDING).ceil().max(0.0) as u64
    }

    /// The time step at which the next row is due.
    fn row_due(&self) -> u64 {
        match self.measured.output_schedule.log {
            OutputInterval::Time(interval) => self.step_at(self.measured.rows as f64 * interval),
            OutputInterval::Collisions(_) => u64::MAX,
        }
    }

    fn frame_due(&self) -> u64 {
        let next = self.measured.frame_times.len() as f64;
        match self.measured.output_schedule.frames {
            Some(interval) => self.step_at(next * interval),
            None if next == 0.0 => 0,
            None => u64::MAX,
        }
    }

    fn emit_row(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let mut row = None;
        sink.measure(&mut || row = Some(self.measure()));
        match row {
            Some(row) => sink.log(&row?),
            None => Ok(()),
        }
    }

    /// Measures a row, and starts the next averaging window.
    fn measure(&mut self) -> Result<Row<D>, Error> {
        if self.checks && self.measured.rows.is_multiple_of(10) {
            let time = self.simulation.now();
            self.simulation
                .check_neighbor_list()
                .map_err(|fault| Error::Structure { time, fault })?;
        }
        let row = self.row();
        self.measured.window_start = VirialSnapshot::of(&self.simulation);
        Ok(row)
    }

    /// Reports the warnings of pours and engine, each kind once.
    fn warn(&mut self, sink: &mut impl Sink<D, Self>) {
        self.pour_state.warnings().iter().for_each(|warning| sink.warn(warning));
        self.outlet_state.warnings.drain(..).for_each(|warning| sink.warn(&warning));
        for warning in self.simulation.warnings() {
            let kind = match warning {
                Warning::Deep { .. } => "deep",
                _ => "fast",
            };
            if !self.reported_warnings.contains(&kind) {
                self.reported_warnings.push(kind);
                sink.warn(&warning.describe(|wall| self.wall_names[wall as usize].clone()));
            }
        }
    }
}

/// The error with the name that the wall has in the scene.
fn with_wall_name<const D: usize>(scene: &Scene<D>, error: carom_simulate::Error) -> Error {
    match error {
        carom_simulate::Error::WallOverlap { body, wall, overlap } => {
            let wall = setup::wall_names(scene).swap_remove(wall);
            Error::InWall { body, wall, overlap }
        }
        error => error.into(),
    }
}

/// Returns an error if a run is shorter than one time step but not empty.
fn check_length<const D: usize>(scene: &Scene<D>, step: f64) -> Result<(), Error> {
    match scene.limits.until {
        Some(until) if until > 0.0 && step > until * (1.0 + ROUNDING) => {
            let value = format!("{until:?}, but a step takes {step:?}");
            let rule = "it must be at least as long: give a later end or a shorter step";
            Err(carom_simulate::Error::Setting { what: "until", value, rule }.into())
        }
        _ => Ok(()),
    }
}

impl<const D: usize> Runner<D> for Run<D> {
    type Row = Row<D>;
    type Summary = Summary;

    fn new(scene: &Scene<D>) -> Result<Self, Error> {
        let history = contact_history(scene)?;
        let (bodies, settings) = (setup::bodies(scene), setup::settings(scene)?);
        let mut simulation = Simulation::with_history(&bodies, settings, &history)
            .map_err(|error| with_wall_name(scene, error))?;
        setup::forces(scene).for_each(|force| simulation.add_force(force));
        check_length(scene, simulation.time_step())?;
        let mark = VirialSnapshot::of(&simulation);
        let pace = OutputSchedule::for_time_steps(scene, simulation.time_step())?;
        let measured = Measured {
            output_schedule: pace,
            rows: 0,
            frame_times: Vec::new(),
            window_start: mark,
        };
        let counts = BodyFlowCounts {
            poured: vec![0; scene.pours.len()],
            left: vec![0; scene.outlets.len()],
        };
        Ok(Run::of(scene, simulation, measured, counts))
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
        let bodies: Vec<_> =
            (0..self.simulation.body_count()).map(|number| self.simulation.body(number)).collect();
        let BodyContacts { pressures, contacts, clusters } = self.simulation.body_contacts();
        let angular_velocity =
            |axis: usize| bodies.iter().map(|body| body.angular_velocity[axis]).collect();
        let whole = |numbers: Vec<u32>| numbers.into_iter().map(f64::from).collect();
        let mut columns = match D {
            2 => vec![("angular_velocity", angular_velocity(2))],
            _ => vec![
                ("angular_velocity_x", angular_velocity(0)),
                ("angular_velocity_y", angular_velocity(1)),
                ("angular_velocity_z", angular_velocity(2)),
            ],
        };
        columns.extend([
            ("pressure", pressures),
            ("contacts", whole(contacts)),
            ("cluster", whole(clusters)),
        ]);
        Frame {
            time: self.simulation.now(),
            step: self.simulation.steps(),
            number: self.measured.frame_times.len() as u64,
            region: AxisExtent::of_region(&self.region),
            positions: bodies.iter().map(|body| self.wrapped_into_box(&body.position)).collect(),
            velocities: bodies.iter().map(|body| body.velocity).collect(),
            radii: bodies.iter().map(|body| body.radius).collect(),
            masses: Some(bodies.iter().map(|body| body.mass).collect()),
            materials: self.mixed.then(|| bodies.iter().map(|body| body.material).collect()),
            shapes: self.frame_shapes(&bodies),
            springs: None,
            contacts: self.writes_contacts.then(|| self.frame_contacts()),
            ids: (!self.outlet_state.left.is_empty()).then(|| self.simulation.state().ids),
            color_by: self.color.column(),
            columns: (columns.into_iter())
                .map(|(name, values)| (name.to_owned(), values))
                .collect(),
        }
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
        self.simulation.allow_energy_gain(true);
    }

    fn is_over(&mut self) -> Option<Ending> {
        (self.simulation.steps() >= self.step_at(self.until)).then_some(Ending::Time)
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.outlet_state.release(&mut self.simulation)?;
        self.pour_state.pour(&mut self.simulation)?;
        let now = self.simulation.steps();
        let slice = BODY_STEPS_PER_POLL
            / (self.simulation.body_count() as u64).clamp(1, BODY_STEPS_PER_POLL);
        let poured = self.pour_state.next(now, self.simulation.time_step());
        let moved = poured.min(self.outlet_state.next(now));
        let due = self.row_due().min(self.frame_due()).min(self.step_at(self.until)).min(moved);
        Ok(self.simulation.advance(due.saturating_sub(now).min(slice))?)
    }

    fn emit_due_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let now = self.simulation.steps();
        if now >= self.row_due() {
            self.emit_row(sink)?;
            self.measured.rows += 1;
        }
        if now >= self.frame_due() {
            sink.frame(&|| self.frame())?;
            self.measured.frame_times.push(self.simulation.now());
        }
        self.warn(sink);
        Ok(())
    }

    fn emit_final_output(&mut self, sink: &mut impl Sink<D, Self>) -> Result<(), Error> {
        let now = self.simulation.now();
        if self.measured.window_start.time != now || self.measured.rows == 0 {
            self.emit_row(sink)?;
        }
        if self.measured.frame_times.last() != Some(&now) {
            sink.frame(&|| self.frame())?;
        }
        Ok(())
    }
}
