//! Arguments of `carom check`.

use clap::Args;
use std::path::PathBuf;

pub const CHECK_EXAMPLES: &str = "\
A scene is read, its bodies are placed and its start is run for less than a second. Reported are
the reasons for time step and stiffness, the number of time steps, speeds, mass, overlap at rest,
how long the run will take (an estimate: \"estimate\" in --json), the bytes of frames and of a
checkpoint, and a softer stiffness where that would save much.

A file that ends in .stl, .obj, .ply or .off is a mesh. Reported are the numbers of vertices,
edges and faces, degenerate and duplicate faces, its bounds, whether it is closed (or which edges
are open, the holes, and which vertices were probably meant to be one) and convex (or how much of
its convex hull it fills), the fill rules by which it has an inside, and its volume, center of
mass and inertia tensor (about the center of mass, for density one).

Examples:
  carom check :fluid
  carom generate mesh foam --cells 2 --triangles 5000 --out rock.stl
  carom check rock.stl
  carom check rock.stl --json";

#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Scene file, a built-in scene (such as :hopper), or mesh file (.stl, .obj, .ply, .off)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Change a key of the scene
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
