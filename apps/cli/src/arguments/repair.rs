//! Arguments of `carom repair`.

use clap::Args;
use std::path::PathBuf;

pub const REPAIR_EXAMPLES: &str = "\
Vertices are welded, degenerate and duplicate faces are removed, faces are oriented consistently
and outwards, and holes are filled if --fill-holes is given. The report counts the repairs and
the defects that are left; carom check FILE gives their details.

Examples:
  carom generate mesh sphere --refinements 3 --out ball.stl
  carom repair ball.stl --out whole.ply
  carom repair ball.stl --out whole.ply --weld 1e-6 --fill-holes";

#[derive(Debug, Args)]
pub struct RepairArguments {
    /// Mesh file: .stl, .obj, .ply or .off
    #[arg(value_name = "MESH")]
    pub mesh: PathBuf,
    /// Write the repaired mesh to this file: .stl, .obj, .ply or .off
    #[arg(long, short, value_name = "FILE")]
    pub out: PathBuf,
    /// Weld a vertex to an earlier one within this distance; equal ones if not given
    #[arg(long, value_name = "DISTANCE", default_value_t = 0.0, hide_default_value = true)]
    #[arg(allow_negative_numbers = true)]
    pub weld: f64,
    /// Fill holes of at most this number of edges; of at most 100 if no number is given
    #[arg(long, value_name = "EDGES", num_args = 0..=1, default_missing_value = "100")]
    pub fill_holes: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
