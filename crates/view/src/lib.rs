//! Shows runs in the browser: served while they are written, or inside one page that opens anywhere.
//!
//! | want | take |
//! |---|---|
//! | the results of a run, ready to be shown | [`Run::open`] |
//! | these at an address of this machine | [`Server::start`] |
//! | one page that contains them | [`export()`] |
//! | a page of many runs | [`gallery`] |
//!
//! A page requests a manifest (JSON: title, box, times, columns), shapes, frames and overlays. Frames and overlays are
//! containers: compressed arrays of numbers after a JSON header with the offset, type and scale of each array; a
//! million spheres are some ten megabytes. The page itself, in `page/`, consists of ES modules without dependencies,
//! which are joined into one script.
//!
//! Only the content of these responses leaves the folder, and only clients on 127.0.0.1 get a response.

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
