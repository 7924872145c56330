//! Arguments of `carom run`.

use clap::Args;
use std::path::PathBuf;

pub const RUN_EXAMPLES: &str = "\
Writes a folder: scene.toml (as run), inputs/ (copies of the files that the scene names), log.csv,
frames/ (carom view shows them; open frames.pvd in ParaView, the .xyz or .dump files in OVITO),
checkpoint.bin, summary.json, picture.png and, if the scene asks for it, radial_distribution.csv.
A folder with results is never overwritten unless --force is given, and the scene itself never; a
second run into a folder that is in use is refused, and so is a run into the folder of a sweep.

With the discrete element method (dem), log.csv has the kinetic, rotational, potential and contact
energy; damping_loss and friction_loss are the energies lost normal and tangential to contacts,
external_work is the energy brought in by walls and poured bodies.

Ctrl-C, a request to terminate, a closed terminal and --max-walltime write a checkpoint and end
with exit code 3. A run that was stopped or killed continues by --resume, and its results are
those of the uncut run to the bit. With --resume only the end (until, collisions), the neighbor
structure and the formats, picture and checkpoint interval of the output may be changed, and the
log keeps the interval it started with; without SCENE the one in --out is taken, with all that was
set. If log or frames of a run are lost, --resume --new-folder DIR continues from its checkpoint in
a new folder. A damaged checkpoint is replaced by the one before. A run without an end in time also
ends when nothing can happen any more.

Examples:
  carom run
  carom run :fluid --set generate.0.packing_fraction=0.1 --out dilute
  carom run :sediment --max-walltime 5s
  carom run :sediment --resume --until 20
  carom new dice --out dice.toml
  carom run dice.toml --out dice
  carom run dice.toml --from dice --out again";

#[derive(Debug, Args)]
pub struct RunArguments {
    /// Scene file, or a built-in scene such as :hopper (carom scenes lists them); :billiard if not given
    pub scene: Option<PathBuf>,
    /// Folder for the results [default: the scene's name with .run, in the current folder]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Continue from the checkpoint in the folder
    #[arg(long)]
    pub resume: bool,
    /// Continue in a new folder instead, which needs neither log nor frames of the old one: with --resume, from
    /// the checkpoint in --out
    #[arg(long, value_name = "DIR")]
    pub new_folder: Option<PathBuf>,
    /// Start with the bodies at the end of another run, in its results folder (DIR@12 and DIR@t=1.5 are its frames),
    /// instead of those of the scene, with velocities, materials and contact history; in engine bonded with its solids as
    /// they were, broken springs and strains included
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// Replace the results in the folder
    #[arg(long)]
    pub force: bool,
    /// End at this simulated time, instead of the scene's
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Change a key of the scene, such as seed=3, collisions=1000 or generate.0.count=500
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Stop with a checkpoint after this wall-clock time, such as 500ms, 10s, 5min or 2h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub max_walltime: Option<String>,
    /// Time between lines of progress where standard error is no terminal, such as 30s [default: 10s at first, growing
    /// to 60s]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub progress_interval: Option<String>,
    /// Verify the neighbor structure completely at every tenth row of the log; slow
    #[arg(long)]
    pub check: bool,
    /// Continue a run although its energy grows without a source; otherwise that is an error
    #[arg(long)]
    pub force_energy: bool,
    /// Print the summary as JSON
    #[arg(long)]
    pub json: bool,
}
