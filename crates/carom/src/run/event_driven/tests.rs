#![allow(clippy::unwrap_used)]

use crate::run::*;
use carom_io::{Checkpoint, Frame};
use carom_scene::Scene;
use carom_scene::scene::AnyScene;
use carom_simulate::Values;
use carom_simulate::event_driven::Simulation;

fn simulation(run: &Run<2>) -> &Simulation<2> {
    run.simulation().unwrap()
}

fn scene(text: &str, settings: &[&str]) -> Scene<2> {
    let settings: Vec<String> = settings.iter().map(|it| (*it).to_owned()).collect();
    match AnyScene::parse(text, "test.toml", "".as_ref(), &settings).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => unreachable!(),
    }
}

/// Everything at once: unequal bodies, losses, gravity, walls and a periodic axis.
const HEAP: &str = r#"
    engine = "event-driven"
    dimension = 2
    until = 6.0
    [box]
    size = [12, 30]
    boundary = ["periodic", "wall"]
    [gravity]
    acceleration = [0, -3]
    [materials.default]
    density = 1.0
    restitution = 0.9
    [materials.soft]
    density = 2.0
    restitution = { at_rest = 0.95, at_speed = 0.7, speed = 3.0 }
    [[generate]]
    kind = "random"
    count = 60
    radius = { min = 0.3, max = 0.6 }
    temperature = 1.0
    [[generate]]
    kind = "random"
    count = 20
    radius = 0.4
    material = "soft"
    temperature = 1.0
    [observe]
    mean_square_displacement = true
    wall_loads = true
    radial_distribution = { to = 3.0, bins = 30 }
    [output]
    interval = 0.5
    log_interval = 0.3
"#;

const GROWTH: &str = r#"
    engine = "event-driven"
    dimension = 2
    [[generate]]
    kind = "random"
    count = 80
    radius = 0.5
    packing_fraction = 0.2
    temperature = 1.0
    [growth]
    rate = 0.1
    until_packing_fraction = 0.6
    [thermostat]
    kind = "kicks"
    temperature = 1.0
    rate = 0.3
"#;

const TRAP: &str = r#"
    engine = "event-driven"
    dimension = 2
    collisions = 4000
    [box]
    size = 30
    boundary = "open"
    [field]
    period = 0.02
    drag = 0.1
    trap = { stiffness = 1.0, center = [15, 15] }
    [materials.default]
    restitution = 0.9
    [[generate]]
    kind = "random"
    count = 60
    radius = 0.5
    temperature = 1.0
"#;

/// Records everything; stops after a number of polls.
#[derive(Default)]
struct EventRunRecorder {
    rows: Vec<Values>,
    frames: Vec<Frame<2>>,
    checkpoint: Option<Checkpoint>,
    kept: (usize, usize),
    polls_before_stop: Option<u32>,
}

impl Sink<2> for EventRunRecorder {
    fn log(&mut self, row: &Values) -> Result<(), Error> {
        self.rows.push(row.clone());
        Ok(())
    }

    fn frame(&mut self, frame: &dyn Fn() -> Frame<2>) -> Result<(), Error> {
        self.frames.push(frame());
        Ok(())
    }

    fn progress(&mut self, _: &RunProgress) -> Control {
        match &mut self.polls_before_stop {
            None => Control::Continue,
            Some(0) => Control::Stop,
            Some(patience) => {
                *patience -= 1;
                Control::Checkpoint
            }
        }
    }

    fn checkpoint(&mut self, run: &Run<2>) -> Result<(), Error> {
        self.kept = (run.rows() as usize, run.frame_times().len());
        self.checkpoint = Some(run.checkpoint());
        Ok(())
    }
}

/// As text, so that NaN is equal to itself.
fn text(memory: &EventRunRecorder) -> (Vec<String>, Vec<String>, Vec<u8>) {
    let rows = memory.rows.iter().map(|row| format!("{row:?}")).collect();
    let frames = memory.frames.iter().map(|frame| format!("{frame:?}")).collect();
    (rows, frames, memory.checkpoint.as_ref().unwrap().encode())
}

