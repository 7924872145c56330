//! Runs that continue with the bodies of another run.
#![allow(clippy::unwrap_used)]

use super::tests::{dem, energy};
use crate::run::*;
use carom_io::{Checkpoint, FrameFormat, FrameSeries};
use carom_scene::Scene;
use carom_scene::scene::AnyScene;
use std::path::Path;

/// Discs and kites that lie on the ground, held by friction against inclined gravity.
const BED: &str = r#"
    engine = "dem"
    dimension = 2
    until = 6.0
    [box]
    size = [8, 20]
    boundary = ["periodic", "wall"]
    [gravity]
    acceleration = [1, -10]
    [materials.default]
    density = 1.0
    restitution = 0.1
    friction = 0.6
    rolling_friction = 0.1
    stiffness = 2e4
    [materials.soft]
    density = 2.0
    restitution = 0.1
    friction = 0.6
    rolling_friction = 0.1
    stiffness = 1e4
    [shapes.kite]
    polygon = [[-0.3, 0], [0, -0.4], [0.3, 0], [0, 0.3]]
    [[walls]]
    kind = "line"
    points = [[2, 0.4], [5, 0.5]]
"#;

const BODIES: &str = r#"
    [[generate]]
    kind = "random"
    count = 30
    radius = { min = 0.3, max = 0.4 }
    region = { low = [0, 1], high = [8, 20] }
    [[generate]]
    kind = "random"
    count = 15
    radius = 0.4
    material = "soft"
    region = { low = [0, 1], high = [8, 20] }
    [[generate]]
    kind = "random"
    count = 10
    shape = "kite"
    region = { low = [0, 1], high = [8, 20] }
"#;

/// Names that sort before the others, so that these have other numbers; a longer run, with one body more.
const GOES_ON: &str = r#"
    [materials.a_material]
    density = 5.0
    [shapes.a_shape]
    polygon = [[0, 0], [1, 0], [0, 1]]
    [[bodies]]
    position = [4, 18]
    radius = 0.2
    [[bodies]]
    file = "fill.run"
"#;

fn scene(text: &str, folder: &Path) -> Result<Scene<2>, String> {
    match AnyScene::parse(text, "test.toml", folder, &[]).map_err(|error| error.to_string())? {
        AnyScene::TwoD(scene) => Ok(scene),
        AnyScene::ThreeD(_) => unreachable!(),
    }
}

