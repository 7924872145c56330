//! Grains fall on a plate, which bears their weight, or past it through an outlet, where they are counted.

use carom::run::Run;
use carom::scene::AnyScene;

const SCENE: &str = "
engine = 'dem'
dimension = 2
until = 4
box = { size = 9, boundary = 'wall' }
gravity.acceleration = [0, -2]
observe.wall_loads = true
materials.default = { stiffness = 1e4, restitution = 0.3 }
walls = [{ name = 'plate', kind = 'line', points = [[1, 3], [5, 3]] }]
outlets = [{ name = 'drain', point = [0, 1], normal = [0, -1] }]
bodies = [
    { position = [2, 4], radius = 0.5, mass = 1 },
    { position = [4, 4], radius = 0.5, mass = 2 },
    { position = [7, 4], radius = 0.5, mass = 4 },
]
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let AnyScene::TwoD(scene) = AnyScene::parse(SCENE, "plate.toml", "".as_ref(), &[])? else {
        return Err("the scene is of the plane".into());
    };
    let mut run = Run::new(&scene)?;
    run.run_to_end(&mut ())?;
    let loads = run.wall_loads();
    let (_, plate) = loads.iter().find(|(name, _)| name == "wall_plate").ok_or("no plate")?;
    println!("the plate bears {:?}", plate.force.as_slice());
    assert!((plate.force.y + 6.0).abs() < 1e-3 && plate.contacts == 2);
    assert_eq!(run.quantities().number("outlet_drain"), Some(1.0));
    assert_eq!(run.engine().state().ids, [0, 1]);
    Ok(())
}
