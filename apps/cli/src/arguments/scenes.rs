//! Arguments of `carom scenes` and `carom new`.

use clap::Args;
use std::path::PathBuf;

pub const SCENES_EXAMPLES: &str = "\
A built-in scene is named by a colon wherever a scene file can be: carom run, carom check and
carom gallery take :hopper.

Examples:
  carom scenes
  carom check :hopper
  carom run :hopper --until 1";

#[derive(Debug, Args)]
pub struct ScenesArguments {
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

pub const NEW_EXAMPLES: &str = "\
Examples:
  carom new hopper > my.toml
  carom check my.toml
  carom new foams --out foams.toml";

#[derive(Debug, Args)]
pub struct NewArguments {
    /// The scene to copy, one of those that carom scenes lists
    pub name: String,
    /// Write to this file, which must not exist yet; meshes that the scene needs are written beside it
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
