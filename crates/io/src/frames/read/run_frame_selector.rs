//! A frame of a run as users name it: `RUN`, `RUN@last`, `RUN@first`, `RUN@12`, `RUN@t=0.5`.

use super::problem::FrameReadProblem;
use super::{RecordedFrame, recorded_frames};
use crate::{Error, read_results_file};
use std::path::{Path, PathBuf, is_separator};

/// Largest length of a scene, in bytes.
const LONGEST_SCENE: u64 = 64 << 20;

/// A results folder and the choice of one of its frames.
#[derive(Clone, Debug, PartialEq)]
pub struct RunFrameSelector {
    /// Folder in which the results of the run stand.
    pub folder: PathBuf,
    choice: FrameChoice,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FrameChoice {
    First,
    Last,
    Number(usize),
    Time(f64),
}

impl RunFrameSelector {
    /// Returns the frame that a path names: a folder is its last frame, and the suffix after an `@` selects another:
    /// `first`, `last`, the number of a frame, or `t=` and a time. `None` for anything else, such as a file.
    ///
    /// ```
    /// # let run = tempfile::tempdir()?;
    /// use carom_io::RunFrameSelector;
    /// let path = run.path().to_str().unwrap();
    /// assert!(RunFrameSelector::of(run.path())?.is_some_and(|moment| moment.is_last()));
    /// assert!(RunFrameSelector::of(format!("{path}@t=0.5").as_ref())?.is_some());
    /// assert!(RunFrameSelector::of(format!("{path}@latest").as_ref()).is_err());
    /// assert!(RunFrameSelector::of("grains.csv".as_ref())?.is_none());
    /// assert!(RunFrameSelector::of(format!("{path}@uni/grains.csv").as_ref())?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(path: &Path) -> Result<Option<Self>, Error> {
        if path.is_dir() {
            return Ok(Some(RunFrameSelector {
                folder: path.to_owned(),
                choice: FrameChoice::Last,
            }));
        }
        let parts = path.to_str().and_then(|text| text.rsplit_once('@'));
        // A file may have such a name, and so may a folder on the way to one.
        let is_moment = |(folder, which): &(&str, &str)| {
            !path.exists() && !which.contains(is_separator) && Path::new(folder).is_dir()
        };
        let Some((folder, which)) = parts.filter(is_moment) else { return Ok(None) };
        let which = match which {
            "first" => Some(FrameChoice::First),
            "last" => Some(FrameChoice::Last),
            _ => match which.strip_prefix("t=") {
                Some(time) => {
                    time.parse().ok().filter(|time: &f64| time.is_finite()).map(FrameChoice::Time)
                }
                None => which.parse().ok().map(FrameChoice::Number),
            },
        };
        let wrong = || FrameReadProblem::FrameSelector.in_file(path);
        Ok(Some(RunFrameSelector { folder: folder.into(), choice: which.ok_or_else(wrong)? }))
    }

    /// Returns the suffix after the folder in its path, such as `@12`.
    pub fn suffix<'p>(&self, path: &'p Path) -> &'p str {
        let folder = self.folder.to_str().unwrap_or_default();
        path.to_str().and_then(|text| text.strip_prefix(folder)).unwrap_or_default()
    }

    /// Whether it is the last frame of its run.
    pub fn is_last(&self) -> bool {
        self.choice == FrameChoice::Last
    }

    /// Whether its bodies may have shapes, whose particles are their bounding spheres.
    pub fn has_shapes(&self) -> bool {
        let scene = read_results_file(&self.folder, "scene.toml", LONGEST_SCENE);
        let tables = scene.ok().and_then(|text| toml::from_slice::<toml::Table>(&text).ok());
        tables.is_some_and(|tables| tables.contains_key("shapes"))
    }

    /// Returns the frame; for a time the nearest.
    pub fn frame(&self) -> Result<RecordedFrame, Error> {
        let mut frames = recorded_frames(&self.folder)?;
        let none = || FrameReadProblem::NoFrames.in_file(&self.folder);
        let [first, last] = match (frames.first(), frames.last()) {
            (Some(first), Some(last)) => [first.number, last.number],
            _ => return Err(none()),
        };
        let place = match self.choice {
            FrameChoice::First => 0,
            FrameChoice::Last => frames.len() - 1,
            FrameChoice::Time(time) => nearest_in_time(&frames, time)?,
            FrameChoice::Number(number) => {
                let found = frames.binary_search_by_key(&number, |frame| frame.number);
                found.map_err(|_| {
                    FrameReadProblem::NoFrame { number, first, last }.in_file(&self.folder)
                })?
            }
        };
        Ok(frames.swap_remove(place))
    }
}

/// Returns the frame whose time is nearest; times ascend.
fn nearest_in_time(frames: &[RecordedFrame], time: f64) -> Result<usize, Error> {
    let (mut low, mut high) = (0, frames.len() - 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if frames[middle].header()?.time <= time { low = middle } else { high = middle }
    }
    let apart = |place: usize| Ok::<f64, Error>((frames[place].header()?.time - time).abs());
    Ok(if apart(low)? <= apart(high)? { low } else { high })
}
