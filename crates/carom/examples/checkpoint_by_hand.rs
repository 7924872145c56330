//! Saves a checkpoint of a run in the middle, reads it back, and continues from it to the same bits.

use carom::io::Checkpoint;
use carom::run::Run;
use carom::scene::AnyScene;

const SCENE: &str = "engine = 'event-driven'\ndimension = 2\nuntil = 4\n\
    [[generate]]\nkind = 'random'\ncount = 100\nradius = 0.5\npacking_fraction = 0.3\ntemperature = 1";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let AnyScene::TwoD(scene) = AnyScene::parse(SCENE, "fluid.toml", "".as_ref(), &[])? else {
        return Err("the scene is of the plane".into());
    };
    let mut whole = Run::new(&scene)?;
    while whole.engine().time() < 2.0 {
        whole.emit_due_output(&mut ())?;
        whole.advance()?;
    }
    let half = whole.engine().time();
    let file = std::env::temp_dir().join(format!("carom-half-{}.bin", std::process::id()));
    whole.checkpoint().write(&file)?;
    whole.run_to_end(&mut ())?;

    let checkpoint = Checkpoint::read(&file)?;
    std::fs::remove_file(&file)?;
    println!("{:?}", checkpoint.names().collect::<Vec<_>>());
    // The arrays can be read by their names, too.
    let positions = checkpoint.f64s("positions").map(<[f64]>::len);
    assert_eq!((checkpoint.arrays.engine.as_str(), positions), ("event-driven", Some(200)));
    let mut resumed = Run::resume(&scene, checkpoint)?;
    assert_eq!(resumed.engine().time(), half);
    resumed.run_to_end(&mut ())?;
    assert_eq!(resumed.state_digest(), whole.state_digest());
    assert_eq!(resumed.engine().state(), whole.engine().state());
    Ok(())
}
