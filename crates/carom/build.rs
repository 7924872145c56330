//! Gives the library the commit that it is built from, if it is built in a checkout of carom.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let mut version = env!("CARGO_PKG_VERSION").to_owned();
    // Not the commit of another project that carries carom's sources along.
    if git(&["rev-parse", "--show-prefix"]).as_deref() == Some("crates/carom/")
        && let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"])
    {
        println!("cargo:rustc-env=CAROM_COMMIT={commit}");
        version += &format!(" ({commit})");
        // It grows with every commit and every change of branches. A path that is not there would run this
        // script at every build.
        let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
        if let Some(log) = log.filter(|log| Path::new(log).exists()) {
            println!("cargo:rerun-if-changed={log}");
        }
    }
    println!("cargo:rustc-env=CAROM_VERSION={version}");
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
