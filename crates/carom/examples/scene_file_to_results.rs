//! Runs a scene file into a folder, and reads log, frames and summary back.

use carom::Results;

const SCENE: &str = "engine = 'dem'\ndimension = 2\nuntil = 1\nstep = 1e-4\nbox.size = 9\n\
    gravity.acceleration = [0, -2]\noutput = { interval = 0.5, log_interval = 0.25 }\n\
    [[bodies]]\nposition = [4, 6]\nradius = 0.5\nmass = 2";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parent = std::env::temp_dir().join(format!("carom-fall-{}", std::process::id()));
    std::fs::create_dir_all(&parent)?;
    let (file, folder) = (parent.join("fall.toml"), parent.join("fall.run"));
    std::fs::write(&file, SCENE)?;
    let outcome = carom::run(&file)?.into_folder(&folder)?;

    let results = Results::open(&folder)?;
    let log = results.log()?;
    let energies = log.column("kinetic_energy").ok_or("the log has no such column")?;
    println!("kinetic energy {energies:?}");
    assert_eq!((log.rows(), results.frame_count()), (5, 3));
    assert!((energies[4] - 4.0).abs() < 1e-6, "half the mass times the square of the speed");
    let heights = [0, 1, 2].map(|number| Ok(results.frame(number)?.positions[0].y));
    let [first, _, last]: [Result<f64, carom::run::Error>; 3] = heights;
    assert!((first? - last? - 1.0).abs() < 1e-6);
    let summary = results.summary()?;
    assert_eq!(summary["ending"], "time");
    assert_eq!(summary["provenance"], outcome.summary["provenance"]);
    Ok(std::fs::remove_dir_all(parent)?)
}
