//! `carom reproduce`.

use crate::arguments::{CommonArguments, ReproduceArguments};
use crate::failure::{CommandFailure, print};
use crate::{numbers, out_folder};
use carom_papers::page::{self, Chapter};
use carom_papers::paper_004::koti1989::{self, Koti1989Error, Koti1989Scene};
use carom_papers::{PAPERS, Paper, Settings, paper_004};
use indicatif::{ProgressBar, ProgressStyle};
use std::path::Path;

pub fn run(options: &ReproduceArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let papers = match &options.paper {
        None => PAPERS.to_vec(),
        Some(number) => vec![find(number)?],
    };
    let scene = options.data.as_deref().map(|file| data(file, &papers)).transpose()?;
    out_folder::make(&options.out)?;
    for paper in papers {
        common.report(format!("paper {}: {}", paper.number, paper.title));
        let bar = progress_bar(common);
        let mut on_progress = |what: &str, part: f64| {
            bar.set_message(what.to_owned());
            bar.set_position((part * 1000.0) as u64);
        };
        let report = match &scene {
            None => Ok((paper.run)(&Settings { quick: options.quick }, &mut on_progress)),
            Some((name, scene)) => {
                let report = paper_004::run_data(scene, &mut on_progress);
                report.map_err(|error| CommandFailure::input(format!("{name}: {error}")))
            }
        };
        bar.finish_and_clear();
        let report = report?;
        for file in &report.files {
            let content = file.content.as_bytes();
            let file = options.out.join(&file.name);
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder)
                    .map_err(|source| carom::io::Error::cannot_write(folder, source))?;
            }
            carom::io::write_atomically(&file, |out| out.write_all(content))?;
        }
        print(&report.summary)?;
        common.report(format!("{} files in {}", report.files.len(), options.out.display()));
    }
    write_page(&options.out, common)
}

/// Writes one page of all papers whose reports are in the folder, those of earlier runs too.
fn write_page(folder: &Path, common: &CommonArguments) -> Result<(), CommandFailure> {
    let chapters: Vec<Chapter> =
        PAPERS.into_iter().filter_map(|paper| chapter(&folder.join(paper.number), paper)).collect();
    if chapters.is_empty() {
        return Ok(());
    }
    let file = folder.join("report.html");
    let page = page::html(&chapters);
    carom::io::write_atomically(&file, |out| out.write_all(page.as_bytes()))?;
    common.report(format!("all of it on one page: {}", file.display()));
    Ok(())
}

/// The report in a folder, if there is one, and the figures beside it.
fn chapter(folder: &Path, paper: Paper) -> Option<Chapter> {
    let markdown = std::fs::read_to_string(folder.join("report.md")).ok()?;
    let is_beside = |name: &String| Path::new(name).file_name() == Some(name.as_ref());
    let read = |name: String| {
        let svg = std::fs::read_to_string(folder.join(&name)).ok()?;
        Some((name, svg))
    };
    let names = Chapter::figures_in(&markdown).into_iter();
    let figures = names.filter(is_beside).filter_map(read).collect();
    Some(Chapter { paper, markdown, figures })
}

/// Reads the data file of a user; only paper 004 has data files.
fn data(file: &Path, papers: &[Paper]) -> Result<(String, Koti1989Scene), CommandFailure> {
    if !matches!(papers, [paper] if paper.number == "004") {
        let rule = "only paper 004 has data files; give its number before --data";
        return Err(CommandFailure::input(rule));
    }
    let scene = koti1989::read_koti1989(file).map_err(|error| match error {
        Koti1989Error::File(error) => error.into(),
        other => CommandFailure::input(other.to_string()),
    })?;
    Ok((file.display().to_string(), scene))
}

fn find(number: &str) -> Result<Paper, CommandFailure> {
    Paper::numbered(number)
        .ok_or_else(|| numbers::unknown("the paper", number, PAPERS.map(|paper| paper.number)))
}

/// A progress bar, shown only where standard error is a terminal.
fn progress_bar(common: &CommonArguments) -> ProgressBar {
    let bar = if common.quiet { ProgressBar::hidden() } else { ProgressBar::new(1000) };
    let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
    bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
