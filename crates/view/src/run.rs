//! The results of a run, ready to be shown, finished or still being written.

use crate::clip_box::clip_box;
use crate::error::Error;
use crate::manifest::{Manifest, ManifestFrame, ManifestQuantity, shapes_json};
use crate::overlay::{self, FrameOverlay, OverlayDomain};
use crate::ranges::ColumnRanges;
use crate::run_geometry::{RunGeometry, frame_bounds};
use crate::{columns, missing_frames, packed_frame, walls};
use carom::geometry::Aabb;
use carom::io::{
    Frame, FrameHeader, RecordedFrame, is_results_file, read_results_file, recorded_frames,
};
use carom::run::RunFolder;
use carom::simulate::{Quantity, quantity};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Number of frames read before the first is shown, so that color ranges fit the whole run.
const SAMPLED_FRAMES: usize = 12;
/// Larger frames, in bytes, are not read before they are requested.
const LARGEST_SAMPLED_FRAME: u64 = 64 << 20;
/// Longer logs, in bytes, are not shown.
const LONGEST_LOG: u64 = 256 << 20;
/// The names of the columns of a log are within its first bytes.
const LONGEST_LOG_HEADER: u64 = 1 << 16;

/// The results of a run in its folder.
///
/// ```no_run
/// let run = carom_view::Run::open("drum.run".as_ref())?;
/// println!("{} frames", run.frame_count());
/// # Ok::<(), carom_view::Error>(())
/// ```
#[derive(Debug)]
pub struct Run {
    folder: PathBuf,
    title: String,
    geometry: RunGeometry,
    /// Box at which infinite walls are clipped.
    clip_box: Aabb<3>,
    /// Length and modification time of the first frame's file.
    first_frame_version: FileVersion,
    /// Bounds of the bodies in the first frame.
    initial_bounds: Aabb<3>,
    /// Column ranges of the first and the last frame.
    first_and_last_ranges: ColumnRanges,
    catalog: Mutex<FrameCatalog>,
}

/// What is known of the frames so far.
#[derive(Debug, Default)]
struct FrameCatalog {
    entries: Vec<FrameCatalogEntry>,
    ranges: ColumnRanges,
    /// Faults of frames, in sentences, each once.
    faults: BTreeSet<String>,
}

/// A frame of the run.
#[derive(Clone, Debug)]
struct FrameCatalogEntry {
    recorded: RecordedFrame,
    version: FrameVersion,
    /// Header of the frame; none if it is damaged.
    head: Option<FrameHeader>,
}

/// Identifies the state of a frame's files; changes whenever they do.
pub(crate) type FrameVersion = (u64, Option<SystemTime>, bool);
/// Length and modification time of a file.
type FileVersion = (u64, Option<SystemTime>);

impl Run {
    /// Opens the folder of a run; returns an error if it has no frame.
    pub fn open(folder: &Path) -> Result<Self, Error> {
        let path = folder.display().to_string();
        if !folder.is_dir() {
            let what = if folder.exists() { "a file" } else { "not there" };
            return Err(Error::NoFolder { path, what });
        }
        let frames = recorded_frames(folder)?;
        if frames.is_empty() {
            return Err(Error::NoFrames { path, remedy: remedy(folder) });
        }
        let shapeless = |frame: &RecordedFrame| frame.read(&[]).ok();
        let first = frames.iter().take(3).find_map(shapeless);
        let last = frames.last().filter(|_| frames.len() > 1).and_then(shapeless);
        let mut surroundings = RunGeometry::read(folder, first.as_ref());
        let log = is_results_file(folder, "log.csv").err().map(|error| error.to_string());
        surroundings.messages.extend(log);
        let start = first.as_ref().map_or_else(Aabb::empty, frame_bounds);
        let end = last.as_ref().map_or(start, frame_bounds);
        let bodies = start.union(&end);
        let mut outer = ColumnRanges::default();
        for frame in first.iter().chain(&last) {
            outer.include(&columns::frame_columns(frame));
        }
        let run = Run {
            title: title(folder),
            clip_box: clip_box(
                &surroundings.box_bounds(&start).unwrap_or(bodies),
                surroundings.walls.iter().flat_map(|stage| &stage.walls),
            ),
            folder: folder.to_owned(),
            first_frame_version: file_version(&frames[0]),
            initial_bounds: start,
            first_and_last_ranges: outer,
            geometry: surroundings,
            catalog: Mutex::default(),
        };
        run.refresh();
        Ok(run)
    }

