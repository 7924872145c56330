//! The folder of a sweep: the table, notes of failed runs, and plots, beside the folders of the runs.

use super::Error;
use super::plan::{Plan, PlannedRun};
use super::table::{SweepResults, SweepRow, SweepRunState, SweepTable};
use crate::run::{
    RunFolder, RunState, SWEEP_LOCK as LOCK, SWEEP_TABLE as TABLE, remove_partial_files,
};
use carom_io::{is_results_file, read_results_file, write_atomically};
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of a table that are looked at, and longest note of a failure.
const LONGEST_NOTE: u64 = 1 << 20;
/// Least time between two writes of the table while runs end.
const TABLE_INTERVAL: Duration = Duration::from_secs(1);
/// Time that another program may take to write the table; after it the table is written nevertheless.
const LONGEST_WRITE: Duration = Duration::from_secs(5);

/// Time after which nobody writes a temporary file any more.
const LONGEST_PARTIAL: Duration = Duration::from_secs(600);

/// The folder of a sweep with its table.
pub(super) struct SweepFolder<'a> {
    path: PathBuf,
    plan: &'a Plan,
    table: SweepTable,
    /// When the table may be written again.
    next_write: Instant,
}

/// Returns an error if something else has the name of the folder or of its table, or if the folder is that of a run.
pub(super) fn check(path: &Path) -> Result<(), Error> {
    let folder = RunFolder::new(path);
    folder.check_folder()?;
    if !is_results_file(path, TABLE)? {
        return match folder.holds_run() {
            true => Err(Error::OfRun { folder: path.display().to_string() }),
            false => Ok(()),
        };
    }
    let start = read_results_file(path, TABLE, LONGEST_NOTE)?;
    match SweepTable::is_one(&String::from_utf8_lossy(&start)) {
        true => Ok(()),
        false => Err(Error::OtherTable { file: path.join(TABLE).display().to_string() }),
    }
}

/// Returns an error if the table in the folder is that of another scene.
pub(super) fn check_scene_of_table(path: &Path, plan: &Plan) -> Result<(), Error> {
    if !is_results_file(path, TABLE)? {
        return Ok(());
    }
    let text = read_results_file(path, TABLE, LONGEST_NOTE)?;
    let text = String::from_utf8_lossy(&text);
    let (keys, folders) = SweepTable::keys_and_folders(&text);
    let own: HashSet<&str> = plan.runs.iter().map(|run| run.name.as_str()).collect();
    // Runs of the plan have been compared. All others have one scene, apart from the settings.
    let others = folders.into_iter().filter(|name| !own.contains(name));
    let others = others.filter(|name| Path::new(name).file_name() == Some(OsStr::new(name)));
    let mut others = others.map(|name| RunFolder::new(path.join(name)));
    let found = others.find_map(|folder| folder.scene_text().map(|text| (folder, text)));
    let Some((folder, text)) = found else { return Ok(()) };
    match plan.difference(&text, &keys)? {
        Some(difference) => Err(Error::other_scene(&folder, Some(difference))),
        None => Ok(()),
    }
}

impl<'a> SweepFolder<'a> {
    /// Reads what is there of the runs of a plan.
    pub fn read(path: &Path, plan: &'a Plan) -> Result<Self, Error> {
        let rows =
            plan.runs.iter().map(|run| row(path, run, &run.state)).collect::<Result<_, _>>()?;
        let table = SweepTable { keys: plan.keys.clone(), rows };
        Ok(SweepFolder { path: path.to_owned(), plan, table, next_write: Instant::now() })
    }

    /// Creates the folder, and removes temporary files that a kill has left.
    pub fn create(&self) -> Result<(), Error> {
        fs::create_dir_all(&self.path)
            .map_err(|source| carom_io::Error::cannot_write(&self.path, source))?;
        // Those of other programs that write into the folder now are younger.
        remove_partial_files(&self.path, LONGEST_PARTIAL);
        Ok(())
    }

    /// Records how a run stands now, with a note of its failure beside its folder.
    pub fn record(&mut self, run: usize, state: SweepRunState) -> Result<(), Error> {
        let planned = &self.plan.runs[run];
        let note = note_name(planned);
        match &state {
            SweepRunState::Failed { failure } => self.write(&note, &format!("{failure}\n"))?,
            _ => self.remove(&note)?,
        }
        self.table.rows[run].results = match state {
            SweepRunState::Finished => results(planned)?,
            _ => None,
        };
        self.table.rows[run].state = state;
        Ok(())
    }

