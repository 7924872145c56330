//! Particles from extended XYZ; the format is described in [the module](super).

mod boundary;
mod comment;
mod properties;

use super::row_layout::{FieldAction, RowLayout, RowSlots};
use super::rows::{self, RowFormat, RowSection};
use super::{FileBodies, Velocities};
use crate::{Error, LineProblem, ParticleSet, Particles, excerpt};
use carom_geometry::{Sphere, Vector};
use comment::XyzComment;
use properties::{XyzParticleProperties, XyzPositionColumns};

/// Reads the particles of an extended XYZ file given by its bytes; `name` is its name in messages.
///
/// ```
/// use carom_io::{Particles, parse_xyz};
/// let text = b"1\nProperties=pos:R:3:radius:R:1 Lattice=\"9 0 0 0 9 0 0 0 5\" pbc=\"T T F\"\n1 2 3 4\n";
/// let Particles::Spheres(set) = parse_xyz(text, "one.xyz")? else { unreachable!() };
/// assert_eq!(set.boundary.period(0), Some(9.0));
/// assert_eq!(set.boundary.period(2), None);
/// # Ok::<(), carom_io::Error>(())
/// ```
pub fn parse_xyz(bytes: &[u8], name: &str) -> Result<Particles, Error> {
    let file = &excerpt::escape_control_characters(name);
    let XyzHeader { atoms, rows: body, comment, properties, dimension } =
        XyzHeader::of(bytes, file)?;
    match dimension {
        2 => Ok(Particles::Discs(read_frame(body, atoms, &comment, &properties)?)),
        _ => Ok(Particles::Spheres(read_frame(body, atoms, &comment, &properties)?)),
    }
}

/// Reads the velocities in the property `velo` (or `velocity`) of an extended XYZ file that [`parse_xyz`] reads; `None`
/// if it does not have it.
///
/// ```
/// use carom_io::parse_xyz_velocities;
/// let text = b"1\nProperties=pos:R:2:radius:R:1:velo:R:2\n1 2 0.5 -1 3\n";
/// assert_eq!(parse_xyz_velocities(text, "one.xyz")?, Some(vec![[-1.0, 3.0, 0.0]]));
/// # Ok::<(), carom_io::Error>(())
/// ```
pub fn parse_xyz_velocities(bytes: &[u8], name: &str) -> Result<Option<Velocities>, Error> {
    let file = &excerpt::escape_control_characters(name);
    let head = XyzHeader::of(bytes, file)?;
    if head.dimension == 2 { head.velocities::<2>() } else { head.velocities::<3>() }
}

/// Reads the positions of an extended XYZ file, which needs no radius; the same messages as [`parse_xyz`].
///
/// ```
/// use carom_io::parse_xyz_points;
/// let text = b"1\nProperties=species:S:1:pos:R:3\nFe 1 2 3\n";
/// assert_eq!(parse_xyz_points(text, "one.xyz")?[0].as_slice(), [1.0, 2.0, 3.0]);
/// # Ok::<(), carom_io::Error>(())
/// ```
pub fn parse_xyz_points(bytes: &[u8], name: &str) -> Result<Vec<Vector<3>>, Error> {
    let file = &excerpt::escape_control_characters(name);
    let XyzPreamble { atoms, rows: body, comment } = XyzPreamble::of(bytes, file)?;
    let at_comment = |problem| Error::at_line(file, 2, problem);
    let positions = XyzPositionColumns::of(&comment).map_err(at_comment)?;
    if positions.dimension(&comment).map_err(at_comment)? == 2 {
        return Err(Error::FlatPoints { file: file.clone() });
    }
    let read = read_atoms(body, atoms, positions.layout())?;
    Ok(read.into_iter().map(|sphere| sphere.center).collect())
}

/// Reads everything that a scene can use; an error if there is more.
pub(super) fn parse_bodies(bytes: &[u8], name: &str) -> Result<FileBodies, Error> {
    let file = &excerpt::escape_control_characters(name);
    let particles = parse_xyz(bytes, name)?;
    let head = XyzHeader::of(bytes, file)?;
    let at_comment = |problem| Error::at_line(file, 2, problem);
    properties::check_known(&head.comment).map_err(at_comment)?;
    let size = match head.dimension {
        2 => boundary::size::<2>(&head.comment),
        _ => boundary::size::<3>(&head.comment),
    };
    let size = size.map_err(at_comment)?;
    match head.dimension {
        2 => head.bodies::<2>(particles, size),
        _ => head.bodies::<3>(particles, size),
    }
}

