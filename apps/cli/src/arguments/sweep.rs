//! Arguments of `carom sweep`.

use clap::Args;
use std::path::PathBuf;

pub const SWEEP_EXAMPLES: &str = "\
Values of --over and --zip: 1,2,5 is a list, 1..20 the whole numbers from 1 to 20, 0.1..0.9:9 nine
evenly spaced numbers; commas in brackets and quotes belong to a value. Several --over are run in
all combinations. KEY is any that carom run --set takes.

Writes a folder: for each run a folder of results as carom run writes it, named by its settings
such as generate.0.count=500+seed=3, and sweep.csv with a row for each run: its settings, how it
ended, every number of its summary, a digest of its final state, its folder, and why it failed if
it did. Every scene is checked before the first run starts. A run that fails does not end the
others; it makes the exit code 1.

Ctrl-C, a request to terminate and --max-walltime write checkpoints of all runs and end with exit
code 3. The same command continues: runs that are finished are left as they are, those that were
cut continue, and those that failed are tried again. Results do not depend on --jobs, on --shard
or on stops.

Examples:
  carom new cooling --out gas.toml
  carom sweep gas.toml --over seed=1..4 --jobs 2 --until 1 --out seeds
  carom sweep gas.toml --over seed=1..4 --until 1 --out seeds --list
  carom sweep gas.toml --over materials.default.restitution=0.8..0.9:3 --over seed=1,2
      --until 1 --plot kinetic_energy --out cooling
  carom sweep gas.toml --over seed=1..100 --until 1 --shard 3/50 --out many";

#[derive(Debug, Args)]
pub struct SweepArguments {
    /// Scene file, or a built-in scene such as :hopper (carom scenes lists them)
    pub scene: PathBuf,
    /// Run the scene with every one of these values of a setting, such as seed=1..20
    #[arg(long, value_name = "KEY=VALUES")]
    pub over: Vec<String>,
    /// A setting that advances together with those of all other --zip, which have as many values
    #[arg(long, value_name = "KEY=VALUES")]
    pub zip: Vec<String>,
    /// Folder for the table and the folders of the runs [default: the scene's name with .sweep, in the current
    /// folder]
    #[arg(long, short, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of runs at a time, which share the threads; many small runs are best run as many at a time as there
    /// are processors
    #[arg(long, short, value_name = "N", default_value_t = 1, allow_negative_numbers = true)]
    pub jobs: usize,
    /// Run every Nth run only, from the Ith: one of N parts for N machines that write into the same folder
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// End all runs at this simulated time, instead of the scene's
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Change a key of the scene in all runs, such as collisions=1000
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Stop with checkpoints after this wall-clock time, such as 500ms, 10s, 5min or 2h
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub max_walltime: Option<String>,
    /// Draw a number of the table over every swept setting that is a number, as QUANTITY_over_KEY.svg, with means and
    /// standard errors over seeds
    #[arg(long, value_name = "QUANTITY")]
    pub plot: Vec<String>,
    /// Time between lines of progress where standard error is no terminal, such as 30s [default: 10s at first, growing
    /// to 60s]
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub progress_interval: Option<String>,
    /// Run nothing: list the runs and where they stand, and write the table of what is there
    #[arg(long)]
    pub list: bool,
    /// Print the table as JSON
    #[arg(long)]
    pub json: bool,
}
