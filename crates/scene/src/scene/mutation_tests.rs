//! Valid scenes with random bytes changed must never panic, and every error must stay on one line.

use super::{AnyScene, SceneOutline};
use crate::Error;
use proptest::prelude::*;
use std::path::Path;

const SCENE: &str = r#"# Everything at once.
engine = "event-driven"
dimension = 2
seed = 3
until = 10.0
collisions = 1e3
[box]
size = [12, 10]
boundary = ["periodic", "wall"]
wall_restitution = 0.9
[gravity]
acceleration = [0, -1]
[field]
period = 0.01
trap = { stiffness = 1.0, center = [5, 5] }
[materials.glass]
density = 2.5
restitution = { at_speed = 0.8, speed = 1.0 }
[[bodies]]
position = [1, 2]
radius = 0.5
material = "glass"
[[generate]]
kind = "random"
count = 9
radius = { values = [0.2, 0.1], weights = [1, 2] }
temperature = 1.0
region = { low = [0, 0], high = [6, 10] }
[[generate]]
kind = "lattice"
count = 7
radius = 0.1
region = { low = [6, 5], high = [9, 9] }
[growth]
rate = 0.01
until_packing_fraction = 0.2
[thermostat]
kind = "rescale"
temperature = 1.0
interval = 1.0
[neighbors]
method = "auto"
[observe]
radial_distribution = { to = 3.0, bins = 15 }
[output]
formats = ["vtk"]
checkpoint_interval = "60s"
"#;

const SHAPES: &str = r#"engine = "dem"
dimension = 3
until = 10.0
[box]
size = [12, 10, 10]
boundary = ["periodic", "wall", "open"]
[materials.glass]
density = 2.5
[shapes.die]
solid = "cube"
radius = 0.5
rounding = 0.01
[shapes.brick]
box = [1, 0.5, 0.2]
[shapes.round]
faces = 40
semi_axes = [0.5, 0.4, 0.3]
[shapes.wedge]
points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
[shapes.clump]
spheres = [[0, 0, 0, 0.3], [0.4, 0, 0, 0.2]]
[[bodies]]
position = [1, 2, 3]
shape = "die"
orientation = [0.6, 0, 0.8, 0]
angular_velocity = [1, 0, 2]
material = "glass"
[[bodies]]
position = [5, 5, 5]
shape = "clump"
[[generate]]
kind = "random"
count = 9
shape = "wedge"
region = { low = [6, 5, 0], high = [11, 9, 9] }
[[generate]]
kind = "lattice"
count = 2
shape = "brick"
turned = false
region = { low = [0, 6, 0], high = [5, 9, 9] }
"#;

const SOLIDS: &str = r#"engine = "bonded"
dimension = 2
until = 10.0
step = 1e-3
[box]
size = [12, 10]
boundary = ["open", "wall"]
[materials.glass]
density = 2.5
friction = 0.1
poissons_ratio = 0.2
springs = { stiffness = 3, compression_ratio = 2, damping = 0.1, yield_stretch = 0.1, break_stretch = 0.2 }
[materials.shell]
youngs_modulus = 2
springs = { rigid_brittle = true, break_force = 1 }
[[solids]]
material = "glass"
polygon = [[1, 1], [5, 1], [5, 5], [3, 2], [1, 5]]
holes = [{ circle = { center = [2, 2], radius = 0.5 } }, { block = { low = [4, 1], high = [5, 2] } }]
lattice = "triangular"
spacing = 0.1
turn = 20
velocity = [1, 0]
angular_velocity = 0.5
cracks = [{ from = [1, 3], to = [2, 3] }]
hold = [{ block = { low = [1, 1], high = [2, 2] }, velocity = [0, 1] }]
[[solids]]
material = "shell"
circle = { center = [9, 5], radius = 2 }
spacing = 0.2
fixed = true
[output]
color = "fragment"
"#;

/// Changes, insertions and removals at random places.
fn mutated(original: &'static str) -> impl Strategy<Value = String> {
    let telling = prop::sample::select("=[]{}\"\n\r #.-e0192,'\0é".chars().collect::<Vec<_>>());
    let letter = prop_oneof![any::<char>(), telling];
    let change = (0usize..3, any::<prop::sample::Index>(), letter);
    prop::collection::vec(change, 1..6).prop_map(move |changes| {
        let mut letters: Vec<char> = original.chars().collect();
        for (kind, index, letter) in changes {
            let at = index.index(letters.len());
            match kind {
                0 => letters[at] = letter,
                1 => letters.insert(at, letter),
                _ => drop(letters.remove(at)),
            }
        }
        letters.into_iter().collect()
    })
}

fn parse(text: &str, settings: &[String]) -> Result<Option<AnyScene>, Error> {
    let outline = SceneOutline::parse(text, "file", Path::new(""), settings)?;
    if outline.body_count() > 2000 { Ok(None) } else { outline.expand().map(Some) }
}

