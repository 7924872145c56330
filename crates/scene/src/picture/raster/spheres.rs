//! Shaded spheres through a depth buffer, seen as in the SVG pictures.

use super::canvas::{Canvas, Pen, mixed, pixels};
use super::is_finite;
use super::speed_scale::SpeedScale;
use crate::picture::colour::Colour;
use crate::picture::page::View;
use crate::picture::spheres::{NEAR, along, seen};
use crate::{Frame, Span};
use carom_geometry::Vector;
use rayon::prelude::*;

/// Samples along the side of a pixel.
const SAMPLES: usize = 3;
/// Rows of pixels that are drawn as one task.
const BAND: usize = 16;
/// Where the light comes from: right, up, towards the viewer; of unit length.
const LIGHT: [f32; 3] = [-0.4558, 0.6078, 0.6503];
/// Halfway between the light and the viewer; of unit length.
const HALFWAY: [f32; 3] = [-0.2508, 0.3345, 0.9084];
/// How much of the farthest sphere is fog.
const DENSEST_FOG: f32 = 0.42;
const NOBODY: u32 = u32::MAX;

/// A sphere on the page, in pixels.
struct Ball {
    center: [f32; 2],
    nearness: f32,
    radius: f32,
    shade: usize,
}

/// Draws the spheres and returns where their view lies on the page.
pub(super) fn draw<const D: usize>(frame: &Frame<D>, scale: &SpeedScale) -> (Canvas, View) {
    let edges = box_edges(frame);
    let positions = wrapped(frame);
    let view = view(frame, &positions, &edges);
    let balls = balls(frame, &positions, scale, &view);
    let mut canvas = Canvas::new(view.page_width(), view.page_height());
    draw_edges(&mut canvas, &view, edges.iter().filter(|edge| edge.behind), 0.55);
    draw_balls(&mut canvas, &balls);
    draw_edges(&mut canvas, &view, edges.iter().filter(|edge| !edge.behind), 0.5);
    (canvas, view)
}

/// The bodies that can be drawn, each with its image inside the periodic box.
fn wrapped<const D: usize>(frame: &Frame<D>) -> Vec<(usize, Vector<D>)> {
    let inside = |position: &Vector<D>| {
        Vector::from_fn(|axis, _| match frame.region[axis] {
            Span::Periodic(period) => position[axis].rem_euclid(period),
            _ => position[axis],
        })
    };
    let bodies = (0..frame.len()).filter(|&body| is_finite(frame, body));
    bodies.map(|body| (body, inside(&frame.positions[body]))).collect()
}

/// An edge of the region as it is seen.
struct Edge {
    ends: [[f64; 2]; 2],
    behind: bool,
}

/// The twelve edges unless every axis is open.
fn box_edges<const D: usize>(frame: &Frame<D>) -> Vec<Edge> {
    let mut edges = Vec::new();
    if frame.region.iter().all(|&span| span == Span::Open) {
        return edges;
    }
    let sides = frame.sides();
    let farthest = (0..D).filter(|&axis| NEAR[axis] < 0.0).map(|axis| 1 << axis).sum::<usize>();
    for axis in 0..D {
        for bits in (0..1usize << D).filter(|bits| bits >> axis & 1 == 0) {
            let ends = [seen(&sides.corner(bits)), seen(&sides.corner(bits | 1 << axis))];
            edges.push(Edge { ends, behind: bits == farthest & !(1 << axis) });
        }
    }
    edges
}

fn view<const D: usize>(
    frame: &Frame<D>,
    positions: &[(usize, Vector<D>)],
    edges: &[Edge],
) -> View {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    let rounds = positions.iter().map(|(body, position)| (seen(position), frame.radii[*body]));
    let corners = edges.iter().flat_map(|edge| edge.ends).map(|end| (end, 0.0));
    for (center, radius) in rounds.chain(corners) {
        for axis in 0..2 {
            low[axis] = low[axis].min(center[axis] - radius);
            high[axis] = high[axis].max(center[axis] + radius);
        }
    }
    View::around(low, high)
}

fn balls<const D: usize>(
    frame: &Frame<D>,
    positions: &[(usize, Vector<D>)],
    scale: &SpeedScale,
    view: &View,
) -> Vec<Ball> {
    let nearest = positions.iter().map(|(_, position)| along(NEAR, position));
    let nearest = nearest.fold(f64::NEG_INFINITY, f64::max);
    let ball = |(body, position): &(usize, Vector<D>)| Ball {
        center: view.place(seen(position)).map(|x| x as f32),
        // From the nearest, so that single precision holds whatever the origin of the user.
        nearness: ((along(NEAR, position) - nearest) * view.scale) as f32,
        radius: ((frame.radii[*body] * view.scale) as f32).max(0.5),
        shade: scale.shade(*body),
    };
    positions.par_iter().map(ball).collect()
}

fn draw_balls(canvas: &mut Canvas, balls: &[Ball]) {
    let lighting = Lighting::of(balls);
    let bands = balls_by_band(canvas, balls);
    let width = canvas.width;
    let rows = canvas.pixels.par_chunks_mut(BAND * width);
    rows.zip(bands).enumerate().for_each(|(band, (pixels, members))| {
        let mut samples = Samples::new(width, pixels.len() / width, band * BAND);
        for index in members {
            samples.add(index, &balls[index as usize]);
        }
        samples.settle(pixels, balls, &lighting);
    });
}

