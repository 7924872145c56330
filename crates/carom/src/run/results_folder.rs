//! The sink that writes a folder of results.

use super::provenance::Launch;
use super::run_folder::FolderLock;
use super::{
    Control, Ending, Error, Provenance, Run, RunFolder, RunProgress, Sink, Summary, Timing,
};
use carom_io::{
    Checkpoint, Frame, FrameSeries, LogFile, check_log_columns, count_with_noun, excerpt,
    write_atomically,
};
use carom_scene::Scene;
use carom_scene::scene::copy_inputs;
use carom_simulate::Values;
use carom_simulate::observe::ObservableTable;
use std::time::Instant;

/// Section of a checkpoint for the number of log rows that are in another folder.
const ROWS_ELSEWHERE: &str = "rows_elsewhere";

/// Number of log rows counted by a checkpoint that are not in its folder, because the run was continued from another
/// one.
pub(super) fn rows_elsewhere(checkpoint: &mut Checkpoint) -> Result<u64, Error> {
    match checkpoint.count(ROWS_ELSEWHERE) {
        None => Ok(0),
        Some(_) => Ok(checkpoint.take_u64(ROWS_ELSEWHERE, 1)?[0]),
    }
}

/// Writes a run into a folder: `scene.toml` (as run), `inputs/` (copies of the files that the scene names), `log.csv`,
/// `frames/`, `checkpoint.bin`, `checkpoint.previous.bin`, `summary.json`, `picture.png` of the end and, if asked for,
/// `radial_distribution.csv` and other tables of observables.
///
/// When a run is resumed, log and frames are cut back to the checkpoint, so that a kill at any moment costs no more
/// than the time since the last checkpoint.
pub struct ResultsFolder<'a, const D: usize> {
    folder_lock: FolderLock,
    scene: &'a Scene<D>,
    rows_elsewhere: u64,
    log: LogFile,
    frames: FrameSeries,
    progress_callback: Box<dyn FnMut(&RunProgress) -> Control + Send + 'a>,
    timing: Timing,
    started: Instant,
    last_checkpoint: Instant,
    warning_callback: Box<dyn FnMut(&str) + Send + 'a>,
    summary: Option<Summary>,
}

impl<'a, const D: usize> ResultsFolder<'a, D> {
    /// Prepares the folder for a run, new or resumed. Returns an error if its log or frames do not fit to the run.
    pub(super) fn new(
        lock: FolderLock,
        scene: &'a Scene<D>,
        run: &Run<D>,
        launch: Launch,
    ) -> Result<Self, Error> {
        let started = Instant::now();
        let Launch { initialization, rows_elsewhere, .. } = launch;
        let folder = lock.folder();
        let (log, columns) = (folder.file("log.csv"), run.columns());
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let log = match run.rows().saturating_sub(rows_elsewhere) {
            0 => LogFile::create(&log, &columns)?,
            rows => {
                // Earlier frames may all be in another folder.
                let formats: &[_] = if rows_elsewhere > 0 { &[] } else { &scene.output.formats };
                FrameSeries::check(folder.path(), formats, run.frame_times())?;
                LogFile::resume(&log, &columns, rows)?
            }
        };
        let output = &scene.output;
        let frames = FrameSeries::resume(folder.path(), &output.formats, run.frame_times())?
            .with_columns(output.columns.clone())
            .compressed(output.compression);
        // Nothing is removed before this point: a refused resume leaves the folder as it was.
        lock.remove_leftovers();
        // These belong to an earlier end; a run that is stopped before the next one has none.
        lock.remove_final_files()?;
        let text = Provenance::of(scene).signed(&copy_inputs(&run.as_run(scene), folder.path())?);
        write_atomically(&folder.file("scene.toml"), |out| out.write_all(text.as_bytes()))?;
        let timing = Timing { initialization, output: started.elapsed(), ..Timing::default() };
        Ok(ResultsFolder {
            folder_lock: lock,
            scene,
            rows_elsewhere,
            log,
            frames,
            progress_callback: Box::new(|_| Control::Continue),
            warning_callback: Box::new(|_| {}),
            timing,
            started,
            last_checkpoint: started,
            summary: None,
        })
    }

    /// Sets a callback for progress bars, signals and time limits; it controls how the run continues.
    pub fn watched_by(mut self, watch: impl FnMut(&RunProgress) -> Control + Send + 'a) -> Self {
        self.progress_callback = Box::new(watch);
        self
    }

    /// Sets a callback for warnings, which are sentences.
    pub fn warned_by(mut self, warn: impl FnMut(&str) + Send + 'a) -> Self {
        self.warning_callback = Box::new(warn);
        self
    }

    /// The summary of the run, once it has ended.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// Calls `write` and counts its time as output.
    fn output(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        let start = Instant::now();
        let result = write(self);
        self.timing.output += start.elapsed();
        result
    }

    fn write_final_files(&self, run: &Run<D>) -> Result<(), Error> {
        if self.scene.output.picture {
            let image = carom_render::png(&run.frame(), None)?;
            write_atomically(&self.folder_lock.folder().file("picture.png"), |out| {
                out.write_all(&image)
            })?;
        }
        let tables = run.tables();
        // One that cannot be written does not cost the others.
        let (tables, refused): (Vec<_>, Vec<_>) =
            tables.into_iter().partition(|(name, table)| check_table(name, table).is_ok());
        for (name, table) in tables {
            write_table(self.folder_lock.folder(), &name, &table)?;
        }
        refused.iter().try_for_each(|(name, table)| check_table(name, table))
    }

