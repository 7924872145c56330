//! Valid files with random changes: read in this process, now and then through the program.

use crate::campaign::{Attack, AttackSite, reader_outcome};
use crate::folder;
use crate::minimize::minimize;
use crate::outcome::{AttackFinding, AttemptResult};
use carom::scene::scene::SceneOutline;
use carom_attack::corpus;
use carom_attack::mutation;
use carom_attack::random::AttackRandom;
use carom_attack::reader::Reader;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

/// Number of readings in this process per start of the program.
const IN_PROCESS: usize = 200;
/// The program must have finished with a small file within this time.
const PATIENCE: Duration = Duration::from_secs(60);
/// A finding is minimized for at most this long.
const MINIMIZING: Duration = Duration::from_secs(60);

/// Damaged files of one format.
#[derive(Debug)]
pub struct DamagedFile {
    reader: Reader,
    originals: Vec<Vec<u8>>,
}

impl DamagedFile {
    /// Damages files of the kept corpus.
    pub fn new(reader: Reader) -> Self {
        let files = corpus::files(reader).unwrap_or_default();
        DamagedFile { reader, originals: files.into_iter().map(|(_, bytes)| bytes).collect() }
    }

    /// A damaged file.
    fn damaged(&self, random: &mut AttackRandom) -> Vec<u8> {
        let others: Vec<&[u8]> = self.originals.iter().map(Vec::as_slice).collect();
        if others.is_empty() {
            return mutation::binary(b"", &[], random);
        }
        let original = *random.choose(&others);
        // Text formats may have binary forms, whose structure is unknown here.
        match self.reader.is_text() && str::from_utf8(original).is_ok() {
            true => mutation::text(original, &others, random),
            false => mutation::binary(original, &others, random),
        }
    }

    fn read(&self, bytes: &[u8]) -> AttemptResult {
        let broken = |bytes: &[u8]| broken_promise(self.reader, bytes).err();
        match broken_promise(self.reader, bytes) {
            Ok(accepted) => Ok(reader_outcome(accepted)),
            Err(sentence) => {
                let small = minimize(bytes, MINIMIZING, |left| broken(left).is_some());
                let command = format!(
                    "keep it: copy {} to fuzz/corpus/{}",
                    self.file_name(),
                    self.reader.name()
                );
                Err(AttackFinding::new(sentence, command)
                    .with_file(self.file_name(), small)
                    .with_file(format!("original-{}", self.file_name()), bytes))
            }
        }
    }

    fn file_name(&self) -> String {
        format!("damaged.{}", self.reader.extension())
    }

    /// The commands that read such files, with everything they do with them.
    fn commands(&self, bytes: &[u8]) -> Vec<Vec<&'static str>> {
        match self.reader {
            Reader::Csv => vec![
                vec!["contacts", "damaged.csv", "--out", "out.csv"],
                vec!["contacts", "damaged.csv", "--periodic", "100,100,100", "--json"],
                vec!["triangulate", "damaged.csv", "--out", "out.csv", "--check"],
                vec!["inside", "cube.off", "damaged.csv", "--out", "out.csv"],
            ],
            Reader::Xyz => vec![
                vec!["contacts", "damaged.xyz", "--svg", "out.svg"],
                vec!["triangulate", "damaged.xyz", "--cells", "out.csv"],
                vec!["inside", "cube.off", "damaged.xyz", "--json"],
            ],
            Reader::Stl => mesh_commands(["damaged.stl"; 2]),
            Reader::Obj => mesh_commands(["damaged.obj"; 2]),
            Reader::Ply => mesh_commands(["damaged.ply"; 2]),
            Reader::Off => mesh_commands(["damaged.off"; 2]),
            Reader::Scene if is_small(bytes) => vec![
                vec!["check", "damaged.toml"],
                vec![
                    "run",
                    "damaged.toml",
                    "--out",
                    "out",
                    "--max-walltime",
                    "300ms",
                    "--threads",
                    "1",
                ],
            ],
            Reader::Scene => vec![vec!["check", "damaged.toml"]],
            // Read through a results folder, which another attack damages.
            _ => Vec::new(),
        }
    }

    fn through_program(&self, bytes: &[u8], command: &[&str], site: &AttackSite) -> AttemptResult {
        let outcome = outcome(self, bytes, command, site);
        outcome.map_err(|sentence| {
            let small =
                minimize(bytes, MINIMIZING, |left| outcome_fails(self, left, command, site));
            AttackFinding::new(sentence, crate::program::shown("", command))
                .with_file(self.file_name(), small)
                .with_file(format!("original-{}", self.file_name()), bytes)
        })
    }
}

