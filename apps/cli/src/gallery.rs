//! `carom gallery`.

mod gallery_scene;
mod scene_digests;

use crate::arguments::{CommonArguments, GalleryArguments};
use crate::failure::CommandFailure;
use crate::{interrupt, out_folder, shipped};
use carom::io::write_atomically;
use carom_view::gallery::{self, Card};
use gallery_scene::GalleryScene;
use scene_digests::SceneDigestStore;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Title of the page, by which it is also recognized.
const TITLE: &str = "Scenes of carom";

pub fn run(options: &GalleryArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let scenes = match options.scenes.as_slice() {
        [] => shipped::SCENES.iter().map(|scene| (scene.name.to_owned(), scene.path())).collect(),
        paths => scenes(paths)?,
    };
    let folder = &options.out;
    out_folder::make(folder)?;
    refuse_other_page(&page(folder))?;
    let mut memory = SceneDigestStore::of(folder);
    let (mut cards, mut failed, mut on_the_way) = (Vec::new(), Vec::new(), false);
    for (name, scene) in &scenes {
        let exhibit = GalleryScene { name, scene, folder, quick: options.quick, common };
        let mut failed_with = |sentence: String| {
            common.report(format!("error: {sentence}"));
            failed.push(name.as_str());
            exhibit.failure_card(sentence)
        };
        cards.push(match exhibit.card(&mut memory) {
            Ok(card) => card,
            Err(CommandFailure::Input(sentence)) => failed_with(sentence),
            Err(CommandFailure::Running(sentence)) => {
                on_the_way = true;
                failed_with(sentence)
            }
            Err(stop) => return Err(stop),
        });
        // After every scene, so that there is something to look at from the first one on.
        write_page(folder, &cards)?;
        if interrupt::stop_requested() {
            return Err(CommandFailure::Stopped(
                "stopped by a signal; the same command continues".into(),
            ));
        }
    }
    let scenes = if cards.len() == 1 { "scene" } else { "scenes" };
    common.report(format!("{} {scenes} on one page: {}", cards.len(), page(folder).display()));
    let sentence = format!("these scenes failed: {}", failed.join(", "));
    match (failed.is_empty(), on_the_way) {
        (true, _) => Ok(()),
        (false, true) => Err(CommandFailure::Running(sentence)),
        (false, false) => Err(CommandFailure::Input(sentence)),
    }
}

fn page(folder: &Path) -> PathBuf {
    folder.join("index.html")
}

/// Returns an error if there is a page that is not one of a gallery.
fn refuse_other_page(page: &Path) -> Result<(), CommandFailure> {
    match std::fs::read_to_string(page) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Ok(text) if text.contains(&format!("<title>{TITLE}</title>")) => Ok(()),
        _ => Err(CommandFailure::input(format!(
            "{} is there and no page of a gallery; name another folder by --out",
            page.display()
        ))),
    }
}

fn write_page(folder: &Path, cards: &[Card]) -> Result<(), CommandFailure> {
    let text = gallery::html(TITLE, cards);
    Ok(write_atomically(&page(folder), |out| out.write_all(text.as_bytes()))?)
}

/// Scene files by their names without the extension: those given, and all in a given folder.
fn scenes(paths: &[PathBuf]) -> Result<BTreeMap<String, PathBuf>, CommandFailure> {
    let mut scenes = BTreeMap::new();
    for path in paths {
        let shipped = shipped::of_path(path)?;
        if let (None, Err(source)) = (shipped, std::fs::metadata(path)) {
            let file = path.display().to_string();
            return Err(carom::io::Error::CannotRead { file, source }.into());
        }
        let folder = shipped.is_none() && path.is_dir();
        let files = if folder { scenes_of(path)? } else { vec![path.clone()] };
        for file in files {
            let stem = file.file_stem().unwrap_or_default().to_string_lossy();
            let name = shipped.map_or(stem.as_ref(), |scene| scene.name).to_owned();
            if name == "index" {
                let file = file.display();
                return Err(CommandFailure::input(format!(
                    "{file} would share index.html with the gallery itself; give the scene another name"
                )));
            }
            if let Some(other) = scenes.insert(name, file.clone()).filter(|other| *other != file) {
                return Err(CommandFailure::input(format!(
                    "{} and {} would share a folder of results; scenes of a gallery must have different names",
                    other.display(),
                    file.display()
                )));
            }
        }
    }
    match scenes.is_empty() {
        true => Err(CommandFailure::input(format!(
            "{} holds no scene; scenes are files that end in .toml",
            paths.first().map_or(String::new(), |path| path.display().to_string())
        ))),
        false => Ok(scenes),
    }
}

fn scenes_of(folder: &Path) -> Result<Vec<PathBuf>, CommandFailure> {
    let cannot_read =
        |source| carom::io::Error::CannotRead { file: folder.display().to_string(), source };
    let entries = std::fs::read_dir(folder).map_err(cannot_read)?;
    let paths = entries.flatten().map(|entry| entry.path());
    Ok(paths.filter(|path| path.extension().is_some_and(|it| it == "toml")).collect())
}