/// The settled bed, with its results in a folder.
fn filled(folder: &Path) -> (Scene<2>, Run<2>) {
    let fill = scene(&format!("{BED}{BODIES}"), folder).unwrap();
    let mut run = Run::new(&fill).unwrap();
    run.run_to_end(&mut ()).unwrap();
    let results = folder.join("fill.run");
    std::fs::create_dir(&results).unwrap();
    std::fs::write(results.join("scene.toml"), &fill.as_run).unwrap();
    run.checkpoint().write(&results.join("checkpoint.bin")).unwrap();
    std::fs::write(results.join("summary.json"), r#"{ "time": 6.0 }"#).unwrap();
    let mut series = FrameSeries::create(&results, &[FrameFormat::Vtk]).unwrap();
    series.write(&run.frame()).unwrap();
    (fill, run)
}

/// Force and torque on every body, by its number.
fn loads(run: &Run<2>, first: usize) -> Vec<[f64; 3]> {
    let saved = dem(run).saved_state();
    let mut loads = vec![[0.0; 3]; saved.order.len()];
    for (&number, [force, torque]) in saved.order.iter().zip(&saved.forces_torques) {
        loads[number as usize] = [force.x, force.y, torque.z];
    }
    loads.split_off(first)
}

fn apart(one: &[[f64; 3]], two: &[[f64; 3]]) -> f64 {
    assert_eq!(one.len(), two.len());
    let parts = one.as_flattened().iter().zip(two.as_flattened());
    parts.map(|(one, two)| (one - two).abs()).fold(0.0, f64::max)
}

#[test]
fn a_settled_bed_continues_with_the_forces_that_held_it() {
    let folder = tempfile::tempdir().unwrap();
    let (fill, end) = filled(folder.path());
    let checkpoint = Checkpoint::read(&folder.path().join("fill.run/checkpoint.bin")).unwrap();
    let resumed: Run<2> = Run::resume(&fill, checkpoint).unwrap();
    let next = scene(&format!("{BED}{GOES_ON}"), folder.path()).unwrap();
    // Of the run there is nothing to warn of; the material gives those of the run other numbers.
    let warnings = next.warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("nothing uses the material a_material: "), "{warnings:?}");
    let mut goes_on: Run<2> = Run::new(&next).unwrap();
    for number in 0..fill.bodies.len() {
        let (there, here) = (dem(&end).body(number), dem(&goes_on).body(number + 1));
        assert_eq!(there.velocity, here.velocity);
        assert_eq!((there.radius, there.mass), (here.radius, here.mass));
        assert!((there.angular_velocity - here.angular_velocity).norm() < 1e-12);
        assert!(there.orientation.angle_to(&here.orientation) < 1e-12);
        let names = [(&fill, there.material), (&next, here.material)]
            .map(|(scene, material)| scene.materials[material as usize].name.clone());
        assert_eq!(names[0], names[1]);
        let names = [(&fill, there.shape), (&next, here.shape)]
            .map(|(scene, shape)| shape.map(|shape| scene.shapes[shape as usize].name.clone()));
        assert_eq!(names[0], names[1]);
    }
    let (before, after) = (resumed.quantities(), goes_on.quantities());
    for name in ["contacts", "wall_contacts"] {
        assert_eq!(before.number(name), after.number(name), "{name}");
    }
    let [before, after] = [before, after].map(|row| energy(&row));
    // Contacts with a wall that begins to move remember as much.
    let moved = format!("{BED}{GOES_ON}")
        .replace("points = [[2, 0.4]", "velocity = [1e-9, 0]\n    points = [[2, 0.4]");
    let starts: Run<2> = Run::new(&scene(&moved, folder.path()).unwrap()).unwrap();
    let apart_there = apart(&loads(&resumed, 0), &loads(&starts, 1));
    assert!(apart_there < 1e-3, "{apart_there}");
    // Not so with one that is elsewhere now.
    let elsewhere = moved.replace("[2, 0.4]", "[2, 0.39999]");
    let elsewhere: Run<2> = Run::new(&scene(&elsewhere, folder.path()).unwrap()).unwrap();
    assert!(apart(&loads(&resumed, 0), &loads(&elsewhere, 1)) > 0.1);
    // Without the contact history, no tangential forces hold the bed.
    std::fs::rename(
        folder.path().join("fill.run/checkpoint.bin"),
        folder.path().join("fill.run/checkpoint.old"),
    )
    .unwrap();
    let without = scene(&format!("{BED}{GOES_ON}"), folder.path()).unwrap();
    let warning = without.warnings().concat();
    assert!(warning.contains("at time 6.0") && warning.contains("lacks contact history"));
    let mut slips: Run<2> = Run::new(&without).unwrap();
    let lost = before.contact_energy - energy(&slips.quantities()).contact_energy;
    let kept = before.contact_energy - after.contact_energy;
    // Positions, velocities and contact history are the same bits but for whole periods, so that only the rounding of
    // sums is left.
    assert!(kept.abs() < 1e-12 * before.contact_energy, "{kept} of {:?}", before);
    let moving = [&before, &after].map(|row| row.kinetic_energy + row.rotational_energy);
    assert!((moving[0] - moving[1]).abs() <= 1e-9 * moving[0], "{moving:?}");
    assert!(lost > 1e-3 * before.contact_energy, "{lost}");
    let there = loads(&resumed, 0);
    let [kept, lost] = [&goes_on, &slips].map(|run| apart(&there, &loads(run, 1)));
    assert!(kept < 1e-3 && lost > 0.1, "{kept} {lost}");
    // The single disc still falls; all others stay where they are.
    let steps = 200.0;
    let moved = [&mut goes_on, &mut slips].map(|run| {
        let places = |run: &Run<2>| -> Vec<f64> {
            let simulation = dem(run);
            (1..simulation.body_count()).map(|body| simulation.body(body).position.x).collect()
        };
        let start = places(run);
        let end = dem(run).now() + steps * dem(run).time_step();
        run.engine_mut().advance_to(end).unwrap();
        let moves = places(run).into_iter().zip(start).map(|(one, two)| (one - two).abs());
        moves.fold(0.0, f64::max)
    });
    assert!(10.0 * moved[0] < moved[1], "{moved:?}");
}

#[test]
fn what_a_scene_lacks_of_the_run_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    filled(folder.path());
    let refused = |text: String| scene(&text, folder.path()).unwrap_err();
    let goes_on = format!("{BED}{GOES_ON}");
    assert!(
        refused(goes_on.replace("[materials.soft]", "[materials.other]"))
            .ends_with("it has bodies of the material soft; add [materials.soft] to the scene")
    );
    assert!(
        refused(goes_on.replace("[shapes.kite]", "[shapes.other]"))
            .ends_with("it has bodies of the shape kite; add [shapes.kite] to the scene")
    );
    // One material for all.
    let other = goes_on.replace("[materials.soft]", "[materials.other]");
    let all = other.replace("file = \"fill.run\"", "file = \"fill.run\"\nmaterial = \"other\"");
    let taken = scene(&all, folder.path()).map(|scene| scene.bodies.last().unwrap().material);
    assert_eq!(taken, Ok(2));
    assert!(refused(goes_on.replace("fill.run", "fill.run@7")).contains("has no frame 7"));
    std::fs::write(folder.path().join("fill.run/checkpoint.bin"), b"CAROMCHK").unwrap();
    assert!(refused(goes_on).contains("fill.run/checkpoint.bin "));
}
