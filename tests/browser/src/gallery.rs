//! The gallery: where the pages come from, and a page itself.

use crate::browser::Browser;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder_in(folder: &Path) -> PathBuf {
    folder.join("gallery")
}

/// The scene files of a folder with these names, or all of them.
pub fn scenes(folder: &Path, names: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    if !names.is_empty() {
        return Ok(names.iter().map(|name| folder.join(name).with_extension("toml")).collect());
    }
    let entries = std::fs::read_dir(folder)
        .map_err(|error| format!("{} cannot be read: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "toml"));
    paths.sort();
    Ok(paths)
}

/// Runs these scenes shortly; gives their names and pages.
pub fn make(
    program: &Path,
    scenes: &[PathBuf],
    folder: &Path,
) -> Result<Vec<(String, PathBuf)>, String> {
    let gallery = folder_in(folder);
    let status = Command::new(program)
        .args(["gallery", "--quick", "--quiet", "--out"])
        .arg(&gallery)
        .args(scenes)
        .status()
        .map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    if !status.success() {
        return Err(format!("carom gallery ended with {status}"));
    }
    let page_of = |scene: &PathBuf| {
        let name = scene.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let page = gallery.join(format!("{name}.html"));
        (name, page)
    };
    Ok(scenes.iter().map(page_of).collect())
}

/// A file as an address.
pub fn address(path: &Path) -> Result<String, String> {
    let path = path
        .canonicalize()
        .map_err(|error| format!("{} cannot be found: {error}", path.display()))?;
    Ok(format!("file://{}", path.display()))
}

/// Its pictures are all there, and each has a page to go to.
pub fn check(browser: &mut Browser, folder: &Path, count: usize) -> Result<(), String> {
    browser.open(&address(&folder_in(folder).join("index.html"))?)?;
    browser.value("document.querySelectorAll('img').forEach((it) => { it.loading = 'eager'; })")?;
    browser.wait_for("[...document.images].every((it) => it.complete)")?;
    let shown = browser.value("[...document.images].filter((it) => it.naturalWidth > 0).length")?;
    let linked = browser.value("document.querySelectorAll('h2 a[href$=\".html\"]').length")?;
    browser.screenshot()?.save(&folder.join("gallery.png"))?;
    let complaints = browser.take_complaints();
    if shown != count || linked != count || !complaints.is_empty() {
        return Err(format!(
            "of {count} scenes {shown} have pictures and {linked} have pages; complaints: {complaints:?}"
        ));
    }
    Ok(())
}
