//! Spheres seen along an oblique axis.

use super::colour::{Colour, ColourScale};
use super::oblique::{Edge, box_edges, nearness, seen, view};
use super::page::{Page, View};
use crate::ParticleSet;
use carom_geometry::{Aabb, Sphere};

/// Shades of fog; more would only swell the file.
const FOG_LEVELS: u32 = 9;
/// How much of the farthest sphere is fog.
const DENSEST_FOG: f64 = 0.72;
/// A sphere as it is seen.
struct Ball {
    center: [f64; 2],
    nearness: f64,
    radius: f64,
    class: u32,
}

/// Draws the spheres and returns where their view lies on the page.
pub(super) fn draw<const D: usize>(
    page: &mut Page,
    set: &ParticleSet<D>,
    degrees: &[u32],
    scale: &ColourScale,
) -> View {
    let mut balls = balls(set, degrees, scale);
    balls.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
    let edges = if set.boundary.is_periodic() { box_edges(&sides(set)) } else { Vec::new() };
    let view = view(balls.iter().map(|ball| (ball.center, ball.radius)), &edges);
    draw_gradients(page, scale);
    draw_edges(page, &view, edges.iter().filter(|edge| edge.behind));
    draw_balls(page, &view, &balls);
    draw_edges(page, &view, edges.iter().filter(|edge| !edge.behind));
    view
}

fn balls<const D: usize>(set: &ParticleSet<D>, degrees: &[u32], scale: &ColourScale) -> Vec<Ball> {
    let ball = |(sphere, &degree): (&Sphere<D>, &u32)| {
        let center = set.boundary.wrap(sphere.center);
        Ball {
            center: seen(&center),
            nearness: nearness(&center),
            radius: sphere.radius,
            class: scale.class(degree),
        }
    };
    set.spheres.iter().zip(degrees).map(ball).collect()
}

/// The box on periodic axes; along an open axis it spans the spheres.
fn sides<const D: usize>(set: &ParticleSet<D>) -> Aabb<D> {
    let mut sides = set.extent();
    for axis in 0..D {
        let length = set.boundary.period(axis);
        if length.is_some() || set.spheres.is_empty() {
            (sides.low[axis], sides.high[axis]) = (0.0, length.unwrap_or(0.0));
        }
    }
    sides
}

/// One gradient per colour and shade of fog: light from the upper left, dark at the rim.
fn draw_gradients(page: &mut Page, scale: &ColourScale) {
    let shadow = Colour::oklch(0.27, 0.07, 272.0);
    page.line(format_args!("<defs>"));
    for class in 0..scale.classes() {
        for level in 0..FOG_LEVELS {
            let fog = DENSEST_FOG * (1.0 - f64::from(level) / f64::from(FOG_LEVELS - 1));
            let colour = scale.colour(class);
            let shade = |colour: Colour| colour.mixed(Colour::WHITE, fog).hexadecimal();
            page.line(format_args!(
                "<radialGradient id=\"c{class}f{level}\" cx=\"0.5\" cy=\"0.5\" r=\"0.52\" \
                 fx=\"0.34\" fy=\"0.3\"><stop offset=\"0\" stop-color=\"{}\"/>\
                 <stop offset=\"0.45\" stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/>\
                 </radialGradient>",
                shade(colour.mixed(Colour::WHITE, 0.55)),
                shade(colour),
                shade(colour.mixed(shadow, 0.46)),
            ));
        }
    }
    page.line(format_args!("</defs>"));
}

fn draw_balls(page: &mut Page, view: &View, balls: &[Ball]) {
    let (Some(farthest), Some(nearest)) = (balls.first(), balls.last()) else {
        return;
    };
    let depth = nearest.nearness - farthest.nearness;
    for ball in balls {
        // A flat scene has no fog.
        let share = if depth > 0.0 { (ball.nearness - farthest.nearness) / depth } else { 1.0 };
        let level = (share * f64::from(FOG_LEVELS - 1)).round();
        let [x, y] = view.place(ball.center);
        page.line(format_args!(
            "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{:.2}\" fill=\"url(#c{}f{level})\"/>",
            ball.radius * view.scale,
            ball.class
        ));
    }
}

fn draw_edges<'a>(page: &mut Page, view: &View, edges: impl Iterator<Item = &'a Edge>) {
    page.line(format_args!(
        "<g stroke=\"#1d2433\" stroke-opacity=\"0.7\" stroke-width=\"1.1\" stroke-dasharray=\"7 5\">"
    ));
    for edge in edges {
        let [[left, top], [right, bottom]] = edge.ends.map(|end| view.place(end));
        page.line(format_args!(
            "<line x1=\"{left:.2}\" y1=\"{top:.2}\" x2=\"{right:.2}\" y2=\"{bottom:.2}\"/>"
        ));
    }
    page.line(format_args!("</g>"));
}
