//! Programs of ours that call CGAL, compiled when they are first needed.

use std::path::PathBuf;
use std::process::Command;

const FLAGS: [&str; 2] = ["-O3", "-DNDEBUG"];
const LIBRARIES: [&str; 2] = ["-lgmp", "-lmpfr"];

/// The compiled driver, beside this program under a name that changes with its source; an error says
/// in one line why there is none.
pub fn driver(source: &str) -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let digest = carom::scene::files::digest(source.as_bytes());
    let path = here.with_file_name(format!("carom-bench-cgal-{digest:016x}"));
    if path.exists() {
        return Ok(path);
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (written, compiled) = (folder.path().join("cgal.cpp"), folder.path().join("cgal"));
    std::fs::write(&written, source).map_err(|error| error.to_string())?;
    let output = Command::new("g++")
        .args(FLAGS)
        .arg("-o")
        .args([&compiled, &written])
        .args(LIBRARIES)
        .output()
        .map_err(|error| format!("g++ cannot be started: {error}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let first = said.lines().find(|line| line.contains("error")).unwrap_or_default();
        return Err(format!("g++ cannot compile with CGAL (Debian's libcgal-dev): {first}"));
    }
    // Copied beside and renamed, since others may be at the same.
    let partial = here.with_file_name(format!("carom-bench-cgal-{}", std::process::id()));
    let kept = std::fs::copy(&compiled, &partial).and_then(|_| std::fs::rename(&partial, &path));
    kept.map_err(|error| format!("{} cannot be written: {error}", path.display()))?;
    Ok(path)
}