fn check(text: &str, settings: &[String]) -> Result<(), TestCaseError> {
    match parse(text, settings) {
        Err(error) => {
            let each: Vec<String> = match &error {
                Error::SceneProblems { problems, .. } => {
                    prop_assert!((2..=20).contains(&problems.len()));
                    problems.iter().map(Error::to_string).collect()
                }
                one => vec![one.to_string()],
            };
            for text in each {
                prop_assert!(text.starts_with("file") || text.starts_with("--set"), "{}", text);
                prop_assert!(!text.contains(char::is_control), "{:?}", text);
            }
        }
        Ok(Some(scene)) => {
            let again = AnyScene::parse(scene.to_toml(), "again", Path::new(""), &[]);
            prop_assert_eq!(&again.expect("what ran runs again"), &scene);
        }
        Ok(None) => {}
    }
    Ok(())
}

#[test]
fn the_original_is_valid() {
    assert_eq!(parse(SCENE, &[]).unwrap().unwrap().body_count(), 17);
    assert_eq!(parse(SHAPES, &[]).unwrap().unwrap().body_count(), 13);
    assert_eq!(parse(SOLIDS, &[]).unwrap().unwrap().body_count(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn a_damaged_scene_gives_bodies_or_one_line(text in mutated(SCENE)) {
        check(&text, &[])?;
    }

    #[test]
    fn a_damaged_scene_with_shapes_gives_bodies_or_one_line(text in mutated(SHAPES)) {
        check(&text, &[])?;
    }

    #[test]
    fn a_damaged_scene_with_solids_gives_bodies_or_one_line(text in mutated(SOLIDS)) {
        check(&text, &[])?;
    }

    #[test]
    fn solids_with_random_numbers_give_bodies_or_one_line(
        key in prop::sample::select(vec![
            "box.size", "materials.glass.springs.damping", "materials.glass.springs.break_stretch",
            "solids.0.polygon", "solids.0.holes.0.circle.center", "solids.0.holes.0.circle.radius",
            "solids.0.holes.1.block.low", "solids.0.spacing", "solids.0.turn", "solids.0.angular_velocity",
            "solids.0.cracks.0.from", "solids.0.hold.0.block.high", "solids.1.circle.radius",
        ]),
        value in prop_oneof![
            any::<f64>().prop_map(|number| format!("{number:e}")),
            (any::<f64>(), any::<f64>()).prop_map(|(a, b)| format!("[{a:e}, {b:e}]")),
            (0.0..12.0, 0.0..10.0).prop_map(|(a, b)| format!("[{a}, {b}]")),
            prop::collection::vec((0u8..12, 0u8..10), 0..8)
                .prop_map(|corners| format!("{corners:?}").replace('(', "[").replace(')', "]")),
            ".{0,12}",
        ],
    ) {
        check(SOLIDS, &[format!("{key}={value}")])?;
    }

    #[test]
    fn shapes_with_random_numbers_give_bodies_or_one_line(
        key in prop::sample::select(vec![
            "shapes.die.radius", "shapes.die.rounding", "shapes.brick.box", "shapes.round.faces",
            "shapes.round.semi_axes", "shapes.wedge.points", "shapes.clump.spheres",
            "bodies.0.orientation", "bodies.0.angular_velocity", "bodies.0.shape", "generate.0.shape",
        ]),
        value in prop_oneof![
            any::<f64>().prop_map(|number| format!("{number:e}")),
            (0i64..300).prop_map(|number| number.to_string()),
            prop::array::uniform3(any::<f64>()).prop_map(|[a, b, c]| format!("[{a:e}, {b:e}, {c:e}]")),
            prop::array::uniform3(any::<f64>())
                .prop_map(|[a, b, c]| format!("[[{a:e}, {b:e}, {c:e}, 1], [1, 2, 3, {a:e}]]")),
            prop::array::uniform12(any::<f64>()).prop_map(|x| {
                format!("[[{:e}, {:e}, {:e}], [{:e}, {:e}, {:e}], [{:e}, {:e}, {:e}], [{:e}, {:e}, {:e}]]",
                    x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8], x[9], x[10], x[11])
            }),
            ".{0,12}",
        ],
    ) {
        check(SHAPES, &[format!("{key}={value}")])?;
    }

    #[test]
    fn random_settings_give_bodies_or_one_line(key in "[a-z0-9.]{0,12}", value in ".{0,12}") {
        check(SCENE, &[format!("{key}={value}")])?;
    }

    #[test]
    fn known_keys_with_random_values_give_bodies_or_one_line(
        key in prop::sample::select(vec![
            "seed", "until", "box.size", "box.boundary.0", "bodies.0.radius", "bodies.0.position",
            "generate.0.radius", "generate.1.count", "generate.1.region.low", "growth.rate",
            "materials.glass.restitution", "observe.radial_distribution.to", "output",
        ]),
        value in prop_oneof![
            any::<f64>().prop_map(|number| format!("{number:e}")),
            any::<i64>().prop_map(|number| number.to_string()),
            (any::<f64>(), any::<f64>()).prop_map(|(a, b)| format!("[{a:e}, {b:e}]")),
            (0.0..20.0, 0.0..20.0).prop_map(|(a, b)| format!("[{a}, {b}]")),
            ".{0,12}",
        ],
    ) {
        check(SCENE, &[format!("{key}={value}")])?;
    }
}
