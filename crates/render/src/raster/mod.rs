//! Frames drawn pixel by pixel, since an SVG of a million bodies would overload its viewer.
//!
//! Discs and polygons are summed by the share of a pixel they cover; spheres and the faces of other bodies are drawn
//! through a depth buffer with several samples per pixel; lines, the legend and its text are paths of tiny-skia. Light
//! is summed linearly and encoded for the screen at the end.

mod bonded_solids;
mod canvas;
mod coverage_layer;
mod depth_buffer;
mod discs;
mod encode;
mod facets;
mod legend;
mod shape_areas;
mod spheres;
mod text;
mod value_scale;

use crate::Error;
use carom_io::Frame;
use legend::RasterLegend;
use value_scale::ValueScale;

/// Draws a frame as a PNG image of about 1000 by 900 pixels: bodies colored by speed, or by the column that the frame
/// names, the region, and a legend.
///
/// Discs and shapes are drawn to scale, those across a periodic side again at the opposite one; spheres and faces of
/// shapes are seen along an oblique axis. Walls are lines, periodic sides are dashed in 2D. In 2D, particles joined by
/// springs are filled as one solid, and broken springs leave gaps.
///
/// The colors of speeds end at `top`; without it at the 99th percentile. Give it to draw several frames with the same
/// colors. The same holds for other columns; those with negative numbers and `strain` have a diverging scale about
/// zero, `damage` ranges from 0 to 1, and `fragment` has a color for each.
///
/// A million bodies take about a second. Bodies whose numbers are not finite are left out.
///
/// ```
/// use carom_geometry::Vector;
/// use carom_io::{AxisExtent, Frame};
/// let frame = Frame {
///     time: 0.0,
///     step: 0,
///     number: 0,
///     region: [AxisExtent::Walls(4.0), AxisExtent::Walls(3.0)],
///     positions: vec![Vector::from([1.0, 2.0])],
///     velocities: vec![Vector::from([1.0, 0.0])],
///     radii: vec![0.5],
///     masses: None,
///     materials: None,
///     shapes: None,
///     springs: None,
///     contacts: None,
///     walls: None,
///     ids: None,
///     color_by: None,
///     columns: vec![],
/// };
/// let image = carom_render::png(&frame, None)?;
/// assert!(image.starts_with(b"\x89PNG"));
/// # Ok::<(), carom_render::Error>(())
/// ```
pub fn png<const D: usize>(frame: &Frame<D>, top: Option<f64>) -> Result<Vec<u8>, Error> {
    frame.check().map_err(carom_io::Error::from)?;
    let scale = ValueScale::of(frame, top);
    let (mut canvas, view) =
        if D == 2 { discs::draw(frame, &scale) } else { spheres::draw(frame, &scale) };
    RasterLegend::of(frame, &scale).draw(&mut canvas, &view);
    encode::png(&canvas)
}

/// Whether a body can be drawn at all.
fn is_finite<const D: usize>(frame: &Frame<D>, body: usize) -> bool {
    let radius = frame.radii[body];
    radius.is_finite() && radius >= 0.0 && frame.positions[body].iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests;