/// Whether two numbers are equal up to the digits that programs leave out.
fn is_close(one: f64, other: f64, scale: f64) -> bool {
    (one - other).abs() <= 1e-6 * one.abs().max(other.abs()).max(scale)
}

/// The first two lines, and the atom lines.
struct XyzPreamble<'a> {
    atoms: usize,
    rows: RowSection<'a>,
    comment: XyzComment<'a>,
}

impl<'a> XyzPreamble<'a> {
    fn of(bytes: &'a [u8], file: &'a str) -> Result<Self, Error> {
        let at_line = |line| move |problem| Error::at_line(file, line, problem);
        let bytes = rows::without_byte_order_mark(bytes);
        if bytes.trim_ascii().is_empty() {
            return Err(Error::Empty { file: file.to_owned() });
        }
        let (first, rest) = rows::split_line(bytes).map_err(at_line(1))?;
        let atoms = atom_count(first, file)?;
        let (second, rest) = rows::split_line(rest).map_err(at_line(2))?;
        let body = RowSection { file, bytes: rest, first_line: 3 };
        let comment = XyzComment::parse(second).map_err(at_line(2))?;
        Ok(XyzPreamble { atoms, rows: body, comment })
    }
}

/// The preamble with the properties of particles.
struct XyzHeader<'a> {
    atoms: usize,
    rows: RowSection<'a>,
    comment: XyzComment<'a>,
    properties: XyzParticleProperties,
    dimension: usize,
}

impl<'a> XyzHeader<'a> {
    fn of(bytes: &'a [u8], file: &'a str) -> Result<Self, Error> {
        let at_comment = |problem| Error::at_line(file, 2, problem);
        let XyzPreamble { atoms, rows: body, comment } = XyzPreamble::of(bytes, file)?;
        let properties = XyzParticleProperties::of(&comment).map_err(at_comment)?;
        let dimension = properties.positions.dimension(&comment).map_err(at_comment)?;
        Ok(XyzHeader { atoms, rows: body, comment, properties, dimension })
    }

    fn velocities<const D: usize>(&self) -> Result<Option<Velocities>, Error> {
        let layout = self.properties.velocity_layout::<D>(&self.comment);
        let layout = layout.map_err(|problem| Error::at_line(self.rows.file, 2, problem))?;
        let read = |layout| rows::read(self.rows, &XyzRows(layout));
        Ok(layout.map(read).transpose()?.map(|read| rows::centers(&read)))
    }

    fn bodies<const D: usize>(
        &self,
        particles: Particles,
        size: Option<[f64; 3]>,
    ) -> Result<FileBodies, Error> {
        let masses = self.masses::<D>()?;
        self.check_second_masses::<D>(masses.as_deref())?;
        Ok(FileBodies {
            particles,
            velocities: self.velocities_or_momenta::<D>(masses.as_deref())?,
            masses,
            angular_velocities: self.angular_velocities::<D>()?,
            shapes: self.shapes::<D>()?,
            orientations: self.columns::<D, 4>("orientation")?.map(|[x, y, z, w]| {
                (0..w.len()).map(|row| [w[row], x[row], y[row], z[row]]).collect()
            }),
            materials: self.materials::<D>()?,
            size,
            first_line: Some(self.rows.first_line),
        })
    }

    /// Returns the columns of a property.
    fn columns<const D: usize, const N: usize>(
        &self,
        name: &'static str,
    ) -> Result<Option<[Vec<f64>; N]>, Error> {
        let layouts = self.properties.column_layouts::<D>(&self.comment, name, N);
        let layouts = layouts.map_err(|problem| Error::at_line(self.rows.file, 2, problem))?;
        let Some(layouts) = layouts else { return Ok(None) };
        let mut columns = std::array::from_fn(|_| Vec::new());
        for (column, layout) in columns.iter_mut().zip(layouts) {
            *column = rows::sizes(&rows::read(self.rows, &XyzRows(layout))?);
        }
        Ok(Some(columns))
    }

