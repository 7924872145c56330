//! Log, frames, checkpoints and summary of an engine that a program has built and drives, without a scene.
//!
//! The program advances; what is due until then, and how observables are sampled and saved, is the code of [`Run`].
//!
//! [`Run`]: super::Run

mod checkpoint;

use super::output_schedule::OutputOrigin;
use super::results_folder::{check_table, file_name, write_table};
use super::run_loop::{sample, sample_observables};
use super::{Error, FolderLock, OutputInterval, OutputSchedule, Provenance, RunFolder};
use carom_io::{
    AxisExtent, Checkpoint, Frame, FrameContact, FrameFormat, FrameSeries, LogFile,
    check_log_columns, digest, write_atomically,
};
use carom_simulate::observe::Observable;
use carom_simulate::{Engine, Value};
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;

/// Settings of a recording: intervals in simulated time, formats and contents.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordingSettings {
    /// Time between two rows of `log.csv`.
    pub log_interval: f64,
    /// Time between two frames; none for no frames.
    pub frame_interval: Option<f64>,
    /// Formats of frames.
    pub formats: Vec<FrameFormat>,
    /// Whether frames have contacts with their forces.
    pub contacts: bool,
}

impl RecordingSettings {
    /// Makes the settings of a log with a row at these intervals and no frames.
    pub fn log_every(log_interval: f64) -> Self {
        let formats = vec![FrameFormat::Vtk];
        RecordingSettings { log_interval, frame_interval: None, formats, contacts: false }
    }

    /// Adds frames at these intervals.
    pub fn frames_every(self, interval: f64) -> Self {
        RecordingSettings { frame_interval: Some(interval), ..self }
    }

    /// When rows and frames are due. Errors if an interval is not greater than zero and finite.
    fn schedule(&self) -> Result<OutputSchedule, Error> {
        let intervals = [
            ("the interval of rows", Some(self.log_interval)),
            ("the interval of frames", self.frame_interval),
        ];
        let is_positive = |interval: f64| interval > 0.0 && interval.is_finite();
        for (what, interval) in intervals {
            if let Some(interval) = interval.filter(|it| !is_positive(*it)) {
                let rule = "it must be greater than zero and finite";
                let value = interval.to_string();
                return Err(carom_simulate::Error::Setting { what, value, rule }.into());
            }
        }
        let log = OutputInterval::Time(self.log_interval);
        Ok(OutputSchedule { log, frames: self.frame_interval })
    }
}

/// Writes what an engine does into a folder: `log.csv` with the quantities of the engine and of observables, `frames/`,
/// and at the end `summary.json` and the tables of observables; on request `checkpoint.bin`, from which
/// [`Recording::resume`] continues.
///
/// It is for engines that a program builds in code. Without a scene the folder is no run of the program `carom`: read the log
/// by [`LogTable`](carom_io::LogTable) and frames by [`recorded_frames`](carom_io::recorded_frames), or open them with
/// other tools.
///
/// ```
/// use carom::io::{LogTable, recorded_frames};
/// use carom::run::{Recording, RecordingSettings};
/// use carom::simulate::dem::{Body, CompositeLaw, Settings, Simulation};
/// # let parent = std::env::temp_dir().join(format!("carom-recording-{}", std::process::id()));
/// # let folder = parent.join("pair");
/// let bodies = [0.0, 2.0].map(|x| Body { velocity: [x, 0.0].into(), ..Body::at_rest([x, 0.0], 0.5, 1.0) });
/// let mut grains = Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e4)))?;
/// let settings = RecordingSettings::log_every(0.25).frames_every(0.5);
/// let mut recording = Recording::begin(settings, &folder, &grains, Vec::new())?;
/// recording.advance(&mut grains, 1.0)?;
/// let summary = recording.finish(&grains)?;
/// assert_eq!(summary["kinetic_energy"], 2.0);
/// assert_eq!(LogTable::read(&folder)?.rows(), 5);
/// assert_eq!(recorded_frames(&folder)?.len(), 3);
/// # std::fs::remove_dir_all(parent)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Recording<const D: usize> {
    settings: RecordingSettings,
    schedule: OutputSchedule,
    lock: FolderLock,
    log: LogFile,
    columns: Vec<String>,
    frames: FrameSeries,
    observables: Vec<Box<dyn Observable<D>>>,
    started: Instant,
    progress: RecordingProgress,
    warnings: Vec<String>,
}

