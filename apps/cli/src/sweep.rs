//! `carom sweep`.

use crate::arguments::{CommonArguments, SweepArguments};
use crate::failure::{CommandFailure, print, print_stderr};
use crate::run::{default_folder, for_shell};
use crate::scene::{TemporaryFolder, with_hint};
use crate::sweep_progress::SweepProgressReport;
use crate::{interrupt, numbers, shipped};
use carom::io::count_with_noun;
use carom::run::Control;
use carom::sweep::{Error, Sweep, SweepAxis, SweepOutcome, SweepRow, SweepRunState};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub fn run(options: &SweepArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let start = Instant::now();
    let wall_time = |option: &str, text: &Option<String>| {
        text.as_deref().map(|text| numbers::wall_time(option, text)).transpose()
    };
    let limit = wall_time("--max-walltime", &options.max_walltime)?;
    let interval = wall_time("--progress-interval", &options.progress_interval)?;
    let (sweep, _meshes) = sweep(options)?;
    let folder = match &options.out {
        Some(folder) => folder.clone(),
        None => default_folder(&options.scene, ".sweep")?,
    };
    let failure = |error| failure(&options.scene, error);
    if options.list {
        let warn = |sentence: &str| common.report(format!("warning: {sentence}"));
        let outcome = sweep.warned_by(warn).list(&folder).map_err(failure)?;
        return match options.json {
            true => print(&format!("{:#}\n", outcome.table.json())),
            false => print(&(list(&outcome) + &report(&outcome, &folder))),
        };
    }
    let sweep = match limit {
        Some(limit) => sweep.wall_time(limit.saturating_sub(start.elapsed())),
        None => sweep,
    };
    let outcome = with_progress(sweep, &folder, common, interval).map_err(failure)?;
    let printed = match (options.json, common.quiet) {
        (true, _) => print(&format!("{:#}\n", outcome.table.json())),
        (false, true) => Ok(()),
        (false, false) => print(&report(&outcome, &folder)),
    };
    ending(&outcome, printed)
}

/// The sweep that the options describe, and the folder of the meshes of a built-in scene, which must last as long.
fn sweep(
    options: &SweepArguments,
) -> Result<(Sweep<'static>, Option<TemporaryFolder>), CommandFailure> {
    let (mut sweep, meshes) = match shipped::of_path(&options.scene)? {
        None => (Sweep::new(&options.scene), None),
        Some(scene) => {
            let name = scene.path().display().to_string();
            let folder = match scene.mesh_names().next() {
                Some(_) => Some(TemporaryFolder::new()?),
                None => None,
            };
            let path = folder.as_ref().map_or(Path::new(""), TemporaryFolder::path);
            scene.write_meshes(path)?;
            (Sweep::parse_in(scene.text, &name, path), folder)
        }
    };
    for setting in &options.set {
        sweep = sweep.set(setting);
    }
    if let Some(until) = &options.until {
        sweep = sweep.set(format!("until={:?}", numbers::end_time("--until", until)?));
    }
    let axis = |text: &String| {
        SweepAxis::parse(text).map_err(|error| CommandFailure::input(error.to_string()))
    };
    for text in &options.zip {
        sweep = sweep.zip_axis(axis(text)?);
    }
    for text in &options.over {
        sweep = sweep.over_axis(axis(text)?);
    }
    for quantity in &options.plot {
        sweep = sweep.plot(quantity);
    }
    if let Some(text) = &options.shard {
        let (number, count) = shard(text)?;
        sweep = sweep.shard(number, count);
    }
    Ok((sweep.jobs(options.jobs), meshes))
}

/// Parses a part such as 3/100.
fn shard(text: &str) -> Result<(usize, usize), CommandFailure> {
    let parts = text.split_once('/');
    let numbers = parts.and_then(|(number, count)| {
        Some((number.trim().parse().ok()?, count.trim().parse().ok()?))
    });
    numbers.ok_or_else(|| {
        CommandFailure::input(format!("--shard is {text:?}; it must be such as 3/100"))
    })
}

