//! Scenes from files, with what is shown while their bodies find places.

use crate::arguments::Common;
use crate::failure::Failure;
use carom::scene::Scene;
use carom::scene::scene::Outline;
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;
use std::time::{Duration, Instant};

/// Scenes that are ready sooner show nothing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The scene of a file with settings put in.
pub fn read(path: &Path, settings: &[String], common: &Common) -> Result<Scene, Failure> {
    let (start, mut bar) = (Instant::now(), None);
    let watch = &mut |placed: usize, count: usize| {
        if !common.quiet && start.elapsed() >= PATIENCE {
            let bar = bar.get_or_insert_with(|| progress_bar(count));
            bar.set_length(count as u64);
            bar.set_position(placed as u64);
        }
    };
    let scene = Outline::read(path, settings)?.expand_watched(watch);
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    Ok(scene?)
}

/// What is said of scenes whose engine this command does not have.
pub fn not_there_yet(name: &str) -> Failure {
    let rule = "engine = \"deform\" is not there yet, take \"events\" or \"steps\"";
    Failure::input(format!("{name}: {rule}"))
}

/// Shown only where standard error is a terminal.
fn progress_bar(count: usize) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{bar:30} {percent:>3} %  {human_pos} of {human_len} bodies \
         have found a place",
    );
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(count as u64).with_style(style)
}
