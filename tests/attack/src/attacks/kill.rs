//! Runs killed at random moments and resumed until their end: byte for byte equal to uninterrupted runs.

use crate::campaign::{Attack, AttackCounts, AttackSite};
use crate::folder;
use crate::outcome::{AttackFinding, AttemptOutcome, AttemptResult};
use crate::program::{ProgramOutput, wait};
use crate::scene_writer::AttackedEngine;
use carom_attack::random::AttackRandom;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(120);
/// After this number of kills a run is left to end.
const MOST_KILLS: usize = 8;

/// Killed runs of one engine.
#[derive(Debug)]
pub struct Kill {
    engine: AttackedEngine,
    kills: u64,
}

impl Kill {
    /// Kills runs of this engine.
    pub fn new(engine: AttackedEngine) -> Self {
        Kill { engine, kills: 0 }
    }
}

impl Attack for Kill {
    fn name(&self) -> String {
        format!("kills-{}", self.engine.name())
    }

    fn attempt_description(&self) -> String {
        format!(
            "a run killed by SIGKILL at random moments and resumed until its end, byte for byte that of an uncut run: {} kills",
            self.kills
        )
    }

    fn count(&self, _: &AttackCounts) -> u64 {
        self.kills
    }

    fn attempt(&mut self, random: &mut AttackRandom, site: &AttackSite) -> AttemptResult {
        let length = random.uniform(3.0, 12.0);
        let scene = self.engine.scene(random, length).text;
        let mut moments = Vec::new();
        let tried = attempt(&scene, random, &mut moments, site);
        self.kills += moments.len() as u64;
        tried.map_err(|sentence| {
            let shown: Vec<String> = moments
                .iter()
                .map(|moment| format!("{:.1} ms", moment.as_secs_f64() * 1e3))
                .collect();
            let command = format!(
                "carom run scene.toml --out cut, killed after {}, resumed each time",
                shown.join(", ")
            );
            AttackFinding::new(sentence, command).with_file("scene.toml", scene)
        })
    }

    fn weight(&self) -> f64 {
        2.0
    }
}

fn attempt(
    scene: &str,
    random: &mut AttackRandom,
    moments: &mut Vec<Duration>,
    site: &AttackSite,
) -> Result<AttemptOutcome, String> {
    let message = |error: std::io::Error| error.to_string();
    let folder = tempfile::tempdir().map_err(message)?;
    fs::write(folder.path().join("scene.toml"), scene).map_err(message)?;
    let start = Instant::now();
    let words = ["run", "scene.toml", "--quiet", "--threads", "1", "--out", "uncut"];
    let outcome =
        site.program.run(folder.path(), "", &words, PATIENCE).map_err(message)?.outcome()?;
    if outcome != AttemptOutcome::Accepted {
        return Ok(outcome);
    }
    let whole = start.elapsed();
    loop {
        let share = if moments.len() < MOST_KILLS { random.uniform(0.0, 0.7) } else { 1e3 };
        let moment = whole.mul_f64(share).min(PATIENCE);
        // Half of the time it is killed while it stops by itself, around the writing of a checkpoint.
        let stop = random.once_in(2).then(|| moment.mul_f64(random.uniform(0.4, 1.1)));
        match start_and_kill(folder.path(), moment, stop, site)? {
            Some(AttemptOutcome::Accepted) => break,
            Some(_) => {}
            None => moments.push(moment),
        }
    }
    match folder::difference(&folder.path().join("uncut"), &folder.path().join("cut"))
        .map_err(message)?
    {
        Some(difference) => Err(format!("after {} kills {difference}", moments.len())),
        None => Ok(AttemptOutcome::Accepted),
    }
}

/// Starts or resumes the run and kills it after a delay; returns how it ended if it was faster.
fn start_and_kill(
    folder: &Path,
    moment: Duration,
    stop: Option<Duration>,
    site: &AttackSite,
) -> Result<Option<AttemptOutcome>, String> {
    let message = |error: std::io::Error| error.to_string();
    let mut words = vec!["run", "scene.toml", "--quiet", "--threads", "1", "--out", "cut"];
    // Killed before its first checkpoint, a run starts again.
    match folder.join("cut/checkpoint.bin").exists() {
        true => words.push("--resume"),
        false => words.push("--force"),
    }
    let stop = stop.map(|stop| format!("{}ms", stop.as_millis()));
    if let Some(stop) = &stop {
        words.extend(["--max-walltime", stop]);
    }
    let output = ProgramOutput::new().map_err(message)?;
    let arguments: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
    let mut child = site.program.start(folder, "", &arguments, &output).map_err(message)?;
    let Some(status) = wait(&mut child, moment).map_err(message)? else { return Ok(None) };
    let ended = output.ended(Some(status)).map_err(message)?;
    match ended.outcome()? {
        outcome @ (AttemptOutcome::Accepted | AttemptOutcome::Stopped) => Ok(Some(outcome)),
        other => Err(format!("it could not be resumed ({other:?}): {}", ended.stderr.trim())),
    }
}
