//! Results of a run read back from their folder.

use crate::run::Error;
use carom_io::excerpt;
use carom_io::{Checkpoint, Frame, LogTable, RecordedFrame, read_results_file, recorded_frames};
use carom_scene::scene::{SceneHeader, SceneOutline};
use carom_simulate::shape::Shape;
use std::path::{Path, PathBuf};

/// Largest `summary.json` that is read, in bytes.
const LARGEST_SUMMARY: u64 = 1 << 30;

/// The folder that a run has written, whatever its engine.
///
/// ```no_run
/// let results = carom::Results::open("drum.run")?;
/// let log = results.log()?;
/// let (times, energies) = (log.column("time"), log.column("kinetic_energy"));
/// let last = results.frame(results.frame_count() - 1)?;
/// println!("{} bodies at time {}", last.positions.len(), last.time);
/// # Ok::<(), carom::run::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Results {
    folder: PathBuf,
    frames: Vec<RecordedFrame>,
    shapes: Vec<Shape>,
    header: SceneHeader,
}

impl Results {
    /// Opens a results folder and lists its frames.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, Error> {
        let folder = folder.as_ref().to_owned();
        let scene = SceneOutline::read_results(&folder, &[])?;
        let (shapes, header) = (scene.shapes()?, scene.header()?);
        Ok(Results { frames: recorded_frames(&folder)?, shapes, header, folder })
    }

    /// Returns the folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns engine, dimension and box of the scene.
    pub fn header(&self) -> &SceneHeader {
        &self.header
    }

    /// Reads `log.csv`.
    pub fn log(&self) -> Result<LogTable, Error> {
        Ok(LogTable::read(&self.folder)?)
    }

    /// Reads `summary.json`, which a run writes at its end or pause.
    pub fn summary(&self) -> Result<serde_json::Value, Error> {
        let bytes = read_results_file(&self.folder, "summary.json", LARGEST_SUMMARY)?;
        serde_json::from_slice(&bytes).map_err(|error| {
            let reason = error.to_string();
            // The place stands before it in the sentence.
            let reason = reason.split(" at line ").next().unwrap_or(&reason).to_owned();
            let file = excerpt::file_name(&self.folder.join("summary.json"));
            Error::Summary { file, line: error.line(), reason }
        })
    }

    /// Returns the number of frames.
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// Reads a frame by its number, from zero; discs lie at z = 0. Its pictures have the colors of the scene.
    pub fn frame(&self, number: usize) -> Result<Frame<3>, Error> {
        let frame = self.frames.get(number).ok_or_else(|| {
            let (folder, count) = (self.folder.display(), self.frames.len());
            Error::Other(format!("{folder} has {count} frames and none of number {number}").into())
        })?;
        let frame = frame.read(&self.shapes)?;
        let color_by = self.header.color.column().filter(|name| frame.column(name).is_some());
        Ok(Frame { color_by, ..frame })
    }

    /// Reads the checkpoint, from which the run can continue.
    pub fn checkpoint(&self) -> Result<Checkpoint, Error> {
        Ok(Checkpoint::read(&self.folder.join("checkpoint.bin"))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::SceneRun;

    #[test]
    fn results_are_read_back_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("fall.run");
        let scene = "engine = 'dem'\ndimension = 2\nuntil = 1\nbox.size = 9\nbox.boundary = 'wall'\n\
            gravity.acceleration = [0, -1]\noutput.interval = 0.5\noutput.log_interval = 0.25\n\
            output.picture = false\noutput.color = 'pressure'\n[[bodies]]\nposition = [5, 5]\nradius = 0.5";
        let outcome = SceneRun::parse(scene).unwrap().into_folder(&path).unwrap();
        let results = Results::open(&path).unwrap();
        let log = results.log().unwrap();
        assert_eq!(log.rows(), 5);
        assert!((log.column("time").unwrap()[4] - 1.0).abs() < 1e-2);
        assert!(log.column("kinetic_energy").unwrap()[4] > 0.4);
        let summary = results.summary().unwrap();
        assert_eq!(summary["steps"], outcome.summary["steps"]);
        assert_eq!(results.frame_count(), 3);
        let first = results.frame(0).unwrap();
        assert_eq!((first.positions[0].x, first.positions[0].y, first.time), (5.0, 5.0, 0.0));
        assert_eq!(first.color_by.as_deref(), Some("pressure"));
        let message = results.frame(3).unwrap_err().to_string();
        assert!(message.ends_with("has 3 frames and none of number 3"), "{message}");
        assert_eq!(results.checkpoint().unwrap().count("order"), Some(1));

        let missing = Results::open(folder.path().join("none")).unwrap_err().to_string();
        assert!(missing.contains("none/scene.toml cannot be read"), "{missing}");
        std::fs::write(path.join("log.csv"), "time,a\n1,2\n3\n").unwrap();
        let damaged = results.log().unwrap_err().to_string();
        assert!(damaged.ends_with("line 3 has 1 values, and there are 2 columns"), "{damaged}");
        std::fs::write(path.join("summary.json"), "{").unwrap();
        let damaged = results.summary().unwrap_err().to_string();
        let sentence = "EOF while parsing an object; it must be the JSON that the end of a run writes, which a resume of \
                        the run does again";
        let file = path.join("summary.json").display().to_string();
        assert_eq!(damaged, format!("{file}:1: {sentence}"));
    }

    #[test]
    fn an_empty_path_is_no_folder_of_results() {
        let scene = "engine = 'dem'\ndimension = 2\nuntil = 1e-3\nbox.size = 9\n\
            [[bodies]]\nposition = [5, 5]\nradius = 0.5";
        let refused = SceneRun::parse(scene).unwrap().into_folder("").unwrap_err().to_string();
        let sentence =
            "the empty path names no folder; give it a name, or . for the current folder";
        assert_eq!(refused, sentence);
        let swept = crate::sweep::Sweep::parse(scene).over("seed", [1, 2]).into_folder("");
        assert_eq!(swept.unwrap_err().to_string(), sentence);
    }

    #[test]
    fn a_scene_runs_in_memory_as_into_a_folder() {
        let scene = "engine = 'event-driven'\ndimension = 3\nuntil = 1\n[[generate]]\nkind = 'random'\n\
            count = 50\nradius = 0.5\npacking_fraction = 0.2\ntemperature = 1";
        let folder = tempfile::tempdir().unwrap();
        let written = SceneRun::parse(scene).unwrap().into_folder(folder.path().join("a")).unwrap();
        let kept = SceneRun::parse(scene).unwrap().run().unwrap();
        SceneRun::parse(scene).unwrap().into_folder(folder.path().join("b")).unwrap();
        let [first, second] = ["a", "b"].map(|name| {
            let summary = Results::open(folder.path().join(name)).unwrap().summary().unwrap();
            summary["provenance"]["final_state"].as_str().unwrap().to_owned()
        });
        assert_eq!((first.len(), first), (16, second));
        assert_eq!(kept.summary["collisions"], written.summary["collisions"]);
        assert_eq!((kept.ending, kept.warnings), (written.ending, written.warnings));
        assert!(SceneRun::parse("engine = 'dem'").is_err());
    }
}
