//! Command line arguments and help texts; a file for each command.

mod check;
mod contacts;
mod distance;
mod generate;
mod inside;
mod repair;
mod reproduce;
mod run;
mod scenes;
mod sweep;
mod triangulate;
mod view;

pub use check::CheckArguments;
pub use contacts::ContactsArguments;
pub use distance::DistanceArguments;
pub use generate::{
    GenerateKind, GenerateMeshArguments, GenerateParticlesArguments, GeneratePolyhedronArguments,
};
pub use inside::InsideArguments;
pub use repair::RepairArguments;
pub use reproduce::ReproduceArguments;
pub use run::RunArguments;
pub use scenes::{NewArguments, ScenesArguments};
pub use sweep::SweepArguments;
pub use triangulate::TriangulateArguments;
pub use view::{ExportArguments, GalleryArguments, ViewArguments};

use crate::failure::{CommandFailure, print_stderr};
use carom::io::memory;
use clap::{Args, Parser, Subcommand};

/// A collision toolkit for many-particle systems: contacts among spheres and discs, distances of polyhedra and
/// point-in-mesh tests, fast and exact; event-driven simulation of hard spheres and discs, the discrete element method
/// (dem) for grains, polyhedra and meshes, and bonded particles for solids that deform and break.
#[derive(Debug, Parser)]
#[command(name = "carom", version, propagate_version = true, after_help = EXIT_CODES)]
#[command(long_version = carom::VERSION)]
pub struct Arguments {
    #[command(flatten)]
    pub common: CommonArguments,
    #[command(subcommand)]
    pub command: Command,
}

const EXIT_CODES: &str = "\
Results go to standard output or --out; messages go to standard error.
Exit codes: 0 done, 1 failed while running, 2 bad input or usage, 3 stopped by a signal
or a limit of time.";

/// Options of every command.
#[derive(Clone, Debug, Args)]
pub struct CommonArguments {
    /// Print nothing but errors
    #[arg(long, short, global = true)]
    pub quiet: bool,
    /// Number of threads; all processors if not given. The results do not depend on it
    #[arg(long, global = true, value_name = "N", allow_negative_numbers = true)]
    pub threads: Option<usize>,
    /// Memory that may be taken, such as 8GB; what needs more is refused. What the machine has free and
    /// its limits allow, if not given
    #[arg(long, global = true, value_name = "SIZE")]
    pub memory: Option<String>,
}

impl CommonArguments {
    /// Sets the memory limit to `--memory`, if it is given.
    pub fn allow_memory(&self) -> Result<(), CommandFailure> {
        let Some(text) = &self.memory else { return Ok(()) };
        let bytes = memory::parse_size(text).ok_or_else(|| {
            CommandFailure::input(format!(
                "--memory is {text:?}; it must be a size such as 500MB or 8GB"
            ))
        })?;
        memory::set_limit(bytes);
        Ok(())
    }

    /// Prints a sentence for people to standard error, unless `--quiet` is given.
    pub fn report(&self, sentence: impl std::fmt::Display) {
        if !self.quiet {
            print_stderr(sentence);
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a scene: event-driven hard discs or spheres (engine = "event-driven"), grains, polyhedra and meshes by the
    /// discrete element method (engine = "dem"), or solids of bonded particles that deform and break (engine =
    /// "bonded")
    #[command(after_help = run::RUN_EXAMPLES)]
    Run(RunArguments),
    /// Run a scene with many settings, each into a folder of its own, and make one table of all
    #[command(after_help = sweep::SWEEP_EXAMPLES)]
    Sweep(SweepArguments),
    /// List the built-in scenes
    #[command(after_help = scenes::SCENES_EXAMPLES)]
    Scenes(ScenesArguments),
    /// Copy a built-in scene, to start your own from
    #[command(after_help = scenes::NEW_EXAMPLES)]
    New(NewArguments),
    /// Show the results of a run in the browser, while it runs or later
    #[command(after_help = view::VIEW_EXAMPLES)]
    View(ViewArguments),
    /// Write the results of a run as one page that opens anywhere
    #[command(after_help = view::EXPORT_EXAMPLES)]
    Export(ExportArguments),
    /// Validate a scene or a mesh and say what it would do, or what it is
    #[command(after_help = check::CHECK_EXAMPLES)]
    Check(CheckArguments),
    /// Print the JSON schema of scenes, for editors that complete and check TOML
    #[command(after_help = "Example:\n  carom schema > scene.schema.json")]
    Schema,
    /// Find all pairs of spheres or discs that touch or overlap
    #[command(after_help = contacts::CONTACTS_EXAMPLES)]
    Contacts(ContactsArguments),
    /// Triangulate spheres or discs: neighbors, and the Laguerre cell of each
    #[command(after_help = triangulate::TRIANGULATE_EXAMPLES)]
    Triangulate(TriangulateArguments),
    /// Distance, closest points and features of two convex polyhedra, or their penetration depth
    #[command(after_help = distance::DISTANCE_EXAMPLES)]
    Distance(DistanceArguments),
    /// Which points lie inside a mesh, outside, or on its surface
    #[command(after_help = inside::INSIDE_EXAMPLES)]
    Inside(InsideArguments),
    /// Repair a mesh: vertices to weld, faces without area, repeated or turned, holes
    #[command(after_help = repair::REPAIR_EXAMPLES)]
    Repair(RepairArguments),
    /// Generate particles or meshes
    Generate {
        #[command(subcommand)]
        kind: GenerateKind,
    },
    /// Run scenes and make one page of them, with pictures, key figures and a page to play each
    #[command(after_help = view::GALLERY_EXAMPLES)]
    Gallery(GalleryArguments),
    /// Measure the papers' tables and figures again, beside the published values
    #[command(after_help = reproduce::REPRODUCE_EXAMPLES)]
    Reproduce(ReproduceArguments),
    /// Print completions for a shell
    #[command(after_help = "Example:\n  carom completions bash > carom.bash\n  . ./carom.bash")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    #[command(after_help = "Examples:\n  carom man | man -l -\n  carom man contacts | man -l -")]
    Man {
        /// The command whose page to print, such as contacts or particles
        command: Option<String>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Columns of a help text where there is no terminal, and at most.
    const COLUMNS: usize = 100;

    fn check_lines(command: &clap::Command) {
        let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        for line in text.lines() {
            assert!(line.chars().count() <= COLUMNS, "{}: {line}", command.get_name());
        }
        command.get_subcommands().for_each(check_lines);
    }

    #[test]
    fn lines_of_help_texts_are_not_wrapped_again() {
        check_lines(&Arguments::command());
    }
}
