//! Particles as extended XYZ.

use super::row_buffer::RowBuffer;
use crate::ParticleSet;
use std::io::{self, Write};

/// Writes particles as one frame of extended XYZ, which OVITO and ASE open; [`parse_xyz`](crate::parse_xyz)
/// gives back the same bits and the same boundary.
///
/// Discs are written with a third coordinate of zero, because viewers expect three, and an entry `dimension=2` for our
/// reader. If any axis is periodic there is a `Lattice`; on an open axis it spans the particles, for the viewer only.
///
/// ```
/// use carom_geometry::Sphere;
/// use carom_io::{ParticleSet, write_xyz};
/// let mut text = Vec::new();
/// write_xyz(&mut text, &ParticleSet::open(vec![Sphere::new([1.0, 2.0], 0.5)]))?;
/// assert_eq!(
///     String::from_utf8_lossy(&text),
///     "1\nProperties=species:S:1:pos:R:3:radius:R:1 pbc=\"F F F\" dimension=2\nX 1.0 2.0 0 0.5\n"
/// );
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn write_xyz<const D: usize>(
    out: &mut (impl Write + ?Sized),
    set: &ParticleSet<D>,
) -> io::Result<()> {
    let mut rows = RowBuffer::new(out);
    rows.text(&set.spheres.len().to_string());
    rows.end_row()?;
    write_comment(&mut rows, set);
    rows.end_row()?;
    for sphere in &set.spheres {
        rows.text("X ");
        rows.numbers(sphere.center.iter().copied(), " ");
        rows.text(if D == 2 { " 0 " } else { " " });
        rows.number(sphere.radius);
        rows.end_row()?;
    }
    rows.finish()
}

fn write_comment<const D: usize, W: Write + ?Sized>(rows: &mut RowBuffer<W>, set: &ParticleSet<D>) {
    if set.boundary.is_periodic() {
        write_lattice(rows, set);
    }
    rows.text("Properties=species:S:1:pos:R:3:radius:R:1 pbc=\"");
    let periodic = |axis| axis < D && set.boundary.period(axis).is_some();
    for axis in 0..3 {
        rows.text(if axis > 0 { " " } else { "" });
        rows.text(if periodic(axis) { "T" } else { "F" });
    }
    rows.text(if D == 2 { "\" dimension=2" } else { "\"" });
}

fn write_lattice<const D: usize, W: Write + ?Sized>(rows: &mut RowBuffer<W>, set: &ParticleSet<D>) {
    let sides = set.extent();
    let mut lengths = [1.0; 3];
    let mut origin = [0.0; 3];
    for axis in 0..D {
        let open_length = sides.size()[axis];
        match set.boundary.period(axis) {
            Some(period) => lengths[axis] = period,
            None if open_length > 0.0 => {
                (lengths[axis], origin[axis]) = (open_length, sides.low[axis]);
            }
            None => {}
        }
    }
    rows.text("Lattice=\"");
    let edges = (0..9).map(|index| if index % 4 == 0 { lengths[index / 4] } else { 0.0 });
    rows.numbers(edges, " ");
    rows.text("\" Origin=\"");
    rows.numbers(origin, " ");
    rows.text("\" ");
}
