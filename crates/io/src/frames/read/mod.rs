//! Reading of frames that this program wrote, in every format, for viewers.

mod bodies;
mod dump;
mod frame_table;
mod particles;
mod problem;
mod recorded_frame;
mod run_frame_selector;
mod text_lines;
mod vtp;
mod xyz;

pub(crate) use bodies::parse_bodies;
pub use particles::parse_frame_particles;
pub use problem::FrameFileProblem;
pub use recorded_frame::{RecordedFrame, recorded_frames};
pub use run_frame_selector::RunFrameSelector;

use super::FrameFormat;
use crate::{Error, Frame, FrameShapes, FrameSprings, excerpt, gzip, open_results_file};
use carom_geometry::Vector;
use carom_simulate::shape::Shape;
use frame_table::FrameTable;
use problem::FrameReadProblem;
use std::io::BufReader;
use std::path::Path;

/// Largest size of a frame file, in bytes.
const LARGEST: u64 = 64 << 30;
/// Largest size of what precedes the bodies of a frame, in bytes.
const LONGEST_HEADER: u64 = 1 << 16;

/// The header of a frame, which is read without its bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameHeader {
    /// Simulated time of the frame.
    pub time: f64,
    /// Number of bodies in the frame.
    pub bodies: usize,
}

impl RecordedFrame {
    /// Returns its time and number of bodies; only the beginning of the file is read.
    pub fn header(&self) -> Result<FrameHeader, Error> {
        let bytes = bytes(&self.run, &self.path, LONGEST_HEADER)?;
        let head = match self.format {
            FrameFormat::Vtk => vtp::header(&bytes),
            FrameFormat::Xyz => xyz::header(&bytes),
            FrameFormat::Lammps => dump::header(&bytes),
        };
        head.map_err(|damage| damage.in_file(&self.path))
    }

    /// Reads all bodies, in 3D: discs lie at z = 0.
    ///
    /// `shapes` are those of the scene, to which indices in the file refer; without them bodies with shapes become
    /// their bounding spheres. VTK does not distinguish walls from open sides: sides that are not periodic are walls
    /// there. An inconsistent frame is refused.
    pub fn read(&self, shapes: &[Shape]) -> Result<Frame<3>, Error> {
        let frame = frame_of(&bytes(&self.run, &self.path, LARGEST)?, self.format, shapes);
        let mut frame = frame.map_err(|damage| damage.in_file(&self.path))?;
        frame.number = self.number as u64;
        if let Some(path) = &self.springs {
            let springs = springs_of(&bytes(&self.run, path, LARGEST)?);
            frame.springs = Some(springs.map_err(|damage| damage.in_file(path))?);
        }
        let refuse =
            |problem: crate::FrameProblem| FrameReadProblem::Unfit(problem).in_file(&self.path);
        frame.check().map_err(refuse)?;
        Ok(frame)
    }
}

/// Reads a frame, without springs, from the bytes of a file of that name; see [`RecordedFrame::read`].
pub fn parse_frame(
    bytes: &[u8],
    name: &Path,
    format: FrameFormat,
    shapes: &[Shape],
) -> Result<Frame<3>, Error> {
    let checked = frame_of(bytes, format, shapes)
        .and_then(|frame| frame.check().map(|()| frame).map_err(FrameReadProblem::Unfit));
    checked.map_err(|damage| damage.in_file(name))
}

/// Reads springs from the bytes of a VTK file of that name. Whether there are bodies at their ends is not checked.
pub fn parse_frame_springs(bytes: &[u8], name: &Path) -> Result<FrameSprings, Error> {
    springs_of(bytes).map_err(|damage| damage.in_file(name))
}

fn frame_of(
    bytes: &[u8],
    format: FrameFormat,
    shapes: &[Shape],
) -> Result<Frame<3>, FrameReadProblem> {
    frame(table_of(bytes, format)?, shapes)
}

fn table_of(bytes: &[u8], format: FrameFormat) -> Result<FrameTable, FrameReadProblem> {
    check_end(bytes, format)?;
    match format {
        FrameFormat::Vtk => vtp::bodies(bytes),
        FrameFormat::Xyz => xyz::bodies(bytes),
        FrameFormat::Lammps => dump::bodies(bytes),
    }
}

fn springs_of(bytes: &[u8]) -> Result<FrameSprings, FrameReadProblem> {
    check_end(bytes, FrameFormat::Vtk)?;
    vtp::springs(bytes)
}

/// Refuses a file with a wrong end: nothing else would reveal that a number has lost its last digits.
fn check_end(bytes: &[u8], format: FrameFormat) -> Result<(), FrameReadProblem> {
    let end = if format == FrameFormat::Vtk { "</VTKFile>\n" } else { "\n" };
    if bytes.ends_with(end.as_bytes()) {
        return Ok(());
    }
    let end = if end == "\n" { "the end of a line" } else { end.trim_end() };
    Err(FrameReadProblem::NoEnd { end, bytes: bytes.len() })
}

