//! Outlets, forces by expressions, and loads on walls in scenes.
#![allow(clippy::unwrap_used)]

use super::tests::{dem, energy, number, scene};
use crate::run::*;
use carom_io::Checkpoint;
use carom_scene::AnyScene;
use carom_simulate::Values;

#[derive(Default)]
struct Rows(Vec<Values>);

impl Sink<2> for Rows {
    fn log(&mut self, row: &Values) -> Result<(), Error> {
        self.0.push(row.clone());
        Ok(())
    }
}

fn rows(text: &str, settings: &[&str]) -> (Vec<Values>, Run<2>) {
    let mut rows = Rows::default();
    let mut run: Run<2> = Run::new(&scene(text, settings)).unwrap();
    run.run_to_end(&mut rows).unwrap();
    (rows.0, run)
}

const RAIN: &str = r#"
    engine = "dem"
    dimension = 2
    until = 3.0
    seed = 3
    [box]
    size = [8, 12]
    boundary = ["periodic", "open"]
    [gravity]
    acceleration = [0, -5]
    [materials.default]
    density = 1.0
    restitution = 0.5
    stiffness = 2e4
    [[generate]]
    kind = "random"
    count = 30
    radius = { min = 0.2, max = 0.4 }
    region = { low = [0, 4], high = [8, 12] }
    [[outlets]]
    name = "drain"
    point = [0, 1]
    normal = [0, -1]
    [output]
    log_interval = 0.25
"#;

#[test]
fn bodies_leave_and_are_counted_while_the_books_close() {
    for (seed, normal) in [(3, "[0, -1]"), (4, "[0.2, -1]"), (5, "[-0.5, -2]")] {
        assert_all_leave(seed, normal);
    }
}

fn assert_all_leave(seed: u32, normal: &str) {
    let settings = [format!("seed={seed}"), format!("outlets.0.normal={normal}"), "until=4".into()];
    let (rows, run) = rows(RAIN, &settings.each_ref().map(String::as_str));
    assert_eq!(dem(&run).body_count(), 0, "{normal}");
    let last = rows.last().unwrap();
    let left = |row: &Values| number(row, "outlet_drain");
    assert_eq!(left(last), 30.0);
    assert!(rows.iter().any(|row| (6.0..30.0).contains(&left(row))));
    let [first, last] = [&rows[0], last].map(|row| energy(row).total());
    assert!((first - last).abs() < 1e-6 * first.abs(), "{first} {last}");
    let summary = run.summary(Ending::Time, Timing::default()).json();
    assert_eq!(summary["outlet_drain"], 30);
}

#[test]
fn bodies_are_put_back_and_none_is_lost() {
    let region = "outlets.0.return_to={ low = [0, 8], high = [8, 12] }";
    let (rows, run) = rows(RAIN, &[region, "until=6"]);
    assert_eq!(dem(&run).body_count(), 30);
    assert!(number(rows.last().unwrap(), "outlet_drain") > 30.0, "{:?}", rows.last());
    assert!(rows.iter().all(|row| number(row, "deepest_overlap") < 0.1));
}

#[test]
fn a_cut_run_with_outlets_forces_and_wall_loads_continues_to_the_bit() {
    let settings = [
        "forces=[{ force = ['-0.3 * vx', 'sin(3 * t)'] }]",
        "outlets.0.normal=[0.1, -1]",
        "observe.wall_loads=true",
        "box.boundary=['wall', 'open']",
    ];
    let scene = scene(RAIN, &settings);
    let mut whole = Rows::default();
    Run::<2>::new(&scene).unwrap().run_to_end(&mut whole).unwrap();
    let mut run: Run<2> = Run::new(&scene).unwrap();
    let mut cut = Rows::default();
    while run.is_over().is_none() {
        run.advance().unwrap();
        run.emit_due_output(&mut cut).unwrap();
        let stored = Checkpoint::decode(&run.checkpoint().encode(), "a checkpoint").unwrap();
        run = Run::resume(&scene, stored).unwrap();
    }
    assert_eq!(cut.0.last(), whole.0.last());
    assert!(whole.0.iter().any(|row| (1.0..29.0).contains(&number(row, "outlet_drain"))));
}

