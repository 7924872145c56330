//! `cargo xtask book`: the book of `docs` as HTML.

use crate::command::{root, run, target};
use std::process::Command;

/// Builds the book by mdBook into `target/book`, where mdBook is installed; says how to get it where it is not.
pub fn build() -> Result<(), String> {
    let installed = Command::new("mdbook")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !installed {
        eprintln!(
            "the book is not built: mdbook is not installed (cargo install mdbook); its pages are in docs"
        );
        return Ok(());
    }
    let folder = target().join("book");
    run(Command::new("mdbook")
        .arg("build")
        .arg(root().join("docs"))
        .arg("--dest-dir")
        .arg(&folder))?;
    eprintln!("the book is {}", folder.join("index.html").display());
    Ok(())
}
