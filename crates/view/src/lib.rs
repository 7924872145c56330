//! Runs in the browser: served while they are written, or inside one page that opens anywhere.
//!
//! | want | take |
//! |---|---|
//! | the results of a run, ready to be shown | [`Run::open`] |
//! | them at an address of this machine | [`Server::start`] |
//! | one page that carries them | [`export()`] |
//! | a page of many runs | [`gallery`] |
//!
//! A page asks for a manifest (JSON: title, box, times, columns), for shapes, frames and overlays. Frames and
//! overlays are containers: compressed arrays of numbers behind a head of JSON that says where each lies and how its
//! numbers are scaled; a million spheres are some ten megabytes. The page itself, in `page/`, is ES modules without
//! dependencies, which are joined into one script.
//!
//! Nothing of the folder is served but what is in these answers; nothing outside 127.0.0.1 is answered.

mod clip_box;
mod clipping;
mod columns;
mod container;
mod error;
mod export;
pub mod gallery;
pub mod html;
mod manifest;
mod missing_frames;
mod overlay;
mod packed_frame;
mod page;
mod quantize;
mod ranges;
mod run;
mod run_geometry;
mod server;
mod walls;

pub use error::Error;
pub use export::{ExportOptions, ExportSummary, export};
pub use overlay::FrameOverlay;
pub use run::Run;
pub use server::Server;

#[cfg(test)]
mod tests;
