//! What a checkpoint has of a run beside its engine: rows, frames, observables, means and stages.

use super::{ColumnMeans, OutputOrigin, Run, check_is_dem};
use crate::run::dem::{DemRun, SceneLaw};
use crate::run::engine_run::{self, EngineRun, StageStart};
use crate::run::resumable::{OBSERVABLE, put_observables, take_named, unfit, unfit_state};
use crate::run::{Error, OutputInterval, OutputSchedule, Provenance};
use carom_io::{Checkpoint, CheckpointProblem, digest};
use carom_scene::Scene;
use carom_scene::scene::Material;
use carom_simulate::dem::{CompositeLaw, ContactLaw};
use carom_simulate::observe::BlockAverage;

/// What the names of sections of a checkpoint begin with that means of columns have.
const MEAN: &str = "mean.";
/// The same for means of stages that have ended, followed by the number of the stage and a dot.
const STAGE_MEAN: &str = "stage_mean.";

impl<const D: usize> Run<D> {
    /// Continues from a checkpoint of the same scene; only the end, the neighbor structure and the output formats may
    /// differ.
    pub fn resume(scene: &Scene<D>, checkpoint: Checkpoint) -> Result<Self, Error> {
        Run::resume_by(scene, checkpoint, engine_run::resume)
    }

    /// Continues a run that has a contact law of your own from a checkpoint, under the same law.
    pub fn resume_with_contact_law<L: ContactLaw>(
        scene: &Scene<D>,
        checkpoint: Checkpoint,
        law: impl Fn([&Material; 2], CompositeLaw) -> L + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        check_is_dem(scene)?;
        Run::resume_by(scene, checkpoint, |scene, starts, checkpoint| {
            Ok(Box::new(DemRun::resume(scene, starts, checkpoint, SceneLaw::own(law))?))
        })
    }

    fn resume_by(
        scene: &Scene<D>,
        mut checkpoint: Checkpoint,
        resume_engine: impl FnOnce(
            &Scene<D>,
            &[StageStart],
            &mut Checkpoint,
        ) -> Result<Box<dyn EngineRun<D>>, Error>,
    ) -> Result<Self, Error> {
        let run = Run::take_from(&mut checkpoint, scene, resume_engine)?;
        check_end(&checkpoint, scene, run.engine.as_ref())?;
        Ok(run)
    }

    /// Takes the run out of a checkpoint, which may be beyond the end of the scene.
    pub(in crate::run) fn take_from(
        checkpoint: &mut Checkpoint,
        scene: &Scene<D>,
        resume_engine: impl FnOnce(
            &Scene<D>,
            &[StageStart],
            &mut Checkpoint,
        ) -> Result<Box<dyn EngineRun<D>>, Error>,
    ) -> Result<Self, Error> {
        checkpoint.expect(scene.engine.name(), D, scene.fingerprint())?;
        let starts = take_stage_starts(checkpoint, scene)?;
        let schedule = take_schedule(checkpoint, scene)?;
        let whole = scene;
        let in_stage =
            (!scene.stages.is_empty()).then(|| scene.in_stage(starts.len().saturating_sub(1)));
        let scene = in_stage.as_ref().unwrap_or(scene);
        let engine = resume_engine(scene, &starts, checkpoint)?;
        let mut run = Run::with_schedule(scene, engine, schedule);
        run.stage_starts = starts;
        run.provenance = Provenance::of(whole);
        let origin = OutputOrigin::take_from(&mut checkpoint.arrays);
        run.origin = origin.map_err(|error| unfit_state(checkpoint, error))?;
        let [rows, last_count, has_row] = checkpoint.take_u64("row_counts", 3)?[..] else {
            unreachable!("three numbers were taken")
        };
        run.rows = rows;
        let time = checkpoint.take_f64("last_row", 1)?[0];
        run.last_row = (has_row != 0).then_some((time, last_count));
        let frames = checkpoint.count("frame_times").unwrap_or(0);
        run.frame_times = checkpoint.take_f64("frame_times", frames)?;
        let of_observables = take_named(&mut checkpoint.arrays, OBSERVABLE);
        for (name, saved) in of_observables.map_err(|error| unfit_state(checkpoint, error))? {
            match run.observables.iter_mut().find(|observable| observable.name() == name) {
                Some(observable) => {
                    observable.restore(&saved).map_err(|reason| unfit(checkpoint, reason))?;
                }
                None => run.unclaimed.push((name, saved)),
            }
        }
        run.means = take_means(checkpoint, MEAN)?;
        for number in 1..run.stage_starts.len() {
            let start = format!("{STAGE_MEAN}{}.", number - 1);
            run.ended_stages.push(take_means(checkpoint, &start)?);
        }
        let now = run.engine().time();
        let is_consistent = run.origin.row <= run.rows
            && run.origin.frame <= run.frame_times.len() as u64
            && (run.rows > 0 || run.last_row.is_none())
            && run.stage_starts.iter().all(|start| start.time <= now)
            && run.origin.time <= now;
        match is_consistent {
            true => Ok(run),
            false => {
                Err(unfit(checkpoint, "its numbers of rows and frames are invalid".to_owned()))
            }
        }
    }

