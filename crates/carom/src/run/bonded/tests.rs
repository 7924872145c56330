#![allow(clippy::unwrap_used)]

use crate::run::{Ending, Error, Run, Sink};
use carom_scene::Scene;
use carom_scene::scene::AnyScene;
use carom_simulate::Values;
use carom_simulate::bonded::Simulation;
use std::path::Path;

/// A two-dimensional example scene.
fn example(name: &str, settings: &[&str]) -> Scene<2> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let AnyScene::TwoD(scene) = AnyScene::read(&path, &settings).unwrap() else { panic!("{name}") };
    scene
}

fn run(name: &str, settings: &[&str]) -> Run<2> {
    let mut run = Run::new(&example(name, settings)).unwrap();
    assert_eq!(run.run_to_end(&mut ()).unwrap(), Ending::Time);
    run
}

fn simulation(run: &Run<2>) -> &Simulation<2> {
    run.simulation().unwrap()
}

/// Midpoints of the broken springs of a solid.
fn cracks(run: &Run<2>, solid: usize) -> Vec<[f64; 2]> {
    let body = &simulation(run).bodies()[solid];
    let broken = body.springs().filter(|spring| spring.is_broken);
    broken
        .map(|spring| {
            let [a, b] = spring.ends.map(|end| body.position(end));
            [0.5 * (a.x + b.x), 0.5 * (a.y + b.y)]
        })
        .collect()
}

#[test]
fn one_comes_in_and_one_goes_out_of_the_cradle() {
    let run = run("cradle.toml", &[]);
    let solids = simulation(&run).solids();
    assert!(solids[4].velocity.x > 0.97 * 0.04, "{solids:?}");
    for solid in &solids[..4] {
        assert!(solid.velocity.x.abs() < 0.02 * 0.04, "{solids:?}");
    }
    let start = 0.5 * solids[0].mass * 0.04 * 0.04;
    let energy = simulation(&run).energy();
    assert!((energy.total() / start - 1.0).abs() < 5e-3, "{energy:?}");
}

#[test]
fn discs_off_center_leave_with_angular_velocities() {
    let angular_velocities = |friction: &str| {
        let run = run("oblique.toml", &[friction]);
        [0, 1].map(|solid: usize| {
            simulation(&run).bodies()[solid].fragments().list[0].angular_velocity.z
        })
    };
    let rough = angular_velocities("materials.default.friction=0.5");
    let smooth = angular_velocities("materials.default.friction=0");
    assert!(rough[0] * rough[1] > 0.0 && rough[0].abs() > 5e-4, "{rough:?}");
    // The rest comes from vibrations and from steps in the surface.
    assert!(smooth[0].abs() < 0.3 * rough[0].abs(), "{smooth:?} {rough:?}");
}

#[test]
fn a_disc_pressed_between_plates_splits_along_the_loaded_diameter() {
    let run =
        run("brazilian.toml", &["solids.0.spacing=1", "solids.1.spacing=1", "solids.2.spacing=1"]);
    let cracks = cracks(&run, 0);
    let on_diameter = cracks.iter().filter(|[x, _]| (x - 35.0).abs() < 3.0).count();
    let ends =
        cracks.iter().fold([70.0_f64, 0.0_f64], |ends, [_, y]| [ends[0].min(*y), ends[1].max(*y)]);
    assert!(on_diameter * 10 >= cracks.len() * 9, "{on_diameter} of {}", cracks.len());
    assert!(ends[0] < 16.0 && ends[1] > 54.0, "{ends:?}");
}

#[test]
#[ignore = "takes half a minute: cargo xtask test --all"]
fn the_crack_of_kalthoff_and_winkler_leaves_its_notch_at_about_seventy_degrees() {
    let mut run = Run::new(&example("kalthoff.toml", &[])).unwrap();
    let rayleigh = {
        // For a Poisson's ratio of a third, by Viktorov's formula.
        let shear = (190.0 / (2.0 * (1.0 + 1.0 / 3.0)) / 8.0_f64).sqrt();
        shear * ((0.862_f64 + 1.14 / 3.0) / (1.0 + 1.0 / 3.0)).sqrt()
    };
    let tip = |run: &Run<2>| {
        let cracks = cracks(run, 0);
        cracks.iter().filter(|[x, _]| *x > 40.0).map(|[_, y]| *y).fold(27.0, f64::max)
    };
    let (mut last, mut fastest) = ([0.0, 27.0], 0.0_f64);
    while run.is_over().is_none() {
        run.advance().unwrap();
        let now = simulation(&run).now();
        if now - last[0] > 10.0 {
            let reached = tip(&run);
            fastest = fastest.max((reached - last[1]) / (now - last[0]));
            last = [now, reached];
        }
        run.emit_due_output(&mut ()).unwrap();
    }
    let off: Vec<[f64; 2]> =
        cracks(&run, 0).into_iter().filter(|[x, y]| *x > 40.0 && *y > 28.5).collect();
    let mean = |axis: usize| off.iter().map(|at| at[axis]).sum::<f64>() / off.len() as f64;
    let angle = (mean(1) - 27.0).atan2(mean(0) - 52.0).to_degrees();
    assert!((63.0..72.0).contains(&angle), "{angle}");
    // The vertical speed is lower than that along the crack, by the sine of the angle.
    let speed = fastest / angle.to_radians().sin();
    assert!(speed < rayleigh && speed > 0.2 * rayleigh, "{speed} {rayleigh}");
}

