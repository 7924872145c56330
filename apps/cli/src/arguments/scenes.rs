//! What `carom scenes` and `carom new` can be asked for.

use clap::Args;
use std::path::PathBuf;

pub const SCENES_EXAMPLES: &str = "\
A scene that the program carries is named by a colon wherever a scene file can be: carom run,
carom check and carom gallery take :hopper.

Examples:
  carom scenes
  carom check :hopper
  carom run :hopper --until 1";

#[derive(Debug, Args)]
pub struct ScenesArguments {
    /// As JSON
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
    /// Write to this file, which must not be there yet; meshes that the scene needs are written beside it
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
}
