//! The color of a body, by its speed or by one of its columns.

use crate::color::LinearRgb;
use carom_io::Frame;
use rayon::prelude::*;

/// Number of colors of a scale; more than the eye can distinguish, and odd so that zero has one on a diverging scale.
pub(super) const SHADES: usize = 255;
/// Numbers below this many rounding errors are noise.
const ROUNDINGS: f64 = 64.0;

/// Colors for one number per body.
pub(super) struct ValueScale {
    /// Name of the quantity, as in the legend.
    pub name: String,
    pub kind: ColormapKind,
    /// Number that has the last color.
    pub top: f64,
    /// Whether some bodies lie beyond the ends; they share the colors there.
    pub open_ended: bool,
    values: Vec<f64>,
}

/// The map from numbers to colors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColormapKind {
    /// From zero: small ones dark blue, large ones yellow, in equal steps of lightness.
    Sequential,
    /// To both sides of zero: negative ones blue, positive ones red, and gray between.
    Diverging,
    /// From zero to one: pale sand to dark red.
    Fraction,
    /// Numbers that only distinguish this number of groups; the first is gray.
    Categorical(usize),
}

impl ValueScale {
    /// Creates a scale up to `top`, or up to the 99th percentile, so that a few large numbers do not make all others
    /// look the same. Fractions and categories need no end.
    pub(super) fn of<const D: usize>(frame: &Frame<D>, top: Option<f64>) -> Self {
        let name = frame.color_by.as_deref().unwrap_or("speed");
        let values = match frame.color_values() {
            Some(values) => values.to_vec(),
            None => (0..frame.len()).into_par_iter().map(|body| frame.speed(body)).collect(),
        };
        let kind = ColormapKind::of(frame, name, &values);
        let finite = values.iter().filter(|value| value.is_finite());
        let sizes: Vec<f64> = finite.map(|value| value.abs()).collect();
        let largest = sizes.iter().copied().fold(0.0, f64::max);
        let top = match kind {
            ColormapKind::Fraction | ColormapKind::Categorical(_) => 1.0,
            ColormapKind::Sequential | ColormapKind::Diverging => top
                // The distance of ticks on a scale of subnormal numbers would be zero.
                .filter(|top| top.is_normal() && *top > 0.0)
                .or_else(|| {
                    upper_percentile(sizes, largest)
                        .filter(|top| top.is_normal() && *top > rounding_noise(frame))
                })
                .unwrap_or(1.0),
        };
        ValueScale { name: name.to_owned(), kind, top, open_ended: largest > top, values }
    }

    /// Returns the number that has the first color.
    pub(super) fn bottom(&self) -> f64 {
        if self.kind == ColormapKind::Diverging { -self.top } else { 0.0 }
    }

    /// Returns the number of categories with a color of their own.
    pub(super) fn category_count(&self) -> usize {
        let shades = (0..self.values.len()).map(|body| self.shade(body));
        shades.max().map_or(0, |shade| shade + 1)
    }

    /// Returns the shade of a body.
    pub(super) fn shade(&self, body: usize) -> usize {
        let value = self.values[body];
        let value = if value.is_nan() { 0.0 } else { value };
        match self.kind {
            ColormapKind::Categorical(_) if value < 0.5 => 0,
            // Beyond the last color they begin again, except for that of the first group.
            ColormapKind::Categorical(_) => 1 + (value.round() as usize - 1) % (SHADES - 1),
            _ => {
                let share = (value - self.bottom()) / (self.top - self.bottom());
                (share.clamp(0.0, 1.0) * (SHADES - 1) as f64).round() as usize
            }
        }
    }

    /// Returns the colors of all shades.
    pub(super) fn colors(&self) -> Vec<LinearRgb> {
        let share = |shade: usize| shade as f64 / (SHADES - 1) as f64;
        let color = |shade: usize| match self.kind {
            ColormapKind::Sequential => sequential_color(share(shade)),
            ColormapKind::Diverging => diverging_color(2.0 * share(shade) - 1.0),
            ColormapKind::Fraction => damage_color(share(shade)),
            ColormapKind::Categorical(_) => categorical_color(shade),
        };
        (0..SHADES).map(color).collect()
    }
}

