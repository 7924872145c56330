//! Particles from comma-separated values; the format is described in [the module](super).

mod columns;
mod fields;
mod separator;

use super::row_layout::{FieldAction, RowLayout, RowSlots};
use super::rows::{self, RowFormat, RowSection};
use super::{FileBodies, Velocities};
use crate::{Error, LineProblem, ParticleSet, Particles, excerpt};
use carom_geometry::{Sphere, Vector};
use columns::{CsvColumns, CsvHeader};
use fields::CsvFields;
use separator::{Separator, names_x_and_y};

/// Reads the particles of a CSV file given by its bytes; `name` is its name in messages.
///
/// Reads about a million rows in a tenth of a second on one core, and in parallel.
///
/// ```
/// use carom_io::parse_csv;
/// let particles = parse_csv(b"id,r,x,y,z\n7,0.5,1,2,3\n", "one.csv")?;
/// assert_eq!((particles.dimension(), particles.len()), (3, 1));
/// # Ok::<(), carom_io::Error>(())
/// ```
pub fn parse_csv(bytes: &[u8], name: &str) -> Result<Particles, Error> {
    let file = &excerpt::escape_control_characters(name);
    let table = CsvTable::of(bytes, file)?;
    match CsvColumns::of(&table.header).map_err(|problem| table.refuse(problem))? {
        CsvColumns::TwoD(layout) => Ok(Particles::Discs(ParticleSet::open(table.read(layout)?))),
        CsvColumns::ThreeD(layout) => {
            Ok(Particles::Spheres(ParticleSet::open(table.read(layout)?)))
        }
    }
}

/// Reads the velocities in the columns `vx`, `vy` and, in 3D, `vz` of a CSV file that [`parse_csv`] reads; `None` if it
/// has none of these columns.
///
/// ```
/// use carom_io::parse_csv_velocities;
/// let velocities = parse_csv_velocities(b"x,y,r,vx,vy\n1,2,0.5,-1,3\n", "one.csv")?;
/// assert_eq!(velocities, Some(vec![[-1.0, 3.0, 0.0]]));
/// # Ok::<(), carom_io::Error>(())
/// ```
pub fn parse_csv_velocities(bytes: &[u8], name: &str) -> Result<Option<Velocities>, Error> {
    let file = &excerpt::escape_control_characters(name);
    let table = CsvTable::of(bytes, file)?;
    let columns =
        CsvColumns::of_velocities(&table.header).map_err(|problem| table.refuse(problem))?;
    Ok(match columns {
        None => None,
        Some(CsvColumns::TwoD(layout)) => Some(rows::centers(&table.read(layout)?)),
        Some(CsvColumns::ThreeD(layout)) => Some(rows::centers(&table.read(layout)?)),
    })
}

/// Reads the points in the columns `x`, `y` and `z` of a CSV file given by its bytes; other columns are ignored.
///
/// ```
/// use carom_io::parse_csv_points;
/// let points = parse_csv_points(b"name,x,y,z\na,1,2,3\n", "points.csv")?;
/// assert_eq!(points[0].as_slice(), [1.0, 2.0, 3.0]);
/// # Ok::<(), carom_io::Error>(())
/// ```
pub fn parse_csv_points(bytes: &[u8], name: &str) -> Result<Vec<Vector<3>>, Error> {
    let file = &excerpt::escape_control_characters(name);
    let table = CsvTable::of(bytes, file)?;
    let layout = CsvColumns::of_points(&table.header).map_err(|problem| table.refuse(problem))?;
    Ok(table.read(layout)?.into_iter().map(|sphere| sphere.center).collect())
}

/// Reads everything that a scene can use; an error if there is more.
pub(super) fn parse_bodies(bytes: &[u8], name: &str) -> Result<FileBodies, Error> {
    let file = &excerpt::escape_control_characters(name);
    let table = CsvTable::of(bytes, file)?;
    let at_header = |problem| table.refuse(problem);
    let particles = parse_csv(bytes, name)?;
    columns::check_known(&table.header).map_err(at_header)?;
    let masses = match CsvColumns::of_masses(&table.header).map_err(at_header)? {
        None => None,
        Some(CsvColumns::TwoD(layout)) => Some(rows::sizes(&table.read(layout)?)),
        Some(CsvColumns::ThreeD(layout)) => Some(rows::sizes(&table.read(layout)?)),
    };
    let velocities = parse_csv_velocities(bytes, name)?;
    Ok(FileBodies {
        particles,
        velocities,
        masses,
        angular_velocities: None,
        shapes: None,
        orientations: None,
        materials: None,
        size: None,
        first_line: Some(table.rows.first_line),
    })
}

/// A header and the rows below it.
struct CsvTable<'a> {
    header: CsvHeader<'a>,
    header_line: usize,
    rows: RowSection<'a>,
}

