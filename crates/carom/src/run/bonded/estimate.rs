use super::Run;
use crate::run::{OutputInterval, OutputSchedule};
use carom_scene::Scene;
use carom_scene::scene::BoundaryCondition;

/// What a scene of solids will do, as far as can be known without running it.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Number of particles of all solids.
    pub particles: usize,
    /// Number of springs between them.
    pub springs: u64,
    /// Time step.
    pub step: f64,
    /// Longest stable time step, and the number of the solid that requires it.
    pub longest_stable_step: (f64, usize),
    /// Number of time steps to the end, if none is halved.
    pub steps: f64,
    /// Memory of particles and springs, in bytes.
    pub memory: usize,
    /// When rows and frames are due.
    pub output_schedule: OutputSchedule,
    /// Warnings about what may not be intended, in sentences.
    pub warnings: Vec<String>,
    frames: Option<f64>,
}

const MOST_FRAMES: f64 = 1e6;
const MOST_STEPS: f64 = 1e12;

/// A solid that is thinner than this many spacings does not bend or carry waves as its material would.
const THIN: f64 = 3.0;

impl Estimate {
    /// Estimates a run from its start.
    pub fn of<const D: usize>(scene: &Scene<D>, run: &Run<D>) -> Self {
        let bodies = run.simulation().bodies();
        let steps = bodies.iter().map(|body| body.longest_stable_step()).zip(0..);
        let longest_stable_step =
            steps.min_by(|one, two| one.0.total_cmp(&two.0)).unwrap_or((0.0, 0));
        let (step, output_schedule) = (run.simulation().time_step(), run.measured.output_schedule);
        let frames = output_schedule.frames.map(|interval| run.until / interval);
        let mut warnings = warnings(scene, run);
        if let OutputInterval::Time(interval) = output_schedule.log
            && run.until / interval > 1e7
        {
            let count = run.until / interval;
            warnings.push(format!(
                "about {count:.1e} rows of the log will be written; is output.log_interval meant to be that short?"
            ));
        }
        Estimate {
            particles: bodies.iter().map(|body| body.particle_count()).sum(),
            springs: bodies.iter().map(|body| body.spring_count()).sum(),
            step,
            longest_stable_step,
            steps: run.until / step,
            memory: bodies.iter().map(|body| body.bytes()).sum(),
            output_schedule,
            warnings,
            frames,
        }
    }

    /// The reason why the scene should not be run, if there is one.
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
        let (frames, interval) = (self.frames?, self.output_schedule.frames?);
        (frames > MOST_FRAMES).then(|| {
            format!(
                "output.interval is {interval:?}, which would give about {frames:.1e} frames; at most \
                 1e6 are written: take a longer interval"
            )
        })
    }
}

fn warnings<const D: usize>(scene: &Scene<D>, run: &Run<D>) -> Vec<String> {
    let mut warnings = scene.warnings();
    for axis in (0..D).filter(|&axis| scene.gravity[axis] != 0.0) {
        let is_floored = scene.solids.iter().any(|solid| solid.fixed);
        if !matches!(scene.region.boundary_conditions[axis], BoundaryCondition::Wall { .. })
            && !is_floored
        {
            let name = ["x", "y", "z"][axis];
            warnings
                .push(format!("gravity acts along the open axis {name}: solids fall out of sight"));
        }
    }
    let still = |solid: &carom_scene::scene::Solid<D>| {
        let held = solid.velocity_constraints.iter().all(|hold| hold.velocity.norm() == 0.0);
        solid.velocity.norm() == 0.0 && solid.angular_velocity.norm() == 0.0 && held
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
        let rim = 0.5 * solid.angular_velocity.norm() * solid.shape.bounds().size().max();
        let speed = (solid.velocity.norm() + rim) / body.wave_speed();
        if speed > 0.5 {
            warnings.push(format!(
                "solid {number} moves with {speed:.3e} of the speed of its own waves: springs will be crushed before \
                 their neighbors feel it"
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
