//! Random scenes that a user might write: their runs must obey physics, with the same bits for any number of threads.

use crate::campaign::{Attack, AttackSite};
use crate::folder;
use crate::log_table::LogTable;
use crate::minimize::minimize;
use crate::outcome::{AttackFinding, AttemptOutcome, AttemptResult};
pub use crate::scene_writer::AttackedEngine;
use crate::scene_writer::PlannedScene;
use carom::io::{AxisExtent, Frame, FrameFormat, parse_frame};
use carom_attack::random::AttackRandom;
use std::fs;
use std::path::Path;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(120);
const MINIMIZING: Duration = Duration::from_secs(60);

/// Columns whose sum is constant; in DEM the work of walls and the energy of poured bodies are subtracted.
const CONSERVED_COLUMNS: [&str; 10] = [
    "kinetic_energy",
    "rotational_energy",
    "potential_energy",
    "bond_energy",
    "contact_energy",
    "fracture_loss",
    "plastic_loss",
    "damping_loss",
    "friction_loss",
    "constraint_loss",
];
const COLLISION_LOSS: &str = "collision_loss";
const EXTERNAL_WORK: &str = "external_work";

/// Random scenes of one engine.
#[derive(Debug)]
pub struct RandomScene {
    engine: AttackedEngine,
}

impl RandomScene {
    /// Random scenes of this engine.
    pub fn new(engine: AttackedEngine) -> Self {
        RandomScene { engine }
    }
}

impl Attack for RandomScene {
    fn name(&self) -> String {
        format!("random-{}", self.engine.name())
    }

    fn attempt_description(&self) -> String {
        "a random scene on 1, 2 and 3 threads: same bits, energy, momentum, finite numbers, walls"
            .into()
    }

    fn attempt(&mut self, random: &mut AttackRandom, site: &AttackSite) -> AttemptResult {
        let scene = self.engine.scene(random, 1.0);
        let threads = random.between(2, 3);
        let tried = attempt(&scene, threads, site);
        tried.map_err(|sentence| {
            // Whatever is left out, it must be the same kind of finding.
            let kind = |sentence: &str| sentence.split(':').next().unwrap_or_default().to_owned();
            let fails = |text: &[u8]| {
                let text = String::from_utf8_lossy(text).into_owned();
                let error = attempt(&PlannedScene { text, ..scene.clone() }, threads, site).err();
                error.is_some_and(|other| kind(&other) == kind(&sentence))
            };
            let small = minimize(scene.text.as_bytes(), MINIMIZING, fails);
            AttackFinding::new(sentence, format!("carom run scene.toml --threads 1; carom run scene.toml --threads {threads} --out other"))
                .with_file("scene.toml", small)
                .with_file("original.toml", scene.text.as_bytes())
        })
    }

    fn weight(&self) -> f64 {
        2.0
    }
}

fn attempt(
    scene: &PlannedScene,
    threads: usize,
    site: &AttackSite,
) -> Result<AttemptOutcome, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    fs::write(folder.path().join("scene.toml"), &scene.text).map_err(|error| error.to_string())?;
    let run = |threads: usize, out: &str| {
        let threads = threads.to_string();
        let words = ["run", "scene.toml", "--quiet", "--out", out, "--threads", &threads];
        site.program.run(folder.path(), "", &words, PATIENCE).map_err(|error| error.to_string())
    };
    let outcome = run(1, "one")?.outcome()?;
    if outcome != AttemptOutcome::Accepted {
        return Ok(outcome);
    }
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    run(threads, "other")?.outcome()?;
    if let Some(difference) = folder::difference(&one, &other).map_err(|error| error.to_string())? {
        return Err(format!("threads: with {threads} instead of 1 thread {difference}"));
    }
    check_log(scene, &LogTable::read(&one.join("log.csv"))?)?;
    for frame in frames(&one)? {
        check_frame(scene, &frame)?;
    }
    Ok(outcome)
}

fn check_log(scene: &PlannedScene, log: &LogTable) -> Result<(), String> {
    if log.len() < 2 {
        return Err("rows: the log has fewer than two rows".into());
    }
    let mut kept = log.columns(&CONSERVED_COLUMNS);
    kept.extend(log.column(COLLISION_LOSS));
    kept.extend(
        log.column(EXTERNAL_WORK).map(|column| column.into_iter().map(|value| -value).collect()),
    );
    if kept.iter().flatten().any(|value| !value.is_finite()) {
        return Err("finite: an energy of the log is not finite".into());
    }
    let sums: Vec<f64> =
        (0..log.len()).map(|row| kept.iter().map(|column| column[row]).sum()).collect();
    // Energy turned over: the largest change of each kind, and the kinetic energy.
    let motion = log.column("kinetic_energy").unwrap_or_default();
    let turned_over: f64 = kept.iter().map(|column| span(column)).sum::<f64>()
        + motion.into_iter().fold(0.0, f64::max);
    let drift = span(&sums);
    if let Some(tolerance) = scene.energy_tolerance
        && drift > tolerance * turned_over + 1e-300
    {
        return Err(format!(
            "energy: the sum of all energies changes by {drift:e} where {turned_over:e} is turned over"
        ));
    }
    check_losses(log, turned_over)?;
    check_momentum(scene, log)
}

