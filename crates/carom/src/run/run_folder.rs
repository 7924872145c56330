//! The files of a folder of results, and whether a run may begin or continue in it.

use super::{Error, FolderProblem};
use carom_io::{
    Checkpoint, CheckpointProblem, FrameSeries, is_results_file, open_results_file,
    open_results_file_with, read_results_file,
};
use carom_scene::Scene;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(super) const CHECKPOINT: &str = "checkpoint.bin";
/// The checkpoint before the last, in case that the last one is damaged.
pub(super) const PREVIOUS: &str = "checkpoint.previous.bin";
/// Files that only a run at its end has.
const FINAL_FILES: [&str; 2] = [SUMMARY, "picture.png"];
/// Files that a run writes beside its checkpoint.
const RESULT_FILES: [&str; 4] = ["scene.toml", "log.csv", SUMMARY, "picture.png"];
/// The summary, which names the tables that the end of a run has written.
const SUMMARY: &str = "summary.json";
/// Longest summary that is read, in bytes.
const LONGEST_SUMMARY: u64 = 1 << 30;
/// Longest `scene.toml` that is read, in bytes.
pub(super) const LONGEST_SCENE: u64 = 64 << 20;
/// The table of a sweep, in a folder that has those of its runs.
pub(crate) const SWEEP_TABLE: &str = "sweep.csv";
/// Empty file, locked while the table of a sweep is written.
pub(crate) const SWEEP_LOCK: &str = ".sweep.lock";
/// Empty file, locked as long as a run writes into the folder.
const LOCK: &str = ".carom.lock";

/// A folder for the results of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder(PathBuf);

impl RunFolder {
    /// Names the folder at a path, whether it exists or not.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        RunFolder(path.into())
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns an error if the folder has results already, or files that results would replace.
    pub fn check_free<const D: usize>(&self, scene: &Scene<D>) -> Result<(), Error> {
        self.check_folder()?;
        let path = self.file(CHECKPOINT);
        if !path.exists() {
            return self.check_no_results();
        }
        let fingerprint = scene.fingerprint();
        let same = Checkpoint::read(&path).is_ok_and(|found| found.scene_digest == fingerprint);
        if same {
            return Err(self.refused(FolderProblem::SameScene));
        }
        let difference = self.difference(scene).map_or(String::new(), |it| format!(": {it}"));
        Err(self.refused(FolderProblem::OtherScene { difference }))
    }

    /// Returns an error if the folder has files that results would replace.
    pub(super) fn check_no_results(&self) -> Result<(), Error> {
        self.check_folder()?;
        match self.result_files().next() {
            _ if self.file(CHECKPOINT).exists() => {
                Err(self.refused(FolderProblem::OtherScene { difference: String::new() }))
            }
            Some(name) => Err(self.refused(FolderProblem::Taken { name: name.to_owned() })),
            None if FrameSeries::exists_in(&self.0) => Err(self.refused(FolderProblem::Frames)),
            None => Ok(()),
        }
    }

    /// Difference of a scene from the one that was run here, if that is known.
    fn difference<const D: usize>(&self, scene: &Scene<D>) -> Option<String> {
        let text = read_results_file(&self.0, "scene.toml", LONGEST_SCENE).ok()?;
        scene.difference(&String::from_utf8(text).ok()?)
    }