/// Returns at most `most` bytes of a file in a results folder, decompressed.
fn bytes(run: &Path, path: &Path, most: u64) -> Result<Vec<u8>, Error> {
    let refuse = |source| Error::CannotRead { file: excerpt::file_name(path), source };
    let file = open_results_file(run, path.strip_prefix(run).unwrap_or(path)).map_err(refuse)?;
    let bytes = gzip::read_to_end(BufReader::new(file), most).map_err(refuse)?;
    if bytes.is_empty() { Err(FrameReadProblem::Empty.in_file(path)) } else { Ok(bytes) }
}

/// Returns the frame of a table, under the names that all formats share.
fn frame(mut table: FrameTable, shapes: &[Shape]) -> Result<Frame<3>, FrameReadProblem> {
    let time = table.time.ok_or_else(|| FrameReadProblem::Missing("time".to_owned()))?;
    let positions = vectors(table.take_expected("position", 3)?);
    let radii = table.take_expected("radius", 1)?;
    check_positions(&positions, &radii)?;
    let velocities = vectors(table.take_expected("velocity", 3)?);
    let material = |number: f64| number.clamp(0.0, f64::from(u32::MAX)) as u32;
    let materials = table.take("material", 1)?;
    let ids = table.take("id", 1)?.map(ids).transpose()?.flatten();
    let turned = (table.take("shape", 1)?, table.take("orientation", 4)?);
    let shapes = match turned {
        (Some(numbers), Some(turns)) if !shapes.is_empty() => {
            Some(frame_shapes(&numbers, &turns, shapes)?)
        }
        _ => None,
    };
    Ok(Frame {
        time,
        step: table.step,
        number: 0,
        region: table.region,
        velocities,
        radii,
        masses: table.take("mass", 1)?,
        materials: materials.map(|numbers| numbers.into_iter().map(material).collect()),
        shapes,
        springs: None,
        contacts: None,
        walls: None,
        ids,
        color_by: None,
        columns: table.into_scalar_columns(),
        positions,
    })
}

/// Returns the ids of bodies, none where they are the indices.
fn ids(numbers: Vec<f64>) -> Result<Option<Vec<u32>>, FrameReadProblem> {
    if (0_u32..).zip(&numbers).all(|(index, &id)| id == f64::from(index)) {
        return Ok(None);
    }
    let id = |&number: &f64| match number >= 0.0 && number <= f64::from(u32::MAX) {
        true => Ok(number as u32),
        false => Err(FrameReadProblem::foreign(format!("{number} is the id of a body"))),
    };
    numbers.iter().map(id).collect::<Result<_, _>>().map(Some)
}

fn vectors(values: Vec<f64>) -> Vec<Vector<3>> {
    values.as_chunks::<3>().0.iter().map(|&vector| Vector::from(vector)).collect()
}

/// Largest coordinate: single precision of graphics cards ends near 1e38, and squares must not overflow.
const FARTHEST: f64 = 1e18;

/// Refuses positions and radii that cannot be shown.
fn check_positions(positions: &[Vector<3>], radii: &[f64]) -> Result<(), FrameReadProblem> {
    for (body, (position, &radius)) in positions.iter().zip(radii).enumerate() {
        let values = [position.x, position.y, position.z, radius];
        for (what, value) in ["x", "y", "z", "radius"].into_iter().zip(values) {
            let rule = match value {
                _ if !value.is_finite() => "it must be a finite number",
                _ if value.abs() > FARTHEST => "nothing beyond 1e18 can be shown",
                _ if what == "radius" && value < 0.0 => "it must not be negative",
                _ => continue,
            };
            return Err(FrameReadProblem::BodyValue { body, what, value, rule });
        }
    }
    Ok(())
}

fn frame_shapes(
    numbers: &[f64],
    turns: &[f64],
    shapes: &[Shape],
) -> Result<FrameShapes, FrameReadProblem> {
    let shape = |(body, &number): (usize, &f64)| match number {
        -1.0 => Ok(None),
        _ if number >= 0.0 && number < shapes.len() as f64 => Ok(Some(number as u32)),
        _ => Err(FrameReadProblem::Shape { body, number, count: shapes.len() }),
    };
    let is_turned =
        |turn: &[f64; 4]| (turn.iter().map(|it| it * it).sum::<f64>() - 1.0).abs() < 1e-3;
    let orientations = turns.as_chunks::<4>().0;
    if let Some(body) = orientations.iter().position(|turn| !is_turned(turn)) {
        return Err(FrameReadProblem::Orientation { body });
    }
    Ok(FrameShapes {
        list: shapes.to_vec(),
        shape_of_body: numbers.iter().enumerate().map(shape).collect::<Result<_, _>>()?,
        orientations: orientations.to_vec(),
    })
}

fn springs(mut table: FrameTable) -> Result<FrameSprings, FrameReadProblem> {
    let whole = |value: f64| value.clamp(0.0, f64::from(u32::MAX)) as u32;
    let ends = table.take_required("ends", 2)?;
    Ok(FrameSprings {
        ends: ends.as_chunks::<2>().0.iter().map(|ends| ends.map(whole)).collect(),
        strains: table.take_required("strain", 1)?,
        are_broken: table
            .take_required("broken", 1)?
            .into_iter()
            .map(|value| value != 0.0)
            .collect(),
    })
}

#[cfg(test)]
mod particle_tests;
#[cfg(test)]
mod tests;
