//! Discs to scale, and lines between those in contact.

use super::color::{ContactColorScale, LinearRgb};
use super::page::{PageViewport, SvgPage};
use carom_detect::Contact;
use carom_geometry::{Boundary, Vector};
use carom_io::ParticleSet;

/// A disc or one of its periodic images.
struct DiscImage {
    center: [f64; 2],
    radius: f64,
    class: u32,
}

/// Draws the plane of the first two axes and returns its viewport on the page.
pub(super) fn draw<const D: usize>(
    page: &mut SvgPage,
    set: &ParticleSet<D>,
    contacts: &[Contact],
    degrees: &[u32],
    scale: &ContactColorScale,
) -> PageViewport {
    let discs = images(set, degrees, scale);
    let view = view(&set.boundary, &discs);
    let median = super::median_radius(set) * view.scale;
    let clip = if set.boundary.is_periodic() { " clip-path=\"url(#box)\"" } else { "" };
    draw_clip(page, &view);
    page.line(format_args!("<g{clip}>"));
    draw_discs(page, &view, discs, scale, (0.05 * median).clamp(0.2, 1.0));
    draw_contacts(page, &view, set, contacts, median);
    page.line(format_args!("</g>"));
    draw_sides(page, &view, &set.boundary);
    view
}

fn plane<const D: usize>(point: &Vector<D>) -> [f64; 2] {
    [point[0], point[1]]
}

/// Returns every disc inside the box, and its images wherever it crosses a periodic side.
fn images<const D: usize>(
    set: &ParticleSet<D>,
    degrees: &[u32],
    scale: &ContactColorScale,
) -> Vec<DiscImage> {
    let shifts: Vec<_> =
        std::iter::once(Vector::zeros()).chain(set.boundary.image_shifts()).collect();
    let mut discs = Vec::with_capacity(set.spheres.len());
    for (sphere, &degree) in set.spheres.iter().zip(degrees) {
        let inside = set.boundary.wrap(sphere.center);
        for center in shifts.iter().map(|shift| inside + shift) {
            let visible = |axis: usize| match set.boundary.period(axis) {
                Some(period) => {
                    center[axis] + sphere.radius >= 0.0 && center[axis] - sphere.radius <= period
                }
                None => true,
            };
            if (0..D).all(visible) {
                let class = scale.class(degree);
                discs.push(DiscImage { center: plane(&center), radius: sphere.radius, class });
            }
        }
    }
    discs
}

/// Returns the rectangle to show: the period of a periodic axis, on an open one all discs.
fn view<const D: usize>(boundary: &Boundary<D>, discs: &[DiscImage]) -> PageViewport {
    let mut low = [f64::INFINITY; 2];
    let mut high = [f64::NEG_INFINITY; 2];
    for axis in 0..2 {
        for disc in discs {
            low[axis] = low[axis].min(disc.center[axis] - disc.radius);
            high[axis] = high[axis].max(disc.center[axis] + disc.radius);
        }
        if let Some(period) = boundary.period(axis) {
            (low[axis], high[axis]) = (0.0, period);
        }
    }
    PageViewport::around(low, high)
}

/// Draws the clip path of discs that cross a periodic side.
fn draw_clip(page: &mut SvgPage, view: &PageViewport) {
    let [left, bottom] = view.to_page(view.low);
    let [right, top] = view.to_page(view.high);
    page.line(format_args!(
        "<clipPath id=\"box\"><rect x=\"{left:.2}\" y=\"{top:.2}\" width=\"{:.2}\" \
         height=\"{:.2}\"/></clipPath>",
        right - left,
        bottom - top
    ));
}