/// Cuts and resumes a run again and again, each time through a file.
fn cut_and_resumed(scene: &Scene<2>) -> (EventRunRecorder, u32) {
    let mut memory = EventRunRecorder::default();
    let mut run = Run::new(scene).unwrap();
    for cuts in 0.. {
        memory.polls_before_stop = Some(cuts % 5);
        if run.run_to_end(&mut memory).unwrap() != Ending::Stopped {
            return (memory, cuts);
        }
        let bytes = memory.checkpoint.as_ref().unwrap().encode();
        memory.rows.truncate(memory.kept.0);
        memory.frames.truncate(memory.kept.1);
        run = Run::resume(scene, Checkpoint::decode(&bytes, "cut").unwrap()).unwrap();
    }
    unreachable!()
}

#[test]
fn a_run_cut_anywhere_continues_to_the_bit() {
    for (name, source) in [("heap", HEAP), ("growth", GROWTH), ("trap", TRAP)] {
        let scene = scene(source, &[]);
        let mut uncut = EventRunRecorder::default();
        run(&scene, &mut uncut).unwrap();
        let (resumed, cuts) = cut_and_resumed(&scene);
        assert!(cuts > 3, "{name} was cut {cuts} times");
        let (expected, found) = (text(&uncut), text(&resumed));
        assert_eq!(expected.0, found.0, "{name}");
        assert_eq!(expected.1, found.1, "{name}");
        assert!(expected.2 == found.2, "{name}: the last checkpoints differ");
    }
}

#[test]
fn a_run_that_is_made_longer_equals_the_long_run() {
    let mut long = EventRunRecorder::default();
    run(&scene(HEAP, &["until=6.1"]), &mut long).unwrap();
    let mut memory = EventRunRecorder::default();
    run(&scene(HEAP, &["until=1.7"]), &mut memory).unwrap();
    assert_eq!(memory.rows.last().unwrap().number("time"), Some(1.7));
    memory.rows.truncate(memory.kept.0);
    memory.frames.truncate(memory.kept.1);
    let checkpoint = memory.checkpoint.clone().unwrap();
    Run::resume(&scene(HEAP, &["until=6.1"]), checkpoint).unwrap().run_to_end(&mut memory).unwrap();
    assert!(text(&memory) == text(&long));
}

#[test]
fn what_is_written_does_not_change_what_happens() {
    let digest = |settings: &[&str]| {
        let scene = scene(HEAP, settings);
        let mut run = Run::new(&scene).unwrap();
        run.run_to_end(&mut ()).unwrap();
        *simulation(&run).counters()
    };
    let plain = digest(&[]);
    for settings in [
        &["output.interval=0.01", "output.log_interval=0.007"][..],
        &["neighbors.method=all-pairs"],
        &["neighbors.method=cell-grid"],
        &["neighbors.method=laguerre-delaunay"],
    ] {
        let other = digest(settings);
        assert_eq!((plain.digest, plain.virial), (other.digest, other.virial), "{settings:?}");
    }
}

#[test]
fn growth_ends_the_run_where_it_is_to_end() {
    let scene = scene(GROWTH, &[]);
    let mut run = Run::new(&scene).unwrap();
    assert_eq!(run.run_to_end(&mut ()).unwrap(), Ending::Growth);
    let packing_fraction = run.quantities().number("packing_fraction").unwrap();
    assert!((packing_fraction - 0.6).abs() < 1e-12);
}

