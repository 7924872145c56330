//! Estimates the cost of a run by a short trial.

use super::{Error, Run};
use carom_io::{
    Frame, FrameFormat, write_contacts_vtp, write_frame, write_springs_vtp, write_surfaces_vtp,
    write_walls_vtp,
};
use carom_scene::Scene;
use carom_scene::scene::Stage;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Estimated cost of a run. It depends on the machine and its other load, and a run that changes much on its way
/// (bodies still to be poured, a collapse) costs more or less than its start.
#[derive(Clone, Debug, PartialEq)]
pub struct RunCost {
    /// Expected wall-clock seconds of the whole run, without output; none if the trial made no progress.
    pub seconds: Option<f64>,
    /// Duration of the trial, in seconds.
    pub trial_seconds: f64,
    /// Fraction of the run that the trial covered, from 0 to 1.
    pub trial_part: f64,
    /// Number of frames that will be written; none if not known.
    pub frames: Option<u64>,
    /// Size of a frame in all formats of the scene, in bytes, with all bodies.
    pub bytes_per_frame: u64,
    /// Size of a checkpoint at the end of the trial, in bytes.
    pub checkpoint_bytes: u64,
    /// Why the trial failed, if it did.
    pub failure: Option<String>,
}

impl RunCost {
    /// Advances a run at its start for about the time `budget`, and extrapolates; the run is consumed.
    pub fn of<const D: usize>(
        mut run: Run<D>,
        scene: &Scene<D>,
        budget: Duration,
    ) -> Result<Self, Error> {
        let frame = run.frame();
        let (present, bytes) = (frame.positions.len(), frame_bytes(&frame, scene)?);
        let poured: usize = scene.pours.iter().map(|pour| pour.radii.len()).sum();
        let growth = (present + poured) as f64 / present.max(1) as f64;
        let started = Instant::now();
        let failure = advance(&mut run, started, budget).err().map(|error| error.to_string());
        let trial_seconds = started.elapsed().as_secs_f64();
        let progress = run.progress();
        let is_whole = failure.is_none() && run.is_over().is_some();
        let trial_part = if is_whole { 1.0 } else { progress.part };
        let seconds = (trial_part > 0.0).then_some(trial_seconds / trial_part);
        let end = scene.duration().or_else(|| {
            (trial_part > 0.0 && progress.time > 0.0).then_some(progress.time / trial_part)
        });
        Ok(RunCost {
            seconds,
            trial_seconds,
            trial_part,
            frames: frames(run.output_schedule().frames, end, scene),
            bytes_per_frame: (bytes as f64 * growth) as u64,
            checkpoint_bytes: run.checkpoint().encode().len() as u64,
            failure,
        })
    }

    /// Returns all figures as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "seconds": self.seconds,
            "trial_seconds": self.trial_seconds,
            "trial_part": self.trial_part,
            "frames": self.frames,
            "bytes_per_frame": self.bytes_per_frame,
            "bytes_of_frames": self.bytes_of_frames(),
            "checkpoint_bytes": self.checkpoint_bytes,
            "failure": self.failure,
        })
    }

    /// Size of all frames, in bytes.
    pub fn bytes_of_frames(&self) -> Option<u64> {
        self.frames.map(|frames| frames.saturating_mul(self.bytes_per_frame))
    }
}

fn advance<const D: usize>(
    run: &mut Run<D>,
    started: Instant,
    budget: Duration,
) -> Result<(), Error> {
    run.emit_due_output(&mut ())?;
    while started.elapsed() < budget && run.is_over().is_none() {
        run.advance()?;
        run.emit_due_output(&mut ())?;
    }
    Ok(())
}

/// Number of frames: at the start of each stage, at the multiples of its interval, and at the end of the run.
fn frames<const D: usize>(
    interval: Option<f64>,
    end: Option<f64>,
    scene: &Scene<D>,
) -> Option<u64> {
    if scene.output.formats.is_empty() {
        return Some(0);
    }
    let before_end = |interval: Option<f64>, duration: Option<f64>| match interval {
        Some(interval) => Some((duration? / interval - 1e-9).ceil().max(0.0) as u64),
        None => Some(0),
    };
    if scene.stages.is_empty() {
        return Some(before_end(interval, end)?.max(1).saturating_add(1));
    }
    let mut left = scene.latest_end.unwrap_or(f64::INFINITY);
    let of_stage = |stage: &Stage<D>| {
        let duration = stage.scene.limits.until.map(|duration| duration.min(left));
        left -= duration.unwrap_or(0.0);
        before_end(stage.scene.output.interval, duration)
    };
    let frames: Option<u64> = scene.stages.iter().map(of_stage).sum();
    Some(frames?.max(1).saturating_add(1))
}

