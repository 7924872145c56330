//! `carom check` of a mesh.

use crate::arguments::CheckArguments;
use crate::failure::{CommandFailure, print};
use carom::MeshReport;

pub fn run(options: &CheckArguments) -> Result<(), CommandFailure> {
    let name = options.file.display().to_string();
    if !options.set.is_empty() {
        return Err(CommandFailure::input(format!(
            "--set does not apply to {name}, which is a mesh"
        )));
    }
    let mesh = carom::io::read_mesh(&options.file)?;
    let report = MeshReport::of(&mesh);
    if options.json {
        return print(&format!("{:#}\n", report.json()));
    }
    print(&report.text(&name))
}
