//! `Properties=name:type:count:…`, which names the columns of the atom lines.

use super::comment::{XyzComment, entry};
use crate::cell::CellQuantity;
use crate::row_layout::RowLayout;
use crate::{DERIVED_COLUMNS, LineProblem, excerpt};

const KEY: &str = "Properties";

/// One property and its columns.
struct XyzProperty<'a> {
    name: &'a [u8],
    first_column: usize,
    columns: usize,
}

/// The columns of the position.
pub(super) struct XyzPositionColumns {
    fields: usize,
    first: usize,
    /// Number of coordinates, 2 or 3.
    coordinates: usize,
}

impl XyzPositionColumns {
    pub(super) fn of(comment: &XyzComment) -> Result<Self, LineProblem> {
        let text = comment.get(KEY)?.ok_or(LineProblem::NoProperties)?;
        let (list, fields) = split(text)?;
        let position =
            find(&list, &["pos"], text)?.ok_or_else(|| missing("pos", &list, "pos:R:3"))?;
        if !(2..=3).contains(&position.columns) {
            return Err(entry(KEY, text, "pos must have 2 or 3 columns"));
        }
        Ok(XyzPositionColumns {
            fields,
            first: position.first_column,
            coordinates: position.columns,
        })
    }

    /// Returns the dimension of the particles: that of `pos` unless the comment lowers it.
    pub(super) fn dimension(&self, comment: &XyzComment) -> Result<usize, LineProblem> {
        let Some(value) = comment.get("dimension")? else {
            return Ok(self.coordinates);
        };
        match (value, self.coordinates) {
            (b"2", _) => Ok(2),
            (b"3", 3) => Ok(3),
            (b"3", _) => Err(entry("dimension", value, "pos has only 2 columns")),
            _ => Err(entry("dimension", value, "it must be 2 or 3")),
        }
    }

    /// Returns the layout of positions alone, without a size.
    pub(super) fn layout<const D: usize>(&self) -> RowLayout<D> {
        RowLayout::new(self.fields, axes::<D>(self.first, ""), CellQuantity::Radius)
    }
}

/// The columns of the position and the size.
pub(super) struct XyzParticleProperties {
    pub(super) positions: XyzPositionColumns,
    size: usize,
    size_name: String,
    quantity: CellQuantity,
}

impl XyzParticleProperties {
    pub(super) fn of(comment: &XyzComment) -> Result<Self, LineProblem> {
        let positions = XyzPositionColumns::of(comment)?;
        let text = comment.get(KEY)?.ok_or(LineProblem::NoProperties)?;
        let (list, _) = split(text)?;
        let (size, quantity) = find_size(&list, text)?;
        if size.columns != 1 {
            return Err(entry(KEY, text, "the radius must have one column"));
        }
        let size_name = excerpt::value(size.name);
        Ok(XyzParticleProperties { positions, size: size.first_column, size_name, quantity })
    }

    pub(super) fn layout<const D: usize>(&self) -> RowLayout<D> {
        self.layout_of(self.positions.first, "")
    }

    /// Returns the layout of velocities, if there are any. Their errors are reported only to callers that need them.
    pub(super) fn velocity_layout<const D: usize>(
        &self,
        comment: &XyzComment,
    ) -> Result<Option<RowLayout<D>>, LineProblem> {
        let text = comment.get(KEY)?.ok_or(LineProblem::NoProperties)?;
        let (list, _) = split(text)?;
        let Some(velocity) = find(&list, &["velo", "velocity"], text)? else { return Ok(None) };
        if velocity.columns != self.positions.coordinates {
            return Err(entry(KEY, text, "velo must have as many columns as pos"));
        }
        let prefix = format!("{} ", excerpt::value(velocity.name));
        Ok(Some(self.layout_of(velocity.first_column, &prefix).with_velocities()))
    }

    /// Returns the layout with masses in place of sizes, if there are any.
    pub(super) fn mass_layout<const D: usize>(
        &self,
        comment: &XyzComment,
    ) -> Result<Option<RowLayout<D>>, LineProblem> {
        let text = comment.get(KEY)?.ok_or(LineProblem::NoProperties)?;
        let (list, _) = split(text)?;
        // Frames have both: one for OVITO, one for ASE.
        let mass = match find(&list, &["mass"], text)? {
            Some(mass) => Some(mass),
            None => find(&list, &["masses"], text)?,
        };
        let Some(mass) = mass else { return Ok(None) };
        if mass.columns != 1 {
            return Err(entry(KEY, text, "the mass must have one column"));
        }
        let size = (mass.first_column, excerpt::value(mass.name));
        Ok(Some(self.layout_with(self.positions.first, "", size, CellQuantity::Mass)))
    }

    /// Returns a layout for each column of a property, in place of sizes; `None` if there is no such property.
    pub(super) fn column_layouts<const D: usize>(
        &self,
        comment: &XyzComment,
        name: &'static str,
        columns: usize,
    ) -> Result<Option<Vec<RowLayout<D>>>, LineProblem> {
        let text = comment.get(KEY)?.ok_or(LineProblem::NoProperties)?;
        let (list, _) = split(text)?;
        let Some(property) = find(&list, &[name], text)? else { return Ok(None) };
        if property.columns != columns {
            let rule = match columns {
                4 => "an orientation must have four columns, x, y, z and w",
                _ => "shape and angular_velocity (also _x, _y and _z) must have one column each",
            };
            return Err(entry(KEY, text, rule));
        }
        let column = |number: usize| {
            let column = (property.first_column + number, excerpt::value(property.name));
            self.layout_with(self.positions.first, "", column, CellQuantity::Number)
        };
        Ok(Some((0..columns).map(column).collect()))
    }

