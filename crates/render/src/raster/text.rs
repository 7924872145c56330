//! Text, in the letters of an embedded font: the printable characters of ASCII of DejaVu Sans.

use super::canvas::Canvas;
use crate::color::LinearRgb;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

const FONT: &[u8] = include_bytes!("../../fonts/DejaVuSans-ASCII.ttf");

/// Writes the text from the given end of its base line; `height` is that of a digit, in pixels.
pub(super) fn write(
    canvas: &mut Canvas,
    base: [f64; 2],
    text: &str,
    height: f64,
    color: LinearRgb,
) {
    if let Some(outline) = outline(base, text, height) {
        canvas.fill_path(&outline, color, 1.0);
    }
}

/// Returns the outlines of all letters; `None` if none has any.
fn outline(base: [f64; 2], text: &str, height: f64) -> Option<Path> {
    let face = Face::parse(FONT, 0).expect("the embedded font is whole");
    let digit = face.glyph_index('1').and_then(|glyph| face.glyph_bounding_box(glyph));
    let units = digit.expect("the embedded font has digits").y_max;
    let mut letters = LetterOutlines {
        path: PathBuilder::new(),
        base: base.map(|x| x as f32),
        scale: height as f32 / f32::from(units),
    };
    for letter in text.chars() {
        // The first glyph of a font stands for all that it does not have.
        let glyph = face.glyph_index(letter).unwrap_or(GlyphId(0));
        face.outline_glyph(glyph, &mut letters);
        letters.base[0] += letters.scale * f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
    }
    letters.path.finish()
}

/// The outlines of letters on the page.
struct LetterOutlines {
    path: PathBuilder,
    /// Where the next letter begins on the base line, in pixels.
    base: [f32; 2],
    /// Pixels per unit of the font.
    scale: f32,
}

impl LetterOutlines {
    /// Returns a point of the letter on the page, which has y downwards.
    fn on_page(&self, x: f32, y: f32) -> (f32, f32) {
        (self.base[0] + self.scale * x, self.base[1] - self.scale * y)
    }
}

impl OutlineBuilder for LetterOutlines {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.on_page(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.on_page(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.on_page(x1, y1), self.on_page(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2)) = (self.on_page(x1, y1), self.on_page(x2, y2));
        let (x, y) = self.on_page(x, y);
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_letter_has_a_glyph() {
        let face = Face::parse(FONT, 0).unwrap();
        for letter in ' '..='~' {
            assert!(face.glyph_index(letter).is_some(), "{letter}");
            assert_eq!(outline([0.0; 2], &letter.to_string(), 10.0).is_some(), letter != ' ');
        }
    }

    #[test]
    fn digits_stand_on_the_base_line_and_have_the_height_asked_for() {
        let bounds = outline([5.0, 50.0], "1", 20.0).unwrap().bounds();
        assert!((bounds.bottom() - 50.0).abs() < 1e-3 && (bounds.top() - 30.0).abs() < 1e-3);
        assert!(bounds.left() > 5.0 && bounds.right() < 25.0);
        assert!(outline([0.0; 2], "", 10.0).is_none());
    }
}
