//! `cargo xtask browser`: carom's pages in a real browser.

use crate::command::{program, root, run, target};
use std::path::Path;
use std::process::Command;

/// Which example scenes are looked at.
#[derive(Clone, Copy, PartialEq)]
pub enum Scenes {
    /// One of each engine and shape, of those that run fast.
    Few,
    /// Every one.
    All,
}

/// The few: discs, spheres, polyhedra, a mesh as a wall, solids.
const FEW: [&str; 5] = ["billiard", "fluid", "cubes", "hopper", "discs"];

/// Makes a gallery of example scenes and looks at every page of it, if a browser can be had.
pub fn test(scenes: Scenes) -> Result<(), String> {
    install()?;
    let program = program()?;
    let folder = target().join("browser");
    // Results of another program must not pass for those of this one.
    if folder.exists() {
        std::fs::remove_dir_all(&folder)
            .map_err(|error| format!("{} cannot be rebuilt: {error}", folder.display()))?;
    }
    let mut command = Command::new(target().join("debug/carom-browser"));
    command.arg(program).arg(root().join("scenes")).arg(folder);
    if scenes == Scenes::Few {
        command.args(FEW);
    }
    run(&mut command)
}

/// Chromium from the system's packages, where there is none and we may: as root, on Debian and its like.
///
/// Whether one can be had at all is left to the test, which says so and passes without.
fn install() -> Result<(), String> {
    if is_there("chromium") || is_there("google-chrome") || std::env::var_os("CHROMIUM").is_some() {
        return Ok(());
    }
    if !Path::new("/etc/debian_version").exists() || !is_root() {
        return Ok(());
    }
    let mut update = Command::new("apt-get");
    let updated = run(update.args(["update", "--quiet=2"]));
    let mut install = Command::new("apt-get");
    install.env("DEBIAN_FRONTEND", "noninteractive");
    install.args([
        "install",
        "--yes",
        "--quiet=2",
        "--no-install-recommends",
        "chromium",
        "fonts-dejavu-core",
    ]);
    if let Err(sentence) = updated.and_then(|()| run(&mut install)) {
        eprintln!("\n== chromium could not be installed: {sentence}");
    }
    Ok(())
}

fn is_there(program: &str) -> bool {
    let output = Command::new(program).arg("--version").output();
    output.is_ok_and(|output| output.status.success())
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout == b"0\n")
}
