//! Which color a body has, by its speed or by one of its columns.

use crate::Frame;
use crate::picture::color::LinearRgb;
use rayon::prelude::*;

/// Colors of a scale; more than the eye can tell apart, and an odd number so that zero between two signs has one.
pub(super) const SHADES: usize = 255;
/// Numbers below so many roundings of what they come from say nothing.
const ROUNDINGS: f64 = 64.0;

/// Colors for one number per body.
pub(super) struct ValueScale {
    /// What the numbers are called.
    pub name: String,
    pub kind: ColormapKind,
    /// The number that has the last color.
    pub top: f64,
    /// Whether some bodies lie beyond the ends; they share the colors there.
    pub open_ended: bool,
    values: Vec<f64>,
}

/// How numbers become colors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ColormapKind {
    /// From zero: small ones dark blue, large ones yellow, in equal steps of lightness.
    Sequential,
    /// To both sides of zero: negative ones blue, positive ones red, and gray between.
    Diverging,
    /// From none to all: pale sand to dark red.
    Fraction,
    /// Numbers that only tell so many groups apart; the first is gray.
    Categorical(usize),
}

impl ValueScale {
    /// A scale up to `top`, or on which a few large numbers do not make all others look the same: it
    /// ends where all but a hundredth of the bodies lie. Shares and groups need no end.
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
                .filter(|top| top.is_finite() && *top > 0.0)
                .or_else(|| {
                    upper_percentile(sizes, largest).filter(|top| *top > rounding_noise(frame))
                })
                .unwrap_or(1.0),
        };
        ValueScale { name: name.to_owned(), kind, top, open_ended: largest > top, values }
    }

    /// The number that has the first color.
    pub(super) fn bottom(&self) -> f64 {
        if self.kind == ColormapKind::Diverging { -self.top } else { 0.0 }
    }

    /// How many numbers groups have, at most as many as there are colors.
    pub(super) fn category_count(&self) -> usize {
        let shades = (0..self.values.len()).map(|body| self.shade(body));
        shades.max().map_or(0, |shade| shade + 1)
    }

    /// The shade of a body.
    pub(super) fn shade(&self, body: usize) -> usize {
        let value = self.values[body];
        let value = if value.is_nan() { 0.0 } else { value };
        match self.kind {
            ColormapKind::Categorical(_) if value < 0.5 => 0,
            // Beyond the last color they begin again, but for that of the first group.
            ColormapKind::Categorical(_) => 1 + (value.round() as usize - 1) % (SHADES - 1),
            _ => {
                let share = (value - self.bottom()) / (self.top - self.bottom());
                (share.clamp(0.0, 1.0) * (SHADES - 1) as f64).round() as usize
            }
        }
    }

    /// The colors of all shades.
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

/// How many groups there are. Every solid numbers its own from zero.
fn group_count<const D: usize>(frame: &Frame<D>, values: &[f64]) -> usize {
    let solids = frame.column("solid");
    let of_solid = |body: usize| solids.map_or(0, |solids| solids[body].to_bits());
    let mut groups: Vec<(u64, u64)> =
        (0..values.len()).map(|body| (of_solid(body), values[body].to_bits())).collect();
    groups.sort_unstable();
    groups.dedup();
    groups.len()
}

/// Where all but a hundredth of the sizes lie.
fn upper_percentile(mut sizes: Vec<f64>, largest: f64) -> Option<f64> {
    let place = (sizes.len() * 99 / 100).min(sizes.len().checked_sub(1)?);
    let most = *sizes.select_nth_unstable_by(place, f64::total_cmp).1;
    Some(if most > 0.0 { most } else { largest })
}

/// What is noise: speeds that have not moved a body by the rounding of its place since time zero, and stretches of springs
/// that such a rounding makes.
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

/// From -1 to 1, straight through the gray of the space Oklab.
fn diverging_color(share: f64) -> LinearRgb {
    let (lightness, chroma, hue) =
        if share < 0.0 { (0.42, 0.17, 262.0) } else { (0.46, 0.19, 27.0) };
    let size = share.abs();
    LinearRgb::oklch(0.86 + (lightness - 0.86) * size, chroma * size, hue)
}

fn damage_color(share: f64) -> LinearRgb {
    LinearRgb::oklch(0.86 - 0.48 * share, 0.025 + 0.135 * share, 85.0 - 60.0 * share)
}

/// Neighboring numbers differ by the golden angle in hue, so that all of a few do too.
fn categorical_color(number: usize) -> LinearRgb {
    if number == 0 {
        return LinearRgb::oklch(0.72, 0.02, 255.0);
    }
    let lightness = [0.62, 0.74, 0.54][number % 3];
    LinearRgb::oklch(lightness, 0.14, 30.0 + 137.507_764 * (number - 1) as f64)
}

#[cfg(test)]
mod tests;
