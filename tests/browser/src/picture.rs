//! A screenshot as pixels.

use crate::page::PageRectangle;
use base64::prelude::{BASE64_STANDARD, Engine};
use std::collections::BTreeSet;
use std::path::Path;

/// Red, green and blue of every pixel, row by row.
pub struct Picture {
    width: usize,
    height: usize,
    pixels: Vec<[u8; 3]>,
    file: Vec<u8>,
}

impl Picture {
    /// Decodes a PNG file in Base64.
    pub fn from_base64(text: &str) -> Result<Self, String> {
        let file = BASE64_STANDARD
            .decode(text)
            .map_err(|error| format!("a screenshot is not base64: {error}"))?;
        let broken = |error: png::DecodingError| format!("a screenshot cannot be read: {error}");
        let mut reader =
            png::Decoder::new(std::io::Cursor::new(&file)).read_info().map_err(broken)?;
        let size = reader.output_buffer_size().ok_or("a screenshot is too large")?;
        let mut bytes = vec![0; size];
        let image = reader.next_frame(&mut bytes).map_err(broken)?;
        let samples = image.color_type.samples();
        if image.bit_depth != png::BitDepth::Eight || samples < 3 {
            return Err(format!("a screenshot has pixels of {:?}", image.color_type));
        }
        let pixels = bytes[..image.buffer_size()].chunks_exact(samples);
        let pixels = pixels.map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        let [width, height] = [image.width, image.height].map(|size| size as usize);
        Ok(Picture { width, height, pixels, file })
    }

    /// Saves it for people to look at.
    pub fn save(&self, path: &Path) -> Result<(), String> {
        std::fs::write(path, &self.file)
            .map_err(|error| format!("{} cannot be written: {error}", path.display()))
    }

    /// Returns the color of the pixel at a point.
    pub fn at(&self, [x, y]: [f64; 2]) -> [u8; 3] {
        let column = (x.max(0.0) as usize).min(self.width - 1);
        let row = (y.max(0.0) as usize).min(self.height - 1);
        self.pixels[row * self.width + column]
    }

    /// Returns the number of different colors in an area.
    pub fn colors(&self, area: &PageRectangle) -> usize {
        self.indices(area).map(|index| self.pixels[index]).collect::<BTreeSet<_>>().len()
    }

    /// Whether a pixel of an area has clearly another color than this.
    pub fn differs(&self, area: &PageRectangle, color: [u8; 3]) -> bool {
        self.indices(area).any(|index| differ(self.pixels[index], color))
    }

    /// Returns the number of pixels of an area with clearly another color in another picture.
    pub fn changed(&self, other: &Picture, area: &PageRectangle) -> usize {
        let indices = self.indices(area).filter(|&index| index < other.pixels.len());
        indices.filter(|&index| differ(self.pixels[index], other.pixels[index])).count()
    }

    fn indices(&self, area: &PageRectangle) -> impl Iterator<Item = usize> {
        let inside = |start: f64, size: f64, end: usize| {
            let [start, stop] = [start, start + size].map(|edge| edge.max(0.0) as usize);
            start.min(end)..stop.min(end)
        };
        let columns = inside(area.left, area.width, self.width);
        let rows = inside(area.top, area.height, self.height);
        let width = self.width;
        rows.flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }
}

/// Whether two colors differ at a glance.
fn differ(a: [u8; 3], b: [u8; 3]) -> bool {
    a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_and_changes_are_counted() {
        let picture = |pixels: [[u8; 3]; 4]| Picture {
            width: 2,
            height: 2,
            pixels: pixels.to_vec(),
            file: Vec::new(),
        };
        let whole = PageRectangle { left: 0.0, top: 0.0, width: 2.0, height: 2.0 };
        let corner = PageRectangle { top: 1.0, height: 1.0, ..whole };
        let right = PageRectangle { left: 1.0, width: 1.0, ..whole };
        let (white, black) = ([255; 3], [0; 3]);
        let a = picture([white, black, white, white]);
        let b = picture([black, black, white, [250; 3]]);
        assert_eq!((a.colors(&whole), b.colors(&whole)), (2, 3));
        assert!(a.differs(&whole, white) && !a.differs(&corner, white));
        assert_eq!((a.changed(&b, &whole), a.changed(&b, &right)), (1, 0));
        assert_eq!(a.at([1.5, 0.5]), black);
    }
}
