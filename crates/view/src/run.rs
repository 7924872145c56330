//! The results of a run, ready to be shown, whether or not it is still being written.

use crate::error::Error;
use crate::manifest::{Manifest, ManifestFrame, shapes_json};
use crate::overlay::{self, Overlay, Place};
use crate::ranges::Ranges;
use crate::room::room;
use crate::surroundings::{Surroundings, bounds};
use crate::{columns, gaps, pack, walls};
use carom::geometry::Aabb;
use carom::run::Folder;
use carom::scene::Frame;
use carom::scene::files::{
    FrameHead, RecordedFrame, is_results_file, read_results_file, recorded_frames,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// Frames looked at before the first is shown, so that colours fit the whole run.
const SURVEYED: usize = 12;
/// Larger frames take too long to be looked at before somebody asks for them.
const LARGEST_SURVEYED: u64 = 64 << 20;
/// Longer logs are not shown.
const LONGEST_LOG: u64 = 256 << 20;

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
    surroundings: Surroundings,
    /// Where what has no end is cut.
    room: Aabb<3>,
    /// When its first frame was written, and how long it is.
    first: Written,
    /// What the bodies take up in the first frame.
    start: Aabb<3>,
    /// Ranges of the first frame and the last.
    outer: Ranges,
    seen: Mutex<Seen>,
}

/// What is known of the frames so far.
#[derive(Debug, Default)]
struct Seen {
    entries: Vec<Entry>,
    ranges: Ranges,
    /// In sentences; a damaged frame is told once.
    faults: BTreeSet<String>,
}

/// A frame that is there.
#[derive(Clone, Debug)]
struct Entry {
    recorded: RecordedFrame,
    stamp: Stamp,
    /// None if it is damaged.
    head: Option<FrameHead>,
}

/// Changes whenever the files of a frame do.
pub(crate) type Stamp = (u64, Option<SystemTime>, bool);
/// The length of a file, and when it was written.
type Written = (u64, Option<SystemTime>);

