//! The start of a run that writes into a folder, new or continued: all checks, in the order that loses nothing.

use super::provenance::{Launch, Provenance};
use super::results_folder::{ResultsFolder, check_table, file_name, rows_elsewhere};
use super::{Error, FolderLock, FolderProblem, Run, RunFolder, Sink};
use carom_io::{Checkpoint, is_results_file};
use carom_scene::Scene;
use std::path::Path;
use std::time::Duration;

/// A run with the locked folder that will take its results. Nothing in the folder has changed yet.
///
/// ```
/// use carom::run::{Ending, ExistingResults, FolderRun, RunFolder};
/// use carom::scene::scene::AnyScene;
/// let text = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 9\noutput.picture = false\n\
///             [[bodies]]\nposition = [5, 5]\nvelocity = [1, 0]\nradius = 0.5";
/// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
/// # let parent = std::env::temp_dir().join(format!("carom-folder-run-{}", std::process::id()));
/// # let path = parent.join("one.run");
/// let folder = RunFolder::new(&path);
/// let begin = || FolderRun::begin(&scene, "one.toml".as_ref(), &folder, ExistingResults::Keep);
/// let (mut run, mut results) = begin()?.into_results(Default::default())?;
/// assert_eq!(run.run_to_end(&mut results)?, Ending::Time);
/// drop(results);
/// // The folder is not free any more; the run there can be continued, and has nothing left to do.
/// assert!(begin().is_err());
/// assert_eq!(FolderRun::resume(&scene, &folder, None)?.run_mut().is_over(), Some(Ending::Time));
/// # std::fs::remove_dir_all(parent)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FolderRun<'a, const D: usize> {
    scene: &'a Scene<D>,
    run: Run<D>,
    lock: FolderLock,
    /// Number of rows of the log that are in the folder of an earlier part of the run.
    rows_elsewhere: u64,
    destination: Destination,
    warnings: Vec<String>,
    /// What has written the checkpoint.
    writer: String,
}

/// What happens to results that are in the folder before a run begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExistingResults {
    /// They stay, and the run is refused.
    Keep,
    /// They are replaced.
    Replace,
}

/// What is in the folder of the results before the run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Destination {
    /// No results.
    Free,
    /// Results that are replaced.
    Replaced,
    /// The earlier part of the run.
    Continued,
    /// No results; the earlier part of the run is in another folder.
    ContinuedElsewhere,
}

impl<'a, const D: usize> FolderRun<'a, D> {
    /// Prepares a run at the start of a scene, which was read from `source`.
    ///
    /// Errors if the folder has results, unless they are to be replaced, if the scene or its bodies are among them, if
    /// another run writes there, or if the scene should not be run.
    pub fn begin(
        scene: &'a Scene<D>,
        source: &Path,
        folder: &RunFolder,
        existing: ExistingResults,
    ) -> Result<Self, Error> {
        FolderRun::begin_by(scene, source, folder, existing, Run::new)
    }

    /// Prepares a run that `start` creates, for example by [`Run::with_contact_law`]; otherwise as [`begin`](Self::begin).
    pub fn begin_by(
        scene: &'a Scene<D>,
        source: &Path,
        folder: &RunFolder,
        existing: ExistingResults,
        start: impl FnOnce(&Scene<D>) -> Result<Run<D>, Error>,
    ) -> Result<Self, Error> {
        folder.check_no_sweep()?;
        folder.check_scene_stays(source)?;
        folder.check_bodies_stay(scene)?;
        let destination = || match existing {
            ExistingResults::Replace => Ok(Destination::Replaced),
            // A run of the scene that was killed before its first checkpoint has left nothing to lose.
            ExistingResults::Keep if folder.is_begun_by(scene)? => Ok(Destination::Replaced),
            ExistingResults::Keep => folder.check_free(scene).map(|()| Destination::Free),
        };
        destination()?;
        let run = start(scene)?;
        let warnings = warnings(scene, &run, source)?;
        let lock = folder.lock()?;
        // Another run may have written results since.
        let destination = destination()?;
        let writer = String::new();
        Ok(FolderRun { scene, run, lock, rows_elsewhere: 0, destination, warnings, writer })
    }

