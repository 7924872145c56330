//! Long runs: energy must not drift and memory must not grow. They continue where they were stopped.

use crate::campaign::AttackSite;
use crate::log_table::LogTable;
use crate::program::{ProgramOutput, wait};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

/// Time from one look at a run to the next.
const GLANCE: Duration = Duration::from_secs(1);
/// Time from one line of output to the next.
const LINE: Duration = Duration::from_secs(20);

/// A long run, the work that is counted in it, and the sum that must be constant.
struct Soak {
    name: &'static str,
    scene: fn(f64) -> String,
    /// Total work, in `unit`.
    work: f64,
    unit: &'static str,
    /// Column that counts work, and the work per count.
    counted: (&'static str, f64),
    /// Columns whose sum is constant, and the largest relative change.
    conserved_columns: &'static [&'static str],
    tolerance: f64,
}

/// Number of spheres of an elastic fluid.
const FLUID_BODIES: f64 = 4000.0;
/// Number of spheres of the DEM gas and bed.
const STEP_BODIES: f64 = 1000.0;

const SOAKS: [Soak; 3] = [
    Soak {
        name: "fluid",
        scene: fluid,
        work: 1e9,
        unit: "collisions",
        counted: ("collisions", 1.0),
        conserved_columns: &["kinetic_energy"],
        tolerance: 1e-9,
    },
    Soak {
        name: "gas",
        scene: gas,
        work: 1e8,
        unit: "body steps",
        counted: ("steps", STEP_BODIES),
        conserved_columns: &["kinetic_energy", "rotational_energy", "contact_energy"],
        tolerance: 1e-2,
    },
    Soak {
        name: "bed",
        scene: bed,
        work: 1e8,
        unit: "body steps",
        counted: ("steps", STEP_BODIES),
        conserved_columns: &[
            "kinetic_energy",
            "rotational_energy",
            "potential_energy",
            "contact_energy",
            "damping_loss",
            "friction_loss",
        ],
        tolerance: 1e-2,
    },
];

fn fluid(work: f64) -> String {
    format!(
        "engine = \"event-driven\"\ndimension = 3\ncollisions = {work}\n[[generate]]\nkind = \"random\"\ncount = {FLUID_BODIES}\n\
         radius = 0.5\npacking_fraction = 0.3\ntemperature = 1.0\n[output]\nlog_collisions = {}\ncheckpoint_interval = 30\npicture = false\n",
        work / 1000.0
    )
}

/// Elastic spheres in flight, whose energy must be constant.
fn gas(work: f64) -> String {
    let step = 2e-4;
    let until = work / STEP_BODIES * step;
    format!(
        "engine = \"dem\"\ndimension = 3\nuntil = {until}\nstep = {step}\n[materials.default]\ndensity = 1\nstiffness = 1e4\n\
         restitution = 1\n[[generate]]\nkind = \"random\"\ncount = {STEP_BODIES}\nradius = 0.5\npacking_fraction = 0.2\ntemperature = 1.0\n\
         [output]\nlog_interval = {}\ncheckpoint_interval = 30\npicture = false\n",
        (until / 1000.0).max(step)
    )
}

/// Rough spheres that fall and come to rest.
fn bed(work: f64) -> String {
    let step = 2e-4;
    let until = work / STEP_BODIES * step;
    format!(
        "engine = \"dem\"\ndimension = 3\nuntil = {until}\nstep = {step}\n[box]\nsize = [10, 10, 16]\n\
         boundary = [\"periodic\", \"periodic\", \"wall\"]\n[gravity]\nacceleration = [0, 0, -10]\n[materials.default]\ndensity = 1\n\
         stiffness = 1e4\nrestitution = 0.3\nfriction = 0.5\n[[generate]]\nkind = \"random\"\ncount = {STEP_BODIES}\nradius = 0.45\n\
         [output]\nlog_interval = {}\ncheckpoint_interval = 30\npicture = false\n",
        (until / 1000.0).max(step)
    )
}

/// Runs or resumes all of them in a folder; `scale` makes them shorter. Returns a table, and whether all held.
pub fn run(folder: &Path, scale: f64, site: &AttackSite) -> Result<(String, bool), String> {
    let mut table = String::from(
        "| run | work | per second | change of energy | allowed | memory, first tenth | memory, end | result |\n\
         |---|--:|--:|--:|--:|--:|--:|---|\n",
    );
    let mut all_held = true;
    for soak in &SOAKS {
        let (line, holds) = soak.run(folder, scale, site)?;
        all_held &= holds;
        table += &format!("{line} {} |\n", if holds { "kept" } else { "FAILED" });
    }
    Ok((table, all_held))
}

