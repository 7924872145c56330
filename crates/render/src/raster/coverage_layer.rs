//! A layer of 2D bodies, summed by the share of each pixel that they cover. That is exact for discs that do not
//! overlap, however small they are.
//!
//! Shares are added here and not painted one over the other as by tiny-skia: of two bodies that cover half a pixel each
//! nothing of the background is left, where paint would leave a quarter, and a dense bed of small bodies would look
//! pale.

use super::canvas::{Canvas, mix, pixels};
use super::shape_areas::RotatedArea;
use super::value_scale::ValueScale;
use crate::color::LinearRgb;
use carom_geometry::{Vector, math};
use carom_io::{AxisExtent, Frame};
use std::ops::Range;

/// Smaller discs are drawn as squares of the same area, whose coverage of a pixel is simple.
const SMALLEST_DISC: f64 = 0.9;

/// The colors of a disc.
pub(super) struct DiscColors {
    fill: [f32; 3],
    rim: [f32; 3],
}

/// Returns the colors of all shades.
pub(super) fn shade_colors(scale: &ValueScale) -> Vec<DiscColors> {
    let ink = |color: LinearRgb| DiscColors {
        fill: color.linear(),
        rim: color.mix(LinearRgb::BLACK, 0.4).linear(),
    };
    scale.colors().into_iter().map(ink).collect()
}

/// A disc on the page.
pub(super) struct PixelDisc {
    pub center: [f64; 2],
    pub radius: f64,
}

/// Light of the bodies and the share of each pixel they cover.
pub(super) struct CoverageLayer {
    width: usize,
    sums: Vec<[f32; 4]>,
    /// Pixels outside these are clipped.
    columns: Range<usize>,
    rows: Range<usize>,
}

impl CoverageLayer {
    pub(super) fn new<const D: usize>(
        canvas: &Canvas,
        frame: &Frame<D>,
        low: [f64; 2],
        high: [f64; 2],
    ) -> Self {
        let clip = |axis: usize, end: usize| match frame.region[axis] {
            AxisExtent::Periodic(_) => pixels(low[axis], high[axis], end),
            _ => 0..end,
        };
        CoverageLayer {
            width: canvas.width,
            sums: vec![[0.0; 4]; canvas.pixels.len()],
            columns: clip(0, canvas.width),
            rows: clip(1, canvas.height),
        }
    }

    /// Adds a disc, or the part of it that an area covers.
    pub(super) fn add_body(
        &mut self,
        round: &PixelDisc,
        area: Option<RotatedArea>,
        ink: &DiscColors,
    ) {
        match (round.radius < SMALLEST_DISC, area) {
            (true, None) => {
                self.add_square(round.center, round.radius * std::f64::consts::PI.sqrt(), ink);
            }
            (true, Some(area)) => self.add_square(round.center, area.size().sqrt(), ink),
            (false, None) => {
                self.add_disc(round, |right, up| math::hypot(up, right) - round.radius, ink);
            }
            // The page has y downwards, the plane upwards.
            (false, Some(area)) => {
                self.add_disc(round, |right, up| area.distance([right, -up]), ink);
            }
        }
    }

    fn add_square(&mut self, center: [f64; 2], side: f64, ink: &DiscColors) {
        // A body too small to be seen is enlarged to be seen.
        let side = side.max(0.25);
        let (low, high) = (center.map(|x| x - 0.5 * side), center.map(|x| x + 0.5 * side));
        let share = |pixel: usize, axis: usize| {
            let pixel = pixel as f64;
            high[axis].min(pixel + 1.0) - low[axis].max(pixel)
        };
        for y in within(&self.rows, low[1], high[1]) {
            for x in within(&self.columns, low[0], high[0]) {
                self.add(x, y, ink.fill, (share(x, 0) * share(y, 1)) as f32);
            }
        }
    }

