//! Settles grains in one run, then tilts the box in another that continues from its end, with contact history.

use carom::Results;
use carom::run::SceneRun;

const FILL: &str = "engine = 'dem'\ndimension = 2\nuntil = 3\nbox = { size = 6, boundary = 'wall' }\n\
    gravity.acceleration = [0, -4]\nmaterials.default = { stiffness = 1e4, friction = 0.6, restitution = 0.2 }\n\
    output.picture = false\n[[generate]]\nkind = 'random'\ncount = 40\nradius = 0.3";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let parent = std::env::temp_dir().join(format!("carom-tilt-{}", std::process::id()));
    std::fs::create_dir_all(&parent)?;
    let (fill, tilt) = (parent.join("fill.run"), parent.join("tilt.toml"));
    let filled = SceneRun::parse(FILL)?.into_folder(&fill)?;
    // What `carom run tilt.toml --from fill.run` does: the bodies of the scene are those of the run.
    let scene = FILL.replace("[0, -4]", "[3, -3]").replace("until = 3", "until = 1");
    let (keys, _) = scene.split_once("[[generate]]").ok_or("the scene generates no bodies")?;
    std::fs::write(&tilt, format!("{keys}[[bodies]]\nfile = 'fill.run'\n"))?;
    let tilted = carom::run(&tilt)?.into_folder(parent.join("tilt.run"))?;

    let last = Results::open(&fill)?;
    let last = last.frame(last.frame_count() - 1)?;
    let results = Results::open(parent.join("tilt.run"))?;
    assert_eq!(results.frame(0)?.positions, last.positions);
    let center = |outcome: &carom::run::RunOutcome| outcome.summary["center_x"].as_f64();
    println!("the center moves from {:?} to {:?}", center(&filled), center(&tilted));
    assert!(center(&tilted) > center(&filled).map(|center| center + 0.1));
    Ok(std::fs::remove_dir_all(parent)?)
}
