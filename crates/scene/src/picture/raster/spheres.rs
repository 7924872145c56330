//! Shaded spheres through a depth buffer, seen as in the SVG pictures.

use super::canvas::{Canvas, Pen, mixed, pixels};
use super::depth::{Ball, NOBODY, PER_PIXEL, Samples};
use super::is_finite;
use super::speed_scale::SpeedScale;
use crate::picture::colour::Colour;
use crate::picture::oblique::{Edge, box_edges, nearness, seen, view};
use crate::picture::page::View;
use crate::{Frame, Span};
use carom_geometry::Vector;
use rayon::prelude::*;

/// Rows of pixels that are drawn as one task.
const BAND: usize = 16;
/// Where the light comes from: right, up, towards the viewer; of unit length.
const LIGHT: [f32; 3] = [-0.4558, 0.6078, 0.6503];
/// Halfway between the light and the viewer; of unit length.
const HALFWAY: [f32; 3] = [-0.2508, 0.3345, 0.9084];
/// How much of the farthest sphere is fog.
const DENSEST_FOG: f32 = 0.42;

/// Draws the spheres and returns where their view lies on the page.
pub(super) fn draw<const D: usize>(frame: &Frame<D>, scale: &SpeedScale) -> (Canvas, View) {
    let open = frame.region.iter().all(|&span| span == Span::Open);
    let edges = if open { Vec::new() } else { box_edges(&frame.sides()) };
    let positions = wrapped(frame);
    let rounds = positions.iter().map(|(body, position)| (seen(position), frame.radii[*body]));
    let view = view(rounds, &edges);
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

fn balls<const D: usize>(
    frame: &Frame<D>,
    positions: &[(usize, Vector<D>)],
    scale: &SpeedScale,
    view: &View,
) -> Vec<Ball> {
    let nearest = positions.iter().map(|(_, position)| nearness(position));
    let nearest = nearest.fold(f64::NEG_INFINITY, f64::max);
    let ball = |(body, position): &(usize, Vector<D>)| Ball {
        center: view.place(seen(position)).map(|x| x as f32),
        // From the nearest, so that single precision holds whatever the origin of the user.
        nearness: ((nearness(position) - nearest) * view.scale) as f32,
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
        samples.add_all(members, balls);
        settle(pixels, &samples, balls, &lighting);
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

/// Lays the balls of a band over its pixels.
fn settle(pixels: &mut [[f32; 3]], samples: &Samples, balls: &[Ball], lighting: &Lighting) {
    for (pixel, colour) in pixels.iter_mut().enumerate() {
        let ground = *colour;
        let shaded = |owner: u32, at: [f32; 2]| match owner {
            NOBODY => ground,
            index => lighting.shaded(&balls[index as usize], at),
        };
        *colour = match samples.only_owner(pixel) {
            // Within a ball the light changes little from sample to sample.
            Some(owner) => shaded(owner, samples.middle(pixel)),
            None => {
                let seen = samples.of_pixel(pixel).map(|(owner, at)| shaded(owner, at));
                let sum = seen.fold([0.0; 3], |sum: [f32; 3], seen| {
                    std::array::from_fn(|part| sum[part] + seen[part])
                });
                sum.map(|part| part / PER_PIXEL as f32)
            }
        };
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
