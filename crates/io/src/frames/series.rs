//! The files of all frames of a run, with their indices.

use super::pvd::write_pvd;
use super::{
    FrameColumns, FrameFormat, FrameWriteOptions, contacts, springs, surfaces, walls,
    write_frame_as,
};
use crate::{Error, Frame, excerpt, is_results_file, read_results_file, write_atomically};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The frames of a run in the folder `frames`: `frame_000000.xyz`, `frame_000001.xyz` and so on, and for VTK the index
/// `frames.pvd`, which is the file to open in ParaView. Bodies with shapes have their surfaces in `surfaces_000000.vtp`
/// and so on, with the index `surfaces.pvd`; springs between particles are in `springs_000000.vtp` and so on, with the
/// index `springs.pvd`, contacts with their forces in `contacts_000000.vtp` and so on, with the index `contacts.pvd`, and
/// walls with their loads in `walls_000000.vtp` and so on, with the index `walls.pvd`.
///
/// Every file is written atomically and the index never names a missing frame, so a run that is killed leaves files
/// that open. To continue after that, write the index before each checkpoint, keep the times of the frames in the
/// checkpoint and hand them to [`resume`](FrameSeries::resume).
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let run = folder.path();
/// # let frame = carom_io::Frame::<2> { time: 0.0, step: 0, number: 0, region: [carom_io::AxisExtent::Open; 2],
/// #     positions: vec![], velocities: vec![], radii: vec![], masses: None, materials: None,
/// #     shapes: None, springs: None, contacts: None, walls: None, ids: None, color_by: None, columns: vec![] };
/// use carom_io::{FrameFormat, FrameSeries};
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
    options: FrameWriteOptions,
    /// Number of frames so far, those before a resume included.
    count: usize,
    frames: PvdIndex,
    surfaces: PvdIndex,
    springs: PvdIndex,
    contacts: PvdIndex,
    walls: PvdIndex,
}

impl FrameSeries {
    /// Folder of the frames in a results folder.
    pub const FOLDER: &str = "frames";

    /// Creates a series without frames; creates the folder `frames` in `run` and removes frames of an earlier run from
    /// it.
    pub fn create(run: &Path, formats: &[FrameFormat]) -> Result<Self, Error> {
        FrameSeries::resume(run, formats, &[])
    }

    /// Returns the series after as many frames as there are times; later frames are removed, from the index too.
    ///
    /// # Errors
    ///
    /// If one of the frames before is in the index and missing; then nothing is removed.
    pub fn resume(run: &Path, formats: &[FrameFormat], times: &[f64]) -> Result<Self, Error> {
        let folder = run.join(Self::FOLDER);
        fs::create_dir_all(&folder).map_err(|source| Error::cannot_write(&folder, source))?;
        let mut series = FrameSeries {
            frames: PvdIndex::existing(run, FRAMES, times)?,
            surfaces: PvdIndex::existing(run, SURFACES, times)?,
            springs: PvdIndex::existing(run, SPRINGS, times)?,
            contacts: PvdIndex::existing(run, CONTACTS, times)?,
            walls: PvdIndex::existing(run, WALLS, times)?,
            folder,
            formats: formats.to_vec(),
            options: FrameWriteOptions::default(),
            count: times.len(),
        };
        series.formats.dedup();
        series.write_index()?;
        series.remove_later_frames()?;
        Ok(series)
    }

    /// Returns the series with only these columns in further frames.
    pub fn with_columns(mut self, columns: FrameColumns) -> Self {
        self.options.columns = columns;
        self
    }

    /// Returns the series with further frames compressed, or not: arrays of VTK by zlib, text by gzip in files that end
    /// with `.gz`.
    pub fn compressed(mut self, compressed: bool) -> Self {
        self.options.compressed = compressed;
        self
    }

    /// Returns an error if frames of these times are missing in `run`, or lead out of it; nothing is changed.
    pub fn check(run: &Path, formats: &[FrameFormat], times: &[f64]) -> Result<(), Error> {
        if !formats.is_empty() && !times.is_empty() && !FrameSeries::exists_in(run) {
            let file = excerpt::file_name(&run.join(Self::FOLDER));
            return Err(Error::MissingFrame { file, count: times.len() });
        }
        ALL.into_iter().try_for_each(|names| PvdIndex::existing(run, names, times).map(drop))
    }

    /// Whether there are frames or an index of them in `run`.
    pub fn exists_in(run: &Path) -> bool {
        files_of_series(&run.join(Self::FOLDER)).next().is_some()
    }

