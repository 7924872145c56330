use super::{Ending, Error, FolderProblem, Progress, Row, Run, Sink, Summary, Timing, Wish};
use carom_scene::files::{Checkpoint, FrameSeries, LogFile, write_whole};
use carom_scene::{Frame, SceneOf, picture};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The names of what a run writes.
const FILES: [&str; 7] = [
    "checkpoint.bin",
    "scene.toml",
    "log.csv",
    "summary.json",
    "picture.png",
    "radial_distribution.csv",
    "frames",
];

/// A folder for the results of one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Folder(PathBuf);

impl Folder {
    /// The folder at a path, whether it is there or not.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Folder(path.into())
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// An error if there are results in it already.
    pub fn check_free(&self, fingerprint: u64) -> Result<(), Error> {
        if self.0.exists() && !self.0.is_dir() {
            return Err(self.refused(FolderProblem::NoFolder));
        }
        if !FILES.iter().any(|name| self.file(name).exists()) {
            return Ok(());
        }
        let checkpoint = Checkpoint::read(&self.file("checkpoint.bin"));
        let same = checkpoint.is_ok_and(|found| found.scene_digest == fingerprint);
        let problem = if same { FolderProblem::SameScene } else { FolderProblem::OtherScene };
        Err(self.refused(problem))
    }

    /// Removes the results in it, and nothing else.
    pub fn clear(&self) -> Result<(), Error> {
        for name in FILES.iter().filter(|name| **name != "frames") {
            let path = self.file(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(cannot_write(&path, error));
                }
                _ => {}
            }
        }
        if self.file("frames").is_dir() {
            FrameSeries::create(&self.0, &[])?;
        }
        Ok(())
    }

    /// The checkpoint of the run in it.
    pub fn checkpoint(&self) -> Result<Checkpoint, Error> {
        let path = self.file("checkpoint.bin");
        if !path.exists() {
            return Err(self.refused(FolderProblem::NothingToResume));
        }
        Ok(Checkpoint::read(&path)?)
    }

    fn make(&self) -> Result<(), Error> {
        fs::create_dir_all(&self.0).map_err(|source| cannot_write(&self.0, source))
    }

    /// What a kill left half written.
    fn remove_leftovers(&self) {
        for folder in [self.0.clone(), self.file("frames")] {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            for entry in entries {
                let name = entry.file_name();
                let name = name.to_string_lossy();
                if name.starts_with(".carom-") && name.ends_with(".partial") {
                    let _ = fs::remove_file(entry.path());
                }
            }
        }
    }

    fn refused(&self, problem: FolderProblem) -> Error {
        Error::Folder { folder: self.0.display().to_string(), problem }
    }
}

fn cannot_write(path: &Path, source: std::io::Error) -> Error {
    carom_scene::Error::CannotWrite { file: path.display().to_string(), source }.into()
}

/// Writes a run into a folder: `scene.toml` (as run), `log.csv`, `frames/`, `checkpoint.bin`,
/// `summary.json`, `picture.png` of the end and, if asked for, `radial_distribution.csv`.
///
/// The log and the frames are cut back to the checkpoint when the run is resumed, so that a kill at
/// any moment costs no more than the time since the last checkpoint.
pub struct ResultsFolder<'a, const D: usize> {
    folder: Folder,
    scene: &'a SceneOf<D>,
    log: LogFile,
    frames: FrameSeries,
    watch: Box<dyn FnMut(&Progress) -> Wish + 'a>,
    timing: Timing,
    started: Instant,
    last_checkpoint: Instant,
    summary: Option<Summary>,
}

