//! Particles from comma-separated values; the format is described in [the module](super).

mod columns;
mod fields;

use super::layout::{Layout, Slots, Step};
use super::rows::{self, Body, RowFormat};
use super::{FileBodies, Velocities};
use crate::{Error, LineProblem, ParticleSet, Particles, excerpt};
use carom_geometry::{Sphere, Vector};
use columns::Columns;
use fields::Fields;

/// The particles of a CSV file given by its bytes; `name` is what messages call it.
///
/// Reads about a million rows in a tenth of a second on one core, and in parallel.
///
/// ```
/// use carom_scene::files::parse_csv;
/// let particles = parse_csv(b"id,r,x,y,z\n7,0.5,1,2,3\n", "one.csv")?;
/// assert_eq!((particles.dimension(), particles.len()), (3, 1));
/// # Ok::<(), carom_scene::Error>(())
/// ```
pub fn parse_csv(bytes: &[u8], name: &str) -> Result<Particles, Error> {
    let file = &excerpt::escaped(name);
    let (header, body) = split_header(bytes, file)?;
    let columns = Columns::of(header)
        .map_err(|problem| Error::at_line(file, body.first_line - 1, problem))?;
    match columns {
        Columns::Flat(layout) => {
            let spheres = rows::read(body, &CsvRows(layout))?;
            Ok(Particles::Discs(ParticleSet::open(spheres)))
        }
        Columns::Spatial(layout) => {
            let spheres = rows::read(body, &CsvRows(layout))?;
            Ok(Particles::Spheres(ParticleSet::open(spheres)))
        }
    }
}

/// The velocities in the columns `vx`, `vy` and, in space, `vz` of a CSV file that [`parse_csv`]
/// reads; none if it has none of these columns.
///
/// ```
/// use carom_scene::files::parse_csv_velocities;
/// let velocities = parse_csv_velocities(b"x,y,r,vx,vy\n1,2,0.5,-1,3\n", "one.csv")?;
/// assert_eq!(velocities, Some(vec![[-1.0, 3.0, 0.0]]));
/// # Ok::<(), carom_scene::Error>(())
/// ```
pub fn parse_csv_velocities(bytes: &[u8], name: &str) -> Result<Option<Velocities>, Error> {
    let file = &excerpt::escaped(name);
    let (header, body) = split_header(bytes, file)?;
    let columns = Columns::of_velocities(header)
        .map_err(|problem| Error::at_line(file, body.first_line - 1, problem))?;
    Ok(match columns {
        None => None,
        Some(Columns::Flat(layout)) => Some(rows::centers(&rows::read(body, &CsvRows(layout))?)),
        Some(Columns::Spatial(layout)) => Some(rows::centers(&rows::read(body, &CsvRows(layout))?)),
    })
}

/// The points in the columns `x`, `y` and `z` of a CSV file given by its bytes; other columns are
/// passed over.
///
/// ```
/// use carom_scene::files::parse_csv_points;
/// let points = parse_csv_points(b"name,x,y,z\na,1,2,3\n", "points.csv")?;
/// assert_eq!(points[0].as_slice(), [1.0, 2.0, 3.0]);
/// # Ok::<(), carom_scene::Error>(())
/// ```
pub fn parse_csv_points(bytes: &[u8], name: &str) -> Result<Vec<Vector<3>>, Error> {
    let file = &excerpt::escaped(name);
    let (header, body) = split_header(bytes, file)?;
    let layout = Columns::of_points(header)
        .map_err(|problem| Error::at_line(file, body.first_line - 1, problem))?;
    let read = rows::read(body, &CsvRows(layout))?;
    Ok(read.into_iter().map(|sphere| sphere.center).collect())
}

/// All that a scene can use; an error if there is more.
pub(super) fn parse_bodies(bytes: &[u8], name: &str) -> Result<FileBodies, Error> {
    let file = &excerpt::escaped(name);
    let (header, body) = split_header(bytes, file)?;
    let at_header = |problem| Error::at_line(file, body.first_line - 1, problem);
    let particles = parse_csv(bytes, name)?;
    columns::check_known(header).map_err(at_header)?;
    let masses = match Columns::of_masses(header).map_err(at_header)? {
        None => None,
        Some(Columns::Flat(layout)) => Some(rows::sizes(&rows::read(body, &CsvRows(layout))?)),
        Some(Columns::Spatial(layout)) => Some(rows::sizes(&rows::read(body, &CsvRows(layout))?)),
    };
    let velocities = parse_csv_velocities(bytes, name)?;
    Ok(FileBodies {
        particles,
        velocities,
        masses,
        spins: None,
        shapes: None,
        orientations: None,
        size: None,
        first_line: body.first_line,
    })
}

/// The first line that is neither blank nor a comment, and all after it.
fn split_header<'a>(bytes: &'a [u8], file: &'a str) -> Result<(&'a [u8], Body<'a>), Error> {
    let mut bytes = rows::without_byte_order_mark(bytes);
    if bytes.trim_ascii().is_empty() {
        let file = file.to_owned();
        return Err(Error::Empty { file });
    }
    let mut first_line = 1;
    while !bytes.is_empty() {
        let (text, rest) =
            rows::split_line(bytes).map_err(|problem| Error::at_line(file, first_line, problem))?;
        first_line += 1;
        bytes = rest;
        if !text.trim_ascii().is_empty() && !text.starts_with(b"#") {
            return Ok((text, Body { file, bytes, first_line }));
        }
    }
    let file = file.to_owned();
    Err(Error::OnlyComments { file })
}

/// The rows below a header.
struct CsvRows<const D: usize>(Layout<D>);

impl<const D: usize> RowFormat<D> for CsvRows<D> {
    #[inline(always)]
    fn quick(&self, rest: &[u8]) -> Option<(Sphere<D>, usize)> {
        let mut values = Slots::default();
        let mut at = 0;
        for (index, step) in self.0.steps().iter().enumerate() {
            if index > 0 {
                at = after_comma(rest, at)?;
            }
            match *step {
                Step::Take(slot) => (values[slot], at) = plain_number(rest, at)?,
                Step::Skip(count) => at = skip_plain(rest, at, count)?,
            }
        }
        let length = at + rows::line_end(&rest[at..])?;
        Some((self.0.checked(&values)?, length))
    }

    fn careful(&self, line: &[u8]) -> Result<Sphere<D>, LineProblem> {
        let mut found = 0;
        for field in Fields::of(line) {
            field?;
            found += 1;
        }
        self.0.check_count(found)?;
        self.0.sphere(Fields::of(line).flatten())
    }
}

#[inline(always)]
fn after_comma(rest: &[u8], at: usize) -> Option<usize> {
    (*rest.get(at)? == b',').then_some(at + 1)
}

/// The number at `at` and where it ends.
#[inline(always)]
fn plain_number(rest: &[u8], mut at: usize) -> Option<(f64, usize)> {
    while *rest.get(at)? == b' ' {
        at += 1;
    }
    let (number, length) = fast_float2::parse_partial(&rest[at..]).ok()?;
    Some((number, at + length))
}

/// The end of `count` fields without quotes.
#[inline(always)]
fn skip_plain(rest: &[u8], mut at: usize, count: usize) -> Option<usize> {
    for skipped in 0..count {
        if skipped > 0 {
            at = after_comma(rest, at)?;
        }
        let special = |byte: &u8| matches!(byte, b',' | b'\n' | b'\r' | b'"');
        at += rest[at..].iter().position(special).unwrap_or(rest.len() - at);
    }
    (rest.get(at) != Some(&b'"')).then_some(at)
}

#[cfg(test)]
mod tests;
