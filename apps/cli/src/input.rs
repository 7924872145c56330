//! Shared by commands on particles: reading or generating particles, the periodic box, and checks of output files.

use crate::arguments::CommonArguments;
use crate::failure::CommandFailure;
use crate::numbers;
use carom::Boundary;
use carom::io::{ParticleSet, Particles, memory};
use carom::scene::generate::{DEFAULT_SEED, PaperCase};
use std::path::Path;

/// Reads a file, or generates the workload that `case:NAME[:COUNT[:SEED]]` names; `bytes_each` is the memory needed per
/// particle.
pub fn particles(source: &Path, bytes_each: f64) -> Result<Particles, CommandFailure> {
    let Some(case) = source.to_str().and_then(|text| text.strip_prefix("case:")) else {
        return Ok(carom::io::read_particles(source)?);
    };
    let (case_text, mut parts) = (case, case.split(':'));
    let name = parts.next().unwrap_or_default();
    let case: PaperCase = name
        .parse()
        .map_err(|_| numbers::unknown("the case", name, PaperCase::ALL.map(PaperCase::name)))?;
    let count =
        parts.next().map_or(Ok(10_000), |text| numbers::count("the count of the case", text))?;
    let seed = match parts.next() {
        None => DEFAULT_SEED,
        Some(text) => text.parse().map_err(|_| {
            CommandFailure::input(format!(
                "the seed of the case is {text:?}; it must be a whole number"
            ))
        })?,
    };
    if let Some(more) = parts.next() {
        return Err(CommandFailure::input(format!(
            "\"case:{case_text}\" continues with {more:?}; a case is case:NAME[:COUNT[:SEED]]"
        )));
    }
    memory::check(format!("{count} particles"), count as f64 * bytes_each)?;
    Ok(case.particles(count, seed)?)
}

/// Reports that bodies of a run have shapes, since only their bounding spheres are used.
pub fn warn_of_shapes(source: &Path, common: &CommonArguments) {
    if carom::io::RunFrameSelector::of(source)
        .ok()
        .flatten()
        .is_some_and(|moment| moment.has_shapes())
    {
        let run = source.display();
        common.report(format!("bodies of {run} have shapes; the spheres around them are taken"));
    }
}

/// Replaces the box of the file with the one that `--periodic` gives.
pub fn set_boundary<const D: usize>(
    set: &mut ParticleSet<D>,
    periodic: Option<&str>,
    source: &Path,
    common: &CommonArguments,
) -> Result<(), CommandFailure> {
    if let Some(periodic) = periodic {
        if set.boundary.is_periodic() {
            common
                .report(format!("--periodic {periodic} replaces the box of {}", source.display()));
        }
        set.boundary = boundary(periodic)?;
    }
    Ok(())
}

fn boundary<const D: usize>(text: &str) -> Result<Boundary<D>, CommandFailure> {
    let wrong = || {
        CommandFailure::input(format!(
            "--periodic is {text:?}; the particles have {D} dimensions, so it must be {D} lengths, \
             separated by commas, or \"open\" for an axis that is not periodic"
        ))
    };
    let lengths: Result<Vec<Option<f64>>, _> = text
        .split(',')
        .map(|part| match part.trim() {
            "open" => Ok(None),
            part => part.parse().map(Some),
        })
        .collect();
    let lengths = lengths.ok().and_then(|lengths| lengths.try_into().ok()).ok_or_else(wrong)?;
    Boundary::periodic(lengths)
        .map_err(|error| CommandFailure::input(format!("--periodic is {text:?}: {error}")))
}

/// An output file given by an option.
pub struct OutputOption<'a> {
    pub option: &'static str,
    pub file: Option<&'a Path>,
    /// What needs a file, if it cannot be written to `-`, standard output.
    pub only_a_file: Option<&'static str>,
}

/// Refuses outputs that are the input, standard output where a file is needed, and two outputs of one name.
pub fn check_outputs(input: &Path, outputs: &[OutputOption<'_>]) -> Result<(), CommandFailure> {
    let standard = Path::new("-");
    let named = |output: &&OutputOption| output.file.is_some_and(|file| file != standard);
    for OutputOption { option, file, .. } in outputs.iter().filter(named) {
        if let Some(file) = file.filter(|file| is_same_file(input, file)) {
            return Err(CommandFailure::input(format!(
                "{option} is {:?}, what is read; name another file",
                file.display().to_string()
            )));
        }
    }
    for (place, OutputOption { option, file, only_a_file }) in outputs.iter().enumerate() {
        match (file, only_a_file) {
            (Some(file), Some(what)) if *file == standard => {
                return Err(CommandFailure::input(format!(
                    "{option} is \"-\"; {what} needs a file, so name one"
                )));
            }
            _ => {}
        }
        if let Some(file) = file.filter(|file| file.is_dir()) {
            return Err(CommandFailure::input(format!(
                "{option} is {:?}, a folder; name a file",
                file.display().to_string()
            )));
        }
        let folder = file.filter(|file| *file != standard).and_then(Path::parent);
        if let (Some(file), Some(folder)) = (file, folder)
            && !(folder.as_os_str().is_empty() || folder.is_dir())
        {
            return Err(CommandFailure::input(format!(
                "{} cannot be written: its folder does not exist",
                file.display()
            )));
        }
        let twin =
            |other: &&OutputOption| file.zip(other.file).is_some_and(|(a, b)| is_same_file(a, b));
        if let Some(other) = outputs[..place].iter().find(twin) {
            return Err(CommandFailure::input(format!(
                "{} and {option} are both {:?}; name two files",
                other.option,
                other.file.unwrap_or(standard).display().to_string()
            )));
        }
    }
    Ok(())
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    let canonical = std::fs::canonicalize;
    a == b || canonical(a).ok().is_some_and(|a| canonical(b).is_ok_and(|b| a == b && b.is_file()))
}
