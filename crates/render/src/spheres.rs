//! Spheres seen along an oblique axis.

use super::color::{ContactColorScale, LinearRgb};
use super::oblique::{ProjectedEdge, box_edges, nearness, project, view};
use super::page::{PageViewport, SvgPage};
use carom_geometry::{Aabb, Sphere};
use carom_io::ParticleSet;

/// Number of shades of fog; more would only enlarge the file.
const FOG_LEVELS: u32 = 9;
/// Share of fog at the farthest sphere.
const DENSEST_FOG: f64 = 0.72;
/// A projected sphere.
struct ProjectedSphere {
    center: [f64; 2],
    nearness: f64,
    radius: f64,
    class: u32,
}

/// Draws the spheres and returns their viewport on the page.
pub(super) fn draw<const D: usize>(
    page: &mut SvgPage,
    set: &ParticleSet<D>,
    degrees: &[u32],
    scale: &ContactColorScale,
) -> PageViewport {
    let mut balls = projected_spheres(set, degrees, scale);
    balls.sort_by(|a, b| a.nearness.total_cmp(&b.nearness));
    let edges =
        if set.boundary.is_periodic() { box_edges(&region_bounds(set)) } else { Vec::new() };
    let view = view(balls.iter().map(|ball| (ball.center, ball.radius)), &edges);
    draw_gradients(page, scale);
    draw_edges(page, &view, edges.iter().filter(|edge| edge.behind));
    draw_spheres(page, &view, &balls);
    draw_edges(page, &view, edges.iter().filter(|edge| !edge.behind));
    view
}

fn projected_spheres<const D: usize>(
    set: &ParticleSet<D>,
    degrees: &[u32],
    scale: &ContactColorScale,
) -> Vec<ProjectedSphere> {
    let ball = |(sphere, &degree): (&Sphere<D>, &u32)| {
        let center = set.boundary.wrap(sphere.center);
        ProjectedSphere {
            center: project(&center),
            nearness: nearness(&center),
            radius: sphere.radius,
            class: scale.class(degree),
        }
    };
    set.spheres.iter().zip(degrees).map(ball).collect()
}

/// Returns the box on periodic axes; along an open axis it spans the spheres.
fn region_bounds<const D: usize>(set: &ParticleSet<D>) -> Aabb<D> {
    let mut sides = set.extent();
    for axis in 0..D {
        let length = set.boundary.period(axis);
        if length.is_some() || set.spheres.is_empty() {
            (sides.low[axis], sides.high[axis]) = (0.0, length.unwrap_or(0.0));
        }
    }
    sides
}

/// Draws one gradient per color and shade of fog: light from the upper left, dark at the rim.
fn draw_gradients(page: &mut SvgPage, scale: &ContactColorScale) {
    let shadow = LinearRgb::oklch(0.27, 0.07, 272.0);
    page.line(format_args!("<defs>"));
    for class in 0..scale.classes() {
        for level in 0..FOG_LEVELS {
            let fog = DENSEST_FOG * (1.0 - f64::from(level) / f64::from(FOG_LEVELS - 1));
            let color = scale.color(class);
            let shade = |color: LinearRgb| color.mix(LinearRgb::WHITE, fog).hexadecimal();
            page.line(format_args!(
                "<radialGradient id=\"c{class}f{level}\" cx=\"0.5\" cy=\"0.5\" r=\"0.52\" \
                 fx=\"0.34\" fy=\"0.3\"><stop offset=\"0\" stop-color=\"{}\"/>\
                 <stop offset=\"0.45\" stop-color=\"{}\"/><stop offset=\"1\" stop-color=\"{}\"/>\
                 </radialGradient>",
                shade(color.mix(LinearRgb::WHITE, 0.55)),
                shade(color),
                shade(color.mix(shadow, 0.46)),
            ));
        }
    }
    page.line(format_args!("</defs>"));
}

fn draw_spheres(page: &mut SvgPage, view: &PageViewport, balls: &[ProjectedSphere]) {
    let (Some(farthest), Some(nearest)) = (balls.first(), balls.last()) else {
        return;
    };
    let depth = nearest.nearness - farthest.nearness;
    for ball in balls {
        // A flat scene has no fog.
        let share = if depth > 0.0 { (ball.nearness - farthest.nearness) / depth } else { 1.0 };
        let level = (share * f64::from(FOG_LEVELS - 1)).round();
        let [x, y] = view.to_page(ball.center);
        page.line(format_args!(
            "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{:.2}\" fill=\"url(#c{}f{level})\"/>",
            ball.radius * view.scale,
            ball.class
        ));
    }
}

fn draw_edges<'a>(
    page: &mut SvgPage,
    view: &PageViewport,
    edges: impl Iterator<Item = &'a ProjectedEdge>,
) {
    page.line(format_args!(
        "<g stroke=\"#1d2433\" stroke-opacity=\"0.7\" stroke-width=\"1.1\" stroke-dasharray=\"7 5\">"
    ));
    for edge in edges {
        let [[left, top], [right, bottom]] = edge.ends.map(|end| view.to_page(end));
        page.line(format_args!(
            "<line x1=\"{left:.2}\" y1=\"{top:.2}\" x2=\"{right:.2}\" y2=\"{bottom:.2}\"/>"
        ));
    }
    page.line(format_args!("</g>"));
}
