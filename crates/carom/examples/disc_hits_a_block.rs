//! Throws a disc of springs at a block (bonded particles) and counts the springs that break.

use carom::run::SceneRun;

const SCENE: &str = r#"
engine = "bonded"
dimension = 2
until = 4.0
[box]
size = [10, 10]
boundary = "open"
[materials.glass]
density = 1.0
youngs_modulus = 100.0
springs = { break_stretch = 0.01 }
[[solids]]
material = "glass"
circle = { center = [2, 5], radius = 1 }
spacing = 0.2
velocity = [4, 0]
[[solids]]
material = "glass"
block = { low = [3.2, 3], high = [5, 7] }
spacing = 0.2
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let outcome = SceneRun::parse(SCENE)?.run()?;
    let broken = &outcome.summary["broken_springs"];
    println!("{broken} springs broke");
    assert!(broken.as_u64() > Some(0));
    Ok(())
}
