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
pub use sides::SidesWriter;
pub use triangulation::write_triangulation;
pub use xyz::write_xyz;

use super::Format;
use crate::Particles;
use std::io::{self, Write};

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
    }
}

#[cfg(test)]
mod tests;
