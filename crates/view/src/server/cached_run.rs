//! Responses to the requests of pages, with a cache of packed frames, which players request again.

use super::response::HttpResponse;
use crate::manifest::Manifest;
use crate::overlay::FrameOverlay;
use crate::run::FrameVersion;
use crate::{Error, Run, page};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Largest size of the cache, in bytes.
const MOST_BYTES: usize = 256 << 20;

/// A run and its packed frames.
pub struct CachedRun {
    current: Mutex<OpenedRun>,
    script: String,
    cache: Mutex<PackedFrameCache>,
    /// Held while a frame is packed: one at a time, or many requests would take many times the memory.
    packing: Mutex<()>,
    /// Held while a run is opened again, which takes time.
    opening: Mutex<()>,
}

/// The run in the folder, and the number of times that it was replaced since the server started.
#[derive(Clone)]
struct OpenedRun {
    run: Arc<Run>,
    edition: u32,
}

/// Packed frames, the newest at the end.
#[derive(Default)]
struct PackedFrameCache {
    entries: VecDeque<(PackedFrameKey, Arc<Vec<u8>>)>,
    bytes: usize,
}

/// Key of a packed frame: edition of the run, overlay if it is one, frame number, and version of the frame's file.
type PackedFrameKey = (u32, Option<FrameOverlay>, usize, FrameVersion);

impl CachedRun {
    pub fn new(run: Run) -> Self {
        CachedRun {
            current: Mutex::new(OpenedRun { run: Arc::new(run), edition: 0 }),
            script: page::script(),
            cache: Mutex::default(),
            packing: Mutex::default(),
            opening: Mutex::default(),
        }
    }

    fn current_run(&self) -> OpenedRun {
        locked(&self.current).clone()
    }

    /// The run, opened again if it was replaced since the last call.
    fn reopened_run(&self) -> OpenedRun {
        let _one = locked(&self.opening);
        let OpenedRun { run, edition } = self.current_run();
        if let Some(run) = run.replacement_run() {
            run.sample_column_ranges();
            *locked(&self.current) = OpenedRun { run: Arc::new(run), edition: edition + 1 };
        }
        self.current_run()
    }

    /// The response to a path. Paths are compared with known names and never become paths of files.
    pub fn respond(&self, path: &str) -> HttpResponse {
        let words: Vec<&str> = path.split('/').collect();
        match words[..] {
            ["", ""] => HttpResponse::text("text/html; charset=utf-8", page::DOCUMENT),
            ["", "viewer.js"] => {
                HttpResponse::text("text/javascript; charset=utf-8", &*self.script)
            }
            ["", "style.css"] => HttpResponse::text("text/css; charset=utf-8", page::STYLE),
            ["", "run.json"] => HttpResponse::text("application/json", self.manifest()),
            ["", "shapes.json"] => {
                HttpResponse::text("application/json", self.current_run().run.shapes_json())
            }
            ["", "log.csv"] => match self.current_run().run.log() {
                Some(log) => HttpResponse::text("text/csv; charset=utf-8", log),
                None => HttpResponse::error_response(404, "the run has no log"),
            },
            ["", "frame", number] => self.arrays(None, number),
            ["", "overlay", name, number] => match FrameOverlay::named(name) {
                Some(overlay) => self.arrays(Some(overlay), number),
                None => not_found(),
            },
            _ => not_found(),
        }
    }

    fn manifest(&self) -> String {
        let OpenedRun { run, edition } = self.reopened_run();
        // Before the frames are listed: the last frame may be written in between.
        let finished = run.is_finished();
        run.refresh();
        let frames: Vec<usize> = (0..run.frame_count()).collect();
        Manifest { edition, ..run.manifest(&frames, finished) }.json()
    }

    fn arrays(&self, overlay: Option<FrameOverlay>, number: &str) -> HttpResponse {
        let is_number =
            (1..=9).contains(&number.len()) && number.bytes().all(|it| it.is_ascii_digit());
        let Some(number) = number.parse().ok().filter(|_| is_number) else { return not_found() };
        match self.packed_frame(overlay, number) {
            Ok(bytes) => HttpResponse::arrays(bytes),
            Err(error @ Error::NoFrame { .. }) => {
                HttpResponse::error_response(404, error.to_string())
            }
            Err(error) => HttpResponse::error_response(422, error.to_string()),
        }
    }

    fn packed_frame(
        &self,
        overlay: Option<FrameOverlay>,
        number: usize,
    ) -> Result<Arc<Vec<u8>>, Error> {
        let OpenedRun { run, edition } = self.current_run();
        let key = (edition, overlay, number, run.frame_version(number)?);
        if let Some(bytes) = locked(&self.cache).find(&key) {
            return Ok(bytes);
        }
        let _one = locked(&self.packing);
        // Another thread may have packed it meanwhile.
        if let Some(bytes) = locked(&self.cache).find(&key) {
            return Ok(bytes);
        }
        let bytes = Arc::new(match overlay {
            None => run.frame(number)?,
            Some(overlay) => run.overlay(overlay, number)?,
        });
        locked(&self.cache).insert(key, bytes.clone());
        Ok(bytes)
    }
}

impl PackedFrameCache {
    fn find(&self, key: &PackedFrameKey) -> Option<Arc<Vec<u8>>> {
        let found = self.entries.iter().find(|(known, _)| known == key);
        found.map(|(_, bytes)| bytes.clone())
    }

    fn insert(&mut self, key: PackedFrameKey, bytes: Arc<Vec<u8>>) {
        self.bytes += bytes.len();
        self.entries.push_back((key, bytes));
        while self.bytes > MOST_BYTES
            && let Some((_, old)) = self.entries.pop_front()
        {
            self.bytes -= old.len();
        }
    }
}

/// Locks a mutex whose content is consistent even if a thread panicked while holding it.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn not_found() -> HttpResponse {
    HttpResponse::error_response(404, "there is no such path")
}
