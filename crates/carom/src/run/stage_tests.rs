#![allow(clippy::unwrap_used)]

use super::*;
use carom_io::Checkpoint;
use carom_scene::scene::AnyScene;
use carom_simulate::Values;

fn scene(text: &str, settings: &[&str]) -> Scene<2> {
    let settings: Vec<String> = settings.iter().map(|&it| it.to_owned()).collect();
    match AnyScene::parse(text, "stages.toml", "".as_ref(), &settings).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => unreachable!("the scenes are of the plane"),
    }
}

fn refused(text: &str) -> String {
    AnyScene::parse(text, "stages.toml", "".as_ref(), &[]).unwrap_err().to_string()
}

#[derive(Default)]
struct Rows(Vec<Values>);

impl Sink<2> for Rows {
    fn log(&mut self, row: &Values) -> Result<(), Error> {
        self.0.push(row.clone());
        Ok(())
    }
}

/// Runs a scene whole, and once more cut at every poll; both must be the same.
fn rows_of_whole_and_cut(scene: &Scene<2>) -> (Vec<Values>, Run<2>) {
    let (mut whole, mut cut) = (Rows::default(), Rows::default());
    let mut uncut = Run::new(scene).unwrap();
    uncut.run_to_end(&mut whole).unwrap();
    let mut run = Run::new(scene).unwrap();
    run.emit_due_output(&mut cut).unwrap();
    while run.is_over().is_none() {
        run.advance().unwrap();
        run.emit_due_output(&mut cut).unwrap();
        let stored = Checkpoint::decode(&run.checkpoint().encode(), "a checkpoint").unwrap();
        run = Run::resume(scene, stored).unwrap();
    }
    run.emit_final_output(&mut cut).unwrap();
    assert_eq!(cut.0.len(), whole.0.len());
    for (number, (ours, theirs)) in cut.0.iter().zip(&whole.0).enumerate() {
        // As text, so that NaN is equal to itself.
        assert_eq!(format!("{ours:?}"), format!("{theirs:?}"), "row {number}");
    }
    let [ours, theirs] =
        [&run, &uncut].map(|run| run.summary(Ending::Time, Timing::default()).json());
    assert_eq!(ours["stages"], theirs["stages"]);
    assert_eq!(run.engine().state(), uncut.engine().state());
    assert_eq!((run.tables(), run.frame_times()), (uncut.tables(), uncut.frame_times()));
    (whole.0, uncut)
}

fn number(row: &Values, name: &str) -> f64 {
    row.number(name).unwrap()
}

/// Rows of one stage.
fn in_stage(rows: &[Values], stage: f64) -> Vec<&Values> {
    rows.iter().filter(|row| number(row, "stage") == stage).collect()
}

const HOPPER: &str = r#"
    engine = "dem"
    dimension = 2
    seed = 2
    [box]
    size = [6, 12]
    boundary = ["wall", "open"]
    [gravity]
    acceleration = [0, -5]
    [materials.default]
    density = 1.0
    restitution = 0.3
    friction = 0.4
    stiffness = 2e4
    [[walls]]
    kind = "line"
    points = [[0, 4], [2, 3]]
    [[walls]]
    name = "gate"
    kind = "line"
    points = [[2, 3], [4, 3]]
    [[walls]]
    kind = "line"
    points = [[4, 3], [6, 4]]
    [[generate]]
    kind = "random"
    count = 30
    radius = { min = 0.2, max = 0.3 }
    region = { low = [0, 4.5], high = [6, 12] }
    [observe]
    wall_loads = true
    [output]
    log_interval = 0.25
    [[stages]]
    name = "fill"
    duration = 10
    [[stages]]
    name = "discharge"
    duration = 3
    without_walls = ["gate"]
    output.log_interval = 0.1
    observe.regions = [{ name = "below", high = [6, 3] }]
"#;

