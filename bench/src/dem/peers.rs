//! LAMMPS and LIGGGHTS on the same bed, each in a process of its own, where they are installed.
//!
//! Both get the spheres of the bed at rest, the same law, step, skin, gravity and floor. They ask the
//! system for their own time of the processor before and after the window that counts.

use super::bed::Bed;
use super::contender::window;
use super::spheres::Sizes;
use super::workload::{
    ACROSS, DAMPING, FRICTION, Filling, Law, POISSON, RESTITUTION, SKIN, STEP, STIFFNESS, Workload,
    YOUNG,
};
use crate::cases::Case;
use crate::error::Error;
use crate::race::{Contender, Run};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Another program, and the law it is run with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Program {
    name: &'static str,
    command: &'static str,
    /// Debian's package.
    package: &'static str,
    law: Law,
    /// The input script, with names in braces for numbers.
    script: &'static str,
}

const LAMMPS: Program = Program {
    name: "LAMMPS",
    command: "lmp",
    package: "lammps",
    law: Law::Linear,
    script: include_str!("lammps.in"),
};
const LIGGGHTS: Program = Program {
    name: "LIGGGHTS",
    command: "liggghts",
    package: "liggghts",
    law: Law::Hertz,
    script: include_str!("liggghts.in"),
};

impl Program {
    fn is_installed(self) -> bool {
        // Even its help leaves a log behind otherwise.
        let help = ["-log", "none", "-h"];
        let output = Command::new(self.command).args(help).stdin(Stdio::null()).output();
        output.is_ok_and(|output| !output.stdout.is_empty())
    }

    /// The version of Debian's package.
    fn version(self) -> Option<String> {
        let output = Command::new("dpkg-query")
            .args(["--show", "--showformat", "${Version}", self.package])
            .output()
            .ok()?;
        let version = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| format!("{} {version}", self.name))
    }

    /// The script of a case.
    fn script(self, case: &Case) -> String {
        let numbers = [
            ("{stiffness}", STIFFNESS),
            ("{tangential stiffness}", ACROSS * STIFFNESS),
            ("{damping}", DAMPING),
            ("{tangential damping}", 0.5 * DAMPING),
            ("{friction}", FRICTION),
            ("{young}", YOUNG),
            ("{poisson}", POISSON),
            ("{restitution}", RESTITUTION),
            ("{skin}", SKIN),
            ("{step}", STEP),
            ("{warm-up}", case.warm_up as f64),
            ("{window}", case.window as f64),
        ];
        let fill =
            |text: String, (name, value): (&str, f64)| text.replace(name, &value.to_string());
        numbers.into_iter().fold(self.script.to_string(), fill)
    }

    /// Runs the script in a folder.
    fn run(self, folder: &Path, bodies: usize, steps: u64) -> Result<Run, Error> {
        let failed = |problem: String| Error::Peer { name: self.name, problem };
        let times = folder.join(TIMES);
        // Those of the run before, if there was one.
        let _ = std::fs::remove_file(&times);
        let output = Command::new(self.command)
            .args(["-in", "bed.in", "-log", "none"])
            .current_dir(folder)
            .env("OMP_NUM_THREADS", "1")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| failed(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            let complaint = said.lines().rfind(|line| line.starts_with("ERROR"));
            return Err(failed(complaint.unwrap_or("it failed").into()));
        }
        let times = std::fs::read_to_string(&times).map_err(Error::in_file(times))?;
        let elapsed = elapsed(&times)
            .ok_or_else(|| failed("the system does not report its time of the processor".into()))?;
        let [kinetic_energy, contacts] = energy_and_contacts(&said)
            .ok_or_else(|| failed("it does not report its contacts".into()))?;
        Ok(window(elapsed, bodies, steps, contacts, kinetic_energy))
    }
}

/// Returns the peers that are installed; a line reports each that is not.
pub fn installed() -> Vec<Program> {
    let is_there = |program: &Program| {
        let is_there = program.is_installed();
        if !is_there {
            println!(
                "{} is skipped: there is no command {} (Debian: apt-get install {})",
                program.name, program.command, program.package
            );
        }
        is_there
    };
    [LAMMPS, LIGGGHTS].into_iter().filter(is_there).collect()
}