fn with_progress(
    sweep: Sweep<'_>,
    folder: &Path,
    common: &CommonArguments,
    interval: Option<Duration>,
) -> Result<SweepOutcome, Error> {
    let report = SweepProgressReport::new(common, interval);
    let progress = |progress: &_| {
        // Until now a signal found nothing to stop, and has ended the program.
        interrupt::defer_first_signal();
        report.show(progress);
        if interrupt::stop_requested() { Control::Stop } else { Control::Continue }
    };
    let warn = |sentence: &str| {
        report.suspend(|| common.report(format!("warning: {sentence}")));
    };
    let outcome = sweep.watched_by(progress).warned_by(warn).into_folder(folder);
    report.clear();
    outcome
}

/// The failure of a sweep that could not be made.
fn failure(scene: &Path, error: Error) -> CommandFailure {
    let sentence = error.to_string();
    match error {
        Error::Source(error) => with_hint(scene, error),
        Error::Io(error) => error.into(),
        Error::Run(error) => error.into(),
        Error::Threads { .. } => CommandFailure::Running(sentence),
        _ => CommandFailure::Input(sentence),
    }
}

/// A line for each run.
fn list(outcome: &SweepOutcome) -> String {
    let line = |row: &SweepRow| format!("{:<10}  {}\n", row.ending(), row.folder());
    outcome.own_rows().map(line).collect()
}

/// What there is now, and where.
fn report(outcome: &SweepOutcome, folder: &Path) -> String {
    let count = |is_of: fn(&SweepRunState) -> bool| {
        outcome.own_rows().filter(|row| is_of(row.state())).count()
    };
    let kinds = [
        (count(|it| *it == SweepRunState::Finished), "finished"),
        (count(|it| matches!(it, SweepRunState::Failed { .. })), "failed"),
        (count(|it| *it == SweepRunState::Stopped), "stopped"),
        (count(|it| *it == SweepRunState::Running), "run by another program"),
        (count(|it| *it == SweepRunState::Missing), "missing"),
    ];
    let kinds: Vec<String> = (kinds.into_iter())
        .filter(|(count, _)| *count > 0)
        .map(|(count, kind)| format!("{count} {kind}"))
        .collect();
    let runs = count_with_noun(outcome.own.len(), "run");
    let mut text = format!("{runs}: {}\n", kinds.join(", "));
    let table = folder.join("sweep.csv");
    let files = [("table", &table)].into_iter().filter(|(_, file)| file.exists());
    for (label, file) in files.chain(outcome.plots.iter().map(|plot: &PathBuf| ("plot", plot))) {
        text += &format!("  {label:<8}  {}\n", for_shell(&file.display().to_string()));
    }
    text
}

/// How the program ends: with the sentence of every run that has failed, and with what is left to do.
fn ending(
    outcome: &SweepOutcome,
    printed: Result<(), CommandFailure>,
) -> Result<(), CommandFailure> {
    let failures = outcome.own_rows().filter_map(|row| match row.state() {
        SweepRunState::Failed { failure } => Some(format!("{}: {failure}", row.folder())),
        _ => None,
    });
    let failures: Vec<String> = failures.collect();
    if outcome.stopped {
        failures.iter().for_each(|failure| print_stderr(format!("error: {failure}")));
        let done = outcome.own_rows().filter(|row| *row.state() == SweepRunState::Finished).count();
        let why = if interrupt::stop_requested() { "a signal" } else { "--max-walltime" };
        return Err(CommandFailure::Stopped(format!(
            "stopped by {why} with checkpoints, {done} of {} finished; the same command continues",
            count_with_noun(outcome.own.len(), "run")
        )));
    }
    if failures.is_empty() { printed } else { Err(CommandFailure::Running(failures.join("\n"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_two_numbers() {
        assert_eq!(shard("3/100").unwrap(), (3, 100));
        for text in ["", "3", "3/", "/3", "a/b", "-1/3", "1/2/3", "1.5/3"] {
            let CommandFailure::Input(sentence) = shard(text).unwrap_err() else { panic!() };
            assert_eq!(sentence, format!("--shard is {text:?}; it must be such as 3/100"));
        }
    }
}
