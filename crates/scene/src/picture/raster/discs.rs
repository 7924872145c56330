//! Discs and shapes of the plane to scale. What they cover of a pixel is added up, which is exact for discs
//! that do not overlap, however small they are.

use super::areas::{Areas, TurnedArea};
use super::canvas::{Canvas, Pen, mixed, pixels};
use super::is_finite;
use super::speed_scale::SpeedScale;
use crate::picture::colour::Colour;
use crate::picture::page::View;
use crate::{Frame, Span};
use carom_geometry::Vector;
use std::ops::Range;

/// A smaller disc is drawn as a square of the same area, whose share of a pixel is simple.
const SMALLEST_ROUND: f64 = 0.9;

/// Draws the plane and returns where it lies on the page.
pub(super) fn draw<const D: usize>(frame: &Frame<D>, scale: &SpeedScale) -> (Canvas, View) {
    let sides = frame.sides();
    let view = View::around([sides.low[0], sides.low[1]], [sides.high[0], sides.high[1]]);
    let mut canvas = Canvas::new(view.page_width(), view.page_height());
    let [left, bottom] = view.place(view.low);
    let [right, top] = view.place(view.high);
    canvas.fill([left, top], [right, bottom], Colour::oklch(0.972, 0.004, 265.0));
    let mut layer = Layer::new(&canvas, frame, [left, top], [right, bottom]);
    draw_discs(&mut layer, frame, scale, &view);
    layer.settle(&mut canvas);
    draw_sides(&mut canvas, frame, &view);
    (canvas, view)
}

/// Every disc, and again wherever it reaches over a periodic side.
fn draw_discs<const D: usize>(
    layer: &mut Layer,
    frame: &Frame<D>,
    scale: &SpeedScale,
    view: &View,
) {
    let (inks, areas) = (inks(), Areas::of(frame, view.scale));
    for body in (0..frame.len()).filter(|&body| is_finite(frame, body)) {
        let radius = frame.radii[body];
        let [columns, rows] =
            [0, 1].map(|axis| images(frame, &frame.positions[body], radius, axis));
        for &x in columns.iter().flatten() {
            for &y in rows.iter().flatten() {
                let ink = &inks[scale.shade(body)];
                let round = Round { center: view.place([x, y]), radius: radius * view.scale };
                layer.add_body(&round, areas.of_body(frame, body), ink);
            }
        }
    }
}

/// Where a disc is to be seen along an axis: inside, and beyond each periodic side it reaches over.
fn images<const D: usize>(
    frame: &Frame<D>,
    position: &Vector<D>,
    radius: f64,
    axis: usize,
) -> [Option<f64>; 3] {
    let Some(period) = frame.region[axis].period() else {
        return [Some(position[axis]), None, None];
    };
    let inside = position[axis].rem_euclid(period);
    let (below, above) = (inside < radius, inside > period - radius);
    [Some(inside), below.then_some(inside + period), above.then_some(inside - period)]
}

/// The colours of a disc.
struct Ink {
    fill: [f32; 3],
    rim: [f32; 3],
}

fn inks() -> Vec<Ink> {
    let ink = |colour: Colour| Ink {
        fill: colour.linear(),
        rim: colour.mixed(Colour::BLACK, 0.4).linear(),
    };
    SpeedScale::colours().into_iter().map(ink).collect()
}

/// A disc on the page.
struct Round {
    center: [f64; 2],
    radius: f64,
}

/// Light of the discs and the share of each pixel they cover.
struct Layer {
    width: usize,
    sums: Vec<[f32; 4]>,
    /// What is cut off lies outside these pixels.
    columns: Range<usize>,
    rows: Range<usize>,
}

