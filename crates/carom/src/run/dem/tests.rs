#![allow(clippy::unwrap_used)]

use super::settings;
use crate::run::*;
use carom_io::{Checkpoint, Frame};
use carom_scene::Scene;
use carom_scene::scene::AnyScene;
use carom_simulate::Values;
use carom_simulate::dem::{Energy, Simulation};

pub(super) fn dem<const D: usize>(run: &Run<D>) -> &Simulation<D> {
    run.simulation().unwrap()
}

/// A number of a row.
pub(super) fn number(row: &Values, name: &str) -> f64 {
    row.number(name).unwrap()
}

/// The energies of a row.
pub(super) fn energy(row: &Values) -> Energy {
    Energy {
        kinetic_energy: number(row, "kinetic_energy"),
        rotational_energy: number(row, "rotational_energy"),
        potential_energy: number(row, "potential_energy"),
        contact_energy: number(row, "contact_energy"),
        damping_loss: number(row, "damping_loss"),
        friction_loss: number(row, "friction_loss"),
        external_work: number(row, "external_work"),
    }
}

/// Number of bodies of the first pour that have been inserted.
fn poured(run: &Run<2>) -> u64 {
    run.summary(Ending::Time, Timing::default()).json()["poured"][0].as_u64().unwrap()
}

/// Everything at once: two materials, a pair table, moving walls, a periodic axis, rotating gravity, bodies of several
/// shapes that are poured in onto lines.
const SHAKEN: &str = r#"
    engine = "dem"
    dimension = 2
    until = 3.0
    [box]
    size = [12, 30]
    boundary = ["periodic", "wall"]
    wall_restitution = 0.8
    [gravity]
    acceleration = [0, -3]
    angular_velocity = 0.1
    [materials.default]
    density = 1.0
    restitution = 0.6
    friction = 0.4
    stiffness = 2e4
    [materials.soft]
    density = 2.0
    damping = 8.0
    friction = 0.2
    rolling_friction = 0.05
    stiffness = 1e4
    [[contacts]]
    between = ["soft", "default"]
    friction = 0.9
    [[walls]]
    kind = "plane"
    point = [0, 1]
    normal = [0, 1]
    amplitude = [0, 0.4]
    frequency = 1.0
    [[generate]]
    kind = "random"
    count = 60
    radius = { min = 0.3, max = 0.6 }
    temperature = 1.0
    region = { low = [0, 2], high = [12, 30] }
    [[generate]]
    kind = "random"
    count = 20
    radius = 0.4
    material = "soft"
    temperature = 1.0
    region = { low = [0, 2], high = [12, 30] }
    [[pour]]
    count = 12
    radius = { min = 0.2, max = 0.4 }
    rate = 6
    from = 0.25
    region = { low = [2, 25], high = [10, 30] }
    velocity = [0, -4]
    material = "soft"
    [shapes.kite]
    polygon = [[-0.3, 0], [0, -0.4], [0.3, 0], [0, 0.3]]
    [shapes.pair]
    spheres = [[0, 0, 0.2], [0.3, 0, 0.3]]
    [[pour]]
    count = 5
    shape = "kite"
    rate = 6
    [[pour]]
    count = 5
    shape = "pair"
    rate = 6
    [[walls]]
    kind = "line"
    points = [[2, 14], [5, 13.8], [8, 14]]
    [output]
    interval = 0.5
    log_interval = 0.3
"#;

pub(super) fn scene(text: &str, settings: &[&str]) -> Scene<2> {
    let settings: Vec<String> = settings.iter().map(|it| (*it).to_owned()).collect();
    match AnyScene::parse(text, "test.toml", "".as_ref(), &settings).unwrap() {
        AnyScene::TwoD(scene) => scene,
        AnyScene::ThreeD(_) => unreachable!(),
    }
}

/// Records everything, and stops after a number of polls.
#[derive(Default)]
struct DemRunRecorder {
    rows: Vec<Values>,
    frames: Vec<Frame<2>>,
    checkpoint: Vec<u8>,
    warnings: Vec<String>,
    polls_before_stop: Option<u32>,
}

impl Sink<2> for DemRunRecorder {
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
            Some(0) => Control::Stop,
            Some(looks) => {
                *looks -= 1;
                Control::Continue
            }
            None => Control::Continue,
        }
    }

    fn checkpoint(&mut self, run: &Run<2>) -> Result<(), Error> {
        self.checkpoint = run.checkpoint().encode();
        Ok(())
    }

    fn warn(&mut self, warning: &str) {
        self.warnings.push(warning.to_owned());
    }
}

