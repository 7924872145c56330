//! An SVG document, and the scale from the user's plane to its pixels.

use std::fmt::{Arguments, Write};

/// Longest side of the drawing, in pixels.
const LARGEST_SIDE: f64 = 860.0;
const MARGIN: f64 = 32.0;
const LEGEND_WIDTH: f64 = 190.0;
const LEAST_HEIGHT: f64 = 420.0;

/// The text of an SVG document that grows line by line.
#[derive(Default)]
pub(super) struct SvgPage {
    body: String,
}

impl SvgPage {
    pub(super) fn line(&mut self, arguments: Arguments) {
        self.body.write_fmt(arguments).expect("a string takes every text");
        self.body.push('\n');
    }

    /// Returns the document on a white background.
    pub(super) fn finish(self, width: f64, height: f64) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// The part of the page that shows a rectangle of the user's plane, y upwards.
pub(super) struct PageViewport {
    /// Lower left corner of the rectangle in the units of the user.
    pub low: [f64; 2],
    /// Upper right corner of the rectangle.
    pub high: [f64; 2],
    /// Scale in pixels per unit of the user.
    pub scale: f64,
    width: f64,
    height: f64,
}

impl PageViewport {
    /// Shows `[low, high]` as large as fits; an axis where `low` exceeds `high` is empty.
    pub(super) fn around(mut low: [f64; 2], mut high: [f64; 2]) -> Self {
        for axis in 0..2 {
            if low[axis] > high[axis] {
                (low[axis], high[axis]) = (0.0, 0.0);
            }
        }
        let sizes = [high[0] - low[0], high[1] - low[1]];
        let longest = sizes[0].max(sizes[1]);
        // A single point has no extent and fits any scale.
        let scale = if longest > 0.0 { LARGEST_SIDE / longest } else { 1.0 };
        PageViewport { low, high, scale, width: sizes[0] * scale, height: sizes[1] * scale }
    }

    /// Returns the position of a point on the page.
    pub(super) fn to_page(&self, point: [f64; 2]) -> [f64; 2] {
        let top = 0.5 * (self.page_height() - self.height);
        [
            MARGIN + (point[0] - self.low[0]) * self.scale,
            top + self.height - (point[1] - self.low[1]) * self.scale,
        ]
    }

    /// Returns the area of the rectangle in square pixels.
    pub(super) fn area(&self) -> f64 {
        self.width * self.height
    }

    pub(super) fn page_width(&self) -> f64 {
        (self.width + LEGEND_WIDTH + 3.0 * MARGIN).ceil()
    }

    pub(super) fn page_height(&self) -> f64 {
        (self.height + 2.0 * MARGIN).max(LEAST_HEIGHT).ceil()
    }

    pub(super) fn legend_corner(&self) -> [f64; 2] {
        [2.0 * MARGIN + self.width, MARGIN]
    }
}