#[test]
fn a_hopper_is_filled_and_then_its_gate_opens() {
    let (rows, run) = rows_of_whole_and_cut(&scene(HOPPER, &[]));
    let (fill, discharge) = (in_stage(&rows, 0.0), in_stage(&rows, 1.0));
    assert_eq!((fill.len(), discharge.len()), (41, 30));
    // The gate and the other walls bear the weight, and then the gate is gone.
    let weight: f64 = 5.0 * run.engine().state().masses.iter().sum::<f64>();
    let upwards: f64 = ["gate", "0", "1", "x_low", "x_high"]
        .map(|wall| -number(fill[40], &format!("wall_{wall}_force_y")))
        .iter()
        .sum();
    assert!((upwards / weight - 1.0).abs() < 0.02, "{upwards} {weight}");
    assert!(number(fill[40], "wall_gate_force_y") < -0.2 * weight);
    assert!(discharge.iter().all(|row| number(row, "wall_gate_force_y").is_nan()));
    assert!(fill.iter().all(|row| number(row, "in_below").is_nan()));
    assert!(number(discharge[29], "in_below") > 10.0, "{:?}", discharge[29]);
    // What the change of walls gives or takes is external work, so that the books close.
    let total = |row: &Values| {
        let gained = ["kinetic", "rotational", "potential", "contact"]
            .map(|kind| number(row, &format!("{kind}_energy")));
        let lost = number(row, "damping_loss") + number(row, "friction_loss");
        gained.iter().sum::<f64>() + lost - number(row, "external_work")
    };
    let [first, last] = [&rows[0], rows.last().unwrap()].map(total);
    assert!((first - last).abs() < 2e-3 * first, "{first} {last}");
    let stages = run.summary(Ending::Time, Timing::default()).json()["stages"].clone();
    assert_eq!(stages[0]["name"], "fill");
    assert_eq!(stages[1]["begin"], stages[0]["end"]);
    let below = stages[1]["means"]["in_below"]["mean"].as_f64().unwrap();
    let mean = discharge.iter().map(|row| number(row, "in_below")).sum::<f64>() / 30.0;
    assert!((below - mean).abs() < 1e-9, "{below} {mean}");
    assert!(stages[0]["means"].get("in_below").is_none(), "{stages}");
}

const SHEAR: &str = r#"
    engine = "dem"
    dimension = 2
    [box]
    size = [8, 10]
    boundary = ["periodic", "open"]
    [materials.default]
    density = 1.0
    restitution = 0.5
    friction = 0.3
    stiffness = 1e4
    [materials.smooth]
    friction = 0.0
    [[walls]]
    name = "lid"
    kind = "plane"
    point = [0, 8]
    normal = [0, -1]
    [[walls]]
    name = "floor"
    kind = "plane"
    point = [0, 0]
    normal = [0, 1]
    [[bodies]]
    position = [4, 4]
    radius = 0.5
    [[stages]]
    name = "down"
    duration = 2
    walls.lid.velocity = [0, -1]
    [[stages]]
    name = "wait"
    duration = 1
    [[stages]]
    name = "up"
    duration = 3
    walls.lid.velocity = [0, 1]
    gravity.acceleration = [0, 2]
"#;

#[test]
fn walls_continue_from_where_they_are() {
    let (rows, run) = rows_of_whole_and_cut(&scene(SHEAR, &[]));
    let simulation: &carom_simulate::dem::Simulation<2> = run.simulation().unwrap();
    let lid = &simulation.settings().walls[0].motion;
    // Down by 2 in the first stage, up by 3 in the last, which begins with the first step after its time.
    let step = simulation.time_step();
    assert!((3.0..3.0 + 2.0 * step).contains(&lid.since), "{lid:?}");
    assert!((lid.pose(lid.since).position.y - -2.0).abs() < 2.0 * step, "{lid:?}");
    assert!((lid.pose(6.0).position.y - 1.0).abs() < 4.0 * step, "{lid:?}");
    // The body rises by ½ g t² until it meets the lid, which has left with the speed 1 at y = 6.
    let row = rows.iter().find(|row| (number(row, "time") - 4.0).abs() < 1e-2).unwrap();
    let height = number(row, "center_y");
    assert!((height - 5.0).abs() < 0.05, "{height}");
}