    /// Returns the angular velocities; in 2D about the third axis, and a missing component is zero.
    fn angular_velocities<const D: usize>(&self) -> Result<Option<Vec<[f64; 3]>>, Error> {
        let names = if D == 2 {
            ["", "", "angular_velocity"]
        } else {
            ["angular_velocity_x", "angular_velocity_y", "angular_velocity_z"]
        };
        let mut angular_velocities: Option<Vec<[f64; 3]>> = None;
        for (axis, name) in names.into_iter().enumerate() {
            let Some([column]) = self.columns::<D, 1>(name)? else { continue };
            let angular_velocities =
                angular_velocities.get_or_insert_with(|| vec![[0.0; 3]; column.len()]);
            angular_velocities
                .iter_mut()
                .zip(column)
                .for_each(|(angular_velocity, part)| angular_velocity[axis] = part);
        }
        Ok(angular_velocities)
    }

    fn shapes<const D: usize>(&self) -> Result<Option<Vec<Option<u32>>>, Error> {
        let Some([column]) = self.columns::<D, 1>("shape")? else { return Ok(None) };
        let shape = |(row, number): (usize, f64)| {
            if number == -1.0 {
                return Ok(None);
            }
            if number >= 0.0 && number.fract() == 0.0 && number < f64::from(u32::MAX) {
                return Ok(Some(number as u32));
            }
            let rule = "it must be the number of a shape, from 0 on, or -1 for none";
            Err(self.refuse(row, "shape", number, rule))
        };
        column.into_iter().enumerate().map(shape).collect::<Result<_, _>>().map(Some)
    }

    /// Returns indices of materials, which frames have if there are several.
    fn materials<const D: usize>(&self) -> Result<Option<Vec<u32>>, Error> {
        let Some([column]) = self.columns::<D, 1>("material")? else { return Ok(None) };
        let material = |(row, number): (usize, f64)| match number {
            _ if number >= 0.0 && number.fract() == 0.0 && number < f64::from(u32::MAX) => {
                Ok(number as u32)
            }
            _ => Err(self.refuse(row, "material", number, "it must be a number of a material")),
        };
        column.into_iter().enumerate().map(material).collect::<Result<_, _>>().map(Some)
    }

    /// Returns an error if `masses`, which ASE changes, differs from `mass`.
    fn check_second_masses<const D: usize>(&self, masses: Option<&[f64]>) -> Result<(), Error> {
        let Some([column]) = self.columns::<D, 1>("masses")? else { return Ok(()) };
        let pairs = column.into_iter().zip(masses.unwrap_or_default());
        match pairs.enumerate().find(|(_, (one, other))| !is_close(*one, **other, 0.0)) {
            Some((row, (second, _))) => {
                let rule = "it must be that of the column mass; leave one of them out";
                Err(self.refuse(row, "masses", second, rule))
            }
            None => Ok(()),
        }
    }

    /// Returns the velocities, or where there are none the momenta of ASE over the masses; an error if they contradict
    /// each other.
    fn velocities_or_momenta<const D: usize>(
        &self,
        masses: Option<&[f64]>,
    ) -> Result<Option<Velocities>, Error> {
        let velocities = self.velocities::<D>()?;
        let Some(momenta) = self.columns::<D, 3>("momenta")? else { return Ok(velocities) };
        let Some(masses) = masses else {
            let rule = "momenta need a column masses, or give velo";
            return Err(self.refuse(
                0,
                "momenta",
                momenta[0].first().copied().unwrap_or(0.0),
                rule,
            ));
        };
        let over_mass = |row: usize| std::array::from_fn(|axis| momenta[axis][row] / masses[row]);
        let found: Velocities = (0..masses.len()).map(over_mass).collect();
        let Some(velocities) = velocities else { return Ok(Some(found)) };
        for (row, (one, other)) in found.iter().zip(&velocities).enumerate() {
            let largest = other.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
            if let Some(axis) = (0..D).find(|&axis| !is_close(one[axis], other[axis], largest)) {
                let rule = "it must be mass times velo; leave one of them out";
                return Err(self.refuse(row, "momenta", momenta[axis][row], rule));
            }
        }
        Ok(Some(velocities))
    }

    fn refuse(&self, row: usize, column: &str, value: f64, rule: &'static str) -> Error {
        let problem =
            LineProblem::Cell { column: column.to_owned(), value: value.to_string(), rule };
        Error::at_line(self.rows.file, self.rows.first_line + row, problem)
    }

    fn masses<const D: usize>(&self) -> Result<Option<Vec<f64>>, Error> {
        let layout = self.properties.mass_layout::<D>(&self.comment);
        let layout = layout.map_err(|problem| Error::at_line(self.rows.file, 2, problem))?;
        let read = |layout| rows::read(self.rows, &XyzRows(layout));
        Ok(layout.map(read).transpose()?.map(|read| rows::sizes(&read)))
    }
}