#[test]
fn a_run_that_was_cut_equals_the_uncut_run() {
    let scene = scene(SHAKEN, &[]);
    let mut uncut = DemRunRecorder::default();
    assert_eq!(run(&scene, &mut uncut).unwrap(), Ending::Time);
    assert_eq!((uncut.rows.len(), uncut.frames.len()), (11, 7));
    let mut cut = DemRunRecorder { polls_before_stop: Some(1), ..DemRunRecorder::default() };
    let mut run: Run<2> = Run::new(&scene).unwrap();
    let mut cuts = 0;
    while run.run_to_end(&mut cut).unwrap() == Ending::Stopped {
        let checkpoint = Checkpoint::decode(&cut.checkpoint, "cut").unwrap();
        run = Run::resume(&scene, checkpoint).unwrap();
        (cut.polls_before_stop, cuts) = (Some(1), cuts + 1);
    }
    assert!(cuts > 3, "{cuts}");
    assert_eq!((uncut.frames[0].len(), uncut.frames[6].len()), (80, 102));
    assert!(cut.rows == uncut.rows && cut.frames == uncut.frames);
    assert!(cut.checkpoint == uncut.checkpoint);
}

#[test]
fn a_run_that_is_made_longer_equals_the_long_run() {
    let (short, long) = (scene(SHAKEN, &["until=1.2"]), scene(SHAKEN, &["until=2.4"]));
    let [mut memory, mut whole] = [DemRunRecorder::default(), DemRunRecorder::default()];
    run(&long, &mut whole).unwrap();
    run(&short, &mut memory).unwrap();
    let checkpoint = Checkpoint::decode(&memory.checkpoint, "short").unwrap();
    Run::resume(&long, checkpoint).unwrap().run_to_end(&mut memory).unwrap();
    assert!(memory.checkpoint == whole.checkpoint);
    let back = Checkpoint::decode(&memory.checkpoint, "long").unwrap();
    let refused = Run::resume(&short, back).err().unwrap().to_string();
    assert!(refused.contains("until = 1.2"), "{refused}");
}

#[test]
fn the_ledger_of_energies_closes() {
    let scene = scene(SHAKEN, &[]);
    let mut memory = DemRunRecorder::default();
    run(&scene, &mut memory).unwrap();
    let [first, last] = [&memory.rows[0], &memory.rows[10]].map(energy);
    assert!(
        last.external_work > 1.0 && last.damping_loss > 1.0 && last.friction_loss > 1.0,
        "{last:?}"
    );
    let scale = first.kinetic_energy + first.potential_energy;
    assert!((last.total() - first.total()).abs() < 2e-3 * scale, "{first:?} {last:?}");
}

#[test]
fn damaged_checkpoints_are_refused() {
    let scene = scene(SHAKEN, &[]);
    let mut memory = DemRunRecorder::default();
    run(&scene, &mut memory).unwrap();
    let other = self::scene(SHAKEN, &["materials.soft.friction=0.3"]);
    let whole = Checkpoint::decode(&memory.checkpoint, "whole").unwrap();
    let refused = Run::resume(&other, whole.clone()).err().unwrap().to_string();
    assert!(refused.contains("another scene"), "{refused}");
    for (name, wrong) in [("order", 70), ("contact_keys", 110)] {
        let mut changed = whole.clone();
        let count = changed.count(name).unwrap();
        let mut values = changed.take_u32(name, count).unwrap();
        values[0] = wrong;
        changed.put_u32(name, values);
        assert!(Run::resume(&scene, changed).is_err(), "{name}");
    }
    for name in ["forces_torques", "intervals", "engine"] {
        let mut changed = whole.clone();
        let count = changed.count(name).unwrap();
        let mut values = changed.take_f64(name, count).unwrap();
        values[0] = f64::NAN;
        changed.put_f64(name, values);
        assert!(Run::resume(&scene, changed).is_err(), "{name}");
    }
}