    /// Returns the first symbolic link in `run` where a series would be written, as a path relative to `run`.
    pub fn first_link(run: &Path) -> Option<PathBuf> {
        let is_link = |path: &Path| fs::symlink_metadata(path).is_ok_and(|it| it.is_symlink());
        let folder = run.join(Self::FOLDER);
        let found = match is_link(&folder) {
            true => Some(folder),
            false => files_of_series(&folder).find(|path| is_link(path)),
        };
        found.and_then(|path| path.strip_prefix(run).map(Path::to_owned).ok())
    }

    /// Removes the frames in `run` and their index, and the folder `frames` if it is empty then.
    pub fn remove(run: &Path) -> Result<(), Error> {
        let folder = run.join(Self::FOLDER);
        if !folder.is_dir() {
            return Ok(());
        }
        let [frames, surfaces, springs, contacts, walls] = ALL.map(PvdIndex::new);
        let none = FrameSeries {
            folder,
            formats: Vec::new(),
            options: FrameWriteOptions::default(),
            count: 0,
            frames,
            surfaces,
            springs,
            contacts,
            walls,
        };
        none.remove_later_frames()?;
        for names in ALL {
            let index = none.folder.join(names.index);
            if index.exists() {
                fs::remove_file(&index).map_err(|source| Error::cannot_write(&index, source))?;
            }
        }
        // Fails if a user keeps something there, which then stays.
        let _ = fs::remove_dir(&none.folder);
        Ok(())
    }

    /// Writes the next frame in every format. The index names it after [`write_index`](Self::write_index): an index
    /// written with every frame would cost the square of their number.
    pub fn write<const D: usize>(&mut self, frame: &Frame<D>) -> Result<(), Error> {
        let compressed = self.options.compressed;
        if self.formats.contains(&FrameFormat::Vtk) {
            self.frames.add(frame.time, self.count);
            if frame.shapes.is_some() && self.options.columns.has("shape") {
                let path = self.folder.join(SURFACES.file(self.count, FrameFormat::Vtk));
                write_atomically(&path, |out| surfaces::write(out, frame, compressed))?;
                self.surfaces.add(frame.time, self.count);
            }
            if frame.springs.is_some() {
                let path = self.folder.join(SPRINGS.file(self.count, FrameFormat::Vtk));
                write_atomically(&path, |out| springs::write(out, frame, compressed))?;
                self.springs.add(frame.time, self.count);
            }
        }
        if frame.contacts.is_some() {
            let path = self.folder.join(CONTACTS.file(self.count, FrameFormat::Vtk));
            write_atomically(&path, |out| contacts::write(out, frame, compressed))?;
            self.contacts.add(frame.time, self.count);
        }
        if frame.walls.is_some() {
            let path = self.folder.join(WALLS.file(self.count, FrameFormat::Vtk));
            write_atomically(&path, |out| walls::write(out, frame, compressed))?;
            self.walls.add(frame.time, self.count);
        }
        // Last, so that a viewer that follows the run finds everything that belongs to a frame.
        for &format in &self.formats {
            let path =
                self.folder.join(FRAMES.file_with_compression(self.count, format, compressed));
            write_atomically(&path, |out| write_frame_as(out, frame, format, &self.options))?;
        }
        self.count += 1;
        Ok(())
    }

    /// Writes the index of all frames so far, if they are written as VTK.
    pub fn write_index(&self) -> Result<(), Error> {
        self.frames.write(&self.folder, self.formats.contains(&FrameFormat::Vtk))?;
        self.surfaces.write(&self.folder, false)?;
        self.springs.write(&self.folder, false)?;
        self.contacts.write(&self.folder, false)?;
        self.walls.write(&self.folder, false)
    }

    /// Removes later frames: a viewer that opens `frame_*` must not show what the resumed run has not computed.
    fn remove_later_frames(&self) -> Result<(), Error> {
        let entries = fs::read_dir(&self.folder);
        for entry in entries.map_err(|source| Error::cannot_write(&self.folder, source))? {
            let Ok(entry) = entry else { continue };
            let index = entry.file_name().to_str().and_then(frame_number_of);
            if index.is_some_and(|index| index >= self.count) {
                let path = entry.path();
                fs::remove_file(&path).map_err(|source| Error::cannot_write(&path, source))?;
            }
        }
        Ok(())
    }
}

/// The file names of a series.
#[derive(Clone, Copy, Debug)]
pub(super) struct SeriesFileNames {
    /// Prefix of the number.
    stem: &'static str,
    index: &'static str,
}

pub(super) const FRAMES: SeriesFileNames = SeriesFileNames { stem: "frame", index: "frames.pvd" };
const SURFACES: SeriesFileNames = SeriesFileNames { stem: "surfaces", index: "surfaces.pvd" };
pub(super) const SPRINGS: SeriesFileNames =
    SeriesFileNames { stem: "springs", index: "springs.pvd" };