fn mesh_commands([mesh, other]: [&'static str; 2]) -> Vec<Vec<&'static str>> {
    vec![
        vec!["check", mesh],
        vec!["check", mesh, "--json"],
        vec!["inside", mesh, "grid:3", "--out", "out.csv"],
        vec!["inside", mesh, "cube.off", "--distance"],
        vec!["distance", mesh, "cube.off"],
        vec!["distance", "cube.off", other, "--pose-b", "0.3,0.2,0.1"],
    ]
}

/// Whether a scene has so few bodies that a run shows something at once.
fn is_small(bytes: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(bytes) else { return true };
    let outline = SceneOutline::parse(text, "file", Path::new(""), &[]);
    outline.map_or(true, |outline| outline.body_count() <= 3000)
}

/// Returns whether the bytes were accepted, or the promise that was broken.
fn broken_promise(reader: Reader, bytes: &[u8]) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| reader.check(bytes))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
        Err(format!("the reader panicked: {}", text.unwrap_or_default()))
    })
}

pub const CUBE: &str = "OFF\n8 6 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n4 0 3 2 1\n4 4 5 6 7\n\
                    4 0 1 5 4\n4 1 2 6 5\n4 2 3 7 6\n4 3 0 4 7\n";

fn outcome(
    attack: &DamagedFile,
    bytes: &[u8],
    command: &[&str],
    site: &AttackSite,
) -> Result<crate::outcome::AttemptOutcome, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes);
    let prepared = write(&attack.file_name(), bytes)
        .and_then(|()| write("cube.off", CUBE.as_bytes()))
        .and_then(|()| write("out.csv", b"x,y,r\n1,2,3\n"));
    prepared.map_err(|error| error.to_string())?;
    let before = folder::contents(folder.path()).map_err(|error| error.to_string())?;
    let ended = site
        .program
        .run(folder.path(), "", command, PATIENCE)
        .map_err(|error| error.to_string())?;
    let outcome = ended.outcome()?;
    if let Some(partial) = folder::partial_file(folder.path()).map_err(|error| error.to_string())? {
        return Err(format!("it left {}", partial.display()));
    }
    let after = folder::contents(folder.path()).map_err(|error| error.to_string())?;
    match outcome == crate::outcome::AttemptOutcome::Refused && after != before {
        true => Err("exit code 2 and yet files were changed".into()),
        false => Ok(outcome),
    }
}

fn outcome_fails(attack: &DamagedFile, bytes: &[u8], command: &[&str], site: &AttackSite) -> bool {
    outcome(attack, bytes, command, site).is_err()
}

impl Attack for DamagedFile {
    fn name(&self) -> String {
        self.reader.name().to_owned()
    }

    fn attempt_description(&self) -> String {
        let what = match self.reader {
            Reader::Scene => "a damaged scene, read here or checked and run by the program",
            Reader::Csv | Reader::Xyz => {
                "damaged particles, read here or by contacts, triangulate, inside"
            }
            Reader::Lammps | Reader::Vtk | Reader::Springs => "a damaged frame, read here",
            Reader::Stl | Reader::Obj | Reader::Ply | Reader::Off => {
                "a damaged mesh, read here or by check, inside, distance"
            }
            Reader::Checkpoint => {
                "a damaged checkpoint, decoded here, with and without a right checksum"
            }
            Reader::Koti1989 => "a damaged data file of paper 004, read here",
        };
        what.to_owned()
    }

    fn attempt(&mut self, random: &mut AttackRandom, site: &AttackSite) -> AttemptResult {
        let through_program = random.once_in(IN_PROCESS);
        let bytes = self.damaged(random);
        match &self.commands(&bytes)[..] {
            commands if through_program && !commands.is_empty() => {
                self.through_program(&bytes, &random.choose(commands)[..], site)
            }
            _ => self.read(&bytes),
        }
    }

    fn weight(&self) -> f64 {
        if self.reader == Reader::Scene { 3.0 } else { 1.0 }
    }
}