#[test]
fn the_stiffness_chosen_lets_bodies_overlap_by_about_a_hundredth() {
    let text = "engine = 'dem'\ndimension = 2\nuntil = 0.3\nbox.size = 9\n\
                [[bodies]]\nposition = [4, 5]\nvelocity = [2, 0]\nradius = 0.5\n\
                [[bodies]]\nposition = [5.1, 5]\nvelocity = [-2, 0]\nradius = 0.5\n\
                [output]\nlog_interval = 1e-4";
    let mut memory = DemRunRecorder::default();
    run(&scene(text, &[]), &mut memory).unwrap();
    let deepest = memory.rows.iter().map(|row| number(row, "deepest_overlap")).fold(0.0, f64::max);
    assert!((deepest - 0.01).abs() < 1e-4, "{deepest}");
    // Too soft a spring is reported, once.
    let mut memory = DemRunRecorder::default();
    let soft = ["materials.default.stiffness=100", "output.log_interval=0.01"];
    run(&scene(text, &soft), &mut memory).unwrap();
    assert_eq!(memory.warnings.len(), 1);
    assert!(memory.warnings[0].starts_with("body 0 is pressed into body 1 by "));
}

#[test]
fn two_materials_touch_as_their_constants_say() {
    let text = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 9\n\
                [materials.steel]\nyoungs_modulus = 2e11\npoissons_ratio = 0.3\nfriction = 0.5\n\
                [materials.glass]\nyoungs_modulus = 7e10\npoissons_ratio = 0.2\nfriction = 0.2\n\
                restitution = 0.9\n\
                [[bodies]]\nposition = [4, 5]\nradius = 0.5\nmaterial = 'steel'";
    let laws = settings(&scene(text, &[])).unwrap().contact_laws;
    use carom_simulate::dem::{CompositeLaw, Damping, NormalForceLaw, TangentialForceLaw};
    // In the order of names after the default: glass, steel; five in all with the sides of the box.
    let CompositeLaw { normal, tangential, friction_coefficient: friction, damping, .. } =
        laws[5 + 2];
    let NormalForceLaw::Hertz { modulus } = normal else { panic!() };
    assert!((modulus * (0.91 / 2e11 + 0.96 / 7e10) - 1.0).abs() < 1e-12);
    let TangentialForceLaw::Mindlin { modulus, .. } = tangential else { panic!() };
    let compliance = 1.7 * 2.6 / 2e11 + 1.8 * 2.4 / 7e10;
    assert!((modulus * compliance - 1.0).abs() < 1e-12);
    assert_eq!((friction, damping), (0.2, Damping::restitution(0.9)));
    let mixed = text.replace("youngs_modulus = 7e10\npoissons_ratio = 0.2", "stiffness = 1e5");
    let refused = settings(&scene(&mixed, &[])).unwrap_err().to_string();
    assert!(refused.contains("give both the same key"), "{refused}");
}

/// Nothing at the start, and more bodies than there is room for.
const POURED: &str = r#"
    engine = "dem"
    dimension = 2
    until = 2.0
    [box]
    size = [4, 6]
    boundary = "wall"
    [gravity]
    acceleration = [0, -10]
    [materials.default]
    density = 1.0
    restitution = 0.3
    stiffness = 3e4
    [[pour]]
    count = 40
    radius = { min = 0.2, max = 0.3 }
    rate = 30
    region = { low = [0, 4], high = [4, 6] }
"#;

#[test]
fn bodies_are_poured_at_the_rate_asked_for_into_free_places() {
    let scene = scene(POURED, &[]);
    let mut memory = DemRunRecorder::default();
    let mut run: Run<2> = Run::new(&scene).unwrap();
    run.run_to_end(&mut memory).unwrap();
    assert_eq!(poured(&run), 40);
    assert!(memory.warnings.is_empty(), "{:?}", memory.warnings);
    // Within the steps between two insertions, as many as the rate says; no large overlaps.
    for row in &memory.rows {
        let there = energy(row).external_work.abs() > 0.0;
        assert_eq!(there, number(row, "time") > 0.0, "{row:?}");
        assert!(number(row, "deepest_overlap") < 0.1, "{row:?}");
    }
    let half: Run<2> = {
        let scene = self::scene(POURED, &["until=0.5"]);
        let mut run = Run::new(&scene).unwrap();
        run.run_to_end(&mut ()).unwrap();
        run
    };
    assert!((15..=16).contains(&dem(&half).body_count()), "{}", dem(&half).body_count());
    let [first, last] = [&memory.rows[0], memory.rows.last().unwrap()].map(energy);
    assert!((last.total() - first.total()).abs() < 2e-3 * last.damping_loss, "{first:?} {last:?}");
}