    /// Everything that is needed to continue later.
    pub fn checkpoint(&self) -> Checkpoint {
        let mut checkpoint =
            Checkpoint::new(self.engine.engine().name(), D, self.provenance.inputs);
        self.engine.save(&mut checkpoint);
        let (interval, collisions) = match self.schedule.log {
            OutputInterval::Time(interval) => (interval, 0),
            OutputInterval::Collisions(count) => (0.0, count),
        };
        checkpoint.put_f64("intervals", [interval, self.schedule.frames.unwrap_or(0.0)]);
        checkpoint.put_u64("collisions_per_row", [collisions]);
        let (time, count) = self.last_row.unwrap_or_default();
        checkpoint.put_u64("row_counts", [self.rows, count, u64::from(self.last_row.is_some())]);
        checkpoint.put_f64("last_row", [time]);
        checkpoint.put_f64("frame_times", self.frame_times.clone());
        put_observables(&mut checkpoint.arrays, &self.observables);
        // Those of a program that has not added them yet are not lost.
        for (name, saved) in &self.unclaimed {
            checkpoint.put_f64(&format!("{OBSERVABLE}{name}"), saved.clone());
        }
        for (name, mean) in &self.means {
            checkpoint.put_f64(&format!("{MEAN}{name}"), mean.save());
        }
        for (number, means) in self.ended_stages.iter().enumerate() {
            for (name, mean) in means {
                checkpoint.put_f64(&format!("{STAGE_MEAN}{number}.{name}"), mean.save());
            }
        }
        self.origin.put_into(&mut checkpoint.arrays);
        self.save_stage_starts(&mut checkpoint);
        checkpoint
    }

    /// A digest of everything that the rest of the simulation depends on, in sixteen hexadecimal digits, which
    /// `summary.json` has as `final_state`.
    ///
    /// It is that of the arrays that a checkpoint has of the engine and of stages. What is logged and measured does not
    /// count, nor do the end of the scene and the number of threads.
    ///
    /// ```
    /// use carom::run::Run;
    /// use carom::scene::scene::AnyScene;
    /// use carom::simulate::{BodyChange, BodyProperty};
    /// let text = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 9\n\
    ///             [[bodies]]\nposition = [4, 4]\nradius = 0.5";
    /// let AnyScene::TwoD(scene) = AnyScene::parse(text, "one.toml", "".as_ref(), &[])? else { panic!() };
    /// let mut run = Run::new(&scene)?;
    /// let before = run.state_digest();
    /// let to = BodyProperty::AngularVelocity([0.0, 0.0, 1.0].into());
    /// run.engine_mut().apply(&[BodyChange { body: 0, to }])?;
    /// assert_ne!(run.state_digest(), before);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn state_digest(&self) -> String {
        let mut state = Checkpoint::new(self.engine.engine().name(), D, 0);
        self.engine.save(&mut state);
        self.save_stage_starts(&mut state);
        format!("{:016x}", digest(&state.encode()))
    }

    fn save_stage_starts(&self, checkpoint: &mut Checkpoint) {
        let times: Vec<f64> = self.stage_starts.iter().map(|start| start.time).collect();
        let counts: Vec<u64> = self.stage_starts.iter().map(|start| start.count).collect();
        checkpoint.put_f64("stage_times", times);
        checkpoint.put_u64("stage_counts", counts);
    }
}

