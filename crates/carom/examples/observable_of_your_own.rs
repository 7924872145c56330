//! The greatest height that any grain has reached, as a column of the log and in the means of the summary.

use carom::run::SceneRun;
use carom::simulate::Value;
use carom::simulate::observe::{Observable, Sample};

struct Peak(f64);

impl Observable<2> for Peak {
    fn name(&self) -> &str {
        "peak"
    }
    fn columns(&self) -> Vec<String> {
        vec!["peak".to_owned()]
    }
    fn sample(&mut self, sample: &Sample<2>) -> Vec<Value> {
        let heights = sample.state().positions.iter().map(|position| position.y);
        self.0 = heights.fold(self.0, f64::max);
        vec![self.0.into()]
    }
    fn save(&self) -> Vec<f64> {
        vec![self.0]
    }
    fn restore(&mut self, saved: &[f64]) -> Result<(), String> {
        self.0 = *saved.first().ok_or("the peak is missing")?;
        Ok(())
    }
}

const SCENE: &str = "engine = 'dem'\ndimension = 2\nuntil = 1.0\nbox.size = 9\ngravity.acceleration = [0, -4]\n\
    [[bodies]]\nposition = [3, 2]\nvelocity = [0, 2]\nradius = 0.5";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let outcome = SceneRun::parse(SCENE)?.observe(Peak(0.0))?.run()?;
    let peak = &outcome.summary["means"]["peak"];
    // It turns back half a length above its start, after half of the time.
    assert!((2.2..2.5).contains(&peak["mean"].as_f64().unwrap_or_default()), "{peak}");
    Ok(())
}
