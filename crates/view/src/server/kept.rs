//! Answers to what pages ask for; frames are kept for a while, since whoever plays a run asks for them again.

use super::answer::Answer;
use crate::manifest::Manifest;
use crate::overlay::Overlay;
use crate::run::Stamp;
use crate::{Error, Run, page};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Bytes of frames that are kept.
const MOST_BYTES: usize = 256 << 20;

/// A run and what was packed of it.
pub struct Kept {
    opened: Mutex<Opened>,
    script: String,
    packed: Mutex<Packed>,
    /// Held while a frame is packed: one at a time, or many requests would take many times the memory.
    packing: Mutex<()>,
    /// Held while a run is opened again, which takes time.
    opening: Mutex<()>,
}

/// The run in the folder, and how many were there before it since the server was started.
#[derive(Clone)]
struct Opened {
    run: Arc<Run>,
    edition: u32,
}

/// What was packed last, the newest at the end.
#[derive(Default)]
struct Packed {
    entries: VecDeque<(Key, Arc<Vec<u8>>)>,
    bytes: usize,
}

/// What was packed: of which run, a frame or one of its overlays, and from which state of its file.
type Key = (u32, Option<Overlay>, usize, Stamp);

impl Kept {
    pub fn new(run: Run) -> Self {
        Kept {
            opened: Mutex::new(Opened { run: Arc::new(run), edition: 0 }),
            script: page::script(),
            packed: Mutex::default(),
            packing: Mutex::default(),
            opening: Mutex::default(),
        }
    }

    fn opened(&self) -> Opened {
        locked(&self.opened).clone()
    }

    /// The run, opened again if it was made anew since the last time.
    fn opened_again(&self) -> Opened {
        let _one = locked(&self.opening);
        let Opened { run, edition } = self.opened();
        if let Some(run) = run.made_anew() {
            run.survey();
            *locked(&self.opened) = Opened { run: Arc::new(run), edition: edition + 1 };
        }
        self.opened()
    }

    /// The answer to a path. Paths are names of what there is and nothing else.
    pub fn answer(&self, path: &str) -> Answer {
        let words: Vec<&str> = path.split('/').collect();
        match words[..] {
            ["", ""] => Answer::text("text/html; charset=utf-8", page::DOCUMENT),
            ["", "viewer.js"] => Answer::text("text/javascript; charset=utf-8", &*self.script),
            ["", "style.css"] => Answer::text("text/css; charset=utf-8", page::STYLE),
            ["", "run.json"] => Answer::text("application/json", self.manifest()),
            ["", "shapes.json"] => {
                Answer::text("application/json", self.opened().run.shapes_json())
            }
            ["", "log.csv"] => match self.opened().run.log() {
                Some(log) => Answer::text("text/csv; charset=utf-8", log),
                None => Answer::refusal(404, "the run has no log"),
            },
            ["", "frame", number] => self.arrays(None, number),
            ["", "overlay", name, number] => match Overlay::named(name) {
                Some(overlay) => self.arrays(Some(overlay), number),
                None => not_there(),
            },
            _ => not_there(),
        }
    }

    fn manifest(&self) -> String {
        let Opened { run, edition } = self.opened_again();
        // Before the frames are listed: the last of them may come in between.
        let finished = run.is_finished();
        run.refresh();
        let frames: Vec<usize> = (0..run.frame_count()).collect();
        Manifest { edition, ..run.manifest(&frames, finished) }.json()
    }

    fn arrays(&self, overlay: Option<Overlay>, number: &str) -> Answer {
        let is_number =
            (1..=9).contains(&number.len()) && number.bytes().all(|it| it.is_ascii_digit());
        let Some(number) = number.parse().ok().filter(|_| is_number) else { return not_there() };
        match self.packed(overlay, number) {
            Ok(bytes) => Answer::arrays(bytes),
            Err(error @ Error::NoFrame { .. }) => Answer::refusal(404, error.to_string()),
            Err(error) => Answer::refusal(422, error.to_string()),
        }
    }

    fn packed(&self, overlay: Option<Overlay>, number: usize) -> Result<Arc<Vec<u8>>, Error> {
        let Opened { run, edition } = self.opened();
        let key = (edition, overlay, number, run.stamp(number)?);
        if let Some(bytes) = locked(&self.packed).find(&key) {
            return Ok(bytes);
        }
        let _one = locked(&self.packing);
        // Another may have packed it meanwhile.
        if let Some(bytes) = locked(&self.packed).find(&key) {
            return Ok(bytes);
        }
        let bytes = Arc::new(match overlay {
            None => run.frame(number)?,
            Some(overlay) => run.overlay(overlay, number)?,
        });
        locked(&self.packed).keep(key, bytes.clone());
        Ok(bytes)
    }
}

impl Packed {
    fn find(&self, key: &Key) -> Option<Arc<Vec<u8>>> {
        let found = self.entries.iter().find(|(known, _)| known == key);
        found.map(|(_, bytes)| bytes.clone())
    }

    fn keep(&mut self, key: Key, bytes: Arc<Vec<u8>>) {
        self.bytes += bytes.len();
        self.entries.push_back((key, bytes));
        while self.bytes > MOST_BYTES
            && let Some((_, old)) = self.entries.pop_front()
        {
            self.bytes -= old.len();
        }
    }
}

/// What a lock keeps, which is whole even if a thread that held it has ended in its middle.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

fn not_there() -> Answer {
    Answer::refusal(404, "there is nothing here of that name")
}
