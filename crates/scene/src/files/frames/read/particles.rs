//! The particles of a frame, for whoever asks for positions and radii alone.

use super::frame_table::FrameTable;
use super::problem::FrameReadProblem;
use super::{RecordedFrame, bytes, check_positions, table_of, vectors};
use crate::files::{FrameFormat, LONGEST, parse_xyz};
use crate::{Error, ParticleSet, Particles, excerpt};
use carom_geometry::{Boundary, Sphere, Vector};
use std::path::Path;

impl RecordedFrame {
    /// Its positions and radii, in the plane or in space, with the periods of its box.
    pub fn particles(&self) -> Result<Particles, Error> {
        parse_frame_particles(&bytes(&self.run, &self.path, LONGEST)?, &self.path, self.format)
    }
}

/// The particles of a frame, from the bytes of a file of that name: positions and radii, which are all that is needed,
/// and the periods of the box. LAMMPS dumps of others are read too; they may have a diameter instead of a radius.
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

/// Takes positions and radii out.
pub(super) fn particles(table: &mut FrameTable) -> Result<Particles, FrameReadProblem> {
    let positions = vectors(table.take_expected("position", 3)?);
    let radii = radii(table)?;
    check_positions(&positions, &radii)?;
    match table.is_flat && positions.iter().all(|place| place.z == 0.0) {
        true => set::<2>(&positions, &radii, &table.periods).map(Particles::Discs),
        false => set::<3>(&positions, &radii, &table.periods).map(Particles::Spheres),
    }
}

/// Of particles that others wrote there may be diameters.
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