    /// Number of frames so far.
    pub fn frame_count(&self) -> usize {
        self.catalog().entries.len()
    }

    fn catalog(&self) -> MutexGuard<'_, FrameCatalog> {
        // Every update of the catalog leaves it consistent, so a poisoned lock is no problem.
        self.catalog.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Updates the catalog with frames that were added or replaced since the last call.
    pub(crate) fn refresh(&self) {
        // Listed under the lock, or an older list could replace a newer one.
        let mut seen = self.catalog();
        let Ok(frames) = recorded_frames(&self.folder) else { return };
        let FrameCatalog { entries: known, faults, .. } = &mut *seen;
        let mut known = known.iter().peekable();
        let mut entries = Vec::with_capacity(frames.len());
        for recorded in frames {
            while known.next_if(|entry| entry.recorded.number < recorded.number).is_some() {}
            let stamp = frame_version(&recorded);
            let same = known.next_if(|entry| entry.recorded == recorded && entry.version == stamp);
            entries.push(same.cloned().unwrap_or_else(|| {
                let head = recorded.header();
                let head = head.map_err(|error| faults.insert(error.to_string())).ok();
                FrameCatalogEntry { recorded, version: stamp, head }
            }));
        }
        seen.entries = entries;
    }

    /// Reads some frames, evenly spread over the run, to find the ranges of columns.
    pub(crate) fn sample_column_ranges(&self) {
        let entries = {
            let mut seen = self.catalog();
            seen.ranges = self.first_and_last_ranges.clone();
            seen.entries.clone()
        };
        let step = entries.len().div_ceil(SAMPLED_FRAMES).max(1);
        for entry in entries.iter().rev().step_by(step) {
            if entry.version.0 <= LARGEST_SAMPLED_FRAME
                && let Ok(frame) = self.read(entry)
            {
                self.catalog().ranges.include(&columns::frame_columns(&frame));
            }
        }
    }

    fn read(&self, entry: &FrameCatalogEntry) -> Result<Frame<3>, Error> {
        let frame = entry.recorded.read(&self.geometry.shapes);
        frame.map_err(|error| {
            self.catalog().faults.insert(error.to_string());
            error.into()
        })
    }

    fn entry(&self, number: usize) -> Result<FrameCatalogEntry, Error> {
        let seen = self.catalog();
        let entry = seen.entries.get(number).cloned();
        entry.ok_or(Error::NoFrame { number, count: seen.entries.len() })
    }

    /// The version of a frame, which differs if its file was replaced.
    pub(crate) fn frame_version(&self, number: usize) -> Result<FrameVersion, Error> {
        Ok(frame_version(&self.entry(number)?.recorded))
    }

    /// A frame as a packed container.
    pub(crate) fn frame(&self, number: usize) -> Result<Vec<u8>, Error> {
        let frame = self.read(&self.entry(number)?)?;
        let columns = columns::frame_columns(&frame);
        let (dimension, walls) = (self.geometry.dimension, &self.geometry.walls);
        let walls = walls::wall_geometry_at(walls, frame.time, dimension, &self.clip_box);
        let packed = packed_frame::pack_frame(&frame, &columns, &walls);
        let mut seen = self.catalog();
        seen.ranges.include(&columns);
        for column in packed.dropped_columns {
            seen.faults.insert(format!(
                "frame {number}: \"{column}\" has numbers that are not finite and is left out"
            ));
        }
        Ok(packed.bytes)
    }

    /// An overlay of a frame as a packed container.
    pub(crate) fn overlay(&self, overlay: FrameOverlay, number: usize) -> Result<Vec<u8>, Error> {
        let frame = self.read(&self.entry(number)?)?;
        let bodies = frame_bounds(&frame);
        let sides = self.geometry.box_bounds(&bodies).unwrap_or(bodies);
        let place = OverlayDomain {
            dimension: self.geometry.dimension,
            box_bounds: &sides,
            periods: self.geometry.periods(),
        };
        let packed = overlay::pack_overlay(overlay, &frame, &place);
        let overlay = overlay.name();
        packed.map_err(|reason| Error::Overlay { overlay, frame: number, reason })
    }

