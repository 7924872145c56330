//! Writers; all write through a buffer of their own and take any [`Write`](std::io::Write).

mod cells;
mod contacts;
mod csv;
pub(super) mod row_buffer;
mod sides;
mod triangulation;
mod xyz;

pub use cells::write_cells;
pub use contacts::write_contacts;
pub use csv::write_csv;
pub use sides::{SidesColumns, SidesWriter};
pub use triangulation::write_triangulation;
pub use xyz::write_xyz;

use super::{Format, gzip, write_frame_dump, write_frame_vtp, write_whole};
use crate::{Error, Frame, ParticleSet, Particles, Span};
use carom_geometry::Vector;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::path::Path;

/// Particles of either dimension in the given format. CSV does not keep the boundary.
pub fn write_particles(
    out: &mut (impl Write + ?Sized),
    particles: &Particles,
    format: Format,
) -> io::Result<()> {
    match (particles, format) {
        (Particles::Discs(set), Format::Xyz) => write_xyz(out, set),
        (Particles::Spheres(set), Format::Xyz) => write_xyz(out, set),
        (Particles::Discs(set), Format::Csv) => write_csv(out, &set.spheres),
        (Particles::Spheres(set), Format::Csv) => write_csv(out, &set.spheres),
        (Particles::Discs(set), Format::Vtk) => write_frame_vtp(out, &at_rest(set)),
        (Particles::Spheres(set), Format::Vtk) => write_frame_vtp(out, &at_rest(set)),
        (Particles::Discs(set), Format::Lammps) => write_frame_dump(out, &at_rest(set)),
        (Particles::Spheres(set), Format::Lammps) => write_frame_dump(out, &at_rest(set)),
    }
}

/// Particles into a file, in the format that its name stands for, or else CSV, and compressed by gzip if it ends in
/// `.gz`. Returns the format.
pub fn write_particle_file(path: &Path, particles: &Particles) -> Result<Format, Error> {
    let format = Format::of_name(path).unwrap_or(Format::Csv);
    let is_packed = gzip::plain_name(path) != path;
    write_whole(path, |out| {
        if !is_packed {
            return write_particles(out, particles, format);
        }
        let mut encoder = GzEncoder::new(out, Compression::default());
        write_particles(&mut encoder, particles, format)?;
        encoder.finish().map(drop)
    })?;
    Ok(format)
}

/// A frame of these particles.
fn at_rest<const D: usize>(set: &ParticleSet<D>) -> Frame<D> {
    let span = |axis: usize| set.boundary.period(axis).map_or(Span::Open, Span::Periodic);
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
        shown: None,
        columns: Vec::new(),
    }
}

#[cfg(test)]
mod tests;
