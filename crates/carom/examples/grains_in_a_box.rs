//! Lets grains fall into a box (DEM) and prints where their energy went.

use carom::run::SceneRun;

const SCENE: &str = r#"
engine = "dem"
dimension = 2
until = 2.0
[box]
size = [10, 12]
boundary = "wall"
[gravity]
acceleration = [0, -9.81]
[materials.default]
density = 1.0
stiffness = 1e5
restitution = 0.4
friction = 0.5
[[generate]]
kind = "random"
count = 40
radius = 0.4
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let outcome = SceneRun::parse(SCENE)?.run()?;
    let summary = &outcome.summary;
    println!("friction took {}, damping {}", summary["friction_loss"], summary["damping_loss"]);
    assert!(summary["friction_loss"].as_f64() > Some(0.0));
    Ok(())
}
