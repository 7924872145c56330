//! From linear light to the bytes of a PNG file.

use super::canvas::Canvas;
use crate::Error;
use crate::color::srgb_byte;
use std::io;

/// Number of steps of the table from linear light to sRGB bytes; fine enough for the darkest byte.
const STEPS: usize = 1 << 13;

/// Encodes the canvas as the bytes of a PNG file.
pub(super) fn png(canvas: &Canvas) -> Result<Vec<u8>, Error> {
    let table: Vec<u8> = (0..=STEPS).map(|step| srgb_byte(step as f64 / STEPS as f64)).collect();
    let byte = |part: &f32| table[(part * STEPS as f32 + 0.5) as usize];
    let bytes: Vec<u8> = canvas.pixels.as_flattened().iter().map(byte).collect();
    let mut file = Vec::new();
    compress(&mut file, canvas, &bytes).map_err(|error| carom_io::Error::CannotWrite {
        file: "the picture".to_owned(),
        source: io::Error::other(error),
    })?;
    Ok(file)
}

fn compress(file: &mut Vec<u8>, canvas: &Canvas, bytes: &[u8]) -> Result<(), png::EncodingError> {
    let mut encoder = png::Encoder::new(file, canvas.width as u32, canvas.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.write_header()?.write_image_data(bytes)
}
