use super::pvd::write_pvd;
use super::{FrameFormat, write_frame};
use crate::files::write_whole;
use crate::{Error, Frame, excerpt};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The frames of a run in the folder `frames`: `frame_000000.xyz`, `frame_000001.xyz` and so on,
/// and for VTK the index `frames.pvd`, which is the file to open in ParaView.
///
/// Every file appears whole or not at all and the index never names a frame that is not there, so
/// a run that is killed leaves files that open. To go on after that, write the index before each
/// checkpoint, keep the times of the frames in it and hand them to [`resume`](FrameSeries::resume).
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let run = folder.path();
/// # let frame = carom_scene::Frame::<2> { time: 0.0, step: 0, number: 0, region: [carom_scene::Span::Open; 2],
/// #     positions: vec![], velocities: vec![], radii: vec![], masses: None, materials: None,
/// #     columns: vec![] };
/// use carom_scene::files::{FrameFormat, FrameSeries};
/// let mut series = FrameSeries::create(run, &[FrameFormat::Vtk, FrameFormat::Xyz])?;
/// series.write(&frame)?;
/// series.write_index()?;
/// assert!(run.join("frames/frame_000000.vtp").exists());
/// assert!(run.join("frames/frame_000000.xyz").exists());
/// assert!(run.join("frames/frames.pvd").exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FrameSeries {
    folder: PathBuf,
    formats: Vec<FrameFormat>,
    /// Frames so far, those before a resume included.
    count: usize,
    /// Time and file of each frame that is there as VTK.
    indexed: Vec<(f64, String)>,
}

impl FrameSeries {
    /// A series without frames; makes the folder `frames` in `run` and removes frames of an earlier
    /// run from it.
    pub fn create(run: &Path, formats: &[FrameFormat]) -> Result<Self, Error> {
        FrameSeries::resume(run, formats, &[])
    }

    /// The series after as many frames as there are times; later frames go out of the index and
    /// are removed.
    ///
    /// An error, with nothing removed, if one of the frames before is in the index and not there.
    pub fn resume(run: &Path, formats: &[FrameFormat], times: &[f64]) -> Result<Self, Error> {
        let folder = run.join("frames");
        fs::create_dir_all(&folder).map_err(|source| Error::cannot_write(&folder, source))?;
        let in_index = names_in_index(&folder.join("frames.pvd"));
        let mut indexed = Vec::new();
        for (index, &time) in times.iter().enumerate() {
            let file = file_name(index, FrameFormat::Vtk);
            // A run may have asked for other formats before.
            if folder.join(&file).exists() {
                indexed.push((time, file));
            } else if in_index.contains(&file) {
                let file = excerpt::file_name(&folder.join(file));
                return Err(Error::MissingFrame { file, count: times.len() });
            }
        }
        let (formats, count) = (formats.to_vec(), times.len());
        let mut series = FrameSeries { folder, formats, count, indexed };
        series.formats.dedup();
        series.write_index()?;
        series.remove_later_frames()?;
        Ok(series)
    }

    /// Removes the frames in `run` and their index, and the folder `frames` if nothing else is in
    /// it.
    pub fn remove(run: &Path) -> Result<(), Error> {
        let folder = run.join("frames");
        if !folder.is_dir() {
            return Ok(());
        }
        let none = FrameSeries { folder, formats: Vec::new(), count: 0, indexed: Vec::new() };
        none.remove_later_frames()?;
        let index = none.folder.join("frames.pvd");
        if index.exists() {
            fs::remove_file(&index).map_err(|source| Error::cannot_write(&index, source))?;
        }
        // Fails if a user keeps something there, which then stays.
        let _ = fs::remove_dir(&none.folder);
        Ok(())
    }

    /// Writes the next frame in every format. The index names it after
    /// [`write_index`](Self::write_index): written with every frame, an index of all frames would
    /// cost the square of their number.
    pub fn write<const D: usize>(&mut self, frame: &Frame<D>) -> Result<(), Error> {
        let index = self.count;
        for &format in &self.formats {
            let path = self.folder.join(file_name(index, format));
            write_whole(&path, |out| write_frame(out, frame, format))?;
        }
        self.count += 1;
        if self.formats.contains(&FrameFormat::Vtk) {
            self.indexed.push((frame.time, file_name(index, FrameFormat::Vtk)));
        }
        Ok(())
    }

    /// Writes the index of all frames so far, if they are written as VTK.
    pub fn write_index(&self) -> Result<(), Error> {
        let path = self.folder.join("frames.pvd");
        let wanted = self.formats.contains(&FrameFormat::Vtk) || !self.indexed.is_empty();
        if !wanted && !path.exists() {
            return Ok(());
        }
        let entries = self.indexed.iter().map(|(time, file)| (*time, file.as_str()));
        write_whole(&path, |out| write_pvd(out, entries))
    }

    /// A viewer that opens `frame_*` must not show what will not have happened.
    fn remove_later_frames(&self) -> Result<(), Error> {
        let entries = fs::read_dir(&self.folder);
        for entry in entries.map_err(|source| Error::cannot_write(&self.folder, source))? {
            let Ok(entry) = entry else { continue };
            let index = entry.file_name().to_str().and_then(index_of);
            if index.is_some_and(|index| index >= self.count) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|source| Error::cannot_write(&path, source))?;
            }
        }
        Ok(())
    }
}

/// The files that an index names; none if there is no index.
fn names_in_index(path: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let files = text.split("file=\"").skip(1).filter_map(|rest| rest.split('"').next());
    files.map(str::to_owned).collect()
}

fn file_name(index: usize, format: FrameFormat) -> String {
    format!("frame_{index:06}.{}", format.extension())
}

/// The index in the name of a frame's file; `None` for every other name.
fn index_of(name: &str) -> Option<usize> {
    let (stem, extension) = name.split_once('.')?;
    let index = stem.strip_prefix("frame_")?.parse().ok()?;
    let format = FrameFormat::ALL.into_iter().find(|format| format.extension() == extension)?;
    (file_name(index, format) == name).then_some(index)
}
