//! Results folders in which something was damaged, removed or added: resumed, viewed and exported.

use crate::campaign::{Attack, AttackSite};
use crate::folder;
use crate::outcome::{AttackFinding, AttemptOutcome, AttemptResult};
use crate::program::shown;
use crate::scene_writer::AttackedEngine;
use carom::io::checkpoint_checksum;
use carom_attack::mutation;
use carom_attack::random::AttackRandom;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);
/// Number of folders that are damaged again and again.
const ORIGINALS: u64 = 6;

type ResultFiles = BTreeMap<PathBuf, Vec<u8>>;

/// Damaged results folders.
#[derive(Debug, Default)]
pub struct DamagedResults {
    originals: Vec<ResultFiles>,
}

impl DamagedResults {
    /// Results of runs of all engines, some of which were stopped on the way.
    fn make(&mut self, site: &AttackSite) -> Result<(), String> {
        for number in 0..ORIGINALS {
            let engine = AttackedEngine::ALL[number as usize % 3];
            let mut random = AttackRandom::of_case(1, "originals", number);
            let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
            let scene = engine.scene(&mut random, 0.4).text;
            std::fs::write(folder.path().join("scene.toml"), scene)
                .map_err(|error| error.to_string())?;
            let limit = if number < 3 { "100s" } else { "30ms" };
            let words = [
                "run",
                "scene.toml",
                "--quiet",
                "--out",
                "run",
                "--threads",
                "1",
                "--max-walltime",
                limit,
            ];
            let ended = site
                .program
                .run(folder.path(), "", &words, PATIENCE)
                .map_err(|error| error.to_string())?;
            ended.outcome()?;
            let files =
                folder::contents(&folder.path().join("run")).map_err(|error| error.to_string())?;
            if files.contains_key(Path::new("checkpoint.bin")) {
                self.originals.push(files);
            }
        }
        match self.originals.is_empty() {
            true => Err("no run gave results to damage".into()),
            false => Ok(()),
        }
    }
}

impl Attack for DamagedResults {
    fn name(&self) -> String {
        "results".into()
    }

    fn attempt_description(&self) -> String {
        "a folder of results with a damaged log, checkpoint, frame, scene or summary: resumed, exported".into()
    }

    fn attempt(&mut self, random: &mut AttackRandom, site: &AttackSite) -> AttemptResult {
        if self.originals.is_empty() {
            self.make(site).map_err(|sentence| AttackFinding::new(sentence, "carom run"))?;
        }
        let mut files = random.choose(&self.originals).clone();
        for _ in 0..random.between(1, 2) {
            damage(&mut files, random);
        }
        let command = match random.below(3) {
            0 => vec!["export", "run", "--html", "out.html"],
            1 => vec![
                "run",
                "--out",
                "run",
                "--resume",
                "--quiet",
                "--threads",
                "1",
                "--max-walltime",
                "2s",
            ],
            _ => vec![
                "run",
                "--out",
                "run",
                "--resume",
                "--until",
                "1e3",
                "--threads",
                "1",
                "--max-walltime",
                "100ms",
            ],
        };
        attempt(&files, &command, site).map_err(|sentence| {
            let mut finding = AttackFinding::new(sentence, shown("", &command));
            finding.files = files
                .into_iter()
                .map(|(name, bytes)| (Path::new("run").join(name), bytes))
                .collect();
            finding
        })
    }

    fn weight(&self) -> f64 {
        2.0
    }
}

/// Damages, removes or exchanges a file.
fn damage(files: &mut ResultFiles, random: &mut AttackRandom) {
    let names: Vec<PathBuf> = files.keys().cloned().collect();
    if names.is_empty() {
        return;
    }
    // Half of the time a file that a resume reads first.
    let name = match random.below(4) {
        0 => PathBuf::from("log.csv"),
        1 => PathBuf::from("checkpoint.bin"),
        _ => random.choose(&names).clone(),
    };
    let Some(bytes) = files.get(&name).cloned() else { return };
    let is_text = str::from_utf8(&bytes).is_ok();
    match random.below(12) {
        0 => drop(files.remove(&name)),
        1 => drop(files.insert(name, files[random.choose(&names)].clone())),
        2 => drop(files.insert(name, Vec::new())),
        3 => drop(files.insert(random.choose(&names).with_extension("vtp"), bytes)),
        _ if is_text => drop(files.insert(name, mutation::text(&bytes, &[], random))),
        _ => {
            let mut damaged = mutation::binary(&bytes, &[], random);
            if name.ends_with("checkpoint.bin") && random.once_in(2) {
                seal(&mut damaged);
            }
            files.insert(name, damaged);
        }
    }
}

/// Corrects the last checksum of a checkpoint, so that the checks behind it are reached.
fn seal(bytes: &mut [u8]) {
    if let Some((before, sum)) = bytes.split_last_chunk_mut() {
        *sum = checkpoint_checksum(before);
    }
}

fn attempt(
    files: &ResultFiles,
    command: &[&str],
    site: &AttackSite,
) -> Result<AttemptOutcome, String> {
    let message = |error: std::io::Error| error.to_string();
    let place = tempfile::tempdir().map_err(message)?;
    folder::write(&place.path().join("run"), files).map_err(message)?;
    let before = folder::contents(place.path()).map_err(message)?;
    let ended = site.program.run(place.path(), "", command, PATIENCE).map_err(message)?;
    let outcome = ended.outcome()?;
    if let Some(partial) = folder::partial_file(place.path()).map_err(message)? {
        return Err(format!("it left {}", partial.display()));
    }
    match outcome == AttemptOutcome::Refused
        && folder::contents(place.path()).map_err(message)? != before
    {
        true => Err(format!("exit code 2 and yet files were changed: {}", ended.stderr.trim())),
        false => Ok(outcome),
    }
}
