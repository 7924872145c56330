//! The digest of the state of a run: equal for equal states, and different for states that differ in anything.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::Results;
use carom_io::Checkpoint;
use carom_scene::scene::AnyScene;
use carom_simulate::{BodyChange, BodyProperty, NewBody};
use std::collections::BTreeSet;

const FLUID: &str = "engine = 'event-driven'\ndimension = 2\nuntil = 1\noutput.picture = false\n\
    [[generate]]\nkind = 'random'\ncount = 60\nradius = 0.5\npacking_fraction = 0.3\ntemperature = 1\n";

/// Two grains that lean on each other and into a corner of the box, and one that falls.
const GRAINS: &str = "engine = 'dem'\ndimension = 2\nuntil = 0.2\nstep = 0.0005\nbox.size = 12\nbox.boundary = 'wall'\n\
    output.picture = false\ngravity.acceleration = [4, -4]\n\
    [materials.default]\nstiffness = 1e4\nfriction = 0.5\nrestitution = 0.2\n\
    [[bodies]]\nposition = [10.4994, 0.4997]\nradius = 0.5\n\
    [[bodies]]\nposition = [11.4997, 0.4997]\nradius = 0.5\n[[bodies]]\nposition = [9, 9]\nradius = 0.5\n";

/// A disc that breaks a block.
const SOLID: &str = "engine = 'bonded'\ndimension = 2\nuntil = 0.1\nbox.size = 10\nbox.boundary = 'open'\n\
    output.picture = false\n\
    [materials.glass]\ndensity = 1\nyoungs_modulus = 100\nsprings = { break_stretch = 0.01 }\n\
    [[solids]]\nmaterial = 'glass'\ncircle = { center = [2, 5], radius = 1 }\nspacing = 0.2\nvelocity = [4, 0]\n\
    [[solids]]\nmaterial = 'glass'\nblock = { low = [3.2, 3], high = [5, 7] }\nspacing = 0.2\n";

fn plane(text: &str) -> Scene<2> {
    match AnyScene::parse(text, "a.toml", "".as_ref(), &[]).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => panic!("the scene is in the plane"),
    }
}

fn at_end(scene: &Scene<2>) -> Run<2> {
    let mut run = Run::new(scene).unwrap();
    run.run_to_end(&mut ()).unwrap();
    run
}

/// The digest of a checkpoint with one number of an array changed in its last bit.
fn with_a_bit_changed(scene: &Scene<2>, checkpoint: &Checkpoint, name: &str) -> String {
    let mut changed = checkpoint.clone();
    let count = changed.count(name).unwrap();
    assert!(count > 0, "{name}");
    match checkpoint.f64s(name) {
        Some(_) => {
            let mut numbers = changed.take_f64(name, count).unwrap();
            numbers[0] = f64::from_bits(numbers[0].to_bits() ^ 1);
            changed.put_f64(name, numbers);
        }
        None => {
            // The lowest of the bits of a particle, each of which is a spring, is cleared.
            let mut numbers = changed.take_u32(name, count).unwrap();
            let number = numbers.iter_mut().find(|number| number.count_ones() > 3).unwrap();
            *number &= *number - 1;
            changed.put_u32(name, numbers);
        }
    }
    Run::resume(scene, changed).unwrap().state_digest()
}

#[test]
fn states_that_differ_in_one_number_have_different_digests() {
    for (text, names) in [
        (FLUID, &["positions", "velocities", "clocks", "radii"][..]),
        (
            GRAINS,
            &[
                "angular_velocities",
                "tangential_displacements",
                "wall_tangential_displacements",
                "positions_at_search",
                "forces_torques",
            ],
        ),
        (SOLID, &["positions_0", "velocities_0", "springs_0"]),
    ] {
        let scene = plane(text);
        let run = at_end(&scene);
        let checkpoint = run.checkpoint();
        let mut digests = BTreeSet::from([run.state_digest()]);
        for name in names {
            let changed = with_a_bit_changed(&scene, &checkpoint, name);
            assert!(digests.insert(changed), "{name}\n{text}");
        }
    }
}

