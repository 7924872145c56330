//! A frame on disk, which is read when it is asked for.

use super::super::FrameFormat;
use super::super::series::{FRAMES, SPRINGS};
use crate::{Error, excerpt, results_path};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A frame that a run has written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedFrame {
    /// Number among the frames of the run, from zero.
    pub number: usize,
    /// Results folder, out of which its files may not lead.
    pub run: PathBuf,
    /// File in which the bodies of the frame stand.
    pub path: PathBuf,
    /// Format in which that file is written.
    pub format: FrameFormat,
    /// File with its springs, if there is one.
    pub springs: Option<PathBuf>,
}

/// Returns the frames that a run has written into its folder so far, in order; none if it has no folder `frames`. Of a
/// frame in several formats the fastest to read is taken.
///
/// # Errors
///
/// If `frames` is a symbolic link that leads out of the results folder.
///
/// ```
/// # let run = tempfile::tempdir()?;
/// use carom_io::recorded_frames;
/// std::fs::create_dir(run.path().join("frames"))?;
/// std::fs::write(run.path().join("frames/frame_000003.xyz"), "")?;
/// let frames = recorded_frames(run.path())?;
/// assert_eq!((frames.len(), frames[0].number), (1, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn recorded_frames(run: &Path) -> Result<Vec<RecordedFrame>, Error> {
    let folder = run.join("frames");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let refuse = |source| Error::CannotRead { file: excerpt::file_name(&folder), source };
    results_path(run, "frames").map_err(refuse)?;
    let (mut frames, mut springs) = (BTreeMap::new(), BTreeMap::new());
    for entry in fs::read_dir(&folder).map_err(refuse)?.flatten() {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if let Some((number, format)) = FRAMES.number_of(name) {
            let best = frames.entry(number).or_insert((format, name.to_owned()));
            if is_quicker((format, name), best) {
                *best = (format, name.to_owned());
            }
        } else if let Some((number, _)) = SPRINGS.number_of(name) {
            springs.insert(number, entry.path());
        }
    }
    let frame = |(number, (format, name)): (usize, (FrameFormat, String))| RecordedFrame {
        number,
        run: run.to_owned(),
        path: folder.join(name),
        format,
        springs: springs.remove(&number),
    };
    Ok(frames.into_iter().map(frame).collect())
}

/// Compares by the order of the formats; the shorter name is of a file that is not compressed.
fn is_quicker((format, name): (FrameFormat, &str), best: &(FrameFormat, String)) -> bool {
    let place = |format| FrameFormat::ALL.iter().position(|&other| other == format);
    (place(format), name.len()) < (place(best.0), best.1.len())
}
