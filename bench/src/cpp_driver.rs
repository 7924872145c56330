//! Programs of ours that call C++ libraries, compiled when they are first needed.

use std::path::PathBuf;
use std::process::Command;

/// Headers that all programs include.
const HEADER: &str = include_str!("driver.hpp");

/// Compiles a program with g++ and returns its path: beside this program, under a name that changes with
/// its source and arguments. An error says in one line why there is none.
pub fn compile(source: &str, arguments: &[String]) -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let identity = format!("{HEADER}{source}{arguments:?}");
    let digest = carom::io::digest(identity.as_bytes());
    let path = here.with_file_name(format!("carom-bench-driver-{digest:016x}"));
    if path.exists() {
        return Ok(path);
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (written, compiled) = (folder.path().join("driver.cpp"), folder.path().join("driver"));
    let header = folder.path().join("driver.hpp");
    for (path, text) in [(&header, HEADER), (&written, source)] {
        std::fs::write(path, text).map_err(|error| error.to_string())?;
    }
    let output = Command::new("g++")
        .args(["-std=c++17", "-O3", "-DNDEBUG", "-o"])
        .args([&compiled, &written])
        .args(arguments)
        .output()
        .map_err(|error| format!("g++ cannot be started: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().find(|line| line.contains("error")).unwrap_or_default();
        return Err(format!("g++ cannot compile with it: {first}"));
    }
    // Copied beside and renamed, since others may be at the same.
    let partial = here.with_file_name(format!("carom-bench-driver-{}", std::process::id()));
    let kept = std::fs::copy(&compiled, &partial).and_then(|_| std::fs::rename(&partial, &path));
    kept.map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    Ok(path)
}

/// Compiles a program that calls CGAL, where its headers are installed.
pub fn compile_with_cgal(source: &str) -> Result<PathBuf, String> {
    let compiled = compile(source, &["-lgmp".into(), "-lmpfr".into()]);
    compiled.map_err(|reason| format!("{reason} (is Debian's libcgal-dev installed?)"))
}