    /// The manifest of these frames.
    pub(crate) fn manifest(&self, frames: &[usize], finished: bool) -> Manifest {
        let seen = self.catalog();
        let frames: Vec<ManifestFrame> = (frames.iter())
            .filter_map(|&number| seen.entries.get(number))
            .map(|entry| ManifestFrame {
                time: entry.head.map(|head| head.time),
                bodies: entry.head.map_or(0, |head| head.bodies),
            })
            .collect();
        let dimension = self.geometry.dimension;
        let fits = frames.iter().any(|frame| FrameOverlay::fits(frame.bodies, dimension));
        let overlays =
            FrameOverlay::ALL.into_iter().filter(|_| fits).map(FrameOverlay::name).collect();
        let missing = missing_frames::missing_frames_message(
            seen.entries.iter().map(|entry| entry.recorded.number),
        );
        let all = self.geometry.messages.iter().chain(&missing).chain(&seen.faults);
        let messages = all.cloned().collect();
        Manifest {
            carom: env!("CARGO_PKG_VERSION"),
            title: self.title.clone(),
            engine: self.geometry.engine,
            dimension,
            finished,
            edition: 0,
            box_bounds: self.geometry.manifest_box(&self.initial_bounds),
            frames,
            columns: seen.ranges.list(self.geometry.default_column),
            quantities: self.log_quantities(),
            overlays,
            messages,
        }
    }

    /// Shapes of bodies as JSON.
    pub(crate) fn shapes_json(&self) -> String {
        shapes_json(&self.geometry.manifest_shapes())
    }

    /// Opens the run that is in the folder now, if its first frame was written after this one was opened. A resumed run
    /// keeps its first frame.
    pub(crate) fn replacement_run(&self) -> Option<Run> {
        let first = recorded_frames(&self.folder).ok()?.first().map(file_version)?;
        if first != self.first_frame_version { Run::open(&self.folder).ok() } else { None }
    }

    /// Whether no process writes into the folder any more.
    pub(crate) fn is_finished(&self) -> bool {
        !RunFolder::new(&self.folder).is_in_use()
    }

    /// The text of `log.csv`, if there is one.
    pub(crate) fn log(&self) -> Option<String> {
        // One byte more than allowed, to detect longer logs.
        let bytes = read_results_file(&self.folder, "log.csv", LONGEST_LOG + 1).ok()?;
        if bytes.len() as u64 > LONGEST_LOG {
            return None;
        }
        let text = String::from_utf8(bytes);
        Some(text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// Unit and meaning of the columns of the log that are in the table of quantities.
    fn log_quantities(&self) -> Vec<ManifestQuantity> {
        let start = read_results_file(&self.folder, "log.csv", LONGEST_LOG_HEADER);
        let start = start.unwrap_or_default();
        let text = String::from_utf8_lossy(&start);
        let names = text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
        let known = names.split(',').filter_map(|column| {
            let Quantity { unit, meaning, .. } = *quantity(column.trim())?;
            Some(ManifestQuantity { column: column.trim().to_owned(), unit, meaning })
        });
        known.collect()
    }

    /// Title of the run.
    pub fn title(&self) -> &str {
        &self.title
    }
}

fn frame_version(frame: &RecordedFrame) -> FrameVersion {
    let (length, time) = file_version(frame);
    (length, time, frame.springs.is_some())
}

fn file_version(frame: &RecordedFrame) -> FileVersion {
    let file = fs::metadata(&frame.path);
    let length = file.as_ref().map_or(0, |file| file.len());
    (length, file.and_then(|file| file.modified()).ok())
}

/// The name of the folder without `.run`.
fn title(folder: &Path) -> String {
    let whole = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let name = whole.file_name().unwrap_or(whole.as_os_str()).to_string_lossy().into_owned();
    name.strip_suffix(".run").filter(|name| !name.is_empty()).unwrap_or(&name).to_owned()
}

fn remedy(folder: &Path) -> &'static str {
    if folder.join("frames").is_file() {
        "its frames is a file, where a folder should be"
    } else if folder.join("scene.toml").exists() {
        "its folder frames is empty: a run that has begun writes them soon; one whose scene has \
         output.formats = [] never does, so run it again with --set output.formats='[\"vtk\"]'"
    } else if recorded_frames(&folder.join("..")).is_ok_and(|frames| !frames.is_empty()) {
        "give the folder of the run, which is the one above"
    } else {
        "give the folder that carom run has written, such as drum.run"
    }
}
