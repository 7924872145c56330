//! Bonded solids in 2D, filled so that they look solid and cracks show.

use super::coverage_layer::{CoverageLayer, DiscColors, image_positions};
use super::is_finite;
use crate::page::PageViewport;
use carom_geometry::Vector;
use carom_io::Frame;

/// Width of a particle and of its arms, in particle diameters: wide enough that intact springs leave no gap, narrow
/// enough that a row of broken springs does.
const WIDTH: f64 = 0.62;

/// Draws every particle as a spot with an arm to the middle of each intact spring, and returns for each body whether it
/// is such a particle.
pub(super) fn draw<'a, const D: usize>(
    layer: &mut CoverageLayer,
    frame: &Frame<D>,
    view: &PageViewport,
    ink: impl Fn(usize) -> &'a DiscColors,
) -> Vec<bool> {
    let mut in_solid = vec![false; frame.len()];
    let Some(springs) = &frame.springs else { return in_solid };
    let mut draw_arm = |body: usize, arm: &Vector<D>| {
        let width = 2.0 * WIDTH * frame.radii[body];
        for [x, y] in image_positions(frame, &frame.positions[body], arm.norm() + width) {
            let ends = [[x, y], [x + arm[0], y + arm[1]]].map(|end| view.to_page(end));
            layer.add_line(ends, width * view.scale, ink(body));
        }
    };
    for (&ends, is_broken) in springs.ends.iter().zip(&springs.are_broken) {
        let [first, second] = ends.map(|end| end as usize);
        (in_solid[first], in_solid[second]) = (true, true);
        if !is_broken && is_finite(frame, first) && is_finite(frame, second) {
            let half = 0.5 * frame.spring_separation(ends);
            draw_arm(first, &half);
            draw_arm(second, &-half);
        }
    }
    for body in (0..frame.len()).filter(|&body| in_solid[body] && is_finite(frame, body)) {
        draw_arm(body, &Vector::zeros());
    }
    in_solid
}
