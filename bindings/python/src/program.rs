//! The command line program.

use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the program carom with these arguments, the first of them its name, and returns its exit code.
///
/// It handles signals and may end the process, so it is only called by the script of the package.
#[pyfunction]
pub fn run_program(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| carom_cli::main(arguments))
}
