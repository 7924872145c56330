//! Discs, shapes and bonded solids in 2D, to scale.

use super::canvas::{Canvas, Pen};
use super::coverage_layer::{CoverageLayer, DiscColors, PixelDisc, image_positions, shade_colors};
use super::shape_areas::ShapeAreas;
use super::value_scale::ValueScale;
use super::{bonded_solids, is_finite};
use crate::color::LinearRgb;
use crate::page::PageViewport;
use carom_io::{AxisExtent, Frame};

/// Draws the plane and returns its viewport on the page.
pub(super) fn draw<const D: usize>(frame: &Frame<D>, scale: &ValueScale) -> (Canvas, PageViewport) {
    let sides = frame.bounds();
    let view = PageViewport::around([sides.low[0], sides.low[1]], [sides.high[0], sides.high[1]]);
    let mut canvas = Canvas::new(view.page_width(), view.page_height());
    let [left, bottom] = view.to_page(view.low);
    let [right, top] = view.to_page(view.high);
    canvas.fill([left, top], [right, bottom], LinearRgb::oklch(0.972, 0.004, 265.0));
    let mut layer = CoverageLayer::new(&canvas, frame, [left, top], [right, bottom]);
    let inks = shade_colors(scale);
    let ink = |body: usize| &inks[scale.shade(body)];
    let in_solid = bonded_solids::draw(&mut layer, frame, &view, ink);
    draw_discs(&mut layer, frame, &view, |body| (!in_solid[body]).then(|| ink(body)));
    layer.composite_onto(&mut canvas);
    draw_sides(&mut canvas, frame, &view);
    (canvas, view)
}

/// Draws every disc or shape that has an ink, and its images wherever it crosses a periodic side.
fn draw_discs<'a, const D: usize>(
    layer: &mut CoverageLayer,
    frame: &Frame<D>,
    view: &PageViewport,
    ink: impl Fn(usize) -> Option<&'a DiscColors>,
) {
    let areas = ShapeAreas::of(frame, view.scale);
    for body in (0..frame.len()).filter(|&body| is_finite(frame, body)) {
        let Some(ink) = ink(body) else { continue };
        let radius = frame.radii[body];
        for place in image_positions(frame, &frame.positions[body], radius) {
            let round = PixelDisc { center: view.to_page(place), radius: radius * view.scale };
            layer.add_body(&round, areas.of_body(frame, body), ink);
        }
    }
}

/// Draws lines along walls, dashes along periodic sides, nothing where the region is open.
fn draw_sides<const D: usize>(canvas: &mut Canvas, frame: &Frame<D>, view: &PageViewport) {
    let pen = Pen { color: LinearRgb::oklch(0.27, 0.03, 265.0), width: 1.3, opacity: 0.9 };
    let ends = [view.low, view.high].map(|corner| view.to_page(corner));
    for axis in 0..2 {
        let other = 1 - axis;
        for side in ends {
            let mut line = ends;
            (line[0][axis], line[1][axis]) = (side[axis], side[axis]);
            (line[0][other], line[1][other]) = (ends[0][other], ends[1][other]);
            match frame.region[axis] {
                AxisExtent::Open => {}
                AxisExtent::Walls(_) => canvas.line(&line, pen),
                AxisExtent::Periodic(_) => canvas.dashes(line, pen),
            }
        }
    }
}