impl Layer {
    fn new<const D: usize>(
        canvas: &Canvas,
        frame: &Frame<D>,
        low: [f64; 2],
        high: [f64; 2],
    ) -> Self {
        let clip = |axis: usize, end: usize| match frame.region[axis] {
            Span::Periodic(_) => pixels(low[axis], high[axis], end),
            _ => 0..end,
        };
        Layer {
            width: canvas.width,
            sums: vec![[0.0; 4]; canvas.pixels.len()],
            columns: clip(0, canvas.width),
            rows: clip(1, canvas.height),
        }
    }

    /// A disc, or what of it an area covers.
    fn add_body(&mut self, round: &Round, area: Option<TurnedArea>, ink: &Ink) {
        match (round.radius < SMALLEST_ROUND, area) {
            (true, None) => {
                self.add_square(round.center, round.radius * std::f64::consts::PI.sqrt(), ink);
            }
            (true, Some(area)) => self.add_square(round.center, area.size().sqrt(), ink),
            (false, None) => {
                self.add_round(round, |right, up| up.hypot(right) - round.radius, ink);
            }
            // The page goes down where the plane goes up.
            (false, Some(area)) => {
                self.add_round(round, |right, up| area.distance([right, -up]), ink);
            }
        }
    }

    fn add_square(&mut self, center: [f64; 2], side: f64, ink: &Ink) {
        // A body too small to be seen is seen all the same.
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

    /// Where a distance, in pixels from the centre, is negative; that is nowhere outside the disc.
    fn add_round(&mut self, round: &Round, distance: impl Fn(f64, f64) -> f64, ink: &Ink) {
        let Round { center: [x_center, y_center], radius } = *round;
        let reach = radius + 0.5;
        // Fades out where discs are so small that they would be all rim.
        let rim = (0.08 * radius).min(1.6);
        let rim_share = (0.5 * (radius - 1.5)).clamp(0.0, 0.9);
        for y in within(&self.rows, y_center - reach, y_center + reach) {
            let up = y as f64 + 0.5 - y_center;
            let half = (reach * reach - up * up).max(0.0).sqrt();
            for x in within(&self.columns, x_center - half, x_center + half) {
                let distance = distance(x as f64 + 0.5 - x_center, up);
                let cover = (0.5 - distance).clamp(0.0, 1.0);
                let edge = (distance + rim + 0.5).clamp(0.0, 1.0) * rim_share;
                self.add(x, y, mixed(ink.fill, ink.rim, edge as f32), cover as f32);
            }
        }
    }

    fn add(&mut self, x: usize, y: usize, colour: [f32; 3], share: f32) {
        let sum = &mut self.sums[y * self.width + x];
        for part in 0..3 {
            sum[part] += share * colour[part];
        }
        sum[3] += share;
    }

    /// Lays the discs over the canvas; where they overlap their colours are averaged.
    fn settle(self, canvas: &mut Canvas) {
        for (pixel, [red, green, blue, cover]) in canvas.pixels.iter_mut().zip(self.sums) {
            if cover > 0.0 {
                *pixel = mixed(*pixel, [red, green, blue].map(|part| part / cover), cover.min(1.0));
            }
        }
    }
}

fn within(range: &Range<usize>, low: f64, high: f64) -> Range<usize> {
    let touched = pixels(low, high, range.end);
    touched.start.max(range.start)..touched.end
}

/// Lines along walls, dashes along periodic sides, nothing where the region is open.
fn draw_sides<const D: usize>(canvas: &mut Canvas, frame: &Frame<D>, view: &View) {
    let pen = Pen { colour: Colour::oklch(0.27, 0.03, 265.0), width: 1.3, opacity: 0.9 };
    let ends = [view.low, view.high].map(|corner| view.place(corner));
    for axis in 0..2 {
        let other = 1 - axis;
        for side in ends {
            let mut line = ends;
            (line[0][axis], line[1][axis]) = (side[axis], side[axis]);
            (line[0][other], line[1][other]) = (ends[0][other], ends[1][other]);
            match frame.region[axis] {
                Span::Open => {}
                Span::Walls(_) => canvas.line(&line, pen),
                Span::Periodic(_) => canvas.dashes(line, pen),
            }
        }
    }
}
