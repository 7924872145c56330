//! A fluid is compressed, equilibrated and measured in one run, with means and errors of each stage.

use carom::run::SceneRun;

const SCENE: &str = "
engine = 'event-driven'
dimension = 2
[[generate]]
kind = 'random'
count = 100
radius = 0.5
packing_fraction = 0.2
temperature = 1.0
[[stages]]
name = 'grow'
growth = { rate = 0.5, until_packing_fraction = 0.4 }
[[stages]]
name = 'equilibrate'
collisions = 5000
[[stages]]
name = 'measure'
duration = 40
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let outcome = SceneRun::parse(SCENE)?.run()?;
    let pressure = &outcome.summary["stages"][2]["means"]["reduced_pressure"];
    println!("PV/NkT = {} with the error {}", pressure["mean"], pressure["error"]);
    let [mean, error] = ["mean", "error"].map(|key| pressure[key].as_f64().unwrap_or(f64::NAN));
    // Henderson's equation of state of hard discs.
    let theory = (1.0 + 0.4 * 0.4 / 8.0) / (0.6_f64 * 0.6);
    assert!((mean - theory).abs() < 4.0 * error + 0.02 * theory);
    Ok(())
}
