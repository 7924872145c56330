//! Attacks on carom: `cargo xtask attack`.
//!
//! Damaged inputs of every kind, random scenes held to physics, runs killed and resumed, limits of memory and
//! processes, requests to the viewer. Every try is decided by a seed and a number; what breaks a promise is made
//! smaller and kept in a folder with the command that shows it again.

mod attacks;
mod campaign;
mod folder;
mod log_table;
mod minimize;
mod options;
mod outcome;
mod page;
mod program;
mod scene_writer;
mod watchdog;

use campaign::{Attack, AttackSite, CampaignPlan};
use options::{Options, USAGE};
use program::Program;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let options = match Options::parse(&words) {
        Ok(options) => options,
        Err(sentence) => {
            eprint!("error: {sentence}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match attack(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(sentence) => {
            eprintln!("error: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Returns whether nothing was found.
fn attack(options: &Options) -> Result<bool, String> {
    let absolute = |path: &std::path::Path| {
        std::path::absolute(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let site = AttackSite { program: Program::new(absolute(&options.program)?) };
    if options.only.as_deref() == Some("soak") {
        let folder = absolute(&options.folder)?.join("soak");
        let (table, holds) = attacks::soak::run(&folder, options.scale, &site)?;
        println!("{table}");
        write_page(options, "soak", &table)?;
        return Ok(holds);
    }
    let mut attacks = chosen(options.only.as_deref())?;
    // Panics of readers are findings, reported with their input.
    std::panic::set_hook(Box::new(|_| {}));
    watchdog::start().map_err(|error| error.to_string())?;
    let plan = CampaignPlan {
        seed: options.seed,
        time: options.time,
        count: options.count,
        first: options.case,
        findings: absolute(&options.folder)?.join("findings"),
    };
    let counts = campaign::run(&mut attacks, &plan, &site).map_err(|error| error.to_string())?;
    let table = campaign::table(&attacks, &counts);
    println!("{table}");
    write_page(options, "attack", &table)?;
    let findings: u64 = counts.iter().map(|counts| counts.findings).sum();
    if findings > 0 {
        eprintln!("{findings} findings are kept in {}", plan.findings.display());
    }
    Ok(findings == 0)
}

/// Writes a table into the requested page, with the command that made it.
fn write_page(options: &Options, name: &str, table: &str) -> Result<(), String> {
    let Some(page) = &options.write else { return Ok(()) };
    let words: Vec<String> =
        std::env::args().skip(3).take_while(|word| word != "--write").collect();
    page::write(page, name, &format!("cargo xtask attack {}", words.join(" ")), table)
}

fn chosen(only: Option<&str>) -> Result<Vec<Box<dyn Attack>>, String> {
    let mut attacks = attacks::all();
    let names: Vec<String> = attacks.iter().map(|attack| attack.name()).collect();
    if let Some(only) = only {
        attacks.retain(|attack| attacks::is_meant(only, &attack.name()));
    }
    match attacks.is_empty() {
        true => Err(format!("--only is {only:?}; there are {} and soak", names.join(", "))),
        false => Ok(attacks),
    }
}