impl Run {
    /// Opens the folder of a run; an error if there is no frame in it.
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
        let mut surroundings = Surroundings::read(folder, first.as_ref());
        let log = is_results_file(folder, "log.csv").err().map(|error| error.to_string());
        surroundings.messages.extend(log);
        let start = first.as_ref().map_or_else(Aabb::empty, bounds);
        let end = last.as_ref().map_or(start, bounds);
        let bodies = Aabb { low: start.low.inf(&end.low), high: start.high.sup(&end.high) };
        let mut outer = Ranges::default();
        for frame in first.iter().chain(&last) {
            outer.include(&columns::of(frame));
        }
        let run = Run {
            title: title(folder),
            room: room(&surroundings.sides(&start).unwrap_or(bodies), &surroundings.walls),
            folder: folder.to_owned(),
            first: written(&frames[0]),
            start,
            outer,
            surroundings,
            seen: Mutex::default(),
        };
        run.refresh();
        Ok(run)
    }

    /// How many frames there are by now.
    pub fn frame_count(&self) -> usize {
        self.seen().entries.len()
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        // What is kept there is whole at any moment.
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks for frames that have come, or were replaced, since the last look.
    pub(crate) fn refresh(&self) {
        // Listed while nobody else does, or an older list could replace a newer one.
        let mut seen = self.seen();
        let Ok(frames) = recorded_frames(&self.folder) else { return };
        let Seen { entries: known, faults, .. } = &mut *seen;
        let mut known = known.iter().peekable();
        let mut entries = Vec::with_capacity(frames.len());
        for recorded in frames {
            while known.next_if(|entry| entry.recorded.number < recorded.number).is_some() {}
            let stamp = stamp(&recorded);
            let same = known.next_if(|entry| entry.recorded == recorded && entry.stamp == stamp);
            entries.push(same.cloned().unwrap_or_else(|| {
                let head = recorded.head();
                let head = head.map_err(|error| faults.insert(error.to_string())).ok();
                Entry { recorded, stamp, head }
            }));
        }
        seen.entries = entries;
    }

    /// Looks at some frames, evenly spread over the run, so that ranges of columns are known.
    pub(crate) fn survey(&self) {
        let entries = {
            let mut seen = self.seen();
            seen.ranges = self.outer.clone();
            seen.entries.clone()
        };
        let step = entries.len().div_ceil(SURVEYED).max(1);
        for entry in entries.iter().rev().step_by(step) {
            if entry.stamp.0 <= LARGEST_SURVEYED
                && let Ok(frame) = self.read(entry)
            {
                self.seen().ranges.include(&columns::of(&frame));
            }
        }
    }

    fn read(&self, entry: &Entry) -> Result<Frame<3>, Error> {
        let frame = entry.recorded.read(&self.surroundings.shapes);
        frame.map_err(|error| {
            self.seen().faults.insert(error.to_string());
            error.into()
        })
    }

    fn entry(&self, number: usize) -> Result<Entry, Error> {
        let seen = self.seen();
        let entry = seen.entries.get(number).cloned();
        entry.ok_or(Error::NoFrame { number, count: seen.entries.len() })
    }

    /// What tells a frame of a number from one that was there before.
    pub(crate) fn stamp(&self, number: usize) -> Result<Stamp, Error> {
        Ok(stamp(&self.entry(number)?.recorded))
    }

    /// A frame as the page takes it.
    pub(crate) fn frame(&self, number: usize) -> Result<Vec<u8>, Error> {
        let frame = self.read(&self.entry(number)?)?;
        let columns = columns::of(&frame);
        let (dimension, walls) = (self.surroundings.dimension, &self.surroundings.walls);
        let walls = walls::at(walls, frame.time, dimension, &self.room);
        let packed = pack::pack(&frame, &columns, &walls);
        let mut seen = self.seen();
        seen.ranges.include(&columns);
        for column in packed.left_out {
            seen.faults.insert(format!(
                "frame {number}: \"{column}\" has numbers that are not finite and is left out"
            ));
        }
        Ok(packed.bytes)
    }

    /// An overlay of a frame as the page takes it.
    pub(crate) fn overlay(&self, overlay: Overlay, number: usize) -> Result<Vec<u8>, Error> {
        let frame = self.read(&self.entry(number)?)?;
        let bodies = bounds(&frame);
        let sides = self.surroundings.sides(&bodies).unwrap_or(bodies);
        let place = Place {
            dimension: self.surroundings.dimension,
            sides: &sides,
            periods: self.surroundings.periods(),
        };
        let packed = overlay::pack(overlay, &frame, &place);
        let overlay = overlay.name();
        packed.map_err(|reason| Error::Overlay { overlay, frame: number, reason })
    }

    /// What a page must know first, of these frames.
    pub(crate) fn manifest(&self, frames: &[usize], finished: bool) -> Manifest {
        let seen = self.seen();
        let frames: Vec<ManifestFrame> = (frames.iter())
            .filter_map(|&number| seen.entries.get(number))
            .map(|entry| ManifestFrame {
                time: entry.head.map(|head| head.time),
                bodies: entry.head.map_or(0, |head| head.bodies),
            })
            .collect();
        let dimension = self.surroundings.dimension;
        let fits = frames.iter().any(|frame| Overlay::fits(frame.bodies, dimension));
        let overlays = Overlay::ALL.into_iter().filter(|_| fits).map(Overlay::name).collect();
        let missing = gaps::told(seen.entries.iter().map(|entry| entry.recorded.number));
        let told = self.surroundings.messages.iter().chain(&missing).chain(&seen.faults);
        let messages = told.cloned().collect();
        Manifest {
            carom: env!("CARGO_PKG_VERSION"),
            title: self.title.clone(),
            engine: self.surroundings.engine,
            dimension,
            finished,
            edition: 0,
            sides: self.surroundings.manifest_box(&self.start),
            frames,
            columns: seen.ranges.list(self.surroundings.shown),
            overlays,
            messages,
        }
    }

    /// Shapes of bodies, as JSON for the page.
    pub(crate) fn shapes_json(&self) -> String {
        shapes_json(&self.surroundings.drawn_shapes())
    }

    /// The run that is in the folder by now, if its first frame was written after this one was opened. One that is
    /// resumed keeps its first frame.
    pub(crate) fn made_anew(&self) -> Option<Run> {
        let first = recorded_frames(&self.folder).ok()?.first().map(written)?;
        if first != self.first { Run::open(&self.folder).ok() } else { None }
    }

    /// Whether nobody writes into the folder any more.
    pub(crate) fn is_finished(&self) -> bool {
        !Folder::new(&self.folder).is_in_use()
    }

    /// The text of `log.csv`, if there is one.
    pub(crate) fn log(&self) -> Option<String> {
        // Longer than that by a byte, so that this is noticed.
        let bytes = read_results_file(&self.folder, "log.csv", LONGEST_LOG + 1).ok()?;
        if bytes.len() as u64 > LONGEST_LOG {
            return None;
        }
        let text = String::from_utf8(bytes);
        Some(text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
    }

    /// What the run is called.
    pub fn title(&self) -> &str {
        &self.title
    }
}

fn stamp(frame: &RecordedFrame) -> Stamp {
    let (length, time) = written(frame);
    (length, time, frame.springs.is_some())
}

fn written(frame: &RecordedFrame) -> Written {
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