#[test]
fn the_last_row_and_frame_see_the_bodies_as_growth_leaves_them() {
    // Of a hundred rows the last is due at the end but for rounding, which differs from seed to seed.
    for seed in 1..10 {
        let mut memory = EventRunRecorder::default();
        let sizes = "generate.0.radius={ min = 0.3, max = 0.5 }";
        run(&scene(GROWTH, &[&format!("seed={seed}"), sizes]), &mut memory).unwrap();
        let (row, frame) = (memory.rows.last().unwrap(), memory.frames.last().unwrap());
        assert_eq!(row.number("time"), Some(frame.time), "{seed}");
        assert!((row.number("packing_fraction").unwrap() - 0.6).abs() < 1e-14, "{row:?}");
        assert_eq!(memory.rows.len(), 101, "{seed}");
    }
}

#[test]
fn a_summary_distinguishes_means_from_the_end() {
    // From rest, so that mean and end differ.
    let text = HEAP.replace("temperature = 1.0", "temperature = 0.0");
    let scene = scene(&text, &["materials.default.restitution=1", "until=1"]);
    let mut memory = EventRunRecorder::default();
    let mut run = Run::new(&scene).unwrap();
    run.run_to_end(&mut memory).unwrap();
    let summary = run.summary(Ending::Time, Timing::default());
    let number = |name: &str| summary.number(name).unwrap();
    assert!(number("mean_temperature") < 0.6 * number("temperature"), "{summary:?}");
    let last = memory.rows.last().unwrap().number("pressure");
    assert_eq!(summary.number("last_pressure"), last);
    // Killed after its last row but before its summary, a run has nothing more to log.
    let mut resumed = Run::resume(&scene, memory.checkpoint.take().unwrap()).unwrap();
    resumed.run_to_end(&mut ()).unwrap();
    let resumed = resumed.summary(Ending::Time, Timing::default());
    assert_eq!(resumed.number("last_pressure"), last);
    let (count, volume) = (scene.bodies.len() as f64, scene.region.volume());
    let reduced = number("pressure") * volume / (count * number("mean_temperature"));
    assert!((reduced / number("reduced_pressure") - 1.0).abs() < 1e-12, "{summary:?}");
}

#[test]
fn a_summary_has_what_the_structure_counted_itself() {
    let work = |method: &str| {
        let scene = scene(HEAP, &[&format!("neighbors.method={method}")]);
        let mut run = Run::new(&scene).unwrap();
        run.check_structure();
        let ending = run.run_to_end(&mut ()).unwrap();
        let neighbors = run.summary(ending, Timing::default()).json()["neighbors"].clone();
        assert_eq!(neighbors["structure"], method);
        neighbors["work"].clone()
    };
    assert_eq!(work("neighbor-lists"), serde_json::json!({}));
    let work_json = work("laguerre-delaunay");
    assert!(work_json["flips"].as_u64() > Some(0), "{work_json}");
    for what in ["certificates_bounded", "certificates_solved", "rebuilds"] {
        assert!(work_json[what].is_u64(), "{work_json}");
    }
}

#[test]
fn the_end_of_growth_is_reported_with_what_it_reached() {
    let reason = |settings: &[&str]| {
        let text = if settings.len() > 1 { PARTING } else { GROWTH };
        let scene = scene(text, settings);
        let mut run = Run::new(&scene).unwrap();
        let ending = run.run_to_end(&mut ()).unwrap();
        assert_eq!(run.is_over(), Some(ending));
        run.summary(ending, Timing::default()).text("reason").unwrap().to_owned()
    };
    assert_eq!(reason(&[]), "when growth ended, at packing fraction 0.6");
    // The walls have no room for more.
    let walls = ["box.boundary='wall'", "growth.until_packing_fraction=0.99", "growth.rate=2"];
    let jammed = reason(&walls);
    assert!(jammed.starts_with("when growth ended: jammed at 0."), "{jammed}");
    assert!(jammed.ends_with(", target 0.99"), "{jammed}");
    let early = reason(&["until=0.1"]);
    assert!(early.starts_with("at the time asked for: packing fraction 0.2"), "{early}");
}

