//! `carom check` and `carom schema`.

use crate::arguments::{CheckArguments, CommonArguments};
use crate::failure::{CommandFailure, print};
use crate::{check_estimate, check_mesh, scene};
use carom::io::MeshFormat;
use carom::run::{Estimate, Run};
use carom::scene::{AnyScene, Scene};

pub fn run(options: &CheckArguments, common: &CommonArguments) -> Result<(), CommandFailure> {
    if MeshFormat::of_name(&options.file).is_some() {
        return check_mesh::run(options);
    }
    match scene::read(&options.file, &options.set, common)? {
        AnyScene::TwoD(scene) => check(options, &scene),
        AnyScene::ThreeD(scene) => check(options, &scene),
    }
}

/// The JSON schema of scenes.
pub fn schema() -> Result<(), CommandFailure> {
    print(&format!("{:#}\n", carom::scene::scene::schema()))
}

fn check<const D: usize>(options: &CheckArguments, scene: &Scene<D>) -> Result<(), CommandFailure> {
    let name = options.file.display().to_string();
    let run = Run::new(scene).map_err(|error| CommandFailure::from_scene(&name, error))?;
    let estimate = run.estimate(scene);
    if let Some(refusal) = &estimate.refusal {
        return Err(CommandFailure::input(format!("{name}: {refusal}")));
    }
    let cost = check_estimate::estimate_by_trial(run, scene)?;
    if options.json {
        let report = check_estimate::with_json(estimate.json(), &cost);
        return print(&format!("{report:#}\n"));
    }
    print(&check_estimate::with_text(text(&name, &estimate), &cost))
}

fn text(name: &str, estimate: &Estimate) -> String {
    let mut lines = vec![format!("{name} is a scene that runs")];
    let facts = estimate.facts.iter().filter_map(|fact| fact.line.as_ref());
    lines.extend(facts.map(|(label, words)| format!("  {label:<15} {words}")));
    lines.extend(estimate.warnings.iter().map(|warning| format!("warning: {warning}")));
    lines.join("\n") + "\n"
}