impl<'a, const D: usize> ResultsFolder<'a, D> {
    /// Makes the folder ready for a run, new or resumed. `initialisation` is the time it took so far,
    /// for the summary.
    pub fn new(
        folder: Folder,
        scene: &'a SceneOf<D>,
        run: &Run<D>,
        initialisation: Duration,
    ) -> Result<Self, Error> {
        let started = Instant::now();
        folder.make()?;
        folder.remove_leftovers();
        if run.rows() == 0 {
            run.checkpoint().write(&folder.file("checkpoint.bin"))?;
        }
        let text = scene.as_run.as_bytes();
        write_whole(&folder.file("scene.toml"), |out| out.write_all(text))?;
        let (log, columns) = (folder.file("log.csv"), Row::columns(scene));
        let log = match run.rows() {
            0 => LogFile::create(&log, &columns)?,
            rows => LogFile::resume(&log, &columns, rows)?,
        };
        let frames = FrameSeries::resume(&folder.0, &scene.output.formats, run.frame_times())?;
        let timing = Timing { initialisation, running: Duration::ZERO, output: started.elapsed() };
        Ok(ResultsFolder {
            folder,
            scene,
            log,
            frames,
            watch: Box::new(|_| Wish::GoOn),
            timing,
            started,
            last_checkpoint: started,
            summary: None,
        })
    }

    /// Asks `watch` again and again how to go on, for progress bars, signals and limits of time.
    pub fn watched_by(mut self, watch: impl FnMut(&Progress) -> Wish + 'a) -> Self {
        self.watch = Box::new(watch);
        self
    }

    /// The figures of the run, once it has ended.
    pub fn summary(&self) -> Option<&Summary> {
        self.summary.as_ref()
    }

    /// Does something that counts as output.
    fn output(&mut self, write: impl FnOnce(&mut Self) -> Result<(), Error>) -> Result<(), Error> {
        let start = Instant::now();
        let result = write(self);
        self.timing.output += start.elapsed();
        result
    }

    fn write_end(&self, run: &Run<D>) -> Result<(), Error> {
        if self.scene.output.picture {
            let image = picture::png(&run.frame(), None)?;
            write_whole(&self.folder.file("picture.png"), |out| out.write_all(&image))?;
        }
        if let Some(distances) = run.distances() {
            let count = run.simulation().count();
            let values = distances.distribution::<D>(count, self.scene.region.volume());
            write_whole(&self.folder.file("radial_distribution.csv"), |out| {
                out.write_all(b"distance,radial_distribution\n")?;
                values.iter().try_for_each(|[distance, value]| writeln!(out, "{distance},{value}"))
            })?;
        }
        Ok(())
    }

    fn write_summary(&mut self, run: &Run<D>, ending: Ending) -> Result<(), Error> {
        self.timing.running = self.started.elapsed().saturating_sub(self.timing.output);
        let summary = Summary::of(run, ending, self.timing);
        let mut text = serde_json::to_string_pretty(&summary.json())
            .expect("a summary is a tree of numbers and texts");
        text.push('\n');
        write_whole(&self.folder.file("summary.json"), |out| out.write_all(text.as_bytes()))?;
        self.summary = Some(summary);
        Ok(())
    }
}

impl<const D: usize> Sink<D> for ResultsFolder<'_, D> {
    fn log(&mut self, row: &Row<D>) -> Result<(), Error> {
        let values = row.values(self.scene);
        self.output(|it| Ok(it.log.append(&values)?))
    }

    fn frame(&mut self, frame: &dyn Fn() -> Frame<D>) -> Result<(), Error> {
        if self.scene.output.formats.is_empty() {
            return Ok(());
        }
        self.output(|it| Ok(it.frames.write(&frame())?))
    }

    fn progress(&mut self, progress: &Progress) -> Wish {
        let wish = (self.watch)(progress);
        let due = self.last_checkpoint.elapsed() >= self.scene.output.checkpoint_interval;
        if wish == Wish::GoOn && due { Wish::Checkpoint } else { wish }
    }

    fn checkpoint(&mut self, run: &Run<D>) -> Result<(), Error> {
        self.output(|it| {
            // Rows that it counts must be there after a crash of the machine too.
            it.log.sync()?;
            run.checkpoint().write(&it.folder.file("checkpoint.bin"))?;
            it.last_checkpoint = Instant::now();
            Ok(())
        })
    }

    fn end(&mut self, run: &Run<D>, ending: Ending) -> Result<(), Error> {
        if ending != Ending::Stopped {
            self.output(|it| it.write_end(run))?;
        }
        self.write_summary(run, ending)
    }
}