impl ColormapKind {
    fn of<const D: usize>(frame: &Frame<D>, name: &str, values: &[f64]) -> Self {
        match name {
            "strain" => ColormapKind::Diverging,
            "damage" => ColormapKind::Fraction,
            "fragment" | "cluster" => ColormapKind::Categorical(group_count(frame, values)),
            _ if values.iter().any(|&value| value < 0.0) => ColormapKind::Diverging,
            _ => ColormapKind::Sequential,
        }
    }
}

/// Returns the number of groups. Every solid numbers its own from zero.
fn group_count<const D: usize>(frame: &Frame<D>, values: &[f64]) -> usize {
    let solids = frame.column("solid");
    let of_solid = |body: usize| solids.map_or(0, |solids| solids[body].to_bits());
    let mut groups: Vec<(u64, u64)> =
        (0..values.len()).map(|body| (of_solid(body), values[body].to_bits())).collect();
    groups.sort_unstable();
    groups.dedup();
    groups.len()
}

/// Returns the 99th percentile of the magnitudes.
fn upper_percentile(mut sizes: Vec<f64>, largest: f64) -> Option<f64> {
    let place = (sizes.len() * 99 / 100).min(sizes.len().checked_sub(1)?);
    let most = *sizes.select_nth_unstable_by(place, f64::total_cmp).1;
    Some(if most > 0.0 { most } else { largest })
}

/// Returns the level of noise: speeds that have not moved a body by the rounding of its position since time zero, and
/// strains of springs that such a rounding makes.
fn rounding_noise<const D: usize>(frame: &Frame<D>) -> f64 {
    let coordinates = frame.positions.iter().flat_map(|position| position.iter());
    let farthest =
        coordinates.filter(|x| x.is_finite()).fold(0.0, |most: f64, x| most.max(x.abs()));
    let place = ROUNDINGS * f64::EPSILON * farthest;
    let noise = match frame.color_by.as_deref() {
        None => place / frame.time,
        Some("strain") => place / frame.radii.iter().copied().fold(f64::INFINITY, f64::min),
        Some(_) => 0.0,
    };
    // At time zero speeds are what the user gave.
    if noise.is_finite() { noise.max(0.0) } else { 0.0 }
}

fn sequential_color(share: f64) -> LinearRgb {
    let lightness = 0.37 + 0.52 * share;
    let chroma = 0.13 + 0.26 * share * (1.0 - share) + 0.03 * share;
    LinearRgb::oklch(lightness, chroma, 278.0 + 178.0 * share)
}

/// Returns the color for -1 to 1, straight through the gray of the color space Oklab.
fn diverging_color(share: f64) -> LinearRgb {
    let (lightness, chroma, hue) =
        if share < 0.0 { (0.42, 0.17, 262.0) } else { (0.46, 0.19, 27.0) };
    let size = share.abs();
    LinearRgb::oklch(0.86 + (lightness - 0.86) * size, chroma * size, hue)
}

fn damage_color(share: f64) -> LinearRgb {
    LinearRgb::oklch(0.86 - 0.48 * share, 0.025 + 0.135 * share, 85.0 - 60.0 * share)
}

/// Returns a color of a hue that differs by the golden angle between consecutive numbers, so that a few all differ.
fn categorical_color(number: usize) -> LinearRgb {
    if number == 0 {
        return LinearRgb::oklch(0.72, 0.02, 255.0);
    }
    let lightness = [0.62, 0.74, 0.54][number % 3];
    LinearRgb::oklch(lightness, 0.14, 30.0 + 137.507_764 * (number - 1) as f64)
}

#[cfg(test)]
mod tests;
