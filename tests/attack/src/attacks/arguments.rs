//! Command lines that hardly anyone would write.

use crate::campaign::{Attack, AttackSite};
use crate::folder;
use crate::outcome::{AttackFinding, AttemptOutcome, AttemptResult};
use crate::program::shown;
use carom_attack::random::AttackRandom;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

/// Commands with options that take values.
const COMMANDS: [(&[&str], &[&str]); 10] = [
    (
        &["contacts", "case:2A:50"],
        &["--method", "--cells-mean", "--origin", "--periodic", "--out", "--svg", "--threads"],
    ),
    (&["contacts", "particles.csv"], &["--method", "--cells-mean", "--origin", "--periodic"]),
    (&["triangulate", "case:3A:30"], &["--periodic", "--out", "--svg", "--cells"]),
    (&["triangulate", "particles.csv"], &["--periodic", "--out", "--svg", "--cells"]),
    (&["inside", "cube.off", "grid:3"], &["--method", "--rule", "--pose", "--out"]),
    (&["distance", "cube.off", "cube.off"], &["--pose-a", "--pose-b"]),
    (
        &["generate", "particles", "--count", "20"],
        &[
            "--dimension",
            "--diameters",
            "--log-normal",
            "--box",
            "--density",
            "--fraction",
            "--lattice",
            "--spacing",
            "--radius",
            "--seed",
        ],
    ),
    (
        &["generate", "polyhedron", "ellipsoid"],
        &["--faces", "--axes", "--sides", "--height", "--size", "--radius", "--seed"],
    ),
    (
        &["generate", "mesh", "sphere"],
        &["--refinements", "--triangles", "--radius", "--cells", "--seed"],
    ),
    (
        &["run", "scene.toml", "--max-walltime", "200ms"],
        &["--out", "--until", "--set", "--max-walltime", "--threads"],
    ),
];

/// Values of all kinds, right for some option and wrong for most.
const VALUES: [&str; 44] = [
    "0",
    "1",
    "2",
    "3",
    "-1",
    "1e3",
    "1e-300",
    "1e300",
    "1e18",
    "nan",
    "inf",
    "-inf",
    "",
    " ",
    "0.5",
    "0.5,0.5",
    "1,1,1",
    "0,0,0",
    "1,2",
    "1e-300,1e300,1",
    "1,2,3,1,0,0,0",
    "1,2,3,0,0,0,0",
    "1,2,3,4,5",
    "uniform:1:2",
    "1:2",
    "1,0.5,0.1,2",
    "auto",
    "all-pairs",
    "linked-cells",
    "even-odd",
    "winding",
    "fcc",
    "square",
    "out.csv",
    "none/out.csv",
    "/",
    ".",
    "\u{1b}[31mred",
    "seed=3",
    "generate.0.count=5",
    "box.size=[1e-9, 1e-9]",
    "until=-1",
    "=",
    "generate.0.radius={min=0.2,max=0.1}",
];

const SCENE: &str = "engine = \"event-driven\"\ndimension = 2\nuntil = 0.1\n[[generate]]\nkind = \"random\"\ncount = 20\n\
                     radius = 0.5\npacking_fraction = 0.2\ntemperature = 1.0\n";

/// Random command lines.
#[derive(Debug)]
pub struct RandomArguments;

impl Attack for RandomArguments {
    fn name(&self) -> String {
        "arguments".into()
    }

    fn attempt_description(&self) -> String {
        "a command line with odd values of options".into()
    }

    fn attempt(&mut self, random: &mut AttackRandom, site: &AttackSite) -> AttemptResult {
        let (start, options) = *random.choose(&COMMANDS);
        let mut words = start.to_vec();
        for _ in 0..random.between(1, 3) {
            words.push(*random.choose(options));
            words.push(*random.choose(&VALUES));
        }
        let tried = attempt(&words, site);
        tried.map_err(|sentence| {
            AttackFinding::new(sentence, shown("", &words))
                .with_file("scene.toml", SCENE)
                .with_file("particles.csv", PARTICLES)
                .with_file("cube.off", super::damaged_file::CUBE)
        })
    }
}

const PARTICLES: &str = "x,y,r\n0,0,1\n1.5,0,1\n4,4,0.5\n4.2,4,0.5\n";

fn attempt(words: &[&str], site: &AttackSite) -> Result<AttemptOutcome, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    let written = write("scene.toml", SCENE)
        .and_then(|()| write("particles.csv", PARTICLES))
        .and_then(|()| write("cube.off", super::damaged_file::CUBE));
    written.map_err(|error| error.to_string())?;
    let ended =
        site.program.run(folder.path(), "", words, PATIENCE).map_err(|error| error.to_string())?;
    let outcome = ended.outcome()?;
    match folder::partial_file(folder.path()).map_err(|error| error.to_string())? {
        Some(partial) => Err(format!("it left {}", partial.display())),
        None => Ok(outcome),
    }
}