#[test]
fn the_index_of_frames_is_written_with_a_checkpoint_and_not_with_every_frame() {
    let folder = tempfile::tempdir().unwrap();
    let scene = scene(HEAP, &["until=0.1"]);
    let run = Run::new(&scene).unwrap();
    let claim = RunFolder::new(folder.path().join("run")).lock().unwrap();
    let mut results = ResultsFolder::new(claim, &scene, &run, Default::default()).unwrap();
    let indexed = || {
        let text = std::fs::read_to_string(folder.path().join("run/frames/frames.pvd")).unwrap();
        text.matches("<DataSet").count()
    };
    for frames in [3, 5] {
        let before = indexed();
        for _ in 0..frames {
            results.frame(&|| run.frame()).unwrap();
            assert_eq!(indexed(), before);
        }
        results.checkpoint(&run).unwrap();
        assert_eq!(indexed(), before + frames);
    }
}

#[test]
fn a_checkpoint_of_another_scene_is_refused() {
    let (heap, other) = (scene(HEAP, &[]), scene(HEAP, &["seed=9"]));
    let checkpoint = Run::new(&heap).unwrap().checkpoint();
    let refused = Run::resume(&other, checkpoint.clone()).err().unwrap().to_string();
    assert!(refused.contains("belongs to another scene"), "{refused}");
    let faster =
        scene(HEAP, &["neighbors.method=neighbor-lists", "until=9", "output.picture=false"]);
    assert!(Run::resume(&faster, checkpoint).is_ok());
}

#[test]
fn numbers_that_no_run_can_have_are_refused() {
    let scene = scene(HEAP, &["until=0.5"]);
    let mut memory = EventRunRecorder::default();
    run(&scene, &mut memory).unwrap();
    let whole = memory.checkpoint.unwrap();
    assert!(Run::resume(&scene, whole.clone()).is_ok());
    let sections = ["positions", "velocities", "clocks", "radii", "masses", "last_contacts"];
    let mut taken = Vec::new();
    for name in sections.into_iter().chain(["engine", "physics", "intervals"]) {
        for number in [f64::NAN, f64::INFINITY, 1e300, -1e300] {
            let mut changed = whole.clone();
            changed.put_f64(name, vec![number; whole.count(name).unwrap()]);
            if Run::resume(&scene, changed).is_ok() {
                taken.push((name, number));
            }
        }
        let mut short = whole.clone();
        short.put_f64(name, vec![1.0]);
        assert!(Run::resume(&scene, short).is_err(), "{name}");
    }
    // Speeds, sums and long waits may be of any size.
    let possible = [
        ("velocities", 1e300),
        ("velocities", -1e300),
        ("masses", 1e300),
        ("last_contacts", -1e300),
        ("physics", 1e300),
        ("physics", -1e300),
    ];
    assert_eq!(taken, possible);
    let mut materials = whole.clone();
    materials.put_u32("materials", vec![7; whole.count("materials").unwrap()]);
    assert!(Run::resume(&scene, materials).is_err());
}

/// Two of three bodies collide once, and then all fly apart for ever.
const PARTING: &str = r#"
    engine = "event-driven"
    dimension = 2
    collisions = 1000
    [box]
    size = 20
    boundary = "open"
    [output]
    interval = 0.25
    [[bodies]]
    position = [5, 5]
    velocity = [1, 0]
    radius = 0.5
    [[bodies]]
    position = [9, 5]
    velocity = [-1, 0]
    radius = 0.5
    [[bodies]]
    position = [9, 12]
    velocity = [0, 1]
    radius = 0.5
"#;

