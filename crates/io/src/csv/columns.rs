//! The header of a CSV file: the quantity of each column.

use super::fields::CsvFields;
use super::separator::Separator;
use crate::cell::CellQuantity;
use crate::row_layout::RowLayout;
use crate::{LineProblem, excerpt, rows};

/// The columns of a file in 2D or 3D.
pub(super) enum CsvColumns {
    TwoD(RowLayout<2>),
    ThreeD(RowLayout<3>),
}

impl CsvColumns {
    /// Reads the header line; a column `z` means 3D.
    pub(super) fn of(header: &CsvHeader) -> Result<Self, LineProblem> {
        match header.find(&["z"], "the z coordinate")? {
            None => Ok(CsvColumns::TwoD(header.layout()?)),
            Some(_) => Ok(CsvColumns::ThreeD(header.layout()?)),
        }
    }

    /// Reads the columns of the coordinates in 3D alone.
    pub(super) fn of_points(header: &CsvHeader) -> Result<RowLayout<3>, LineProblem> {
        let axes = header.axes::<3>().map_err(|problem| match problem {
            LineProblem::MissingColumn { column, found } => {
                LineProblem::MissingCoordinate { column, found }
            }
            problem => problem,
        })?;
        Ok(header.layout_of_slots(axes, CellQuantity::Radius))
    }

    /// As [`of`](Self::of), with masses in place of radii; `None` if there are none.
    pub(super) fn of_masses(header: &CsvHeader) -> Result<Option<Self>, LineProblem> {
        let Some(mass) = header.find(&["mass"], "the mass")? else { return Ok(None) };
        Ok(Some(match header.find(&["z"], "the z coordinate")? {
            None => {
                CsvColumns::TwoD(header.layout_with(header.axes::<2>()?, mass, CellQuantity::Mass))
            }
            Some(_) => CsvColumns::ThreeD(header.layout_with(
                header.axes::<3>()?,
                mass,
                CellQuantity::Mass,
            )),
        }))
    }

    /// Returns the columns of the velocities; `None` if there are none.
    pub(super) fn of_velocities(header: &CsvHeader) -> Result<Option<Self>, LineProblem> {
        Ok(match header.find(&["z"], "the z coordinate")? {
            None => header.velocity_layout()?.map(CsvColumns::TwoD),
            Some(_) => header.velocity_layout()?.map(CsvColumns::ThreeD),
        })
    }
}

/// Names that a scene can use, and `id`, which it ignores.
const KNOWN: [&str; 12] =
    ["x", "y", "z", "r", "radius", "d", "diameter", "vx", "vy", "vz", "mass", "id"];

/// Names of the first column of tables that number their rows.
const INDEX: [&str; 3] = ["", "index", "Unnamed: 0"];

/// Returns an error for the first column that a scene cannot use.
pub(super) fn check_known(header: &CsvHeader) -> Result<(), LineProblem> {
    let is_one_of = |name: &[u8], known: &[&str]| {
        known.iter().any(|it| name.eq_ignore_ascii_case(it.as_bytes()))
    };
    for (column, name) in header.names.iter().enumerate() {
        if !(is_one_of(name, &KNOWN) || column == 0 && is_one_of(name, &INDEX)) {
            let (column, known) =
                (excerpt::value(name), "x, y, z, r or d, vx, vy, vz, mass and id");
            return Err(LineProblem::UnknownColumn { column, known });
        }
    }
    Ok(())
}

/// The names in the header.
pub(super) struct CsvHeader<'a> {
    names: Vec<&'a [u8]>,
    pub separator: Separator,
}

impl<'a> CsvHeader<'a> {
    /// Reads the names in a line; if the rows have one field more, they begin with their number or name.
    pub(super) fn of(line: &'a [u8], rows: &[u8]) -> Result<Self, LineProblem> {
        let separator = Separator::of_header(line)?;
        let mut names = CsvFields::of(line, separator).collect::<Result<Vec<_>, _>>()?;
        // Otherwise one field more may be a separator at the end of the row.
        let first_row = rows::first_line(rows);
        if separator == Separator::Blanks
            && CsvFields::of(first_row, separator).count() == names.len() + 1
            && are_numbered(rows, separator)
        {
            names.insert(0, b"");
        }
        Ok(CsvHeader { names, separator })
    }
}