#[test]
fn bodies_that_differ_in_angular_velocity_or_id_have_different_digests() {
    let new = NewBody::at_rest([6.0, 6.0], 0.25, 1.0);
    let disc = "engine = 'event-driven'\ndimension = 2\nuntil = 1\nbox.size = 12\n\
        [[bodies]]\nposition = [3, 3]\nradius = 0.5\n";
    for text in [disc, GRAINS] {
        let scene = plane(text);
        // The same bodies, before and after whose last one others have come and gone.
        let digest = |before: u32, after: u32| {
            let mut run = Run::new(&scene).unwrap();
            let come_and_go = |run: &mut Run<2>, place: f64| {
                let id = run.engine_mut().insert(&[NewBody { position: [place; 2].into(), ..new }]);
                run.engine_mut().remove(&[id.unwrap().start]).unwrap();
            };
            (0..before).for_each(|_| come_and_go(&mut run, 6.0));
            run.engine_mut().insert(&[new]).unwrap();
            (0..after).for_each(|_| come_and_go(&mut run, 8.0));
            assert_eq!(run.engine().body_count(), scene.bodies.len() + 1);
            run.state_digest()
        };
        assert_eq!(digest(1, 0), digest(1, 0));
        let all = [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)];
        let different: BTreeSet<String> = all.map(|(before, after)| digest(before, after)).into();
        assert_eq!(different.len(), all.len(), "{text}");
    }
    let mut run = Run::new(&plane(GRAINS)).unwrap();
    let before = run.state_digest();
    let to = BodyProperty::AngularVelocity([0.0, 0.0, 1e-300].into());
    run.engine_mut().apply(&[BodyChange { body: 2, to }]).unwrap();
    assert_ne!(run.state_digest(), before);
}

#[test]
fn equal_runs_have_equal_digests_on_any_number_of_threads_and_after_a_restart() {
    let stirred = format!("{GRAINS}[[generate]]\nkind = 'random'\ncount = 300\nradius = 0.2\n");
    for text in [FLUID, &stirred, SOLID] {
        let scene = plane(text);
        let whole = at_end(&scene).state_digest();
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let resumed = pool.install(|| {
                let mut cut = Run::new(&scene).unwrap();
                cut.emit_due_output(&mut ()).unwrap();
                cut.advance().unwrap();
                let mut resumed = Run::resume(&scene, cut.checkpoint()).unwrap();
                assert_eq!(resumed.state_digest(), cut.state_digest(), "{text}");
                resumed.run_to_end(&mut ()).unwrap();
                resumed.state_digest()
            });
            assert_eq!(resumed, whole, "{threads} threads\n{text}");
        }
        // What is measured does not count.
        let other = format!("output.log_interval = 0.01\noutput.interval = 0.05\n{text}");
        assert_eq!(at_end(&plane(&other)).state_digest(), whole, "{text}");
    }
}

#[test]
fn results_in_memory_and_in_a_folder_have_the_same_provenance() {
    for text in [FLUID, GRAINS, SOLID] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.run");
        let written = SceneRun::parse(text).unwrap().into_folder(&path).unwrap();
        let kept = SceneRun::parse(text).unwrap().run().unwrap();
        let read = Results::open(&path).unwrap().summary().unwrap();
        let provenance = &kept.summary["provenance"];
        assert_eq!(*provenance, written.summary["provenance"]);
        assert_eq!(*provenance, read["provenance"]);
        let scene = plane(text);
        assert_eq!(provenance["final_state"], at_end(&scene).state_digest());
        assert_eq!(provenance["inputs"], format!("{:016x}", scene.fingerprint()));
        assert_eq!(provenance["seed"], scene.seed);
        assert_eq!(provenance["version"], env!("CARGO_PKG_VERSION"));
        assert_eq!(provenance["commit"], serde_json::json!(crate::COMMIT));
        assert_eq!(provenance["threads"], rayon::current_num_threads());
        assert!(provenance["features"].is_array());
    }
}

#[test]
fn a_build_in_a_checkout_knows_its_commit() {
    let folder = env!("CARGO_MANIFEST_DIR");
    let is_checkout = std::path::Path::new(folder).join("../../.git").exists();
    assert_eq!(crate::COMMIT.is_some(), is_checkout);
    assert!(crate::COMMIT.is_none_or(|commit| crate::VERSION.contains(commit)));
}
