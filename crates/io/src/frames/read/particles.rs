//! The particles of a frame: positions and radii alone.

use super::frame_table::FrameTable;
use super::problem::FrameReadProblem;
use super::{RecordedFrame, bytes, check_positions, table_of, vectors};
use crate::{Error, FrameFormat, LONGEST, ParticleSet, Particles, excerpt, parse_xyz};
use carom_geometry::{Boundary, Sphere, Vector};
use std::path::Path;

impl RecordedFrame {
    /// Returns its positions and radii, in 2D or 3D, with the periods of its box.
    pub fn particles(&self) -> Result<Particles, Error> {
        parse_frame_particles(&bytes(&self.run, &self.path, LONGEST)?, &self.path, self.format)
    }
}

/// Reads the particles of a frame from the bytes of a file of that name: positions, radii and the periods of the box;
/// other columns are ignored. LAMMPS dumps of other programs are read too; they may have diameters instead of radii.
pub fn parse_frame_particles(
    bytes: &[u8],
    name: &Path,
    format: FrameFormat,
) -> Result<Particles, Error> {
    if format == FrameFormat::Xyz {
        return parse_xyz(bytes, &excerpt::file_name(name));
    }
    let found = table_of(bytes, format).and_then(|mut table| particles(&mut table));
    found.map_err(|damage| damage.in_file(name))
}

/// Takes positions and radii out of the table.
pub(super) fn particles(table: &mut FrameTable) -> Result<Particles, FrameReadProblem> {
    let positions = vectors(table.take_expected("position", 3)?);
    let radii = radii(table)?;
    check_positions(&positions, &radii)?;
    match table.is_flat && positions.iter().all(|place| place.z == 0.0) {
        true => set::<2>(&positions, &radii, &table.periods).map(Particles::Discs),
        false => set::<3>(&positions, &radii, &table.periods).map(Particles::Spheres),
    }
}

/// Takes the radii; files of other programs may have diameters.
fn radii(table: &mut FrameTable) -> Result<Vec<f64>, FrameReadProblem> {
    match table.take("diameter", 1)? {
        Some(diameters) if !table.has("radius") => {
            Ok(diameters.into_iter().map(|diameter| 0.5 * diameter).collect())
        }
        _ => table.take_expected("radius", 1),
    }
}

fn set<const D: usize>(
    positions: &[Vector<3>],
    radii: &[f64],
    periods: &[Option<f64>; 3],
) -> Result<ParticleSet<D>, FrameReadProblem> {
    let sphere = |(place, &radius): (&Vector<3>, &f64)| Sphere {
        center: Vector::from_fn(|axis, _| place[axis]),
        radius,
    };
    let boundary = Boundary::periodic(std::array::from_fn(|axis| periods[axis]))
        .map_err(|error| FrameReadProblem::foreign(error.to_string()))?;
    Ok(ParticleSet { spheres: positions.iter().zip(radii).map(sphere).collect(), boundary })
}
