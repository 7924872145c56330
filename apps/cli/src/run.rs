//! `carom run`.

use crate::arguments::{Common, Run};
use crate::failure::{Failure, print};
use crate::interrupt;
use crate::numbers::{self, grouped};
use carom::run::{Ending, Folder, Progress, ResultsFolder, Summary, Wish};
use carom::scene::{Scene, SceneOf};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What runs if no scene is named.
const BUILT_IN: &str = include_str!("../../../scenes/billiard.toml");

pub fn run(options: &Run, common: &Common) -> Result<(), Failure> {
    let start = Instant::now();
    let limit = options.max_walltime.as_deref().map(numbers::wall_time).transpose()?;
    let session = Session { options, common, start, limit };
    let (scene, folder) = scene(options)?;
    match scene {
        Scene::Plane(scene) => session.run(&scene, &folder),
        Scene::Space(scene) => session.run(&scene, &folder),
    }
}

/// The scene and the folder for its results.
fn scene(options: &Run) -> Result<(Scene, PathBuf), Failure> {
    let settings = settings(&options.set, options.until.as_deref());
    let out = options.out.clone();
    match (&options.scene, &out) {
        (Some(path), _) => {
            let scene = Scene::read(path, &settings)?;
            Ok((scene, out.unwrap_or_else(|| default_folder(path))))
        }
        (None, Some(folder)) if options.resume => {
            if !folder.join("scene.toml").exists() {
                // The folder knows best what is missing.
                Folder::new(folder).checkpoint()?;
            }
            Ok((Scene::read(&folder.join("scene.toml"), &settings)?, folder.clone()))
        }
        (None, _) => {
            let scene = Scene::parse(BUILT_IN, "billiard.toml", Path::new(""), &settings)?;
            Ok((scene, out.unwrap_or_else(|| "billiard.run".into())))
        }
    }
}

/// What is set beside the scene.
pub fn settings(set: &[String], until: Option<&str>) -> Vec<String> {
    set.iter().cloned().chain(until.map(|until| format!("until={until}"))).collect()
}

/// `fluid.run` in the current folder for `scenes/fluid.toml`.
fn default_folder(scene: &Path) -> PathBuf {
    let mut name = scene.file_stem().unwrap_or_default().to_owned();
    name.push(".run");
    name.into()
}

struct Session<'a> {
    options: &'a Run,
    common: &'a Common,
    start: Instant,
    limit: Option<Duration>,
}

impl Session<'_> {
    fn run<const D: usize>(&self, scene: &SceneOf<D>, path: &Path) -> Result<(), Failure> {
        let folder = Folder::new(path);
        let mut run = if self.options.resume {
            carom::run::Run::resume(scene, folder.checkpoint()?)?
        } else {
            if !self.options.force {
                folder.check_free(scene.fingerprint())?;
            }
            let run = carom::run::Run::new(scene)?;
            if self.options.force {
                folder.clear()?;
            }
            run
        };
        if self.options.check {
            run.check_structure();
        }
        interrupt::stop_gently();
        let mut bar = Bar::new(self.common, run.progress());
        let results = ResultsFolder::new(folder, scene, &run, self.start.elapsed())?;
        let mut results = results.watched_by(|progress| {
            bar.show(progress);
            let late = self.limit.is_some_and(|limit| self.start.elapsed() >= limit);
            if late || interrupt::asked_to_stop() { Wish::Stop } else { Wish::GoOn }
        });
        let ending = run.go(&mut results)?;
        let summary = results.summary().cloned();
        drop(results);
        bar.clear();
        if let Some(summary) = summary {
            self.tell(&summary, scene.output.picture, path)?;
        }
        match ending {
            Ending::Stopped => Err(self.stopped(path)),
            _ => Ok(()),
        }
    }

    fn stopped(&self, path: &Path) -> Failure {
        let why = if interrupt::asked_to_stop() { "a signal" } else { "--max-walltime" };
        let scene = self.options.scene.as_ref();
        let scene = scene.map_or(String::new(), |scene| format!(" {}", scene.display()));
        Failure::Stopped(format!(
            "stopped by {why} with a checkpoint; go on with carom run{scene} --out {} --resume",
            path.display()
        ))
    }

    fn tell(&self, summary: &Summary, picture: bool, path: &Path) -> Result<(), Failure> {
        if self.options.json {
            let mut text = format!("{:#}", summary.json());
            text.push('\n');
            return print(&text);
        }
        if self.common.quiet {
            return Ok(());
        }
        print(&text(summary, picture, path))
    }
}

fn text(summary: &Summary, picture: bool, path: &Path) -> String {
    let kind = if summary.dimension == 2 { "discs" } else { "spheres" };
    let finished = summary.ending != Ending::Stopped;
    let timing = &summary.timing;
    let mut lines = vec![
        format!(
            "{} {kind} to time {:.6}; ended {}",
            grouped(summary.bodies as u64),
            summary.time,
            summary.ending.reason()
        ),
        format!(
            "  collisions      {}, {} a second",
            grouped(summary.collisions),
            grouped(summary.collisions_per_second() as u64)
        ),
        format!("  temperature     {:.6}", summary.temperature),
        format!(
            "  pressure        {:.6}, PV/NkT {:.4}",
            summary.pressure, summary.reduced_pressure
        ),
        format!("  mean free path  {:.6}", summary.mean_free_path),
        format!("  packing         {:.6}", summary.packing_fraction),
        format!("  smallest gap    {:.2e} of a radius", summary.smallest_gap),
    ];
    if summary.dissipated > 0.0 {
        lines.push(format!("  energy lost     {:.6}", summary.dissipated));
    }
    if let Some(square) = summary.mean_square_displacement {
        lines.push(format!("  displacement    {square:.6} mean square"));
    }
    lines.push(format!("  neighbours      {}: {}", summary.structure.0, summary.structure.1));
    lines.push(format!(
        "  time            {:.2} s to start, {:.2} s running, {:.2} s writing",
        timing.initialisation.as_secs_f64(),
        timing.running.as_secs_f64(),
        timing.output.as_secs_f64()
    ));
    let place = if picture && finished { path.join("picture.png") } else { path.join("log.csv") };
    let what = if picture && finished { "picture" } else { "log" };
    lines.push(format!("results in {}; {what}: {}", path.display(), place.display()));
    lines.join("\n") + "\n"
}

/// Shown only where standard error is a terminal.
struct Bar {
    bar: ProgressBar,
    start: Instant,
    first: Progress,
}

impl Bar {
    fn new(common: &Common, first: Progress) -> Self {
        let bar = if common.quiet { ProgressBar::hidden() } else { ProgressBar::new(10_000) };
        let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
        let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Bar { bar, start: Instant::now(), first }
    }

    fn show(&mut self, progress: &Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = (progress.collisions - self.first.collisions) as f64 / seconds;
        let done = progress.part - self.first.part;
        let left = seconds * (1.0 - progress.part) / done;
        let left = if left.is_finite() { format!(", {left:.0} s left") } else { String::new() };
        self.bar.set_position((progress.part * 10_000.0) as u64);
        self.bar.set_message(format!(
            "time {:.4}, {} collisions, {} a second{left}",
            progress.time,
            grouped(progress.collisions),
            grouped(rate as u64)
        ));
    }

    fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