fn atom_count(line: &[u8], file: &str) -> Result<usize, Error> {
    let digits = line.trim_ascii();
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        let problem = LineProblem::AtomCount { value: excerpt::value(digits) };
        return Err(Error::at_line(file, 1, problem));
    }
    let add =
        |count: u64, digit: &u8| count.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
    let count = digits.iter().fold(0, add);
    rows::check_count(file, count)?;
    Ok(count as usize)
}

fn read_frame<const D: usize>(
    body: RowSection,
    atoms: usize,
    comment: &XyzComment,
    properties: &XyzParticleProperties,
) -> Result<ParticleSet<D>, Error> {
    let boundary =
        boundary::of(comment).map_err(|problem| Error::at_line(body.file, 2, problem))?;
    Ok(ParticleSet { spheres: read_atoms(body, atoms, properties.layout())?, boundary })
}

/// Reads the atoms first and counts them afterwards, so that a false count allocates no memory.
fn read_atoms<const D: usize>(
    body: RowSection,
    atoms: usize,
    layout: RowLayout<D>,
) -> Result<Vec<Sphere<D>>, Error> {
    let at_line = |line, problem| Error::at_line(body.file, line, problem);
    let result = rows::read(body, &XyzRows(layout));
    if let Some(line) = line_after_frame(body, atoms, &result) {
        return Err(at_line(line, LineProblem::SecondFrame { atoms }));
    }
    let spheres = result?;
    if spheres.len() < atoms {
        let problem = LineProblem::TooFewAtoms { promised: atoms, found: spheres.len() };
        return Err(at_line(1, problem));
    }
    Ok(spheres)
}

/// Returns the first line with content after the frame, if reading got that far.
fn line_after_frame<const D: usize>(
    body: RowSection,
    atoms: usize,
    result: &Result<Vec<Sphere<D>>, Error>,
) -> Option<usize> {
    let passed = match result {
        Ok(spheres) => spheres.len() > atoms,
        Err(Error::Line { line, .. }) => *line >= body.first_line + atoms,
        Err(_) => true,
    };
    let mut lines = body.bytes.split(|&byte| byte == b'\n').enumerate().skip(atoms);
    let content = passed.then(|| lines.find(|(_, line)| !line.trim_ascii().is_empty()))??;
    Some(body.first_line + content.0)
}

/// The atom lines: fields separated by spaces or tabs.
struct XyzRows<const D: usize>(RowLayout<D>);

impl<const D: usize> RowFormat<D> for XyzRows<D> {
    #[inline(always)]
    fn parse_fast(&self, rest: &[u8]) -> Option<(Sphere<D>, usize)> {
        let mut values = RowSlots::default();
        let mut at = 0;
        for (index, step) in self.0.actions().iter().enumerate() {
            if index > 0 && !is_blank(*rest.get(at)?) {
                return None;
            }
            match *step {
                FieldAction::Take(slot) => (values[slot], at) = plain_number(rest, at)?,
                FieldAction::Skip(count) => at = skip_words(rest, at, count)?,
            }
        }
        at = skip_blanks(rest, at);
        let length = at + rows::line_end(&rest[at..])?;
        Some((self.0.checked(&values)?, length))
    }

    fn parse_checked(&self, line: &[u8]) -> Result<Sphere<D>, LineProblem> {
        self.0.check_count(words(line).count())?;
        self.0.sphere(words(line))
    }
}

/// Splits a text at white space.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

#[inline(always)]
fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}

#[inline(always)]
fn skip_blanks(rest: &[u8], mut at: usize) -> usize {
    while at < rest.len() && is_blank(rest[at]) {
        at += 1;
    }
    at
}

#[inline(always)]
fn plain_number(rest: &[u8], at: usize) -> Option<(f64, usize)> {
    let at = skip_blanks(rest, at);
    let (number, length) = fast_float2::parse_partial(&rest[at..]).ok()?;
    Some((number, at + length))
}

/// Returns the end of `count` words; `None` if the line has fewer.
#[inline(always)]
fn skip_words(rest: &[u8], mut at: usize, count: usize) -> Option<usize> {
    for _ in 0..count {
        at = skip_blanks(rest, at);
        let length = rest[at..].iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len() - at);
        if length == 0 {
            return None;
        }
        at += length;
    }
    Some(at)
}

#[cfg(test)]
mod tests;
