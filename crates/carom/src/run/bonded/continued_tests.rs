//! Runs of solids that continue from the end of another run.
#![allow(clippy::unwrap_used)]

use crate::run::{Goal, Run};
use carom_scene::Scene;
use carom_scene::scene::{AnyScene, solids_of_run};
use carom_simulate::bonded::Simulation;
use std::path::Path;

/// A disc that breaks and yields against the side of the box, above a block that is held.
const IMPACT: &str = "engine = 'bonded'\ndimension = 2\nuntil = 60\n\
    box.size = [40, 40]\nbox.boundary = 'wall'\ngravity.acceleration = [0, -1e-4]\n\
    [materials.default]\nyoungs_modulus = 1\nfriction = 0.3\n\
    [materials.glass]\nyoungs_modulus = 1\nsprings = { yield_stretch = 0.02, break_stretch = 0.04 }\n";

const SOLIDS: &str = "[[solids]]\ncircle = { center = [8, 20], radius = 6 }\nspacing = 1\n\
    material = 'glass'\nvelocity = [-0.25, 0.02]\n\
    [[solids]]\nblock = { low = [20, 4], high = [30, 8] }\nspacing = 1\nfixed = true\n";

fn scene(text: &str, folder: &Path, settings: &[String]) -> Result<Scene<2>, String> {
    let scene = AnyScene::parse(text, "test.toml", folder, settings);
    match scene.map_err(|error| error.to_string())? {
        AnyScene::TwoD(scene) => Ok(scene),
        AnyScene::ThreeD(_) => unreachable!(),
    }
}

/// The run of a scene, with its results in a folder.
fn results(scene: &Scene<2>, folder: &Path, name: &str) -> Run<2> {
    let mut run = Run::new(scene).unwrap();
    run.run_to_end(&mut ()).unwrap();
    let results = folder.join(name);
    std::fs::create_dir(&results).unwrap();
    std::fs::write(results.join("scene.toml"), &scene.as_run).unwrap();
    run.checkpoint().write(&results.join("checkpoint.bin")).unwrap();
    std::fs::write(results.join("summary.json"), r#"{ "time": 60.0 }"#).unwrap();
    run
}

fn simulation(run: &Run<2>) -> &Simulation<2> {
    run.simulation().unwrap()
}

#[test]
fn solids_continue_from_another_run_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    let first = scene(&format!("{IMPACT}{SOLIDS}"), path, &[]).unwrap();
    let run = results(&first, path, "first.run");
    let broken = run.quantities().number("broken_springs").unwrap();
    assert!(broken > 10.0 && run.quantities().number("plastic_loss") > Some(0.0), "{broken}");
    let steps = simulation(&run).steps();
    let start = "start.file = 'first.run'\n";
    let by_file = format!("{start}{IMPACT}{SOLIDS}");
    let (by_file, by_option) = (
        scene(&by_file, path, &["until=40".to_owned()]).unwrap(),
        // The solids of the scene do not count.
        scene(
            &format!(
                "{IMPACT}[[solids]]\ncircle = {{ center = [9, 9], radius = 2 }}\nspacing = 1\n"
            ),
            path,
            &[solids_of_run(&path.join("first.run")).unwrap(), vec!["until=40".to_owned()]]
                .concat(),
        )
        .unwrap(),
    );
    assert_eq!(by_file.fingerprint(), by_option.fingerprint());
    for next in [by_file, by_option] {
        let mut run = Run::new(&next).unwrap();
        assert_eq!(run.engine().time(), 0.0);
        assert_eq!(run.quantities().number("broken_springs"), Some(broken));
        assert_eq!(run.quantities().number("fracture_loss"), Some(0.0));
        run.run_to_end(&mut ()).unwrap();
        let mut uncut = Run::new(&first).unwrap();
        let count = steps + simulation(&run).steps();
        while uncut.advance_toward(Goal::count(count)).unwrap().is_none() {}
        assert_eq!(simulation(&uncut).steps(), count);
        let [one, other] = [&run, &uncut].map(|run| run.engine().state());
        assert_eq!((one.positions, one.velocities), (other.positions, other.velocities));
        // Cut and resumed it is the same.
        let mut cut = Run::new(&next).unwrap();
        while cut.is_over().is_none() {
            cut.advance().unwrap();
            cut.emit_due_output(&mut ()).unwrap();
            cut = Run::resume(&next, cut.checkpoint()).unwrap();
        }
        assert_eq!(simulation(&cut).saved_state(), simulation(&run).saved_state());
    }
}