impl Soak {
    fn run(&self, folder: &Path, scale: f64, site: &AttackSite) -> Result<(String, bool), String> {
        let message = |error: std::io::Error| error.to_string();
        let work = self.work * scale;
        let name = format!("{}-{work:e}", self.name);
        fs::create_dir_all(folder).map_err(message)?;
        fs::write(folder.join(format!("{name}.toml")), (self.scene)(work)).map_err(message)?;
        let results = folder.join(&name);
        let start = (Instant::now(), self.done(&results));
        if !results.join("summary.json").exists() {
            self.watch(folder, &name, work, site)?;
        }
        let memory = samples(&folder.join(format!("{name}.memory")));
        let done = self.done(&results);
        let rate = (done - start.1) / start.0.elapsed().as_secs_f64();
        let drift = self.drift(&results)?;
        let tenth = memory.get(memory.len() / 10).copied().unwrap_or(0);
        let last = memory.last().copied().unwrap_or(0);
        // A tenth more and some megabytes: buffers that grow with the worst moment so far are no leak.
        let holds =
            drift <= self.tolerance && last <= tenth + tenth / 10 + 8000 && done >= 0.999 * work;
        let line = format!(
            "| {} | {done:.3e} {} | {rate:.2e} | {drift:.1e} | {:.0e} | {:.1} MB | {:.1} MB |",
            self.name,
            self.unit,
            self.tolerance,
            tenth as f64 / 1e3,
            last as f64 / 1e3
        );
        Ok((line, holds))
    }

    /// Starts or resumes the run and watches it until its end; its memory in kB is written to a file, a line per look.
    fn watch(&self, folder: &Path, name: &str, work: f64, site: &AttackSite) -> Result<(), String> {
        let message = |error: std::io::Error| error.to_string();
        let results = folder.join(name);
        let scene = format!("{name}.toml");
        let mut words = vec!["run", &scene, "--quiet", "--out", name, "--threads", "1"];
        words.push(if results.join("checkpoint.bin").exists() { "--resume" } else { "--force" });
        let output = ProgramOutput::new().map_err(message)?;
        let arguments: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        let mut child = site.program.start(folder, "", &arguments, &output).map_err(message)?;
        let mut memory = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(folder.join(format!("{name}.memory")))
            .map_err(message)?;
        let mut line = Instant::now();
        let (start, before) = (Instant::now(), self.done(&results));
        loop {
            std::thread::sleep(GLANCE);
            if child.try_wait().map_err(message)?.is_some() {
                break;
            }
            let resident = resident(&child).unwrap_or(0);
            writeln!(memory, "{resident}").map_err(message)?;
            if line.elapsed() > LINE {
                line = Instant::now();
                let done = self.done(&results);
                let rate = (done - before) / start.elapsed().as_secs_f64();
                eprintln!(
                    "{}: {done:.3e} of {work:.0e} {}, {rate:.2e} per second, {:.0} s to go, {:.1} MB",
                    self.name,
                    self.unit,
                    (work - done) / rate,
                    resident as f64 / 1e3
                );
            }
        }
        let status = wait(&mut child, GLANCE).map_err(message)?;
        let ended = output.ended(status).map_err(message)?;
        match ended.outcome()? {
            crate::outcome::AttemptOutcome::Accepted => Ok(()),
            other => Err(format!(
                "{name} ended early ({other:?}): {}; the same command continues it",
                ended.stderr.trim()
            )),
        }
    }

    /// Work done so far, from the last row of the log.
    fn done(&self, results: &Path) -> f64 {
        let log = LogTable::read(&results.join("log.csv")).ok();
        let counts = log.and_then(|log| log.column(self.counted.0));
        counts.and_then(|counts| counts.last().copied()).unwrap_or(0.0) * self.counted.1
    }

    /// Largest change of the sum that must be constant, relative to the energy turned over.
    fn drift(&self, results: &Path) -> Result<f64, String> {
        let log = LogTable::read(&results.join("log.csv"))?;
        let columns = log.columns(self.conserved_columns);
        let sums: Vec<f64> =
            (0..log.len()).map(|row| columns.iter().map(|column| column[row]).sum()).collect();
        let change = sums.iter().map(|sum| (sum - sums[0]).abs()).fold(0.0, f64::max);
        let scale = columns.iter().flatten().map(|value| value.abs()).fold(0.0, f64::max);
        Ok(change / scale)
    }
}

/// Recorded memory, in kB.
fn samples(path: &Path) -> Vec<u64> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| line.parse().ok()).filter(|&memory| memory > 0).collect()
}

/// Resident memory of a process in kB.
fn resident(child: &Child) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
