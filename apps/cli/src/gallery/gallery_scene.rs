//! One scene of a gallery: runs it if necessary, exports it, and makes its card.

use super::scene_digests::SceneDigestStore;
use crate::arguments::{CommonArguments, RunArguments};
use crate::failure::CommandFailure;
use crate::run::{self, for_shell};
use crate::shipped;
use carom::scene::AnyScene;
use carom::scene::scene::Limits;
use carom_view::gallery::{Card, key_figures};
use carom_view::{ExportOptions, export};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Number of frames after which a quick run ends.
const QUICK_FRAMES: f64 = 3.0;
/// Divisor of the number of collisions of a quick run, where a scene has no interval of frames.
const QUICK_PART: u64 = 100;
/// A description continues after a sentence shorter than this.
const SHORT: usize = 30;

pub struct GalleryScene<'a> {
    pub name: &'a str,
    pub scene: &'a Path,
    pub folder: &'a Path,
    pub quick: bool,
    pub common: &'a CommonArguments,
}

impl GalleryScene<'_> {
    /// Runs the scene, if it was not run or has changed since, and writes its page.
    pub fn card(&self, memory: &mut SceneDigestStore) -> Result<Card, CommandFailure> {
        let quiet = CommonArguments { quiet: true, threads: self.common.threads, memory: None };
        let results = self.results();
        let read =
            |settings: &[String]| crate::scene::read_to_run(self.scene, &results, settings, &quiet);
        let mut scene = read(&[])?;
        let settings = if self.quick { quick_settings(&scene) } else { Vec::new() };
        if self.quick {
            scene = read(&settings)?;
        }
        let known = memory.matches(&self.run_name(), &scene);
        if known && self.is_finished() {
            self.common.report(format!("{}: has been run", self.name));
        } else {
            self.common.report(format!("{}: running", self.name));
            let resume = known && self.results().join("checkpoint.bin").exists();
            // Results that are not the gallery's own are never replaced.
            let replace = !resume && memory.contains(&self.run_name());
            let before = memory.record(&self.run_name(), &scene)?;
            let ran = run::run(&self.run_options(&settings, resume, replace), &quiet);
            if let Err(CommandFailure::Input(_)) = ran {
                // The scene was refused, and the earlier results still exist.
                memory.restore(&self.run_name(), before)?;
            }
            ran?;
        }
        let results = carom_view::Run::open(&self.results())?;
        let exported = export(&results, &ExportOptions::default(), &self.page())?;
        exported.faults.iter().for_each(|fault| self.common.report(format!("warning: {fault}")));
        let mut figures = key_figures(&self.summary().unwrap_or_default());
        figures.push(("frames".into(), exported.frames.to_string()));
        figures.push(("page".into(), format!("{:.1} MB", exported.bytes as f64 / 1e6)));
        let picture = self.results().join("picture.png");
        Ok(Card {
            picture: picture.exists().then(|| format!("{}/picture.png", address(&self.results()))),
            page: Some(address(&self.page())),
            figures,
            commands: self.commands(&settings),
            ..self.description_card()
        })
    }

    /// The card of a scene that could not be run.
    pub fn failure_card(&self, sentence: String) -> Card {
        Card { fault: Some(sentence), ..self.description_card() }
    }

    fn description_card(&self) -> Card {
        let description = match shipped::of_path(self.scene) {
            Ok(Some(scene)) => description(scene.text),
            _ => description(&std::fs::read_to_string(self.scene).unwrap_or_default()),
        };
        Card { name: self.name.into(), description, ..Card::default() }
    }

    /// Name of the run; quick runs are kept beside whole ones.
    fn run_name(&self) -> String {
        format!("{}{}", self.name, if self.quick { ".quick" } else { "" })
    }

    fn results(&self) -> PathBuf {
        self.folder.join(format!("{}.run", self.run_name()))
    }

    fn page(&self) -> PathBuf {
        self.folder.join(format!("{}.html", self.name))
    }

    fn summary(&self) -> Option<Value> {
        serde_json::from_slice(&std::fs::read(self.results().join("summary.json")).ok()?).ok()
    }

    fn is_finished(&self) -> bool {
        self.summary().is_some_and(|summary| summary["finished"] == true)
    }

    fn run_options(&self, settings: &[String], resume: bool, force: bool) -> RunArguments {
        RunArguments {
            scene: Some(self.scene.to_owned()),
            out: Some(self.results()),
            resume,
            new_folder: None,
            from: None,
            force,
            until: None,
            set: settings.to_vec(),
            max_walltime: None,
            progress_interval: None,
            check: false,
            force_energy: false,
            json: false,
        }
    }

    /// The commands as a reader would type them.
    fn commands(&self, settings: &[String]) -> Vec<String> {
        let word = |path: &Path| for_shell(&path.display().to_string());
        let set: String = settings.iter().map(|it| format!(" --set {}", for_shell(it))).collect();
        let (scene, results, page) = (word(self.scene), word(&self.results()), word(&self.page()));
        vec![
            format!("carom run {scene}{set} --out {results}"),
            format!("carom export {results} --html {page}"),
        ]
    }
}

/// The last component of a path as part of a URL, percent-encoded.
fn address(path: &Path) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let letter = |byte: u8| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    name.bytes().map(letter).collect()
}

/// Settings of a quick run: a few frames, or a small part of the collisions.
fn quick_settings(scene: &AnyScene) -> Vec<String> {
    let (limits, interval) = match scene {
        AnyScene::TwoD(scene) => (&scene.limits, scene.output.interval),
        AnyScene::ThreeD(scene) => (&scene.limits, scene.output.interval),
    };
    match (limits, interval) {
        (Limits { until: Some(until), .. }, Some(interval)) => {
            // Rounded, or 0.15 would become 0.15000000000000002.
            let few = (QUICK_FRAMES * interval * 1e12).round() / 1e12;
            vec![format!("until={:?}", few.min(*until))]
        }
        (Limits { collisions: Some(collisions), .. }, _) => {
            vec![format!("collisions={}", (collisions / QUICK_PART).max(1))]
        }
        _ => Vec::new(),
    }
}

/// The first comment lines of a scene: a sentence, and more if it is short.
fn description(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    let words = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let mut end = 0;
    for (place, mark) in words.match_indices(". ").chain(words.match_indices("! ")) {
        if place >= SHORT {
            end = if end == 0 { place + mark.len() } else { end.min(place + mark.len()) };
        }
    }
    if end == 0 { words } else { words[..end].trim_end().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_description_is_the_first_sentence_of_some_length() {
        let text = "# Break! A heavy disc is shot into 0.5 of\n# a lattice. And so on.\nengine = 1";
        assert_eq!(description(text), "Break! A heavy disc is shot into 0.5 of a lattice.");
        assert_eq!(description("# One line\n#\n# more"), "One line");
        assert_eq!(description("engine = 'event-driven'"), "");
    }

    #[test]
    fn names_become_addresses() {
        assert_eq!(address(Path::new("a/my drum.html")), "my%20drum.html");
        assert_eq!(address(Path::new("javascript:x")), "javascript%3Ax");
    }
}
