//! Lets grains fall into a box (DEM) and prints where their energy went.

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
    let folder = std::env::temp_dir().join(format!("carom-{}", std::process::id()));
    std::fs::create_dir(&folder)?;
    let path = folder.join("scene.toml");
    std::fs::write(&path, SCENE)?;
    let outcome = carom::run(&path)?.into_folder(folder.join("scene.run"))?;
    std::fs::remove_dir_all(&folder)?;
    let energy = &outcome.summary["energy"];
    println!("friction took {}, damping {}", energy["friction_loss"], energy["damping_loss"]);
    assert!(energy["friction_loss"].as_f64() > Some(0.0));
    Ok(())
}
