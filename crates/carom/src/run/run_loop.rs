//! The loop of a run over what is due: rows, frames, checkpoints, stages, the end. It is the same for all engines.

mod checkpoint;
mod stages;

pub(super) use checkpoint::beyond_end;

use super::dem::{DemRun, SceneLaw};
use super::engine_run::{self, EngineRun, NextOutput, StageStart};
use super::output_schedule::OutputOrigin;
use super::own_force::OwnForce;
use super::{
    Control, Ending, Error, Estimate, OutputInterval, OutputSchedule, Provenance, RunProgress,
    Sink, Summary, Timing,
};
use carom_io::Frame;
use carom_scene::Scene;
use carom_scene::scene::{Engine as EngineName, Material};
use carom_simulate::dem::{CompositeLaw, ContactLaw};
use carom_simulate::observe::{BlockAverage, Observable, ObservableTable, Sample};
use carom_simulate::{Engine, QuantityKind, Value, Values, WallLoad, quantity};
use std::any::Any;

/// A run of a scene by the engine that it names: the simulation, its measurements, and its output schedule.
///
/// A run can be cut anywhere: one that was stopped and resumed gives the results of the uncut run, to the bit.
///
/// ```
/// use carom::run::{Ending, Run};
/// use carom::scene::scene::AnyScene;
/// let text = "engine = 'dem'\ndimension = 2\nuntil = 2.0\nstep = 0.001\nbox.size = 9\n\
///             [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
/// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
/// let mut run = Run::new(&scene)?;
/// assert_eq!(run.run_to_end(&mut ())?, Ending::Time);
/// assert!((run.engine().state().positions[0].x - 7.0).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<const D: usize> {
    pub(super) engine: Box<dyn EngineRun<D>>,
    observables: Vec<Box<dyn Observable<D>>>,
    /// Forces that the program has added.
    pub(super) own_forces: Vec<OwnForce<D>>,
    /// What a checkpoint has of observables that have not been added yet.
    unclaimed: Vec<(String, Vec<f64>)>,
    schedule: OutputSchedule,
    /// Number of rows so far, and index of the next one.
    pub(super) rows: u64,
    /// Times of the frames so far.
    frame_times: Vec<f64>,
    /// Where rows and frames are counted from.
    origin: OutputOrigin,
    /// The scene, if it has stages, and when those began that have.
    pub(super) staged: Option<Box<Scene<D>>>,
    stage_starts: Vec<StageStart>,
    /// Means of the stages that have ended.
    ended_stages: Vec<ColumnMeans>,
    /// Names of the columns, if they differ from stage to stage.
    union_of_columns: Option<Vec<String>>,
    /// Time of the last row, and number of steps or collisions then.
    last_row: Option<(f64, u64)>,
    /// Means of the columns over all rows but that of the start.
    means: ColumnMeans,
    provenance: Provenance,
    /// Whether to verify the neighbor structure now and then.
    checks: bool,
}

/// Refuses a scene of an engine that has no contact laws.
fn check_is_dem<const D: usize>(scene: &Scene<D>) -> Result<(), Error> {
    match scene.engine {
        EngineName::Dem => Ok(()),
        other => Err(carom_simulate::Error::Setting {
            what: "the engine",
            value: other.name().to_owned(),
            rule: "only dem has contact laws",
        }
        .into()),
    }
}

/// Mean of each column over the rows of a run or stage.
type ColumnMeans = Vec<(String, BlockAverage)>;

/// Times that differ by less than this fraction are equal but for rounding.
const ROUNDING: f64 = 1e-9;
/// Rows between two checks of the neighbor structure.
const ROWS_PER_CHECK: u64 = 10;
impl<const D: usize> Run<D> {
    /// Creates a run at the start of a scene.
    pub fn new(scene: &Scene<D>) -> Result<Self, Error> {
        Run::start(scene, engine_run::start(scene)?)
    }