const FLUID: &str = r#"
    engine = "event-driven"
    dimension = 2
    seed = 5
    [[generate]]
    kind = "random"
    count = 60
    radius = 0.5
    packing_fraction = 0.2
    temperature = 1.0
    [[stages]]
    name = "grow"
    growth = { rate = 0.5, until_packing_fraction = 0.5 }
    [[stages]]
    name = "equilibrate"
    collisions = 2000
    thermostat = { kind = "rescale", temperature = 2.0, interval = 0.1 }
    [[stages]]
    name = "measure"
    duration = 20
    observe.mean_square_displacement = true
    observe.radial_distribution = { to = 2.0 }
    output.log_interval = 0.25
"#;

#[test]
fn a_fluid_grows_equilibrates_and_is_measured() {
    let (rows, run) = rows_of_whole_and_cut(&scene(FLUID, &[]));
    let (grown, measured) = (in_stage(&rows, 0.0), in_stage(&rows, 2.0));
    assert!((number(grown.last().unwrap(), "packing_fraction") - 0.5).abs() < 1e-9);
    assert!(number(grown.last().unwrap(), "mean_square_displacement").is_nan());
    let first = measured[0];
    assert!((number(first, "packing_fraction") - 0.5).abs() < 1e-9);
    assert!((number(first, "temperature") / 2.0 - 1.0).abs() < 0.15, "{first:?}");
    assert_eq!(measured.len(), 80);
    assert!(number(measured[79], "mean_square_displacement") > 1.0);
    // Henderson's equation of state, within four standard errors.
    let stages = run.summary(Ending::Time, Timing::default()).json()["stages"].clone();
    let pressure = &stages[2]["means"]["reduced_pressure"];
    let [mean, error] = ["mean", "error"].map(|key| pressure[key].as_f64().unwrap());
    let theory = (1.0 + 0.5 * 0.5 / 8.0) / (0.5_f64 * 0.5);
    assert!((mean - theory).abs() < 4.0 * error + 0.03 * theory, "{mean} ± {error}, {theory}");
    assert_eq!(run.tables().len(), 1);
}

#[test]
fn the_energy_of_a_solid_is_known_where_gravity_turns_over() {
    let text = "engine = 'bonded'\ndimension = 2\nbox = { size = 40, boundary = 'open' }\n\
                materials.default.youngs_modulus = 1\ngravity.acceleration = [0, -0.001]\n\
                [[solids]]\ncircle = { center = [20, 20], radius = 5 }\nspacing = 1\n\
                [[stages]]\nname = 'fall'\nduration = 40\n\
                [[stages]]\nname = 'rise'\nduration = 40\ngravity.acceleration = [0, 0.001]\n";
    let (rows, _) = rows_of_whole_and_cut(&scene(text, &[]));
    let last = rows.last().unwrap();
    // Down and up again: at rest after the same time, ½ g t² below on the way and as much after it.
    // The stages end with the first step after their times.
    assert!(number(last, "solid_0_vy").abs() < 1e-3, "{last:?}");
    assert!((number(last, "solid_0_y") - (20.0 - 0.001 * 40.0 * 40.0)).abs() < 0.05, "{last:?}");
    let names = ["kinetic_energy", "bond_energy", "potential_energy"];
    let total = |row: &Values| {
        names.iter().map(|name| number(row, name)).sum::<f64>() - number(row, "external_work")
    };
    assert!((total(last) - total(&rows[0])).abs() < 1e-6, "{:?} {last:?}", rows[0]);
}

