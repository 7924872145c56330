//! The program `carom` as a function: a thin layer; the work is done by the libraries.
//!
//! [`main`] is called by the binary and by the script of the Python package, once in a process of its own.

// Doc comments of options are help texts, in which brackets mark optional parts.
#![allow(rustdoc::broken_intra_doc_links)]
// `eprintln!` panics if standard error is closed.
#![deny(clippy::print_stderr)]

mod arguments;
mod browser;
mod check;
mod check_estimate;
mod check_mesh;
mod closed_output;
mod contacts;
mod distance;
mod export;
mod failure;
mod gallery;
mod generate;
mod generate_mesh;
mod generate_polyhedron;
mod input;
mod inside;
mod interrupt;
mod number_text;
mod numbers;
mod out_folder;
mod out_of_memory;
mod pose;
mod progress;
mod query_points;
mod repair;
mod reproduce;
mod run;
mod run_report;
mod scene;
mod scenes;
mod shell;
mod shipped;
mod start_deadline;
mod sweep;
mod sweep_progress;
mod threads;
mod triangulate;
mod view;

use arguments::{Arguments, Command, GenerateKind};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use failure::{CommandFailure, print_stderr};
pub use out_of_memory::ExitingAllocator;
pub use shipped::{SCENES as SHIPPED_SCENES, ShippedMesh, ShippedScene};
use std::ffi::OsString;

const WELCOME: &str = "\
carom finds collisions among many particles, and moves the particles: fast, exact, one tool.

Try:
  carom run
      a billiard of 6000 discs; ends with a picture and a summary of the run
  carom view billiard.run
      the same in your browser: played, rotated and colored
  carom contacts case:3B:1e6 --stats --out contacts.csv
      a million random spheres, every contact among them, and what it took
  carom contacts grains.csv
      your own: a CSV with columns x,y,r or x,y,z,r, extended XYZ, VTK, a LAMMPS dump or a run

Then:
  carom scenes                        scenes to start from, from a fluid to a heap
  carom run :hopper                   runs one of them
  carom new hopper > my.toml          a copy to change: carom check my.toml, carom run my.toml
  carom sweep --help                  a scene with many settings, and one table of all runs
  carom export --help                 a run as one page to mail or to keep
  carom gallery --quick               all of them, with pictures, on one page
  carom generate particles --help     make particles of any sizes and density
  carom generate polyhedron --help    make convex bodies; generate mesh makes spheres and foams
  carom check rock.stl                what a mesh is: closed, convex, volume, inertia
  carom triangulate case:2A:1000 --svg diagram.svg
                                      neighbors of spheres and discs: Laguerre cells
  carom inside rock.stl points.csv    which points are inside a mesh, exactly
  carom reproduce 002 --quick         a published comparison, measured again
  carom help                          all commands
";

/// Runs the program with these arguments, the first of them its own name, and returns its exit code.
///
/// It handles signals and ends the process where memory is missing, so the process must be there for it alone.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    out_of_memory::exit_on_failed_allocations();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    if arguments.len() <= 1 {
        return finish(failure::print(WELCOME));
    }
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error)
            if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) =>
        {
            return finish(failure::to_terminal(|| error.print()));
        }
        Err(error) => {
            // Where standard error is closed, the exit code alone has to say it.
            let _ = with_guess(error).print();
            return EXIT_BAD_INPUT;
        }
    };
    out_of_memory::exit_without_memory_to_start();
    out_of_memory::exit_on_missing_signal_stack();
    interrupt::ignore_file_size_signal();
    interrupt::clean_up_at_signals();
    let ready = arguments.common.allow_memory().and_then(|()| threads::start(&arguments.common));
    finish(ready.and_then(|()| command(&arguments)))
}

/// Adds the command that was probably meant, also where letters are swapped.
fn with_guess(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        let program = Arguments::command();
        let names = program.get_subcommands().map(clap::Command::get_name);
        if let Some(name) = carom::io::excerpt::nearest_name(word, names) {
            let guess = ContextValue::Strings(vec![name.to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, guess);
        }
    }
    error
}

fn command(arguments: &Arguments) -> Result<(), CommandFailure> {
    let common = &arguments.common;
    match &arguments.command {
        Command::Contacts(options) => contacts::run(options, common),
        Command::Distance(options) => distance::run(options, common),
        Command::Inside(options) => inside::run(options, common),
        Command::Repair(options) => repair::run(options, common),
        Command::Triangulate(options) => triangulate::run(options, common),
        Command::Generate { kind: GenerateKind::Particles(options) } => {
            generate::run(options, common)
        }
        Command::Generate { kind: GenerateKind::Polyhedron(options) } => {
            generate_polyhedron::run(options, common)
        }
        Command::Generate { kind: GenerateKind::Mesh(options) } => {
            generate_mesh::run(options, common)
        }
        Command::Run(options) => run::run(options, common),
        Command::Sweep(options) => sweep::run(options, common),
        Command::Scenes(options) => scenes::list(options),
        Command::New(options) => scenes::copy(options, common),
        Command::View(options) => view::run(options, common),
        Command::Export(options) => export::run(options, common),
        Command::Check(options) => check::run(options, common),
        Command::Schema => check::schema(),
        Command::Reproduce(options) => reproduce::run(options, common),
        Command::Gallery(options) => gallery::run(options, common),
        Command::Completions { shell } => shell::completions(*shell),
        Command::Man { command } => shell::manual(command.as_deref()),
    }
}

/// Prints a line for each mistake.
fn say_errors(sentences: &str) {
    sentences.lines().for_each(|sentence| print_stderr(format!("error: {sentence}")));
}

/// Exit code of bad input or usage.
const EXIT_BAD_INPUT: u8 = 2;

fn finish(result: Result<(), CommandFailure>) -> u8 {
    out_of_memory::claim_exit();
    match result {
        Ok(()) | Err(CommandFailure::BrokenPipe) => 0,
        Err(CommandFailure::Running(sentence)) => {
            say_errors(&sentence);
            1
        }
        Err(CommandFailure::Input(sentence)) => {
            say_errors(&sentence);
            EXIT_BAD_INPUT
        }
        Err(CommandFailure::Stopped(sentence)) => {
            print_stderr(sentence);
            interrupt::EXIT_STOPPED
        }
    }
}
