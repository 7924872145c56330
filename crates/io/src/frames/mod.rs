//! Frames of a run, for viewers: VTK for ParaView, extended XYZ and LAMMPS dump for OVITO.
//!
//! Discs are written with a third coordinate of zero in all of them. In ParaView show the bodies as "Point Gaussian" or
//! as a sphere glyph scaled by `radius` (factor 2 for the glyph, whose sphere has diameter one). Bodies with shapes
//! have surfaces of their own: open `surfaces.pvd` next to `frames.pvd`; springs are lines in `springs.pvd`.

pub(super) mod byte_buffer;
mod columns;
mod contacts;
mod dump;
mod pvd;
mod read;
mod series;
mod springs;
mod surfaces;
mod vtk_array;
mod vtp;
mod walls;
mod xyz;
mod zlib_blocks;

pub use columns::FrameColumns;
pub use contacts::write_contacts_vtp;
pub use dump::write_frame_dump;
pub(super) use read::parse_bodies;
pub use read::{
    FrameFileProblem, FrameHeader, RecordedFrame, RunFrameSelector, parse_frame,
    parse_frame_particles, parse_frame_springs, recorded_frames,
};
pub use series::FrameSeries;
pub use springs::write_springs_vtp;
pub use surfaces::write_surfaces_vtp;
pub use vtp::write_frame_vtp;
pub use walls::write_walls_vtp;
pub use xyz::write_frame_xyz;

use crate::{AxisExtent, Frame};
use flate2::Compression;
use flate2::write::GzEncoder;
use schemars::JsonSchema;
use serde::Deserialize;
use std::io::{self, Write};

/// A format of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FrameFormat {
    /// VTK PolyData in XML with raw binary data and an index of all frames, for ParaView.
    Vtk,
    /// Extended XYZ, text, for OVITO and ASE.
    Xyz,
    /// LAMMPS dump, text.
    Lammps,
}

impl FrameFormat {
    /// Every format.
    pub const ALL: [FrameFormat; 3] = [FrameFormat::Vtk, FrameFormat::Xyz, FrameFormat::Lammps];

    /// Returns the extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            FrameFormat::Vtk => "vtp",
            FrameFormat::Xyz => "xyz",
            FrameFormat::Lammps => "dump",
        }
    }
}

/// Writes a frame in the given format; see [`FrameSeries`] for all frames of a run.
pub fn write_frame<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    format: FrameFormat,
) -> io::Result<()> {
    match format {
        FrameFormat::Vtk => write_frame_vtp(out, frame),
        FrameFormat::Xyz => write_frame_xyz(out, frame),
        FrameFormat::Lammps => write_frame_dump(out, frame),
    }
}

/// Columns and compression of frames.
#[derive(Clone, Debug, Default)]
struct FrameWriteOptions {
    columns: FrameColumns,
    compressed: bool,
}

/// As [`write_frame`], with selected columns, and compressed as viewers know it: arrays of VTK by zlib, text by gzip.
fn write_frame_as<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    format: FrameFormat,
    how: &FrameWriteOptions,
) -> io::Result<()> {
    if format == FrameFormat::Vtk {
        return vtp::write(out, frame, how);
    }
    if how.compressed {
        let mut encoder = GzEncoder::new(out, Compression::default());
        write_text(&mut encoder, frame, format, &how.columns)?;
        return encoder.finish()?.flush();
    }
    write_text(out, frame, format, &how.columns)
}

fn write_text<const D: usize>(
    out: &mut (impl Write + ?Sized),
    frame: &Frame<D>,
    format: FrameFormat,
    columns: &FrameColumns,
) -> io::Result<()> {
    match format {
        FrameFormat::Xyz => xyz::write(out, frame, columns),
        _ => dump::write(out, frame, columns),
    }
}

/// Refuses an inconsistent frame, whatever the format.
fn check<const D: usize>(frame: &Frame<D>) -> io::Result<()> {
    frame.check().map_err(|problem| io::Error::new(io::ErrorKind::InvalidInput, problem))
}

/// Returns a point in 3D; discs lie in the plane `z = 0`.
fn embed_in_space<const D: usize>(vector: &carom_geometry::Vector<D>) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { vector[axis] } else { 0.0 })
}

/// Returns the low and the high corner of the region for viewers: three edges, none of them zero.
fn box_in_space<const D: usize>(frame: &Frame<D>) -> [[f64; 3]; 2] {
    let sides = frame.bounds();
    let (mut low, mut high) = ([-0.5; 3], [0.5; 3]);
    for axis in 0..D {
        (low[axis], high[axis]) = (sides.low[axis], sides.high[axis]);
        if high[axis] <= low[axis] {
            high[axis] = low[axis] + 1.0;
        }
    }
    [low, high]
}

/// Returns the index of a shape, -1 for none.
fn shape_number(shape: &Option<u32>) -> i64 {
    shape.map_or(-1, i64::from)
}

/// Whether an axis has open sides.
fn is_open<const D: usize>(frame: &Frame<D>, axis: usize) -> bool {
    frame.region.get(axis) == Some(&AxisExtent::Open)
}

fn is_periodic<const D: usize>(frame: &Frame<D>, axis: usize) -> bool {
    frame.region.get(axis).is_some_and(|span| span.period().is_some())
}

#[cfg(test)]
mod tests;
