//! An image in linear light, and areas and lines drawn on it.
//!
//! tiny-skia finds the share of each pixel that a path covers; colors are blended here, because it blends bytes as they
//! are encoded for the screen.

use crate::color::LinearRgb;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Mask, Path, PathBuilder, Rect, Stroke, StrokeDash, Transform,
};

/// An image in linear light on a white background.
pub(super) struct Canvas {
    pub width: usize,
    pub height: usize,
    /// Pixels row by row from the top.
    pub pixels: Vec<[f32; 3]>,
}

/// Color and width of a line.
#[derive(Clone, Copy)]
pub(super) struct Pen {
    pub color: LinearRgb,
    pub width: f64,
    pub opacity: f64,
}

impl Canvas {
    pub(super) fn new(width: f64, height: f64) -> Self {
        let (width, height) = (width as usize, height as usize);
        Canvas { width, height, pixels: vec![[1.0; 3]; width * height] }
    }

    /// Fills a rectangle, with fractional coverage at its sides.
    pub(super) fn fill(&mut self, low: [f64; 2], high: [f64; 2], color: LinearRgb) {
        let [left, top] = low.map(|x| x as f32);
        let [right, bottom] = high.map(|x| x as f32);
        if let Some(rectangle) = Rect::from_ltrb(left, top, right, bottom) {
            self.fill_path(&PathBuilder::from_rect(rectangle), color, 1.0);
        }
    }

    /// Draws a line through the points with round ends and corners.
    pub(super) fn line(&mut self, points: &[[f64; 2]], pen: Pen) {
        if let Some(line) = polyline(points) {
            self.stroke(&line, pen);
        }
    }

    /// Draws a straight line in dashes of seven pixels with gaps of five.
    pub(super) fn dashes(&mut self, ends: [[f64; 2]; 2], pen: Pen) {
        let dash = StrokeDash::new(vec![7.0, 5.0], 0.0).expect("both lengths are positive");
        if let Some(dashes) = polyline(&ends).and_then(|line| line.dash(&dash, 1.0)) {
            self.stroke(&dashes, pen);
        }
    }

    fn stroke(&mut self, line: &Path, pen: Pen) {
        let stroke = Stroke {
            width: pen.width as f32,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        if let Some(outline) = line.stroke(&stroke, 1.0) {
            self.fill_path(&outline, pen.color, pen.opacity);
        }
    }

    /// Fills a path; what lies outside the canvas is clipped.
    pub(super) fn fill_path(&mut self, path: &Path, color: LinearRgb, opacity: f64) {
        let bounds = path.bounds();
        let columns = pixels(bounds.left().into(), bounds.right().into(), self.width);
        let rows = pixels(bounds.top().into(), bounds.bottom().into(), self.height);
        // Only as large as the path: most paths are letters.
        let Some(mut mask) = Mask::new(columns.len() as u32, rows.len() as u32) else { return };
        let to_mask = Transform::from_translate(-(columns.start as f32), -(rows.start as f32));
        mask.fill_path(path, FillRule::Winding, true, to_mask);
        let share = opacity as f32 / 255.0;
        for (y, covers) in rows.zip(mask.data().chunks_exact(columns.len())) {
            for (x, &cover) in columns.clone().zip(covers) {
                self.blend(x, y, color.linear(), share * f32::from(cover));
            }
        }
    }

    fn blend(&mut self, x: usize, y: usize, color: [f32; 3], share: f32) {
        let pixel = &mut self.pixels[y * self.width + x];
        *pixel = mix(*pixel, color, share);
    }
}

/// Returns the straight lines through the points; `None` if there are fewer than two or they are not finite.
fn polyline(points: &[[f64; 2]]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for (index, point) in points.iter().enumerate() {
        let [x, y] = point.map(|x| x as f32);
        if index == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    path.finish()
}

/// Mixes the first color with a share of the second.
pub(super) fn mix(own: [f32; 3], other: [f32; 3], share: f32) -> [f32; 3] {
    std::array::from_fn(|part| own[part] + share * (other[part] - own[part]))
}

/// Returns the pixels of an axis that touch the interval.
pub(super) fn pixels(low: f64, high: f64, end: usize) -> std::ops::Range<usize> {
    // A conversion to an integer saturates, whatever the number.
    (low.floor() as usize).min(end)..(high.ceil() as usize).min(end)
}