/// Draws large discs first, so that small ones are not hidden.
fn draw_discs(
    page: &mut SvgPage,
    view: &PageViewport,
    mut discs: Vec<DiscImage>,
    scale: &ContactColorScale,
    outline: f64,
) {
    discs.sort_by(|a, b| b.radius.total_cmp(&a.radius));
    let colors: Vec<_> = (0..scale.classes()).map(|class| scale.color(class)).collect();
    let fills: Vec<_> = colors.iter().map(|color| color.hexadecimal()).collect();
    let outlines: Vec<_> =
        colors.iter().map(|color| color.mix(LinearRgb::BLACK, 0.35).hexadecimal()).collect();
    page.line(format_args!("<g fill-opacity=\"0.86\" stroke-width=\"{outline:.2}\">"));
    for disc in discs {
        let [x, y] = view.to_page(disc.center);
        let class = disc.class as usize;
        page.line(format_args!(
            "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{:.2}\" fill=\"{}\" stroke=\"{}\"/>",
            disc.radius * view.scale,
            fills[class],
            outlines[class]
        ));
    }
    page.line(format_args!("</g>"));
}

/// Returns a line width that is thin compared with the discs, and leaves them visible under very many lines.
fn line_width<const D: usize>(
    view: &PageViewport,
    set: &ParticleSet<D>,
    contacts: &[Contact],
    median: f64,
) -> f64 {
    const LARGEST_SHARE: f64 = 0.15;
    let center = |index: u32| set.spheres[index as usize].center;
    let length = |contact: &Contact| {
        let pair = contact.pair;
        set.boundary.minimum_image(center(pair.first()), center(pair.second())).norm() * view.scale
    };
    let total: f64 = contacts.iter().map(length).sum();
    let share = LARGEST_SHARE * view.area() / total.max(1.0);
    (0.14 * median).clamp(0.4, 2.2).min(share)
}

/// Draws one path for all lines, since there can be many more contacts than discs.
fn draw_contacts<const D: usize>(
    page: &mut SvgPage,
    view: &PageViewport,
    set: &ParticleSet<D>,
    contacts: &[Contact],
    median: f64,
) {
    // Lines thinner than a screen can show are made paler instead.
    const THINNEST: f64 = 0.12;
    let width = line_width(view, set, contacts, median);
    let opacity = 0.8 * (width / THINNEST).clamp(0.15, 1.0);
    page.line(format_args!(
        "<path fill=\"none\" stroke=\"#d9480f\" stroke-opacity=\"{opacity:.2}\" \
         stroke-linecap=\"round\" stroke-width=\"{:.2}\" d=\"",
        width.max(THINNEST)
    ));
    for contact in contacts {
        let [first, second] = [contact.pair.first(), contact.pair.second()]
            .map(|index| set.boundary.wrap(set.spheres[index as usize].center));
        let step = set.boundary.minimum_image(first, second);
        add_segment(page, view, plane(&first), plane(&(first + step)));
        // Across a periodic side the line leaves on one side and enters on the other.
        let crosses = (second - first - step).norm() > 1e-6 * (second - first).norm();
        if set.boundary.is_periodic() && crosses {
            add_segment(page, view, plane(&(second - step)), plane(&second));
        }
    }
    page.line(format_args!("\"/>"));
}

fn add_segment(page: &mut SvgPage, view: &PageViewport, from: [f64; 2], to: [f64; 2]) {
    let [left, top] = view.to_page(from);
    let [right, bottom] = view.to_page(to);
    page.line(format_args!("M{left:.1} {top:.1}L{right:.1} {bottom:.1}"));
}

fn draw_line(page: &mut SvgPage, view: &PageViewport, from: [f64; 2], to: [f64; 2]) {
    let [left, top] = view.to_page(from);
    let [right, bottom] = view.to_page(to);
    page.line(format_args!(
        "<line x1=\"{left:.2}\" y1=\"{top:.2}\" x2=\"{right:.2}\" y2=\"{bottom:.2}\"/>"
    ));
}

/// Draws dashes along periodic sides.
fn draw_sides<const D: usize>(page: &mut SvgPage, view: &PageViewport, boundary: &Boundary<D>) {
    let (low, high) = (view.low, view.high);
    page.line(format_args!("<g stroke=\"#1d2433\" stroke-width=\"1.2\" stroke-dasharray=\"7 5\">"));
    if boundary.period(0).is_some() {
        draw_line(page, view, low, [low[0], high[1]]);
        draw_line(page, view, [high[0], low[1]], high);
    }
    if boundary.period(1).is_some() {
        draw_line(page, view, low, [high[0], low[1]]);
        draw_line(page, view, [low[0], high[1]], high);
    }
    page.line(format_args!("</g>"));
}
