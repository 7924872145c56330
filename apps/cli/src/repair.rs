//! `carom repair`.

use crate::arguments::{CommonArguments, RepairArguments};
use crate::failure::{CommandFailure, print};
use carom::geometry::mesh::{RepairOptions, RepairReport};
use carom::io::{Error, MeshFormat};

pub fn run(options: &RepairArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    let name = options.mesh.display().to_string();
    let out = options.out.display().to_string();
    if MeshFormat::of_name(&options.out).is_none() {
        return Err(Error::MeshFormat { file: out }.into());
    }
    let mesh = carom::io::read_mesh(&options.mesh)?;
    let settings = RepairOptions {
        weld_distance: options.weld,
        fill_holes_up_to: options.fill_holes.unwrap_or(0),
    };
    let (repaired, report) = mesh
        .repaired(&settings)
        .map_err(|error| CommandFailure::input(format!("{name}: {error}")))?;
    carom::io::write_mesh(&options.out, &repaired)?;
    if options.json {
        return print(&format!("{:#}\n", json(&report)));
    }
    common.report(text(&out, &report));
    Ok(())
}

/// What each number of the report counts.
const WORDS: [&str; 11] = [
    "vertices welded",
    "faces collapsed",
    "flat triangles",
    "faces repeated",
    "faces reversed",
    "holes filled",
    "triangles added",
    "vertices removed",
    "open edges",
    "non-manifold edges",
    "misoriented edges",
];

fn json(report: &RepairReport) -> serde_json::Value {
    let numbers = report.numbers().map(|(name, count)| (name.to_owned(), count.into()));
    serde_json::Value::Object(numbers.into_iter().collect())
}

fn text(out: &str, report: &RepairReport) -> String {
    let verdict = if report.is_closed() { "closed" } else { "not closed" };
    let mut lines = vec![format!("{out} is {verdict}")];
    let done = report.numbers().into_iter().zip(WORDS).filter(|((_, count), _)| *count > 0);
    lines.extend(done.map(|((_, count), words)| format!("  {words:<18} {count}")));
    lines.join("\n")
}