    /// Continues the run in a folder from its checkpoint; its further results go into `new_folder`, if there is one.
    ///
    /// Errors if there is no checkpoint, if it is one of another scene, or if another run writes there.
    pub fn resume(
        scene: &'a Scene<D>,
        folder: &RunFolder,
        new_folder: Option<&RunFolder>,
    ) -> Result<Self, Error> {
        FolderRun::resume_by(scene, folder, new_folder, Run::resume)
    }

    /// Continues a run by `resume`, for example by [`Run::resume_with_contact_law`]; otherwise as [`resume`](Self::resume).
    pub fn resume_by(
        scene: &'a Scene<D>,
        folder: &RunFolder,
        new_folder: Option<&RunFolder>,
        resume: impl FnOnce(&Scene<D>, Checkpoint) -> Result<Run<D>, Error>,
    ) -> Result<Self, Error> {
        folder.check_resumable()?;
        // Opening a pipe would block, and a link may lead elsewhere.
        is_results_file(folder.path(), "log.csv")?;
        let lock = match new_folder {
            Some(target) => {
                if folder.is_in_use() {
                    return Err(folder.refused(FolderProblem::InUse));
                }
                target.check_no_sweep()?;
                target.check_free(scene)?;
                let lock = target.lock()?;
                // Another run may have written results since.
                target.check_free(scene)?;
                lock
            }
            None => folder.lock()?,
        };
        let mut of_checkpoint = Vec::new();
        let mut checkpoint =
            folder.checkpoint(scene, |line| of_checkpoint.push(line.to_owned()))?;
        let writer = checkpoint.writer.clone();
        let elsewhere = rows_elsewhere(&mut checkpoint)?;
        let run = resume(scene, checkpoint)?;
        // What there is to say of the scene was said when it began.
        warnings(scene, &run, &folder.file("scene.toml"))?;
        let (rows_elsewhere, destination) = match new_folder {
            Some(_) => (run.rows(), Destination::ContinuedElsewhere),
            None => (elsewhere, Destination::Continued),
        };
        let warnings = of_checkpoint;
        Ok(FolderRun { scene, run, lock, rows_elsewhere, destination, warnings, writer })
    }

    /// The run, at its start or at its checkpoint.
    pub fn run(&self) -> &Run<D> {
        &self.run
    }

    /// The run, for example to add observables.
    pub fn run_mut(&mut self) -> &mut Run<D> {
        &mut self.run
    }

    /// The folder of the results.
    pub fn folder(&self) -> &RunFolder {
        self.lock.folder()
    }

    /// Warnings about the scene or the checkpoint, in sentences.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        let (writer, this) = (&self.writer, Provenance::program());
        if !writer.is_empty() && *writer != this {
            let line = "the rest of the run may differ in its last digits";
            warnings.push(format!("the checkpoint is by {writer}, and this is {this}; {line}"));
        }
        warnings
    }

    /// Prepares the folder, and returns the run with the sink that writes into it. `initialization` is the wall-clock time
    /// so far, for the summary.
    ///
    /// Results that are to be replaced are removed now. Errors if an observable of the checkpoint was not added, if the table
    /// of an observable cannot be written as CSV or would replace a file that no run has written, or if log or frames do not fit to a continued run; then nothing has
    /// changed.
    pub fn into_results(
        self,
        initialization: Duration,
    ) -> Result<(Run<D>, ResultsFolder<'a, D>), Error> {
        let FolderRun { scene, run, lock, rows_elsewhere, destination, .. } = self;
        run.check_observables()?;
        let tables = run.tables();
        tables.iter().try_for_each(|(name, table)| check_table(name, table))?;
        let tables: Vec<(String, String)> =
            tables.iter().map(|(name, table)| (file_name(name), table.columns.join(","))).collect();
        lock.folder().check_tables(&tables)?;
        if destination == Destination::Replaced {
            lock.clear()?;
        }
        let launch = Launch { initialization, rows_elsewhere };
        let mut results = ResultsFolder::new(lock, scene, &run, launch)?;
        if destination == Destination::ContinuedElsewhere {
            // From now on the run does not need the old folder.
            results.checkpoint(&run)?;
        }
        Ok((run, results))
    }
}