    /// Names of the files in the folder that a run writes beside its checkpoint, or that are its previous checkpoint.
    pub(super) fn result_files(&self) -> impl Iterator<Item = &'static str> {
        let names = RESULT_FILES.into_iter().chain([PREVIOUS]);
        names.filter(|name| self.file(name).exists())
    }

    /// Whether there are results of a run.
    pub(crate) fn holds_run(&self) -> bool {
        [CHECKPOINT, PREVIOUS, SUMMARY].iter().any(|name| self.file(name).exists())
    }

    /// Returns an error if the folder is that of a sweep.
    pub(super) fn check_no_sweep(&self) -> Result<(), Error> {
        match [SWEEP_TABLE, SWEEP_LOCK].iter().any(|name| self.file(name).exists()) {
            true => Err(self.refused(FolderProblem::Sweep)),
            false => Ok(()),
        }
    }

    pub(crate) fn check_folder(&self) -> Result<(), Error> {
        match () {
            () if self.0.as_os_str().is_empty() => Err(self.refused(FolderProblem::NoName)),
            () if self.0.exists() && !self.0.is_dir() => Err(self.refused(FolderProblem::NoFolder)),
            () => Ok(()),
        }
    }

    /// Returns an error if the scene is one of the files that a new run would write here.
    pub fn check_scene_stays(&self, scene: &Path) -> Result<(), Error> {
        let Ok(scene) = fs::canonicalize(scene) else { return Ok(()) };
        let is_scene = |name: &str| fs::canonicalize(self.file(name)).is_ok_and(|it| it == scene);
        match RESULT_FILES.into_iter().chain([CHECKPOINT]).find(|name| is_scene(name)) {
            Some(name) => Err(self.refused(FolderProblem::Scene { name })),
            None => Ok(()),
        }
    }

    /// Returns an error if bodies of the scene come from results that a new run would replace here, or from a run that
    /// has not ended yet.
    pub fn check_bodies_stay<const D: usize>(&self, scene: &Scene<D>) -> Result<(), Error> {
        for source in &scene.run_sources {
            let folder = RunFolder::new(source.folder.clone());
            if folder.is_in_use() {
                return Err(folder.refused(FolderProblem::Unfinished));
            }
        }
        let Ok(folder) = fs::canonicalize(&self.0) else { return Ok(()) };
        let is_replaced = |file: PathBuf| {
            fs::canonicalize(file).is_ok_and(|file| {
                file == folder || file.starts_with(folder.join(FrameSeries::FOLDER))
            })
        };
        let runs = scene.run_sources.iter().map(|source| source.folder.clone());
        match runs.chain(scene.files()).any(is_replaced) {
            true => Err(self.refused(FolderProblem::Bodies)),
            false => Ok(()),
        }
    }

    /// Returns an error if the table of an observable, given with its columns, would replace a file that is none of a
    /// run. Where the summary that names the tables is lost, those with the same columns are taken for a run's.
    pub(super) fn check_tables(&self, tables: &[(String, String)]) -> Result<(), Error> {
        let own = self.tables();
        let is_run = [CHECKPOINT, PREVIOUS].iter().any(|name| self.file(name).exists());
        let is_lost = is_run && !self.file(SUMMARY).exists();
        let has_columns = |name: &str, columns: &str| {
            let text = read_results_file(&self.0, name, LONGEST_SUMMARY).unwrap_or_default();
            text.split(|&byte| byte == b'\n').next() == Some(columns.as_bytes())
        };
        let is_foreign = |(name, columns): &&(String, String)| {
            let is_own = own.contains(name) || is_lost && has_columns(name, columns);
            self.file(name).exists() && !is_own
        };
        match tables.iter().find(is_foreign) {
            Some((name, _)) => Err(self.refused(FolderProblem::Table { name: name.clone() })),
            None => Ok(()),
        }
    }

    /// File names of the tables that the end of a run has written here, according to its summary.
    fn tables(&self) -> Vec<String> {
        let summary = read_results_file(&self.0, SUMMARY, LONGEST_SUMMARY).unwrap_or_default();
        let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap_or_default();
        let names = summary["tables"].as_array().into_iter().flatten().filter_map(|it| it.as_str());
        // Whoever has written the summary: what is no table of an observable is not touched.
        let is_table = |name: &&str| {
            let stem = name.strip_suffix(".csv").unwrap_or_default();
            !stem.is_empty() && stem.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
        };
        names.filter(is_table).filter(|name| *name != "log.csv").map(str::to_owned).collect()
    }

    /// Returns an error if there is no checkpoint.
    pub fn check_resumable(&self) -> Result<(), Error> {
        let there = [CHECKPOINT, PREVIOUS].iter().any(|name| self.file(name).exists());
        if there { Ok(()) } else { Err(self.refused(FolderProblem::NothingToResume)) }
    }

    /// Reads the checkpoint of the run in this folder, which must be one of this scene. If the last one is damaged or
    /// missing, the one before is taken and `warn` is called with a sentence about it.
    pub fn checkpoint<const D: usize>(
        &self,
        scene: &Scene<D>,
        warn: impl FnOnce(&str),
    ) -> Result<Checkpoint, Error> {
        self.check_resumable()?;
        let checkpoint = self.last_checkpoint(warn)?;
        if checkpoint.scene_digest != scene.fingerprint()
            && let Some(difference) = self.difference(scene)
        {
            let problem = CheckpointProblem::OtherScene { difference: Some(difference) };
            return Err(checkpoint.refused(problem).into());
        }
        Ok(checkpoint)
    }

    /// Reads the last checkpoint in this folder, or the one before it and calls `warn`, as [`checkpoint`](Self::checkpoint)
    /// does, of whatever run.
    pub(super) fn last_checkpoint(&self, warn: impl FnOnce(&str)) -> Result<Checkpoint, Error> {
        match Checkpoint::read(&self.file(CHECKPOINT)) {
            Err(error) if is_damage(&error) => match Checkpoint::read(&self.file(PREVIOUS)) {
                Ok(previous) => {
                    let [last, before] = [CHECKPOINT, PREVIOUS].map(|name| self.file(name));
                    let (last, before) = (last.display(), before.display());
                    warn(&format!("{last} cannot be used; the run continues from {before}"));
                    Ok(previous)
                }
                Err(_) => Err(error.into()),
            },
            other => Ok(other?),
        }
    }

    /// Creates the folder and keeps other runs out of it until the lock is dropped or the process ends, also by a kill.
    ///
    /// Returns an error if another run holds the lock, or if a symbolic link, or something else than a file, is where
    /// results are written.
    pub fn lock(&self) -> Result<FolderLock, Error> {
        self.check_folder()?;
        self.check_links()?;
        self.check_files()?;
        fs::create_dir_all(&self.0).map_err(|source| cannot_write(&self.0, source))?;
        let path = self.file(LOCK);
        let options = &mut OpenOptions::new();
        let lock = match is_results_file(&self.0, LOCK)? {
            true => open_results_file_with(&self.0, LOCK, options.write(true)),
            false => options.create(true).truncate(false).write(true).open(&path),
        };
        let lock = lock.map_err(|source| cannot_write(&path, source))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(self.refused(FolderProblem::InUse)),
            // File systems without locks must not prevent runs.
            Ok(()) | Err(TryLockError::Error(_)) => {
                Ok(FolderLock { run_folder: self.clone(), _lock_file: lock })
            }
        }
    }

    /// Returns an error if something else than a file has the name of a result, or a file that of the folder of frames:
    /// a run would find out only at its end that it cannot write there.
    fn check_files(&self) -> Result<(), Error> {
        if !self.0.exists() {
            return Ok(());
        }
        for name in RESULT_FILES.into_iter().chain([CHECKPOINT, PREVIOUS]) {
            is_results_file(&self.0, name)?;
        }
        let frames = self.file(FrameSeries::FOLDER);
        match frames.exists() && !frames.is_dir() {
            true => Err(self.refused(FolderProblem::NoFrameFolder)),
            false => Ok(()),
        }
    }

    fn check_links(&self) -> Result<(), Error> {
        let is_link = |name: &&str| {
            fs::symlink_metadata(self.file(name)).is_ok_and(|found| found.is_symlink())
        };
        let link = RESULT_FILES.into_iter().chain([CHECKPOINT, PREVIOUS, LOCK]).find(is_link);
        let link = link.map(PathBuf::from).or_else(|| FrameSeries::first_link(&self.0));
        link.map_or(Ok(()), |link| {
            Err(self.refused(FolderProblem::Link { name: link.display().to_string() }))
        })
    }

    /// Whether a run is writing into the folder now.
    pub fn is_in_use(&self) -> bool {
        // A finished run needs no look at the lock, whose test could interfere with a run that starts at this moment.
        if self.file("summary.json").exists() {
            return false;
        }
        let lock = open_results_file(&self.0, LOCK);
        lock.is_ok_and(|lock| matches!(lock.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }

    pub(super) fn refused(&self, problem: FolderProblem) -> Error {
        let folder = match problem {
            FolderProblem::NoName => "the empty path".to_owned(),
            _ => self.0.display().to_string(),
        };
        Error::Folder { folder, problem }
    }
}

/// A locked folder, into which no other run writes.
#[derive(Debug)]
pub struct FolderLock {
    run_folder: RunFolder,
    /// Locked by the operating system until it is closed.
    _lock_file: File,
}

impl FolderLock {
    /// The locked folder.
    pub fn folder(&self) -> &RunFolder {
        &self.run_folder
    }

    /// Removes the results in the folder, and nothing else. The scene stays until a run replaces it.
    pub fn clear(&self) -> Result<(), Error> {
        // The checkpoint first: without it nothing can continue from the rest if this is interrupted.
        self.remove(&[CHECKPOINT, PREVIOUS, "log.csv"])?;
        self.remove_final_files()?;
        Ok(FrameSeries::remove(&self.run_folder.0)?)
    }

    /// Writes a checkpoint; the last one is kept as the previous one.
    pub(super) fn write_checkpoint(&self, checkpoint: &Checkpoint) -> Result<(), Error> {
        let [last, before] = [CHECKPOINT, PREVIOUS].map(|name| self.run_folder.file(name));
        Ok(checkpoint.write_keeping_previous(&last, &before)?)
    }

    /// Removes the files that an earlier end of the run has written.
    pub(super) fn remove_final_files(&self) -> Result<(), Error> {
        // The summary last, for it names the tables.
        let tables = self.run_folder.tables();
        self.remove(&tables.iter().map(String::as_str).collect::<Vec<_>>())?;
        self.remove(&FINAL_FILES)
    }

    fn remove(&self, names: &[&str]) -> Result<(), Error> {
        for name in names {
            let path = self.run_folder.file(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(cannot_write(&path, error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Removes temporary files that a kill has left.
    pub(super) fn remove_leftovers(&self) {
        for folder in [self.run_folder.0.clone(), self.run_folder.file("frames")] {
            remove_partial_files(&folder, Duration::ZERO);
        }
    }
}

/// Removes temporary files that a kill has left in a folder, if nobody has written them for a time.
pub(crate) fn remove_partial_files(folder: &Path, at_rest: Duration) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_partial = name.starts_with(".carom-") && name.ends_with(".partial");
        let written = entry.metadata().and_then(|file| file.modified());
        let age = written.ok().and_then(|time| time.elapsed().ok()).unwrap_or_default();
        if is_partial && age >= at_rest {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a checkpoint cannot be read because its file is damaged or missing.
fn is_damage(error: &carom_io::Error) -> bool {
    use CheckpointProblem::{CutShort, Damaged, Empty, Foreign};
    match error {
        carom_io::Error::Checkpoint { problem, .. } => {
            matches!(problem, CutShort { .. } | Damaged | Empty | Foreign)
        }
        carom_io::Error::CannotRead { source, .. } => source.kind() == ErrorKind::NotFound,
        _ => false,
    }
}

fn cannot_write(path: &Path, source: std::io::Error) -> Error {
    carom_io::Error::cannot_write(path, source).into()
}
