//! What `carom check` can be asked for.

use clap::Args;
use std::path::PathBuf;

pub const CHECK_EXAMPLES: &str = "\
A file that ends in .stl, .obj, .ply or .off is a mesh: vertices, edges and faces are counted,
those without area and those that are there twice too, and it is told whether it is closed (or
which edges are not) and convex (or how much of its convex hull it fills), by which rules it has
an inside, and its volume, centre of mass and inertia (about the centre of mass, for density
one). Anything else is a scene.

Examples:
  carom check :fluid
  carom generate mesh foam --cells 2 --triangles 5000 --out rock.stl
  carom check rock.stl
  carom check rock.stl --json";

#[derive(Debug, Args)]
pub struct Check {
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
