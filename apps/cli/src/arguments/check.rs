//! What `carom check` can be asked for.

use clap::Args;
use std::path::PathBuf;

pub const CHECK_EXAMPLES: &str = "\
A scene is read, its bodies are placed and its start is run for less than a second. What is reported
of it: what the step and the stiffness follow from, the number of steps, speeds, mass, overlap at
rest, how long the run will take (an estimate: \"estimate\" in --json), the bytes of frames and of
a checkpoint, and a softer stiffness where that would save much.

A file that ends in .stl, .obj, .ply or .off is a mesh: vertices, edges and faces are counted,
those without area and those that are there twice too, and it is reported where it lies, whether it
is closed (or which edges are not, around which places, and which vertices were probably meant to
be one) and convex (or how much of its convex hull it fills), by which rules it has an inside, and
its volume, center of mass and inertia (about the center of mass, for density one).

Examples:
  carom check :fluid
  carom generate mesh foam --cells 2 --triangles 5000 --out rock.stl
  carom check rock.stl
  carom check rock.stl --json";

#[derive(Debug, Args)]
pub struct CheckArguments {
    /// Scene file, a scene that the program carries (such as :hopper), or mesh file (.stl, .obj, .ply, .off)
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Change a key of the scene
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}