/// Whether the first two rows begin with their numbers, from zero or one on, or with names: a surplus field at the end
/// must not shift the others.
fn are_numbered(rows: &[u8], separator: Separator) -> bool {
    let mut labels = rows.split(|&byte| byte == b'\n').take(2).filter_map(|row| {
        let label = CsvFields::of(row, separator).next()?.ok()?;
        Some(str::from_utf8(label).unwrap_or_default().trim_matches('"').to_owned())
    });
    let (first, second) = (labels.next().unwrap_or_default(), labels.next());
    match first.parse::<u64>() {
        Ok(number @ 0..=1) => second.is_none_or(|second| second.parse() == Ok(number + 1)),
        _ => first.parse::<f64>().is_err(),
    }
}

impl CsvHeader<'_> {
    /// Returns the one column with any of these names.
    fn find(&self, aliases: &[&str], meaning: &'static str) -> Result<Option<usize>, LineProblem> {
        let known =
            |name: &[u8]| aliases.iter().any(|alias| name.eq_ignore_ascii_case(alias.as_bytes()));
        let mut found = (0..self.names.len()).filter(|&column| known(self.names[column]));
        match (found.next(), found.next()) {
            (Some(first), Some(second)) => Err(LineProblem::DuplicateColumn {
                first: excerpt::value(self.names[first]),
                second: excerpt::value(self.names[second]),
                meaning,
            }),
            (first, _) => Ok(first),
        }
    }

    fn need(&self, name: &'static str, meaning: &'static str) -> Result<usize, LineProblem> {
        self.find(&[name], meaning)?.ok_or_else(|| self.missing(name))
    }

    fn missing(&self, column: &'static str) -> LineProblem {
        let found = excerpt::quoted_list(self.names.iter().copied());
        LineProblem::MissingColumn { column, found }
    }

    fn size(&self) -> Result<(usize, CellQuantity), LineProblem> {
        if let Some(column) = self.find(&["r", "radius"], "the radius")? {
            return Ok((column, CellQuantity::Radius));
        }
        let diameter = self.find(&["d", "diameter"], "the diameter")?;
        diameter.map(|column| (column, CellQuantity::Diameter)).ok_or_else(|| self.missing("r"))
    }

    fn layout<const D: usize>(&self) -> Result<RowLayout<D>, LineProblem> {
        self.layout_of(self.axes::<D>()?)
    }

    /// Returns the columns of the coordinates.
    fn axes<const D: usize>(&self) -> Result<Vec<usize>, LineProblem> {
        const AXES: [(&str, &str); 3] =
            [("x", "the x coordinate"), ("y", "the y coordinate"), ("z", "the z coordinate")];
        let mut columns = Vec::with_capacity(D + 1);
        for (name, meaning) in &AXES[..D] {
            columns.push(self.need(name, meaning)?);
        }
        Ok(columns)
    }

    /// Returns these columns, one per axis, and the size.
    fn layout_of<const D: usize>(&self, columns: Vec<usize>) -> Result<RowLayout<D>, LineProblem> {
        let (column, size) = self.size()?;
        Ok(self.layout_with(columns, column, size))
    }

    fn layout_with<const D: usize>(
        &self,
        mut columns: Vec<usize>,
        size: usize,
        quantity: CellQuantity,
    ) -> RowLayout<D> {
        columns.push(size);
        self.layout_of_slots(columns, quantity)
    }

    /// Returns the column of each slot; that of the size may be left out, which is then zero.
    fn layout_of_slots<const D: usize>(
        &self,
        columns: Vec<usize>,
        quantity: CellQuantity,
    ) -> RowLayout<D> {
        let slots = columns.into_iter().map(|column| (column, excerpt::value(self.names[column])));
        RowLayout::new(self.names.len(), slots.collect(), quantity)
    }

    fn velocity_layout<const D: usize>(&self) -> Result<Option<RowLayout<D>>, LineProblem> {
        const AXES: [(&str, &str); 3] = [
            ("vx", "the velocity along x"),
            ("vy", "the velocity along y"),
            ("vz", "the velocity along z"),
        ];
        let mut columns = Vec::with_capacity(D + 1);
        let mut missing = None;
        for (name, meaning) in &AXES[..D] {
            match self.find(&[name], meaning)? {
                Some(column) => columns.push(column),
                None => missing = missing.or(Some(*name)),
            }
        }
        match missing {
            None => Ok(Some(self.layout_of(columns)?.with_velocities())),
            Some(_) if columns.is_empty() => Ok(None),
            Some(column) => {
                let found = excerpt::quoted_list(self.names.iter().copied());
                Err(LineProblem::MissingVelocity { column, found })
            }
        }
    }
}
