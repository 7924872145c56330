//! Checkpoints of a recording, and how it continues from one.

use super::{Recording, RecordingProgress, RecordingSettings, columns};
use crate::run::output_schedule::OutputOrigin;
use crate::run::resumable::{self, OBSERVABLE, put_observables, take_named, unfit_state};
use crate::run::{Error, Provenance, RunFolder};
use carom_io::{Checkpoint, FrameSeries, LogFile, digest};
use carom_simulate::observe::Observable;
use carom_simulate::{Engine, Error as EngineError, SavedArrays};
use std::path::PathBuf;
use std::time::Instant;

impl<const D: usize> Recording<D> {
    /// Writes what [`Recording::resume`] needs to continue from here, with the present state of the engine; the last
    /// checkpoint is kept as the previous one.
    pub fn write_checkpoint(&self, engine: &dyn Engine<D>) -> Result<(), Error> {
        // Rows and frames that the checkpoint counts must survive a crash of the machine.
        self.log.sync()?;
        self.frames.write_index()?;
        let mut checkpoint = Checkpoint::new(engine.name(), D, no_scene());
        checkpoint.writer = Provenance::program();
        engine.save(&mut checkpoint.arrays);
        checkpoint.put_f64("intervals", intervals(&self.settings));
        self.progress.put_into(&mut checkpoint.arrays);
        put_observables(&mut checkpoint.arrays, &self.observables);
        self.lock.write_checkpoint(&checkpoint)
    }

    /// Continues from the last checkpoint in a folder, to the bytes of a recording that was never cut: log and frames are cut
    /// back to the checkpoint, and the engine, which must be of the same settings, takes over its
    /// [state](Engine::restore).
    ///
    /// Observables are new ones of the kinds of the start; formats may differ. What a program has added to an engine as a function
    /// it adds again.
    ///
    /// Errors, with engine and folder as they were, if there is no checkpoint, if it is of a run of a scene, if intervals or
    /// observables differ, if frames are missing, or if the state does not fit the engine; and, when the engine
    /// has taken over the state, if the log lacks rows or has other columns.
    ///
    /// ```
    /// use carom::run::{Recording, RecordingSettings};
    /// use carom::simulate::dem::{Body, CompositeLaw, Settings, Simulation};
    /// # let parent = std::env::temp_dir().join(format!("carom-resumed-{}", std::process::id()));
    /// # let folder = parent.join("grain");
    /// let body = Body { velocity: [1.0, 0.0].into(), ..Body::at_rest([0.0, 0.0], 0.5, 1.0) };
    /// let settings = Settings::with_law(CompositeLaw::spring(1e4));
    /// let mut grain = Simulation::new(&[body], settings.clone())?;
    /// let each = || RecordingSettings::log_every(0.25);
    /// let mut recording = Recording::begin(each(), &folder, &grain, Vec::new())?;
    /// recording.advance(&mut grain, 1.0)?;
    /// recording.write_checkpoint(&grain)?;
    /// drop(recording);
    ///
    /// let mut again = Simulation::new(&[body], settings)?;
    /// let mut recording = Recording::resume(each(), &folder, &mut again, Vec::new())?;
    /// recording.advance(&mut again, 2.0)?;
    /// assert!((again.body(0).position.x - 2.0).abs() < 0.01);
    /// recording.finish(&again)?;
    /// # std::fs::remove_dir_all(parent)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn resume(
        settings: RecordingSettings,
        folder: impl Into<PathBuf>,
        engine: &mut dyn Engine<D>,
        mut observables: Vec<Box<dyn Observable<D>>>,
    ) -> Result<Self, Error> {
        let schedule = settings.schedule()?;
        let columns = columns(engine, &observables)?;
        let folder = RunFolder::new(folder);
        folder.check_resumable()?;
        let lock = folder.lock()?;
        let mut warnings = Vec::new();
        let mut checkpoint = folder.last_checkpoint(|line| warnings.push(line.to_owned()))?;
        if checkpoint.scene_digest != no_scene() {
            let reason = "it is of the run of a scene, and no recording".to_owned();
            return Err(resumable::unfit(&checkpoint, reason));
        }
        let progress = take_progress(&mut checkpoint.arrays, &settings, &mut observables);
        let progress = progress.map_err(|error| unfit_state(&checkpoint, error))?;
        FrameSeries::check(folder.path(), &settings.formats, &progress.frame_times)?;
        let restored = engine.restore(&mut checkpoint.arrays);
        restored.map_err(|error| unfit_state(&checkpoint, error))?;
        let names: Vec<&str> = columns.iter().map(String::as_str).collect();
        let log = LogFile::resume(&folder.file("log.csv"), &names, progress.rows)?;
        let frames = FrameSeries::resume(folder.path(), &settings.formats, &progress.frame_times)?;
        lock.remove_leftovers();
        lock.remove_final_files()?;
        let started = Instant::now();
        Ok(Recording {
            settings,
            schedule,
            lock,
            log,
            columns,
            frames,
            observables,
            started,
            progress,
            warnings,
        })
    }

    /// Warnings of [`resume`](Self::resume), in sentences: that the last checkpoint was damaged, and the one before it
    /// was taken.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// Takes out how far the recording was, and gives observables back what they have to remember.
