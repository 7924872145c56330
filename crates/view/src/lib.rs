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

mod base64;
mod columns;
mod container;
mod error;
mod export;
pub mod gallery;
mod gaps;
pub mod html;
mod manifest;
mod overlay;
mod pack;
mod page;
mod quantise;
mod ranges;
mod room;
mod run;
mod segments;
mod server;
mod sha256;
mod surroundings;
mod walls;

pub use error::Error;
pub use export::{Export, Exported, export};
pub use overlay::Overlay;
pub use run::Run;
pub use server::Server;

#[cfg(test)]
mod tests;
