//! Exports a run into one page: document, style, script and frames, and nothing from elsewhere.

use crate::Run;
use crate::error::Error;
use crate::html::{escaped, source_hash};
use crate::overlay::FrameOverlay;
use crate::page;
use base64::prelude::{BASE64_STANDARD, Engine};
use carom::io::write_atomically;
use rayon::prelude::*;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

/// What an exported page contains.
#[derive(Clone, Debug)]
pub struct ExportOptions {
    /// Range of frames, counted from zero in the order of the run.
    pub frames: Range<usize>,
    /// Stride: the first of these, and then every n-th.
    pub every: usize,
    /// Overlays that are packed with each frame.
    pub overlays: Vec<FrameOverlay>,
}

impl Default for ExportOptions {
    fn default() -> Self {
        ExportOptions { frames: 0..usize::MAX, every: 1, overlays: Vec::new() }
    }
}

/// Result of an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportSummary {
    /// Number of frames in the page.
    pub frames: usize,
    /// Size of the page, in bytes.
    pub bytes: u64,
    /// What could not be shown, in sentences.
    pub faults: Vec<String>,
}

/// Writes a page with a run inside, atomically: complete or not at all.
///
/// ```no_run
/// use carom_view::{ExportOptions, Run, export};
/// let run = Run::open("drum.run".as_ref())?;
/// let page = export(&run, &ExportOptions::default(), "drum.html".as_ref())?;
/// println!("{} frames in {} bytes", page.frames, page.bytes);
/// # Ok::<(), carom_view::Error>(())
/// ```
pub fn export(run: &Run, export: &ExportOptions, file: &Path) -> Result<ExportSummary, Error> {
    let count = run.frame_count();
    let Range { start, end } = export.frames;
    let frames: Vec<usize> = (start..end.min(count)).step_by(export.every.max(1)).collect();
    if frames.is_empty() {
        let end = if end == usize::MAX { String::new() } else { end.to_string() };
        return Err(Error::NoneChosen { asked: format!("{start}..{end}"), count });
    }
    let mut exported = ExportSummary { frames: frames.len(), bytes: 0, faults: Vec::new() };
    let mut shown = 0;
    let written = write_atomically(file, |out| {
        let mut counted = CountingWriter { out, bytes: 0 };
        (shown, exported.faults) = write(run, export, &frames, &mut counted)?;
        exported.bytes = counted.bytes;
        // An error makes the caller discard the file.
        if shown > 0 { Ok(()) } else { Err(io::Error::other("no frame can be shown")) }
    });
    match exported.faults.first() {
        Some(fault) if shown == 0 => {
            Err(Error::AllDamaged { count: frames.len(), fault: fault.clone() })
        }
        _ => Ok(written.map(|()| exported)?),
    }
}

/// Writes the page; returns the number of frames that can be shown, and the faults.
fn write(
    run: &Run,
    export: &ExportOptions,
    frames: &[usize],
    out: &mut impl Write,
) -> io::Result<(usize, Vec<String>)> {
    let script = page::script();
    let title = escaped(run.title());
    let document = page::DOCUMENT
        .replace(page::TITLE, &format!("{}\n<title>{title} · carom</title>", policy(&script)))
        .replace(page::STYLE_LINE, &format!("<style>{}</style>", page::STYLE));
    let (before, after) = document.split_once(page::SCRIPT_LINE).unwrap_or((&document, ""));
    out.write_all(before.as_bytes())?;
    // One frame per thread at a time, so that memory holds no more.
    let (mut shown, mut faults) = (0, Vec::new());
    for (first, group) in (0..).step_by(threads()).zip(frames.chunks(threads())) {
        let numbered: Vec<(usize, usize)> = (first..).zip(group.iter().copied()).collect();
        let parts: Vec<ExportedFrame> = numbered
            .par_iter()
            .map(|&(place, number)| exported_frame(run, export, place, number))
            .collect();
        for part in parts {
            out.write_all(part.text.as_bytes())?;
            shown += usize::from(part.is_shown);
            faults.extend(part.faults);
        }
    }
    if let Some(log) = run.log() {
        // A log has numbers and names only, but the file may have been written by anyone.
        let log = log.replace('<', "");
        writeln!(out, "<script type=\"text/csv\" id=\"carom-log\">{log}</script>")?;
    }
    let mut manifest = run.manifest(frames, true);
    // The manifest repeats the faults of frames that were collected above.
    let further = manifest.messages.iter().filter(|message| !faults.contains(message));
    let further: Vec<String> = further.cloned().collect();
    faults.extend(further);
    let overlays = export.overlays.iter().map(|overlay| overlay.name());
    manifest.overlays = overlays.filter(|name| manifest.overlays.contains(name)).collect();
    // In JSON this letter occurs within strings only, where the escape is equivalent.
    let manifest = manifest.json().replace('<', "\\u003c");
    writeln!(out, "<script type=\"application/json\" id=\"carom-run\">{manifest}</script>")?;
    let shapes = run.shapes_json();
    writeln!(out, "<script type=\"application/json\" id=\"carom-shapes\">{shapes}</script>")?;
    write!(out, "<script>{script}</script>{after}")?;
    Ok((shown, faults))
}

/// Content security policy: the page may run its own script and style, draw, and nothing else.
fn policy(script: &str) -> String {
    format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src {}; \
         style-src {}; img-src data: blob:; base-uri 'none'; form-action 'none'\">",
        source_hash(script),
        source_hash(page::STYLE)
    )
}

/// A frame and its overlays as elements of a page.
struct ExportedFrame {
    text: String,
    faults: Vec<String>,
    /// Whether the frame itself can be shown.
    is_shown: bool,
}

fn exported_frame(run: &Run, export: &ExportOptions, place: usize, number: usize) -> ExportedFrame {
    let mut parts = ExportedFrame { text: String::new(), faults: Vec::new(), is_shown: false };
    parts.add(&format!("data-frame=\"{place}\""), run.frame(number));
    parts.is_shown = parts.faults.is_empty();
    // A damaged frame has no overlays.
    let overlays = if parts.is_shown { &export.overlays[..] } else { &[] };
    for overlay in overlays {
        let name = format!("data-overlay=\"{}\" data-frame=\"{place}\"", overlay.name());
        parts.add(&name, run.overlay(*overlay, number));
    }
    parts
}

impl ExportedFrame {
    fn add(&mut self, name: &str, packed: Result<Vec<u8>, Error>) {
        self.text += &match packed {
            Ok(bytes) => {
                let text = BASE64_STANDARD.encode(&bytes);
                format!("<script type=\"text/plain\" {name}>{text}</script>\n")
            }
            Err(error) => {
                let fault = error.to_string();
                let text = escaped(&fault);
                self.faults.push(fault);
                format!("<script type=\"text/plain\" {name} data-fault=\"{text}\"></script>\n")
            }
        };
    }
}

fn threads() -> usize {
    rayon::current_num_threads().max(1)
}

/// Counts the bytes that are written.
struct CountingWriter<'a> {
    out: &'a mut dyn Write,
    bytes: u64,
}

impl Write for CountingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