#[test]
fn another_scene_may_change_gravity_box_and_what_is_held() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    results(&scene(&format!("{IMPACT}{SOLIDS}"), path, &[]).unwrap(), path, "first.run");
    let next = format!("start.file = 'first.run'\n{IMPACT}{SOLIDS}");
    let changed = next
        .replace("until = 60\n", "")
        .replace("size = [40, 40]", "size = [60, 40]")
        .replace("[0, -1e-4]", "[2e-3, -2e-3]")
        + "[[stages]]\nname = 'free'\nduration = 40\nrelease = [1]\n";
    let mut run = Run::new(&scene(&changed, path, &[]).unwrap()).unwrap();
    let start = simulation(&run).energy().total();
    let block = |run: &Run<2>| simulation(run).solids()[1].velocity;
    assert_eq!(block(&run).norm(), 0.0);
    run.run_to_end(&mut ()).unwrap();
    assert!(block(&run).x > 0.06 && block(&run).y < -0.06, "{}", block(&run));
    let energy = simulation(&run).energy();
    assert!((energy.total() - start).abs() < 0.1 * energy.kinetic_energy, "{energy:?} {start}");
}

#[test]
fn what_solids_cannot_continue_from_is_refused_in_a_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    results(&scene(&format!("{IMPACT}{SOLIDS}"), path, &[]).unwrap(), path, "first.run");
    let start = |file: &str| format!("start.file = '{file}'\n{IMPACT}{SOLIDS}");
    let first = start("first.run");
    for (text, said) in [
        (start("first.run@0"), "it must be the results folder of a run, whose end counts"),
        (start("test.toml"), "it must be the results folder of a run, whose end counts"),
        (first.replace("radius = 6", "radius = 5"), "solid 0 differs from that of the run"),
        (first.replace("fixed = true", "fixed = false"), "solid 1 differs from that of the run"),
        (
            format!(
                "{first}[[solids]]\ncircle = {{ center = [35, 35], radius = 2 }}\nspacing = 1\n"
            ),
            "it has 2 solids, and the scene has 3",
        ),
        (
            "start.file = 'first.run'\nengine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 9\n"
                .to_owned(),
            "only engine = \"bonded\" has solids",
        ),
    ] {
        let message = scene(&text, path, &[]).unwrap_err();
        assert!(message.contains(said), "{message}");
    }
    for (from, to, said) in [
        ("yield_stretch = 0.02, ", "", "the yield stretch of springs is not given of solid 0"),
        ("size = [40, 40]", "size = [25, 40]", "solids must start before all walls"),
    ] {
        let scene = scene(&first.replace(from, to), path, &[]).unwrap();
        let message = Run::new(&scene).err().unwrap().to_string();
        assert!(message.contains(said), "{message}");
    }
    std::fs::write(path.join("first.run/summary.json"), r#"{ "finished": false }"#).unwrap();
    assert!(scene(&first, path, &[]).unwrap_err().contains("it has not ended"));
    std::fs::write(path.join("first.run/summary.json"), "{}").unwrap();
    std::fs::remove_file(path.join("first.run/checkpoint.bin")).unwrap();
    assert!(scene(&first, path, &[]).unwrap_err().contains("it has no checkpoint.bin of solids"));
}