#[test]
fn a_run_ends_when_nothing_can_happen_any_more() {
    let scene = scene(PARTING, &[]);
    let mut uncut = EventRunRecorder::default();
    // They collide at time 1.5, and rest is checked at powers of two.
    assert_eq!(run(&scene, &mut uncut).unwrap(), Ending::Rest);
    assert_eq!(
        uncut.rows.last().map(|row| row.number("time").zip(row.number("collisions"))),
        Some(Some((2.0, 1.0)))
    );
    assert_eq!(uncut.frames.len(), 9);
    let (resumed, _) = cut_and_resumed(&scene);
    assert_eq!(text(&uncut).1, text(&resumed).1);
    assert!(text(&uncut).2 == text(&resumed).2);
}

#[test]
fn rest_is_not_taken_for_a_pause() {
    let ending = |settings: &[&str]| {
        let scene = scene(PARTING, settings);
        let mut run = Run::new(&scene).unwrap();
        let ending = run.run_to_end(&mut ()).unwrap();
        (ending, simulation(&run).counters().collisions, simulation(&run).now())
    };
    // Far apart, but on a collision course.
    let far = ["bodies.1.position=[1005,5]", "box.size=2000"];
    assert_eq!(ending(&far), (Ending::Rest, 1, 512.0));
    // Between walls they come back, and in gravity they fall alike.
    assert_eq!(ending(&["box.boundary='wall'", "collisions=3"]).0, Ending::Collisions);
    let falling = ["gravity.acceleration=[0,-9]"];
    assert_eq!(ending(&falling), (Ending::Rest, 1, 2.0));
    // Nothing moves.
    let still = ["bodies.0.velocity=[0,0]", "bodies.1.velocity=[0,0]", "bodies.2.velocity=[0,0]"];
    assert_eq!(ending(&still), (Ending::Rest, 0, 0.0));
    // An end in time is kept.
    assert_eq!(ending(&["until=7"]), (Ending::Time, 1, 7.0));
}

#[test]
fn an_end_that_lies_behind_is_refused() {
    let mut memory = EventRunRecorder::default();
    run(&scene(HEAP, &["until=2"]), &mut memory).unwrap();
    let checkpoint = memory.checkpoint.unwrap();
    let resume = |settings: &[&str]| Run::resume(&scene(HEAP, settings), checkpoint.clone());
    assert!(resume(&["until=2"]).is_ok());
    let refused = resume(&["until=1"]).err().unwrap().to_string();
    assert_eq!(
        refused,
        "the checkpoint is at time 2, beyond the end until = 1; ask for a later end, or start the \
         run again in a new folder"
    );
    let refused = resume(&["collisions=3"]).err().unwrap().to_string();
    let collisions = memory.rows.last().unwrap().number("collisions").unwrap();
    let part = format!("is at collision {collisions}, beyond the end collisions = 3;");
    assert!(refused.contains(&part), "{refused}");
}

#[test]
fn what_the_scene_takes_for_rounding_the_engine_does_too() {
    // Into a wall and into each other by a little less than both allow, in a box so large that a
    // tolerance by its size would be wider.
    let text = "engine = 'event-driven'\ndimension = 2\nuntil = 1.0\n[box]\nsize = 1e6\n\
        boundary = 'wall'\n\
        [[bodies]]\nposition = [0.49999999951, 5000]\nradius = 0.5\n\
        [[bodies]]\nposition = [500, 5000]\nradius = 0.5\n\
        [[bodies]]\nposition = [1000.4999999996, 5000]\nradius = 500";
    Run::new(&scene(text, &[])).unwrap();
    let refused = |setting: &str| {
        let parsed = AnyScene::parse(text, "test.toml", "".as_ref(), &[setting.to_owned()]);
        parsed.unwrap_err().to_string()
    };
    assert!(refused("bodies.0.position=[0.4999999994,5000]").contains("between the walls"));
    assert!(refused("bodies.2.position=[1000.4999999994,5000]").contains("overlap"));
}

