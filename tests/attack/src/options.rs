//! Command-line options of the attack.

use std::path::PathBuf;
use std::time::Duration;

/// Usage of the attack.
pub const USAGE: &str = "\
carom-attack PROGRAM FOLDER [--minutes N] [--seed S] [--only KIND] [--count N] [--case N] [--scale X] [--write FILE]

--minutes N   time for all attacks together; 10 if not given, and without limit where --count is given
--seed S      random numbers; the same seed gives the same cases; 1 if not given
--only KIND   one attack, such as scene, stl, random-dem, kills-dem, or all whose name begins so
              (random, kills); soak for the long runs, which are part of no other attack
--count N     number of tries of each attack, of kills the number of kills
--case N      begin with this case, to see a finding again
--scale X     soak: this part of the work
--write FILE  put the table into a page of the documentation, such as docs/robustness.md
";

/// The options.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Path of the program `carom`.
    pub program: PathBuf,
    /// Folder for findings and long runs.
    pub folder: PathBuf,
    /// Time for all attacks together.
    pub time: Duration,
    /// Seed of the random numbers.
    pub seed: u64,
    /// One attack or one kind of attack.
    pub only: Option<String>,
    /// Number of tries of each attack.
    pub count: Option<u64>,
    /// Number of the first case.
    pub case: u64,
    /// Fraction of the work of long runs.
    pub scale: f64,
    /// Page to write the table into.
    pub write: Option<PathBuf>,
}

impl Options {
    /// Parses the words of a command line.
    pub fn parse(words: &[String]) -> Result<Self, String> {
        let [program, folder, rest @ ..] = words else {
            return Err("PROGRAM and FOLDER are needed".into());
        };
        let mut options = Options {
            program: program.into(),
            folder: folder.into(),
            time: Duration::from_secs(600),
            seed: 1,
            only: None,
            count: None,
            case: 0,
            scale: 1.0,
            write: None,
        };
        let mut minutes = None;
        for pair in rest.chunks(2) {
            let [name, value] = pair else { return Err(format!("{} needs a value", pair[0])) };
            match name.as_str() {
                "--minutes" => minutes = Some(number::<f64>(name, value)?),
                "--seed" => options.seed = number(name, value)?,
                "--only" => options.only = Some(value.clone()),
                "--count" => options.count = Some(number(name, value)?),
                "--case" => options.case = number(name, value)?,
                "--write" => options.write = Some(value.into()),
                "--scale" => options.scale = number(name, value)?,
                _ => return Err(format!("{name} is not known")),
            }
        }
        let minutes = minutes.unwrap_or(if options.count.is_some() { 1e6 } else { 10.0 });
        options.time = Duration::try_from_secs_f64(minutes * 60.0)
            .map_err(|_| format!("--minutes is {minutes}"))?;
        Ok(options)
    }
}

fn number<T: std::str::FromStr>(name: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{name} is {value:?}, which is not such a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options, String> {
        Options::parse(&text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_count_takes_its_time() {
        let time = |text: &str| parse(text).unwrap().time.as_secs_f64();
        assert_eq!(time("carom out"), 600.0);
        assert_eq!(time("carom out --minutes 2"), 120.0);
        assert!(time("carom out --count 5") > 1e6);
        assert_eq!(time("carom out --count 5 --minutes 0.5"), 30.0);
    }

    #[test]
    fn what_is_not_known_is_refused() {
        for text in ["carom", "carom out --minutes", "carom out --minutes x", "carom out --fast 1"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