#[test]
fn forces_by_expressions_move_bodies_as_theory_says() {
    let text = |force: &str| {
        format!(
            "engine = 'dem'\ndimension = 2\nuntil = 2\nstep = 1e-3\nbox.size = 40\n\
             box.boundary = 'open'\nmaterials.default.density = 2\n\
             [[bodies]]\nposition = [10, 10]\nvelocity = [1, 0]\nradius = 0.5\nmass = 2\n\
             [[forces]]\n{force}"
        )
    };
    let end = |force: &str| {
        let (rows, run) = rows(&text(force), &[]);
        let [first, last] = [&rows[0], rows.last().unwrap()].map(|row| energy(row).total());
        // What a force does is work from outside.
        assert!((first - last).abs() < 2e-3, "{force}: {first} {last}");
        dem(&run).body(0)
    };
    // A constant force: v = F t / m.
    assert!((end("force = [0, 3]").velocity.y - 3.0).abs() < 1e-9);
    // The same acceleration for any mass.
    assert!((end("acceleration = [0, 3]").velocity.y - 6.0).abs() < 1e-9);
    // Drag: v = exp(-c t / m).
    assert!((end("force = ['-0.5 * vx', 0]").velocity.x - (-0.5_f64).exp()).abs() < 1e-3);
    // A spring: half a period of pi sqrt(m / k).
    let half = end("force = ['-2 * (x - 10) * (3.14159265358979 / 2)^2', 0]");
    assert!((half.velocity.x + 1.0).abs() < 1e-4, "{half:?}");
    // Of time: the integral of cos.
    assert!((end("force = [0, 'm * cos(t)']").velocity.y - 2.0_f64.sin()).abs() < 1e-3);
}

#[test]
fn a_force_that_is_not_finite_ends_the_run_with_a_sentence() {
    let (dem, hard) = ("dem", "event-driven");
    for (engine, force, part) in [
        (dem, "force = ['1 / (x - 1.5)^0.5', 0]", "forces.0.force.0 is"),
        (hard, "period = 0.1\nacceleration = ['ln(1.5 - x)', 0]", "body 0 has an acceleration"),
    ] {
        let text = format!(
            "engine = '{engine}'\ndimension = 2\nuntil = 9\nbox.size = 9\n\
             [[bodies]]\nposition = [1, 1]\nvelocity = [1, 0]\nradius = 0.1\n[[forces]]\n{force}"
        );
        let error = SceneRun::parse(&text).unwrap().run().unwrap_err().to_string();
        assert!(error.contains(part) && error.contains("finite"), "{error}");
    }
}

#[test]
fn a_lost_body_is_named_and_not_the_force_that_it_spoils() {
    // Far beyond the step that the contact allows.
    let text = "engine = 'dem'\ndimension = 2\nuntil = 9\nstep = 0.02\nbox = { size = 9, boundary = 'wall' }\n\
                [materials.default]\nstiffness = 1e9\n[[forces]]\nforce = ['-vx', 0]\n\
                [[bodies]]\nposition = [0.45, 4]\nvelocity = [-1, 0]\nradius = 0.5\n";
    let run = SceneRun::parse(text).and_then(|run| run.run());
    let error = run.unwrap_err().to_string();
    assert!(!error.contains("forces.0"), "{error}");
}

#[test]
fn forces_of_a_third_axis_are_refused_in_the_plane() {
    for (force, name) in [("force = ['x + 0 * z', 0]", "z"), ("force = [0, 'max(vz, 1)']", "vz")] {
        let text = format!(
            "engine = 'dem'\ndimension = 2\nuntil = 9\nbox.size = 9\n\
             [[bodies]]\nposition = [1, 1]\nradius = 0.1\n[[forces]]\n{force}"
        );
        let error = SceneRun::parse(&text).map(|_| ()).unwrap_err().to_string();
        assert!(
            error.contains(":9: ") && error.ends_with(&format!("there is no {name}")),
            "{error}"
        );
    }
}

