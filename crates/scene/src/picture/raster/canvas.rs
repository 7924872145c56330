use crate::picture::color::LinearRgb;
use carom_geometry::math;

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
        let share = |pixel: usize, axis: usize| {
            let pixel = pixel as f64;
            (high[axis].min(pixel + 1.0) - low[axis].max(pixel)).clamp(0.0, 1.0)
        };
        for y in pixels(low[1], high[1], self.height) {
            for x in pixels(low[0], high[0], self.width) {
                self.blend(x, y, color.linear(), (share(x, 0) * share(y, 1)) as f32);
            }
        }
    }

    /// Draws a line through the points with round ends and corners.
    pub(super) fn line(&mut self, points: &[[f64; 2]], pen: Pen) {
        let reach = 0.5 * pen.width + 0.5;
        let bound = |axis: usize| {
            let along = points.iter().map(|point| point[axis]);
            let low = along.clone().fold(f64::INFINITY, f64::min) - reach;
            (low, along.fold(f64::NEG_INFINITY, f64::max) + reach)
        };
        let ((left, right), (top, bottom)) = (bound(0), bound(1));
        for y in pixels(top, bottom, self.height) {
            for x in pixels(left, right, self.width) {
                let middle = [x as f64 + 0.5, y as f64 + 0.5];
                let cover = (reach - distance(middle, points)).clamp(0.0, 1.0) * pen.opacity;
                self.blend(x, y, pen.color.linear(), cover as f32);
            }
        }
    }

    /// Draws a straight line in dashes of seven pixels with gaps of five.
    pub(super) fn dashes(&mut self, [from, to]: [[f64; 2]; 2], pen: Pen) {
        let length = math::hypot(to[0] - from[0], to[1] - from[1]);
        let at = |way: f64| {
            let share = way.min(length) / length;
            std::array::from_fn(|axis| from[axis] + share * (to[axis] - from[axis]))
        };
        for dash in 0..(length / 12.0).ceil() as usize {
            let start = 12.0 * dash as f64;
            self.line(&[at(start), at(start + 7.0)], pen);
        }
    }

    pub(super) fn blend(&mut self, x: usize, y: usize, color: [f32; 3], share: f32) {
        let pixel = &mut self.pixels[y * self.width + x];
        *pixel = mix(*pixel, color, share);
    }
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

fn distance(point: [f64; 2], line: &[[f64; 2]]) -> f64 {
    let lengths = line.windows(2).map(|ends| distance_to_segment(point, ends[0], ends[1]));
    lengths.fold(f64::INFINITY, f64::min)
}

pub(super) fn distance_to_segment(point: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let (x, y) = (point[0] - from[0], point[1] - from[1]);
    let (along_x, along_y) = (to[0] - from[0], to[1] - from[1]);
    let square = along_x * along_x + along_y * along_y;
    let share =
        if square > 0.0 { ((x * along_x + y * along_y) / square).clamp(0.0, 1.0) } else { 0.0 };
    math::hypot(x - share * along_x, y - share * along_y)
}