#[test]
fn a_pour_without_room_falls_behind_and_says_so() {
    let scene = scene(POURED, &["pour.0.count=400", "pour.0.rate=1000"]);
    let mut memory = DemRunRecorder::default();
    let mut run: Run<2> = Run::new(&scene).unwrap();
    run.run_to_end(&mut memory).unwrap();
    let poured = poured(&run);
    assert!((60..140).contains(&poured), "{poured}");
    let lagging: Vec<_> = memory.warnings.iter().filter(|it| it.contains("pour.0")).collect();
    assert_eq!(lagging.len(), 1, "{:?}", memory.warnings);
    assert!(lagging[0].contains("find no room in its region; a larger region"), "{lagging:?}");
    let step = self::scene(POURED, &["step=0.01"]);
    let refused = Run::<2>::new(&step).err().unwrap().to_string();
    assert!(refused.contains("to be stable"), "{refused}");
}

#[test]
fn the_last_frame_of_a_run_starts_another() {
    let first = scene(SHAKEN, &[]);
    let mut memory = DemRunRecorder::default();
    run(&first, &mut memory).unwrap();
    let last = memory.frames.last().unwrap();
    let mut frame = Vec::new();
    carom_io::write_frame_xyz(&mut frame, last).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("last.xyz"), frame).unwrap();
    let is_kept = |table: &&str| !table.starts_with("[generate") && !table.starts_with("[pour");
    let kept: Vec<&str> = SHAKEN.split("\n    [").filter(is_kept).collect();
    let bodies = "[[bodies]]\nfile = 'last.xyz'\nmaterial = 'default'\n";
    let text = format!("{}\n{bodies}", kept.join("\n    ["));
    let second = AnyScene::parse(&text, "second.toml", folder.path(), &[]).unwrap();
    let AnyScene::TwoD(second) = second else { panic!() };
    let start = Run::new(&second).unwrap().frame();
    assert_eq!(start.len(), 102);
    let there = |frame: &Frame<2>| {
        let Frame { positions, velocities, radii, masses, mut columns, .. } = frame.clone();
        // It depends on orientations, which are not written to the bit.
        columns.retain(|(name, _)| name != "pressure");
        (positions, velocities, radii, masses, columns, frame.shapes.clone().unwrap().shape_of_body)
    };
    assert_eq!(there(&start), there(last));
    let orientations = [&start, last].map(|frame| frame.shapes.clone().unwrap().orientations);
    for (one, two) in orientations[0].iter().zip(&orientations[1]) {
        let apart: f64 = (0..4).map(|part| (one[part] - two[part]).abs()).sum();
        assert!(apart < 1e-12, "{one:?} {two:?}");
    }
}

#[test]
fn a_finished_run_that_is_resumed_ends_with_the_same_figures() {
    let scene = scene(SHAKEN, &[]);
    let [mut memory, mut again] = [DemRunRecorder::default(), DemRunRecorder::default()];
    let mut run: Run<2> = Run::new(&scene).unwrap();
    run.run_to_end(&mut memory).unwrap();
    let checkpoint = Checkpoint::decode(&memory.checkpoint, "finished").unwrap();
    let mut resumed: Run<2> = Run::resume(&scene, checkpoint).unwrap();
    assert_eq!(resumed.run_to_end(&mut again).unwrap(), Ending::Time);
    let row = run.quantities();
    assert!(number(&row, "contacts") > 0.0 && number(&row, "deepest_overlap") > 0.0);
    assert_eq!(resumed.quantities(), row);
    assert!(again.checkpoint == memory.checkpoint);
}

#[test]
fn pours_that_never_come_or_come_at_once_end_too() {
    for (setting, poured) in [
        ("pour.0.rate=1e30", 40),
        ("pour.0.from=1e25", 0),
        ("pour.0.rate=1e-16", 1),
        ("pour.0.rate=1e-100", 1),
    ] {
        let scene = scene(POURED, &["until=0.6", setting]);
        let mut run: Run<2> = Run::new(&scene).unwrap();
        run.run_to_end(&mut ()).unwrap();
        let there = self::poured(&run);
        // Those that are all due at once wait for room.
        assert!(there == poured || (poured == 40 && there > 20), "{setting}: {there}");
    }
}