#[test]
fn an_estimate_knows_the_collision_rate() {
    let text = GROWTH.split("[growth]").next().unwrap();
    let scene = scene(text, &["collisions=40000", "generate.0.count=300"]);
    let mut run = Run::new(&scene).unwrap();
    let estimate = run.estimate(&scene);
    run.run_to_end(&mut ()).unwrap();
    let measured = 40000.0 / simulation(&run).now();
    let expected = estimate.number("collisions_per_time").unwrap();
    assert!((measured / expected - 1.0).abs() < 0.05, "{measured} {expected}");
    let summary = run.summary(Ending::Collisions, Timing::default());
    let [pressure, expected] =
        [summary.number("reduced_pressure"), estimate.number("reduced_pressure")]
            .map(Option::unwrap);
    assert!((pressure / expected - 1.0).abs() < 0.03, "{pressure} {expected}");
}

/// Forces and accelerations of mass, radius and material, on bodies that do not meet.
const TWO_MATERIALS: &str = r#"
    dimension = 2
    until = 1.0
    box = { size = 60, boundary = "open" }
    [materials.light]
    density = 0.5
    [materials.heavy]
    density = 3.0
    [[bodies]]
    position = [10, 20]
    radius = 0.5
    material = "light"
    [[bodies]]
    position = [30, 20]
    radius = 1.5
    velocity = [0, 1]
    material = "heavy"
"#;

#[test]
fn forces_see_mass_radius_and_material() {
    let periods = "[[forces]]\nforce = [\"3 * r\", 0]\nmaterial = \"heavy\"\nperiod = 0.05\n\
                   [[forces]]\nacceleration = [0, \"-m\"]\nperiod = 0.1\n\
                   [[forces]]\nforce = [2, 0]\nmaterial = \"light\"\nperiod = 0.05\n";
    let text = format!("engine = \"event-driven\"\n{TWO_MATERIALS}{periods}");
    let mut run = Run::new(&scene(&text, &[])).unwrap();
    run.run_to_end(&mut ()).unwrap();
    let state = run.engine().state();
    let [light, heavy] = [state.masses[0], state.masses[1]];
    let expected = [[2.0 / light, -light], [4.5 / heavy, 1.0 - heavy]];
    for (body, [x, y]) in expected.into_iter().enumerate() {
        let velocity = state.velocities[body];
        assert!((velocity.x - x).abs() < 1e-9 && (velocity.y - y).abs() < 1e-9, "{velocity}");
    }
    // Grains that do not touch are pushed alike.
    let grains = periods.replace("period = 0.05\n", "").replace("period = 0.1\n", "");
    let soft = TWO_MATERIALS.replace("density", "stiffness = 1\n    density");
    let text = format!("engine = \"dem\"\nstep = 0.001\n{soft}{grains}");
    let mut run = Run::new(&scene(&text, &[])).unwrap();
    run.run_to_end(&mut ()).unwrap();
    for (one, two) in run.engine().state().velocities.iter().zip(&state.velocities) {
        assert!((one - two).norm() < 1e-9, "{one} {two}");
    }
}

/// A cut run continues to the bit, whatever the forces depend on.
#[test]
fn a_run_with_forces_of_mass_and_material_continues_to_the_bit() {
    let forces = "[[forces]]\nforce = [\"-0.3 * vx * r\", \"sin(t) * m\"]\nperiod = 0.07\nmaterial = \"soft\"\n";
    let scene = scene(&format!("{HEAP}{forces}"), &["until=2"]);
    let mut uncut = Run::new(&scene).unwrap();
    uncut.run_to_end(&mut ()).unwrap();
    let mut cut = Run::new(&scene).unwrap();
    for _ in 0..7 {
        cut.emit_due_output(&mut ()).unwrap();
        cut.advance().unwrap();
    }
    let stored = Checkpoint::decode(&cut.checkpoint().encode(), "a checkpoint").unwrap();
    let mut resumed = Run::resume(&scene, stored).unwrap();
    resumed.run_to_end(&mut ()).unwrap();
    assert_eq!(resumed.engine().state(), uncut.engine().state());
    assert!(simulation(&uncut).counters().predictions > 100);
}