#[test]
fn an_event_driven_run_takes_accelerations() {
    let text = "engine = 'event-driven'\ndimension = 2\nuntil = 2\nbox.size = 40\n\
                box.boundary = 'open'\n[[bodies]]\nposition = [10, 10]\nvelocity = [1, 0]\n\
                radius = 0.5\nmass = 2\n[[forces]]\nperiod = 0.01\n\
                acceleration = ['-0.25 * vx', 'cos(t)']";
    let mut run = Run::<2>::new(&scene(text, &[])).unwrap();
    run.run_to_end(&mut ()).unwrap();
    let velocity = run.engine().state().velocities[0];
    assert!((velocity.x - (-0.5_f64).exp()).abs() < 1e-5, "{velocity}");
    assert!((velocity.y - 2.0_f64.sin()).abs() < 1e-5, "{velocity}");
}

/// The floor of a box carries the weight of all bodies at rest, and the side walls push against each other.
#[test]
fn walls_carry_what_lies_in_the_box() {
    let text = "engine = 'dem'\ndimension = 2\nuntil = 20\nbox.size = [5, 9]\nbox.boundary = 'wall'\n\
                observe.wall_loads = true\ngravity.acceleration = [0, -10]\n[materials.default]\n\
                density = 1\nrestitution = 0.2\nfriction = 0.4\nstiffness = 2e4\n[[generate]]\n\
                kind = 'random'\ncount = 25\nradius = { min = 0.3, max = 0.5 }";
    let scene = scene(text, &[]);
    let columns = Run::new(&scene).unwrap().columns();
    let (rows, run) = rows(text, &[]);
    let row = rows.last().unwrap();
    assert!(row.names().eq(columns.iter().map(String::as_str)), "{columns:?}");
    let weight: f64 = 10.0 * dem(&run).state().masses.iter().sum::<f64>();
    let force = |side: &str, axis: &str| number(row, &format!("wall_{side}_force_{axis}"));
    let upwards: f64 = ["y_low", "x_low", "x_high"].map(|side| force(side, "y")).iter().sum();
    assert!((upwards + weight).abs() < 1e-2 * weight, "{upwards} {weight}");
    let across: f64 = ["y_low", "x_low", "x_high"].map(|side| force(side, "x")).iter().sum();
    assert!(across.abs() < 1e-2 * weight, "{across} {weight}");
    assert_eq!([number(row, "wall_y_high_contacts"), force("y_high", "y")], [0.0; 2]);
    assert!(number(row, "wall_y_low_contacts") > 3.0 && number(row, "wall_y_low_power") == 0.0);
}

#[test]
fn wrong_outlets_and_forces_are_refused_with_place_and_rule() {
    for (settings, part) in [
        (&["outlets.0.normal=[0, 0]"][..], "outlets.0.normal"),
        (&["outlets.0.name='a b'"], "it must be letters, digits, - and _"),
        (&["outlets.0.low=[0, 0]"], "it must have low and high, or point and normal"),
        (&["outlets.0.return_to={ low = [0, 0], high = [8, 1] }"], "would leave again"),
        (&["outlets.0.return_to={ low = [0, 8], high = [8, 8.3] }"], "find no room"),
        (&["forces=[{ force = [1] }]"], "it must hold 2 entries"),
        (&["forces=[{ force = ['2 *', 0] }]"], "it ends where a number"),
        (&["forces=[{ force = ['1 / 0', 0] }]"], "it must be finite"),
        (&["forces=[{ force = [true, 0] }]"], "a number or an expression"),
        (&["forces=[{ }]"], "it must have a force or an acceleration"),
        (&["forces=[{ force = [0, 0], material = 'iron' }]"], "iron"),
        (&["forces=[{ force = [0, 0], period = 1 }]"], "only engine = \"event-driven\""),
    ] {
        let settings: Vec<String> = settings.iter().map(|it| (*it).to_owned()).collect();
        let refused = AnyScene::parse(RAIN, "rain.toml", "".as_ref(), &settings).unwrap_err();
        let message = refused.to_string();
        assert!(message.contains(part), "{settings:?}: {message}");
    }
}

