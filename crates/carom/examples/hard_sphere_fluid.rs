//! Runs a fluid of hard spheres by events and prints its pressure.

use carom::run::SceneRun;

const SCENE: &str = r#"
engine = "event-driven"
dimension = 3
collisions = 20_000
[[generate]]
kind = "lattice"
count = 500
radius = 0.5
packing_fraction = 0.3
temperature = 1.0
"#;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let outcome = SceneRun::parse(SCENE)?.run()?;
    let pressure = outcome.summary["pressure"].as_f64().unwrap_or_default();
    println!("pressure {pressure} (Carnahan and Starling: 2.277)");
    assert!((pressure / 2.277 - 1.0).abs() < 0.05);
    Ok(())
}
