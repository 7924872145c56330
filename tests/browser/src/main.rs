//! carom's pages in a real browser: `carom-browser PROGRAM SCENES FOLDER [NAME...]`.
//!
//! Makes a gallery of the scenes, opens the page of each in Chromium, plays it, clicks a body, moves the slider and
//! looks at the pixels; then the gallery itself, a page in the frame of a notebook, and runs through `carom view`. Screenshots stay in the folder. Without
//! a browser it says so and ends well.

mod browser;
mod framed;
mod gallery;
mod page;
mod picture;
mod served;
mod similarity;
mod viewer;

use browser::Browser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// Scenes in which nothing is to be seen moving.
const STILL: [&str; 1] = ["cubes"];

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [program, scenes, folder, names @ ..] = &arguments[..] else {
        eprintln!("usage: carom-browser PROGRAM SCENES FOLDER [NAME...]");
        return ExitCode::from(2);
    };
    let Some(name) = browser::installed() else {
        eprintln!(
            "browser tests skipped: neither Chromium nor Chrome is installed, and CHROMIUM names none"
        );
        return ExitCode::SUCCESS;
    };
    match everything(&name, program, (scenes, names), folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("error: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// All pages; those that fail are reported, and the others are still looked at.
fn everything(
    name: &str,
    program: &Path,
    (scenes, names): (&Path, &[PathBuf]),
    folder: &Path,
) -> Result<(), String> {
    let start = Instant::now();
    let scenes = gallery::scenes(scenes, names)?;
    let pages = gallery::make(program, &scenes, folder)?;
    eprintln!("gallery of {} scenes made in {:.0} s", pages.len(), start.elapsed().as_secs_f64());
    let mut browser = Browser::start(name)?;
    let mut failed = Vec::new();
    let mut report = |what: &str, start: Instant, result: Result<(), String>| match result {
        Ok(()) => eprintln!("{what}: ok, {:.1} s", start.elapsed().as_secs_f64()),
        Err(sentence) => {
            eprintln!("{what}: FAILED: {sentence}");
            failed.push(what.to_owned());
        }
    };
    for (scene, page) in &pages {
        let start = Instant::now();
        let changes = !STILL.contains(&scene.as_str());
        let shot = folder.join(scene);
        report(scene, start, viewer::check(&mut browser, &gallery::address(page)?, changes, &shot));
    }
    let start = Instant::now();
    report("the gallery", start, gallery::check(&mut browser, folder, pages.len()));
    if let Some((_, page)) = pages.iter().find(|(scene, _)| !STILL.contains(&scene.as_str())) {
        let start = Instant::now();
        report("a page in a notebook", start, framed::check(&mut browser, page, folder));
    }
    let start = Instant::now();
    report("carom view", start, served::check(&mut browser, program, folder));
    let start = Instant::now();
    let followed = served::check_following(&mut browser, program, folder);
    report("carom view of a run under way", start, followed);
    match failed.is_empty() {
        true => Ok(()),
        false => Err(format!("these pages failed in the browser: {}", failed.join(", "))),
    }
}
