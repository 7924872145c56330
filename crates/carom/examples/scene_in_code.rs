//! Builds scenes in a program, without a file, and runs them with several coefficients of restitution.

use carom::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut energies = Vec::new();
    for restitution in [0.9, 0.6, 0.3] {
        let mut scene = SceneBuilder::new("dem", 2)
            .set("until", 3.0)
            .set("box.size", [9.0, 9.0])
            .set("box.boundary", "wall")
            .set("gravity.acceleration", [0.0, -5.0])
            .set("materials.default.restitution", restitution);
        for k in 0..20 {
            let place = [1.0 + f64::from(k % 5) * 1.7, 2.0 + f64::from(k / 5) * 1.6];
            scene =
                scene.push("bodies", SceneTable::new().set("position", place).set("radius", 0.5));
        }
        let outcome = SceneRun::of(scene.build()?).run()?;
        let energy = outcome.summary["kinetic_energy"].as_f64().unwrap_or_default();
        println!("restitution {restitution}: kinetic energy {energy:.2e}");
        energies.push(energy);
    }
    assert!(energies[0] > energies[2], "{energies:?}");
    Ok(())
}