/// The versions, for the table.
pub fn versions(programs: &[Program]) -> String {
    let version = |program: &Program| program.version().unwrap_or_else(|| program.name.to_owned());
    programs.iter().map(version).collect::<Vec<_>>().join(", ")
}

/// Marks between which the program prints its processor time, before the window and after it.
const TIMES: &str = "times";

/// Writes the input of a program, if it has the law of the case and equal spheres, in a folder that is removed at the end.
pub fn contender(
    program: Program,
    case: &Case,
    bed: &Bed,
) -> Result<Option<Contender<'static>>, Error> {
    let Workload { law, filling, .. } = Workload::of(case);
    if program.law != law || filling != Filling::Spheres(Sizes::Equal) {
        return Ok(None);
    }
    let folder = tempfile::tempdir().map_err(Error::in_file("a temporary folder"))?;
    for (name, text) in [("bed.data", data(bed)), ("bed.in", program.script(case))] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(Error::in_file(path))?;
    }
    let (bodies, steps) = (bed.bodies.len(), case.window);
    Ok(Some(Contender::new(program.name, move || program.run(folder.path(), bodies, steps))))
}

/// The spheres as both programs read them.
fn data(bed: &Bed) -> String {
    let (width, height) = (bed.width, bed.height() + 10.0);
    let mut text = format!(
        "Spheres of a settled bed\n\n{} atoms\n1 atom types\n\n0 {width} xlo xhi\n0 {width} ylo yhi\n\
         0 {height} zlo zhi\n\nAtoms\n\n",
        bed.bodies.len()
    );
    for (number, body) in (1..).zip(&bed.bodies) {
        let [x, y, z] = body.position.into();
        writeln!(text, "{number} 1 {} 1 {x} {y} {z}", 2.0 * body.radius)
            .expect("writing to a string cannot fail");
    }
    text
}

/// Between two lines, each of which begins with nanoseconds.
fn elapsed(times: &str) -> Option<Duration> {
    let times: Vec<u64> =
        times.lines().filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect();
    let [before, after] = times[..] else { return None };
    after.checked_sub(before).filter(|&elapsed| elapsed > 0).map(Duration::from_nanos)
}

/// From the last table that was printed: a line of names, and one of a step, an energy and twice the
/// contacts.
fn energy_and_contacts(said: &str) -> Option<[f64; 2]> {
    let is_heading =
        |line: &&str| line.trim_start().starts_with("Step") && line.contains("touches");
    let mut lines = said.lines().skip_while(|line| !is_heading(line));
    let values = lines.nth(1)?.split_whitespace().map(|value| value.parse().ok());
    match values.collect::<Option<Vec<f64>>>()?[..] {
        [_, kinetic_energy, touches] => Some([kinetic_energy, 0.5 * touches]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases;
    use crate::dem::bed::Recipe;

    #[test]
    fn times_and_contacts_are_read_from_what_a_program_says() {
        assert_eq!(elapsed("100 7 1\n350 9 1\n"), Some(Duration::from_nanos(250)));
        assert_eq!(elapsed("0 0 0\n0 0 0\n"), None);
        let said = "Step Temp\n 0 1\nLoop time\n   Step   KinEng   c_touches \n  700  0.5  38.0 \n";
        assert_eq!(energy_and_contacts(said), Some([0.5, 19.0]));
        assert_eq!(energy_and_contacts("Step Temp\n"), None);
    }

    #[test]
    fn a_program_gets_its_own_law_and_no_other() {
        let bed = Recipe::tiny(Filling::Spheres(Sizes::Equal)).settle().unwrap();
        for (workload, expected) in [
            ("linear", [true, false]),
            ("hertz-mindlin", [false, true]),
            ("linear-1:10", [false, false]),
            ("polyhedra-20", [false, false]),
        ] {
            let takes_part =
                |program| contender(program, &cases::tiny(workload), &bed).unwrap().is_some();
            assert_eq!([LAMMPS, LIGGGHTS].map(takes_part), expected, "{workload}");
        }
        for program in [LAMMPS, LIGGGHTS] {
            let script = program.script(&cases::tiny("linear"));
            assert!(!script.contains('{') && script.contains("timestep 0.0002"), "{script}");
        }
        let text = data(&bed);
        assert_eq!(text.lines().count(), 11 + bed.bodies.len());
        assert!(text.contains("\n256 1 1 1 "), "{text}");
    }
}
