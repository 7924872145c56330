//! Writers; all write through a buffer of their own and take any [`Write`](std::io::Write).

mod contacts;
mod containment;
mod csv;
mod laguerre_cells;
pub(super) mod row_buffer;
mod triangulation;
mod xyz;

pub use contacts::write_contacts;
pub use containment::{ContainmentCsvColumns, ContainmentCsvWriter};
pub use csv::write_csv;
pub use laguerre_cells::write_laguerre_cells;
pub use triangulation::write_triangulation;
pub use xyz::write_xyz;

use super::{ParticleFormat, gzip, write_atomically, write_frame_dump, write_frame_vtp};
use crate::{AxisExtent, Error, Frame, ParticleSet, Particles};
use carom_geometry::Vector;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::path::Path;

/// Writes particles of either dimension in the given format. CSV does not keep the boundary.
pub fn write_particles(
    out: &mut (impl Write + ?Sized),
    particles: &Particles,
    format: ParticleFormat,
) -> io::Result<()> {
    match (particles, format) {
        (Particles::Discs(set), ParticleFormat::Xyz) => write_xyz(out, set),
        (Particles::Spheres(set), ParticleFormat::Xyz) => write_xyz(out, set),
        (Particles::Discs(set), ParticleFormat::Csv) => write_csv(out, &set.spheres),
        (Particles::Spheres(set), ParticleFormat::Csv) => write_csv(out, &set.spheres),
        (Particles::Discs(set), ParticleFormat::Vtk) => write_frame_vtp(out, &at_rest(set)),
        (Particles::Spheres(set), ParticleFormat::Vtk) => write_frame_vtp(out, &at_rest(set)),
        (Particles::Discs(set), ParticleFormat::Lammps) => write_frame_dump(out, &at_rest(set)),
        (Particles::Spheres(set), ParticleFormat::Lammps) => write_frame_dump(out, &at_rest(set)),
    }
}

/// Writes particles into a file, in the format that its extension stands for, or else CSV, and compressed by gzip if it
/// ends in `.gz`. Returns the format.
pub fn write_particle_file(path: &Path, particles: &Particles) -> Result<ParticleFormat, Error> {
    let format = ParticleFormat::of_name(path).unwrap_or(ParticleFormat::Csv);
    let is_packed = gzip::uncompressed_name(path) != path;
    write_atomically(path, |out| {
        if !is_packed {
            return write_particles(out, particles, format);
        }
        let mut encoder = GzEncoder::new(out, Compression::default());
        write_particles(&mut encoder, particles, format)?;
        encoder.finish().map(drop)
    })?;
    Ok(format)
}

/// Returns a frame of these particles, at rest.
fn at_rest<const D: usize>(set: &ParticleSet<D>) -> Frame<D> {
    let span =
        |axis: usize| set.boundary.period(axis).map_or(AxisExtent::Open, AxisExtent::Periodic);
    Frame {
        time: 0.0,
        step: 0,
        number: 0,
        region: std::array::from_fn(span),
        positions: set.spheres.iter().map(|sphere| sphere.center).collect(),
        velocities: vec![Vector::zeros(); set.spheres.len()],
        radii: set.spheres.iter().map(|sphere| sphere.radius).collect(),
        masses: None,
        materials: None,
        shapes: None,
        springs: None,
        contacts: None,
        walls: None,
        ids: None,
        color_by: None,
        columns: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
