//! What a page is told of a run before it asks for frames.

use crate::ranges::ColumnRange;
use serde::Serialize;

/// All that a page must know first; `run.json`.
#[derive(Debug, Serialize)]
pub struct Manifest {
    /// The version of the program.
    pub carom: &'static str,
    pub title: String,
    pub engine: &'static str,
    pub dimension: usize,
    /// Whether no more frames will come.
    pub finished: bool,
    /// Another one than before if the run was made anew meanwhile.
    pub edition: u32,
    #[serde(rename = "box")]
    pub box_bounds: Option<ManifestBox>,
    pub frames: Vec<ManifestFrame>,
    /// The one to show comes first.
    pub columns: Vec<ColumnRange>,
    pub overlays: Vec<&'static str>,
    pub messages: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ManifestBox {
    pub low: [f64; 3],
    pub high: [f64; 3],
    pub periodic: [bool; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ManifestFrame {
    /// None of a frame that is damaged.
    pub time: Option<f64>,
    pub bodies: usize,
}

/// A surface about the origin of a body: coordinates one after the other, and corners of triangles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ManifestShape {
    pub vertices: Vec<f64>,
    pub triangles: Vec<u32>,
}

/// Shapes as JSON; `shapes.json`. They do not change, so a page asks for them once.
pub fn shapes_json(shapes: &[ManifestShape]) -> String {
    serde_json::to_string(shapes).expect("shapes are lists of numbers")
}

impl Manifest {
    /// As JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a manifest is a tree of numbers and texts")
    }
}