const CONTACTS: SeriesFileNames = SeriesFileNames { stem: "contacts", index: "contacts.pvd" };
const WALLS: SeriesFileNames = SeriesFileNames { stem: "walls", index: "walls.pvd" };
const ALL: [SeriesFileNames; 5] = [FRAMES, SURFACES, SPRINGS, CONTACTS, WALLS];

/// Suffix of the names of compressed text files.
const GZIP_SUFFIX: &str = ".gz";

impl SeriesFileNames {
    pub(super) fn file(&self, number: usize, format: FrameFormat) -> String {
        format!("{}_{number:06}.{}", self.stem, format.extension())
    }

    /// As [`file`](Self::file); compressed text has another suffix.
    fn file_with_compression(
        &self,
        number: usize,
        format: FrameFormat,
        compressed: bool,
    ) -> String {
        let packed = compressed && format != FrameFormat::Vtk;
        self.file(number, format) + if packed { GZIP_SUFFIX } else { "" }
    }

    /// Returns the number in the name of one of its files, and the format; `None` for every other name.
    pub(super) fn number_of(&self, name: &str) -> Option<(usize, FrameFormat)> {
        let plain = name.strip_suffix(GZIP_SUFFIX).unwrap_or(name);
        let (stem, extension) = plain.split_once('.')?;
        let number = stem.strip_prefix(self.stem)?.strip_prefix('_')?.parse().ok()?;
        let format = FrameFormat::ALL.into_iter().find(|format| format.extension() == extension)?;
        let is_ours = name == plain || format != FrameFormat::Vtk;
        (is_ours && self.file(number, format) == plain).then_some((number, format))
    }
}

/// The time and the file of each frame that exists as VTK.
#[derive(Debug)]
struct PvdIndex {
    names: SeriesFileNames,
    entries: Vec<(f64, String)>,
}

impl PvdIndex {
    fn new(names: SeriesFileNames) -> Self {
        PvdIndex { names, entries: Vec::new() }
    }

    /// Returns the frames of these times that exist; an error if one is named in the index and missing.
    fn existing(run: &Path, names: SeriesFileNames, times: &[f64]) -> Result<Self, Error> {
        let in_index = names_in_index(run, names.index)?;
        let mut index = PvdIndex::new(names);
        for (number, &time) in times.iter().enumerate() {
            let file = names.file(number, FrameFormat::Vtk);
            // A run may have asked for other formats before.
            let path = Path::new("frames").join(&file);
            if is_results_file(run, &path)? {
                index.entries.push((time, file));
            } else if in_index.contains(&file) {
                let file = excerpt::file_name(&run.join(path));
                return Err(Error::MissingFrame { file, count: times.len() });
            }
        }
        Ok(index)
    }

    fn add(&mut self, time: f64, number: usize) {
        self.entries.push((time, self.names.file(number, FrameFormat::Vtk)));
    }

    /// Writes the index if it is wanted, names something or exists already.
    fn write(&self, folder: &Path, wanted: bool) -> Result<(), Error> {
        let path = folder.join(self.names.index);
        if !wanted && self.entries.is_empty() && !path.exists() {
            return Ok(());
        }
        let entries = self.entries.iter().map(|(time, file)| (*time, file.as_str()));
        write_atomically(&path, |out| write_pvd(out, entries))
    }
}

/// Returns the files that an index names; none if there is no index.
fn names_in_index(run: &Path, index: &str) -> Result<BTreeSet<String>, Error> {
    let path = Path::new("frames").join(index);
    if !is_results_file(run, &path)? {
        return Ok(BTreeSet::new());
    }
    let bytes = read_results_file(run, &path, u64::MAX)?;
    let text = String::from_utf8_lossy(&bytes);
    let files = text.split("file=\"").skip(1).filter_map(|rest| rest.split('"').next());
    Ok(files.map(str::to_owned).collect())
}

/// Returns the files in a folder that have the names of frames or of their indices.
fn files_of_series(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let is_index = |name: &str| ALL.iter().any(|names| names.index == name);
    let ours = move |name: &str| is_index(name) || frame_number_of(name).is_some();
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .filter(move |entry| entry.file_name().to_str().is_some_and(ours))
        .map(|entry| entry.path())
}

/// Returns the number in the name of a frame's file; `None` for every other name.
fn frame_number_of(name: &str) -> Option<usize> {
    ALL.into_iter().find_map(|names| names.number_of(name)).map(|(number, _)| number)
}
