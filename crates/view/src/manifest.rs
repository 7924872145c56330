//! The manifest of a run, which a page requests before frames.

use crate::ranges::ColumnRange;
use serde::Serialize;

/// The manifest, `run.json`.
#[derive(Debug, Serialize)]
pub struct Manifest {
    /// Version of carom that wrote the results.
    pub carom: &'static str,
    pub title: String,
    pub engine: &'static str,
    pub dimension: usize,
    /// Whether no more frames will be written.
    pub finished: bool,
    /// Number of times that the run was replaced since the server started.
    pub edition: u32,
    #[serde(rename = "box")]
    pub box_bounds: Option<ManifestBox>,
    pub frames: Vec<ManifestFrame>,
    /// Columns with their ranges; the one to show comes first.
    pub columns: Vec<ColumnRange>,
    /// What is known of the columns of the log.
    pub quantities: Vec<ManifestQuantity>,
    pub overlays: Vec<&'static str>,
    pub messages: Vec<String>,
}

/// A column of the log, as the table of quantities has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ManifestQuantity {
    pub column: String,
    pub unit: &'static str,
    pub meaning: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ManifestBox {
    pub low: [f64; 3],
    pub high: [f64; 3],
    pub periodic: [bool; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ManifestFrame {
    /// Time of the frame; none if it is damaged.
    pub time: Option<f64>,
    pub bodies: usize,
}

/// A surface relative to the origin of a body: vertex coordinates one after the other, and corners of triangles.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ManifestShape {
    pub vertices: Vec<f64>,
    pub triangles: Vec<u32>,
}

/// Shapes as JSON, `shapes.json`. They do not change, so a page requests them once.
pub fn shapes_json(shapes: &[ManifestShape]) -> String {
    serde_json::to_string(shapes).expect("shapes are lists of numbers")
}

impl Manifest {
    /// The manifest as JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a manifest is a tree of numbers and texts")
    }
}