#[test]
fn bodies_are_poured_into_a_closed_wall_only_if_the_region_says_so() {
    let text = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 12\nbox.boundary = 'wall'\n\
                [materials.default]\ndensity = 1\nstiffness = 100\n[[walls]]\nkind = 'line'\n\
                points = [[3, 3], [9, 3], [9, 9], [3, 9], [3, 3]]\n\
                [[pour]]\ncount = 60\nradius = 0.2\nrate = 1e4\n";
    let region = "region = { circle = { center = [6, 6], radius = 3 } }\n";
    for (table, inside) in [(text.to_owned(), false), (format!("{text}{region}"), true)] {
        let mut run: Run<2> = Run::new(&scene(&table, &[])).unwrap();
        run.run_to_end(&mut ()).unwrap();
        let places = run.frame().positions;
        assert!(places.len() > 40);
        let is_in = |place: &carom_geometry::Vector<2>| place.add_scalar(-6.0).amax() < 3.0;
        assert!(places.iter().all(|place| is_in(place) == inside), "{places:?}");
    }
}

/// One body at rest.
const RESTING: &str = "engine = 'dem'\ndimension = 2\nuntil = 1\nstep = 0.01\n\
                       box.size = 9\nbox.boundary = 'periodic'\n\
                       [materials.default]\ndensity = 1\nstiffness = 100\n\
                       [[bodies]]\nposition = [4, 5]\nradius = 0.5\n";

#[test]
fn a_run_that_ends_where_it_begins_can_be_made_longer() {
    let mut memory = DemRunRecorder::default();
    let start = scene(RESTING, &["until=0"]);
    run(&start, &mut memory).unwrap();
    assert_eq!(memory.rows.len(), 1);
    assert!(matches!(OutputSchedule::of(&start).log, OutputInterval::Time(_)));
    let checkpoint = Checkpoint::decode(&memory.checkpoint, "start").unwrap();
    let mut longer: Run<2> = Run::resume(&scene(RESTING, &["until=3"]), checkpoint).unwrap();
    assert_eq!(longer.run_to_end(&mut memory).unwrap(), Ending::Time);
    assert!((dem(&longer).now() - 3.0).abs() < 1e-9);
}

#[test]
fn frames_have_contacts_where_they_are_asked_for() {
    let text = "engine = 'dem'\ndimension = 2\nuntil = 20\nbox.size = 9\nbox.boundary = 'wall'\n\
        gravity.acceleration = [0, -10]\nmaterials.default.stiffness = 1e4\n\
        materials.default.restitution = 0.1\noutput.contacts = true\n\
        [[bodies]]\nposition = [5, 0.5]\nradius = 0.5\nmass = 1\n\
        [[bodies]]\nposition = [5, 1.5]\nradius = 0.5\nmass = 2\n";
    let mut run = Run::new(&scene(text, &[])).unwrap();
    run.run_to_end(&mut ()).unwrap();
    let contacts = run.frame().contacts.unwrap();
    let found: Vec<_> = contacts.iter().map(|it| (it.body, it.other, it.wall)).collect();
    assert_eq!(found, [(0, Some(1), None), (0, None, Some(2))]);
    // The upper one is carried by the lower one, and both by the floor.
    for (contact, weight) in contacts.iter().zip([20.0, 30.0]) {
        assert!((contact.normal_force / weight - 1.0).abs() < 1e-6, "{contact:?}");
        assert!(contact.tangential_force < 1e-6 && contact.overlap > 0.0);
    }
    let plain = Run::new(&scene(&text.replace("output.contacts = true\n", ""), &[])).unwrap();
    assert_eq!(plain.frame().contacts, None);
    let refused = AnyScene::parse(
        &text.replace("'dem'", "'event-driven'").replace("materials.default.stiffness = 1e4\n", ""),
        "a.toml",
        "".as_ref(),
        &[],
    );
    assert!(refused.unwrap_err().to_string().contains("no duration and no force"));
}

#[test]
fn a_run_shorter_than_a_step_is_refused() {
    let refused = |settings: &[&str]| Run::new(&scene(RESTING, settings)).err().unwrap();
    assert_eq!(
        refused(&["until=1e-4", "step=1e-3"]).to_string(),
        "until is 0.0001, but a step takes 0.001; it must be at least as long: give a later end or a \
         shorter step"
    );
    assert!(Run::new(&scene(RESTING, &["until=1e-3", "step=1e-3"])).is_ok());
}

