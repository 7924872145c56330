//! `carom run`.

use crate::arguments::{CommonArguments, RunArguments};
use crate::failure::{CommandFailure, print};
use crate::numbers;
use crate::progress::ProgressReport;
use crate::run_report;
use crate::start_deadline::StartDeadline;
use crate::{interrupt, scene, shipped};
use carom::io::six_significant_digits;
use carom::run::{Control, Ending, ExistingResults, FolderRun, Run, RunFolder, Summary};
use carom::scene::scene::solids_of_run;
use carom::scene::{AnyScene, Scene};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The scene that runs if none is named.
const UNNAMED: &str = ":billiard";

pub fn run(options: &RunArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let start = Instant::now();
    check_options(options)?;
    let wall_time = |option: &str, text: &Option<String>| {
        text.as_deref().map(|text| numbers::wall_time(option, text)).transpose()
    };
    let limit = wall_time("--max-walltime", &options.max_walltime)?;
    let progress_interval = wall_time("--progress-interval", &options.progress_interval)?;
    let beginning = StartDeadline::within(limit);
    let mut settings = options.set.clone();
    if let Some(until) = &options.until {
        settings.push(format!("until={:?}", numbers::end_time("--until", until)?));
    }
    let (source, folder) = source(options)?;
    if let Some(from) = &options.from {
        match scene::is_of_solids(&source, &settings)? {
            true => settings.extend(solids_of_run(from)?),
            false => settings.extend(bodies_from(from)?),
        }
    }
    let scene = match options.resume && options.scene.is_none() {
        true => scene::read_results(&folder, &settings, common)?,
        false => scene::read_to_run(&source, &folder, &settings, common)?,
    };
    let name = source.display().to_string();
    let session = Session {
        options,
        common,
        start,
        limit,
        progress_interval,
        start_deadline: beginning,
        source,
        name,
    };
    match scene {
        AnyScene::TwoD(scene) => session.run(&scene, &folder),
        AnyScene::ThreeD(scene) => session.run(&scene, &folder),
    }
}

/// Refuses options that contradict each other.
fn check_options(options: &RunArguments) -> Result<(), CommandFailure> {
    let RunArguments { resume, force, from, new_folder, .. } = options;
    let rule = match () {
        () if *resume && *force => {
            "--resume keeps the results in the folder and --force replaces them; give one of them"
        }
        () if *resume && from.is_some() => {
            "--resume has its bodies from the checkpoint in --out and --from has them from another run; give one \
             of them"
        }
        () if !resume && new_folder.is_some() => {
            "--new-folder is where a run continues; give --resume too, or name the folder by --out"
        }
        () => return Ok(()),
    };
    Err(CommandFailure::input(rule))
}

/// The settings that replace the bodies of a scene by those of another run.
fn bodies_from(run: &Path) -> Result<[String; 2], CommandFailure> {
    // Files of a scene are searched beside it, and this one was named in the current folder.
    let path = std::path::absolute(run).ok();
    let Some(path) = path.as_ref().and_then(|path| path.to_str()) else {
        let name = run.display();
        return Err(CommandFailure::input(format!(
            "--from is \"{name}\"; it must be the results folder of a run"
        )));
    };
    let file = serde_json::Value::from(path);
    Ok([format!("bodies=[{{ file = {file} }}]"), "generate=[]".to_owned()])
}

/// The scene, a file or a built-in one, and the folder for its results.
fn source(options: &RunArguments) -> Result<(PathBuf, PathBuf), CommandFailure> {
    let scene = options.scene.clone().unwrap_or_else(|| UNNAMED.into());
    let folder = match &options.out {
        Some(folder) => folder.clone(),
        None => default_folder(&scene, ".run")?,
    };
    if options.scene.is_some() || !options.resume {
        return Ok((scene, folder));
    }
    // The scene in the folder has all settings of the earlier command.
    RunFolder::new(&folder).check_resumable()?;
    Ok((folder.join("scene.toml"), folder))
}

/// `fluid.run` in the current folder for `scenes/fluid.toml` and for `:fluid`, with another ending `fluid.sweep`.
pub fn default_folder(scene: &Path, ending: &str) -> Result<PathBuf, CommandFailure> {
    let mut name = match shipped::of_path(scene)? {
        Some(scene) => scene.name.into(),
        None => scene.file_stem().unwrap_or_default().to_owned(),
    };
    name.push(ending);
    Ok(name.into())
}

struct Session<'a> {
    options: &'a RunArguments,
    common: &'a CommonArguments,
    start: Instant,
    limit: Option<Duration>,
    /// Time between lines of progress.
    progress_interval: Option<Duration>,
    start_deadline: StartDeadline,
    source: PathBuf,
    /// Name of the scene in messages.
    name: String,
}

