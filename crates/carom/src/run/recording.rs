//! Log, frames and summary of an engine that a program has built and drives, without a scene.

use super::results_folder::{check_table, file_name, write_table};
use super::run_loop::sample;
use super::{Error, FolderLock, Provenance, RunFolder};
use carom_geometry::Vector;
use carom_io::{
    AxisExtent, Frame, FrameContact, FrameFormat, FrameSeries, LogFile, check_log_columns, digest,
    write_atomically,
};
use carom_simulate::observe::Observable;
use carom_simulate::{Engine, State, Value};
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
}

/// Writes what an engine does into a folder: `log.csv` with the quantities of the engine and of observables, `frames/`,
/// and at the end `summary.json` and the tables of observables.
///
/// It is for engines that a program builds in code. There is no checkpoint, and without a scene the folder is no run of
/// the program `carom`: read the log by [`LogTable`](carom_io::LogTable) and frames by
/// [`recorded_frames`](carom_io::recorded_frames), or open them with other tools.
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
    lock: FolderLock,
    log: LogFile,
    columns: Vec<String>,
    frames: FrameSeries,
    observables: Vec<Box<dyn Observable<D>>>,
    /// Time from which rows and frames are counted.
    origin: f64,
    rows: SeriesProgress,
    frame_series: SeriesProgress,
    started: Instant,
}

/// Progress of a series of rows or frames.
#[derive(Default)]
struct SeriesProgress {
    /// Number of the next one that is due, from zero.
    due: u64,
    /// Number of those written; more than are due if the end of the run is between two of them.
    written: u64,
    /// Time of the last one, so that the end does not write it twice.
    last_time: Option<f64>,
}

impl SeriesProgress {
    /// Returns the time of the next one; a product, as a sum of intervals would drift.
    fn next_due(&self, origin: f64, interval: f64) -> f64 {
        origin + self.due as f64 * interval
    }
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
        check_interval("the interval of rows", settings.log_interval)?;
        settings
            .frame_interval
            .map_or(Ok(()), |it| check_interval("the interval of frames", it))?;
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
            lock,
            columns,
            observables,
            origin: engine.time(),
            rows: SeriesProgress::default(),
            frame_series: SeriesProgress::default(),
            started: Instant::now(),
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
            let next = self.next_due().min(until);
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

    fn next_due(&self) -> f64 {
        let row = self.rows.next_due(self.origin, self.settings.log_interval);
        let interval = self.settings.frame_interval;
        let frame = interval.map(|interval| self.frame_series.next_due(self.origin, interval));
        row.min(frame.unwrap_or(f64::INFINITY))
    }

    /// Writes what is due up to a time, to which the engine has advanced but for a time step.
    fn emit(&mut self, engine: &dyn Engine<D>, time: f64) -> Result<(), Error> {
        if self.rows.next_due(self.origin, self.settings.log_interval) <= time {
            self.rows.due += 1;
            self.write_row(engine)?;
        }
        let interval = self.settings.frame_interval;
        if interval.is_some_and(|it| self.frame_series.next_due(self.origin, it) <= time) {
            self.frame_series.due += 1;
            self.write_frame(engine)?;
        }
        Ok(())
    }

    fn write_row(&mut self, engine: &dyn Engine<D>) -> Result<(), Error> {
        if self.rows.last_time.replace(engine.time()) == Some(engine.time()) {
            return Ok(());
        }
        let mut row = engine.quantities();
        let sample = sample(engine, self.rows.written);
        for observable in &mut self.observables {
            let (columns, values) = (observable.columns(), observable.sample(&sample));
            columns.into_iter().zip(values).for_each(|(column, value)| row.push(column, value));
        }
        // Quantities that the engine did not have at the start have no column.
        let value = |name: &String| row.get(name).unwrap_or(Value::Number(f64::NAN));
        self.log.append(&self.columns.iter().map(value).collect::<Vec<_>>())?;
        self.rows.written += 1;
        Ok(())
    }

    fn write_frame(&mut self, engine: &dyn Engine<D>) -> Result<(), Error> {
        let now = engine.time();
        if self.settings.frame_interval.is_none()
            || self.frame_series.last_time.replace(now) == Some(now)
        {
            return Ok(());
        }
        self.frames.write(&frame(engine, self.frame_series.written, self.settings.contacts))?;
        self.frame_series.written += 1;
        Ok(())
    }

