//! Reads scenes from files and built-in ones, with a progress bar while bodies are placed.

use crate::arguments::CommonArguments;
use crate::failure::CommandFailure;
use crate::shipped::{self, ShippedScene};
use carom::scene::AnyScene;
use carom::scene::scene::{Engine, SceneOutline};
use carom::{io, scene};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Scenes that are ready sooner show no progress bar.
const PATIENCE: Duration = Duration::from_secs(1);

/// Reads the scene of a file, or of a name such as `:hopper`, with settings applied. Leaves no files behind.
pub fn read(
    path: &Path,
    settings: &[String],
    common: &CommonArguments,
) -> Result<AnyScene, CommandFailure> {
    match shipped::of_path(path)? {
        Some(scene) if scene.mesh_names().next().is_some() => {
            let folder = TemporaryFolder::new()?;
            read_shipped(
                scene,
                &folder.0,
                settings,
                &CommonArguments { quiet: true, ..common.clone() },
            )
        }
        Some(scene) => read_shipped(scene, Path::new(""), settings, common),
        None => expand(read_outline(path, settings)?, common),
    }
}

/// As [`read`], for a scene that is run: the meshes of a built-in one are written into the results folder, where a run
/// that continues finds them.
pub fn read_to_run(
    path: &Path,
    results: &Path,
    settings: &[String],
    common: &CommonArguments,
) -> Result<AnyScene, CommandFailure> {
    match shipped::of_path(path)? {
        Some(scene) => read_shipped(scene, results, settings, common),
        None => expand(read_outline(path, settings)?, common),
    }
}

/// Whether the engine of a scene is bonded; what is wrong with a scene is said when it is read.
pub fn is_of_solids(path: &Path, settings: &[String]) -> Result<bool, CommandFailure> {
    let outline = match shipped::of_path(path)? {
        Some(scene) => SceneOutline::parse(scene.text, "", Path::new(""), settings),
        None => SceneOutline::read(path, settings),
    };
    Ok(outline.and_then(|it| it.header()).is_ok_and(|it| it.engine == Engine::Bonded))
}

/// Reads the scene as it was run in a results folder, with settings applied.
pub fn read_results(
    run: &Path,
    settings: &[String],
    common: &CommonArguments,
) -> Result<AnyScene, CommandFailure> {
    expand(SceneOutline::read_results(run, settings)?, common)
}

fn read_shipped(
    scene: &ShippedScene,
    folder: &Path,
    settings: &[String],
    common: &CommonArguments,
) -> Result<AnyScene, CommandFailure> {
    for mesh in scene.write_meshes(folder)? {
        common.report(format!("{} is written, which the scene needs", mesh.display()));
    }
    let name = scene.path().display().to_string();
    expand(SceneOutline::parse(scene.text, &name, folder, settings)?, common)
}

/// Reads a scene file.
fn read_outline(path: &Path, settings: &[String]) -> Result<SceneOutline, CommandFailure> {
    SceneOutline::read(path, settings).map_err(|error| with_hint(path, error))
}

/// The failure of a scene file that cannot be read; if it does not exist but a built-in scene has its name, it says so.
pub fn with_hint(path: &Path, error: scene::Error) -> CommandFailure {
    match (&error, shipped::matching_scene(path)) {
        (scene::Error::Io(io::Error::CannotRead { source, .. }), Some(scene))
            if source.kind() == ErrorKind::NotFound =>
        {
            CommandFailure::input(format!(
                "{error}; the program carries such a scene, named :{}",
                scene.name
            ))
        }
        _ => error.into(),
    }
}

/// A folder that is removed with its content.
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Returns its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Makes an empty folder.
    pub fn new() -> Result<Self, CommandFailure> {
        let name = format!("carom-{}-{:?}", std::process::id(), std::thread::current().id());
        let folder = std::env::temp_dir().join(name);
        // An existing folder is an error, so that no files of others are used.
        let made = std::fs::create_dir(&folder);
        made.map_err(|source| io::Error::cannot_write(&folder, source))?;
        Ok(TemporaryFolder(folder))
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Places the bodies of a scene, with a progress bar.
fn expand(outline: SceneOutline, common: &CommonArguments) -> Result<AnyScene, CommandFailure> {
    let (start, mut bar) = (Instant::now(), None);
    let watch = &mut |placed: usize, count: usize| {
        if !common.quiet && start.elapsed() >= PATIENCE {
            let bar = bar.get_or_insert_with(|| progress_bar(count));
            bar.set_length(count as u64);
            bar.set_position(placed as u64);
        }
    };
    outline.check_memory(1)?;
    let scene = outline.expand_watched(watch);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(scene?)
}

/// A progress bar, shown only where standard error is a terminal.
fn progress_bar(count: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{bar:30} {percent:>3} %  {human_pos} of {human_len} bodies \
         have found a place",
    );
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(count as u64).with_style(style)
}