/// Size of a frame in all formats of a scene, in bytes.
fn frame_bytes<const D: usize>(frame: &Frame<D>, scene: &Scene<D>) -> Result<u64, Error> {
    let mut counter = ByteCounter(0);
    let mut write = || -> io::Result<()> {
        for &format in &scene.output.formats {
            write_frame(&mut counter, frame, format)?;
            if format == FrameFormat::Vtk && frame.shapes.is_some() {
                write_surfaces_vtp(&mut counter, frame)?;
            }
            if format == FrameFormat::Vtk && frame.springs.is_some() {
                write_springs_vtp(&mut counter, frame)?;
            }
        }
        if frame.contacts.is_some() {
            write_contacts_vtp(&mut counter, frame)?;
        }
        if frame.walls.is_some() {
            write_walls_vtp(&mut counter, frame)?;
        }
        Ok(())
    };
    write().map_err(|error| Error::Other(Box::new(error)))?;
    Ok(counter.0)
}

/// Counts the bytes that are written, and keeps none.
struct ByteCounter(u64);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::ResultsFolder;
    use carom_scene::scene::AnyScene;

    fn plane(text: &str) -> Scene<2> {
        match AnyScene::parse(text, "a.toml", "".as_ref(), &[]).unwrap() {
            AnyScene::TwoD(scene) => scene,
            AnyScene::ThreeD(_) => panic!("the scene is in the plane"),
        }
    }

    const FALLING: &str = "engine = 'dem'\ndimension = 2\nuntil = 2\nbox.size = 10\n\
        box.boundary = 'wall'\ngravity.acceleration = [0, -1]\n[output]\ninterval = 0.3\n\
        picture = false\n[[generate]]\nkind = 'random'\ncount = 30\nradius = 0.3\n";

    #[test]
    fn frames_and_bytes_are_those_that_a_run_writes() {
        for text in [FALLING.to_owned(), FALLING.replace("0.3\npicture", "0.5\npicture")] {
            let scene = plane(&text);
            let run = Run::new(&scene).unwrap();
            let estimate = RunCost::of(run, &scene, Duration::from_millis(50)).unwrap();
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("run");
            let mut run = Run::new(&scene).unwrap();
            let claim = crate::run::RunFolder::new(&path).lock().unwrap();
            let mut results = ResultsFolder::new(claim, &scene, &run, Default::default()).unwrap();
            run.run_to_end(&mut results).unwrap();
            drop(results);
            let files = std::fs::read_dir(path.join("frames")).unwrap();
            let sizes: Vec<u64> = files
                .map(|file| file.unwrap())
                .filter(|file| file.file_name().to_string_lossy().starts_with("frame_"))
                .map(|file| file.metadata().unwrap().len())
                .collect();
            assert_eq!(estimate.frames, Some(sizes.len() as u64));
            let written = sizes.iter().sum::<u64>() as f64;
            let expected = estimate.bytes_of_frames().unwrap() as f64;
            assert!((expected / written - 1.0).abs() < 0.05, "{expected} of {written}");
        }
    }

    #[test]
    fn a_trial_that_reaches_the_end_knows_the_time() {
        let scene = plane(&FALLING.replace("until = 2", "until = 0.01"));
        let run = Run::new(&scene).unwrap();
        let estimate = RunCost::of(run, &scene, Duration::from_secs(5)).unwrap();
        assert_eq!(estimate.trial_part, 1.0);
        assert_eq!(estimate.seconds, Some(estimate.trial_seconds));
    }

    #[test]
    fn runs_that_end_after_collisions_are_estimated_too() {
        let text = "engine = 'event-driven'\ndimension = 2\ncollisions = 1e9\n[[generate]]\nkind = 'random'\n\
                    count = 50\nradius = 0.5\npacking_fraction = 0.3\ntemperature = 1.0";
        let scene = plane(text);
        let run = Run::new(&scene).unwrap();
        let estimate = RunCost::of(run, &scene, Duration::from_millis(100)).unwrap();
        assert!(estimate.seconds.unwrap() > 1.0 && estimate.trial_part < 1.0, "{estimate:?}");
        assert!(estimate.checkpoint_bytes > 1000 && estimate.bytes_per_frame > 1000);
    }
}
