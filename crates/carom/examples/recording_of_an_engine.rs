//! Records an engine that is built in code, cuts the recording, and continues it in another simulation to the same bytes.

use carom::io::{LogTable, recorded_frames};
use carom::run::{Error, Recording, RecordingSettings};
use carom::simulate::dem::{Body, CompositeLaw, Settings, Simulation};
use carom::simulate::observe::{MeanSquareDisplacement, Observable};

fn grains() -> Result<Simulation<2>, carom::simulate::Error> {
    let grain = |x| Body { velocity: [1.0 - x, 0.0].into(), ..Body::at_rest([x, 0.0], 0.5, 1.0) };
    let bodies = [0.0, 1.5, 3.0].map(grain);
    Simulation::new(&bodies, Settings::with_law(CompositeLaw::spring(1e4)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parent = std::env::temp_dir().join(format!("carom-grains-{}", std::process::id()));
    let settings = || RecordingSettings::log_every(0.125).frames_every(0.5);
    let moved =
        || -> Vec<Box<dyn Observable<2>>> { vec![Box::new(MeanSquareDisplacement::default())] };
    let record = |name: &str, is_cut: bool| -> Result<String, Error> {
        let (folder, mut engine) = (parent.join(name), grains()?);
        let mut recording = Recording::begin(settings(), &folder, &engine, moved())?;
        recording.advance(&mut engine, 1.0)?;
        recording.write_checkpoint(&engine)?;
        if is_cut {
            drop(recording);
            engine = grains()?;
            recording = Recording::resume(settings(), &folder, &mut engine, moved())?;
        }
        recording.advance(&mut engine, 2.0)?;
        Ok(recording.finish(&engine)?["provenance"]["final_state"].to_string())
    };
    assert_eq!(record("cut", true)?, record("whole", false)?);
    let log = |name: &str| std::fs::read(parent.join(name).join("log.csv"));
    assert_eq!(log("cut")?, log("whole")?);
    assert_eq!(LogTable::read(&parent.join("cut"))?.rows(), 17);
    assert_eq!(recorded_frames(&parent.join("cut"))?.len(), 5);
    Ok(std::fs::remove_dir_all(parent)?)
}