    /// Writes the summary; `is_complete` says whether everything else that the end of a run writes is there.
    fn write_summary(
        &mut self,
        run: &Run<D>,
        ending: Ending,
        is_complete: bool,
    ) -> Result<(), Error> {
        let other = self.timing.output + self.timing.measuring;
        self.timing.running = self.started.elapsed().saturating_sub(other);
        let summary = run.summary(ending, self.timing);
        let mut json = summary.json();
        if !is_complete {
            json["finished"] = false.into();
        }
        if ending != Ending::Stopped {
            json["tables"] = run.tables().into_iter().map(|(name, _)| file_name(&name)).collect();
        }
        let mut text =
            serde_json::to_string_pretty(&json).expect("a summary is a tree of numbers and texts");
        text.push('\n');
        write_atomically(&self.folder_lock.folder().file("summary.json"), |out| {
            out.write_all(text.as_bytes())
        })?;
        self.summary = Some(summary);
        Ok(())
    }
}

/// The file of the table of an observable.
pub(super) fn file_name(observable: &str) -> String {
    format!("{observable}.csv")
}

/// Writes the table of an observable.
pub(super) fn write_table(
    folder: &RunFolder,
    observable: &str,
    table: &ObservableTable,
) -> Result<(), Error> {
    write_atomically(&folder.file(&file_name(observable)), |out| {
        writeln!(out, "{}", table.columns.join(","))?;
        table.rows.iter().try_for_each(|row| {
            let cells: Vec<String> = row.iter().map(f64::to_string).collect();
            writeln!(out, "{}", cells.join(","))
        })
    })?;
    Ok(())
}

/// Returns an error if the table of an observable cannot be written as CSV.
pub(super) fn check_table(observable: &str, table: &ObservableTable) -> Result<(), Error> {
    let file = file_name(observable);
    let refuse = |what: String, rule| {
        let value = format!("{observable:?} with {what} in its table {file}");
        Err(carom_simulate::Error::Setting { what: "the observable", value, rule }.into())
    };
    let columns = &table.columns;
    if columns.is_empty() {
        return refuse("no column".to_owned(), "a table must have one at least");
    }
    if let Some(column) = columns.iter().find(|name| check_log_columns(&[name]).is_err()) {
        let rule = "no name may be blank or hold a comma, a quote, a # or a control character";
        return refuse(format!("the column {}", excerpt::truncated(&format!("{column:?}"))), rule);
    }
    match table.rows.iter().position(|row| row.len() != columns.len()) {
        Some(index) => {
            let (row, values) = (index + 1, count_with_noun(table.rows[index].len(), "value"));
            let what = format!("{values} for {} columns in row {row}", columns.len());
            refuse(what, "every row must have a value for each column")
        }
        None => Ok(()),
    }
}

impl<const D: usize> Sink<D> for ResultsFolder<'_, D> {
    fn log(&mut self, row: &Values) -> Result<(), Error> {
        let values: Vec<_> = row.iter().map(|(_, value)| value).collect();
        self.output(|it| Ok(it.log.append(&values)?))
    }

    fn frame(&mut self, frame: &dyn Fn() -> Frame<D>) -> Result<(), Error> {
        if self.scene.output.formats.is_empty() {
            return Ok(());
        }
        self.output(|it| Ok(it.frames.write(&frame())?))
    }

    fn measure(&mut self, work: &mut dyn FnMut()) {
        let start = Instant::now();
        work();
        self.timing.measuring += start.elapsed();
    }

    fn progress(&mut self, progress: &RunProgress) -> Control {
        let control = (self.progress_callback)(progress);
        let due = self.last_checkpoint.elapsed() >= self.scene.output.checkpoint_interval;
        if control == Control::Continue && due { Control::Checkpoint } else { control }
    }

    fn checkpoint(&mut self, run: &Run<D>) -> Result<(), Error> {
        self.output(|it| {
            // The rows that the checkpoint counts must survive a crash of the machine, so the log is synced first.
            // Frames must be in the index, from which a resume sees whether one was lost.
            it.log.sync()?;
            it.frames.write_index()?;
            let mut checkpoint = run.checkpoint();
            checkpoint.writer = Provenance::program();
            if it.rows_elsewhere > 0 {
                checkpoint.put_u64(ROWS_ELSEWHERE, [it.rows_elsewhere]);
            }
            it.folder_lock.write_checkpoint(&checkpoint)?;
            it.last_checkpoint = Instant::now();
            Ok(())
        })
    }

    fn warn(&mut self, warning: &str) {
        (self.warning_callback)(warning);
    }

    fn end(&mut self, run: &Run<D>, ending: Ending) -> Result<(), Error> {
        self.output(|it| Ok(it.frames.write_index()?))?;
        let has_more =
            ending != Ending::Stopped && (self.scene.output.picture || !run.tables().is_empty());
        if has_more {
            // The summary first, so that a picture that cannot be drawn or written does not cost the numbers. It names the
            // tables, and a run that is killed before they are all written counts as unfinished.
            self.write_summary(run, ending, false)?;
            self.write_final_files(run)?;
        }
        self.write_summary(run, ending, true)
    }
}