/// How far a recording is: what a checkpoint has of it beside the engine and observables.
#[derive(Clone, Debug, Default, PartialEq)]
struct RecordingProgress {
    /// Where rows and frames are counted from.
    origin: OutputOrigin,
    /// Number of the next row that is due, from zero.
    next_row: u64,
    /// Number of the next frame that is due, from zero.
    next_frame: u64,
    /// Number of rows in the log: fewer than were due where time steps are longer than the interval.
    rows: u64,
    /// Time of the last row.
    last_row: Option<f64>,
    /// Times of the frames so far.
    frame_times: Vec<f64>,
}

impl<const D: usize> Recording<D> {
    /// Begins at the present time of an engine: creates the folder and writes the first row and frame.
    ///
    /// Errors if an interval is not greater than zero and finite, if two columns have one name or one that a log cannot
    /// have, or if the folder has results or cannot be written.
    pub fn begin(
        settings: RecordingSettings,
        folder: impl Into<PathBuf>,
        engine: &dyn Engine<D>,
        observables: Vec<Box<dyn Observable<D>>>,
    ) -> Result<Self, Error> {
        let schedule = settings.schedule()?;
        let columns = columns(engine, &observables)?;
        let folder = RunFolder::new(folder);
        folder.check_no_sweep()?;
        folder.check_no_results()?;
        let lock = folder.lock()?;
        // Another run may have written results since.
        folder.check_no_results()?;
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let mut recording = Recording {
            log: LogFile::create(&folder.file("log.csv"), &names)?,
            frames: FrameSeries::create(folder.path(), &settings.formats)?,
            settings,
            schedule,
            lock,
            columns,
            observables,
            started: Instant::now(),
            progress: RecordingProgress {
                origin: OutputOrigin { time: engine.time(), ..OutputOrigin::default() },
                ..RecordingProgress::default()
            },
            warnings: Vec::new(),
        };
        recording.emit(engine, engine.time())?;
        Ok(recording)
    }

    /// Advances an engine to a time, and writes the rows and frames that become due.
    ///
    /// Errors if the time is not finite, where the engine cannot continue, or if a file cannot be written.
    pub fn advance(&mut self, engine: &mut dyn Engine<D>, until: f64) -> Result<(), Error> {
        if !until.is_finite() {
            let (what, value) = ("the time to advance to", until.to_string());
            let rule = "it must be finite";
            return Err(carom_simulate::Error::Setting { what, value, rule }.into());
        }
        loop {
            let [row, frame] = self.due();
            let next = row.min(frame).min(until);
            engine.advance_to(next)?;
            self.emit(engine, next)?;
            if next >= until {
                return Ok(());
            }
        }
    }

    /// Writes the last row and frame, if the present time has none, the tables of observables and the summary, which is
    /// returned too.
    pub fn finish(mut self, engine: &dyn Engine<D>) -> Result<serde_json::Value, Error> {
        self.write_row(engine)?;
        self.write_frame(engine)?;
        self.log.sync()?;
        self.frames.write_index()?;
        let tables = self.write_tables(engine)?;
        let summary = self.summary(engine, &tables);
        write_atomically(&self.lock.folder().file("summary.json"), |out| {
            writeln!(out, "{summary:#}")
        })?;
        Ok(summary)
    }

    /// Times at which the next row and the next frame are due.
    fn due(&self) -> [f64; 2] {
        let RecordingProgress { origin, next_row, next_frame, .. } = &self.progress;
        [self.schedule.row_due(origin, *next_row).0, self.schedule.frame_due(origin, *next_frame)]
    }

    /// Writes what is due up to a time, to which the engine has advanced but for a time step.
    fn emit(&mut self, engine: &dyn Engine<D>, time: f64) -> Result<(), Error> {
        let [row, frame] = self.due();
        if row <= time {
            self.progress.next_row += 1;
            self.write_row(engine)?;
        }
        if frame <= time {
            self.progress.next_frame += 1;
            self.write_frame(engine)?;
        }
        Ok(())
    }

    fn write_row(&mut self, engine: &dyn Engine<D>) -> Result<(), Error> {
        let progress = &mut self.progress;
        if progress.last_row.replace(engine.time()) == Some(engine.time()) {
            return Ok(());
        }
        let mut row = engine.quantities();
        sample_observables(&mut self.observables, &sample(engine, progress.rows), &mut row)?;
        // Quantities that the engine did not have at the start have no column.
        let value = |name: &String| row.get(name).unwrap_or(Value::Number(f64::NAN));
        self.log.append(&self.columns.iter().map(value).collect::<Vec<_>>())?;
        progress.rows += 1;
        Ok(())
    }

