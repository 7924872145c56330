//! The bodies of a frame, with everything that a scene can use.

use super::frame_table::FrameTable;
use super::particles::particles;
use super::problem::FrameReadProblem;
use super::{RecordedFrame, bytes, table_of};
use crate::{DERIVED_COLUMNS, Error, FileBodies, FrameFormat, LONGEST};
use carom_detect::LARGEST_NUMBER;
use std::path::Path;

impl RecordedFrame {
    /// Returns its bodies, with indices of their materials and shapes in the scene of its run, and its time.
    pub fn bodies(&self) -> Result<(FileBodies, f64), Error> {
        let bytes = bytes(&self.run, &self.path, LONGEST)?;
        let time = self.header()?.time;
        Ok((parse_bodies(&bytes, &self.path, self.format)?, time))
    }
}

/// Reads everything that a scene can use; an error if there is more.
pub(crate) fn parse_bodies(
    bytes: &[u8],
    name: &Path,
    format: FrameFormat,
) -> Result<FileBodies, Error> {
    table_of(bytes, format).and_then(bodies).map_err(|damage| damage.in_file(name))
}

fn bodies(mut table: FrameTable) -> Result<FileBodies, FrameReadProblem> {
    let particles = particles(&mut table)?;
    // Ids are those of the run that has written the frame.
    table.take("id", 1)?;
    let lengths = table.region.map(|span| span.length().unwrap_or(0.0));
    let found = FileBodies {
        velocities: numbers::<3>(&mut table, "velocity")?,
        masses: numbers::<1>(&mut table, "mass")?.map(|masses| masses.concat()),
        angular_velocities: angular_velocities(&mut table)?,
        shapes: numbers::<1>(&mut table, "shape")?.map(shapes).transpose()?,
        orientations: numbers::<4>(&mut table, "orientation")?,
        materials: numbers::<1>(&mut table, "material")?.map(materials).transpose()?,
        size: lengths[..particles.dimension()].iter().all(|&it| it > 0.0).then_some(lengths),
        first_line: None,
        particles,
    };
    let unknown =
        table.columns.iter().find(|column| !DERIVED_COLUMNS.contains(&column.name.as_str()));
    match unknown {
        Some(column) => Err(FrameReadProblem::Unknown(column.name.clone())),
        None => Ok(found),
    }
}

/// Returns a column of `N` numbers per row, all of them usable.
fn numbers<const N: usize>(
    table: &mut FrameTable,
    name: &str,
) -> Result<Option<Vec<[f64; N]>>, FrameReadProblem> {
    let Some(values) = table.take(name, N)? else { return Ok(None) };
    match values.iter().find(|value| value.is_nan() || value.abs() > LARGEST_NUMBER) {
        Some(wrong) => Err(FrameReadProblem::foreign(format!("\"{name}\" is {wrong:?} somewhere"))),
        None => Ok(Some(values.as_chunks::<N>().0.to_vec())),
    }
}

/// Returns the angular velocities; in 2D about the third axis, and a missing component is zero.
fn angular_velocities(table: &mut FrameTable) -> Result<Option<Vec<[f64; 3]>>, FrameReadProblem> {
    let mut angular_velocities: Option<Vec<[f64; 3]>> = None;
    for (name, axis) in [
        ("angular_velocity", 2),
        ("angular_velocity_x", 0),
        ("angular_velocity_y", 1),
        ("angular_velocity_z", 2),
    ] {
        let Some(column) = numbers::<1>(table, name)? else { continue };
        let angular_velocities =
            angular_velocities.get_or_insert_with(|| vec![[0.0; 3]; column.len()]);
        angular_velocities
            .iter_mut()
            .zip(column)
            .for_each(|(angular_velocity, [part])| angular_velocity[axis] = part);
    }
    Ok(angular_velocities)
}

fn shapes(column: Vec<[f64; 1]>) -> Result<Vec<Option<u32>>, FrameReadProblem> {
    let shape = |[number]: [f64; 1]| match number {
        -1.0 => Ok(None),
        _ => whole_number(number, "shape").map(Some),
    };
    column.into_iter().map(shape).collect()
}

fn materials(column: Vec<[f64; 1]>) -> Result<Vec<u32>, FrameReadProblem> {
    column.into_iter().map(|[number]| whole_number(number, "material")).collect()
}

fn whole_number(number: f64, column: &str) -> Result<u32, FrameReadProblem> {
    if number >= 0.0 && number < f64::from(u32::MAX) && number.fract() == 0.0 {
        return Ok(number as u32);
    }
    Err(FrameReadProblem::foreign(format!("\"{column}\" is {number:?} somewhere")))
}
