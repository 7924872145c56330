//! Hands the compiler's version to the program, which writes it beside its results.

use std::process::Command;

fn main() {
    let compiler = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = Command::new(compiler)
        .arg("--version")
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_string())
        .unwrap_or_else(|_| "rustc of unknown version".into());
    println!("cargo:rustc-env=COMPILER_VERSION={version}");
    println!("cargo:rerun-if-changed=build.rs");
}