fn span(column: &[f64]) -> f64 {
    let (low, high) = column
        .iter()
        .fold((f64::MAX, f64::MIN), |(low, high), &value| (low.min(value), high.max(value)));
    high - low
}

/// Losses do not fall, except in two ways that docs/columns.md names. A DEM contact that ends within a step gives back
/// a part of what its last step took, so `damping_loss` never falls below what it was before it rose for the last time.
/// Friction of solids acts along the slip of half a step ago, and gives energy where the slip reverses within a step.
fn check_losses(log: &LogTable, turned_over: f64) -> Result<(), String> {
    let rubs_late = log.column("fracture_loss").is_some();
    for (name, gives_back, allowed) in [
        (COLLISION_LOSS, false, 1e-6),
        ("damping_loss", true, 1e-6),
        ("friction_loss", false, if rubs_late { 1e-5 } else { 1e-6 }),
        ("fracture_loss", false, 1e-6),
        ("plastic_loss", false, 1e-6),
    ] {
        let Some(column) = log.column(name) else { continue };
        let fall = largest_fall(&column, gives_back);
        if fall > allowed * turned_over {
            return Err(format!(
                "losses: {name} falls by {fall:e} where {turned_over:e} is turned over"
            ));
        }
    }
    Ok(())
}

/// How far a column falls below its largest value so far, or, where something is given back, below the largest one
/// before that.
fn largest_fall(column: &[f64], gives_back: bool) -> f64 {
    let (mut largest, mut before) = (column[0], column[0]);
    let mut fall = 0.0_f64;
    for &value in column {
        if value > largest {
            (before, largest) = (largest, value);
        }
        fall = fall.max(if gives_back { before } else { largest } - value);
    }
    fall
}

fn check_momentum(scene: &PlannedScene, log: &LogTable) -> Result<(), String> {
    let columns = log.columns(&["momentum_x", "momentum_y", "momentum_z"]);
    if columns.iter().flatten().any(|value| !value.is_finite()) {
        return Err("finite: a momentum of the log is not finite".into());
    }
    let change = columns.iter().map(|column| span(column)).fold(0.0, f64::max);
    let motion = log.column("kinetic_energy").unwrap_or_default().into_iter().fold(0.0, f64::max);
    // Masses of random scenes are about one, and hundreds at most.
    match scene.keeps_momentum && change > 1e-9 * (1.0 + 100.0 * motion) {
        true => {
            Err(format!("momentum: it changes by {change:e} although nothing pushes from outside"))
        }
        false => Ok(()),
    }
}

/// Frames as XYZ, which distinguish walls from open sides.
fn frames(results: &Path) -> Result<Vec<Frame<3>>, String> {
    let mut frames = Vec::new();
    for (name, bytes) in
        folder::contents(&results.join("frames")).map_err(|error| error.to_string())?
    {
        if name.extension().is_some_and(|end| end == "xyz") {
            let frame = parse_frame(&bytes, &name, FrameFormat::Xyz, &[]);
            frames.push(frame.map_err(|error| format!("frames: one is refused: {error}"))?);
        }
    }
    match frames.is_empty() {
        true => Err("frames: there is none".into()),
        false => Ok(frames),
    }
}

fn check_frame(scene: &PlannedScene, frame: &Frame<3>) -> Result<(), String> {
    for (position, &radius) in frame.positions.iter().zip(&frame.radii) {
        for (axis, span) in frame.region.iter().enumerate() {
            let AxisExtent::Walls(length) = *span else { continue };
            let (low, high) = (radius * (1.0 - scene.depth), length - radius * (1.0 - scene.depth));
            let slack = 1e-9 * length;
            let part = position[axis];
            if length > 0.0 && !(low - slack..=high + slack).contains(&part) {
                return Err(format!(
                    "walls: a body of radius {radius} is at {part} of a box of {length} at time {}",
                    frame.time
                ));
            }
        }
    }
    Ok(())
}