/// The balls that reach into each band, in index order.
fn balls_by_band(canvas: &Canvas, balls: &[Ball]) -> Vec<Vec<u32>> {
    let mut bands = vec![Vec::new(); canvas.height.div_ceil(BAND)];
    for (index, ball) in balls.iter().enumerate() {
        let (top, bottom) = (ball.center[1] - ball.radius, ball.center[1] + ball.radius);
        let rows = pixels(f64::from(top), f64::from(bottom), canvas.height);
        for band in rows.start / BAND..rows.end.div_ceil(BAND) {
            bands[band].push(index as u32);
        }
    }
    bands
}

/// The samples of a band: how near the nearest ball is there, and which.
struct Samples {
    columns: usize,
    rows: usize,
    /// Of the band, in pixels.
    top: usize,
    nearness: Vec<f32>,
    owner: Vec<u32>,
}

/// The place of a sample on the page.
fn place(sample: usize) -> f32 {
    (sample as f32 + 0.5) / SAMPLES as f32
}

impl Samples {
    fn new(width: usize, height: usize, top: usize) -> Self {
        let (columns, rows) = (width * SAMPLES, height * SAMPLES);
        let nearness = vec![f32::NEG_INFINITY; columns * rows];
        Samples { columns, rows, top, nearness, owner: vec![NOBODY; columns * rows] }
    }

    fn add(&mut self, index: u32, ball: &Ball) {
        let per_pixel = SAMPLES as f64;
        let [x_center, y_center] = ball.center;
        let y_center = y_center - self.top as f32;
        let square = ball.radius * ball.radius;
        let (low, high) = (y_center - ball.radius, y_center + ball.radius);
        for row in pixels(f64::from(low) * per_pixel, f64::from(high) * per_pixel, self.rows) {
            let up = place(row) - y_center;
            let half = (square - up * up).max(0.0).sqrt();
            let (low, high) = (x_center - half, x_center + half);
            let span =
                pixels(f64::from(low) * per_pixel, f64::from(high) * per_pixel, self.columns);
            let start = row * self.columns;
            let nearness = &mut self.nearness[start + span.start..start + span.end];
            let owner = &mut self.owner[start + span.start..start + span.end];
            for (step, (nearest, owner)) in nearness.iter_mut().zip(owner).enumerate() {
                let right = place(span.start + step) - x_center;
                let rise = square - up * up - right * right;
                let nearness = ball.nearness + rise.max(0.0).sqrt();
                if rise >= 0.0 && nearness > *nearest {
                    (*nearest, *owner) = (nearness, index);
                }
            }
        }
    }

    /// Lays the balls over the pixels of the band.
    fn settle(&self, pixels: &mut [[f32; 3]], balls: &[Ball], lighting: &Lighting) {
        let width = self.columns / SAMPLES;
        for (pixel, colour) in pixels.iter_mut().enumerate() {
            let (x, y) = (pixel % width * SAMPLES, pixel / width * SAMPLES);
            let mut light = [0.0; 3];
            for sample in 0..SAMPLES * SAMPLES {
                let (x, y) = (x + sample % SAMPLES, y + sample / SAMPLES);
                let seen = match self.owner[y * self.columns + x] {
                    NOBODY => *colour,
                    index => {
                        let at = [place(x), place(y) + self.top as f32];
                        lighting.shaded(&balls[index as usize], at)
                    }
                };
                light = std::array::from_fn(|part| light[part] + seen[part]);
            }
            *colour = light.map(|part| part / (SAMPLES * SAMPLES) as f32);
        }
    }
}

/// One light, some light from everywhere, and fog in the distance.
struct Lighting {
    colours: Vec<[f32; 3]>,
    farthest: f32,
    depth: f32,
}

impl Lighting {
    fn of(balls: &[Ball]) -> Self {
        let nearness = balls.iter().map(|ball| ball.nearness);
        let farthest = nearness.clone().fold(f32::INFINITY, f32::min);
        let nearest = nearness.fold(f32::NEG_INFINITY, f32::max);
        let colours = SpeedScale::colours().into_iter().map(Colour::linear).collect();
        Lighting { colours, farthest, depth: nearest - farthest }
    }

    /// The colour of a ball at a place of the page.
    fn shaded(&self, ball: &Ball, at: [f32; 2]) -> [f32; 3] {
        let right = (at[0] - ball.center[0]) / ball.radius;
        let up = (ball.center[1] - at[1]) / ball.radius;
        let near = (1.0 - right * right - up * up).max(0.0).sqrt();
        let towards =
            |direction: [f32; 3]| direction[0] * right + direction[1] * up + direction[2] * near;
        let soft = (0.5 + 0.5 * towards(LIGHT)).max(0.0);
        let brightness = (0.16 + 1.02 * soft * soft) * (0.62 + 0.38 * near);
        let gloss = 0.28 * towards(HALFWAY).max(0.0).powi(48);
        let lit = self.colours[ball.shade].map(|part| (part * brightness + gloss).min(1.0));
        // A flat scene has no fog.
        let far =
            if self.depth > 0.0 { 1.0 - (ball.nearness - self.farthest) / self.depth } else { 0.0 };
        mixed(lit, [1.0; 3], DENSEST_FOG * far * far)
    }
}

fn draw_edges<'a>(
    canvas: &mut Canvas,
    view: &View,
    edges: impl Iterator<Item = &'a Edge>,
    opacity: f64,
) {
    let pen = Pen { colour: Colour::oklch(0.27, 0.03, 265.0), width: 1.2, opacity };
    for edge in edges {
        canvas.line(&edge.ends.map(|end| view.place(end)), pen);
    }
}
