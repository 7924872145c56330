//! Columns by which bodies can be colored: one number per body, under a name.

use carom::io::Frame;
use std::borrow::Cow;

/// A column of a frame: one value per body.
pub struct FrameColumn<'a> {
    pub name: &'a str,
    pub values: Cow<'a, [f64]>,
}

/// Columns whose numbers only distinguish bodies.
const CATEGORIES: [&str; 4] = ["material", "solid", "fragment", "cluster"];

/// Whether the order of a column's values has no meaning.
pub fn is_categorical(name: &str) -> bool {
    CATEGORIES.contains(&name)
}

/// Whether a column is sent as integers.
pub fn is_whole(name: &str) -> bool {
    name == "id" || is_categorical(name)
}

/// The columns of a frame: speed, id, material if there are several, radius, then all others.
pub fn frame_columns(frame: &Frame<3>) -> Vec<FrameColumn<'_>> {
    let bodies = 0..frame.len();
    let materials = frame.materials.iter().flatten().map(|&number| f64::from(number));
    let made = [
        ("speed", bodies.clone().map(|body| frame.speed(body)).collect::<Vec<_>>()),
        ("id", bodies.map(|body| f64::from(frame.id(body))).collect()),
        ("material", materials.collect()),
    ];
    let made =
        made.into_iter().filter(|(name, _)| *name != "material" || frame.materials.is_some());
    let made = made.map(|(name, values)| FrameColumn { name, values: Cow::Owned(values) });
    let radii = FrameColumn { name: "radius", values: Cow::Borrowed(&frame.radii) };
    let masses = frame.masses.iter().map(|values| ("mass", values));
    let further = frame.columns.iter().map(|(name, values)| (name.as_str(), values));
    let further = masses.chain(further);
    let further = further.map(|(name, values)| FrameColumn { name, values: Cow::Borrowed(values) });
    made.chain([radii]).chain(further).collect()
}