impl Session<'_> {
    fn run<const D: usize>(&self, scene: &Scene<D>, path: &Path) -> Result<(), CommandFailure> {
        let folder = RunFolder::new(path);
        let begun = match self.options.resume {
            true => self.resume(scene, &folder)?,
            false => self.begin(scene, &folder)?,
        };
        let path = &begun.folder().path().to_owned();
        for warning in begun.warnings() {
            self.common.report(format!("warning: {warning}"));
        }
        interrupt::defer_first_signal();
        let (mut run, results) = begun.into_results(self.start.elapsed())?;
        if self.options.check {
            run.check_structure();
        }
        if self.options.force_energy {
            run.force_energy();
        }
        let mut report = ProgressReport::new(self.common, run.progress(), self.progress_interval);
        if self.options.resume
            && let Some(ending) = run.is_over()
        {
            let why = match last_stage_before_end(scene, &run) {
                Some(stage) => format!(
                    "the last stage, {stage}, ended at time {}, and --until only ends a run in stages earlier; to \
                     continue, start a scene from its end by --from {}, or start this one again with a longer stage",
                    six_significant_digits(run.engine().time()),
                    for_shell(&path.display().to_string())
                ),
                None => format!("the run ended {}", ending.reason()),
            };
            self.common.report(format!("nothing was left to do: {why}"));
        }
        let results = results.watched_by(|progress| {
            self.start_deadline.mark_started();
            report.show(progress);
            let late = self.limit.is_some_and(|limit| self.start.elapsed() >= limit);
            if late || interrupt::stop_requested() { Control::Stop } else { Control::Continue }
        });
        let mut results =
            results.warned_by(|warning| self.common.report(format!("warning: {warning}")));
        let ended = run.run_to_end(&mut results);
        let summary = results.summary().cloned();
        drop(results);
        report.clear();
        let printed =
            summary.map_or(Ok(()), |summary| self.print_summary(scene, &run, &summary, path));
        let ending = ended.map_err(CommandFailure::during_run)?;
        if !scene.output.formats.is_empty() {
            let folder = for_shell(&path.display().to_string());
            self.common.report(format!("see it with carom view {folder}"));
        }
        match ending {
            // Whether or not the summary could be printed.
            Ending::Stopped => Err(stopped(path)),
            _ => printed,
        }
    }

    /// Continues from the checkpoint in the folder, there or in a new folder.
    fn resume<'s, const D: usize>(
        &self,
        scene: &'s Scene<D>,
        folder: &RunFolder,
    ) -> Result<FolderRun<'s, D>, CommandFailure> {
        let target = self.options.new_folder.as_ref().map(RunFolder::new);
        FolderRun::resume(scene, folder, target.as_ref()).map_err(|error| match error {
            carom::run::Error::Simulation(carom::simulate::Error::Setting { .. }) => {
                CommandFailure::from_scene(&self.name, error)
            }
            // Bodies come from the checkpoint, not from the scene.
            _ => CommandFailure::from_scene(
                &folder.file("checkpoint.bin").display().to_string(),
                error,
            ),
        })
    }

    /// Starts from the beginning of the scene, in a folder without results.
    fn begin<'s, const D: usize>(
        &self,
        scene: &'s Scene<D>,
        folder: &RunFolder,
    ) -> Result<FolderRun<'s, D>, CommandFailure> {
        let existing = match self.options.force {
            true => ExistingResults::Replace,
            false => ExistingResults::Keep,
        };
        let begun = FolderRun::begin(scene, &self.source, folder, existing);
        begun.map_err(|error| CommandFailure::from_scene(&self.name, error))
    }

    fn print_summary<const D: usize>(
        &self,
        scene: &Scene<D>,
        run: &Run<D>,
        summary: &Summary,
        path: &Path,
    ) -> Result<(), CommandFailure> {
        if self.options.json {
            print(&format!("{:#}\n", summary.json()))
        } else if self.common.quiet {
            Ok(())
        } else {
            print(&run_report::report(scene, run, summary, path))
        }
    }
}

/// The name of the last stage, if it ended before the time at which the run would end at the latest.
fn last_stage_before_end<'s, const D: usize>(scene: &'s Scene<D>, run: &Run<D>) -> Option<&'s str> {
    let stage = scene.stages.last()?;
    // By a step or so a run in steps ends later.
    let is_before = run.engine().time() < scene.latest_end? * (1.0 - 1e-6);
    is_before.then_some(stage.name.as_str())
}

fn stopped(path: &Path) -> CommandFailure {
    let why = if interrupt::stop_requested() { "a signal" } else { "--max-walltime" };
    CommandFailure::Stopped(format!(
        "stopped by {why} with a checkpoint; continue with carom run --out {} --resume",
        for_shell(&path.display().to_string())
    ))
}

/// Quotes a word so that a shell takes it as one, and not as an option.
pub fn for_shell(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "_-./+,=@%:".contains(letter);
    let word = if word.starts_with('-') { format!("./{word}") } else { word.to_owned() };
    if word.chars().all(plain) { word } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_one_word_for_a_shell() {
        assert_eq!(for_shell("runs/gas.run"), "runs/gas.run");
        assert_eq!(for_shell("my runs/it's"), "'my runs/it'\\''s'");
        assert_eq!(for_shell("-x"), "./-x");
    }
}