#[test]
fn ductile_solids_keep_a_dent() {
    let settings = ["solids.0.spacing=1", "solids.1.spacing=1", "until=120"];
    let [glass, ductile] =
        ["glass.toml", "ductile.toml"].map(|name| run(name, &settings).quantities());
    let broken = [&glass, &ductile].map(|row| row.number("broken_springs").unwrap());
    assert!(broken[0] > 10.0 * broken[1], "{broken:?}");
    let [plastic, fracture] =
        ["plastic_loss", "fracture_loss"].map(|name| ductile.number(name).unwrap());
    assert!(plastic > 10.0 * fracture, "{ductile:?}");
}

/// A run that is stopped anywhere and resumed from a checkpoint gives the results of the uncut run.
#[test]
fn a_cut_run_continues_to_the_same_bits() {
    let settings =
        ["solids.0.spacing=1", "solids.1.spacing=1", "until=60", "solids.0.velocity=[0,-0.4]"];
    let scene = example("ductile.toml", &settings);
    let mut uncut = Run::new(&scene).unwrap();
    // Surfaces that are updated while springs break are compared with rebuilt ones.
    uncut.check_structure();
    uncut.run_to_end(&mut ()).unwrap();
    let mut cut = Run::new(&scene).unwrap();
    for part in 0.. {
        if cut.is_over().is_some() {
            break;
        }
        cut.advance().unwrap();
        cut.emit_due_output(&mut ()).unwrap();
        if part % 3 == 0 {
            cut = Run::resume(&scene, cut.checkpoint()).unwrap();
        }
    }
    let end = uncut.quantities();
    assert!(end.number("broken_springs") > Some(0.0) && end.number("contacts") > Some(0.0));
    assert_eq!(simulation(&uncut).saved_state(), simulation(&cut).saved_state());
}

fn refused(text: &str) -> String {
    let AnyScene::TwoD(scene) = AnyScene::parse(text, "a.toml", "".as_ref(), &[]).unwrap() else {
        panic!()
    };
    Run::new(&scene).err().unwrap().to_string()
}

const TWO: &str = "engine = 'bonded'\ndimension = 2\nuntil = 1\nbox.size = 40\n\
                   materials.default.youngs_modulus = 1\n\
                   [[solids]]\ncircle = { center = [10, 20], radius = 6 }\nspacing = 1\n\
                   [[solids]]\ncircle = { center = [24, 20], radius = 6 }\nspacing = 1\n";

#[test]
fn what_cannot_be_is_refused_in_a_sentence() {
    let near = TWO.replace("[24, 20]", "[21, 20]");
    assert!(refused(&near).contains("solids 0 and 1"), "{}", refused(&near));
    let within = TWO.replace("[24, 20], radius = 6", "[10, 20], radius = 3");
    assert!(refused(&within).contains("solids must not overlap"), "{}", refused(&within));
    let long = TWO.replace("until = 1", "until = 1\nstep = 2.0");
    assert!(refused(&long).contains("the longest stable one is"), "{}", refused(&long));
    let thin = TWO.replace("radius = 6 }\nspacing = 1\n[[", "radius = 6 }\nholes = [{ block = { low = [3, 13], high = [10.5, 27] } }, { block = { low = [9.5, 13], high = [17, 27] } }]\nspacing = 1\n[[");
    assert!(refused(&thin).contains("take a shorter spacing"), "{}", refused(&thin));
}

#[test]
fn a_solid_where_numbers_are_too_coarse_ends_the_run() {
    let fast = ["solids.0.velocity=[1e13, 0]", "until=1"];
    let mut run = Run::new(&example("discs.toml", &fast)).unwrap();
    let message = run.run_to_end(&mut ()).unwrap_err().to_string();
    assert!(message.contains("too coarse"), "{message}");
    let warnings = |angular_velocity: &str| {
        let scene = example("discs.toml", &[angular_velocity]);
        Run::new(&scene).unwrap().estimate(&scene).warnings
    };
    assert_eq!(warnings("solids.0.angular_velocity=0.0001"), Vec::<String>::new());
    assert!(
        warnings("solids.0.angular_velocity=10").iter().any(|text| text.contains("its own waves"))
    );
}