    /// Writes the tables of observables and returns the names of their files.
    fn write_tables(&self, engine: &dyn Engine<D>) -> Result<Vec<String>, Error> {
        let mut files = Vec::new();
        for observable in &self.observables {
            if let Some(table) = observable.table(&sample(engine, self.rows.written)) {
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
            values.append(observable.summary(&sample(engine, self.rows.written)));
        }
        let mut summary = json!({ "engine": engine.name(), "dimension": D, "tables": tables });
        for (name, value) in values.iter() {
            summary[name] = match value {
                Value::Number(number) => number.into(),
                Value::Count(count) => count.into(),
            };
        }
        summary["seconds"] = json!({ "running": self.started.elapsed().as_secs_f64() });
        summary["provenance"] = Provenance::of_program(&state_digest(&engine.state()));
        summary
    }
}

fn check_interval(what: &'static str, interval: f64) -> Result<(), Error> {
    if interval > 0.0 && interval.is_finite() {
        return Ok(());
    }
    let (value, rule) = (interval.to_string(), "it must be greater than zero and finite");
    Err(carom_simulate::Error::Setting { what, value, rule }.into())
}

/// The columns of the engine and of observables, each of another name.
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

/// A digest of all arrays of a state, in sixteen hexadecimal digits.
fn state_digest<const D: usize>(state: &State<D>) -> String {
    fn numbers<const N: usize>(vectors: &[Vector<N>]) -> impl Iterator<Item = f64> {
        vectors.iter().flat_map(|vector| vector.iter().copied())
    }
    let turned = state.orientations.iter().flat_map(|velocity| velocity.coords.iter().copied());
    let all = [state.time]
        .into_iter()
        .chain(numbers(&state.positions))
        .chain(numbers(&state.velocities))
        .chain(numbers(&state.angular_velocities))
        .chain(turned)
        .chain(state.radii.iter().copied())
        .chain(state.masses.iter().copied());
    let mut bytes: Vec<u8> = all.flat_map(|number| number.to_bits().to_le_bytes()).collect();
    bytes.extend(state.ids.iter().chain(&state.materials).flat_map(|it| it.to_le_bytes()));
    format!("{:016x}", digest(&bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Run;
    use carom_io::{LogTable, recorded_frames};
    use carom_scene::scene::AnyScene;
    use carom_simulate::observe::MeanSquareDisplacement;
    use std::path::Path;

    const MOVING: &str = "dimension = 2\nuntil = 9\nbox.size = 9\n[[bodies]]\nposition = [4, 4]\n\
        velocity = [1, 0]\nradius = 0.5\n[[bodies]]\nposition = [2, 7]\nradius = 0.5\n";
    const SOLID: &str = "dimension = 2\nuntil = 9\nbox = { size = 9, boundary = 'open' }\n\
        materials.default = { density = 1, youngs_modulus = 9 }\n\
        [[solids]]\ncircle = { center = [4, 4], radius = 1 }\nspacing = 0.5\nvelocity = [1, 0]\n";

    fn run(engine: &str) -> Run<2> {
        let body = if engine == "bonded" { SOLID } else { MOVING };
        let text = format!("engine = '{engine}'\n{body}");
        match AnyScene::parse(&text, "a.toml", "".as_ref(), &[]).unwrap() {
            AnyScene::TwoD(scene) => Run::new(&scene).unwrap(),
            AnyScene::ThreeD(_) => unreachable!("it is of the plane"),
        }
    }

    fn record(engine: &mut dyn Engine<2>, folder: &Path, stops: &[f64]) -> serde_json::Value {
        let settings = RecordingSettings {
            contacts: true,
            ..RecordingSettings::log_every(0.25).frames_every(0.5)
        };
        let moved: Box<dyn Observable<2>> = Box::new(MeanSquareDisplacement::default());
        let mut recording = Recording::begin(settings, folder, engine, vec![moved]).unwrap();
        stops.iter().for_each(|&stop| recording.advance(engine, stop).unwrap());
        recording.finish(engine).unwrap()
    }

    #[test]
    fn every_engine_is_recorded_alike_wherever_it_pauses() {
        for engine in ["event-driven", "dem", "bonded"] {
            let parent = tempfile::tempdir().unwrap();
            let [whole, pieces] = ["whole", "pieces"].map(|name| parent.path().join(name));
            let summary = record(run(engine).engine_mut(), &whole, &[1.0]);
            record(run(engine).engine_mut(), &pieces, &[0.1, 0.25, 0.6, 0.6, 1.0]);
            let log = LogTable::read(&whole).unwrap();
            let times = log.column("time").unwrap();
            assert_eq!((times.len(), recorded_frames(&whole).unwrap().len()), (5, 3), "{times:?}");
            for (number, time) in times.iter().enumerate() {
                assert!((time - 0.25 * number as f64).abs() < 0.05, "{engine}: {times:?}");
            }
            let moved = log.column("mean_square_displacement").unwrap();
            assert!(moved[0] == 0.0 && moved[4] > 0.4, "{engine}: {moved:?}");
            assert_eq!(summary["engine"], engine);
            assert_eq!(summary["provenance"]["final_state"].as_str().unwrap().len(), 16);
            let last = recorded_frames(&whole).unwrap()[2].read(&[]).unwrap();
            let state_x = last.positions[0].x;
            assert!((2.9..5.1).contains(&state_x), "{engine}: {state_x}");
            if engine != "bonded" {
                // Its time step may be shortened where it pauses.
                let read = |folder: &Path| std::fs::read(folder.join("log.csv")).unwrap();
                assert_eq!(read(&whole), read(&pieces), "{engine}");
            }
        }
    }

    #[test]
    fn what_cannot_be_recorded_is_refused_and_nothing_is_written() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("a");
        let mut run = run("dem");
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            for settings in [
                RecordingSettings::log_every(bad),
                RecordingSettings::log_every(1.0).frames_every(bad),
            ] {
                let refused = Recording::begin(settings, &folder, run.engine(), Vec::new());
                let sentence = refused.err().unwrap().to_string();
                assert!(sentence.contains("must be greater than zero and finite"), "{sentence}");
            }
        }
        let settings = || RecordingSettings::log_every(1.0);
        let twice = || -> Box<dyn Observable<2>> { Box::new(MeanSquareDisplacement::default()) };
        let refused = Recording::begin(settings(), &folder, run.engine(), vec![twice(), twice()]);
        assert!(refused.err().unwrap().to_string().contains("another column has that name"));
        assert!(!folder.exists());
        let mut recording =
            Recording::begin(settings(), &folder, run.engine(), Vec::new()).unwrap();
        let in_use = Recording::begin(settings(), &folder, run.engine(), Vec::new());
        assert!(in_use.is_err());
        assert!(recording.advance(run.engine_mut(), f64::NAN).is_err());
        recording.finish(run.engine()).unwrap();
        let taken = Recording::begin(settings(), &folder, run.engine(), Vec::new());
        assert!(taken.err().unwrap().to_string().contains("has a file log.csv"));
    }
}
