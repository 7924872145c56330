use super::Run;
use crate::run::{Every, Pace};
use carom_scene::SceneOf;
use carom_scene::scene::Side;

/// What a scene of solids will do, as far as one can tell without running it.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Particles of all solids.
    pub particles: usize,
    /// Springs between them.
    pub springs: u64,
    /// The length of a step.
    pub step: f64,
    /// The longest stable step, and the number of the solid that asks for it.
    pub longest: (f64, usize),
    /// Steps to the end, if none is halved.
    pub steps: f64,
    /// Bytes of particles and springs.
    pub memory: usize,
    /// When rows and frames are due.
    pub pace: Pace,
    /// What may not be meant, in sentences.
    pub warnings: Vec<String>,
    frames: Option<f64>,
}

const MOST_FRAMES: f64 = 1e6;
const MOST_STEPS: f64 = 1e12;

/// A solid that is thinner than this many spacings does not bend or carry waves as its material would.
const THIN: f64 = 3.0;

impl Forecast {
    /// Looks at the start of a run.
    pub fn of<const D: usize>(scene: &SceneOf<D>, run: &Run<D>) -> Self {
        let bodies = run.simulation().bodies();
        let steps = bodies.iter().map(|body| body.longest_step()).zip(0..);
        let longest = steps.min_by(|one, two| one.0.total_cmp(&two.0)).unwrap_or((0.0, 0));
        let (step, pace) = (run.simulation().step(), run.measured.pace);
        let frames = pace.frames.map(|interval| run.until / interval);
        let mut warnings = warnings(scene, run);
        if let Every::Time(interval) = pace.log
            && run.until / interval > 1e7
        {
            let count = run.until / interval;
            warnings.push(format!(
                "about {count:.1e} rows of the log will be written; is output.log_interval meant to be that short?"
            ));
        }
        Forecast {
            particles: bodies.iter().map(|body| body.count()).sum(),
            springs: bodies.iter().map(|body| body.spring_count()).sum(),
            step,
            longest,
            steps: run.until / step,
            memory: bodies.iter().map(|body| body.bytes()).sum(),
            pace,
            warnings,
            frames,
        }
    }

    /// Why the scene had better not be run at all, if there is a reason.
    pub fn refusal(&self) -> Option<String> {
        if self.steps > MOST_STEPS {
            return Some(format!(
                "a step takes {:e}, so that the run has about {:.1e} steps; at most 1e12 are made: take a \
                 longer step, softer or heavier solids, or an earlier end",
                self.step, self.steps
            ));
        }
        if self.steps > 0.0 && self.steps < 1.0 {
            return Some(format!(
                "a step takes {:e}, longer than the whole run: take a later end, or a shorter step",
                self.step
            ));
        }
        let (frames, interval) = (self.frames?, self.pace.frames?);
        (frames > MOST_FRAMES).then(|| {
            format!(
                "output.interval is {interval:?}, which would give about {frames:.1e} frames; at most \
                 1e6 are written: take a longer interval"
            )
        })
    }
}

fn warnings<const D: usize>(scene: &SceneOf<D>, run: &Run<D>) -> Vec<String> {
    let mut warnings = scene.warnings();
    for axis in (0..D).filter(|&axis| scene.gravity[axis] != 0.0) {
        let is_floored = scene.solids.iter().any(|solid| solid.fixed);
        if !matches!(scene.region.sides[axis], Side::Wall { .. }) && !is_floored {
            let name = ["x", "y", "z"][axis];
            warnings
                .push(format!("gravity acts along the open axis {name}: solids fall out of sight"));
        }
    }
    let still = |solid: &carom_scene::scene::Solid<D>| {
        let held = solid.holds.iter().all(|hold| hold.velocity.norm() == 0.0);
        solid.velocity.norm() == 0.0 && solid.spin.norm() == 0.0 && held
    };
    if scene.gravity.norm() == 0.0 && scene.solids.iter().all(still) {
        warnings.push("no solid moves and nothing acts on them: nothing will happen".to_owned());
    }
    for (number, (solid, body)) in scene.solids.iter().zip(run.simulation().bodies()).enumerate() {
        let extent = solid.shape.bounds().size().min() / solid.spacing;
        if extent < THIN {
            warnings.push(format!(
                "solid {number} is only {extent:.1} spacings thick: it will not bend as its material would"
            ));
        }
        let rim = 0.5 * solid.spin.norm() * solid.shape.bounds().size().max();
        let speed = (solid.velocity.norm() + rim) / body.wave_speed();
        if speed > 0.5 {
            warnings.push(format!(
                "solid {number} moves with {speed:.3e} of the speed of its own waves: springs will be crushed before \
                 their neighbours feel it"
            ));
        }
        let pieces = body.fragments().list.len();
        if pieces > 1 {
            warnings.push(format!(
                "solid {number} has {pieces} pieces at the start that no spring joins"
            ));
        }
    }
    warnings
}