/// Takes when stages began, those that have.
fn take_stage_starts<const D: usize>(
    checkpoint: &mut Checkpoint,
    scene: &Scene<D>,
) -> Result<Vec<StageStart>, Error> {
    let begun = checkpoint.count("stage_times").unwrap_or(0);
    let times = checkpoint.take_f64("stage_times", begun)?;
    let counts = checkpoint.take_u64("stage_counts", begun)?;
    let is_run = times.first() == Some(&0.0) && times.iter().all(|time| time.is_finite());
    if !is_run || begun > scene.stages.len().max(1) || !times.is_sorted() {
        return Err(unfit(checkpoint, "its stages are not those of the scene".to_owned()));
    }
    let starts = times.into_iter().zip(counts);
    Ok(starts.map(|(time, count)| StageStart { time, count }).collect())
}

/// Takes means of columns whose sections begin with `start`.
fn take_means(checkpoint: &mut Checkpoint, start: &str) -> Result<ColumnMeans, Error> {
    let means = take_named(&mut checkpoint.arrays, start);
    let means = means.map_err(|error| unfit_state(checkpoint, error))?;
    Ok(means.into_iter().map(|(name, saved)| (name, BlockAverage::of_saved(&saved))).collect())
}

/// Takes the schedule of a run, which the scene must not contradict.
fn take_schedule<const D: usize>(
    checkpoint: &mut Checkpoint,
    scene: &Scene<D>,
) -> Result<OutputSchedule, Error> {
    let intervals = checkpoint.take_f64("intervals", 2)?;
    let collisions = checkpoint.take_u64("collisions_per_row", 1)?[0];
    let is_positive = |number: f64| number > 0.0 && number.is_finite();
    if !is_positive(intervals[0]) && collisions == 0 {
        return Err(unfit(checkpoint, "its log interval is not a positive number".to_owned()));
    }
    let log = match collisions {
        0 => OutputInterval::Time(intervals[0]),
        count => OutputInterval::Collisions(count),
    };
    let there = match log {
        OutputInterval::Time(interval) => format!("log_interval = {interval}"),
        OutputInterval::Collisions(count) => format!("log_collisions = {count}"),
    };
    // Each stage has intervals of its own.
    let output = &scene.output;
    let is_given = scene.stages.is_empty();
    let (interval, collisions) =
        (output.log_interval.filter(|_| is_given), output.log_collisions.filter(|_| is_given));
    let difference = match (interval, collisions) {
        (Some(interval), _) if log != OutputInterval::Time(interval) => {
            format!("output.log_interval is {interval} here, and there {there}")
        }
        (_, Some(count)) if log != OutputInterval::Collisions(count) => {
            format!("output.log_collisions is {count} here, and there {there}")
        }
        _ => {
            return Ok(OutputSchedule {
                log,
                frames: Some(intervals[1]).filter(|&it| is_positive(it)),
            });
        }
    };
    let problem = CheckpointProblem::OtherScene { difference: Some(difference) };
    Err(checkpoint.refused(problem).into())
}

/// Returns an error if the end of the scene is before the checkpoint, by more than a time step.
fn check_end<const D: usize>(
    checkpoint: &Checkpoint,
    scene: &Scene<D>,
    engine: &dyn EngineRun<D>,
) -> Result<(), Error> {
    let (counted, count) = engine.counted();
    let collisions = (counted == "collisions").then_some(count);
    match beyond_end(scene, engine.engine().time(), engine.time_step(), collisions) {
        Some(problem) => Err(checkpoint.refused(problem).into()),
        None => Ok(()),
    }
}

/// Says that a run at this time is beyond the end of the scene, by more than a time step, or has had more collisions.
pub(in crate::run) fn beyond_end<const D: usize>(
    scene: &Scene<D>,
    now: f64,
    time_step: Option<f64>,
    count: Option<u64>,
) -> Option<CheckpointProblem> {
    let is_beyond = |until: f64| match time_step {
        Some(step) => now > until * (1.0 + 1e-6) + step,
        None => now > until,
    };
    // Stages have limits of their own.
    let (until, collisions) = match scene.stages.is_empty() {
        true => (scene.limits.until, scene.limits.collisions),
        false => (scene.latest_end, None),
    };
    let (is, end) = match (until, collisions) {
        (Some(until), _) if is_beyond(until) => (format!("time {now}"), format!("until = {until}")),
        (_, Some(most)) => {
            let count = count.filter(|count| *count > most)?;
            (format!("collision {count}"), format!("collisions = {most}"))
        }
        _ => return None,
    };
    Some(CheckpointProblem::BeyondEnd { is, end })
}