    /// Adds the points with a negative distance, in pixels from the center; they all lie inside the disc.
    fn add_disc(
        &mut self,
        round: &PixelDisc,
        distance: impl Fn(f64, f64) -> f64,
        ink: &DiscColors,
    ) {
        let PixelDisc { center: [x_center, y_center], radius } = *round;
        let reach = radius + 0.5;
        // The rim fades out where discs are so small that they would be all rim.
        let rim = (0.08 * radius).min(1.6);
        let rim_share = (0.5 * (radius - 1.5)).clamp(0.0, 0.9);
        for y in within(&self.rows, y_center - reach, y_center + reach) {
            let up = y as f64 + 0.5 - y_center;
            let half = (reach * reach - up * up).max(0.0).sqrt();
            for x in within(&self.columns, x_center - half, x_center + half) {
                let distance = distance(x as f64 + 0.5 - x_center, up);
                let cover = (0.5 - distance).clamp(0.0, 1.0);
                let edge = (distance + rim + 0.5).clamp(0.0, 1.0) * rim_share;
                self.add(x, y, mix(ink.fill, ink.rim, edge as f32), cover as f32);
            }
        }
    }

    /// Adds a straight line with round ends, without rims; a point if both ends are the same.
    pub(super) fn add_line(&mut self, ends: [[f64; 2]; 2], width: f64, ink: &DiscColors) {
        let reach = 0.5 * width + 0.5;
        // A thin line covers no pixel completely.
        let most = width.min(1.0);
        let bound = |axis: usize| {
            let (low, high) = (ends[0][axis].min(ends[1][axis]), ends[0][axis].max(ends[1][axis]));
            (low - reach, high + reach)
        };
        let ((left, right), (top, bottom)) = (bound(0), bound(1));
        for y in within(&self.rows, top, bottom) {
            for x in within(&self.columns, left, right) {
                let middle = [x as f64 + 0.5, y as f64 + 0.5];
                let distance = distance_to_segment(middle, ends[0], ends[1]);
                let cover = (reach - distance).clamp(0.0, most);
                self.add(x, y, ink.fill, cover as f32);
            }
        }
    }

    fn add(&mut self, x: usize, y: usize, color: [f32; 3], share: f32) {
        let sum = &mut self.sums[y * self.width + x];
        for part in 0..3 {
            sum[part] += share * color[part];
        }
        sum[3] += share;
    }

    /// Lays the bodies over the canvas; where they overlap their colors are averaged.
    pub(super) fn composite_onto(self, canvas: &mut Canvas) {
        for (pixel, [red, green, blue, cover]) in canvas.pixels.iter_mut().zip(self.sums) {
            if cover > 0.0 {
                *pixel = mix(*pixel, [red, green, blue].map(|part| part / cover), cover.min(1.0));
            }
        }
    }
}

fn distance_to_segment(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let (x, y) = (point[0] - from[0], point[1] - from[1]);
    let (along_x, along_y) = (to[0] - from[0], to[1] - from[1]);
    let square = along_x * along_x + along_y * along_y;
    let share =
        if square > 0.0 { ((x * along_x + y * along_y) / square).clamp(0.0, 1.0) } else { 0.0 };
    math::hypot(x - share * along_x, y - share * along_y)
}

fn within(range: &Range<usize>, low: f64, high: f64) -> Range<usize> {
    let touched = pixels(low, high, range.end);
    touched.start.max(range.start)..touched.end
}

/// Returns the positions at which a body of this extent is visible, with its periodic images.
pub(super) fn image_positions<const D: usize>(
    frame: &Frame<D>,
    position: &Vector<D>,
    reach: f64,
) -> impl Iterator<Item = [f64; 2]> {
    let [columns, rows] = [0, 1].map(|axis| images(frame, position, reach, axis));
    columns.into_iter().flatten().flat_map(move |x| rows.into_iter().flatten().map(move |y| [x, y]))
}

/// Returns the coordinates along an axis: inside, and beyond each periodic side that it crosses.
fn images<const D: usize>(
    frame: &Frame<D>,
    position: &Vector<D>,
    reach: f64,
    axis: usize,
) -> [Option<f64>; 3] {
    let Some(period) = frame.region[axis].period() else {
        return [Some(position[axis]), None, None];
    };
    let inside = position[axis].rem_euclid(period);
    let (below, above) = (inside < reach, inside > period - reach);
    [Some(inside), below.then_some(inside + period), above.then_some(inside - period)]
}