#[test]
fn walls_that_bodies_are_pressed_into_are_called_by_name() {
    let text = "engine = 'dem'\ndimension = 2\nuntil = 0.5\nbox.size = 9\n\
                box.boundary = ['wall', 'open']\nmaterials.default.stiffness = 30\n\
                [[bodies]]\nposition = [8, 5]\nvelocity = [3, 0]\nradius = 0.5\n\
                [output]\nlog_interval = 0.01\n";
    let plane = "[[walls]]\nkind = 'plane'\npoint = [8.6, 0]\nnormal = [-1, 0]\n";
    for (text, name) in [
        (text.to_owned(), "the side of the box at x = 9"),
        (format!("{text}{plane}"), "the plane walls.0"),
    ] {
        let mut memory = DemRunRecorder::default();
        run(&scene(&text, &[]), &mut memory).unwrap();
        let begin = format!("body 0 is pressed into {name} by ");
        assert!(memory.warnings[0].starts_with(&begin), "{:?}", memory.warnings);
    }
}

#[test]
fn no_moment_is_written_twice() {
    for key in ["log_interval", "interval"] {
        let short = scene(RESTING, &[&format!("output.{key}=0.004")]);
        let said = Run::<2>::new(&short).err().unwrap().to_string();
        let rule = "it must be at least as long, or the same moment would be written again";
        assert_eq!(said, format!("output.{key} is 0.004, but a step takes 0.01; {rule}"));
    }
    // A hundredth of the time is less than a time step.
    let mut memory = DemRunRecorder::default();
    run(&scene(RESTING, &["until=0.2"]), &mut memory).unwrap();
    let times: Vec<f64> = memory.rows.iter().map(|row| number(row, "time")).collect();
    assert!(times.len() == 21 && times.is_sorted_by(|one, two| one < two), "{times:?}");
}

#[test]
fn regions_count_bodies_that_have_just_left_on_a_periodic_side() {
    let region = "[[observe.regions]]\nname = 'right'\nlow = [8, 0]\nhigh = [9, 9]\n";
    let text = RESTING.replace("[4, 5]", "[0.01, 5]\nvelocity = [-1, 0]") + region;
    let mut memory = DemRunRecorder::default();
    run(&scene(&text, &["until=0.05"]), &mut memory).unwrap();
    let last = memory.rows.last().unwrap();
    let counts = [&memory.rows[0], last].map(|row| number(row, "in_right"));
    assert_eq!(counts, [0.0, 1.0], "{last:?}");
}

#[test]
fn nothing_will_happen_only_where_nothing_can() {
    let warned = |text: &str| {
        let scene = scene(text, &[]);
        let estimate = Run::<2>::new(&scene).unwrap().estimate(&scene);
        estimate.warnings.iter().any(|warning| warning.contains("nothing will happen"))
    };
    assert!(warned(RESTING));
    let wall = "[[walls]]\nkind = 'line'\npoints = [[0, 1], [9, 1]]\n";
    assert!(warned(&format!("{RESTING}{wall}")));
    assert!(!warned(&format!("{RESTING}{wall}velocity = [0, 1]\n")));
    assert!(!warned(&format!("{RESTING}angular_velocity = 1.0\n")));
    let pressed = "[[bodies]]\nposition = [4.99, 5]\nradius = 0.5\n";
    assert!(!warned(&format!("{RESTING}{pressed}")));
}

#[test]
fn bodies_too_wide_for_the_box_are_refused_before_they_come() {
    let text = POURED.replace("size = [4, 6]", "size = [1.25, 6]");
    let text = text.replace("high = [4, 6]", "high = [1.25, 6]");
    let narrow = scene(&text.replace("\"wall\"", "[\"periodic\", \"wall\"]"), &[]);
    let said = Run::<2>::new(&narrow).err().unwrap().to_string();
    assert!(said.contains("both together must be at most half of every period"), "{said}");
}

#[test]
fn more_steps_than_anybody_waits_for_are_refused() {
    let refusal = |step: &str| {
        let scene = scene(RESTING, &["until=1", step]);
        Run::<2>::new(&scene).unwrap().estimate(&scene).refusal
    };
    assert!(refusal("step=1e-20").is_some_and(|text| text.contains("at most 1e12 are made")));
    assert_eq!(refusal("step=1e-5"), None);
}