/// Warnings about a scene; an error if it should not be run.
pub(super) fn warnings<const D: usize>(
    scene: &Scene<D>,
    run: &Run<D>,
    source: &Path,
) -> Result<Vec<String>, Error> {
    let estimate = run.estimate(scene);
    match estimate.refusal {
        Some(refusal) => Err(Error::Refused { scene: source.display().to_string(), refusal }),
        None => Ok(estimate.warnings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Ending, RunState};
    use carom_scene::scene::AnyScene;
    use carom_simulate::Value;
    use carom_simulate::observe::{Observable, ObservableTable, Sample};
    use std::fs;

    const FLUID: &str = "engine = 'event-driven'\ndimension = 2\nuntil = 1\noutput.picture = false\n\
        observe.radial_distribution = { to = 2, bins = 10 }\n[[generate]]\nkind = 'random'\ncount = 30\n\
        radius = 0.5\npacking_fraction = 0.2\ntemperature = 1";

    fn scene(text: &str) -> Scene<2> {
        match AnyScene::parse(text, "fluid.toml", "".as_ref(), &[]).unwrap() {
            AnyScene::TwoD(scene) => scene,
            AnyScene::ThreeD(_) => unreachable!("the scene is of the plane"),
        }
    }

    fn run(start: FolderRun<'_, 2>) -> Ending {
        let (mut run, mut results) = start.into_results(Duration::ZERO).unwrap();
        run.run_to_end(&mut results).unwrap()
    }

    fn begin<'a>(
        scene: &'a Scene<2>,
        folder: &RunFolder,
        existing: ExistingResults,
    ) -> Result<FolderRun<'a, 2>, Error> {
        FolderRun::begin(scene, "fluid.toml".as_ref(), folder, existing)
    }

    /// Remembers a number, in a column of some name, and has a table.
    struct Own(&'static str, f64);

    impl Observable<2> for Own {
        fn name(&self) -> &str {
            "own"
        }
        fn columns(&self) -> Vec<String> {
            self.0.split_terminator(';').map(str::to_owned).collect()
        }
        fn sample(&mut self, _: &Sample<'_, 2>) -> Vec<Value> {
            self.1 += 1.0;
            self.columns().iter().map(|_| self.1.into()).collect()
        }
        fn table(&self, _: &Sample<'_, 2>) -> Option<ObservableTable> {
            Some(ObservableTable { columns: vec!["rows".to_owned()], rows: vec![vec![self.1]] })
        }
        fn save(&self) -> Vec<f64> {
            vec![self.1]
        }
        fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
            self.1 = saved[0];
            Ok(())
        }
    }

    #[test]
    fn tables_of_runs_are_replaced_and_files_of_others_are_not() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("fluid.run"));
        let (table, foreign) =
            (folder.file("radial_distribution.csv"), folder.file("collision_averages.csv"));
        let scene = scene(FLUID);
        assert_eq!(run(begin(&scene, &folder, ExistingResults::Keep).unwrap()), Ending::Time);
        let whole = fs::read(&table).unwrap();
        // It has the name of an observable that has no table.
        fs::write(&foreign, "mine").unwrap();
        let longer = super::tests::scene(&FLUID.replace("until = 1", "until = 2"));
        let resumed = FolderRun::resume(&longer, &folder, None).unwrap();
        let (mut resumed, mut results) = resumed.into_results(Duration::ZERO).unwrap();
        assert!(!table.exists(), "it is of an earlier end");
        resumed.run_to_end(&mut results).unwrap();
        drop(results);
        assert_ne!(fs::read(&table).unwrap(), whole);
        assert!(begin(&scene, &folder, ExistingResults::Keep).is_err());
        assert_eq!(run(begin(&scene, &folder, ExistingResults::Replace).unwrap()), Ending::Time);
        assert_eq!(fs::read(&table).unwrap(), whole);
        assert_eq!(fs::read(&foreign).unwrap(), b"mine");

        // A file that no run has written is not replaced by a table, and nothing else is lost.
        let summary = fs::read_to_string(folder.file("summary.json")).unwrap();
        fs::write(folder.file("summary.json"), summary.replace("\"tables\"", "\"others\""))
            .unwrap();
        let log = fs::read(folder.file("log.csv")).unwrap();
        let refused = begin(&scene, &folder, ExistingResults::Replace).unwrap();
        let sentence = refused.into_results(Duration::ZERO).err().unwrap().to_string();
        assert!(
            sentence.contains("has a file radial_distribution.csv that no run has written"),
            "{sentence}"
        );
        assert_eq!(
            (fs::read(&table).unwrap(), fs::read(folder.file("log.csv")).unwrap()),
            (whole, log)
        );
    }

    #[test]
    fn a_run_killed_before_its_first_checkpoint_begins_again() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("fluid.run"));
        let scene = scene(FLUID);
        assert_eq!(run(begin(&scene, &folder, ExistingResults::Keep).unwrap()), Ending::Time);
        let rows = fs::read_to_string(folder.file("log.csv")).unwrap();
        let names = [
            "checkpoint.bin",
            "checkpoint.previous.bin",
            "summary.json",
            "radial_distribution.csv",
        ];
        for name in names {
            let _ = fs::remove_file(folder.file(name));
        }
        let _ = fs::remove_dir_all(folder.file("frames"));
        // With rows there is something to lose.
        assert!(begin(&scene, &folder, ExistingResults::Keep).is_err());
        fs::write(folder.file("log.csv"), rows.lines().next().unwrap().to_owned() + "\n").unwrap();
        let other = super::tests::scene(&FLUID.replace("count = 30", "count = 31"));
        assert!(begin(&other, &folder, ExistingResults::Keep).is_err());
        // Another program finishes the run while this one prepares it: its results stay.
        let whole = || fs::write(folder.file("log.csv"), &rows);
        let late = FolderRun::begin_by(
            &scene,
            "fluid.toml".as_ref(),
            &folder,
            ExistingResults::Keep,
            |scene| {
                whole().unwrap();
                Run::new(scene)
            },
        );
        assert!(late.is_err());
        assert!(fs::read_to_string(folder.file("log.csv")).unwrap() == rows);
        fs::write(folder.file("log.csv"), rows.lines().next().unwrap().to_owned() + "\n").unwrap();
        assert_eq!(run(begin(&scene, &folder, ExistingResults::Keep).unwrap()), Ending::Time);
        assert!(fs::read_to_string(folder.file("log.csv")).unwrap() == rows);
    }

    #[test]
    fn a_folder_with_the_name_of_a_result_is_refused_before_anything_is_lost() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("fluid.run"));
        let scene = scene(FLUID);
        assert_eq!(run(begin(&scene, &folder, ExistingResults::Keep).unwrap()), Ending::Time);
        let log = fs::read(folder.file("log.csv")).unwrap();
        for name in ["summary.json", "picture.png"] {
            let _ = fs::remove_file(folder.file(name));
            fs::create_dir(folder.file(name)).unwrap();
            let replaced = begin(&scene, &folder, ExistingResults::Replace).map(|_| ());
            let sentence = replaced.unwrap_err().to_string();
            assert!(
                sentence.ends_with(&format!("{name} cannot be read: it is a folder")),
                "{sentence}"
            );
            let longer = super::tests::scene(&FLUID.replace("until = 1", "until = 2"));
            assert!(FolderRun::resume(&longer, &folder, None).is_err());
            assert_eq!(fs::read(folder.file("log.csv")).unwrap(), log);
            fs::remove_dir(folder.file(name)).unwrap();
        }
        let empty = RunFolder::new(parent.path().join("empty.run"));
        fs::create_dir(empty.path()).unwrap();
        fs::write(empty.file("frames"), "mine").unwrap();
        let sentence = begin(&scene, &empty, ExistingResults::Keep).map(|_| ()).unwrap_err();
        assert!(sentence.to_string().contains("has a file frames where"), "{sentence}");
        assert_eq!(fs::read(empty.file("frames")).unwrap(), b"mine");
    }

    #[test]
    fn a_lost_summary_makes_no_table_foreign() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("fluid.run"));
        let scene = scene(FLUID);
        assert_eq!(run(begin(&scene, &folder, ExistingResults::Keep).unwrap()), Ending::Time);
        fs::remove_file(folder.file("summary.json")).unwrap();
        let longer = super::tests::scene(&FLUID.replace("until = 1", "until = 2"));
        let resumed = FolderRun::resume(&longer, &folder, None).unwrap();
        assert_eq!(run(resumed), Ending::Time);
    }

    #[test]
    fn a_run_that_has_not_written_all_its_files_is_unfinished() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("fluid.run"));
        let scene = scene(&FLUID.replace("picture = false", "picture = true"));
        let start = begin(&scene, &folder, ExistingResults::Keep).unwrap();
        let (mut cut, mut results) = start.into_results(Duration::ZERO).unwrap();
        // No file can be written there, as when the disk is full at this moment.
        fs::create_dir(folder.file("picture.png")).unwrap();
        cut.run_to_end(&mut results).unwrap_err();
        drop(results);
        assert!(folder.file("summary.json").exists());
        assert_eq!(folder.state_of(&scene).unwrap(), RunState::Cut);
        fs::remove_dir(folder.file("picture.png")).unwrap();
        assert_eq!(run(FolderRun::resume(&scene, &folder, None).unwrap()), Ending::Time);
        assert_eq!(folder.state_of(&scene).unwrap(), RunState::Finished);
        assert!(
            ["picture.png", "radial_distribution.csv"].iter().all(|it| folder.file(it).is_file())
        );
    }

    #[test]
    fn a_run_with_an_observable_of_a_program_is_not_damaged_by_another_program() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("fluid.run"));
        let scene = scene(FLUID);
        let mut new = begin(&scene, &folder, ExistingResults::Keep).unwrap();
        new.run_mut().observe(Box::new(Own("", 0.0))).unwrap();
        assert_eq!(run(new), Ending::Time);
        let files = ["log.csv", "summary.json", "own.csv", "scene.toml", "checkpoint.bin"];
        let read = || files.map(|name| fs::read(folder.file(name)).unwrap());
        let before = read();
        let elsewhere = RunFolder::new(parent.path().join("longer.run"));
        let longer = super::tests::scene(&FLUID.replace("until = 1", "until = 2"));
        for target in [None, Some(&elsewhere)] {
            let resumed = FolderRun::resume(&longer, &folder, target).unwrap();
            let sentence = resumed.into_results(Duration::ZERO).err().unwrap().to_string();
            assert!(sentence.contains("must add that observable"), "{sentence}");
            assert!(read() == before && !elsewhere.file("checkpoint.bin").exists());
        }
        let mut resumed = FolderRun::resume(&longer, &folder, None).unwrap();
        // A checkpoint that is made too early keeps it.
        let early = resumed.run_mut().checkpoint();
        assert!(early.names().any(|name| name == "observable.own"));
        resumed.run_mut().observe(Box::new(Own("", 0.0))).unwrap();
        assert_eq!(run(resumed), Ending::Time);
        let rows: f64 =
            fs::read_to_string(folder.file("own.csv")).unwrap()[5..].trim().parse().unwrap();
        assert!(rows > 101.0, "{rows}");
    }

    /// Has a table, from some row on a wrong one.
    struct ErrorTableObservable {
        table: ObservableTable,
        wrong: ObservableTable,
        rows_left: usize,
    }

    impl Observable<2> for ErrorTableObservable {
        fn name(&self) -> &str {
            "tabled"
        }
        fn columns(&self) -> Vec<String> {
            Vec::new()
        }
        fn sample(&mut self, _: &Sample<'_, 2>) -> Vec<Value> {
            self.rows_left = self.rows_left.saturating_sub(1);
            Vec::new()
        }
        fn table(&self, _: &Sample<'_, 2>) -> Option<ObservableTable> {
            Some(if self.rows_left > 0 { self.table.clone() } else { self.wrong.clone() })
        }
        fn save(&self) -> Vec<f64> {
            Vec::new()
        }
        fn restore(&mut self, _: &[f64]) -> Result<(), String> {
            Ok(())
        }
    }

    #[test]
    fn a_table_that_is_no_csv_is_refused_and_costs_nothing_else() {
        let table = |columns: &[&str], rows: &[&[f64]]| ObservableTable {
            columns: columns.iter().map(|name| (*name).to_owned()).collect(),
            rows: rows.iter().map(|row| row.to_vec()).collect(),
        };
        let right = table(&["a", "b"], &[&[1.0, 2.0]]);
        let scene = scene(FLUID);
        for (wrong, sentence) in [
            (
                table(&["a", "b"], &[&[1.0, 2.0], &[1.0]]),
                "1 value for 2 columns in row 2 in its table tabled.csv; every row must have a value for each column",
            ),
            (
                table(&["a", "b,c"], &[]),
                "the column \"b,c\" in its table tabled.csv; no name may be blank or hold a comma, a quote, a # or a \
                 control character",
            ),
            (table(&[], &[]), "no column in its table tabled.csv; a table must have one at least"),
        ] {
            let sentence = format!("the observable is \"tabled\" with {sentence}");
            let parent = tempfile::tempdir().unwrap();
            let folder = RunFolder::new(parent.path().join("fluid.run"));
            let start = |rows_left| {
                let mut start = begin(&scene, &folder, ExistingResults::Keep).unwrap();
                let (table, wrong) = (right.clone(), wrong.clone());
                let tabled = Box::new(ErrorTableObservable { table, wrong, rows_left });
                start.run_mut().observe(tabled).unwrap();
                start.into_results(Duration::ZERO)
            };
            // Wrong from the start: nothing is written.
            assert_eq!(start(0).err().unwrap().to_string(), sentence);
            assert!(!folder.file("scene.toml").exists());
            // Wrong at the end: everything else is there.
            let (mut run, mut results) = start(3).unwrap();
            let refused = run.run_to_end(&mut results).unwrap_err().to_string();
            assert_eq!(refused, sentence);
            assert!(!folder.file("tabled.csv").exists());
            for name in ["summary.json", "radial_distribution.csv", "log.csv", "checkpoint.bin"] {
                assert!(folder.file(name).exists(), "{name}");
            }
        }
    }

    #[test]
    fn a_column_that_a_log_cannot_have_is_refused_before_anything_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let folder = RunFolder::new(parent.path().join("fluid.run"));
        let scene = scene(FLUID);
        assert_eq!(run(begin(&scene, &folder, ExistingResults::Keep).unwrap()), Ending::Time);
        let log = fs::read(folder.file("log.csv")).unwrap();
        for name in ["a,b", "a\"", " ", "#a", "a\n"] {
            let mut start = begin(&scene, &folder, ExistingResults::Replace).unwrap();
            let sentence =
                start.run_mut().observe(Box::new(Own(name, 0.0))).unwrap_err().to_string();
            assert!(sentence.contains("the header of the log has"), "{sentence}");
        }
        assert_eq!(fs::read(folder.file("log.csv")).unwrap(), log);
    }
}