fn take_progress<const D: usize>(
    arrays: &mut SavedArrays,
    settings: &RecordingSettings,
    observables: &mut [Box<dyn Observable<D>>],
) -> Result<RecordingProgress, EngineError> {
    check_intervals(&arrays.take_f64("intervals", 2)?, intervals(settings))?;
    let progress = RecordingProgress::take_from(arrays)?;
    restore_observables(arrays, observables)?;
    Ok(progress)
}

/// What stands for the digest of a scene in checkpoints of recordings, so that no run of a scene continues from one.
fn no_scene() -> u64 {
    digest(b"recording of an engine without a scene")
}

fn unfit(reason: String) -> EngineError {
    EngineError::Saved(reason)
}

/// Intervals of rows and of frames; zero for no frames.
fn intervals(settings: &RecordingSettings) -> [f64; 2] {
    [settings.log_interval, settings.frame_interval.unwrap_or(0.0)]
}

fn check_intervals(saved: &[f64], now: [f64; 2]) -> Result<(), EngineError> {
    match *saved == now {
        true => Ok(()),
        false => {
            let intervals = format!("it has intervals of {saved:?} for rows and frames");
            Err(unfit(format!("{intervals}, and the settings have {now:?}")))
        }
    }
}

/// Gives observables back what they have to remember.
fn restore_observables<const D: usize>(
    arrays: &mut SavedArrays,
    observables: &mut [Box<dyn Observable<D>>],
) -> Result<(), EngineError> {
    let mut saved = take_named(arrays, OBSERVABLE)?;
    for observable in observables {
        let name = observable.name().to_owned();
        let Some(place) = saved.iter().position(|(other, _)| *other == name) else {
            return Err(unfit(format!("it is of a recording without the observable {name:?}")));
        };
        let refused = |reason| unfit(format!("of the observable {name:?}, {reason}"));
        observable.restore(&saved.remove(place).1).map_err(refused)?;
    }
    match saved.first() {
        None => Ok(()),
        Some((name, _)) => {
            let observable = format!("it is of a recording with the observable {name:?}");
            Err(unfit(format!("{observable}, which must be added again")))
        }
    }
}

impl RecordingProgress {
    fn put_into(&self, arrays: &mut SavedArrays) {
        let (row, frame) = (self.next_row, self.next_frame);
        arrays.put_u64("recorded", [self.rows, row, frame]);
        arrays.put_f64("last_row", self.last_row.as_slice());
        arrays.put_f64("frame_times", self.frame_times.clone());
        self.origin.put_into(arrays);
    }

    fn take_from(arrays: &mut SavedArrays) -> Result<Self, EngineError> {
        let recorded = arrays.take_u64("recorded", 3)?;
        let last_rows = arrays.count("last_row").unwrap_or(0);
        let frames = arrays.count("frame_times").unwrap_or(0);
        let progress = RecordingProgress {
            rows: recorded[0],
            next_row: recorded[1],
            next_frame: recorded[2],
            last_row: arrays.take_numbers("last_row", last_rows)?.first().copied(),
            frame_times: arrays.take_numbers("frame_times", frames)?,
            origin: OutputOrigin::take_from(arrays)?,
        };
        let is_consistent = progress.rows > 0
            && progress.rows <= progress.next_row
            && progress.origin.row <= progress.next_row
            && progress.origin.frame <= progress.next_frame
            && progress.frame_times.len() as u64 <= progress.next_frame
            && progress.origin.time.is_finite();
        match is_consistent {
            true => Ok(progress),
            false => Err(unfit("its numbers of rows and frames are invalid".to_owned())),
        }
    }
}