#[test]
fn stages_that_change_nothing_change_no_load_on_walls() {
    let gas = "engine = 'event-driven'\ndimension = 2\nbox = { size = 10, boundary = 'wall' }\n\
               observe.wall_loads = true\noutput.log_interval = 1\n\
               [[generate]]\nkind = 'random'\ncount = 20\nradius = 0.5\ntemperature = 1\n";
    let (staged, _) = rows_of_whole_and_cut(&scene(
        &format!(
            "{gas}[[stages]]\nname = 'a'\nduration = 5\n[[stages]]\nname = 'b'\nduration = 5\n"
        ),
        &[],
    ));
    let (whole, _) = rows_of_whole_and_cut(&scene(gas, &["until=10"]));
    assert_eq!(staged.len(), whole.len());
    // The first row has no time behind it; later ones differ by the growth of rounding errors.
    for (ours, theirs) in staged.iter().zip(&whole).skip(1).take(7) {
        for column in ["wall_x_low_force_x", "wall_y_high_force_y", "wall_x_high_contacts"] {
            let difference = number(ours, column) - number(theirs, column);
            assert!(difference.abs() < 1e-9, "{column} at {}", number(ours, "time"));
        }
    }
}

#[test]
fn a_run_in_stages_that_ends_early_goes_on() {
    let end = |until: &str| {
        let (rows, run) = rows_of_whole_and_cut(&scene(HOPPER, &[until]));
        (number(rows.last().unwrap(), "stage"), number(rows.last().unwrap(), "time"), run)
    };
    let (stage, time, early) = end("until=6");
    assert!(stage == 0.0 && (6.0..6.01).contains(&time), "{time}");
    let (stage, time, later) = end("until=11");
    assert!(stage == 1.0 && (11.0..11.01).contains(&time), "{time}");
    // The end has no effect on the physics, so that the run continues to a later one.
    let stored = Checkpoint::decode(&early.checkpoint().encode(), "a checkpoint").unwrap();
    let mut resumed = Run::resume(&scene(HOPPER, &["until=11"]), stored).unwrap();
    resumed.run_to_end(&mut ()).unwrap();
    assert_eq!(resumed.engine().state(), later.engine().state());
}

#[test]
fn wrong_stages_are_refused_with_place_and_rule() {
    for (from, to, says) in [
        ("name = \"discharge\"", "name = \"fill\"", "another stage has this name"),
        ("[\"gate\"]", "[\"door\"]", "stages.1.without_walls.0 is \"door\"; no wall of the scene"),
        ("duration = 3", "duration = -3", "stages.1.duration is -3; it must be"),
        ("duration = 3", "", "stages.1 is [[stages]]; it has no end; give it a duration"),
        (
            "duration = 3",
            "duration = 3\n    materials.other.friction = 1",
            "no material of this name",
        ),
        ("duration = 3", "duration = 3\n    walls.door.velocity = [1, 0]", "has the name door"),
        ("duration = 3", "duration = 3\n    bodies = []", "unknown key \"bodies\""),
        ("duration = 3", "duration = 3\n    gravity.acceleration = [1]", "stages.1.gravity"),
        ("duration = 3", "duration = 3\n    collisions = 0", "it must be at least 1"),
        ("duration = 3", "duration = 3\n    growth.rate = 1", "only engine"),
        ("duration = 3", "duration = 3\n    walls.gate.file = 'x.stl'", "unknown key \"file\""),
        ("duration = 3", "duration = 3\n    materials.default.density = 2", "keep their masses"),
        ("name = \"gate\"", "name = \"x_low\"", "take another name"),
        ("name = \"gate\"", "name = \"0\"", "take another name"),
        ("log_interval = 0.1\n", "log_interval = -1\n", "stages.1.output.log_interval"),
        ("seed = 2", "seed = 2\n    collisions = 3", "each of the stages has its end"),
    ] {
        let message = refused(&HOPPER.replacen(from, to, 1));
        assert!(message.contains(says), "{says}: {message}");
    }
}