/// Frames, contacts and checkpoints of a run that loses bodies are written, resumed and read back, with their ids.
#[test]
fn results_of_a_run_that_loses_bodies_have_ids() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        RAIN.replace("log_interval", "contacts = true\n    interval = 0.5\n    log_interval");
    let path = folder.path().join("rain");
    SceneRun::parse(&text).unwrap().into_folder(&path).unwrap();
    let results = crate::Results::open(&path).unwrap();
    let counts: Vec<usize> =
        (0..results.frame_count()).map(|k| results.frame(k).unwrap().positions.len()).collect();
    assert_eq!((counts[0], counts[counts.len() - 1]), (30, 0));
    assert!(counts.iter().any(|count| (1..30).contains(count)), "{counts:?}");
    assert_eq!(results.log().unwrap().column("outlet_drain").unwrap().last(), Some(&30.0));
}

/// Two outlets with one inlet put no body onto another, and a body that was removed before a pour is not numbered again.
#[test]
fn two_outlets_share_an_inlet_and_ids_are_given_once() {
    let text = RAIN.replace(
        "[output]",
        "[[outlets]]\n    name = \"left\"\n    low = [-1, -9]\n    high = [4, 2]\n    [output]",
    );
    let inlet = "{ low = [0, 9], high = [8, 12] }";
    let both = [0, 1].map(|number| format!("outlets.{number}.return_to={inlet}"));
    let (rows, run) = rows(&text, &[&both[0], &both[1], "until=6"]);
    assert_eq!(dem(&run).body_count(), 30);
    assert!(rows.iter().all(|row| number(row, "deepest_overlap") < 0.1));
    assert!(
        ["drain", "left"]
            .iter()
            .all(|name| { rows.last().unwrap().number(&format!("outlet_{name}")) > Some(0.0) })
    );

    let late = "[[pour]]\n    count = 5\n    radius = 0.2\n    rate = 100\n    from = 3.2\n    \
                region = { low = [0, 6], high = [8, 12] }\n    [output]";
    let scene = scene(&RAIN.replace("[output]", late), &["until=3.5"]);
    let mut run: Run<2> = Run::new(&scene).unwrap();
    while run.is_over().is_none() {
        run.advance().unwrap();
        run.emit_due_output(&mut ()).unwrap();
        let stored = Checkpoint::decode(&run.checkpoint().encode(), "a checkpoint").unwrap();
        run = Run::resume(&scene, stored).unwrap();
    }
    assert_eq!(dem(&run).state().ids, [30, 31, 32, 33, 34]);
}