impl<'a> CsvTable<'a> {
    /// Finds the header: the first line that is neither blank nor a comment; or, if that line is numbers, the comment
    /// before it, as NumPy writes it.
    fn of(bytes: &'a [u8], file: &'a str) -> Result<Self, Error> {
        let mut bytes = rows::without_byte_order_mark(bytes);
        if bytes.trim_ascii().is_empty() {
            let file = file.to_owned();
            return Err(Error::Empty { file });
        }
        let mut line = 1;
        let mut comment = None;
        while !bytes.is_empty() {
            let (text, rest) =
                rows::split_line(bytes).map_err(|problem| Error::at_line(file, line, problem))?;
            if let Some(words) = text.strip_prefix(b"#") {
                comment = Some((words, line));
            } else if !text.trim_ascii().is_empty() {
                let below = RowSection { file, bytes: rest, first_line: line + 1 };
                let from_here = RowSection { file, bytes, first_line: line };
                return match comment.filter(|(words, _)| is_header(words) && is_numbers(text)) {
                    Some((words, line)) => CsvTable::with_header(words, line, from_here),
                    None => CsvTable::with_header(text, line, below),
                };
            }
            (bytes, line) = (rest, line + 1);
        }
        let file = file.to_owned();
        Err(Error::OnlyComments { file })
    }

    fn with_header(text: &'a [u8], line: usize, body: RowSection<'a>) -> Result<Self, Error> {
        let header = CsvHeader::of(text, body.bytes);
        let header = header.map_err(|problem| Error::at_line(body.file, line, problem))?;
        Ok(CsvTable { header, header_line: line, rows: body })
    }

    fn read<const D: usize>(&self, layout: RowLayout<D>) -> Result<Vec<Sphere<D>>, Error> {
        rows::read(self.rows, &CsvRows { layout, separator: self.header.separator })
    }

    /// Returns the error of a header that breaks a rule.
    fn refuse(&self, problem: LineProblem) -> Error {
        Error::at_line(self.rows.file, self.header_line, problem)
    }
}

fn is_header(line: &[u8]) -> bool {
    Separator::of_header(line).is_ok_and(|separator| names_x_and_y(line, separator))
}

fn is_numbers(line: &[u8]) -> bool {
    let number = |word: &[u8]| fast_float2::parse::<f64, _>(word).is_ok();
    let mut words = line.split(|&byte| matches!(byte, b',' | b';') || byte.is_ascii_whitespace());
    words.all(|word| word.is_empty() || number(word))
}

/// The rows below a header.
struct CsvRows<const D: usize> {
    layout: RowLayout<D>,
    separator: Separator,
}

impl<const D: usize> RowFormat<D> for CsvRows<D> {
    #[inline(always)]
    fn parse_fast(&self, rest: &[u8]) -> Option<(Sphere<D>, usize)> {
        let mut values = RowSlots::default();
        let mut at = 0;
        for (index, step) in self.layout.actions().iter().enumerate() {
            if index > 0 {
                at = self.after_separator(rest, at)?;
            }
            match *step {
                FieldAction::Take(slot) => (values[slot], at) = self.plain_number(rest, at)?,
                FieldAction::Skip(count) => at = self.skip_plain(rest, at, count)?,
            }
        }
        let length = at + rows::line_end(&rest[at..])?;
        Some((self.layout.checked(&values)?, length))
    }

    fn parse_checked(&self, line: &[u8]) -> Result<Sphere<D>, LineProblem> {
        let fields = || CsvFields::of(line, self.separator);
        let mut found = 0;
        for field in fields() {
            field?;
            found += 1;
        }
        self.check_count(found)?;
        self.layout.sphere(fields().flatten())
    }
}

impl<const D: usize> CsvRows<D> {
    /// Returns an error unless a row has a field for every column.
    fn check_count(&self, found: usize) -> Result<(), LineProblem> {
        self.layout.check_count(found).map_err(|problem| match problem {
            LineProblem::Ragged { found, expected }
                if self.separator == Separator::Comma && found == 2 * expected =>
            {
                LineProblem::DecimalCommas { found, expected }
            }
            problem => problem,
        })
    }

    #[inline(always)]
    fn after_separator(&self, rest: &[u8], at: usize) -> Option<usize> {
        self.separator.is(*rest.get(at)?).then_some(at + 1)
    }

    /// Returns the number at `at` and where it ends.
    #[inline(always)]
    fn plain_number(&self, rest: &[u8], at: usize) -> Option<(f64, usize)> {
        let at = self.skip_blanks(rest, at);
        let (number, length) = fast_float2::parse_partial(rest.get(at..)?).ok()?;
        Some((number, at + length))
    }

    /// Returns the end of `count` fields without quotes.
    #[inline(always)]
    fn skip_plain(&self, rest: &[u8], mut at: usize, count: usize) -> Option<usize> {
        for skipped in 0..count {
            if skipped > 0 {
                at = self.after_separator(rest, at)?;
            }
            let start = self.skip_blanks(rest, at);
            let special =
                |byte: &u8| self.separator.is(*byte) || matches!(byte, b'\n' | b'\r' | b'"');
            let length = rest[start..].iter().position(special).unwrap_or(rest.len() - start);
            at = start + length;
            if self.separator == Separator::Blanks && length == 0 {
                return None;
            }
        }
        (rest.get(at) != Some(&b'"')).then_some(at)
    }

    #[inline(always)]
    fn skip_blanks(&self, rest: &[u8], mut at: usize) -> usize {
        let blanks = self.separator == Separator::Blanks;
        while rest.get(at).is_some_and(|&byte| byte == b' ' || blanks && byte == b'\t') {
            at += 1;
        }
        at
    }
}

#[cfg(test)]
mod tests;