/// A bed of discs and clumps that a lid presses keeps its forces when the lid begins to move, and when friction changes.
#[test]
fn contact_history_with_walls_is_kept_into_a_stage() {
    let text = r#"
        engine = "dem"
        dimension = 2
        [box]
        size = [6, 8]
        boundary = ["wall", "open"]
        [gravity]
        acceleration = [0, -5]
        [materials.default]
        density = 1.0
        restitution = 0.2
        friction = 0.5
        stiffness = 1e4
        [shapes.pair]
        spheres = [[-0.2, 0, 0.3], [0.2, 0, 0.3]]
        [[walls]]
        name = "floor"
        kind = "plane"
        point = [0, 0]
        normal = [0.1, 1]
        [[walls]]
        name = "lid"
        kind = "line"
        points = [[0, 7.5], [6, 7.5]]
        [[generate]]
        kind = "random"
        count = 12
        shape = "pair"
        region = { low = [0, 1], high = [6, 7] }
        [[generate]]
        kind = "random"
        count = 12
        radius = 0.3
        region = { low = [0, 1], high = [6, 7] }
        [[stages]]
        name = "settle"
        duration = 8
        [[stages]]
        name = "sink"
        duration = 0.02
        walls.lid.velocity = [0, -0.5]
        walls.floor.velocity = [1e-6, 0]
        output.log_interval = 0.01
    "#;
    let (rows, _) = rows_of_whole_and_cut(&scene(text, &[]));
    let (settled, sinking) = (in_stage(&rows, 0.0), in_stage(&rows, 1.0));
    let (before, after) = (settled.last().unwrap(), sinking[0]);
    let energy = |row: &Values| number(row, "contact_energy");
    assert!(number(before, "wall_contacts") > 5.0, "{before:?}");
    assert!((energy(after) / energy(before) - 1.0).abs() < 1e-3, "{before:?} {after:?}");
    assert!(number(after, "external_work").abs() < 1e-4 * energy(before), "{after:?}");
}

/// What is observed otherwise in a later stage begins there, in cut runs as in whole ones.
#[test]
fn observables_with_other_settings_begin_with_their_stage() {
    let settings = [
        "stages.1.observe={ radial_distribution = { to = 1.5, bins = 20 }, regions = [{ name = 'a', high = [3, 3] }] }",
        "stages.2.observe={ radial_distribution = { to = 2.0, bins = 50 }, regions = [{ name = 'a', high = [5, 5] }] }",
    ];
    let (rows, run) = rows_of_whole_and_cut(&scene(FLUID, &settings));
    assert_eq!(run.tables()[0].1.rows.len(), 50);
    // Without what an earlier stage has sampled: the table is that of a run that observes in the last stage alone.
    let alone = [settings[1], "stages.1.observe={ regions = [{ name = 'a', high = [3, 3] }] }"];
    let (_, last) = rows_of_whole_and_cut(&scene(FLUID, &alone));
    assert_eq!(run.tables(), last.tables());
    let mean = |stage: f64| {
        let rows = in_stage(&rows, stage);
        rows.iter().map(|row| number(row, "in_a")).sum::<f64>() / rows.len() as f64
    };
    assert!(mean(2.0) > 2.0 * mean(1.0), "{} {}", mean(1.0), mean(2.0));
}

#[test]
fn a_run_whose_bodies_changed_between_steps_is_resumed() {
    use carom_simulate::NewBody;
    let text = "engine = 'event-driven'\ndimension = 2\nuntil = 4\nbox.size = 9\n[materials.other]\n\
                density = 2\n[[bodies]]\nposition = [2, 2]\nvelocity = [1, 0]\nradius = 0.5\n";
    let scene = scene(text, &[]);
    let mut run = Run::new(&scene).unwrap();
    let velocity = [0.0, 1.0].into();
    let new = NewBody { velocity, material: 1, ..NewBody::at_rest([6.0, 6.0], 0.5, 1.0) };
    run.engine_mut().insert(&[new]).unwrap();
    assert_eq!(run.frame().materials, Some(vec![0, 1]));
    let stored = Checkpoint::decode(&run.checkpoint().encode(), "a checkpoint").unwrap();
    let mut resumed = Run::resume(&scene, stored).unwrap();
    resumed.run_to_end(&mut ()).unwrap();
    assert_eq!(resumed.engine().state().positions[1].y, 1.0);
}