    /// Returns the layout of one column per axis from the first on, and the size.
    fn layout_of<const D: usize>(&self, first: usize, prefix: &str) -> RowLayout<D> {
        self.layout_with(first, prefix, (self.size, self.size_name.clone()), self.quantity)
    }

    fn layout_with<const D: usize>(
        &self,
        first: usize,
        prefix: &str,
        size: (usize, String),
        quantity: CellQuantity,
    ) -> RowLayout<D> {
        let mut slots = axes::<D>(first, prefix);
        slots.push(size);
        RowLayout::new(self.positions.fields, slots, quantity)
    }
}

/// Returns one column per axis from the first on.
fn axes<const D: usize>(first: usize, prefix: &str) -> Vec<(usize, String)> {
    let axes = ["x", "y", "z"].into_iter().enumerate().take(D);
    axes.map(|(axis, name)| (first + axis, format!("{prefix}{name}"))).collect()
}

/// Names that a scene can use.
const KNOWN: [&str; 20] = [
    "pos",
    "radius",
    "r",
    "diameter",
    "d",
    "velo",
    "velocity",
    "mass",
    "masses",
    "momenta",
    "material",
    "shape",
    "orientation",
    "angular_velocity",
    "angular_velocity_x",
    "angular_velocity_y",
    "angular_velocity_z",
    "species",
    "id",
    "type",
];

/// Returns an error for the first property that a scene cannot use.
pub(super) fn check_known(comment: &XyzComment) -> Result<(), LineProblem> {
    let text = comment.get(KEY)?.ok_or(LineProblem::NoProperties)?;
    for property in split(text)?.0 {
        if !KNOWN
            .iter()
            .chain(&DERIVED_COLUMNS)
            .any(|known| property.name.eq_ignore_ascii_case(known.as_bytes()))
        {
            let column = excerpt::value(property.name);
            let known = "species, pos, radius or diameter, velo, mass or masses, shape, orientation, \
                         angular_velocity (in space angular_velocity_x, angular_velocity_y and \
                         angular_velocity_z), momenta, material, id, type, pressure, contacts and cluster";
            return Err(LineProblem::UnknownColumn { column, known });
        }
    }
    Ok(())
}

/// Returns the properties and the number of columns they take together.
fn split(text: &[u8]) -> Result<(Vec<XyzProperty<'_>>, usize), LineProblem> {
    let parts: Vec<_> = text.split(|&byte| byte == b':').collect();
    let (triples, []) = parts.as_chunks::<3>() else {
        return Err(entry(KEY, text, "it must be a list of name:type:count"));
    };
    let mut list = Vec::with_capacity(triples.len());
    let mut fields = 0usize;
    for [name, kind, count] in triples {
        if !matches!(kind, [b'S' | b'R' | b'I' | b'L' | b's' | b'r' | b'i' | b'l']) {
            return Err(entry(KEY, text, "a type must be S, I, R or L"));
        }
        let columns = column_count(count)
            .ok_or_else(|| entry(KEY, text, "a count must be between 1 and 1000000"))?;
        list.push(XyzProperty { name, first_column: fields, columns });
        fields += columns;
    }
    Ok((list, fields))
}

fn column_count(text: &[u8]) -> Option<usize> {
    let count: usize = std::str::from_utf8(text).ok()?.parse().ok()?;
    (1..=1_000_000).contains(&count).then_some(count)
}

fn find<'a, 'b>(
    list: &'a [XyzProperty<'b>],
    aliases: &[&str],
    text: &[u8],
) -> Result<Option<&'a XyzProperty<'b>>, LineProblem> {
    let known = |property: &&XyzProperty| {
        aliases.iter().any(|alias| property.name.eq_ignore_ascii_case(alias.as_bytes()))
    };
    let mut found = list.iter().filter(known);
    match (found.next(), found.next()) {
        (_, Some(_)) => {
            Err(entry(KEY, text, "pos, radius, velo, mass and the like may each appear only once"))
        }
        (first, None) => Ok(first),
    }
}

fn find_size<'a, 'b>(
    list: &'a [XyzProperty<'b>],
    text: &[u8],
) -> Result<(&'a XyzProperty<'b>, CellQuantity), LineProblem> {
    if let Some(radius) = find(list, &["radius", "r"], text)? {
        return Ok((radius, CellQuantity::Radius));
    }
    let diameter = find(list, &["diameter", "d"], text)?;
    let diameter = diameter.ok_or_else(|| missing("radius", list, "radius:R:1"))?;
    Ok((diameter, CellQuantity::Diameter))
}

fn missing(property: &'static str, list: &[XyzProperty], remedy: &'static str) -> LineProblem {
    let found = excerpt::quoted_list(list.iter().map(|property| property.name));
    LineProblem::MissingProperty { property, found, remedy }
}