    /// Looks again at the runs that other programs may have run meanwhile.
    pub fn look_again(&mut self, is_own: impl Fn(usize) -> bool) -> Result<(), Error> {
        for (number, known) in self.table.rows.iter_mut().enumerate() {
            if is_own(number) && known.state != SweepRunState::Running
                || known.state == SweepRunState::Finished
            {
                continue;
            }
            let run = &self.plan.runs[number];
            let state = match run.folder.path().exists() {
                true => self.plan.state_of(run)?,
                false => RunState::Absent,
            };
            *known = row(&self.path, run, &state)?;
        }
        Ok(())
    }

    /// Writes the table if it was not written a moment ago.
    pub fn write_table_if_due(&mut self) -> Result<(), Error> {
        if Instant::now() < self.next_write { Ok(()) } else { self.write_table() }
    }

    /// Writes the table.
    pub fn write_table(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        self.write(TABLE, &self.table.csv())?;
        // A table of very many runs takes a while.
        self.next_write = Instant::now() + TABLE_INTERVAL.max(10 * start.elapsed());
        Ok(())
    }

    /// Writes the table with all that is there now: of programs that end at the same time, the last one has all runs.
    pub fn write_last_table(&mut self, is_own: impl Fn(usize) -> bool) -> Result<(), Error> {
        let path = self.path.join(LOCK);
        is_results_file(&self.path, LOCK)?;
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let lock = lock.map_err(|source| carom_io::Error::cannot_write(&path, source))?;
        let start = Instant::now();
        while matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
            && start.elapsed() < LONGEST_WRITE
        {
            thread::sleep(Duration::from_millis(20));
        }
        self.look_again(is_own)?;
        self.remove_old_notes()?;
        self.write_table()
    }

    /// Removes the notes of runs that have succeeded since, in this sweep or otherwise.
    fn remove_old_notes(&self) -> Result<(), Error> {
        let runs = self.plan.runs.iter().zip(&self.table.rows);
        let mut finished = runs.filter(|(_, row)| row.state == SweepRunState::Finished);
        finished.try_for_each(|(run, _)| self.remove(&note_name(run)))
    }

    /// Removes a file of the folder, if it is there.
    fn remove(&self, name: &str) -> Result<(), Error> {
        if !is_results_file(&self.path, name)? {
            return Ok(());
        }
        let file = self.path.join(name);
        Ok(fs::remove_file(&file).map_err(|source| carom_io::Error::cannot_write(&file, source))?)
    }

    /// Writes a file of the folder, but never through a symbolic link out of it.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Error> {
        is_results_file(&self.path, name)?;
        Ok(write_atomically(&self.path.join(name), |out| out.write_all(text.as_bytes()))?)
    }

    /// Returns an error if a file of this name is there that no sweep has written.
    pub fn check_plot(&self, name: &str) -> Result<(), Error> {
        let file = self.file(name);
        match !is_results_file(&self.path, TABLE)? && file.symlink_metadata().is_ok() {
            true => Err(Error::OtherPlot { file: file.display().to_string() }),
            false => Ok(()),
        }
    }

    /// Returns the path of a file of the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    pub fn table(&self) -> &SweepTable {
        &self.table
    }

    pub fn into_table(self) -> SweepTable {
        self.table
    }
}

/// The name of the note of a run that failed.
fn note_name(run: &PlannedRun) -> String {
    format!("{}.failed", run.name)
}

/// Returns the row of a run as its folder says.
fn row(folder: &Path, run: &PlannedRun, state: &RunState) -> Result<SweepRow, Error> {
    let results = match state {
        RunState::Finished => results(run)?,
        _ => None,
    };
    let failure = match is_results_file(folder, note_name(run))? {
        true => Some(read_results_file(folder, note_name(run), LONGEST_NOTE)?),
        false => None,
    };
    let failure = failure.map(|text| String::from_utf8_lossy(&text).trim().to_owned());
    let state = match (failure, state) {
        _ if results.is_some() => SweepRunState::Finished,
        (Some(failure), _) => SweepRunState::Failed { failure },
        _ if run.folder.is_in_use() => SweepRunState::Running,
        (None, RunState::Cut) => SweepRunState::Stopped,
        _ => SweepRunState::Missing,
    };
    let settings = run.point.settings.iter().map(|(_, value)| value.clone()).collect();
    Ok(SweepRow { settings, folder: run.name.clone(), state, results })
}

fn results(run: &PlannedRun) -> Result<Option<SweepResults>, Error> {
    Ok(run.folder.summary()?.as_ref().map(SweepResults::of_summary))
}