#[test]
fn damaged_stages_of_a_checkpoint_are_refused() {
    let scene = scene(FLUID, &[]);
    let mut run = Run::new(&scene).unwrap();
    while run.stage() < 1 {
        run.advance().unwrap();
        run.emit_due_output(&mut ()).unwrap();
    }
    let whole = run.checkpoint();
    assert!(Run::resume(&scene, whole.clone()).is_ok());
    for times in [vec![], vec![0.0, f64::NAN], vec![1.0, 2.0], vec![0.0, 1e9], vec![0.0; 4]] {
        let mut changed = whole.clone();
        changed.put_u64("stage_counts", vec![0; times.len()]);
        changed.put_f64("stage_times", times.clone());
        assert!(Run::resume(&scene, changed).is_err(), "{times:?}");
    }
    for (name, counts) in [("origin_counts", [0, 1 << 40, 0]), ("row_counts", [0, 0, 1])] {
        let mut changed = whole.clone();
        changed.put_u64(name, counts);
        assert!(Run::resume(&scene, changed).is_err(), "{name}");
    }
}

/// Rows and frames are counted stage by stage, and as many as are counted are written.
#[test]
fn rows_and_frames_of_stages_with_other_intervals_are_estimated() {
    let text = |first: &str, second: &str| {
        format!(
            "engine = 'dem'\ndimension = 2\nstep = 0.01\nbox.size = 9\n[[bodies]]\nposition = [5, 5]\n\
             radius = 0.5\n[[stages]]\nname = 'short'\n{first}\n[[stages]]\nname = 'long'\n{second}"
        )
    };
    let [brief, long] = [
        "output = { log_interval = 0.01, interval = 0.02 }",
        "output = { log_interval = 20, interval = 10 }",
    ];
    let accepted =
        scene(&text(&format!("duration = 0.1\n{brief}"), &format!("duration = 100\n{long}")), &[]);
    let mut run = Run::new(&accepted).unwrap();
    let estimate = run.estimate(&accepted);
    assert_eq!((estimate.refusal, estimate.warnings.len()), (None, 0));
    let estimate = run.estimate(&accepted);
    let expected = [estimate.number("rows").unwrap(), estimate.number("frames").unwrap()];
    assert!((expected[0] - 15.0).abs() < 1e-9 && (expected[1] - 15.0).abs() < 1e-9, "{expected:?}");
    let cost =
        crate::run::RunCost::of(Run::new(&accepted).unwrap(), &accepted, std::time::Duration::ZERO);
    let mut rows = Rows::default();
    run.run_to_end(&mut rows).unwrap();
    assert_eq!((rows.0.len(), run.frame_times().len() as u64), (16, cost.unwrap().frames.unwrap()));
    assert!((run.progress().part - 1.0).abs() < 1e-9);

    // Progress is that of the whole time, not of the number of stages.
    let mut run = Run::new(&accepted).unwrap();
    while run.stage() == 0 {
        run.advance().unwrap();
        run.emit_due_output(&mut ()).unwrap();
    }
    assert!(run.progress().part < 0.01, "{:?}", run.progress());

    // Too many rows of a later stage are refused at the start.
    let many =
        scene(&text("duration = 0.1", "duration = 1e9\noutput = { log_interval = 0.1 }"), &[]);
    let refusal = Run::new(&many).unwrap().estimate(&many).refusal.unwrap();
    assert!(
        refusal.starts_with("output.log_interval is 0.1, which would give about 1.0e10 rows"),
        "{refusal}"
    );
    // They are none if the run ends before.
    let ended = scene(
        &text("duration = 0.1", "duration = 1e9\noutput = { log_interval = 0.1 }"),
        &["until=50"],
    );
    assert_eq!(Run::new(&ended).unwrap().estimate(&ended).refusal, None);
}