/// Spheres, dice and clumps that rub on a plane in space and slide off it leave in any order, and a run that is cut
/// everywhere has the same bits.
#[test]
fn bodies_with_shapes_leave_in_space_and_a_cut_run_has_the_same_bits() {
    let text = r#"
        engine = "dem"
        dimension = 3
        until = 1.5
        [box]
        size = [9, 6, 9]
        boundary = ["open", "periodic", "open"]
        [gravity]
        acceleration = [6, 0, -8]
        [materials.default]
        density = 1.0
        friction = 0.2
        restitution = 0.4
        stiffness = 2e4
        [shapes.die]
        solid = "cube"
        radius = 0.5
        [shapes.pair]
        spheres = [[0, 0, 0, 0.3], [0.4, 0, 0, 0.3]]
        [[walls]]
        kind = "plane"
        point = [0, 0, 1]
        normal = [0, 0, 1]
        [[generate]]
        kind = "random"
        count = 8
        radius = 0.4
        region = { low = [1, 0, 1], high = [8, 6, 5] }
        [[generate]]
        kind = "random"
        count = 8
        shape = "die"
        region = { low = [1, 0, 1], high = [8, 6, 5] }
        [[generate]]
        kind = "random"
        count = 8
        shape = "pair"
        region = { low = [1, 0, 1], high = [8, 6, 5] }
        [[outlets]]
        name = "edge"
        low = [8, -9, -9]
        high = [90, 90, 90]
        [output]
        log_interval = 0.25
    "#;
    let AnyScene::ThreeD(scene) = AnyScene::parse(text, "slope", "".as_ref(), &[]).unwrap() else {
        panic!("it is of space")
    };
    let mut whole: Run<3> = Run::new(&scene).unwrap();
    whole.run_to_end(&mut ()).unwrap();
    let mut cut: Run<3> = Run::new(&scene).unwrap();
    while cut.is_over().is_none() {
        cut.advance().unwrap();
        cut.emit_due_output(&mut ()).unwrap();
        let stored = Checkpoint::decode(&cut.checkpoint().encode(), "a checkpoint").unwrap();
        cut = Run::resume(&scene, stored).unwrap();
    }
    assert_eq!(dem(&cut).state(), dem(&whole).state());
    let left = number(&whole.quantities(), "outlet_edge") as u64;
    assert!((3..24).contains(&left), "{left}");
    assert_eq!(dem(&whole).body_count() as u64 + left, 24);
    assert!(!dem(&whole).contacts().is_empty());
}

/// Lines of a hopper carry what lies on them, each its part.
#[test]
fn frames_have_the_loads_on_every_piece_of_walls() {
    let text = "engine = 'dem'\ndimension = 2\nuntil = 12\nbox.size = [6, 9]\nbox.boundary = 'open'\n\
                observe.wall_loads = true\ngravity.acceleration = [0, -10]\n[materials.default]\n\
                density = 1\nrestitution = 0.2\nfriction = 0.4\nstiffness = 2e4\n\
                [[walls]]\nkind = 'line'\npoints = [[0, 9], [0, 3], [3, 1], [6, 3], [6, 9]]\n\
                [[generate]]\nkind = 'random'\ncount = 25\nradius = { min = 0.3, max = 0.5 }\n\
                region = { low = [0.2, 3.6], high = [5.8, 9] }";
    let mut run: Run<2> = Run::new(&scene(text, &[])).unwrap();
    run.run_to_end(&mut ()).unwrap();
    let frame = run.frame();
    let walls = frame.walls.as_ref().unwrap();
    assert_eq!((walls.corners.len(), walls.walls.clone()), (4, vec![0; 4]));
    let weight: f64 = 10.0 * dem(&run).state().masses.iter().sum::<f64>();
    let sum: f64 = walls.loads.iter().map(|load| load.force.y).sum();
    assert!((sum / weight + 1.0).abs() < 1e-2, "{sum} {weight}");
    // The slopes carry it, the sides hardly anything.
    let slopes: f64 = walls.loads[1..3].iter().map(|load| -load.force.y).sum();
    assert!(slopes > 0.9 * weight, "{slopes} {weight}");
    let summary = run.summary(Ending::Time, Timing::default());
    let whole = summary.number("wall_0_force_y").unwrap();
    assert!((whole - sum).abs() < 1e-9 * weight, "{whole} {sum}");
    let folder = tempfile::tempdir().unwrap();
    let mut series = carom_io::FrameSeries::create(folder.path(), &[]).unwrap();
    series.write(&frame).unwrap();
    series.write_index().unwrap();
    assert!(folder.path().join("frames/walls_000000.vtp").exists());
    assert!(folder.path().join("frames/walls.pvd").exists());
}
