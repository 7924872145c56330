//! A run with a contact law of your own that is stopped in its folder, and continued there.

use carom::run::{Control, Ending, ExistingResults, FolderRun, Run, RunFolder};
use carom::scene::scene::{AnyScene, Material};
use carom::simulate::dem::CompositeLaw;
use std::time::Duration;

/// The law of the scene without friction.
fn smooth(_: [&Material; 2], law: CompositeLaw) -> CompositeLaw {
    CompositeLaw { friction_coefficient: 0.0, ..law }
}

const SCENE: &str = "engine = 'dem'\ndimension = 2\nuntil = 5.0\nbox = { size = 9, boundary = 'wall' }\n\
    gravity.acceleration = [0, -4]\nmaterials.default.friction = 0.5\n\
    [[bodies]]\nposition = [3, 2]\nvelocity = [1, 0]\nradius = 0.5";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let AnyScene::TwoD(scene) = AnyScene::parse(SCENE, "slide.toml", "".as_ref(), &[])? else {
        return Err("the scene is of the plane".into());
    };
    let parent = std::env::temp_dir().join(format!("carom-two-parts-{}", std::process::id()));
    let (folder, source) = (RunFolder::new(parent.join("slide.run")), "slide.toml".as_ref());
    let begin = |scene: &_| Run::with_contact_law(scene, smooth);
    let start = FolderRun::begin_by(&scene, source, &folder, ExistingResults::Keep, begin)?;
    let (mut run, results) = start.into_results(Duration::ZERO)?;
    let stop = |part| if part > 0.5 { Control::Stop } else { Control::Continue };
    let mut results = results.watched_by(|progress| stop(progress.part));
    assert_eq!(run.run_to_end(&mut results)?, Ending::Stopped);
    drop(results);

    let resume = |scene: &_, checkpoint| Run::resume_with_contact_law(scene, checkpoint, smooth);
    let (mut run, mut results) =
        FolderRun::resume_by(&scene, &folder, None, resume)?.into_results(Duration::ZERO)?;
    assert_eq!(run.run_to_end(&mut results)?, Ending::Time);
    println!("it slides and does not roll: {:?}", run.engine().state().angular_velocities[0]);
    Ok(std::fs::remove_dir_all(parent)?)
}
