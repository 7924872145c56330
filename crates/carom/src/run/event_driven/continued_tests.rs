//! Event-driven runs that continue with the bodies of another one.
#![allow(clippy::unwrap_used)]

use crate::run::*;
use carom_scene::Scene;
use carom_scene::scene::AnyScene;
use carom_simulate::State;
use carom_simulate::event_driven::Simulation;
use std::path::Path;

/// Frames of it have neither velocities nor masses.
const GAS: &str = r#"
    engine = "event-driven"
    dimension = 2
    [box]
    size = [12, 10]
    boundary = ["periodic", "wall"]
    [gravity]
    acceleration = [0, -1]
    [collapse]
    contact_time = 1e-6
    [materials.default]
    density = 1.0
    [materials.heavy]
    density = 3.0
    restitution = 0.9
    [observe]
    mean_square_displacement = true
    [output]
    columns = ["radius"]
"#;

const BODIES: &str = r#"
    [[generate]]
    kind = "random"
    count = 16
    radius = { min = 0.2, max = 0.4 }
    temperature = 1.0
    [[generate]]
    kind = "random"
    count = 4
    radius = 0.3
    material = "heavy"
    temperature = 1.0
"#;

fn scene(text: &str, folder: &Path) -> Scene<2> {
    match AnyScene::parse(text, "test.toml", folder, &[]).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => unreachable!(),
    }
}

/// A run at its end, whose folder has its checkpoint and no frame.
fn ended(text: &str, folder: &Path) -> Run<2> {
    let scene = scene(text, folder);
    let mut run = Run::new(&scene).unwrap();
    run.run_to_end(&mut ()).unwrap();
    let results = folder.join("fill.run");
    std::fs::create_dir(&results).unwrap();
    std::fs::write(results.join("scene.toml"), &scene.as_run).unwrap();
    run.checkpoint().write(&results.join("checkpoint.bin")).unwrap();
    std::fs::write(results.join("summary.json"), r#"{ "time": 3.0 }"#).unwrap();
    run
}

fn simulation(run: &Run<2>) -> &Simulation<2> {
    run.simulation().unwrap()
}

#[test]
fn a_gas_starts_as_it_was_at_the_end_of_its_run() {
    for seed in [1, 2, 3] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!("seed = {seed}\nuntil = 3.0\n{GAS}");
        let end = ended(&format!("{text}{BODIES}"), folder.path());
        let next = scene(&format!("{text}[[bodies]]\nfile = 'fill.run'\n"), folder.path());
        let warnings = next.warnings();
        assert!(!warnings.iter().any(|it| it.contains("bodies are taken from")), "{warnings:?}");
        let start = Run::new(&next).unwrap();
        let (mut expected, state) = (end.engine().state(), start.engine().state());
        assert!(state.materials.contains(&1) && expected.time == 3.0);
        expected.time = 0.0;
        assert_eq!(state, expected, "to the bit");
        let (end, start) = (simulation(&end), simulation(&start));
        for body in 0..end.count() {
            let apart = end.unwrapped_position(body) - start.unwrapped_position(body);
            assert!(apart.norm() < 1e-12, "{apart}");
        }
        let (there, here) = (end.saved_state().properties, start.saved_state().properties);
        assert_eq!(there.last_contacts.len(), end.count());
        for (there, here) in there.last_contacts.iter().zip(&here.last_contacts) {
            let is_same = there - 3.0 == *here || (there - 3.0 - here).abs() < 1e-12;
            assert!(is_same, "{there} {here}");
        }
        assert!(here.last_contacts.iter().any(|time| time.is_finite()));
    }
}

#[test]
fn a_gas_continues_as_if_its_run_had_not_ended() {
    for seed in [4, 5, 6] {
        let folder = tempfile::tempdir().unwrap();
        let uncut_text = format!("seed = {seed}\nuntil = 5.0\n{GAS}{BODIES}");
        let mut uncut = Run::new(&scene(&uncut_text, folder.path())).unwrap();
        uncut.run_to_end(&mut ()).unwrap();
        let first = ended(&format!("seed = {seed}\nuntil = 3.0\n{GAS}{BODIES}"), folder.path());
        let text = format!("seed = {seed}\nuntil = 2.0\n{GAS}[[bodies]]\nfile = 'fill.run'\n");
        let mut next = Run::new(&scene(&text, folder.path())).unwrap();
        next.run_to_end(&mut ()).unwrap();
        let collisions = |run: &Run<2>| simulation(run).counters().collisions;
        assert!(collisions(&first) > 10, "{}", collisions(&first));
        assert!(collisions(&next) > 5, "{}", collisions(&next));
        assert_eq!(collisions(&first) + collisions(&next), collisions(&uncut), "seed {seed}");
        let (expected, state) = (uncut.engine().state(), next.engine().state());
        for body in 0..state.ids.len() {
            let apart = simulation(&uncut).unwrapped_position(body)
                - simulation(&next).unwrapped_position(body);
            assert!(apart.norm() < 1e-7, "seed {seed}, body {body}: {apart}");
            let faster = expected.velocities[body] - state.velocities[body];
            assert!(faster.norm() < 1e-7, "seed {seed}, body {body}: {faster}");
        }
    }
}

#[test]
fn the_bodies_of_a_run_that_grew_and_fell_in_a_field_are_those_of_its_end() {
    let folder = tempfile::tempdir().unwrap();
    let field = GAS.replace("[gravity]", "[field]\nperiod = 0.013\ndrag = 0.2\n[gravity]");
    let growing = format!("{field}[growth]\nrate = 0.1\n");
    let end = ended(&format!("until = 3.0\n{growing}{BODIES}"), folder.path());
    let next = format!("until = 3.0\n{field}[[bodies]]\nfile = 'fill.run'\n");
    let start = Run::new(&scene(&next, folder.path())).unwrap();
    let expected = State { time: 0.0, ..end.engine().state() };
    assert_eq!(start.engine().state(), expected, "to the bit");
    assert!(expected.radii.iter().any(|&radius| radius > 0.41));
}