    /// Creates a run of the DEM engine at the start of a scene, with a contact law of your own. `law` makes it from two
    /// materials, and from the law that the scene gives them; sides of the box are like what touches them.
    ///
    /// The law is no part of the scene: [resume](Run::resume_with_contact_law) under the same one.
    ///
    /// Errors if the scene names another engine.
    ///
    /// ```
    /// use carom::run::Run;
    /// use carom::scene::scene::AnyScene;
    /// use carom::simulate::dem::{ContactForce, ContactKinematics, ContactLaw, Simulation};
    ///
    /// /// A spring whose force grows with the square of the overlap.
    /// #[derive(Clone)]
    /// struct Foam(f64);
    ///
    /// impl ContactLaw for Foam {
    ///     type History = ();
    ///
    ///     fn contact_force(&self, contact: &ContactKinematics, _: &mut (), _: f64) -> ContactForce {
    ///         let normal_force = self.0 * contact.overlap.powi(2);
    ///         ContactForce { normal_force, ..ContactForce::default() }
    ///     }
    ///
    ///     fn stored_energy(&self, overlap: f64, _reduced_radius: f64, _: &()) -> f64 {
    ///         self.0 * overlap.powi(3) / 3.0
    ///     }
    /// }
    ///
    /// let text = "engine = 'dem'\ndimension = 2\nuntil = 1.0\nbox.size = 9\nbox.boundary = 'wall'\n\
    ///             [[bodies]]\nposition = [5, 5]\nvelocity = [9, 0]\nradius = 0.5";
    /// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
    /// let mut run = Run::with_contact_law(&scene, |_materials, _law| Foam(1e5))?;
    /// run.run_to_end(&mut ())?;
    /// let simulation: &Simulation<2, Foam> = run.simulation().expect("it has that law");
    /// assert!((simulation.body(0).velocity.x + 9.0).abs() < 0.01, "it has bounced");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_contact_law<L: ContactLaw>(
        scene: &Scene<D>,
        law: impl Fn([&Material; 2], CompositeLaw) -> L + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        check_is_dem(scene)?;
        Run::start(scene, Box::new(DemRun::new(scene, SceneLaw::own(law))?))
    }

    fn start(scene: &Scene<D>, engine: Box<dyn EngineRun<D>>) -> Result<Self, Error> {
        // The limits of a stage, without the latest end of the run, on which rows must not depend.
        let first = (!scene.stages.is_empty()).then(|| scene.in_stage(0));
        let schedule = OutputSchedule::for_steps_of(
            first.as_ref().unwrap_or(scene),
            engine.time_step(),
            None,
        )?;
        // What a later stage asks for is refused now, not when it begins.
        for stage in &scene.stages {
            OutputSchedule::for_steps_of(&stage.scene, engine.time_step(), None)?;
        }
        let mut run = Run::with_schedule(scene, engine, schedule);
        run.stage_starts = vec![StageStart::default()];
        Ok(run)
    }

    fn with_schedule(
        scene: &Scene<D>,
        engine: Box<dyn EngineRun<D>>,
        schedule: OutputSchedule,
    ) -> Self {
        let mut run = Run {
            observables: engine.observables(scene),
            engine,
            own_forces: Vec::new(),
            unclaimed: Vec::new(),
            schedule,
            rows: 0,
            frame_times: Vec::new(),
            origin: OutputOrigin::default(),
            staged: (!scene.stages.is_empty()).then(|| Box::new(scene.clone())),
            stage_starts: Vec::new(),
            ended_stages: Vec::new(),
            union_of_columns: None,
            last_row: None,
            means: Vec::new(),
            provenance: Provenance::of(scene),
            checks: false,
        };
        if !scene.stages.is_empty() {
            let stages = scene.stages.iter();
            let all = stages.flat_map(|stage| run.engine.observables(&stage.scene));
            // In the order of the stages, whichever is the present one.
            let mut columns: Vec<String> = run.quantities().names().map(str::to_owned).collect();
            for column in all.flat_map(|observable| observable.columns()) {
                if !columns.contains(&column) {
                    columns.push(column);
                }
            }
            run.union_of_columns = Some(columns);
        }
        run
    }

    /// Returns an error if the checkpoint of a resumed run has an observable that was not added.
    pub(super) fn check_observables(&self) -> Result<(), Error> {
        let Some((name, _)) = self.unclaimed.first() else { return Ok(()) };
        let (what, value) = ("the checkpoint", format!("of a run with the observable {name:?}"));
        let rule = "a program that resumes it must add that observable";
        Err(carom_simulate::Error::Setting { what, value, rule }.into())
    }

    /// Adds an observable of your own, before the run begins or right after it was resumed.
    ///
    /// Errors if another has its name or one of its columns, if rows have been logged without it, or if what a
    /// checkpoint has of it does not fit.
    pub fn observe(&mut self, mut observable: Box<dyn Observable<D>>) -> Result<(), Error> {
        let name = observable.name().to_owned();
        let refuse = |value: String, rule| {
            Err(carom_simulate::Error::Setting { what: "the observable", value, rule }.into())
        };
        if name.is_empty() || !name.chars().all(|it| it.is_ascii_alphanumeric() || it == '_') {
            return refuse(format!("{name:?}"), "its name must be of letters, digits and _");
        }
        let of_stages = self.scene_observable_names();
        if name == "log"
            || of_stages.contains(&name)
            || self.observables.iter().any(|other| other.name() == name)
        {
            return refuse(format!("{name:?}"), "another one has that name");
        }
        let mut taken: Vec<String> = self.columns();
        let is_taken = |column: &String| {
            let is_taken = taken.contains(column);
            taken.push(column.clone());
            is_taken
        };
        if let Some(column) = observable.columns().into_iter().find(is_taken) {
            return refuse(
                format!("{name:?} with the column {column:?}"),
                "another column has that name",
            );
        }
        carom_io::check_log_columns(&observable.columns())?;
        let saved = self.unclaimed.iter().position(|(unclaimed, _)| *unclaimed == name);
        match saved.map(|place| self.unclaimed.remove(place).1) {
            Some(saved) => observable.restore(&saved).map_err(|reason| {
                carom_simulate::Error::Saved(format!("the observable {name:?}: {reason}"))
            })?,
            None if self.rows > 0 && !observable.columns().is_empty() => {
                return refuse(format!("{name:?}"), "the run has logged rows without it");
            }
            None => {}
        }
        self.observables.push(observable);
        Ok(())
    }

    /// The loads on the walls, by their names in columns: of an event-driven run the means since its start, of
    /// others those now; none where there are no walls.
    ///
    /// ```
    /// use carom::run::Run;
    /// use carom::scene::scene::AnyScene;
    /// let text = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 9\nbox.boundary = 'wall'\n\
    ///             [materials.default]\nstiffness = 1024\n[[bodies]]\nposition = [4, 0.4375]\nradius = 0.5";
    /// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
    /// let loads = Run::new(&scene)?.wall_loads();
    /// assert_eq!((loads[2].0.as_str(), loads[2].1.contacts), ("wall_y_low", 1));
    /// assert!(loads[2].1.force.y < 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn wall_loads(&self) -> Vec<(String, WallLoad)> {
        self.engine.wall_names().into_iter().zip(self.engine().wall_loads()).collect()
    }

    /// The simulation in its current state, whatever its engine.
    pub fn engine(&self) -> &dyn Engine<D> {
        self.engine.engine()
    }

    /// The simulation, to be changed between two calls of [`Run::advance`].
    ///
    /// Forces that a program adds to the simulation itself, and not by [`Run::add_force`], act until the next stage of the scene
    /// begins.
    pub fn engine_mut(&mut self) -> &mut dyn Engine<D> {
        self.engine.engine_mut()
    }

    /// The simulation, if it is of this type, for example `carom::simulate::dem::Simulation<2>`.
    pub fn simulation<S: 'static>(&self) -> Option<&S> {
        (self.engine() as &dyn Any).downcast_ref()
    }

    /// The time step, if the engine has one.
    pub fn time_step(&self) -> Option<f64> {
        self.engine.time_step()
    }

    /// The text of a scene that repeats this run of it, with the interval of rows: a longer run would derive another one
    /// from its end.
    pub fn as_run(&self, scene: &Scene<D>) -> String {
        match self.schedule.log {
            _ if !scene.stages.is_empty() => scene.as_run.clone(),
            OutputInterval::Time(interval) => scene.as_run_with_log_interval(interval),
            OutputInterval::Collisions(count) => scene.as_run_with_log_collisions(count),
        }
    }

    /// When rows and frames are due; kept through every resume.
    pub fn output_schedule(&self) -> OutputSchedule {
        self.schedule
    }

    /// Number of log rows that a checkpoint made now counts.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Times of the frames that a checkpoint made now counts.
    pub fn frame_times(&self) -> &[f64] {
        &self.frame_times
    }

    /// Names of the columns of the log.
    pub fn columns(&self) -> Vec<String> {
        if let Some(columns) = &self.union_of_columns {
            let own = self.observables.iter().flat_map(|observable| observable.columns());
            let new = own.filter(|column| !columns.contains(column));
            return columns.iter().cloned().chain(new).collect();
        }
        let quantities = self.quantities();
        let columns = self.observables.iter().flat_map(|observable| observable.columns());
        quantities.names().map(str::to_owned).chain(columns).collect()
    }

    /// The quantities of the present moment, without those of observables.
    pub fn quantities(&self) -> Values {
        let mut values = self.engine().quantities();
        values.append(self.engine.scene_counts());
        if self.staged.is_some() {
            values.push("stage", self.stage() as u64);
        }
        values
    }

    /// Number of the present stage, from zero.
    pub fn stage(&self) -> usize {
        self.stage_starts.len().saturating_sub(1)
    }

    /// All bodies at the current time.
    pub fn frame(&self) -> Frame<D> {
        Frame { number: self.frame_times.len() as u64, ..self.engine.frame() }
    }

    /// Current progress.
    pub fn progress(&self) -> RunProgress {
        let (counted, count) = self.engine.counted();
        let time = self.engine().time();
        let part = match &self.staged {
            Some(scene) => self.part_of_stages(scene, time, count),
            None => self.engine.part(),
        };
        RunProgress { time, count, counted, part }
    }

    /// The summary at the current time.
    pub fn summary(&self, ending: Ending, timing: Timing) -> Summary {
        let provenance = self.provenance.json(&self.state_digest());
        let mut summary = Summary::new(ending, timing, self.engine().name(), D, provenance);
        summary.add(&self.quantities());
        self.with_sample(|sample| {
            for observable in &self.observables {
                summary.add_new(&observable.summary(sample));
            }
        });
        match &self.staged {
            Some(scene) => summary.add_stages(&self.stage_summaries(scene)),
            None => summary.add_means(&self.means),
        }
        self.engine.summarize(ending, timing.running, summary.content_mut());
        summary
    }

    /// The tables of observables, by their names.
    pub fn tables(&self) -> Vec<(String, ObservableTable)> {
        let mut tables = Vec::new();
        self.with_sample(|sample| {
            for observable in &self.observables {
                let table = observable.table(sample);
                tables.extend(table.map(|table| (observable.name().to_owned(), table)));
            }
        });
        tables
    }

    fn with_sample(&self, look: impl FnOnce(&Sample<'_, D>)) {
        look(&sample(self.engine(), self.rows));
    }

    /// What the scene will do, as far as can be known without running it, and why it should not be run, if it should
    /// not.
    pub fn estimate(&self, scene: &Scene<D>) -> Estimate {
        Estimate::of(scene, self.schedule, self.engine.as_ref())
    }

    /// Verifies the neighbor structure from now on, at every tenth log row and at the end; slow.
    pub fn check_structure(&mut self) {
        self.checks = true;
    }

    /// Continues from now on where energy appears without a source, at which runs end otherwise. Event-driven runs have
    /// no such end: there energy changes in collisions only, by the collision rule.
    pub fn force_energy(&mut self) {
        self.engine.allow_energy_gain();
    }

    /// The reason why the run is at its end, if it is.
    pub fn is_over(&mut self) -> Option<Ending> {
        match self.has_next_stage() {
            true => self.is_at_latest_end().then_some(Ending::Time),
            false => self.engine.ending(),
        }
    }

    /// Time and number of collisions at which the next row is due, one of them infinite.
    fn row_due(&self) -> (f64, u64) {
        self.schedule.row_due(&self.origin, self.rows)
    }

    fn frame_due(&self) -> f64 {
        self.schedule.frame_due(&self.origin, self.frame_times.len() as u64)
    }

    /// Advances for some hundredths of a second, or less if output is due before, at most to the end of the stage. Results
    /// do not depend on where a run pauses. [`Run::emit_due_output`] must follow, which also begins the next stage.
    pub fn advance(&mut self) -> Result<(), Error> {
        let (time, count) = self.row_due();
        let log_interval = match self.schedule.log {
            OutputInterval::Time(interval) => Some(interval),
            OutputInterval::Collisions(_) => None,
        };
        let time = time.min(self.frame_due());
        // What only counts collisions is no end for steps.
        let count = if self.engine.counted().0 == "collisions" { count } else { u64::MAX };
        let count = count.min(self.next_own_pause());
        self.engine.advance(&NextOutput { time, count, rows: self.rows, log_interval })
    }

    /// Measures a row, and starts the next averaging window of observables.
    pub(super) fn measure(&mut self) -> Result<Values, Error> {
        if self.checks && (self.rows.is_multiple_of(ROWS_PER_CHECK) || self.is_over().is_some()) {
            let time = self.engine().time();
            self.engine().check().map_err(|fault| Error::Structure { time, fault })?;
        }
        let mut row = self.quantities();
        let sample = sample(self.engine.engine(), self.rows);
        sample_observables(&mut self.observables, &sample, &mut row)?;
        if self.rows > 0 {
            self.add_to_means(&row);
        }
        self.last_row = Some((self.engine().time(), self.engine.counted().1));
        Ok(row)
    }

    fn add_to_means(&mut self, row: &Values) {
        let is_averaged = |name: &str, value: Value| match quantity(name) {
            Some(known) => {
                known.kind != QuantityKind::Accumulated && !["time", "stage"].contains(&name)
            }
            None => matches!(value, Value::Number(_)),
        };
        if self.means.is_empty() {
            let columns = row.iter().filter(|(name, value)| is_averaged(name, *value));
            self.means =
                columns.map(|(name, _)| (name.to_owned(), BlockAverage::default())).collect();
        }
        for (name, mean) in &mut self.means {
            if let Some(number) = row.number(name) {
                mean.add(number);
            }
        }
    }

    fn emit_row(&mut self, sink: &mut dyn Sink<D>) -> Result<(), Error> {
        let mut row = None;
        sink.measure(&mut || row = Some(self.measure()));
        let Some(row) = row else { return Ok(()) };
        let row = row?;
        let checked = self.engine.check_row(&row);
        // What is wrong is seen in the row.
        sink.log(&self.with_all_columns(row))?;
        checked
    }

    /// The row with the columns of all stages; what this stage does not measure is not a number.
    pub(super) fn with_all_columns(&self, row: Values) -> Values {
        if self.union_of_columns.is_none() {
            return row;
        }
        let value = |name: String| {
            let value = row.get(&name).unwrap_or(Value::Number(f64::NAN));
            (name, value)
        };
        self.columns().into_iter().map(value).collect()
    }

    /// Passes the rows and frames that are due now to the sink.
    pub fn emit_due_output(&mut self, sink: &mut dyn Sink<D>) -> Result<(), Error> {
        let (time, collisions) = self.row_due();
        let (counted, count) = self.engine.counted();
        let is_counted = counted == "collisions" && count >= collisions;
        if self.engine.has_reached(time) || is_counted {
            self.emit_row(sink)?;
            self.rows += 1;
        }
        if self.engine.has_reached(self.frame_due()) {
            sink.frame(&|| self.frame())?;
            self.frame_times.push(self.engine().time());
        }
        while self.has_next_stage() && !self.is_at_latest_end() && self.engine.ending().is_some() {
            if !self.is_logged() {
                self.emit_row(sink)?;
                self.rows += 1;
            }
            self.enter_next_stage()?;
        }
        self.engine.warnings().iter().for_each(|warning| sink.warn(warning));
        Ok(())
    }

    /// Whether the present moment has a row.
    fn is_logged(&self) -> bool {
        let (now, count) = (self.engine().time(), self.engine.counted().1);
        // A multiple of an interval may be rounded to just before the end.
        self.last_row.is_some_and(|(time, then)| then == count && now - time <= ROUNDING * now)
    }

    /// Passes the last row and the last frame to the sink, unless these exist for the current time.
    pub fn emit_final_output(&mut self, sink: &mut dyn Sink<D>) -> Result<(), Error> {
        let now = self.engine().time();
        if !self.is_logged() {
            self.emit_row(sink)?;
        }
        if !self.frame_times.last().is_some_and(|&time| now - time <= ROUNDING * now) {
            sink.frame(&|| self.frame())?;
        }
        Ok(())
    }

    /// Runs to the end of the scene, or until the sink stops it.
    ///
    /// Errors if the checkpoint of a resumed run has an observable that was not added.
    pub fn run_to_end(&mut self, sink: &mut dyn Sink<D>) -> Result<Ending, Error> {
        self.check_observables()?;
        if self.rows == 0 {
            // A checkpoint before anything else, so that a kill at any moment leaves something to continue from.
            sink.checkpoint(self)?;
        }
        self.emit_due_output(sink)?;
        let ending = loop {
            if let Some(ending) = self.is_over() {
                break ending;
            }
            let mut advanced = Ok(());
            sink.advance(&mut || advanced = self.advance());
            advanced?;
            self.emit_due_output(sink)?;
            match sink.progress(&self.progress()) {
                Control::Continue => {}
                Control::Checkpoint => sink.checkpoint(self)?,
                Control::Stop if self.is_over().is_some() => {}
                Control::Stop => {
                    sink.checkpoint(self)?;
                    sink.end(self, Ending::Stopped)?;
                    return Ok(Ending::Stopped);
                }
            }
        };
        // The checkpoint before the last row and frame, which belong to this end and not to a longer run.
        sink.checkpoint(self)?;
        self.emit_final_output(sink)?;
        sink.end(self, ending)?;
        Ok(ending)
    }
}

/// The present moment for observables; they begin with the first row.
pub(super) fn sample<const D: usize>(engine: &dyn Engine<D>, rows: u64) -> Sample<'_, D> {
    if rows == 0 { Sample::at_start(engine) } else { Sample::of(engine) }
}

/// Samples observables, and adds their values to a row.
pub(super) fn sample_observables<const D: usize>(
    observables: &mut [Box<dyn Observable<D>>],
    sample: &Sample<'_, D>,
    row: &mut Values,
) -> Result<(), Error> {
    for observable in observables {
        let (columns, values) = (observable.columns(), observable.sample(sample));
        if columns.len() != values.len() {
            let value = format!("{:?} with {} values", observable.name(), values.len());
            let (what, rule) = ("the observable", "it must give one value for each of its columns");
            return Err(carom_simulate::Error::Setting { what, value, rule }.into());
        }
        columns.into_iter().zip(values).for_each(|(column, value)| row.push(column, value));
    }
    Ok(())
}
