//! `cargo xtask unsafe`: the tests of every module with `unsafe` under Miri and valgrind, as far as they are installed.

use crate::command::{root, run};
use std::path::PathBuf;
use std::process::Command;

/// Packages and the tests that run their `unsafe` blocks; names of tests contain one of these.
///
/// The two modules of the program that ask the system for something run before `main` or when memory is used up, where
/// neither tool can follow; `apps/cli/tests` runs them.
const TESTS: [(&str, &[&str]); 3] = [
    ("carom-geometry", &["simd::"]),
    (
        "carom-detect",
        &[
            "multipole::expansion_matrix::",
            "multipole::harmonic_series::",
            "multipole::triangle_moments::",
            "inside::panels::",
        ],
    ),
    (
        "carom-simulate",
        &[
            "event_driven::collision_prediction::",
            "event_driven::contact_time_simd::",
            "event_driven::huge_pages::",
            "event_driven::prefetch::",
        ],
    ),
];

/// Tests for valgrind alone: they need functions of libm that are assembly, which Miri does not know.
const WITH_ASSEMBLY: [(&str, &str); 1] = [("carom-detect", "multipole::tests::a_small_surface")];

/// Target features of the blocks; under Miri a processor has those that the compiler was given.
const FEATURES: &str = "-Ctarget-feature=+avx2,+fma,+bmi1,+bmi2";

/// Runs the tests under the installed tools, and reports what is missing.
pub fn check() -> Result<(), String> {
    let mut miri = cargo_of_rustup();
    match is_there(miri.args(["+nightly", "miri", "--version"])) {
        true => under_miri()?,
        false => eprintln!(
            "\n== miri: skipped, it needs a nightly compiler (rustup toolchain install nightly -c miri)"
        ),
    }
    match is_there(Command::new("valgrind").arg("--version")) {
        true => under_valgrind(),
        false => {
            eprintln!("\n== valgrind: skipped, it is not installed");
            Ok(())
        }
    }
}

fn under_miri() -> Result<(), String> {
    TESTS.iter().try_for_each(|(package, tests)| {
        let mut command = cargo_of_rustup();
        command
            .args(["+nightly", "miri", "test", "--quiet", "--package", package, "--lib", "--"])
            .args(*tests);
        // Rayon's queues (crossbeam-epoch) break the stricter model of borrows, and its threads outlive the tests.
        command.env("MIRIFLAGS", "-Zmiri-tree-borrows -Zmiri-ignore-leaks");
        command.env("RUSTFLAGS", FEATURES).env("CARGO_TARGET_DIR", root().join("target/miri"));
        run(&mut command)
    })
}

fn under_valgrind() -> Result<(), String> {
    TESTS.iter().try_for_each(|(package, tests)| {
        let mut command = Command::new("valgrind");
        command.args(["--quiet", "--error-exitcode=9"]).arg(test_program(package)?);
        let more = WITH_ASSEMBLY.iter().filter(|(of, _)| of == package).map(|(_, test)| test);
        run(command.args(*tests).args(more).args(["--test-threads", "1"]))
    })
}

/// Builds the tests of a package and returns their path.
fn test_program(package: &str) -> Result<PathBuf, String> {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(root()).args([
        "test",
        "--package",
        package,
        "--lib",
        "--no-run",
        "--message-format",
        "json",
    ]);
    let output = command.output().map_err(|error| format!("cargo cannot be started: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    // The one line that has an executable; its path has no quotes in it.
    let path =
        text.lines().find_map(|line| line.split_once("\"executable\":\"")?.1.split('"').next());
    path.map(PathBuf::from).ok_or_else(|| {
        format!(
            "the tests of {package} cannot be built: {}",
            String::from_utf8_lossy(&output.stderr)
        )
    })
}

/// The `cargo` of rustup, which knows `+nightly`, without the choice of the one that runs this.
///
/// It takes what is installed and never fetches a compiler.
pub fn cargo_of_rustup() -> Command {
    let mut command = Command::new("cargo");
    command.env("RUSTUP_AUTO_INSTALL", "0");
    command.current_dir(root()).env_remove("RUSTUP_TOOLCHAIN").env_remove("CARGO");
    command
}

/// Whether a command succeeds.
pub fn is_there(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}