/// A bar that hangs from its held upper end and is let go in the second stage.
const HANGING: &str = "engine = 'bonded'\ndimension = 2\nbox.size = 40\n\
                       gravity.acceleration = [0, -1e-3]\noutput.log_interval = 5\n\
                       [materials.default]\nyoungs_modulus = 1\n\
                       [[solids]]\nblock = { low = [10, 10], high = [14, 30] }\nspacing = 1\n\
                       hold = [{ block = { low = [10, 29], high = [14, 30] } }]\n\
                       [[stages]]\nname = 'hang'\nduration = 60\n\
                       [[stages]]\nname = 'fall'\nduration = 40\nrelease = [0]\n\
                       [[stages]]\nname = 'float'\nduration = 20\n\
                       gravity.acceleration = [0, 0]\n";

#[test]
fn a_stage_lets_held_parts_go_for_the_rest_of_the_run() {
    let scene = plane_scene(HANGING, &[]);
    let (mut uncut, mut rows) = (Run::new(&scene).unwrap(), Rows::default());
    uncut.run_to_end(&mut rows).unwrap();
    let of = |row: &Values, name: &str| row.number(name).unwrap();
    let energies = ["kinetic_energy", "bond_energy", "contact_energy", "potential_energy"];
    let losses = ["damping_loss", "friction_loss", "constraint_loss"];
    let total = |row: &Values| {
        energies.iter().chain(&losses).map(|name| of(row, name)).sum::<f64>()
            - of(row, "external_work")
    };
    let scale = of(&rows.0[0], "potential_energy").abs();
    for row in &rows.0 {
        assert!((total(row) - total(&rows.0[0])).abs() < 1e-4 * scale, "{row:?}");
        let (time, speed) = (of(row, "time"), of(row, "solid_0_vy"));
        // It swings while it hangs, falls freely, and keeps its momentum at the end.
        let fallen = 1e-3 * (time - 60.0).min(40.0);
        match time {
            time if time <= 60.0 => assert!(speed.abs() < 0.02, "{row:?}"),
            time if time > 66.0 => assert!((speed + fallen).abs() < 0.03, "{row:?}"),
            _ => {}
        }
    }
    let last = rows.0.len() - 1;
    let drop = |row: usize| of(&rows.0[row], "solid_0_vy");
    assert!((drop(last) - drop(last - 3)).abs() < 1e-9, "{:?}", rows.0);
    // Cut in any stage it continues to the same bits.
    let mut cut = Run::new(&scene).unwrap();
    while cut.is_over().is_none() {
        cut.advance().unwrap();
        cut.emit_due_output(&mut ()).unwrap();
        cut = Run::resume(&scene, cut.checkpoint()).unwrap();
    }
    assert_eq!(simulation(&uncut).saved_state(), simulation(&cut).saved_state());
}

/// A block that is let fall onto the lower side of the box, with the loads on walls in its log.
const DROPPED: &str = "engine = 'bonded'\ndimension = 2\nuntil = 400\nbox.size = [12, 12]\n\
                       box.boundary = ['open', 'wall']\ngravity.acceleration = [0, -1e-3]\n\
                       observe.wall_loads = true\noutput.log_interval = 100\n\
                       [materials.default]\nyoungs_modulus = 1\nsprings.damping = 0.3\n\
                       [[solids]]\nblock = { low = [3, 0.01], high = [9, 4.01] }\nspacing = 1\n";

fn plane_scene(text: &str, settings: &[&str]) -> Scene<2> {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let scene = AnyScene::parse(text, "a.toml", "".as_ref(), &settings).unwrap();
    let AnyScene::TwoD(scene) = scene else { panic!("it is flat") };
    scene
}

/// The rows of a log.
#[derive(Default)]
struct Rows(Vec<Values>);

impl Sink<2> for Rows {
    fn log(&mut self, row: &Values) -> Result<(), Error> {
        self.0.push(row.clone());
        Ok(())
    }
}

#[test]
fn the_log_has_the_loads_on_walls_of_the_box() {
    let (mut run, mut rows) = (Run::new(&plane_scene(DROPPED, &[])).unwrap(), Rows::default());
    run.run_to_end(&mut rows).unwrap();
    let row = rows.0.last().unwrap();
    let number = |name: &str| row.number(name).unwrap();
    let weight = 24.0 * 1e-3;
    assert!((number("wall_y_low_force_y") / -weight - 1.0).abs() < 0.1, "{row:?}");
    assert!((number("wall_y_low_torque_z") / (-weight * 6.0) - 1.0).abs() < 0.1, "{row:?}");
    assert_eq!((number("wall_y_low_contacts"), number("wall_y_low_power")), (6.0, 0.0));
    assert_eq!(number("wall_y_high_contacts"), 0.0);
    // The sides that are open have none.
    assert_eq!(row.number("wall_x_low_force_x"), None);
    let names: Vec<String> = run.wall_loads().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["wall_y_low", "wall_y_high"]);
    assert_eq!(run.wall_loads()[0].1.force.y, number("wall_y_low_force_y"));
}