    fn write_frame(&mut self, engine: &dyn Engine<D>) -> Result<(), Error> {
        let (now, times) = (engine.time(), &mut self.progress.frame_times);
        if self.schedule.frames.is_none() || times.last() == Some(&now) {
            return Ok(());
        }
        self.frames.write(&frame(engine, times.len() as u64, self.settings.contacts))?;
        times.push(now);
        Ok(())
    }

    /// Writes the tables of observables and returns the names of their files.
    fn write_tables(&self, engine: &dyn Engine<D>) -> Result<Vec<String>, Error> {
        let mut files = Vec::new();
        for observable in &self.observables {
            if let Some(table) = observable.table(&sample(engine, self.progress.rows)) {
                check_table(observable.name(), &table)?;
                write_table(self.lock.folder(), observable.name(), &table)?;
                files.push(file_name(observable.name()));
            }
        }
        Ok(files)
    }

    fn summary(&self, engine: &dyn Engine<D>, tables: &[String]) -> serde_json::Value {
        let mut values = engine.quantities();
        for observable in &self.observables {
            values.append(observable.summary(&sample(engine, self.progress.rows)));
        }
        let mut summary = json!({ "engine": engine.name(), "dimension": D, "tables": tables });
        for (name, value) in values.iter() {
            summary[name] = match value {
                Value::Number(number) => number.into(),
                Value::Count(count) => count.into(),
            };
        }
        summary["seconds"] = json!({ "running": self.started.elapsed().as_secs_f64() });
        summary["provenance"] = Provenance::of_program(&state_digest(engine));
        summary
    }
}

/// The columns of the engine and of observables, each of another name, as are observables.
fn columns<const D: usize>(
    engine: &dyn Engine<D>,
    observables: &[Box<dyn Observable<D>>],
) -> Result<Vec<String>, Error> {
    let mut columns: Vec<String> = engine.quantities().names().map(str::to_owned).collect();
    for column in observables.iter().flat_map(|observable| observable.columns()) {
        if columns.contains(&column) {
            let (value, rule) = (format!("{column:?}"), "another column has that name");
            let what = "the column of an observable";
            return Err(carom_simulate::Error::Setting { what, value, rule }.into());
        }
        columns.push(column);
    }
    let mut names: Vec<&str> = Vec::new();
    for name in observables.iter().map(|observable| observable.name()) {
        if names.contains(&name) {
            let (value, rule) = (format!("{name:?}"), "another one has that name");
            let what = "the observable";
            return Err(carom_simulate::Error::Setting { what, value, rule }.into());
        }
        names.push(name);
    }
    check_log_columns(&columns)?;
    Ok(columns)
}

/// All bodies of an engine now; in periodic directions inside the box.
fn frame<const D: usize>(engine: &dyn Engine<D>, number: u64, contacts: bool) -> Frame<D> {
    let (state, boundary, values) = (engine.state(), engine.boundary(), engine.quantities());
    let step = ["steps", "collisions"].into_iter().find_map(|name| values.number(name));
    let angular_velocities = &state.angular_velocities;
    let axes = if D == 2 { 2..3 } else { 0..3 };
    let names = if D == 2 {
        &["angular_velocity"][..]
    } else {
        &["angular_velocity_x", "angular_velocity_y", "angular_velocity_z"]
    };
    let column = |(axis, name): (usize, &&str)| {
        ((*name).to_owned(), angular_velocities.iter().map(|velocity| velocity[axis]).collect())
    };
    let columns = if angular_velocities.is_empty() {
        Vec::new()
    } else {
        axes.zip(names).map(column).collect()
    };
    let touching = contacts.then(|| {
        let contacts = engine.contacts();
        contacts.iter().filter_map(|it| FrameContact::of(it, &state, &boundary)).collect()
    });
    Frame {
        time: state.time,
        step: step.unwrap_or(0.0) as u64,
        number,
        region: std::array::from_fn(|axis| match boundary.period(axis) {
            Some(period) => AxisExtent::Periodic(period),
            None => AxisExtent::Open,
        }),
        positions: state.positions.iter().map(|place| boundary.wrap(*place)).collect(),
        velocities: state.velocities,
        radii: state.radii,
        masses: Some(state.masses),
        materials: Some(state.materials),
        shapes: None,
        springs: None,
        contacts: touching,
        walls: None,
        ids: Some(state.ids),
        color_by: None,
        columns,
    }
}

/// A digest of everything that the rest of the simulation depends on, in sixteen hexadecimal digits.
fn state_digest<const D: usize>(engine: &dyn Engine<D>) -> String {
    let mut state = Checkpoint::new(engine.name(), D, 0);
    engine.save(&mut state.arrays);
    format!("{:016x}", digest(&state.encode()))
}

#[cfg(test)]
mod tests;
