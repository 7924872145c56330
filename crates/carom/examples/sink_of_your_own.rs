//! A run whose log and frames go to a type of one's own, which stops it early.

use carom::io::Frame;
use carom::run::{Control, Ending, Error, RunProgress, Sink};
use carom::scene::AnyScene;
use carom::simulate::Values;

#[derive(Default)]
struct Flight {
    speeds: Vec<f64>,
    heights: Vec<f64>,
}

impl Sink<2> for Flight {
    fn log(&mut self, row: &Values) -> Result<(), Error> {
        self.speeds.extend(row.number("kinetic_energy").map(|energy| (2.0 * energy).sqrt()));
        Ok(())
    }
    fn frame(&mut self, frame: &dyn Fn() -> Frame<2>) -> Result<(), Error> {
        self.heights.push(frame().positions[0].y);
        Ok(())
    }
    fn progress(&mut self, progress: &RunProgress) -> Control {
        if progress.time >= 1.0 { Control::Stop } else { Control::Continue }
    }
}

const SCENE: &str = "engine = 'dem'\ndimension = 2\nuntil = 10\nstep = 1e-4\nbox.size = 9\ngravity.acceleration = [0, -2]\n\
    output = { interval = 0.5, log_interval = 0.25 }\n[[bodies]]\nposition = [4, 6]\nradius = 0.5\nmass = 1";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let AnyScene::TwoD(scene) = AnyScene::parse(SCENE, "fall.toml", "".as_ref(), &[])? else {
        return Err("the scene is of the plane".into());
    };
    let mut flight = Flight::default();
    assert_eq!(carom::run::run(&scene, &mut flight)?, Ending::Stopped);
    assert!((flight.speeds[4] - 2.0).abs() < 1e-6 && (flight.heights[2] - 5.0).abs() < 1e-6);
    Ok(())
}
