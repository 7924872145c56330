//! `cargo xtask reports`: the papers' full reports as pages of the book.
//!
//! Each report that `carom reproduce` makes becomes `docs/papers/NUMBER.md`, its pictures `docs/papers/NUMBER/*.svg`.
//! The page says by which command, when, and on which machine it was made.

use crate::command::{release_program, root, run, target};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Numbers of the papers.
const PAPERS: [&str; 5] = ["000", "001", "002", "003", "004"];

/// From this load on, before anything is measured, times are not worth a verdict: a sixth of a processor is taken.
const QUIET: f64 = 0.15;

/// What is asked for on the command line.
#[derive(Debug, PartialEq)]
struct ReportArguments<'a> {
    papers: Vec<&'a str>,
    is_quick: bool,
    /// The program to run, relative to the root; none for an optimized one, which is then built.
    program: Option<&'a str>,
    /// Folder with reports that were made before, relative to the root, for runs that take hours.
    from: Option<&'a str>,
}

/// Makes the pages of some papers, or of all.
pub fn make(arguments: &[&str]) -> Result<(), String> {
    let wanted = parse(arguments)?;
    let made = format!("cargo xtask reports {}", arguments.join(" "));
    let page = |paper: &str, folder: &Path, load: Option<f64>| {
        write_page(paper, &folder.join(paper), &origin(made.trim_end(), &date()?, load))
    };
    if let Some(folder) = wanted.from {
        return wanted.papers.iter().try_for_each(|paper| page(paper, &root().join(folder), None));
    }
    let program = match wanted.program {
        Some(path) => root().join(path),
        None => release_program()?,
    };
    let folder = target().join("reports");
    for paper in &wanted.papers {
        let load = load();
        let mut command = Command::new(&program);
        command.args(["reproduce", paper, "--quiet", "--out"]).arg(&folder);
        if wanted.is_quick {
            command.arg("--quick");
        }
        run(&mut command)?;
        page(paper, &folder, load)?;
    }
    Ok(())
}

fn parse<'a>(arguments: &[&'a str]) -> Result<ReportArguments<'a>, String> {
    let mut wanted =
        ReportArguments { papers: Vec::new(), is_quick: false, program: None, from: None };
    let mut rest = arguments.iter();
    while let Some(&argument) = rest.next() {
        match argument {
            "--quick" => wanted.is_quick = true,
            "--program" => {
                let path = rest.next().ok_or("--program needs the path of a program")?;
                wanted.program = Some(path);
            }
            "--from" => {
                let path = rest.next().ok_or("--from needs a folder with reports")?;
                wanted.from = Some(path);
            }
            number if PAPERS.contains(&number) => wanted.papers.push(number),
            other => {
                let known = PAPERS.join(", ");
                return Err(format!(
                    "reports takes {known}, --quick, --program and --from, not {other}"
                ));
            }
        }
    }
    if wanted.from.is_some() && (wanted.is_quick || wanted.program.is_some()) {
        return Err("--from takes reports as they are, without --quick and --program".to_owned());
    }
    if wanted.papers.is_empty() {
        wanted.papers = PAPERS.to_vec();
    }
    Ok(wanted)
}

/// Puts a report and its pictures among the pages of the book.
fn write_page(paper: &str, report: &Path, origin: &str) -> Result<(), String> {
    let sentence = |file: &Path, error: std::io::Error| format!("{}: {error}", file.display());
    let file = report.join("report.md");
    let text = fs::read_to_string(&file).map_err(|error| sentence(&file, error))?;
    let pictures = root().join("docs/papers").join(paper);
    // Pictures of an earlier run that the page no longer shows do not stay.
    match fs::remove_dir_all(&pictures) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(sentence(&pictures, error));
        }
        _ => {}
    }
    fs::create_dir_all(&pictures).map_err(|error| sentence(&pictures, error))?;
    for name in pictures_of(&text) {
        fs::copy(report.join(name), pictures.join(name))
            .map_err(|error| sentence(&report.join(name), error))?;
    }
    let page: PathBuf = root().join(format!("docs/papers/{paper}.md"));
    fs::write(&page, page_of(paper, &text, origin)).map_err(|error| sentence(&page, error))?;
    eprintln!("{}", page.display());
    Ok(())
}

/// Names of the pictures that a report shows.
fn pictures_of(report: &str) -> Vec<&str> {
    let targets = report.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| target.ends_with(".svg")).collect()
}

/// A report as a page: its origin below the title, pictures in a folder of their own.
fn page_of(paper: &str, report: &str, origin: &str) -> String {
    let (title, rest) = report.split_once('\n').unwrap_or((report, ""));
    let mut page = format!("{title}\n\n{origin}\n{}", rest.trim_start());
    for name in pictures_of(report) {
        page = page.replace(&format!("]({name})"), &format!("]({paper}/{name})"));
    }
    page.trim_end().to_owned() + "\n"
}

/// The paragraph that says where a page comes from, and what its times are worth.
fn origin(command: &str, date: &str, load: Option<f64>) -> String {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let model = processor().unwrap_or_else(|| "a processor without a name".to_owned());
    let times = match load {
        Some(load) if load > QUIET => format!(
            "Other programs ran at the same time (load {load:.1} on {processors} processors when it began): counts hold, \
             but no time on this page, no ratio of times, and no verdict that rests on times."
        ),
        Some(_) => "Nothing else ran when it began.".to_owned(),
        None => {
            "What else ran is not known: counts hold, times are to be taken with care.".to_owned()
        }
    };
    format!(
        "This page was written by `{command}` on {date}; {model}, {processors} processors. {times} In tables, – is what \
         was not measured or does not exist, and ∞ a number beyond all bounds or one that is never reached.\n"
    )
}

/// The day, in universal time.
fn date() -> Result<String, String> {
    let output = Command::new("date")
        .args(["-u", "+%F"])
        .output()
        .map_err(|error| format!("date cannot be started: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// How many programs were running or waiting, averaged over the last minute, where Linux says so.
fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// The model of the processor, where Linux says so.
fn processor() -> Option<String> {
    let description = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = description.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.split_whitespace().collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn papers_and_options_are_taken_in_any_order() {
        let wanted = parse(&["--quick", "002", "--program", "x"]).unwrap();
        let papers = vec!["002"];
        let expected = ReportArguments { papers, is_quick: true, program: Some("x"), from: None };
        assert_eq!(wanted, expected);
        assert_eq!(parse(&[]).unwrap().papers, PAPERS);
        assert_eq!(parse(&["--from", "x"]).unwrap().from, Some("x"));
        for wrong in [&["5"][..], &["--program"], &["--from"], &["--from", "x", "--quick"]] {
            assert!(parse(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_page_has_its_origin_below_the_title_and_its_pictures_in_a_folder() {
        let report = "# Title\n\nMade.\n\n![a](x.svg) [b](http://c)\n\n";
        let page = page_of("002", report, "Origin.\n");
        assert_eq!(page, "# Title\n\nOrigin.\n\nMade.\n\n![a](002/x.svg) [b](http://c)\n");
    }

    #[test]
    fn a_page_of_a_busy_machine_says_that_its_times_do_not_count() {
        assert!(origin("c", "2026-01-01", Some(3.0)).contains("no verdict that rests on times"));
        assert!(origin("c", "2026-01-01", Some(0.0)).contains("Nothing else ran"));
    }
}
