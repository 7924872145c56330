//! Too little memory, too few processes and open files, files cut short, outputs that are full or closed.

use crate::campaign::{Attack, AttackSite};
use crate::folder;
use crate::outcome::{AttackFinding, AttemptOutcome, AttemptResult};
use crate::program::shown;
use carom_attack::random::AttackRandom;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(120);

const SCENE: &str = "engine = \"dem\"\ndimension = 3\nuntil = 0.02\n[box]\nsize = [20, 20, 20]\nboundary = \"wall\"\n\
                     [materials.default]\ndensity = 1\nstiffness = 1e4\n[[generate]]\nkind = \"random\"\ncount = 1500\nradius = 0.3\n\
                     temperature = 1.0\n[output]\ninterval = 0.01\n";
const GAS: &str = "engine = \"event-driven\"\ndimension = 2\ncollisions = 2000\n[[generate]]\nkind = \"random\"\ncount = 3000\nradius = 0.5\n\
                   packing_fraction = 0.3\ntemperature = 1.0\n";

/// Commands that need memory, threads and files.
const COMMANDS: [&[&str]; 11] = [
    &["contacts", "case:3B:3e4", "--out", "out.csv"],
    &["contacts", "case:2A:1e4", "--method", "linked-cells", "--out", "out.csv"],
    &["triangulate", "case:3A:3e3", "--out", "out.csv"],
    &["triangulate", "case:2A:5e3", "--svg", "out.svg"],
    &["generate", "particles", "--count", "3e4", "--fraction", "0.2", "--out", "out.csv"],
    &["generate", "mesh", "sphere", "--refinements", "6", "--out", "out.stl"],
    &["inside", "ball.off", "grid:25", "--out", "out.csv"],
    &["check", "gas.toml"],
    &["run", "gas.toml", "--out", "run", "--force", "--max-walltime", "1s"],
    &["run", "scene.toml", "--out", "run", "--force", "--max-walltime", "1s"],
    &["export", "run", "--html", "out.html"],
];

/// Limits of a process.
#[derive(Debug, Default)]
pub struct Limit {
    results: Option<std::collections::BTreeMap<std::path::PathBuf, Vec<u8>>>,
}

impl Attack for Limit {
    fn name(&self) -> String {
        "limits".into()
    }

    fn attempt_description(&self) -> String {
        "a command under a limit of memory, processes, open files or file sizes, or with a full or closed output".into()
    }

    fn attempt(&mut self, random: &mut AttackRandom, site: &AttackSite) -> AttemptResult {
        let limits = bearable_limits(random, site);
        let command = *random.choose(&COMMANDS);
        self.attempt_with(&limits, command, site).map_err(|sentence| {
            AttackFinding::new(sentence, shown(&limits, command))
                .with_file("scene.toml", SCENE)
                .with_file("gas.toml", GAS)
        })
    }

    fn weight(&self) -> f64 {
        2.0
    }
}

/// Limits under which the program can be loaded at all; messages of the loader are not the program's.
fn bearable_limits(random: &mut AttackRandom, site: &AttackSite) -> String {
    for _ in 0..20 {
        let limits = limits(random);
        let ended = site.program.run(Path::new("/"), &limits, &["--version"], PATIENCE);
        if ended.is_ok_and(|ended| {
            ended.status.is_some_and(|status| status.code().is_some_and(|code| code < 2))
        }) {
            return limits;
        }
    }
    String::new()
}

fn limits(random: &mut AttackRandom) -> String {
    match random.below(8) {
        0..=2 => format!("ulimit -v {}", random.magnitude(3e4, 4e5) as u64),
        // Limits of processes do not count for the superuser, and not every shell can set them.
        3 if is_root() => {
            format!("exec setpriv --reuid 65534 prlimit --nproc={} \"$@\"", random.between(1, 4))
        }
        3 => format!("exec prlimit --nproc={} \"$@\"", random.between(1, 4)),
        4 => format!("ulimit -n {}", random.between(3, 12)),
        5 => format!("ulimit -f {}", random.magnitude(1.0, 3e3) as u64),
        6 => "exec 1>/dev/full".to_owned(),
        _ => (*random.choose(&["exec 1>&-", "exec 0<&-", "exec 2>/dev/null 1>&-"])).to_owned(),
    }
}

fn is_root() -> bool {
    std::process::Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n")
}

impl Limit {
    fn attempt_with(
        &mut self,
        limits: &str,
        command: &[&str],
        site: &AttackSite,
    ) -> Result<AttemptOutcome, String> {
        let message = |error: std::io::Error| error.to_string();
        let place = tempfile::tempdir().map_err(message)?;
        // Other users than the superuser must be able to write.
        std::fs::set_permissions(place.path(), PermissionsExt::from_mode(0o777))
            .map_err(message)?;
        let write = |name: &str, text: &str| std::fs::write(place.path().join(name), text);
        write("scene.toml", SCENE).and_then(|()| write("gas.toml", GAS)).map_err(message)?;
        write("ball.off", super::damaged_file::CUBE).map_err(message)?;
        let is_export = command[0] == "export";
        if is_export {
            folder::write(&place.path().join("run"), self.results(site)?).map_err(message)?;
        }
        let before = folder::contents(place.path()).map_err(message)?;
        let ended = site.program.run(place.path(), limits, command, PATIENCE).map_err(message)?;
        let without_word = limits.contains("2>/dev/null");
        let outcome = match ended.outcome() {
            Err(sentence) if !(without_word && sentence.ends_with("without a word")) => {
                return Err(sentence);
            }
            Err(_) => AttemptOutcome::Failed,
            Ok(outcome) => outcome,
        };
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

    /// Results to export.
    fn results(
        &mut self,
        site: &AttackSite,
    ) -> Result<&std::collections::BTreeMap<std::path::PathBuf, Vec<u8>>, String> {
        if self.results.is_none() {
            let message = |error: std::io::Error| error.to_string();
            let place = tempfile::tempdir().map_err(message)?;
            std::fs::write(place.path().join("scene.toml"), SCENE).map_err(message)?;
            let words = ["run", "scene.toml", "--out", "run", "--quiet"];
            site.program.run(place.path(), "", &words, PATIENCE).map_err(message)?.outcome()?;
            self.results = Some(folder::contents(&place.path().join("run")).map_err(message)?);
        }
        self.results.as_ref().ok_or_else(|| "there are no results".into())
    }
}
